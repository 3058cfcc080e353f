/* tests/plot/test_plot_fit.c - tests plotting a fit in one call: the same bytes as with hand-made series, its legend,
 * its errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "fail_alloc.h"
#include "foreign_locale.h"
#include "picture.h"

static heed_tensor *some_x(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 5, 1, 2, 8, 3, 4, 6);
}

static heed_np *fit_of(heed_tensor *x, heed_tensor *y)
{
    return heed_np_fit(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){2, 3}});
}

/* Returns the file's bytes, which the caller frees, and removes the file. */
static char *take(const char *name)
{
    size_t size = 0;
    char *text = (char *)read_bytes(in_folder(name), &size);
    text[size] = '\0';
    ck_assert_int_eq(unlink(in_folder(name)), 0);
    return text;
}

static char *draw(const heed_np *fit, heed_tensor *x, heed_tensor *y, const heed_plot_fit_options *options)
{
    const heed_status status = heed_plot_fit(fit, x, y, in_folder("f.svg"), options);
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    return take("f.svg");
}

/* Checks that heed_plot_fit draws this curve, the fit's prediction at `queries`, above these points. Frees the fit. */
static void check_drawn(heed_np *fit, heed_tensor *x, heed_tensor *y, const heed_plot_fit_options *o,
                        heed_tensor *queries, const char *label)
{
    char *drawn = draw(fit, x, y, o);
    const int column = o ? o->column : 0;
    heed_np_prediction at;
    ck_assert_int_eq(heed_np_predict(fit, queries, o ? o->predict : NULL, &at), HEED_OK);
    const bool several = heed_rank(queries) == 2;
    const heed_plot_series all[] = {{.x = several ? heed_select(x, 1, column) : x,
                                     .y = y,
                                     .style = HEED_LINE_NONE,
                                     .marker = HEED_MARKER_CIRCLE,
                                     .color = 0x808080,
                                     .alpha = 0.5},
                                    {.x = several ? heed_select(queries, 1, column) : queries,
                                     .y = at.mean,
                                     .low = at.lower,
                                     .high = at.upper,
                                     .label = label,
                                     .color = 0x1f77b4,
                                     .line_width = 2}};
    ck_assert_int_eq(heed_plot_lines(y ? all : all + 1, y ? 2 : 1, in_folder("m.svg"), o ? o->lines : NULL), HEED_OK);
    char *mine = take("m.svg");
    ck_assert_msg(strcmp(drawn, mine) == 0, "another picture than that of %s", label);
    free(drawn);
    free(mine);
    heed_np_free(fit);
    remove_folder();
}

START_TEST(points_a_curve_and_its_band)
{
    heed_tensor *x = some_x(), *y = heed_sin(x);
    check_drawn(fit_of(x, y), x, y, NULL, heed_linspace(HEED_F64, 1, 8, 400), "fit, 95 % band");
}
END_TEST

START_TEST(options_are_passed_on)
{
    heed_tensor *x = heed_to_dtype(some_x(), HEED_I64), *y = heed_sin(some_x());
    const heed_np_predict_options predict = {.band = HEED_NP_BAND_SIMULTANEOUS, .level = 0.9, .local = true, .seed = 3};
    const heed_plot_lines_options lines = {.title = "t", .xlabel = "x", .ylim = {-9, 9}, .width = 300};
    check_drawn(fit_of(x, y), x, y, &(heed_plot_fit_options){.predict = &predict, .lines = &lines},
                heed_linspace(HEED_F64, 1, 8, 400), "fit, 90 % simultaneous band");
}
END_TEST

START_TEST(steps_are_even_on_a_log_axis)
{
    heed_tensor *x = some_x(), *y = heed_sin(x);
    const heed_plot_lines_options lines = {.xscale = HEED_AXIS_LOG};
    check_drawn(fit_of(x, y), x, NULL, &(heed_plot_fit_options){.lines = &lines},
                heed_exp(heed_linspace(HEED_F64, 0, log(8), 400)), "fit, 95 % band");
    x = heed_add_scalar(x, -3); /* from -2 on: points that the axis cannot show are left out */
    check_drawn(fit_of(x, y), x, y, &(heed_plot_fit_options){.lines = &lines}, heed_linspace(HEED_F64, -2, 5, 400),
                "fit, 95 % band");
}
END_TEST

START_TEST(other_columns_stay_in_the_middle)
{
    heed_tensor *x = heed_stack(HEED_TENSORS(some_x(), heed_square(heed_add_scalar(some_x(), -4))), 1);
    heed_tensor *y = heed_sum_axes(x, HEED_AXES(1), false), *all = heed_linspace(HEED_F64, 0, 16, 400);
    check_drawn(fit_of(x, y), x, y, &(heed_plot_fit_options){.column = 1},
                heed_stack(HEED_TENSORS(heed_full(HEED_F64, HEED_SHAPE(400), 4), all), 1), "fit, 95 % band");
    y = some_x();
    check_drawn(
        fit_of(x, y), x, y, NULL,
        heed_stack(
            HEED_TENSORS(heed_linspace(HEED_F64, 1, 8, 400), heed_full(heed_dtype_of(all), heed_shape_of(all), 4)), 1),
        "fit, 95 % band");
}
END_TEST

