/* tests/plot/test_plot_panels.c - tests several panels in one image, and features of heatmaps: scales of panels, the
 * diverging colours, numbers in cells.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "fail_alloc.h"
#include "picture.h"

#define WHITE 0xffffffu

static picture panels(const heed_plot_panel *all, int n, const heed_plot_panels_options *options)
{
    heed_status status = heed_plot_panels(all, n, in_folder("p.png"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("p.png");
}

static picture heatmap(heed_tensor *m, const heed_plot_heatmap_options *options)
{
    heed_status status = heed_plot_heatmap(m, in_folder("h.png"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("h.png");
}

/* Returns the frame of the panel in this region of an image. */
static box box_in(const picture *p, int x0, int y0, int width, int height)
{
    picture part = {.width = width, .height = height, .rgb = malloc((size_t)width * (size_t)height * 3)};
    for (int y = 0; y < height; y++)
        memcpy(part.rgb + (size_t)y * (size_t)width * 3,
               p->rgb + ((size_t)(y0 + y) * (size_t)p->width + (size_t)x0) * 3, (size_t)width * 3);
    box b = find_box(&part, 0, 60);
    free(part.rgb);
    return (box){b.x0 + x0, b.y0 + y0, b.x1 + x0, b.y1 + y0};
}

/* -- Layout ------------------------------------------------------------------------------------------------------ */

START_TEST(axes_are_aligned)
{
    heed_plot_series small = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0, 1)};
    heed_plot_series wide = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -12345, 99999), .kind = HEED_PLOT_HISTOGRAM};
    const char *names[] = {"a name that is so long that it is turned", "another one", "and one more", "4", "5", "6"};
    const heed_plot_panel all[] = {
        {.series = &small, .count = 1, .lines = &(heed_plot_lines_options){.title = "title", .ylabel = "y"}},
        {.series = &wide, .count = 1},
        {.series = &wide, .count = 1, .lines = &(heed_plot_lines_options){.xlabel = "x"}},
        {.series = &small, .count = 1, .lines = &(heed_plot_lines_options){.xticks = names, .xtick_count = 6}}};
    picture p = panels(all, 4, NULL);
    ck_assert_int_eq(p.width, 960); /* 2 x 2 */
    ck_assert_int_eq(p.height, 720);
    box b[4];
    for (int i = 0; i < 4; i++)
        b[i] = box_in(&p, i % 2 * 480, i / 2 * 360, 480, 360);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(b[i].x0, b[i + 2].x0); /* in a column */
        ck_assert_int_eq(b[i].x1, b[i + 2].x1);
        ck_assert_int_eq(b[2 * i].y0, b[2 * i + 1].y0); /* in a row */
        ck_assert_int_eq(b[2 * i].y1, b[2 * i + 1].y1);
    }
    ck_assert_int_gt(b[1].x0 - b[0].x1, 0);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(as_many_columns_as_fit)
{
    static const int expected[][2] = {{1, 1}, {2, 1}, {3, 1}, {2, 2}, {3, 2}, {3, 2}, {3, 3}};
    heed_plot_series s = {.y = heed_ones(HEED_F32, HEED_SHAPE(2))};
    heed_plot_panel all[7];
    for (int i = 0; i < 7; i++)
        all[i] = (heed_plot_panel){.series = &s, .count = 1};
    heed_plot_panels_options o = {.panel_width = 100, .panel_height = 80};
    for (int n = 1; n <= 7; n++) {
        picture p = panels(all, n, &o);
        ck_assert_int_eq(p.width, 100 * expected[n - 1][0]);
        ck_assert_int_eq(p.height, 80 * expected[n - 1][1]);
        free(p.rgb);
    }
    o.columns = 7;
    o.scale = 2;
    o.title = "above all";
    picture p = panels(all, 2, &o);
    ck_assert_int_eq(p.width, 400);
    ck_assert_int_gt(p.height, 160 + 20);
    ck_assert_int_gt(count_other(&p, 100, 0, 300, p.height - 160, WHITE), 100);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(heatmaps_are_panels_too)
{
    heed_tensor *m = heed_eye(HEED_F64, 2, 2);
    heed_plot_series s = {.y = heed_ones(HEED_F32, HEED_SHAPE(2))};
    picture p =
        panels((heed_plot_panel[]){{.series = &s, .count = 1},
                                   {.matrices = m, .heatmap = &(heed_plot_heatmap_options){.no_colorbar = true}}},
               2, NULL);
    box b = box_in(&p, 480, 0, 480, 360);
    ck_assert_int_eq(b.x1 - b.x0, b.y1 - b.y0);
    ck_assert_uint_eq(cell(&p, b, 0, 2, 0, 2), 0x67000d);
    ck_assert_uint_eq(cell(&p, b, 0, 2, 1, 2), 0xfff5f0);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

START_TEST(diverging_colors_are_centred_on_zero)
{
    heed_tensor *m = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4), -1, 0, 2, 4);
    heed_plot_heatmap_options o = {.colormap = HEED_COLORMAP_DIVERGING};
    picture p = heatmap(m, &o);
    box b = find_box(&p, 0, 60);
    ck_assert_uint_eq(cell(&p, b, 0, 1, 3, 4), 0x67001f); /* the red end */
    ck_assert_uint_eq(cell(&p, b, 0, 1, 1, 4), 0xf7f6f6); /* the middle */
    uint32_t minus = cell(&p, b, 0, 1, 0, 4);
    ck_assert_uint_lt(minus >> 16, minus & 255); /* blue, but not the darkest blue */
    ck_assert_uint_ne(minus, 0x053061);
    free(p.rgb);
    o.vmin = -1;
    o.vmax = 4;
    p = heatmap(m, &o);
    ck_assert_uint_eq(cell(&p, find_box(&p, 0, 60), 0, 1, 0, 4), 0x053061); /* as given */
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(panels_may_have_scales_of_their_own)
{
    heed_tensor *m = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1, 2), 0, 1, 100, 200);
    picture p = heatmap(m, &(heed_plot_heatmap_options){.separate_scales = true, .panel_width = 300});
    box first = find_box(&p, 0, 60), second = find_box(&p, first.x1 + 40, 60);
    ck_assert_int_eq(first.x1 - first.x0, second.x1 - second.x0);
    ck_assert_int_eq(first.y0, second.y0);
    for (int i = 0; i < 2; i++) {
        box b = i ? second : first;
        ck_assert_uint_eq(cell(&p, b, 0, 1, 0, 2), 0xfff5f0);
        ck_assert_uint_eq(cell(&p, b, 0, 1, 1, 2), 0x67000d);
    }
    ck_assert_int_gt(count_other(&p, first.x1 + 8, first.y0, second.x0 - 8, first.y1, WHITE), 500); /* its colour bar */
    ck_assert_int_gt(count_other(&p, second.x1 + 8, first.y0, p.width, first.y1, WHITE), 500);
    ck_assert_int_eq(count_other(&p, p.width - 2, 0, p.width, p.height, WHITE), 0);
    free(p.rgb);
    p = heatmap(m, &(heed_plot_heatmap_options){.separate_scales = true, .no_colorbar = true});
    first = find_box(&p, 0, 60);
    ck_assert_uint_eq(cell(&p, find_box(&p, first.x1 + 8, 60), 0, 1, 0, 2), 0xfff5f0);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* Returns the number of light or dark pixels of a cell. */
