/* tests/plot/test_plot_errors.c - tests which heatmaps and curves are refused, and the messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "picture.h"

/* A view of one element with a huge shape. */
static heed_tensor *vast(heed_shape shape)
{
    return heed_expand(heed_ones(HEED_F32, HEED_SHAPE(1)), shape);
}

/* A list of names and its length. */
START_TEST(names_are_counted)
{
    heed_tensor *m = heed_eye(HEED_F64, 2, 2), *three = heed_stack(HEED_TENSORS(m, m, m), 0);
    const char *const names[] = {"a", "b", "c"};
    const struct {
        heed_plot_heatmap_options options;
        const char *text;
    } cases[] = {{{.xticks = names}, "plot_heatmap: xtick_count is 0, but xticks is given"},
                 {{.xticks = names, .xtick_count = 3}, "xtick_count is 3: there must be 2 xticks"},
                 {{.yticks = names, .ytick_count = 1}, "ytick_count is 1: there must be 2 yticks"},
                 {{.ytick_count = -1}, "ytick_count is -1, but yticks is NULL"},
                 {{.titles = names}, "title_count is 0, but titles is given"},
                 {{.titles = names, .title_count = 2}, "title_count is 2: there must be 3 titles"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_heatmap(three, in_folder("e.png"), &cases[i].options), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, cases[i].text);
    }
    remove_folder();
}
END_TEST

START_TEST(limits_of_heatmaps)
{
    heed_tensor *m = heed_eye(HEED_F64, 2, 2);
    const char *const names[] = {"a", "b"};
    const struct {
        heed_plot_heatmap_options options;
        const char *text;
    } cases[] = {
        {{.xlim = {1, 1}}, "xlim is 1, 1: must be finite and further apart"},
        {{.ylim = {0, (double)NAN}}, "ylim is 0, nan: must be finite"},
        {{.xscale = HEED_AXIS_DATES}, "xscale needs xlim, the numbers at the edges"},
        {{.ylim = {0, 1}, .yscale = HEED_AXIS_LOG}, "ylim is 0, 1 on a log axis"},
        {{.ylim = {0, 1}, .yscale = (heed_axis_scale)3}, "yscale must be one of HEED_AXIS_*"},
        {{.xticks = names, .xtick_count = 2, .xlim = {0, 1}}, "xlim and xticks are both given: use one of them"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_heatmap(m, in_folder("e.png"), &cases[i].options), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, cases[i].text);
    }
    remove_folder();
}
END_TEST

