/* tests/plot/test_plot.c - tests heatmaps and curves by their pixels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "picture.h"

#define WHITE 0xffffffu
#define GRID 0xd9d9d9u

static heed_tensor *matrix(int64_t q, int64_t k, const double *values)
{
    return heed_from_values(HEED_F64, HEED_SHAPE(q, k), values, q * k);
}

static picture heatmap(heed_tensor *m, const heed_plot_heatmap_options *options)
{
    heed_status status = heed_plot_heatmap(m, in_folder("h.png"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("h.png");
}

static picture lines(const heed_plot_series *series, int n, const heed_plot_lines_options *options)
{
    heed_status status = heed_plot_lines(series, n, in_folder("l.png"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("l.png");
}

/* -- Heatmaps ---------------------------------------------------------------------------------------------------- */

START_TEST(origin_is_top_left)
{
    double values[15] = {0};
    values[4] = 1;  /* row 0, column 4 */
    values[10] = 1; /* row 2, column 0 */
    picture p = heatmap(matrix(3, 5, values), NULL);
    box b = find_box(&p, 0, 50);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 5; column++)
            ck_assert_uint_eq(cell(&p, b, row, 3, column, 5), values[row * 5 + column] == 1 ? 0x67000d : 0xfff5f0);
    ck_assert_int_le(abs((b.x1 - b.x0) * 3 - (b.y1 - b.y0) * 5), 5); /* square cells */
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(colors_are_matplotlibs)
{
    static const uint32_t expected[4][4] = {{0xfff5f0, 0xfcbba1, 0xfb694a, 0x67000d},
                                            {0xf7fbff, 0xc6dbef, 0x6aaed6, 0x08306b},
                                            {0x440154, 0x3b528b, 0x21918c, 0xfde725},
                                            {0x000000, 0x404040, 0x808080, 0xffffff}};
    const double values[] = {0, 0.25, 0.5, 1};
    for (int map = HEED_COLORMAP_REDS; map <= HEED_COLORMAP_GRAY; map++) {
        picture p = heatmap(matrix(1, 4, values), &(heed_plot_heatmap_options){.colormap = (heed_colormap)map});
        box b = find_box(&p, 0, 60);
        for (int i = 0; i < 4; i++)
            ck_assert_uint_eq(pixel(&p, b.x0 + (2 * i + 1) * (b.x1 - b.x0) / 8, b.y0 + 3), expected[map][i]);
        free(p.rgb);
    }
    remove_folder();
}
END_TEST

