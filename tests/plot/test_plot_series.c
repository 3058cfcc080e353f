/* tests/plot/test_plot_series.c - tests bars, histograms, bands and error bars by their pixels, and the counts of
 * histograms.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <time.h>

#include "../src/plot/series.h"
#include "picture.h"
#include "reference/histogram_reference.h"

#define WHITE 0xffffffu
#define RED 0xff0000u
#define BLUE 0x0000ffu

static picture lines(const heed_plot_series *series, int n, const heed_plot_lines_options *options)
{
    heed_status status = heed_plot_lines(series, n, in_folder("s.png"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take_picture("s.png");
}

/* Converts positions in the units of both axes, which span x0 to x1 and y0 to y1, to pixels. */
typedef struct scale {
    double x0, x1, y0, y1;
} scale;

static uint32_t at(const picture *p, const scale *s, double x, double y)
{
    box b = find_box(p, 0, 100);
    return pixel(p, b.x0 + (int)((x - s->x0) / (s->x1 - s->x0) * (b.x1 - b.x0)),
                 b.y1 - 1 - (int)((y - s->y0) / (s->y1 - s->y0) * (b.y1 - b.y0)));
}

/* -- Bars -------------------------------------------------------------------------------------------------------- */

START_TEST(bars_stand_side_by_side)
{
    const heed_plot_series s[] = {
        {.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, -1), .kind = HEED_PLOT_BARS, .color = RED},
        {.y = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 3), .kind = HEED_PLOT_BARS, .color = BLUE}};
    const scale u = {-1, 2, -2, 4};
    picture p = lines(s, 2, &(heed_plot_lines_options){.xlim = {-1, 2}, .ylim = {-2, 4}, .no_grid = true});
    ck_assert_uint_eq(at(&p, &u, -0.37, 1.9), RED); /* -0.4 .. 0, and 0 .. 0.4 */
    ck_assert_uint_eq(at(&p, &u, -0.03, 0.1), RED);
    ck_assert_uint_eq(at(&p, &u, -0.2, 2.1), WHITE);
    ck_assert_uint_eq(at(&p, &u, -0.43, 1), WHITE);
    ck_assert_uint_eq(at(&p, &u, 0.03, 0.9), BLUE);
    ck_assert_uint_eq(at(&p, &u, 0.37, 0.9), BLUE);
    ck_assert_uint_eq(at(&p, &u, 0.43, 0.5), WHITE);
    ck_assert_uint_eq(at(&p, &u, 0.8, -0.9), RED); /* extends below 0 */
    ck_assert_uint_eq(at(&p, &u, 0.8, 0.1), WHITE);
    ck_assert_uint_eq(at(&p, &u, 1.2, 2.9), BLUE);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(bars_are_as_wide_as_the_closest_two_allow)
{
    const heed_plot_series s = {.x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 10, 4, 6, 0),
                                .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 1, (double)NAN, 1),
                                .kind = HEED_PLOT_BARS,
                                .color = RED};
    const scale u = {-2, 12, 0, 2};
    picture p = lines(&s, 1, &(heed_plot_lines_options){.xlim = {-2, 12}, .ylim = {0, 2}, .no_grid = true});
    for (int i = 0; i < 3; i++) {
        const double x[] = {0, 4, 10};
        ck_assert_uint_eq(at(&p, &u, x[i] - 0.75, 0.5), RED);
        ck_assert_uint_eq(at(&p, &u, x[i] + 0.75, 0.5), RED);
        ck_assert_uint_eq(at(&p, &u, x[i] + 0.85, 0.5), WHITE);
    }
    ck_assert_uint_eq(at(&p, &u, 6, 0.5), WHITE);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(bars_stand_on_the_axis_and_leave_room_for_the_legend)
{
    heed_plot_series s = {
        .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 5, 5, 5), .kind = HEED_PLOT_BARS, .color = RED, .label = "five"};
    picture with = lines(&s, 1, &(heed_plot_lines_options){.no_grid = true});
    s.label = NULL;
    picture without = lines(&s, 1, &(heed_plot_lines_options){.no_grid = true});
    box a = find_box(&with, 0, 100), b = find_box(&without, 0, 100);
    ck_assert_uint_eq(pixel(&with, (a.x0 + a.x1) / 2, a.y1 - 1), RED);
    ck_assert_uint_eq(pixel(&without, (b.x0 + b.x1) / 2, b.y1 - 1), RED);
    int above = 0, higher = 0;
    while (pixel(&without, (b.x0 + b.x1) / 2, b.y0 + above) != RED)
        above++;
    while (pixel(&with, (a.x0 + a.x1) / 2, a.y0 + higher) != RED)
        higher++;
    ck_assert_int_le(abs(above - (b.y1 - b.y0) / 21), 2); /* 5 % of the data */
    ck_assert_int_gt(higher, above + 20);
    free(with.rgb);
    free(without.rgb);
    remove_folder();
}
END_TEST

