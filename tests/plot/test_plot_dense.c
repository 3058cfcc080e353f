/* tests/plot/test_plot_dense.c - tests plots with more data than pixels: every mark that stands out is visible, and the
 * time is bounded.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <time.h>

#include "fail_alloc.h"
#include "from.h"
#include "picture.h"

#define RED 0xff0000u
#define MAX_SECONDS 10 /* CPU time per image; these take less than a second, and once took minutes */

static picture lines(const heed_plot_series *s, const heed_plot_lines_options *o)
{
    heed_status status = heed_plot_lines(s, 1, in_folder("d.png"), o);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("d.png");
}

/* Returns the SVG file; the caller frees it. */
static char *svg(const heed_plot_series *s, const heed_plot_lines_options *o)
{
    size_t size = 0;
    heed_status status = heed_plot_lines(s, 1, in_folder("d.svg"), o);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    char *text = (char *)read_bytes(in_folder("d.svg"), &size);
    text[size] = '\0';
    ck_assert_int_eq(unlink(in_folder("d.svg")), 0);
    return text;
}

/* Returns whether column x of the box has a red pixel. */
static bool is_marked(const picture *p, box b, int x)
{
    for (int y = b.y0; y < b.y1; y++)
        if (pixel(p, x, y) == RED)
            return true;
    return false;
}

/* -- Bars -------------------------------------------------------------------------------------------------------- */

enum { BARS = 600, EVERY = 15 };

static heed_tensor *some_tall_bars(void)
{
    static double y[BARS];
    for (int i = 0; i < BARS; i++)
        y[i] = i % EVERY == 7 ? 10 : 1;
    return heed_from_values(HEED_F64, HEED_SHAPE(BARS), y, BARS);
}

START_TEST(every_tall_bar_is_drawn)
{
    const heed_plot_series s = {.y = some_tall_bars(), .kind = HEED_PLOT_BARS, .color = RED};
    picture p = lines(&s, &(heed_plot_lines_options){.xlim = {-0.5, BARS - 0.5}, .ylim = {0, 11}, .no_grid = true});
    box b = find_box(&p, 0, 100);
    int tall = 0;
    for (int x = b.x0; x < b.x1; x++)
        tall += pixel(&p, x, b.y0 + (b.y1 - b.y0) / 2) == RED;
    ck_assert_int_lt(b.x1 - b.x0, BARS);
    ck_assert_int_eq(tall, BARS / EVERY);
    for (int x = b.x0; x < b.x1; x++)
        ck_assert_msg(is_marked(&p, b, x), "column %d is empty", x);
    free(p.rgb);
    char *text = svg(&s, NULL);
    int high = 0;
    for (const char *at = strstr(text, "<rect"); at; at = strstr(at + 1, "<rect")) {
        double height = 0;
        int end = 0;
        (void)sscanf(at, "<rect x=\"%*[^\"]\" y=\"%*[^\"]\" width=\"1\" height=\"%lf\" fill=\"#ff0000\"%n", &height,
                     &end);
        high += end > 0 && height > 200;
    }
    ck_assert_int_eq(high, BARS / EVERY);
    free(text);
    remove_folder();
}
END_TEST

/* 1,000 numbers near 0 and one far away: two bins have elements, and one of them is a thousandth of the height. */
START_TEST(every_bin_is_drawn)
{
    heed_tensor *near = heed_linspace(HEED_F64, -2, 2, 1000);
    heed_tensor *y = heed_concat(HEED_TENSORS(near, HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 1e6)), 0);
    const double limits[][2] = {{0, 0}, {-2, 1e6}, {1e6, -2}};
    for (size_t i = 0; i < 3; i++) {
        const heed_plot_series s = {.y = y, .kind = HEED_PLOT_HISTOGRAM, .color = RED};
        picture p = lines(&s, &(heed_plot_lines_options){.xlim = {limits[i][0], limits[i][1]}, .no_grid = true});
        box b = find_box(&p, 0, 100);
        int marked = 0;
        for (int x = b.x0; x < b.x1; x++)
            marked += is_marked(&p, b, x);
        ck_assert_int_eq(marked, 2);
        free(p.rgb);
    }
    remove_folder();
}
END_TEST

/* Bars outside the axes leave no mark at the ends of the axes. */
START_TEST(bars_outside_are_not_drawn)
{
    const heed_plot_series s = {.x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -5, 0, 1, 7),
                                .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 3, 1e-9, 3, 3),
                                .kind = HEED_PLOT_BARS,
                                .color = RED};
    picture p = lines(&s, &(heed_plot_lines_options){.xlim = {-1, 0.4}, .ylim = {1, 2}, .no_grid = true});
    ck_assert_int_eq(count_other(&p, find_box(&p, 0, 100).x0, find_box(&p, 0, 100).y0, find_box(&p, 0, 100).x1,
                                 find_box(&p, 0, 100).y1, 0xffffff),
                     0);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