START_TEST(a_density_ends_where_it_is_0)
{
    heed_tensor *x = some_x();
    check_drawn(heed_np_fit_density(x, &(heed_np_options){.bandwidths = (double[]){0.5}}), x, NULL, NULL,
                heed_linspace(HEED_F64, -0.5, 9.5, 400), "density, 95 % band");
    check_drawn(heed_np_fit_density(x, &(heed_np_options){.bandwidths = (double[]){50}}), x, NULL, NULL,
                heed_linspace(HEED_F64, -6, 15, 400), "density, 95 % band");
}
END_TEST

static int count(const char *text, const char *what)
{
    int times = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        times++;
    return times;
}

/* If no row lies within the window, neither a curve nor a band is drawn, and the y axis does not extend to 0. */
START_TEST(an_undefined_estimate_is_a_gap)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 0, 1, 2, 3, 7, 8, 9, 10);
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 100, 101, 99, 100, 102, 101, 100, 101);
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){1.5}});
    char *drawn = draw(fit, x, y, NULL), *curve = strstr(drawn, "stroke=\"#1f77b4\"");
    ck_assert_ptr_nonnull(curve);
    ck_assert_int_eq(count(drawn, "<path fill=\"#1f77b4\" fill-opacity=\"0.25\""), 2);
    ck_assert_ptr_null(strstr(drawn, ">80</text>"));
    *strchr(strstr(curve, " d=\"") + 4, '"') = '\0';
    ck_assert_int_eq(count(curve, "M"), 2);
    free(drawn);
    heed_np_free(fit);
    remove_folder();
}
END_TEST

START_TEST(a_level_in_any_locale)
{
    heed_tensor *x = some_x();
    heed_np *fit = fit_of(x, heed_sin(x));
    const heed_plot_fit_options o = {.predict =
                                         &(heed_np_predict_options){.level = 0.995, .band = HEED_NP_BAND_PREDICTION}};
    char *here = draw(fit, x, NULL, &o);
    ck_assert_ptr_nonnull(strstr(here, ">fit, 99.5 % band of new values<"));
    if (foreign_locale_begin("de_DE")) {
        char *there = draw(fit, x, NULL, &o);
        foreign_locale_end();
        ck_assert(strcmp(here, there) == 0);
        free(there);
    }
    free(here);
    heed_np_free(fit);
    remove_folder();
}
END_TEST

/* Opacity falls with the number of points (0.5 for 196, 0.25 for 784), so that the band stays visible. */
START_TEST(many_points_are_lighter)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 784);
    heed_np *fit = fit_of(x, x);
    char *drawn = draw(fit, x, x, NULL);
    ck_assert_ptr_nonnull(strstr(drawn, "opacity=\"0.25\""));
    ck_assert_ptr_null(strstr(drawn, "opacity=\"0.5\""));
    free(drawn);
    heed_np_free(fit);
    remove_folder();
}
END_TEST

START_TEST(colours_lie_in_this_order)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 10, 11), *y = heed_full(heed_dtype_of(x), heed_shape_of(x), 0);
    for (int i = 0; i < 11; i++)
        ck_assert_int_eq(heed_set_(y, HEED_INDEX(i), i == 5 ? 5.8 : i % 2 ? 1 : 9), HEED_OK);
    heed_np *fit = heed_np_fit(x, y, &(heed_np_options){.bandwidths = (double[]){1e6}});
    const heed_plot_lines_options lines = {.xlim = {0, 10}, .ylim = {0, 10}, .no_grid = true, .no_legend = true};
    ck_assert_int_eq(heed_plot_fit(fit, x, y, in_folder("f.png"), &(heed_plot_fit_options){.lines = &lines}), HEED_OK);
    picture p = take_picture("f.png");
    box b = find_box(&p, 0, 100);
    const int middle = (b.x0 + b.x1) / 2, unit = (b.y1 - b.y0) / 10, curve = b.y1 - (int)(5.8 * unit);
    int blue = 0;
    for (int i = -3; i <= 3; i++)
        blue += pixel(&p, middle, curve + i) == 0x1f77b4; /* above the point */
    ck_assert_int_ge(blue, 2);
    ck_assert_uint_eq(pixel(&p, b.x0 + (b.x1 - b.x0) / 10, b.y1 - unit), 0xc0c0c0); /* a point: half grey */
    ck_assert_uint_eq(pixel(&p, b.x0 + (b.x1 - b.x0) / 4, curve - unit), 0xc7ddec); /* the band */
    ck_assert_uint_eq(pixel(&p, b.x0 + (b.x1 - b.x0) / 4, curve - 4 * unit), 0xffffff);
    free(p.rgb);
    heed_np_free(fit);
    remove_folder();
}
END_TEST