START_TEST(names_of_bars)
{
    const char *names[40];
    for (int i = 0; i < 40; i++)
        names[i] = i % 2 ? "a longer name" : "name";
    heed_plot_series s = {.y = heed_ones(HEED_F64, HEED_SHAPE(40)), .kind = HEED_PLOT_BARS};
    for (int count = 5; count <= 40; count += 5) {
        picture p = lines(&s, 1, &(heed_plot_lines_options){.xticks = names, .xtick_count = count});
        box b = find_box(&p, 0, 100);
        int marks = 0;
        for (int x = b.x0; x < b.x1; x++)
            marks += pixel(&p, x, b.y1 + 3) == 0 && pixel(&p, x - 1, b.y1 + 3) != 0;
        ck_assert_int_eq(marks, count); /* every bar has its mark */
        ck_assert_int_eq(count_other(&p, 0, p.height - 2, p.width, p.height, WHITE), 0);
        ck_assert_int_gt(count_other(&p, b.x0, b.y1 + 8, b.x1, p.height, WHITE), 100 * count / 5);
        free(p.rgb);
    }
    picture p = lines(&s, 1, &(heed_plot_lines_options){.xticks = names, .xtick_count = 3, .xlim = {0.5, 30}});
    box b = find_box(&p, 0, 100);
    ck_assert_int_eq(count_other(&p, 0, b.y1 + 8, b.x0 - 30, p.height, WHITE), 0); /* the tick of 0 is outside */
    free(p.rgb);
    remove_folder();
}
END_TEST

/* -- Bands and error bars ---------------------------------------------------------------------------------------- */

START_TEST(a_band_is_filled)
{
    heed_tensor *low = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 1, (double)NAN, 1, 1);
    heed_tensor *high = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 3, 3, 3, 3, 3);
    heed_plot_series s = {.low = low, .high = high, .color = RED};
    const scale u = {0, 4, 0, 4};
    picture p = lines(&s, 1, &(heed_plot_lines_options){.xlim = {0, 4}, .ylim = {0, 4}, .no_grid = true});
    const uint32_t light = 0xffbfbf; /* a quarter of the opacity */
    ck_assert_uint_eq(at(&p, &u, 0.5, 1.1), light);
    ck_assert_uint_eq(at(&p, &u, 0.5, 2.9), light);
    ck_assert_uint_eq(at(&p, &u, 3.5, 2), light);
    ck_assert_uint_eq(at(&p, &u, 0.5, 0.9), WHITE);
    ck_assert_uint_eq(at(&p, &u, 0.5, 3.1), WHITE);
    ck_assert_uint_eq(at(&p, &u, 2, 2), WHITE); /* the gap */
    free(p.rgb);
    s.y = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 2, 2, 2, 2, 2);
    p = lines(&s, 1, &(heed_plot_lines_options){.xlim = {0, 4}, .ylim = {0, 4}, .no_grid = true});
    ck_assert_uint_eq(at(&p, &u, 2, 2), RED); /* its curve */
    ck_assert_uint_eq(at(&p, &u, 0.5, 2.9), light);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* The cost of a mark depends on its own size and not on the size of the image: less than a second here instead of
 * minutes. */
