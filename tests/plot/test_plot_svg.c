/* tests/plot/test_plot_svg.c - tests plots written as SVG files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <ctype.h>

#include "../src/base/utf8.h"
#include "fail_alloc.h"
#include "foreign_locale.h"
#include "picture.h"

/* -- XML --------------------------------------------------------------------------------------------------------- */

/* Checks an SVG file as far as possible without a library: UTF-8 of allowed characters, nested elements, quoted
 * attributes without '<', and '&' only in entities. */
static void check_xml(const char *text)
{
    char open[64][16];
    int depth = 0;
    ck_assert_uint_eq(heed__utf8_size(text), strlen(text));
    for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
        const char *end = strchr(at, '>');
        ck_assert_msg(end != NULL, "a tag does not end: %.40s", at);
        ck_assert_msg(memchr(at + 1, '<', (size_t)(end - at)) == NULL, "'<' within a tag: %.40s", at);
        int quotes = 0;
        for (const char *c = at; c < end; c++)
            quotes += *c == '"';
        ck_assert_msg(quotes % 2 == 0, "a quote does not end: %.80s", at);
        size_t name = strspn(at + 1, "/abcdefghijklmnopqrstuvwxyz");
        if (at[1] == '/') {
            ck_assert_msg(depth > 0 && strncmp(open[depth - 1], at + 2, name - 1) == 0, "does not nest: %.40s", at);
            depth--;
        } else if (at[1] != '?' && end[-1] != '/') {
            ck_assert_int_lt(depth, 64);
            (void)snprintf(open[depth++], 16, "%.*s", (int)name, at + 1);
        }
        at = end;
    }
    ck_assert_int_eq(depth, 0);
    for (const char *at = text; *at; at++) {
        ck_assert((unsigned char)*at >= ' ' || *at == '\n' || *at == '\t' || *at == '\r');
        if (*at == '&')
            ck_assert_msg(!strncmp(at, "&lt;", 4) || !strncmp(at, "&gt;", 4) || !strncmp(at, "&amp;", 5), "%.20s", at);
    }
}

/* Reads, removes and checks a file; the caller frees the text. */
static char *take(const char *name)
{
    size_t size = 0;
    char *text = (char *)read_bytes(in_folder(name), &size);
    text[size] = '\0';
    ck_assert_uint_eq(strlen(text), size);
    ck_assert_int_eq(unlink(in_folder(name)), 0);
    check_xml(text);
    return text;
}

static char *lines(const heed_plot_series *series, int n, const heed_plot_lines_options *options)
{
    heed_status status = heed_plot_lines(series, n, in_folder("l.svg"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take("l.svg");
}

static char *heatmap(heed_tensor *m, const heed_plot_heatmap_options *options)
{
    heed_status status = heed_plot_heatmap(m, in_folder("h.svg"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take("h.svg");
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static void check_has(char *text, const char *what)
{
    ck_assert_msg(strstr(text, what) != NULL, "no %s in %.600s", what, text);
}

/* -- Elements ---------------------------------------------------------------------------------------------------- */

START_TEST(text_is_text)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 2), .label = "a < b & \"c\" > d"};
    char *svg = lines(
        &s, 1,
        &(heed_plot_lines_options){.title = "50 % \x01\x1b\xff", .xlabel = "x\xef\xbf\xbf", .ylabel = "naïve σ 日本"});
    check_has(svg, ">a &lt; b &amp; \"c\" &gt; d</text>");
    check_has(svg, ">50 % \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd</text>");
    check_has(svg, ">x\xef\xbf\xbd</text>");
    check_has(svg, ">naïve σ 日本</text>");
    check_has(svg, ">0.50</text>");
    check_has(svg, " transform=\"rotate(-90 ");
    check_has(svg, " width=\"640\" height=\"480\" viewBox=\"0 0 640 480\"");
    free(svg);
    remove_folder();
}
END_TEST

START_TEST(each_mark_is_an_element)
{
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 2, (double)NAN, 4, 5),
                *e = heed_ones(HEED_F32, HEED_SHAPE(5));
    heed_plot_series circles = {.y = y, .marker = HEED_MARKER_CIRCLE, .style = HEED_LINE_NONE, .color = 0x123456};
    heed_plot_series bars = {.y = y, .kind = HEED_PLOT_BARS, .color = 0x123456, .alpha = 0.5};
    heed_plot_series errors = {.y = y, .error = e, .style = HEED_LINE_NONE, .color = 0x123456};
    char *svg = lines(&circles, 1, NULL);
    ck_assert_int_eq(count(svg, "<circle"), 4);
    free(svg);
    svg = lines(&bars, 1, NULL);
    ck_assert_int_eq(count(svg, "fill=\"#123456\" fill-opacity=\"0.5\""), 4);
    free(svg);
    svg = lines(&errors, 1, NULL);
    ck_assert_int_eq(count(svg, "stroke=\"#123456\""), 4 * 3); /* a bar and two caps */
    free(svg);
    heed_plot_series dashed = {.y = y, .style = HEED_LINE_DASHED, .color = 0x123456, .line_width = 7.2};
    svg = lines(&dashed, 1, NULL);
    check_has(svg, "stroke-dasharray=\"37 16\"");
    check_has(svg, "stroke-width=\"10\"");
    free(svg);
    remove_folder();
}
END_TEST

/* Reads the numbers of a path: first the letter, then x and y. */
static int read_path(const char *svg, const char *color, double *largest)
{
    int points = 0;
    const char *at = strstr(svg, color);
    ck_assert_ptr_nonnull(at);
    at = strstr(at, " d=\"") + 4;
    while (*at == 'M' || *at == 'L') {
        char *end;
        double x = strtod(at + 1, &end), y = strtod(end, &end);
        *largest = fmax(*largest, fmax(fabs(x), fabs(y)));
        at = end;
        points++;
    }
    ck_assert_int_eq(*at, '"');
    return points;
}

START_TEST(paths_are_clipped_and_thin)
{
    double largest = 0;
    heed_plot_series far = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 1e300, -1e300, 0), .color = 0x123456};
    char *svg = lines(&far, 1, &(heed_plot_lines_options){.ylim = {0, 1}, .no_grid = true});
    ck_assert_int_ge(read_path(svg, "#123456", &largest), 3);
    ck_assert_double_lt(largest, 700);
    free(svg);
    heed_plot_series dense = {.y = heed_sin(heed_arange(HEED_F64, 0, 2e5, 1)), .color = 0x123456};
    svg = lines(&dense, 1, NULL);
    ck_assert_uint_lt(strlen(svg), 200000);
    ck_assert_int_gt(read_path(svg, "#123456", &largest), 1000); /* many points */
    free(svg);
    heed_plot_series exact = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(6), 1, 2, 1, 3, 1, 4), .color = 0x123456};
    svg = lines(&exact, 1, NULL);
    ck_assert_int_eq(read_path(svg, "#123456", &largest), 6);
    free(svg);
    remove_folder();
}
END_TEST

