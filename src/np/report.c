/* np/report.c - accessors of a fit: the report, bandwidths, and tensors of the rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/debug.h>

#include "base/mark.h"
#include "core/parallel.h"
#include "np/fit.h"

bool heed__np_check(const char *where, const heed_np *fit)
{
    if (!fit)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "fit is NULL");
    return heed__is_marked(fit->mark, HEED_NP) || heed_fail_freed(where, "the fit", fit);
}

bool heed__np_check_curve(const char *where, const heed_np *fit)
{
    if (!heed__np_check(where, fit))
        return false;
    return !fit->smoother.conditional ||
           heed_fail_false(HEED_ERR_UNSUPPORTED, where, "the fit is of classes: use heed_np_classify");
}

bool heed__np_check_regression(const char *where, const heed_np *fit)
{
    if (!heed__np_check_curve(where, fit))
        return false;
    return !fit->is_density || heed_fail_false(HEED_ERR_UNSUPPORTED, where, "the fit is a density, not a regression");
}

heed_np_report heed_np_get_report(const heed_np *fit)
{
    return heed__np_check("np_get_report", fit) ? fit->report : (heed_np_report){0};
}

static bool check_list(const char *where, const heed_np *fit, const double *bandwidths, int count)
{
    if (!heed__np_check(where, fit))
        return false;
    if (!bandwidths)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "bandwidths is NULL");
    if (count != fit->data.columns)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "count is %d: the fit has %d columns", count,
                               fit->data.columns);
    return true;
}

heed_status heed_np_bandwidths(const heed_np *fit, double *bandwidths, int count)
{
    if (!check_list("np_bandwidths", fit, bandwidths, count))
        return heed_error_code();
    for (int c = 0; c < count; c++)
        bandwidths[c] = fit->smoother.h[c];
    return HEED_OK;
}

double heed_np_minimum(const heed_np *fit, int i, double *bandwidths, int count)
{
    static const char where[] = "np_minimum";
    if (!check_list(where, fit, bandwidths, count))
        return (double)NAN;
    if (i < 0 || i >= fit->search.minima) {
        (void)heed_fail(HEED_ERR_INDEX, where, "i is %d: the search found %d minima", i, fit->search.minima);
        return (double)NAN;
    }
    for (int c = 0; c < count; c++)
        bandwidths[c] = fit->search.found[i].h[c];
    return fit->search.found[i].value;
}

/* Returns e_i / (1 - H_ii), the residual of row i from a fit without this row. If no other row is visible, returns the
 * standard deviation of the row's error. */
static double left_out_residual(const heed_np *fit, int64_t row, char *scratch)
{
    const heed__np_data *data = &fit->data;
    const heed__np_local *at = heed__np_local_at(&fit->locals, data->key_of[row]);
    const double w = data->row_w[row], rest = 1 - w * at->own;
    if (rest >= HEED__NP_LEAST_REST)
        return (data->row_y[row] - at->mean) / rest;
    heed__np_local_buffer buffer;
    heed__np_local *others = &buffer.local;
    heed__np_leave_out(&fit->smoother, row, &(heed__np_requested){0}, scratch, others);
    return others->has_no_keys ? fit->report.sigma / data->unit / sqrt(w) : data->row_y[row] - others->mean;
}

typedef struct errors_run {
    const heed_np *fit;
    double *errors;
} errors_run;

static void find_errors(int64_t begin, int64_t end, char *scratch, void *context)
{
    const errors_run *run = context;
    const heed__np_data *data = &run->fit->data;
    for (int64_t row = begin; row < end; row++) {
        const double w = data->row_w[row];
        run->errors[row] = w > 0 ? w / data->w[data->key_of[row]] * left_out_residual(run->fit, row, scratch) : 0;
    }
}

bool heed__np_find_errors(const char *where, const heed_np *fit, double *errors)
{
    errors_run run = {fit, errors};
    return heed__parallel_for_scratch(where, fit->data.rows, 1024, 1024 * 8, heed__np_direct_scratch(&fit->smoother),
                                      find_errors, &run);
}

/* -- Tensors of the rows ------------------------------------------------------------------------------------------- */

/* The fit at the x of a row, and the row's value and weights. */
typedef struct row_view {
    const heed__np_local *at;
    double y, w, robust;
} row_view;

typedef double row_number(const heed_np *fit, const row_view *row);

static row_view view_row(const heed_np *fit, const heed__np_locals *absent, int64_t i)
{
    const heed__np_data *data = &fit->data;
    const int64_t row = data->absent.index ? data->absent.index[i] : i;
    if (row < 0)
        return (row_view){heed__np_local_at(absent, -1 - row), data->absent.y[-1 - row] / data->unit, 0, 1};
    return (row_view){heed__np_local_at(&fit->locals, data->key_of[row]), data->row_y[row], data->row_w[row],
                      fit->robust_weights[row]};
}

static heed_tensor *of_rows(const char *where, const heed_np *fit, row_number *number)
{
    HEED_ENTER(where);
    const heed__np_absent *absent = &fit->data.absent;
    heed__np_locals locals;
    heed_tensor *t = heed__tensor_new(where, HEED_F64, &HEED_SHAPE(absent->rows));
    if (!t || !heed__np_locals_new(&locals, fit->data.columns, absent->count))
        return NULL;
    const bool good = absent->count == 0 ||
                      heed__np_fit_at(&fit->smoother, absent->x, absent->count, &(heed__np_requested){0}, &locals);
    for (int64_t i = 0; good && i < absent->rows; i++) {
        const row_view row = view_row(fit, &locals, i);
        heed__np_numbers(t)[i] = number(fit, &row);
    }
    heed__np_locals_free(&locals);
    return good ? t : NULL;
}

static double fitted(const heed_np *fit, const row_view *row)
{
    return fit->data.unit * row->at->mean;
}

static double density(const heed_np *fit, const row_view *row)
{
    return heed__np_density(&fit->smoother, row->at);
}

static double row_residual(const heed_np *fit, const row_view *row)
{
    return fit->data.unit * row->y - fitted(fit, row);
}

static double leverage(const heed_np *fit, const row_view *row)
{
    (void)fit;
    return row->w > 0 && row->at->has_no_keys ? (double)NAN : row->w * row->at->own;
}

static double robust_weight(const heed_np *fit, const row_view *row)
{
    (void)fit;
    return row->robust;
}

heed_tensor *heed_np_fitted(const heed_np *fit)
{
    static const char where[] = "np_fitted";
    return heed__np_check_curve(where, fit) ? of_rows(where, fit, fit->is_density ? density : fitted) : NULL;
}

heed_tensor *heed_np_residuals(const heed_np *fit)
{
    static const char where[] = "np_residuals";
    return heed__np_check_regression(where, fit) ? of_rows(where, fit, row_residual) : NULL;
}

heed_tensor *heed_np_leverages(const heed_np *fit)
{
    static const char where[] = "np_leverages";
    return heed__np_check_regression(where, fit) ? of_rows(where, fit, leverage) : NULL;
}

heed_tensor *heed_np_robust_weights(const heed_np *fit)
{
    static const char where[] = "np_robust_weights";
    return heed__np_check_regression(where, fit) ? of_rows(where, fit, robust_weight) : NULL;
}