static int count_text(const picture *p, box b, int column, int columns, bool light)
{
    int count = 0, width = (b.x1 - b.x0) / columns;
    for (int y = b.y0 + 3; y < b.y1 - 3; y++)
        for (int x = b.x0 + column * width + 3; x < b.x0 + (column + 1) * width - 3; x++)
            count += ((pixel(p, x, y) & 0xff) > 0x80) == light;
    return count;
}

START_TEST(numbers_in_cells_can_be_read)
{
    heed_tensor *m = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3), 11, 88, (double)NAN);
    picture p = heatmap(m, &(heed_plot_heatmap_options){.cell_values = m});
    box b = find_box(&p, 0, 100);
    ck_assert_int_gt(count_text(&p, b, 0, 3, false), 10); /* dark on the light cell */
    ck_assert_int_gt(count_text(&p, b, 1, 3, true), 10);  /* and light on the dark one */
    ck_assert_int_eq(count_text(&p, b, 2, 3, false), 0);
    free(p.rgb);
    heed_tensor *many = heed_ones(HEED_F64, HEED_SHAPE(100, 100));
    picture with = heatmap(many, &(heed_plot_heatmap_options){.cell_values = many}), without = heatmap(many, NULL);
    ck_assert_mem_eq(with.rgb, without.rgb, (size_t)with.width * (size_t)with.height * 3); /* too small for text */
    free(with.rgb);
    free(without.rgb);
    remove_folder();
}
END_TEST

static void check_numbers(heed_tensor *shown, int digits, const char *const *texts, int n)
{
    size_t size = 0;
    heed_tensor *m = heed_zeros(HEED_F32, heed_shape_of(shown));
    const heed_plot_heatmap_options o = {.cell_values = shown, .digits = digits};
    ck_assert_int_eq(heed_plot_heatmap(m, in_folder("n.svg"), &o), HEED_OK);
    char *svg = (char *)read_bytes(in_folder("n.svg"), &size), *from = svg;
    svg[size] = '\0';
    for (int i = 0; i < n; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, ">%s</text>", texts[i]);
        from = strstr(from, text);
        ck_assert_msg(from != NULL, "no %s", text);
    }
    free(svg);
    ck_assert_int_eq(unlink(in_folder("n.svg")), 0);
}

#define TEXTS(...) (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