START_TEST(many_small_things_are_cheap)
{
    int n = 60000;
    double *y = malloc((size_t)n * sizeof *y);
    for (int i = 0; i < n; i++)
        y[i] = i % 3 ? i % 7 : (double)NAN;
    heed_tensor *t = heed_from_values(HEED_F64, HEED_SHAPE(n), y, n);
    free(y);
    const heed_plot_series s[] = {{.low = t, .high = heed_add_scalar(t, 1)},
                                  {.y = t, .marker = HEED_MARKER_CROSS, .style = HEED_LINE_NONE}};
    const clock_t began = clock();
    picture p = lines(s, 2, &(heed_plot_lines_options){.width = 2000, .height = 2000});
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 20, "%g s of the processor", seconds);
    box b = find_box(&p, 0, 100);
    int painted = 0;
    for (int x = b.x0; x < b.x1; x++)
        painted += pixel(&p, x, (b.y0 + b.y1) / 2) != WHITE;
    ck_assert_int_gt(painted, (b.x1 - b.x0) / 2);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(a_band_reaches_the_bottom_of_a_log_axis)
{
    const heed_plot_series s = {.low = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -1, -1),
                                .high = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 10),
                                .color = RED};
    heed_plot_lines_options o = {.xlim = {0, 1}, .ylim = {1, 100}, .yscale = HEED_AXIS_LOG, .no_grid = true};
    picture p = lines(&s, 1, &o);
    box b = find_box(&p, 0, 100);
    ck_assert_uint_eq(pixel(&p, (b.x0 + b.x1) / 2, b.y1 - 1), 0xffbfbf);
    ck_assert_uint_eq(pixel(&p, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2 - 3), WHITE);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* Returns the number of non-white pixels in the column of x. */
static int height_of(const picture *p, const scale *s, double x)
{
    box b = find_box(p, 0, 100);
    int column = b.x0 + (int)((x - s->x0) / (s->x1 - s->x0) * (b.x1 - b.x0)), height = 0;
    for (int y = b.y0; y < b.y1; y++)
        height += pixel(p, column, y) != WHITE;
    return height;
}

START_TEST(error_bars_have_their_lengths)
{
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 4, 4, 4, 4);
    const double both[] = {1, 2, -1, (double)NAN}, two[] = {1, 0, 1, 1, 3, 0, -1, (double)NAN};
    const scale u = {-0.5, 3.5, 0, 8};
    heed_plot_series s = {.y = y, .style = HEED_LINE_NONE, .color = RED};
    heed_plot_lines_options o = {.xlim = {-0.5, 3.5}, .ylim = {0, 8}, .no_grid = true};
    s.error = heed_from_values(HEED_F64, HEED_SHAPE(4), both, 4);
    picture p = lines(&s, 1, &o);
    box b = find_box(&p, 0, 100);
    int unit = (b.y1 - b.y0) / 8;
    ck_assert_int_le(abs(height_of(&p, &u, 0) - 2 * unit), 6);
    ck_assert_int_le(abs(height_of(&p, &u, 1) - 4 * unit), 6);
    ck_assert_int_eq(height_of(&p, &u, 2) + height_of(&p, &u, 3), 0);
    free(p.rgb);
    s.error = heed_from_values(HEED_F64, HEED_SHAPE(2, 4), two, 8);
    p = lines(&s, 1, &o);
    ck_assert_int_le(abs(height_of(&p, &u, 0) - 4 * unit), 6);
    ck_assert_uint_ne(at(&p, &u, 0, 6.9), WHITE);
    ck_assert_uint_eq(at(&p, &u, 0, 2.8), WHITE);
    ck_assert_int_eq(height_of(&p, &u, 2) + height_of(&p, &u, 3), 0);
    free(p.rgb);
    remove_folder();
}
END_TEST