START_TEST(errors)
{
    heed_tensor *x = some_x(), *y = heed_sin(x), *pair = heed_stack(HEED_TENSORS(x, y), 1);
    heed_np *fit = fit_of(x, y), *density = heed_np_fit_density(x, &(heed_np_options){.bandwidths = (double[]){1}});
    heed_np *labels = heed_np_fit(
        x, y, &(heed_np_options){.columns = (heed_np_column[]){HEED_NP_ORDERED}, .bandwidths = (double[]){0.5}});
    heed_tensor *nothing = heed_full(HEED_F64, HEED_SHAPE(7), (double)NAN);
    const char *path = in_folder("e.png");
    const heed_np_predict_options high = {.level = 2};
    const heed_plot_lines_options narrow = {.width = -1};
    const struct {
        const heed_np *fit;
        heed_tensor *x, *y;
        const char *path;
        heed_plot_fit_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, x, y, path, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: fit is NULL"},
        {fit, NULL, y, path, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: x is NULL"},
        {fit, x, y, NULL, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: path is NULL"},
        {density, x, y, path, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: the fit is a density: y must be NULL"},
        {fit, x, y, path, {.column = 1}, HEED_ERR_ARGUMENT, "plot_fit: column is 1: must be in 0 .. 0"},
        {fit, x, y, path, {.column = -1}, HEED_ERR_ARGUMENT, "plot_fit: column is -1"},
        {fit,
         pair,
         y,
         path,
         {.column = 0},
         HEED_ERR_SHAPE,
         "plot_fit: x is (7, 2): must be (n) or (n, d), with at least"},
        {fit, heed_zeros(HEED_F64, HEED_SHAPE(0)), NULL, path, {.column = 0}, HEED_ERR_SHAPE, "x is (0)"},
        {fit, heed_ones(HEED_F64, HEED_SCALAR), NULL, path, {.column = 0}, HEED_ERR_SHAPE, "x is ()"},
        {fit, x, pair, path, {.column = 0}, HEED_ERR_SHAPE, "plot_fit: y is (7, 2): must be (7)"},
        {fit, x, heed_ones(HEED_F64, HEED_SHAPE(6)), path, {.column = 0}, HEED_ERR_SHAPE, "y is (6): must be (7)"},
        {fit, heed_ones(HEED_BOOL, HEED_SHAPE(7)), y, path, {.column = 0}, HEED_ERR_DTYPE, "plot_fit: sort: "},
        {fit, x, heed_ones(HEED_BOOL, HEED_SHAPE(7)), path, {.column = 0}, HEED_ERR_DTYPE, "plot_fit: plot_lines: "},
        {fit, nothing, y, path, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: linspace: "},
        {labels, x, y, path, {.column = 0}, HEED_ERR_ARGUMENT, "plot_fit: np_predict: column 0 of x is"},
        {fit, x, y, path, {.predict = &high}, HEED_ERR_ARGUMENT, "plot_fit: np_predict: level"},
        {fit, x, y, path, {.lines = &narrow}, HEED_ERR_ARGUMENT, "plot_fit: plot_lines: width is -1"},
        {fit,
         x,
         y,
         "/nowhere/e.png",
         {.column = 0},
         HEED_ERR_IO,
         "plot_fit: plot_lines: cannot open the folder of /nowhere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const heed_plot_fit_options *o = &cases[i].options;
        ck_assert_int_eq(heed_plot_fit(cases[i].fit, cases[i].x, cases[i].y, cases[i].path, o), cases[i].status);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    heed_np_free(fit);
    heed_np_free(density);
    heed_np_free(labels);
    remove_folder();
}
END_TEST

static bool draw_a_fit(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 5);
    heed_np *fit = x ? heed_np_fit(x, x, &(heed_np_options){.bandwidths = (double[]){0.5}}) : NULL;
    const bool ok = fit && heed_plot_fit(fit, x, x, in_folder("o.png"), NULL) == HEED_OK;
    heed_np_free(fit);
    *value = ok;
    return ok;
}

START_TEST(without_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(draw_a_fit);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(in_folder("o.png")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("plot_fit", points_a_curve_and_its_band, options_are_passed_on, steps_are_even_on_a_log_axis,
               other_columns_stay_in_the_middle, a_density_ends_where_it_is_0, an_undefined_estimate_is_a_gap,
               a_level_in_any_locale, many_points_are_lighter, colours_lie_in_this_order, errors, without_memory)