START_TEST(special_values)
{
    const double values[] = {0, (double)NAN, (double)INFINITY, (double)-INFINITY, 1, 7};
    picture p = heatmap(matrix(1, 6, values), &(heed_plot_heatmap_options){.vmax = 1});
    box b = find_box(&p, 0, 60);
    const uint32_t expected[] = {0xfff5f0, 0xd3d3d3, 0x67000d, 0xfff5f0, 0x67000d, 0x67000d};
    for (int i = 0; i < 6; i++)
        ck_assert_uint_eq(cell(&p, b, 0, 1, i, 6), expected[i]);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(panels_share_one_scale)
{
    const double values[] = {0, 1, 0, 0.5};
    heed_tensor *m = heed_from_values(HEED_F32, HEED_SHAPE(2, 1, 2), values, 4);
    picture p = heatmap(m, &(heed_plot_heatmap_options){.panel_height = 200});
    ck_assert_int_eq(p.width, 500);
    ck_assert_int_eq(p.height, 200);
    box first = find_box(&p, 0, 60), second = find_box(&p, first.x1 + 2, 60);
    ck_assert_int_eq(first.y0, second.y0);
    ck_assert_int_eq(first.x1 - first.x0, second.x1 - second.x0);
    ck_assert_uint_eq(cell(&p, first, 0, 1, 1, 2), 0x67000d);
    ck_assert_uint_eq(cell(&p, second, 0, 1, 1, 2), 0xfb694a);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(labels_are_drawn_and_not_cut)
{
    heed_tensor *m = heed_eye(HEED_F64, 10, 10);
    picture plain = heatmap(m, &(heed_plot_heatmap_options){.no_colorbar = true});
    const char *titles[] = {"Title"};
    picture p = heatmap(
        m, &(heed_plot_heatmap_options){.xlabel = "Keys", .ylabel = "Queries", .titles = titles, .title_count = 1});
    box b = find_box(&p, 0, 100);
    ck_assert_int_gt(count_other(&p, b.x0 - 60, 0, b.x0 - 28, p.height, WHITE), 150); /* the y label */
    ck_assert_int_gt(count_other(&p, b.x0, 0, b.x1, b.y0 - 2, WHITE), 100);           /* the title */
    ck_assert_int_gt(count_other(&p, b.x0, b.y1 + 20, b.x1, p.height, WHITE), 100);   /* the x label, below numbers */
    ck_assert_int_gt(count_other(&p, b.x1 + 2, 0, p.width, p.height, WHITE), 500);    /* the colour bar */
    ck_assert_int_eq(count_other(&p, 0, 0, 3, p.height, WHITE), 0);
    ck_assert_int_eq(count_other(&p, p.width - 3, 0, p.width, p.height, WHITE), 0);
    ck_assert_int_eq(count_other(&p, 0, p.height - 2, p.width, p.height, WHITE), 0);
    b = find_box(&plain, 0, 100);
    ck_assert_int_gt(b.x1 - b.x0, 200); /* all the width beside labels and colour bar */
    ck_assert_int_eq(count_other(&plain, b.x1 + 1, 0, plain.width, plain.height, WHITE), 0);
    free(plain.rgb);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(marks_point_at_cells)
{
    picture p = heatmap(heed_eye(HEED_F64, 10, 10), NULL);
    box b = find_box(&p, 0, 100);
    int height = b.y1 - b.y0, marks = 0;
    for (int y = b.y0; y < b.y1; y++)
        if (pixel(&p, b.x0 - 4, y) == 0) {
            double row = (y + 0.5 - b.y0) * 10 / height - 0.5; /* 0 is in the middle of the first cell */
            ck_assert_near(row, 2 * marks++, 0.05);
        }
    ck_assert_int_eq(marks, 5); /* 0 2 4 6 8 */
    free(p.rgb);
    remove_folder();
}
END_TEST

/* The first row of cells is at the top, where the y axis ends. */
START_TEST(numbers_at_edges)
{
    const heed_plot_heatmap_options options = {.ylim = {20, 30}};
    picture p = heatmap(heed_eye(HEED_F64, 5, 5), &options);
    box b = find_box(&p, 0, 100);
    int height = b.y1 - b.y0, marks = 0;
    for (int y = b.y0 - 1; y <= b.y1; y++)
        if (pixel(&p, b.x0 - 4, y) == 0)
            ck_assert_near(30 - (y + 0.5 - b.y0) * 10 / height, 30 - 2 * marks++, 0.05);
    ck_assert_int_eq(marks, 6); /* 30 28 26 24 22 20 */
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(names_of_cells)
{
    heed_tensor *m = heed_eye(HEED_F64, 3, 3);
    const char *const dots[] = {".", ".", "."}, *const words[] = {".", "a long name", "."};
    heed_plot_heatmap_options o = {
        .no_colorbar = true, .xticks = dots, .xtick_count = 3, .yticks = dots, .ytick_count = 3};
    picture dotted = heatmap(m, &o), numbered = heatmap(m, &(heed_plot_heatmap_options){.no_colorbar = true});
    box b = find_box(&dotted, 0, 100), n = find_box(&numbered, 0, 100);
    int below = count_other(&dotted, b.x0, b.y1 + 5, b.x1, dotted.height, WHITE);
    int digits = count_other(&numbered, n.x0, n.y1 + 5, n.x1, numbered.height, WHITE);
    ck_assert_int_lt(below, digits / 2); /* three dots instead of three digits */
    o.yticks = words;
    picture named = heatmap(m, &o);
    ck_assert_int_gt(find_box(&named, 0, 60).x0, b.x0 + 30); /* space for the longest name */
    free(named.rgb);
    free(numbered.rgb);
    free(dotted.rgb);
    remove_folder();
}
END_TEST

START_TEST(more_names_than_room)
{
    const char *names[101];
    for (int i = 0; i < 101; i++)
        names[i] = i % 2 ? "\xc3\xa4\xc3\xa4\xc3\xa4 a name that is far longer than the label of a tick may ever be"
                         : "wide name";
    picture p = heatmap(
        heed_eye(HEED_F32, 100, 100),
        &(heed_plot_heatmap_options){.xticks = names, .xtick_count = 100, .yticks = names + 1, .ytick_count = 100});
    ck_assert_int_eq(count_other(&p, 0, p.height - 2, p.width, p.height, WHITE), 0);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(any_layout_and_a_recorded_tensor)
{
    heed_tensor *m = heed_reshape(heed_arange(HEED_F64, 0, 6, 1), HEED_SHAPE(2, 3));
    heed_set_requires_grad(m, true);
    picture direct = heatmap(m, NULL);
    picture turned = heatmap(heed_transpose(heed_contiguous(heed_transpose(m, 0, 1)), 0, 1), NULL);
    ck_assert_mem_eq(direct.rgb, turned.rgb, (size_t)direct.width * (size_t)direct.height * 3);
    ck_assert(heed_grad_enabled());
    free(direct.rgb);
    free(turned.rgb);
    remove_folder();
}
END_TEST

START_TEST(extreme_heatmaps)
{
    static double many[1000 * 1000];
    for (int i = 0; i < 1000 * 1000; i++)
        many[i] = i % 1000;
    const double nan[] = {(double)NAN}, huge[] = {-1.7e308, 1.7e308}, denormal[] = {0, 5e-324};
    const heed_plot_heatmap_options tiny = {.panel_width = 1, .panel_height = 1, .xlabel = "x", .ylabel = "y"};
    heed_tensor *const all[] = {matrix(1000, 1000, many), matrix(1000, 1, many), matrix(1, 1000, many),
                                matrix(1, 1, many),       matrix(1, 1, nan),     matrix(1, 2, huge),
                                matrix(2, 1, denormal)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        picture p = heatmap(all[i], NULL), small = heatmap(all[i], &tiny);
        ck_assert_int_eq(p.width * 1000 + p.height, 480400);
        ck_assert_int_eq(small.width * small.height, 1);
        free(p.rgb);
        free(small.rgb);
    }
    picture p = heatmap(all[5], NULL);
    ck_assert_uint_eq(cell(&p, find_box(&p, 0, 60), 0, 1, 0, 2), 0xfff5f0);
    ck_assert_uint_eq(cell(&p, find_box(&p, 0, 60), 0, 1, 1, 2), 0x67000d);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(scale_enlarges)
{
    heed_tensor *m = heed_eye(HEED_F32, 4, 4);
    picture one = heatmap(m, NULL), two = heatmap(m, &(heed_plot_heatmap_options){.scale = 2});
    picture half = heatmap(m, &(heed_plot_heatmap_options){.scale = 1.5});
    ck_assert_int_eq(two.width, 960);
    ck_assert_int_eq(half.height, 600);
    box a = find_box(&one, 0, 60), b = find_box(&two, 0, 60);
    ck_assert_int_le(abs(2 * (a.x1 - a.x0) - (b.x1 - b.x0)), 6);
    free(one.rgb);
    free(two.rgb);
    free(half.rgb);
    remove_folder();
}
END_TEST

/* -- Curves ------------------------------------------------------------------------------------------------------ */

START_TEST(lines_are_where_they_should)
{
    heed_plot_series s = {.x = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, 4),
                          .y = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 3, 3)};
    heed_plot_lines_options o = {.xlim = {0, 4}, .ylim = {0, 4}, .no_grid = true};
    picture p = lines(&s, 1, &o);
    ck_assert_int_eq(p.width, 640);
    ck_assert_int_eq(p.height, 480);
    box b = find_box(&p, 0, 100);
    int middle = (b.x0 + b.x1) / 2, quarter = b.y0 + (b.y1 - b.y0) / 4;
    ck_assert_uint_eq(pixel(&p, middle, quarter), 0x1f77b4);
    ck_assert_int_eq(count_other(&p, b.x0, b.y0, b.x1, quarter - 2, WHITE), 0);
    ck_assert_int_eq(count_other(&p, b.x0, quarter + 3, b.x1, b.y1, WHITE), 0);
    free(p.rgb);
    o.ylim[0] = 4;
    o.ylim[1] = 0; /* the y axis points downwards */
    p = lines(&s, 1, &o);
    ck_assert_uint_eq(pixel(&p, middle, b.y0 + (b.y1 - b.y0) * 3 / 4), 0x1f77b4);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(dashes_have_their_lengths)
{
    heed_plot_series s = {
        .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 1), .style = HEED_LINE_DASHED, .color = 0xff0000};
    picture p = lines(&s, 1, &(heed_plot_lines_options){.xlim = {0, 1}, .width = 1000, .no_grid = true});
    box b = find_box(&p, 0, 100);
    double drawn = 0;
    for (int x = b.x0; x < b.x1; x++)
        drawn += (double)(255 - (pixel(&p, x, (b.y0 + b.y1) / 2) & 0xff)) / 255;
    ck_assert_near(drawn / (b.x1 - b.x0), 3.7 / 5.3, 0.01);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(markers_mix_with_what_is_below)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 1), .style = HEED_LINE_NONE, .color = 0xff0000};
    heed_plot_lines_options o = {.xlim = {-1, 1}, .ylim = {0, 2}, .no_grid = true};
    s.alpha = 0.5;
    for (int marker = HEED_MARKER_CIRCLE; marker <= HEED_MARKER_CROSS; marker++) {
        s.marker = (heed_marker)marker;
        picture p = lines(&s, 1, &o);
        box b = find_box(&p, 0, 100);
        int x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
        ck_assert_uint_eq(pixel(&p, x, y), 0xff8080);
        bool corner = pixel(&p, x + 4, y + 4) != WHITE, side = pixel(&p, x + 4, y) != WHITE;
        ck_assert_int_eq(corner, marker == HEED_MARKER_SQUARE || marker == HEED_MARKER_CROSS);
        ck_assert_int_eq(side, marker != HEED_MARKER_CROSS);
        free(p.rgb);
    }
    remove_folder();
}
END_TEST

START_TEST(nonfinite_points_break_the_line)
{
    const double bad[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, 0, -1};
    for (int i = 0; i < 5; i++) {
        double y[] = {1, 1, bad[i], 1, 1};
        heed_plot_series s = {.y = heed_from_values(HEED_F64, HEED_SHAPE(5), y, 5)};
        picture p =
            lines(&s, 1, &(heed_plot_lines_options){.ylim = {0.1, 10}, .yscale = HEED_AXIS_LOG, .no_grid = true});
        box b = find_box(&p, 0, 100);
        int y0 = (b.y0 + b.y1) / 2, width = b.x1 - b.x0;
        ck_assert_uint_ne(pixel(&p, b.x0 + width / 5, y0), WHITE);
        ck_assert_uint_eq(pixel(&p, b.x0 + width / 2, y0), WHITE);
        ck_assert_uint_ne(pixel(&p, b.x0 + width * 4 / 5, y0), WHITE);
        free(p.rgb);
    }
    remove_folder();
}
END_TEST

START_TEST(grid_and_log_scale)
{
    heed_plot_series s = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 10, 100), .style = HEED_LINE_NONE};
    heed_plot_lines_options o = {.yscale = HEED_AXIS_LOG, .ylim = {1, 100}};
    picture p = lines(&s, 1, &o);
    box b = find_box(&p, 0, 100);
    int rows = 0, at = 0;
    for (int y = b.y0; y < b.y1; y++)
        if (pixel(&p, b.x0 + 1, y) == GRID) {
            rows++;
            at = y;
        }
    ck_assert_int_eq(rows, 1); /* only the ticks of 1 and 100 are below the frame */
    ck_assert_int_le(abs(2 * at + 1 - b.y0 - b.y1), 2);
    free(p.rgb);
    o.no_grid = true;
    p = lines(&s, 1, &o);
    ck_assert_int_eq(count_other(&p, b.x0, b.y0, b.x1, b.y1, WHITE), 0);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(legend_keeps_out_of_the_way)
{
    heed_tensor *rising = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 2);
    heed_plot_series s = {.y = rising, .label = "rising", .marker = HEED_MARKER_SQUARE, .line_width = 12};
    heed_plot_lines_options o = {.no_grid = true};
    picture with = lines(&s, 1, &o);
    s.label = "";
    picture without = lines(&s, 1, &o);
    box b = find_box(&with, 0, 100);
    int upper_left = 0, upper_right = 0;
    for (int y = b.y0; y < b.y0 + 40; y++)
        for (int x = 0; x < 110; x++) {
            upper_left += pixel(&with, b.x0 + x, y) != pixel(&without, b.x0 + x, y);
            upper_right += pixel(&with, b.x1 - 1 - x, y) != pixel(&without, b.x1 - 1 - x, y);
        }
    ck_assert_int_gt(upper_left, 200);
    ck_assert_int_eq(upper_right, 0); /* the curve is in this corner */
    free(with.rgb);
    free(without.rgb);
    remove_folder();
}
END_TEST

