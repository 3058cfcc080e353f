/* tests/plot/test_plot_extremes.c - tests any number in any option and any data: the result is an image or an error, in
 * bounded time.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stddef.h>
#include <time.h>

#include "picture.h"

#define MAX_SECONDS 5 /* per image; usually milliseconds, even under sanitizers */

/* -- Options ----------------------------------------------------------------------------------------------------- */

typedef struct options {
    heed_plot_series series;
    heed_plot_lines_options lines;
    heed_plot_heatmap_options heatmap;
    heed_plot_fit_options fit;
    heed_plot_panel panel;
    heed_plot_panels_options panels;
    heed_plot_text_options text;
    heed_plot_image_options image;
} options;

/* The functions that take a struct. */
typedef enum call { LINES = 1, TEXT = 2, PANELS = 4, HEATMAP = 8, FIT = 16, IMAGE = 32 } call;
typedef enum number { REAL, INT, COUNT } number; /* COUNT: the length of a list, which must be correct */

typedef struct field {
    const char *type, *name;
    size_t offset;
    number kind;
    int calls;
} field;

#define FIELD(member, field, kind, calls)                                                                              \
    {                                                                                                                  \
        "heed_plot_" #member, #field, offsetof(options, member.field), kind, calls                                     \
    }
#define OPTION(member, field, kind, calls)                                                                             \
    {                                                                                                                  \
        "heed_plot_" #member "_options", #field, offsetof(options, member.field), kind, calls                          \
    }
#define LINES_FIELD(field, kind) OPTION(lines, field, kind, LINES | PANELS | FIT)
#define HEATMAP_FIELD(field, kind) OPTION(heatmap, field, kind, HEATMAP | PANELS)
#define PANELS_FIELD(field, kind) OPTION(panels, field, kind, PANELS)
#define TEXT_FIELD(field, kind) OPTION(text, field, kind, TEXT)

static const field fields[] = {FIELD(series, style, INT, LINES | PANELS | TEXT),
                               FIELD(series, marker, INT, LINES | PANELS | TEXT),
                               FIELD(series, color, INT, LINES | PANELS | TEXT),
                               FIELD(series, alpha, REAL, LINES | PANELS | TEXT),
                               FIELD(series, line_width, REAL, LINES | PANELS | TEXT),
                               FIELD(series, kind, INT, LINES | PANELS | TEXT),
                               FIELD(series, bins, INT, LINES | PANELS | TEXT),
                               LINES_FIELD(xlim[0], REAL),
                               LINES_FIELD(xlim[1], REAL),
                               LINES_FIELD(ylim[0], REAL),
                               LINES_FIELD(ylim[1], REAL),
                               LINES_FIELD(xscale, INT),
                               LINES_FIELD(yscale, INT),
                               LINES_FIELD(width, INT),
                               LINES_FIELD(height, INT),
                               LINES_FIELD(scale, REAL),
                               LINES_FIELD(xtick_count, COUNT),
                               HEATMAP_FIELD(colormap, INT),
                               HEATMAP_FIELD(vmin, REAL),
                               HEATMAP_FIELD(vmax, REAL),
                               HEATMAP_FIELD(xlim[0], REAL),
                               HEATMAP_FIELD(xlim[1], REAL),
                               HEATMAP_FIELD(ylim[0], REAL),
                               HEATMAP_FIELD(ylim[1], REAL),
                               HEATMAP_FIELD(xscale, INT),
                               HEATMAP_FIELD(yscale, INT),
                               HEATMAP_FIELD(panel_width, INT),
                               HEATMAP_FIELD(panel_height, INT),
                               HEATMAP_FIELD(scale, REAL),
                               HEATMAP_FIELD(digits, INT),
                               HEATMAP_FIELD(title_count, COUNT),
                               HEATMAP_FIELD(xtick_count, COUNT),
                               HEATMAP_FIELD(ytick_count, COUNT),
                               OPTION(fit, column, INT, FIT),
                               FIELD(panel, count, COUNT, 0),
                               OPTION(image, columns, INT, IMAGE),
                               OPTION(image, padding, INT, IMAGE),
                               OPTION(image, padding_value, REAL, IMAGE),
                               OPTION(image, vmin, REAL, IMAGE),
                               OPTION(image, vmax, REAL, IMAGE),
                               PANELS_FIELD(columns, INT),
                               PANELS_FIELD(panel_width, INT),
                               PANELS_FIELD(panel_height, INT),
                               PANELS_FIELD(scale, REAL),
                               TEXT_FIELD(xlim[0], REAL),
                               TEXT_FIELD(xlim[1], REAL),
                               TEXT_FIELD(ylim[0], REAL),
                               TEXT_FIELD(ylim[1], REAL),
                               TEXT_FIELD(xscale, INT),
                               TEXT_FIELD(yscale, INT),
                               TEXT_FIELD(columns, INT),
                               TEXT_FIELD(rows, INT)};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* Returns whether a declaration of the header, without its comment, declares numbers. */
