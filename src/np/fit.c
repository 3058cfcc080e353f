/* np/fit.c - fits a regression: options, bandwidths, robust rounds and the report.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mark.h"
#include "np/fit.h"

HEED_MARK_OUTLIVES_FREE(heed_np);

static const char where[] = "np_fit";

/* -- Options ------------------------------------------------------------------------------------------------------- */

static bool check_fit_options(const heed_np_options *o)
{
    if (o->degree < 0 || o->degree > 3)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "degree is %d: must be 0 to 3", o->degree);
    if ((int)o->kernel < HEED_NW_GAUSSIAN || o->kernel >= HEED_NW_CONSTANT)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "kernel must be HEED_NW_GAUSSIAN to HEED_NW_TRICUBE, not %d",
                               (int)o->kernel);
    if ((int)o->labels < HEED_NP_LI_RACINE || o->labels > HEED_NP_CLASSIC)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "labels must be HEED_NP_LI_RACINE or HEED_NP_CLASSIC, not %d",
                               (int)o->labels);
    if (o->starts < 0 || o->max_evaluations < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "starts is %d, max_evaluations %d: must not be negative",
                               o->starts, o->max_evaluations);
    if (o->robust < 0 || o->robust > 100)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "robust is %d: must be 0 to 100", o->robust);
    if (!(o->nearest >= 0 && o->nearest <= 1))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "nearest is %g: must be in 0 .. 1", o->nearest);
    return true;
}

static bool has_rule(const heed_np_options *o)
{
    return o->criterion == HEED_NP_RULE || o->criterion == HEED_NP_PLUG_IN;
}

/* Checks that given bandwidths are in range and that the bandwidths are specified in only one way. */
static bool check_bandwidths(const heed__np_smoother *s, const heed_np_options *o)
{
    const heed__np_data *data = s->data;
    if (o->nearest > 0 && (o->bandwidths || !data->sorted))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "nearest is %g: must be 0 with bandwidths, or unless x is a single continuous column",
                               o->nearest);
    if (has_rule(o) && (o->nearest > 0 || o->bandwidths))
        return heed_fail_false(
            HEED_ERR_ARGUMENT, where,
            "criterion is HEED_NP_RULE or HEED_NP_PLUG_IN: bandwidths must be NULL and nearest 0, not %g", o->nearest);
    for (int c = 0; o->bandwidths && c < data->columns; c++) {
        const double h = o->bandwidths[c], most = heed__np_most(s, c);
        const bool smooth = data->kinds[c] == HEED_NP_CONTINUOUS;
        if (!(isfinite(h) && h >= 0 && h <= most) || (smooth && h == 0))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "bandwidth %d is %g: must be %s %g", c, h,
                                   smooth ? "above 0 and below" : "in 0 ..", most);
    }
    return true;
}

/* -- The smoother of given bandwidths ------------------------------------------------------------------------------ */

static heed__np_smoother smoother_of(const heed__np_data *data, const heed_np_options *o)
{
    heed__np_smoother s = {
        .data = data, .degree = o->degree, .kernel = o->kernel, .labels = o->labels, .nearest = o->nearest};
    for (int c = 0; o->bandwidths && c < data->columns; c++)
        s.h[c] = o->bandwidths[c];
    return s;
}

/* -- Robust rounds ------------------------------------------------------------------------------------------------- */

/* Returns the weighted median of `sizes`, in which a row of weight 2 counts as two rows. `order` sorts `sizes`; NaN
 * comes last in it and is ignored. */
static double weighted_median(const heed__np_data *data, const double *sizes, const int64_t *order)
{
    double half = 0, below = 0;
    int64_t n = 0;
    for (; n < data->rows && !isnan(sizes[order[n]]); n++)
        half += data->given_w[order[n]] / 2;
    int64_t i = 0;
    while (i < n - 1 && (below += data->given_w[order[i]]) < half * (1 - 1e-12))
        i++;
    const bool is_between = i < n - 1 && below <= half * (1 + 1e-12);
    return sizes[order[i]] / 2 + sizes[order[i + is_between]] / 2;
}

/* Returns (rows): |y - m|, or NaN if m is undefined. NULL after heed_fail. */
static heed_tensor *residual_sizes(const heed_np *fit)
{
    const heed__np_data *data = &fit->data;
    heed_tensor *sizes = heed_zeros(HEED_F64, HEED_SHAPE(data->rows));
    for (int64_t i = 0; sizes && i < data->rows; i++)
        heed__np_numbers(sizes)[i] = fabs(data->row_y[i] - heed__np_local_at(&fit->locals, data->key_of[i])->mean);
    return sizes;
}

/* Sets robust_weights to the bisquare weights (1 - (e / (6 median |e|))^2)^2 of the residuals e, and to 0 for a row
 * without a fit. If at least half of the residuals are only rounding errors, their rows get weight 1 and all other rows
 * weight 0. Returns false after heed_fail. */
