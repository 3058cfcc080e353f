/* plot/fit.c - plots a fit of heed/np.h: points, a curve and its band.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heed/ops.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "base/decimal.h"

static const char where[] = "plot_fit";
enum { STEPS = 400 };
#define POINTS 0x808080 /* points are grey, so that the curve stands out */
#define CURVE 0x1f77b4

static heed_status check_fit(const heed_np *fit, heed_tensor *x, heed_tensor *y, const char *path, int column)
{
    if (!fit || !x || !path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", !fit ? "fit" : !x ? "x" : "path");
    const heed_np_report of = heed_np_get_report(fit);
    const int64_t n = heed_rank(x) > 0 ? heed_dim(x, 0) : 0;
    if (heed_rank(x) > 2 || n < 1 || (heed_rank(x) == 2 ? heed_dim(x, 1) : 1) != of.columns)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "x is %s: must be (n) or (n, d), with at least one row and d = %d like the fit",
                         heed_shape_text(heed_shape_of(x)).s, of.columns);
    if (y && of.trace == 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the fit is a density: y must be NULL");
    if (y && (heed_rank(y) != 1 || heed_dim(y, 0) != n))
        return heed_fail(HEED_ERR_SHAPE, where, "y is %s: must be (%" PRId64 "), a value per row of x",
                         heed_shape_text(heed_shape_of(y)).s, n);
    if (column < 0 || column >= of.columns)
        return heed_fail(HEED_ERR_ARGUMENT, where, "column is %d: must be in 0 .. %d", column, of.columns - 1);
    return HEED_OK;
}

/* Returns STEPS positions from the smallest to the largest number of a column, equidistant on the axis. For a density,
 * they extend to positions at which the density is about 0. */
static heed_tensor *curve_positions(const heed_np *fit, heed_tensor *sorted, const heed_plot_fit_options *o)
{
    double low = heed_get(sorted, HEED_INDEX(0, o->column)), high = heed_get(sorted, HEED_INDEX(-1, o->column));
    if (o->lines && o->lines->xscale == HEED_AXIS_LOG && low > 0)
        return heed_exp(heed_linspace(HEED_F64, log(low), log(high), STEPS));
    double h[HEED_NP_MAX_COLUMNS] = {0};
    const heed_np_report of = heed_np_get_report(fit);
    (void)heed_np_bandwidths(fit, h, of.columns);
    const double beyond = of.trace == 0 ? fmin(3 * h[o->column], high - low) : 0;
    return heed_linspace(HEED_F64, low - beyond, high + beyond, STEPS);
}

/* Returns queries (STEPS, d) along the column o->column, with the other columns at their median. Sets *along to the
 * positions in the column. */
static heed_tensor *queries_along(const heed_np *fit, heed_tensor *x, const heed_plot_fit_options *o,
                                  heed_tensor **along)
{
    heed_tensor *rows = heed_rank(x) == 2 ? x : heed_unsqueeze(x, 1);
    heed_tensor *sorted = heed_to_dtype(heed_sort_axis(rows, 0, false, NULL), HEED_F64);
    heed_tensor *middle = sorted ? heed_select(sorted, 0, (heed_dim(sorted, 0) - 1) / 2) : NULL;
    *along = middle ? curve_positions(fit, sorted, o) : NULL;
    heed_tensor *all = *along ? heed_contiguous(heed_expand(middle, HEED_SHAPE(STEPS, heed_dim(middle, 0)))) : NULL;
    return all && heed_copy_(heed_select(all, 1, o->column), *along) == HEED_OK ? all : NULL;
}

/* Writes the label of the curve: "fit, 95 % band". */
static void write_label(char *label, size_t size, const heed_np_predict_options *o, bool density)
{
    static const char *const kinds[] = {"band", "simultaneous band", "band of new values"};
    char percent[32];
    (void)snprintf(percent, sizeof percent, "%g", 100 * (o && o->level != 0 ? o->level : 0.95));
    heed__decimal_point(percent);
    (void)snprintf(label, size, "%s, %s %% %s", density ? "density" : "fit", percent, kinds[o ? o->band : 0]);
}

static heed_status draw_fit(const heed_np *fit, heed_tensor *x, heed_tensor *y, const char *path,
                            const heed_plot_fit_options *o)
{
    heed_status status = check_fit(fit, x, y, path, o->column);
    heed_tensor *grid = NULL, *all = status == HEED_OK ? queries_along(fit, x, o, &grid) : NULL;
    heed_np_prediction at = {0};
    status = all ? heed_np_predict(fit, all, o->predict, &at) : heed_error_code();
    if (status != HEED_OK)
        return status;
    /* more points are less opaque, because they cover each other and the band */
    const double opacity = fmax(0.05, fmin(0.5, 7 / sqrt((double)heed_dim(x, 0))));
    char label[64];
    write_label(label, sizeof label, o->predict, !at.slopes);
    const heed_plot_series series[] = {
        {.x = heed_rank(x) == 2 ? heed_select(x, 1, o->column) : x,
         .y = y,
         .style = HEED_LINE_NONE,
         .marker = HEED_MARKER_CIRCLE,
         .color = POINTS,
         .alpha = opacity},
        {.x = grid, .y = at.mean, .low = at.lower, .high = at.upper, .label = label, .color = CURVE, .line_width = 2}};
    return heed_plot_lines(y ? series : series + 1, y ? 2 : 1, path, o->lines);
}

heed_status heed_plot_fit(const heed_np *fit, heed_tensor *x, heed_tensor *y, const char *path,
                          const heed_plot_fit_options *options)
{
    HEED_ENTER("plot_fit");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    const heed_plot_fit_options defaults = {.column = 0};
    const heed_status status = draw_fit(fit, x, y, path, options ? options : &defaults);
    (void)heed_scope_end(scope);
    return status;
}