static bool is_numeric(const char *declaration)
{
    static const char *const types[] = {"double ", "int ", "uint32_t ", "int64_t ", "size_t ", "float ", "heed_"};
    for (size_t i = 0; !strchr(declaration, '*') && i < sizeof types / sizeof types[0]; i++)
        if (strncmp(declaration, types[i], strlen(types[i])) == 0)
            return true;
    return false;
}

static bool is_known(const char *type, const char *name, size_t length)
{
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].type, type) == 0 && strncmp(fields[i].name, name, length) == 0 &&
            (fields[i].name[length] == '\0' || fields[i].name[length] == '['))
            return true;
    return false;
}

/* Requires that all names in "double xlim[2], ylim[2]" are in the table of fields. */
static int check_names(const char *type, const char *declaration)
{
    int names = 0;
    for (const char *name = strchr(declaration, ' '); name; name = strchr(name, ',')) {
        name += strspn(name, " ,");
        size_t length = 0;
        while (isalnum((unsigned char)name[length]) || name[length] == '_')
            length++;
        ck_assert_msg(is_known(type, name, length), "%s.%.*s is not in this test's table", type, (int)length, name);
        names++;
    }
    return names;
}

static void remove_comments(char *text)
{
    for (char *from = strstr(text, "/*"); from; from = strstr(text, "/*")) {
        char *end = strstr(from, "*/");
        memmove(from, end + 2, strlen(end + 2) + 1);
    }
}

START_TEST(the_table_has_every_number_of_the_header)
{
    size_t size = 0;
    int names = 0;
    char *text = (char *)read_bytes(HEED_SOURCE_DIR "/include/heed/plot.h", &size), type[64];
    text[size] = '\0';
    remove_comments(text);
    for (char *at = strstr(text, "typedef struct "); at; at = strstr(at, "typedef struct ")) {
        ck_assert_int_eq(sscanf(at, "typedef struct %63[a-z_] {", type), 1);
        char *end = strchr(at, '}');
        *end = '\0';
        for (char *line = strchr(at, '{'); line; line = strchr(line, ';')) {
            line += 1 + strspn(line + 1, " \n");
            char *stop = strchr(line, ';');
            if (!stop)
                break;
            *stop = '\0';
            names += is_numeric(line) ? check_names(type, line) : 0;
            *stop = ';';
        }
        at = end + 1;
    }
    ck_assert_int_eq(names, FIELDS - 6); /* six of the fields have two numbers */
    free(text);
}
END_TEST

/* -- Calls ------------------------------------------------------------------------------------------------------- */

static void check_end(heed_status status, clock_t began, const char *what, double value)
{
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < MAX_SECONDS, "%s = %g: %g s", what, value, seconds);
    ck_assert_msg(status == HEED_OK || *heed_error_message(), "%s = %g: no message", what, value);
    heed_error_clear();
}

static heed_status draw_text(const options *o)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    heed_status status = heed_plot_text(&o->series, 1, file, &o->text);
    (void)fclose(file);
    return status;
}

static heed_status draw_panels(const options *o, heed_tensor *matrices, const char *path)
{
    heed_plot_lines_options lines = o->lines;
    heed_plot_heatmap_options heatmap = o->heatmap;
    lines.width = lines.height = heatmap.panel_width = heatmap.panel_height = 0;
    heed_plot_panel two[] = {o->panel, {.matrices = matrices, .heatmap = &heatmap}};
    two[0].series = &o->series;
    two[0].lines = &lines;
    return heed_plot_panels(two, 2, path, &o->panels);
}

static heed_status draw(const options *o, call which, const heed_np *fit, heed_tensor *x, heed_tensor *m,
                        const char *path)
{
    heed_plot_fit_options of = o->fit;
    of.lines = &o->lines;
    switch (which) {
    case LINES:
        return heed_plot_lines(&o->series, 1, path, &o->lines);
    case TEXT:
        return draw_text(o);
    case PANELS:
        return draw_panels(o, m, path);
    case HEATMAP:
        return heed_plot_heatmap(m, path, &o->heatmap);
    case IMAGE:
        return heed_plot_image(m, path, &o->image);
    case FIT:
    default:
        return heed_plot_fit(fit, x, NULL, path, &of);
    }
}