static bool weigh_residuals(heed_np *fit)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *sizes = scope ? residual_sizes(fit) : NULL, *order = sizes ? heed_argsort(sizes, 0, false) : NULL;
    const double *size = order ? heed__np_numbers(sizes) : NULL;
    const double six = order ? 6 * weighted_median(&fit->data, size, (const int64_t *)(const void *)order->data) : 0;
    const double exact = HEED__NP_FIT_ROUNDING * fit->data.rounding;
    for (int64_t i = 0; order && i < fit->data.rows; i++) {
        const double u = six > 6 * exact ? fmin(size[i] / six, 1) : !(size[i] <= exact);
        fit->robust_weights[i] = (1 - u * u) * (1 - u * u);
    }
    heed_scope_end(scope);
    return order != NULL;
}

/* Repeats the fit, every time with robust weights from the residuals of the fit before. Returns false after
 * heed_fail. */
static bool fit_robustly(heed_np *fit, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        if (!weigh_residuals(fit))
            return false;
        heed__np_reweigh(&fit->data, fit->robust_weights);
        if (!heed__np_fit_keys(&fit->smoother, &fit->locals))
            return false;
    }
    return true;
}

/* -- The fit ------------------------------------------------------------------------------------------------------- */

static bool search_bandwidths(heed_np *fit, const heed_np_options *o)
{
    heed_np_report *r = &fit->report;
    heed__np_search *search = &fit->search;
    if (!heed__np_find(&fit->smoother, o, search))
        return false;
    r->evaluations = search->evaluations;
    r->minima = search->minima;
    r->stopped = search->stopped;
    return true;
}

static bool choose_bandwidths(heed_np *fit, const heed_np_options *o)
{
    if (o->bandwidths || o->nearest > 0)
        return true;
    if (o->criterion == HEED_NP_RULE)
        return heed__np_rule(&fit->smoother);
    return o->criterion == HEED_NP_PLUG_IN ? heed__np_plug_in(&fit->smoother) : search_bandwidths(fit, o);
}

/* Evaluates the reported criterion at the chosen bandwidths. For a regression whose bandwidths come from HEED_NP_RULE
 * or HEED_NP_PLUG_IN, this criterion is CV.LS. Returns false after heed_fail. */
static bool find_criterion(heed_np *fit, const heed_np_options *o)
{
    const heed_np_criterion of_regression = has_rule(o) ? HEED_NP_CV_LS : o->criterion;
    fit->criterion = fit->is_density ? HEED__NP_LIKELIHOOD : of_regression;
    fit->at = (heed__np_value){.value = (double)NAN};
    if (!heed__np_criterion(&fit->smoother, fit->criterion, false, &fit->locals, &fit->at))
        return false;
    fit->report.criterion = heed__np_in_units(&fit->data, fit->criterion, fit->at.value);
    return true;
}

static bool fit_all(heed_np *fit, heed_tensor *x, heed_tensor *y, const heed_np_options *o, heed__np_kind kind)
{
    if (!check_fit_options(o) || !heed__np_read(&fit->data, x, y, o))
        return false;
    fit->smoother = smoother_of(&fit->data, o);
    fit->smoother.conditional = kind == HEED__NP_CLASSES;
    fit->is_density = kind != HEED__NP_REGRESSION;
    fit->report.rows = fit->data.absent.rows;
    fit->report.rows_with_weight = fit->data.rows;
    fit->report.columns = fit->data.columns;
    if (!check_bandwidths(&fit->smoother, o))
        return false;
    fit->robust_weights = heed_alloc((size_t)fit->data.rows * sizeof *fit->robust_weights);
    for (int64_t i = 0; fit->robust_weights && i < fit->data.rows; i++)
        fit->robust_weights[i] = 1;
    if (!fit->robust_weights || !heed__np_locals_new(&fit->locals, fit->data.columns, fit->data.keys) ||
        !choose_bandwidths(fit, o) || !find_criterion(fit, o))
        return false;
    if (!fit->is_density && (!heed__np_fit_keys(&fit->smoother, &fit->locals) || !fit_robustly(fit, o->robust) ||
                             !heed__np_find_statistics(fit)))
        return false;
    heed__np_write_notice(fit);
    return true;
}

heed_np *heed__np_fit(heed_tensor *x, heed_tensor *y, const heed_np_options *options, heed__np_kind kind)
{
    heed_np *fit = heed_calloc(1, sizeof *fit);
    if (fit)
        fit->mark = HEED_MARK(HEED_NP, 0);
    if (fit && fit_all(fit, x, y, options, kind))
        return fit;
    heed_np_free(fit);
    return NULL;
}

heed_np *heed_np_fit(heed_tensor *x, heed_tensor *y, const heed_np_options *options)
{
    HEED_ENTER(where);
    const heed_np_options o = options ? *options : (heed_np_options){0};
    if ((int)o.criterion < HEED_NP_CV_LS || o.criterion > HEED_NP_PLUG_IN)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "criterion must be HEED_NP_CV_LS to HEED_NP_PLUG_IN, not %d",
                              (int)o.criterion);
    return heed__np_fit(x, y, &o, HEED__NP_REGRESSION);
}

void heed_np_free(heed_np *fit)
{
    if (!fit || !heed__np_check("np_free", fit))
        return;
    heed_free(fit->robust_weights, (size_t)fit->data.rows * sizeof *fit->robust_weights);
    heed__np_locals_free(&fit->locals);
    heed__np_data_free(&fit->data);
    fit->mark = 0;
    heed_free(fit, sizeof *fit);
}
