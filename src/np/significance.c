/* np/significance.c - tests whether a column affects the fitted function m. The effect of the column is compared with
 * its effect in random draws of y in which the column has no effect.
 *
 * The effect of a column is a sum of g (c y)^2 over vectors c; c y is a linear function of the values y. For a
 * continuous column, there is a c for every row: c y is dm / dx, and g is the row's weight / |c|^2. For a column of
 * labels, there is a c for every row and every label but the first: c y is m at this label minus m at the first label,
 * and g is the row's weight. The effect is divided by the residual sum of squares, so it has no unit. A draw is the fit
 * with the column at its median, plus residuals with random signs.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "np/fit.h"

static const char where[] = "np_significance";

enum { DRAWS = 399, ROWS_AT_ONCE = 1 << 22 };

typedef struct significance_run {
    const heed_np *fit;
    int column, slope; /* slope: index of the column among the continuous columns, or -1 for labels */
    uint64_t seed;
    int64_t draws;
    heed_tensor *values;         /* (1 + draws, keys): y, and y* of every draw */
    double *effects, *residuals; /* (1 + draws): effects and residual sums of squares */
    double *x;                   /* (columns, keys): queries */
} significance_run;

/* -- Draws --------------------------------------------------------------------------------------------------------- */

/* Sets the tested column of all queries to one value. */
static void put_in_column(const significance_run *run, double value)
{
    const int64_t keys = run->fit->data.keys;
    for (int64_t k = 0; k < keys; k++)
        run->x[run->column * keys + k] = value;
}

/* Checks that the fit with the column at `middle` is defined at every row. Returns false after heed_fail. */
static bool check_middle(const significance_run *run, double middle, const heed__np_locals *locals)
{
    const heed__np_data *data = &run->fit->data;
    int64_t undefined = 0;
    for (int64_t i = 0; i < data->rows; i++)
        undefined += data->row_w[i] > 0 && heed__np_local_at(locals, data->key_of[i])->has_no_keys;
    return undefined == 0 || heed_fail_false(HEED_ERR_ARGUMENT, where,
                                             "with column %d at its median %g, %" PRId64 " of %" PRId64
                                             " rows have no row within the window: widen its bandwidth",
                                             run->column, middle, undefined, data->rows);
}

/* Fills run->values with y and with the draws, which are the fit with the column at `middle` plus residuals with random
 * signs. Returns false after heed_fail. */
static bool draw_without_effect(const significance_run *run, double middle, const heed__np_locals *locals,
                                double *errors)
{
    const heed__np_data *data = &run->fit->data;
    put_in_column(run, middle);
    if (!heed__np_fit_at(&run->fit->smoother, run->x, data->keys, &(heed__np_requested){0}, locals))
        return false;
    if (!check_middle(run, middle, locals))
        return false;
    for (int64_t i = 0; i < data->rows; i++) {
        const int64_t k = data->key_of[i];
        if (data->w[k] == 0)
            continue;
        const double share = data->row_w[i] / data->w[k];
        errors[i] = share * (data->row_y[i] - heed__np_local_at(locals, k)->mean);
    }
    double *values = heed__np_numbers(run->values);
    memcpy(values, data->y, (size_t)data->keys * sizeof *values);
    for (int64_t d = 0; d < run->draws; d++) {
        double *drawn = values + (d + 1) * data->keys;
        for (int64_t k = 0; k < data->keys; k++)
            drawn[k] = data->w[k] > 0 ? heed__np_local_at(locals, k)->mean : 0;
        heed__np_draw_values(data, run->seed, d, errors, drawn);
    }
    return true;
}

/* -- Sums over rows ------------------------------------------------------------------------------------------------ */

/* Returns run->values times the transpose of `rows` (count, keys): a matrix (1 + draws, count). It is contiguous and
 * belongs to the scope. Returns NULL after heed_fail. */
static heed_tensor *fit_draws(const significance_run *run, heed_tensor *rows)
{
    return heed_contiguous(heed_matmul(run->values, heed_transpose(rows, 0, 1)));
}