START_TEST(cells_are_rectangles_or_a_picture)
{
    heed_tensor *m = heed_reshape(heed_arange(HEED_F64, 0, 12, 1), HEED_SHAPE(3, 4));
    char *svg = heatmap(m, &(heed_plot_heatmap_options){.no_colorbar = true, .colormap = HEED_COLORMAP_GRAY});
    ck_assert_int_eq(count(svg, "<rect"), 1 + 12 + 7); /* the background, the cells, the ticks of both axes */
    check_has(svg, "crispEdges");
    free(svg);
    svg = heatmap(heed_zeros(HEED_F32, HEED_SHAPE(3, 4)), &(heed_plot_heatmap_options){.no_colorbar = true});
    ck_assert_int_eq(count(svg, "<rect"), 1 + 3 + 7); /* adjacent cells of one colour are merged */
    free(svg);
    svg = heatmap(heed_rand(HEED_F32, HEED_SHAPE(100, 100)), NULL);
    ck_assert_int_eq(count(svg, "<image"), 1);
    check_has(svg, "data:image/png;base64,iVBORw0KGgo");
    ck_assert_int_lt(count(svg, "<rect"), 400);
    free(svg);
    remove_folder();
}
END_TEST

START_TEST(ends_in_svg)
{
    static const struct {
        const char *name, *begins;
    } cases[] = {{"a.svg", "<?xml"},  {"a.SVG", "<?xml"},   {"a.Svg", "<?xml"},    {"svg", "\x89PNG"},
                 {"asvg", "\x89PNG"}, {"a.png", "\x89PNG"}, {"a.svgz", "\x89PNG"}, {"a\x0esvg", "\x89PNG"}};
    heed_tensor *m = heed_eye(HEED_F32, 2, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 0;
        ck_assert_int_eq(heed_plot_heatmap(m, in_folder(cases[i].name), NULL), HEED_OK);
        uint8_t *bytes = read_bytes(in_folder(cases[i].name), &size);
        ck_assert_mem_eq(bytes, cases[i].begins, strlen(cases[i].begins));
        free(bytes);
        ck_assert_int_eq(unlink(in_folder(cases[i].name)), 0);
    }
    remove_folder();
}
END_TEST

START_TEST(the_same_bytes_in_any_locale)
{
    heed_tensor *m = heed_reshape(heed_linspace(HEED_F64, 0, 1, 9), HEED_SHAPE(3, 3));
    const heed_plot_heatmap_options o = {.cell_values = m};
    char *here = heatmap(m, &o);
    check_has(here, ">0.12</text>");
    if (foreign_locale_begin("de_DE")) {
        char *there = heatmap(m, &o);
        foreign_locale_end();
        ck_assert_str_eq(here, there);
        free(there);
    }
    free(here);
    remove_folder();
}
END_TEST