START_TEST(limits_show_all_of_it)
{
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 1);
    heed_plot_series s = {.y = y, .color = RED, .style = HEED_LINE_NONE};
    s.error = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 9, 9);
    picture p = lines(&s, 1, &(heed_plot_lines_options){.no_grid = true});
    box b = find_box(&p, 0, 100);
    int height = height_of(&p, &(scale){-0.05, 1.05, 0, 1}, 0);
    ck_assert_int_le(abs(height - (b.y1 - b.y0) * 10 / 11), 6); /* 5 % above and below */
    free(p.rgb);
    s.error = NULL;
    s.low = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -8, -8);
    s.high = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 10);
    p = lines(&s, 1, &(heed_plot_lines_options){.no_grid = true});
    height = height_of(&p, &(scale){-0.05, 1.05, 0, 1}, 0.5);
    ck_assert_int_le(abs(height - (b.y1 - b.y0) * 10 / 11), 6);
    free(p.rgb);
    remove_folder();
}
END_TEST

/* -- Histograms -------------------------------------------------------------------------------------------------- */

static double mixed(int i)
{
    return (double)(i * 7919 % 1024) / 1024;
}

static void check_histogram(heed_tensor *values, int bins, const double *counts, size_t count, const double *range)
{
    heed__series s;
    const heed_plot_series given = {.y = values, .kind = HEED_PLOT_HISTOGRAM, .bins = bins};
    ck_assert_int_eq(heed__series_read(&s, &given, 1, false, "test"), HEED_OK);
    ck_assert_int_eq(s.count, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq(s.y[i], counts[i]);
        ck_assert_near(s.x[i], range[0] + (range[1] - range[0]) * (double)i / (double)count, 1e-12);
    }
    ck_assert_near(s.width, (range[1] - range[0]) / (double)count, 1e-12);
}

#define CHECK_BOTH(values, name)                                                                                       \
    do {                                                                                                               \
        check_histogram(values, 0, name##_auto_counts, sizeof name##_auto_counts / sizeof(double), name##_auto_range); \
        check_histogram(values, 7, name##_7_counts, 7, name##_7_range);                                                \
    } while (0)

START_TEST(histograms_count_as_numpy)
{
    double squares[500], outlier[61], no_quartiles[53];
    for (int i = 0; i < 500; i++)
        squares[i] = mixed(i) * mixed(i);
    for (int i = 0; i < 60; i++)
        outlier[i] = mixed(i);
    outlier[60] = 20;
    for (int i = 0; i < 50; i++)
        no_quartiles[i] = 1;
    no_quartiles[50] = 2;
    no_quartiles[51] = 3;
    no_quartiles[52] = 7;
    CHECK_BOTH(heed_from_values(HEED_F64, HEED_SHAPE(5, 10, 10), squares, 500), squares);
    CHECK_BOTH(HEED_TENSOR(HEED_F32, HEED_SHAPE(6), 0, 0.25, 0.5, 0.75, 1, 1), ends);
    CHECK_BOTH(heed_from_values(HEED_F64, HEED_SHAPE(61), outlier, 61), outlier);
    CHECK_BOTH(heed_from_values(HEED_F64, HEED_SHAPE(53), no_quartiles, 53), no_quartiles);
    CHECK_BOTH(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3), one);
}
END_TEST

/* The edges themselves, however they are rounded: every edge belongs to the bin that it begins, and the end to the last
 * bin. */
START_TEST(edges_begin_their_bins)
{
    for (int bins = 1; bins < 80; bins++) {
        heed_plot_series given = {
            .y = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.1, 0.7), .kind = HEED_PLOT_HISTOGRAM, .bins = bins};
        heed__series s;
        double edges[80];
        ck_assert_int_eq(heed__series_read(&s, &given, 1, false, "test"), HEED_OK);
        memcpy(edges, s.x, (size_t)bins * sizeof *edges);
        edges[bins] = 0.7;
        given.y = heed_from_values(HEED_F64, HEED_SHAPE(bins + 1), edges, bins + 1);
        ck_assert_int_eq(heed__series_read(&s, &given, 1, false, "test"), HEED_OK);
        for (int i = 0; i < bins; i++)
            ck_assert_double_eq(s.y[i], i == bins - 1 ? 2 : 1);
        for (int i = 1; i < bins; i++) /* and the number just before an edge is in the bin before */
            edges[i] = nextafter(edges[i], 0);
        given.y = heed_from_values(HEED_F64, HEED_SHAPE(bins + 1), edges, bins + 1);
        ck_assert_int_eq(heed__series_read(&s, &given, 1, false, "test"), HEED_OK);
        for (int i = 0; i < bins; i++) /* 0.1 is also in the first bin, which then has two */
            ck_assert_double_eq(s.y[i], bins == 1 ? 2 : i == 0 ? 2 : 1);
    }
}
END_TEST