START_TEST(digits_of_numbers)
{
    heed_tensor *whole = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 3), 812, -7, 0);
    heed_tensor *parts = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4), 0.876, -0.001, -1, (double)-INFINITY);
    check_numbers(whole, 0, TEXTS("812", "−7", "0"));
    check_numbers(whole, 1, TEXTS("812.0", "−7.0", "0.0"));
    check_numbers(parts, 0, TEXTS("0.88", "0.00", "−1.00", "−∞"));
    check_numbers(parts, -1, TEXTS("1", "0", "−1", "−∞"));
    check_numbers(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2), 1234567, 0.5), 0, TEXTS("1.2e+06", "5.0e-01"));
    check_numbers(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 1), 1e300), 17, TEXTS("1.00000000000000005e+300"));
    remove_folder();
}
END_TEST

/* -- Errors ------------------------------------------------------------------------------------------------------ */

START_TEST(panel_errors)
{
    heed_tensor *m = heed_eye(HEED_F64, 2, 2), *y = heed_ones(HEED_F64, HEED_SHAPE(3));
    heed_plot_series s = {.y = y}, none = {.y = NULL};
    const heed_plot_lines_options wide = {.width = 5};
    const heed_plot_heatmap_options large = {.scale = 2}, unknown = {.colormap = (heed_colormap)9};
    const struct {
        heed_plot_panel panel;
        const char *text;
    } cases[] = {
        {{.series = NULL}, "plot_panels: panel 1: has neither series nor matrices"},
        {{.series = &s, .count = 1, .matrices = m}, "panel 1: has both series and matrices"},
        {{.series = &s}, "panel 1: count is 0: must be 1 or more"},
        {{.series = &s, .count = 1, .heatmap = &large}, "panel 1: has options for a heatmap, but series"},
        {{.matrices = m, .lines = &wide}, "panel 1: has options for series, but matrices"},
        {{.series = &s, .count = 1, .lines = &wide}, "panel 1: width, height and scale are 5, 0 and 0: must be 0"},
        {{.matrices = m, .heatmap = &large}, "panel 1: panel_width, panel_height and scale are 0, 0 and 2: must be 0"},
        {{.matrices = m, .heatmap = &unknown}, "panel 1: colormap must be one of HEED_COLORMAP_*, not 9"},
        {{.series = &none, .count = 1}, "panel 1: y of series 0 is NULL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const heed_plot_panel all[] = {{.matrices = m}, cases[i].panel};
        ck_assert_int_eq(heed_plot_panels(all, 2, in_folder("e.png"), NULL), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, cases[i].text);
    }
    const heed_plot_panel good = {.matrices = m};
    ck_assert_int_eq(heed_plot_panels(NULL, 1, "e.png", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_panels: panels is NULL");
    ck_assert_int_eq(heed_plot_panels(&good, 1, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "path is NULL");
    ck_assert_int_eq(heed_plot_panels(&good, 0, "e.png", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "n is 0: must be at least 1");
    ck_assert_int_eq(heed_plot_panels(&good, 1, "e.png", &(heed_plot_panels_options){.columns = -1}),
                     HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "columns is -1");
    ck_assert_int_eq(heed_plot_panels(&good, 1, "e.png", &(heed_plot_panels_options){.panel_width = 1 << 20}),
                     HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1.04858e+06 x 360");
    const heed_plot_panel crowded = {.matrices = heed_zeros(HEED_F64, HEED_SHAPE(100, 100, 1, 1))};
    const heed_plot_panel both[] = {good, crowded};
    ck_assert_int_eq(heed_plot_panels(both, 2, "e.png", &(heed_plot_panels_options){.panel_width = 100}),
                     HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "plot_panels: panel 1: 100 x 100 panels do not fit into 100 x 360 pixels");
    remove_folder();
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------ */

static bool draw_panels(double *value)
{
    heed_tensor *y = heed_linspace(HEED_F32, 0, 1, 5), *m = y ? heed_ones(HEED_F64, HEED_SHAPE(2, 2)) : NULL;
    const heed_plot_series s[] = {{.y = y, .low = y, .high = y, .error = y, .label = "a"},
                                  {.x = y, .y = y, .kind = HEED_PLOT_BARS},
                                  {.y = y, .kind = HEED_PLOT_HISTOGRAM}};
    const heed_plot_heatmap_options o = {.separate_scales = true, .cell_values = m};
    const heed_plot_panel all[] = {{.series = s, .count = 3}, {.matrices = m, .heatmap = &o}};
    heed_plot_panels_options small = {.scale = 0.15};
    heed_status status = m ? heed_plot_panels(all, 2, in_folder("m.png"), &small) : HEED_ERR_NOMEM;
    ck_assert_int_eq(access(in_folder("m.png"), F_OK) == 0, status == HEED_OK);
    if (status != HEED_OK)
        return false;
    picture p = take_picture("m.png");
    *value = count_other(&p, 0, 0, p.width, p.height, WHITE);
    free(p.rgb);
    return true;
}

START_TEST(no_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(draw_panels);
    fail_alloc_uninstall();
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_panels", axes_are_aligned, as_many_columns_as_fit, heatmaps_are_panels_too,
               diverging_colors_are_centred_on_zero, panels_may_have_scales_of_their_own, numbers_in_cells_can_be_read,
               digits_of_numbers, panel_errors, no_memory)