static void set(options *o, const field *f, double value)
{
    void *at = (char *)o + f->offset;
    if (f->kind == REAL)
        *(double *)at = value;
    else
        *(int *)at = value >= 0x1p31 ? 0x7fffffff : value <= -0x1p31 ? -0x7fffffff - 1 : (int)value;
}

static options base(heed_tensor *y)
{
    return (options){.series = {.y = y, .style = HEED_LINE_DASHED, .marker = HEED_MARKER_CROSS, .label = "label"},
                     .lines = {.width = 96, .height = 72},
                     .heatmap = {.panel_width = 96, .panel_height = 72},
                     .panel = {.count = 1},
                     .panels = {.panel_width = 96, .panel_height = 72},
                     .text = {.columns = 40, .rows = 10}};
}

static const double numbers[] = {
    0, 1e-300, 1e-20, 1e-5, 1e5, 1e20, 1e300, -1, -1e20, (double)INFINITY, (double)-INFINITY, (double)NAN};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

START_TEST(any_number_in_any_option)
{
    const field *f = &fields[_i];
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 3, -2, 5, 4), *x = heed_linspace(HEED_F64, 0, 1, 5);
    heed_tensor *m = heed_reshape(heed_arange(HEED_F64, 0, 6, 1), HEED_SHAPE(2, 3));
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.bandwidths = (double[]){0.5}});
    for (int i = 0; i < NUMBERS * 3; i++)
        for (int which = LINES; which <= IMAGE && f->kind != COUNT; which *= 2) {
            double value = numbers[i / 3];
            options o = base(y);
            if (i % 3 > 0) {
                o.series = (heed_plot_series){.y = y, .kind = i % 3 == 1 ? HEED_PLOT_BARS : HEED_PLOT_HISTOGRAM};
                o.lines.xlim[0] = o.lines.ylim[0] = o.text.xlim[0] = o.text.ylim[0] = 1;
                o.lines.xlim[1] = o.lines.ylim[1] = o.text.xlim[1] = o.text.ylim[1] = 2;
            }
            if (!(f->calls & which) || (isnan(value) && f->kind == INT))
                continue;
            set(&o, f, value);
            for (int svg = 0; svg < 2; svg++) {
                const char *path = in_folder(svg ? "e.svg" : "e.png");
                clock_t began = clock();
                check_end(draw(&o, (call)which, fit, x, m, path), began, f->name, value);
                (void)unlink(path);
            }
        }
    heed_np_free(fit);
    remove_folder();
}
END_TEST

/* -- Data -------------------------------------------------------------------------------------------------------- */

enum { POINTS = 5, ARRAYS = 5 };
/* Writes the plot in one of three formats and returns the file's bytes. */
static uint8_t *form(const heed_plot_series *s, int which, heed_axis_scale scale, size_t *size)
{
    static const char *const names[] = {"f.png", "f.svg", "f.txt"};
    const char *path = in_folder(names[which]);
    heed_plot_lines_options o = {.width = 96, .height = 72, .xscale = scale, .yscale = scale};
    heed_plot_text_options t = {.columns = 40, .rows = 10, .xscale = scale, .yscale = scale};
    clock_t began = clock();
    FILE *file = which == 2 ? fopen(path, "wb") : NULL;
    heed_status status = file ? heed_plot_text(s, 1, file, &t) : heed_plot_lines(s, 1, path, &o);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    if (file)
        ck_assert_int_eq(fclose(file), 0);
    check_end(status, began, names[which], (double)scale);
    uint8_t *bytes = read_bytes(path, size);
    ck_assert_int_eq(unlink(path), 0);
    return bytes;
}

/* Makes a series of this kind with `value` at one index of one of its arrays; returns false if this kind lacks the
 * array. */
static bool series_with(heed_plot_series *s, int kind, int array, int index, double value)
{
    double v[ARRAYS][POINTS] = {{1, 2, 3, 4, 5}, {3, 1, 2, 5, 4}, {2, 1, 1, 4, 3}, {4, 3, 3, 6, 5}, {1, 0.5, 1, 1, 1}};
    heed_tensor *t[ARRAYS];
    bool curve = kind == HEED_PLOT_CURVE, histogram = kind == HEED_PLOT_HISTOGRAM;
    v[array][index] = value;
    for (int i = 0; i < ARRAYS; i++)
        t[i] = heed_from_values(HEED_F64, HEED_SHAPE(POINTS), v[i], POINTS);
    *s = (heed_plot_series){.x = histogram ? NULL : t[0],
                            .y = t[1],
                            .low = curve ? t[2] : NULL,
                            .high = curve ? t[3] : NULL,
                            .error = histogram ? NULL : t[4],
                            .kind = (heed_plot_kind)kind};
    return (array != 0 || s->x) && ((array != 2 && array != 3) || s->low) && (array != 4 || s->error);
}