START_TEST(extreme_curves)
{
    heed_tensor *const all[] = {
        HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 5, 5, 5),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1.7e308, 1.7e308, 0),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 5e-324, 1e-323),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1e9 + 1, 1e9 + 2),
        HEED_TENSOR(HEED_F64, HEED_SHAPE(2), (double)NAN, (double)INFINITY),
        heed_zeros(HEED_F64, HEED_SHAPE(0)),
    };
    for (size_t i = 0; i < 2 * sizeof all / sizeof all[0]; i++) {
        heed_plot_series s = {.y = all[i / 2],
                              .marker = HEED_MARKER_CIRCLE,
                              .style = HEED_LINE_DASHDOT,
                              .label = "\xff\xc3 \u00e9 \u65e5"};
        heed_plot_lines_options o = {.title = "", .xlabel = "long, long, long, long, long, long, long, long, long"};
        o.xscale = o.yscale = i % 2 == 0 ? HEED_AXIS_LINEAR : HEED_AXIS_LOG;
        picture p = lines(&s, 1, &o);
        free(p.rgb);
        o.width = o.height = 1;
        p = lines(&s, 1, &o);
        ck_assert_int_eq(p.width * p.height, 1);
        free(p.rgb);
    }
    heed_plot_series far = {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), -1e300, 1e300, 0), .style = HEED_LINE_DOTTED};
    picture p = lines(&far, 1, &(heed_plot_lines_options){.ylim = {0, 1e-300}, .xlim = {0.4, 0.6}});
    free(p.rgb);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot", origin_is_top_left, colors_are_matplotlibs, special_values, panels_share_one_scale,
               labels_are_drawn_and_not_cut, marks_point_at_cells, numbers_at_edges, names_of_cells,
               more_names_than_room, any_layout_and_a_recorded_tensor, extreme_heatmaps, scale_enlarges,
               lines_are_where_they_should, dashes_have_their_lengths, markers_mix_with_what_is_below,
               nonfinite_points_break_the_line, grid_and_log_scale, legend_keeps_out_of_the_way, extreme_curves)