START_TEST(heatmap_errors)
{
    heed_tensor *m = heed_eye(HEED_F64, 2, 2);
    const char *path = in_folder("e.png");
    const double nan = (double)NAN;
    const char *const no_names[] = {"a", NULL};
    const struct {
        heed_tensor *matrices;
        heed_plot_heatmap_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, {.xlabel = NULL}, HEED_ERR_ARGUMENT, "plot_heatmap: matrices is NULL"},
        {heed_zeros(HEED_F64, HEED_SHAPE(3)), {.xlabel = NULL}, HEED_ERR_SHAPE, "(3)"},
        {heed_zeros(HEED_F64, HEED_SHAPE(1, 1, 1, 2, 2)), {.xlabel = NULL}, HEED_ERR_SHAPE, "(1, 1, 1, 2, 2)"},
        {heed_zeros(HEED_F64, HEED_SHAPE(0, 3)), {.xlabel = NULL}, HEED_ERR_SHAPE, "(0, 3)"},
        {heed_zeros(HEED_I64, HEED_SHAPE(2, 3)), {.xlabel = NULL}, HEED_ERR_DTYPE, "i64"},
        {vast(HEED_SHAPE((int64_t)1 << 31, 1)),
         {.xlabel = NULL},
         HEED_ERR_SHAPE,
         "matrices are (2147483648, 1): at most 268435456 cells can be drawn"},
        {m, {.colormap = (heed_colormap)5}, HEED_ERR_ARGUMENT, "HEED_COLORMAP_*, not 5"},
        {m, {.vmin = 2, .vmax = 1}, HEED_ERR_ARGUMENT, "vmin is 2, vmax is 1"},
        {m, {.vmin = nan}, HEED_ERR_ARGUMENT, "nan"},
        {m, {.xticks = no_names, .xtick_count = 2}, HEED_ERR_ARGUMENT, "xticks[1] is NULL"},
        {m, {.yticks = no_names, .ytick_count = 2}, HEED_ERR_ARGUMENT, "yticks[1] is NULL"},
        {m, {.panel_width = -1}, HEED_ERR_ARGUMENT, "panel_width is -1, panel_height is 0: must be 0 or more"},
        {m, {.scale = -2}, HEED_ERR_ARGUMENT, "scale is -2"},
        {m, {.scale = nan}, HEED_ERR_ARGUMENT, "scale is nan"},
        {m, {.scale = 1e-9}, HEED_ERR_ARGUMENT, "0 x 0"},
        {m,
         {.vmin = 1, .vmax = 2, .separate_scales = true},
         HEED_ERR_ARGUMENT,
         "must be 0 with separate_scales, which finds them for every panel"},
        {m, {.digits = 18}, HEED_ERR_ARGUMENT, "digits is 18: must be in -1 .. 17"},
        {m, {.digits = -2}, HEED_ERR_ARGUMENT, "digits is -2"},
        {m,
         {.cell_values = heed_ones(HEED_F64, HEED_SHAPE(2, 3))},
         HEED_ERR_SHAPE,
         "(2, 3): must be (2, 2), like the matrices"},
        {m, {.cell_values = heed_ones(HEED_BOOL, HEED_SHAPE(2, 2))}, HEED_ERR_DTYPE, "cell_values are bool"},
        {m, {.panel_width = 16385}, HEED_ERR_SHAPE, "16385 x 400"},
        {m, {.scale = 1e300}, HEED_ERR_SHAPE, "16384 x 16384"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_heatmap(cases[i].matrices, path, &cases[i].options), cases[i].status);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_int_eq(heed_plot_heatmap(m, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "path is NULL");
    remove_folder();
}
END_TEST

START_TEST(line_errors)
{
    heed_tensor *y = heed_ones(HEED_F64, HEED_SHAPE(3));
    const char *path = in_folder("e.png");
    const double nan = (double)NAN;
    const struct {
        heed_plot_series series;
        heed_plot_lines_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {{.x = y}, {.width = 0}, HEED_ERR_ARGUMENT, "plot_lines: y of series 0 is NULL"},
        {{.x = heed_ones(HEED_F64, HEED_SHAPE(4)), .y = y}, {.width = 0}, HEED_ERR_SHAPE, "4 and 3"},
        {{.y = heed_ones(HEED_F64, HEED_SHAPE(3, 1))}, {.width = 0}, HEED_ERR_SHAPE, "(3, 1)"},
        {{.y = heed_ones(HEED_BOOL, HEED_SHAPE(3))}, {.width = 0}, HEED_ERR_DTYPE, "bool"},
        {{.y = y, .style = (heed_line_style)9}, {.width = 0}, HEED_ERR_ARGUMENT, "not 9 and 0"},
        {{.y = y, .marker = (heed_marker)-1}, {.width = 0}, HEED_ERR_ARGUMENT, "not 0 and -1"},
        {{.y = y, .color = 0x1000000}, {.width = 0}, HEED_ERR_ARGUMENT, "0x1000000"},
        {{.y = y, .alpha = 1.5}, {.width = 0}, HEED_ERR_ARGUMENT, "alpha of series 0 is 1.5"},
        {{.y = y, .alpha = nan}, {.width = 0}, HEED_ERR_ARGUMENT, "alpha"},
        {{.y = y, .line_width = -1}, {.width = 0}, HEED_ERR_ARGUMENT, "line_width of series 0 is -1"},
        {{.y = y}, {.xlim = {1, 1}}, HEED_ERR_ARGUMENT, "xlim is 1, 1"},
        {{.y = y}, {.ylim = {0, nan}}, HEED_ERR_ARGUMENT, "ylim is 0, nan"},
        {{.y = y}, {.ylim = {0, 1}, .yscale = HEED_AXIS_LOG}, HEED_ERR_ARGUMENT, "log"},
        {{.y = y}, {.xscale = (heed_axis_scale)3}, HEED_ERR_ARGUMENT, "xscale must be one of HEED_AXIS_*, not 3"},
        {{.y = y}, {.width = -5}, HEED_ERR_ARGUMENT, "-5"},
        {{.y = y}, {.height = 20000}, HEED_ERR_ARGUMENT, "640 x 20000"},
        {{.y = y}, {.scale = -1}, HEED_ERR_ARGUMENT, "scale is -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_lines(&cases[i].series, 1, path, &cases[i].options), cases[i].status);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_int_eq(heed_plot_lines(&cases[0].series, 0, path, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "n is 0: must be at least 1");
    heed_plot_series many[] = {{.y = vast(HEED_SHAPE(1 << 26))}, {.y = y}, {.y = vast(HEED_SHAPE((int64_t)1 << 33))}};
    ck_assert_int_eq(heed_plot_lines(&many[2], 1, path, NULL), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "series 0 has 8589934592 points: all series together must have at most 67108864");
    ck_assert_int_eq(heed_plot_lines(many, 2, path, NULL), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "series 1 has 3 points: all series together must have at most 67108864");
    many[1].x = many[2].y;
    ck_assert_int_eq(heed_plot_lines(&many[1], 1, path, NULL), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "x and y of series 0 have 8589934592 and 3 elements");
    ck_assert_int_eq(heed_plot_lines(NULL, 1, path, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "series is NULL");
    remove_folder();
}
END_TEST

START_TEST(kind_errors)
{
    heed_tensor *y = heed_ones(HEED_F64, HEED_SHAPE(3));
    const char *const no_names[] = {"a", NULL};
    const struct {
        heed_plot_series series;
        heed_plot_lines_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {{.y = y, .kind = (heed_plot_kind)3}, {.width = 0}, HEED_ERR_ARGUMENT, "must be one of HEED_PLOT_*, not 3"},
        {{.y = y, .low = y}, {.width = 0}, HEED_ERR_ARGUMENT, "high of series 0 is NULL, but low is not"},
        {{.high = y}, {.width = 0}, HEED_ERR_ARGUMENT, "low of series 0 is NULL, but high is not"},
        {{.y = y, .low = y, .high = y, .kind = HEED_PLOT_BARS},
         {.width = 0},
         HEED_ERR_ARGUMENT,
         "bars: must not have low and high"},
        {{.y = y, .marker = HEED_MARKER_CROSS, .kind = HEED_PLOT_BARS},
         {.width = 0},
         HEED_ERR_ARGUMENT,
         "must not have style, marker"},
        {{.x = y, .y = y, .kind = HEED_PLOT_HISTOGRAM}, {.width = 0}, HEED_ERR_ARGUMENT, "histogram: must not have x"},
        {{.y = y, .error = y, .kind = HEED_PLOT_HISTOGRAM},
         {.width = 0},
         HEED_ERR_ARGUMENT,
         "a histogram: must not have error"},
        {{.low = y, .high = y, .error = y},
         {.width = 0},
         HEED_ERR_ARGUMENT,
         "a curve of low and high alone: must not have error"},
        {{.y = y, .bins = 4}, {.width = 0}, HEED_ERR_ARGUMENT, "series 0 is a curve: must not have bins and density"},
        {{.y = y, .bins = -4, .kind = HEED_PLOT_HISTOGRAM}, {.width = 0}, HEED_ERR_ARGUMENT, "bins of series 0 is -4"},
        {{.y = y, .low = y, .high = heed_ones(HEED_F64, HEED_SHAPE(2))},
         {.width = 0},
         HEED_ERR_SHAPE,
         "high and y of series 0 have 2 and 3"},
        {{.y = y, .error = heed_ones(HEED_F64, HEED_SHAPE(3, 2))},
         {.width = 0},
         HEED_ERR_SHAPE,
         "must be (3) or (2, 3), to match y"},
        {{.y = y, .error = heed_ones(HEED_BOOL, HEED_SHAPE(3))},
         {.width = 0},
         HEED_ERR_DTYPE,
         "error of series 0 is bool"},
        {{.y = y}, {.xtick_count = 2}, HEED_ERR_ARGUMENT, "xtick_count is 2, but xticks is NULL"},
        {{.y = y}, {.xticks = no_names, .xtick_count = 2}, HEED_ERR_ARGUMENT, "xticks[1] is NULL"},
        {{.y = y},
         {.xticks = no_names, .xtick_count = 1, .xscale = HEED_AXIS_LOG},
         HEED_ERR_ARGUMENT,
         "not a log axis"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_lines(&cases[i].series, 1, in_folder("e.png"), &cases[i].options), cases[i].status);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    remove_folder();
}
END_TEST

/* A large view is not copied: the memory is a mebibyte per chunk read, and the image. */
START_TEST(a_vast_heatmap_takes_little_memory)
{
    const char *path = in_folder("e.png");
    heed_shape shapes[] = {HEED_SHAPE(1 << 20, 1), HEED_SHAPE(1, 1 << 20), HEED_SHAPE(1 << 10, 1 << 10),
                           HEED_SHAPE(2, 3, 1 << 8, 1 << 10)};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        heed_tensor *t = vast(shapes[i]);
        heed_memory_reset_peak();
        int64_t before = heed_memory_get_stats().live_bytes;
        ck_assert_int_eq(heed_plot_heatmap(t, path, &(heed_plot_heatmap_options){.scale = 0.2}), HEED_OK);
        ck_assert_int_lt(heed_memory_get_stats().peak_bytes - before, 3 << 20);
        ck_assert_int_eq(unlink(path), 0);
    }
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_errors", names_are_counted, limits_of_heatmaps, heatmap_errors, line_errors, kind_errors,
               a_vast_heatmap_takes_little_memory)