/* Checks that the plots of both values are equal. */
static void check_same(int kind, int array, int index, double one, double other)
{
    heed_plot_series a, b;
    heed_scope *scope = heed_scope_begin();
    for (int i = 0; i < 6; i++) {
        size_t size_a = 0, size_b = 0;
        if (!series_with(&a, kind, array, index, one) || !series_with(&b, kind, array, index, other))
            break;
        uint8_t *bytes_a = form(&a, i / 2, (heed_axis_scale)(i % 2), &size_a);
        uint8_t *bytes_b = form(&b, i / 2, (heed_axis_scale)(i % 2), &size_b);
        ck_assert_msg(size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0,
                      "kind %d, array %d, place %d, form %d: %g is not drawn as %g", kind, array, index, i, one, other);
        free(bytes_a);
        free(bytes_b);
    }
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}

START_TEST(infinities_are_left_out_as_nan_is)
{
    for (int index = 0; index < POINTS; index += 2)
        for (int array = 0; array < ARRAYS; array++) {
            check_same(_i, array, index, (double)INFINITY, (double)NAN);
            check_same(_i, array, index, (double)-INFINITY, (double)NAN);
        }
    remove_folder();
}
END_TEST

START_TEST(any_number_in_any_data)
{
    heed_plot_series s;
    size_t size = 0;
    for (int i = 0; i < NUMBERS * ARRAYS * POINTS; i++) {
        heed_scope *scope = heed_scope_begin();
        for (int which = 0; which < 6 && series_with(&s, _i, i / NUMBERS % ARRAYS, i % POINTS, numbers[i % NUMBERS]);
             which++)
            free(form(&s, which / 2, (heed_axis_scale)(which % 2), &size));
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    remove_folder();
}
END_TEST

/* If one edge of a band is missing, the band has a gap there, as if both were. */
START_TEST(half_a_band_is_a_gap)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 1, (double)NAN, 1, 1);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 3, 3, (double)NAN, 3, 3);
    heed_tensor *c = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 3, 3, 9, 3, 3);
    for (int which = 0; which < 3; which++) {
        size_t size_half = 0, size_gap = 0;
        uint8_t *half = form(&(heed_plot_series){.low = a, .high = c}, which, HEED_AXIS_LINEAR, &size_half);
        uint8_t *gap = form(&(heed_plot_series){.low = a, .high = b}, which, HEED_AXIS_LINEAR, &size_gap);
        ck_assert_uint_eq(size_half, size_gap);
        ck_assert_int_eq(memcmp(half, gap, size_gap), 0);
        free(half);
        free(gap);
    }
    remove_folder();
}
END_TEST

/* Adjacent floating-point numbers: bins and ticks would be finer than their distance. */
START_TEST(neighbours)
{
    const double low = 1e15, close = 1 + 0x1p-52;
    heed_tensor *y = heed_add_scalar(heed_zeros(HEED_F64, HEED_SHAPE(1000000)), low);
    heed_tensor *next = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), low + 1);
    ck_assert_int_eq(heed_copy_(heed_slice(y, 0, 0, 500000, 1), next), HEED_OK);
    size_t size = 0;
    for (int which = 0; which < 3; which++) {
        free(form(&(heed_plot_series){.y = y, .kind = HEED_PLOT_HISTOGRAM, .bins = 100000}, which, HEED_AXIS_LINEAR,
                  &size));
        free(form(&(heed_plot_series){.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, close)}, which, HEED_AXIS_LOG,
                  &size));
    }
    remove_folder();
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("plot_extremes");
    tcase_add_test(tcase, the_table_has_every_number_of_the_header);
    tcase_add_loop_test(tcase, any_number_in_any_option, 0, FIELDS);
    tcase_add_loop_test(tcase, infinities_are_left_out_as_nan_is, 0, 3);
    tcase_add_loop_test(tcase, any_number_in_any_data, 0, 3);
    tcase_add_test(tcase, half_a_band_is_a_gap);
    tcase_add_test(tcase, neighbours);
    return heed_run_case("plot_extremes", tcase);
}