START_TEST(extreme_pictures)
{
    heed_tensor *const all[] = {heed_zeros(HEED_F64, HEED_SHAPE(0)), HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3),
                                HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1.7e308, 1.7e308, 0),
                                HEED_TENSOR(HEED_F64, HEED_SHAPE(3), (double)NAN, (double)INFINITY, (double)-INFINITY)};
    for (size_t i = 0; i < 6 * sizeof all / sizeof all[0]; i++) {
        heed_tensor *t = all[i / 6];
        heed_plot_series s = {.y = t, .kind = (heed_plot_kind)(i % 3), .label = "\xff"};
        if (i % 3 == 0) {
            s.low = s.high = s.error = t;
            s.marker = HEED_MARKER_CROSS;
        }
        heed_plot_lines_options o = {.yscale = i % 6 < 3 ? HEED_AXIS_LINEAR : HEED_AXIS_LOG};
        free(lines(&s, 1, &o));
        o.width = o.height = 1;
        free(lines(&s, 1, &o));
    }
    remove_folder();
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------ */

static bool draw_svg(double *value)
{
    heed_tensor *m = heed_ones(HEED_F32, HEED_SHAPE(70, 70));
    bool drawn = m && heed_plot_heatmap(m, in_folder("m.svg"), &(heed_plot_heatmap_options){.scale = 0.2}) == HEED_OK;
    ck_assert_int_eq(access(in_folder("m.svg"), F_OK) == 0, drawn);
    if (drawn) {
        char *text = take("m.svg");
        *value = (double)strlen(text);
        free(text);
    }
    return drawn;
}

/* Checks that an axis of dates from one day to another has the first and the second label, and a third one not. */
static void check_dates(double low, double high, const char *first, const char *second, const char *absent)
{
    char label[64];
    const heed_plot_series s = {.x = heed_from_values(HEED_F64, HEED_SHAPE(2), (double[]){low, high}, 2),
                                .y = heed_from_values(HEED_F64, HEED_SHAPE(2), (double[]){0, 1}, 2)};
    char *text = lines(&s, 1, &(heed_plot_lines_options){.xlim = {low, high}, .xscale = HEED_AXIS_DATES});
    const char *const shown[] = {first, second, absent};
    for (int i = 0; i < 3; i++) {
        (void)snprintf(label, sizeof label, ">%s<", shown[i]);
        ck_assert_msg((strstr(text, label) != NULL) == (i < 2), "%s in the axis from %g to %g", shown[i], low, high);
    }
    free(text);
}

/* Days are Python's (datetime.date(2024, 1, 1) - datetime.date(1970, 1, 1)).days, 19723. */
START_TEST(dates_on_an_axis)
{
    check_dates(19723, 19723 + 366, "2024-01", "2024-07", "2024-02-15");
    check_dates(19722.5, 19722.5 + 12 * 365.25, "2024", "2026", "2025");
    check_dates(19723, 19723 + 15, "2024-01-08", "2024-01-15", "2024-01-09"); /* Mondays */
    check_dates(19723.1, 19723.9, "01-01 06:00", "01-01 12:00", "01-01 05:00");
    check_dates(-719528, -719528 + 146097. * 5, "500", "1000", "100");
    check_dates(-10, 10, "1970-01-05", "1969-12-29", "-5");
    check_dates(1e7, 2e7, "1.2", "1.4", "9999"); /* numbers beyond the year 9999 */
}
END_TEST

START_TEST(heatmap_of_a_grid)
{
    heed_plot_heatmap_options options = {.xlim = {19723, 19723 + 366},
                                         .xscale = HEED_AXIS_DATES,
                                         .ylim = {1, 1e4},
                                         .yscale = HEED_AXIS_LOG,
                                         .no_colorbar = true,
                                         .panel_width = 600,
                                         .panel_height = 600};
    char *text = heatmap(heed_eye(HEED_F64, 4, 4), &options);
    check_has(text, ">2024-07<");
    check_has(text, ">10²<");
    free(text);
    options = (heed_plot_heatmap_options){.xlim = {0, 8}, .no_colorbar = true};
    text = heatmap(heed_eye(HEED_F64, 4, 4), &options);
    check_has(text, ">8<");
    free(text);
    remove_folder();
}
END_TEST

START_TEST(no_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(draw_svg);
    fail_alloc_uninstall();
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_svg", text_is_text, each_mark_is_an_element, paths_are_clipped_and_thin,
               cells_are_rectangles_or_a_picture, ends_in_svg, the_same_bytes_in_any_locale, extreme_pictures,
               dates_on_an_axis, heatmap_of_a_grid, no_memory)