/* Returns (count, keys): heed__np_direct_row at queries `first` to `first + count - 1` of run->x. The result belongs to
 * the scope. NULL after heed_fail. */
static heed_tensor *rows_of_keys(const significance_run *run, int64_t first, int64_t count, int slope)
{
    const heed__np_data *data = &run->fit->data;
    heed_tensor *rows = heed_zeros(HEED_F64, HEED_SHAPE(count, data->keys));
    const heed__np_query_range at = {run->x, data->keys, first, count};
    return rows && heed__np_rows_at(&run->fit->smoother, &at, slope, heed__np_numbers(rows)) ? rows : NULL;
}

/* Adds to effects[d], for y and every draw, the sum of g (row y)^2 over `rows`, the rows at keys from `first` on. g is
 * the key's weight, divided by the squared norm of the row if is_scaled. Returns false after heed_fail. */
static bool add_effects(const significance_run *run, heed_tensor *rows, int64_t first, bool is_scaled)
{
    const heed__np_data *data = &run->fit->data;
    heed_tensor *products = fit_draws(run, rows);
    if (!products)
        return false;
    const int64_t count = heed_dim(rows, 0);
    for (int64_t i = 0; i < count; i++) {
        const double *row = heed__np_numbers(rows) + i * data->keys;
        double square = is_scaled ? 0 : 1;
        if (data->w[first + i] == 0 || isnan(row[0])) /* at weight 0 or with an undefined row, the key has no effect */
            continue;
        for (int64_t k = 0; is_scaled && k < data->keys; k++)
            square += data->w[k] > 0 ? row[k] * row[k] / data->w[k] : 0;
        const double g = square > 0 ? data->w[first + i] / square : 0;
        for (int64_t d = 0; d <= run->draws; d++) {
            const double effect = heed__np_numbers(products)[d * count + i];
            run->effects[d] += g * effect * effect;
        }
    }
    return true;
}

static bool add_residuals(const significance_run *run, heed_tensor *rows, int64_t first)
{
    const heed__np_data *data = &run->fit->data;
    heed_tensor *fits = fit_draws(run, rows);
    const int64_t count = heed_dim(rows, 0);
    for (int64_t d = 0; fits && d <= run->draws; d++)
        for (int64_t i = 0; i < count; i++) {
            if (data->w[first + i] == 0)
                continue;
            const double y = heed__np_numbers(run->values)[d * data->keys + first + i];
            const double e = y - heed__np_numbers(fits)[d * count + i];
            run->residuals[d] += data->w[first + i] * e * e;
        }
    return fits != NULL;
}

/* Adds the effects of all labels but the first, at `queries` keys from key `first` on. Returns false after
 * heed_fail. */
static bool add_labels(const significance_run *run, const double *labels, int64_t count, int64_t first, int64_t queries)
{
    put_in_column(run, labels[0]);
    heed_tensor *base = rows_of_keys(run, first, queries, -1);
    for (int64_t l = 1; base && l < count; l++) {
        heed_scope *scope = heed_scope_begin();
        put_in_column(run, labels[l]);
        heed_tensor *rows = scope ? rows_of_keys(run, first, queries, -1) : NULL;
        const bool good = rows && add_effects(run, heed_sub(rows, base), first, false);
        heed_scope_end(scope);
        if (!good)
            return false;
    }
    return base != NULL;
}

static void restore_column(const significance_run *run)
{
    const heed__np_data *data = &run->fit->data;
    memcpy(run->x, data->x, (size_t)(data->columns * data->keys) * sizeof *run->x);
}

/* Adds the effects and squared residuals at `queries` keys from `first` on. Returns false after heed_fail. */
static bool add_some(const significance_run *run, const double *labels, int64_t count, int64_t first, int64_t queries)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    restore_column(run);
    heed_tensor *rows = rows_of_keys(run, first, queries, -1);
    bool good = rows && add_residuals(run, rows, first);
    if (good && run->slope >= 0) {
        rows = rows_of_keys(run, first, queries, run->slope);
        good = rows && add_effects(run, rows, first, true);
    } else if (good) {
        good = add_labels(run, labels, count, first, queries);
    }
    heed_scope_end(scope);
    return good;
}