enum { SIDE = 2000 };

/* Returns a matrix of equal numbers except for one cell. */
static heed_tensor *one_cell(double all, double cell, int64_t row, int64_t column)
{
    heed_tensor *m = heed_full(HEED_F64, HEED_SHAPE(SIDE, SIDE), all);
    ck_assert_int_eq(heed_set_(m, HEED_INDEX(row, column), cell), HEED_OK);
    return m;
}

START_TEST(a_single_cell_is_drawn)
{
    const double nan = (double)NAN, infinity = (double)INFINITY;
    const struct {
        double all, cell;
        uint32_t color;
    } cases[] = {
        {0, 1, 0x67000d}, {1, 0, 0xfff5f0}, {0.5, infinity, 0x67000d}, {0.5, -infinity, 0xfff5f0}, {nan, 1, 0x67000d}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int64_t at = 0; at < SIDE; at += 333) {
            heed_tensor *m = one_cell(cases[i].all, cases[i].cell, at, SIDE - 1 - at);
            heed_plot_heatmap_options o = {.no_colorbar = true, .vmax = 1};
            ck_assert_int_eq(heed_plot_heatmap(m, in_folder("d.png"), &o), HEED_OK);
            picture p = take_picture("d.png");
            box b = find_box(&p, 0, 60);
            int n_pixels = 0;
            for (int y = b.y0; y < b.y1; y++)
                for (int x = b.x0; x < b.x1; x++)
                    n_pixels += pixel(&p, x, y) == cases[i].color;
            ck_assert_int_eq(n_pixels, 1);
            free(p.rgb);
        }
    remove_folder();
}
END_TEST

/* In an SVG file, cells smaller than pixels are drawn as an image, since renderers drop such small rectangles. */
START_TEST(small_cells_in_svg_are_a_picture)
{
    heed_tensor *m = heed_eye(HEED_F64, 60, 60);
    ck_assert_int_eq(heed_plot_heatmap(m, in_folder("d.svg"), &(heed_plot_heatmap_options){.panel_width = 90}),
                     HEED_OK);
    size_t size = 0;
    char *text = (char *)read_bytes(in_folder("d.svg"), &size);
    text[size] = '\0';
    ck_assert_ptr_nonnull(strstr(text, "<image"));
    free(text);
    ck_assert_int_eq(unlink(in_folder("d.svg")), 0);
    remove_folder();
}
END_TEST

/* -- Curves and markers ------------------------------------------------------------------------------------------ */

enum { MANY = 2000000 };

static heed_tensor *noise(uint64_t seed)
{
    heed_generator *g = heed_generator_new(seed);
    heed_tensor *t = FROM(g, heed_randn(HEED_F64, HEED_SHAPE(MANY)));
    heed_generator_free(g);
    return t;
}