START_TEST(histograms_leave_out_nonfinite_numbers)
{
    heed__series s[2];
    heed_tensor *odd = HEED_TENSOR(HEED_F64, HEED_SHAPE(6), (double)NAN, (double)INFINITY, 1, -1, (double)-INFINITY, 3);
    heed_plot_series given[] = {{.y = odd, .kind = HEED_PLOT_HISTOGRAM, .bins = 2},
                                {.y = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 7, 7), .kind = HEED_PLOT_HISTOGRAM}};
    ck_assert_int_eq(heed__series_read(s, given, 2, false, "test"), HEED_OK);
    ck_assert_double_eq(s[0].y[0] + s[0].y[1], 3);
    ck_assert_double_eq(s[1].y[0] + 10 * s[1].y[1], 20); /* the same bins, -1 .. 3 .. 7 */
    ck_assert_double_eq(s[1].x[1], 3);
    ck_assert_double_eq(s[0].alpha, 0.6);
    ck_assert_int_eq(heed__series_read(s, given, 2, true, "test"), HEED_OK); /* a log axis cannot show -1 */
    ck_assert_double_eq(s[0].y[0] + s[0].y[1], 2);
    given[0].density = true;
    ck_assert_int_eq(heed__series_read(s, given, 1, false, "test"), HEED_OK);
    ck_assert_near((s[0].y[0] + s[0].y[1]) * s[0].width, 1, 1e-12);
    ck_assert_double_eq(s[0].alpha, 1);
    given[1].y = heed_arange(HEED_I64, 0, 4, 1); /* whole numbers: every bin is at least 1 wide */
    ck_assert_int_eq(heed__series_read(s, given + 1, 1, false, "test"), HEED_OK);
    ck_assert_int_eq(s[0].count, 3);
}
END_TEST

START_TEST(histograms_have_no_gaps)
{
    heed_plot_series s = {
        .y = heed_linspace(HEED_F64, 0, 1, 1000), .kind = HEED_PLOT_HISTOGRAM, .color = RED, .bins = 37};
    picture p = lines(&s, 1, &(heed_plot_lines_options){.no_grid = true, .xlim = {0, 1}});
    box b = find_box(&p, 0, 100);
    ck_assert_int_eq(count_other(&p, b.x0, b.y1 - 100, b.x1, b.y1, RED), 0);
    free(p.rgb);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_series", bars_stand_side_by_side, bars_are_as_wide_as_the_closest_two_allow,
               bars_stand_on_the_axis_and_leave_room_for_the_legend, names_of_bars, a_band_is_filled,
               many_small_things_are_cheap, a_band_reaches_the_bottom_of_a_log_axis, error_bars_have_their_lengths,
               limits_show_all_of_it, histograms_count_as_numpy, edges_begin_their_bins,
               histograms_leave_out_nonfinite_numbers, histograms_have_no_gaps)