/* -- The test ------------------------------------------------------------------------------------------------------ */

/* Returns the share of y and the draws whose effect is not below the effect of y. Calls heed_fail if residuals are
 * 0. */
static double p_value(const significance_run *run)
{
    int64_t above = 0;
    const heed__np_data *data = &run->fit->data;
    const double own = run->effects[0] / run->residuals[0], rounding = HEED__NP_FIT_ROUNDING * data->rounding;
    const bool is_exact = !(run->residuals[0] > data->total * rounding * rounding);
    if (isnan(own) || isnan(run->fit->report.sigma) || (is_exact && run->fit->report.trace > data->total - 1)) {
        (void)heed_fail(HEED_ERR_ARGUMENT, where,
                        "the fit goes through all rows, tr H is %g: no residuals remain for the test",
                        run->fit->report.trace);
        return own;
    }
    for (int64_t d = 0; d <= run->draws; d++)
        above += !(run->effects[d] / run->residuals[d] < own);
    return (double)above / (double)(run->draws + 1);
}

static bool test_column(significance_run *run)
{
    const heed__np_data *data = &run->fit->data;
    const double *column = data->x + run->column * data->keys;
    heed_tensor *labels = /* the distinct values of the column in ascending order */
        heed_unique(heed_from_values(HEED_F64, HEED_SHAPE(data->keys), column, data->keys), NULL, NULL),
                *x = heed_zeros(HEED_F64, HEED_SHAPE(data->columns, data->keys));
    heed_tensor *sums = heed_zeros(HEED_F64, HEED_SHAPE(2, run->draws + 1)),
                *errors = heed_zeros(HEED_F64, HEED_SHAPE(data->rows));
    run->values = heed_zeros(HEED_F64, HEED_SHAPE(run->draws + 1, data->keys));
    heed__np_locals locals;
    if (!labels || !x || !sums || !errors || !run->values || !heed__np_locals_new(&locals, data->columns, data->keys))
        return false;
    run->x = heed__np_numbers(x);
    run->effects = heed__np_numbers(sums);
    run->residuals = run->effects + run->draws + 1;
    restore_column(run);
    const int64_t count = heed_numel(labels), most = 1 + ROWS_AT_ONCE / data->keys;
    bool good = draw_without_effect(run, heed__np_numbers(labels)[count / 2], &locals, heed__np_numbers(errors));
    heed__np_locals_free(&locals);
    for (int64_t k = 0; good && k < data->keys; k += most)
        good = add_some(run, heed__np_numbers(labels), count, k, data->keys - k < most ? data->keys - k : most);
    return good;
}

static bool check_significance(const heed_np *fit, int column, const heed_np_significance_options *o)
{
    if (!heed__np_check_regression(where, fit))
        return false;
    if (column < 0 || column >= fit->data.columns)
        return heed_fail_false(HEED_ERR_INDEX, where, "column is %d: must be in 0 .. %d", column,
                               fit->data.columns - 1);
    return o->draws >= 0 || heed_fail_false(HEED_ERR_ARGUMENT, where, "draws is %d: must not be negative", o->draws);
}

double heed_np_significance(const heed_np *fit, int column, const heed_np_significance_options *options)
{
    HEED_ENTER(where);
    const heed_np_significance_options o = options ? *options : (heed_np_significance_options){0};
    heed_scope *scope = check_significance(fit, column, &o) ? heed_no_grad_begin() : NULL;
    if (!scope)
        return (double)NAN;
    if (!fit->data.varies) {
        heed_scope_end(scope);
        return 1;
    }
    significance_run run = {
        .fit = fit, .column = column, .slope = -1, .seed = o.seed, .draws = o.draws ? o.draws : DRAWS};
    for (int c = 0; c <= column && fit->data.kinds[column] == HEED_NP_CONTINUOUS; c++)
        run.slope += fit->data.kinds[c] == HEED_NP_CONTINUOUS;
    const double p = test_column(&run) ? p_value(&run) : (double)NAN;
    heed_scope_end(scope);
    return p;
}