/* A peak of one point among very many keeps its full height. */
START_TEST(peaks_are_kept)
{
    heed_tensor *y = heed_zeros(HEED_F64, HEED_SHAPE(MANY));
    for (int64_t i = 1000; i < MANY; i += MANY / 7)
        ck_assert_int_eq(heed_set_(y, HEED_INDEX(i), 1), HEED_OK);
    heed_plot_lines_options o = {.ylim = {-1, 1}, .no_grid = true};
    picture p = lines(&(heed_plot_series){.y = y, .color = RED}, &o);
    box b = find_box(&p, 0, 100);
    int peaks = 0, row = b.y0 + (b.y1 - b.y0) / 8, was = 0;
    for (int x = b.x0; x < b.x1; x++) {
        int is = pixel(&p, x, row) != 0xffffff;
        peaks += is && !was;
        was = is;
    }
    ck_assert_int_eq(peaks, 7);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* A marker far from a crowd is drawn, whatever the number of markers. */
START_TEST(a_lone_marker_is_drawn)
{
    heed_tensor *x = noise(1), *y = noise(2);
    ck_assert_int_eq(heed_set_(x, HEED_INDEX(-1), 20), HEED_OK);
    ck_assert_int_eq(heed_set_(y, HEED_INDEX(-1), 20), HEED_OK);
    const heed_plot_series s = {.x = x, .y = y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_SQUARE, .color = RED};
    picture p = lines(&s, &(heed_plot_lines_options){.xlim = {-10, 30}, .ylim = {-10, 30}, .no_grid = true});
    box b = find_box(&p, 0, 100);
    ck_assert_uint_eq(pixel(&p, b.x0 + (b.x1 - b.x0) * 3 / 4, b.y0 + (b.y1 - b.y0) / 4), RED);
    ck_assert_uint_eq(pixel(&p, b.x0 + (b.x1 - b.x0) / 4, b.y0 + (b.y1 - b.y0) * 3 / 4), RED);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(time_and_size_are_bounded)
{
    heed_tensor *x = noise(3), *y = noise(4), *e = heed_abs(noise(5));
    const heed_plot_series all[] = {
        {.y = y},
        {.y = y, .style = HEED_LINE_DASHED},
        {.y = y, .line_width = 1000},
        {.x = y, .y = heed_sort(x)},
        {.x = x, .y = y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE, .alpha = 0.05},
        {.x = x, .y = y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CROSS},
        {.x = x, .y = y, .error = e, .style = HEED_LINE_NONE},
        {.y = y, .kind = HEED_PLOT_BARS},
        {.x = heed_floor(x), .y = y, .kind = HEED_PLOT_BARS},
        {.low = y, .high = heed_add(y, e)},
        {.y = y, .kind = HEED_PLOT_HISTOGRAM}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        clock_t began = clock();
        free(lines(&all[i], NULL).rgb);
        char *text = svg(&all[i], NULL);
        double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        ck_assert_msg(seconds < 2 * MAX_SECONDS, "series %d: %g s", (int)i, seconds);
        ck_assert_msg(strlen(text) < 20000000, "series %d: %zu bytes", (int)i, strlen(text));
        free(text);
    }
    remove_folder();
}
END_TEST

/* -- Texts ------------------------------------------------------------------------------------------------------- */

START_TEST(a_long_label)
{
    enum { LONG = 4 << 20 };
    char *label = malloc(LONG);
    ck_assert_ptr_nonnull(label);
    memset(label, 'm', LONG - 1);
    label[LONG - 1] = '\0';
    const heed_plot_series s = {.y = heed_ones(HEED_F64, HEED_SHAPE(2)), .label = label};
    const heed_plot_lines_options o = {.title = label, .xlabel = label, .ylabel = label};
    clock_t began = clock();
    free(lines(&s, &o).rgb);
    char *text = svg(&s, &o);
    ck_assert_uint_gt(strlen(text), 4 * (LONG - 1)); /* both texts are complete */
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < MAX_SECONDS, "%g s", seconds);
    free(text);
    free(label);
    remove_folder();
}
END_TEST

/* Names outside the axis cost little time and take no space. */
START_TEST(many_names)
{
    enum { NAMES = 3000000 };
    const char **names = malloc(NAMES * sizeof *names);
    ck_assert_ptr_nonnull(names);
    for (int i = 0; i < NAMES; i++)
        names[i] = i < 5 ? "name" : "a name that is so long that it is turned and cut";
    const heed_plot_series s = {.y = heed_ones(HEED_F64, HEED_SHAPE(5)), .kind = HEED_PLOT_BARS};
    heed_plot_lines_options o = {.xticks = names, .xtick_count = NAMES};
    clock_t began = clock();
    picture many = lines(&s, &o);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    o.xtick_count = 5;
    picture five = lines(&s, &o);
    ck_assert_msg(seconds < MAX_SECONDS, "%g s", seconds);
    ck_assert_int_eq(memcmp(many.rgb, five.rgb, (size_t)many.width * (size_t)many.height * 3), 0);
    free(many.rgb);
    free(five.rgb);
    free(names);
    remove_folder();
}
END_TEST

/* A long curve and overlapping bars: both store which pixels no longer change. */
static bool draw_dense(double *value)
{
    enum { N = 2000 };
    heed_tensor *i = heed_arange(HEED_F64, 0, N, 1), *y = i ? heed_sin(i) : NULL, *x = y ? heed_sign(y) : NULL;
    const heed_plot_series curve = {.y = y}, bars = {.x = x, .y = y, .kind = HEED_PLOT_BARS};
    const bool drawn = x && heed_plot_lines(&curve, 1, in_folder("d.png"), NULL) == HEED_OK &&
                       heed_plot_lines(&bars, 1, in_folder("d.png"), NULL) == HEED_OK;
    *value = drawn;
    return drawn;
}

START_TEST(without_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(draw_dense);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(in_folder("d.png")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_dense", every_tall_bar_is_drawn, every_bin_is_drawn, bars_outside_are_not_drawn,
               a_single_cell_is_drawn, small_cells_in_svg_are_a_picture, peaks_are_kept, a_lone_marker_is_drawn,
               time_and_size_are_bounded, a_long_label, many_names, without_memory)
