/* np/predict.c - predictions at any queries, with standard errors and bands.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "np/fit.h"
#include "np/sorted_sums.h"

static const char where[] = "np_predict";

/* -- Variances of the keys' values --------------------------------------------------------------------------------- */

/* Adds the local variance of every row to its key's variance. It is the square of the row's residual from a fit without
 * the row. Returns false after heed_fail. */
static bool find_local_variances(const heed_np *fit, double *variances)
{
    const heed__np_data *data = &fit->data;
    const size_t bytes = (size_t)data->rows * sizeof(double);
    double *errors = heed_alloc(bytes);
    const bool good = errors && heed__np_find_errors(where, fit, errors);
    for (int64_t i = 0; good && i < data->rows; i++)
        variances[data->key_of[i]] += errors[i] * errors[i];
    heed_free(errors, bytes);
    return good;
}

/* For a density, adds sum_i (w_i / W)^2 over the rows of every key, with the key's weight W. */
static void find_squares(const heed__np_data *data, double *squares)
{
    for (int64_t i = 0; i < data->rows; i++) {
        const int64_t k = data->key_of[i];
        const double share = data->w[k] > 0 ? data->row_w[i] / data->w[k] : 0;
        squares[k] += share * share;
    }
}

/* -- Bands --------------------------------------------------------------------------------------------------------- */

/* Returns z with P(|N(0, 1)| < z) = level, by Newton's method on erfc(z / sqrt 2) = 1 - level in logarithms, which
 * converges from any start. */
static double normal_quantile(double level)
{
    const double pi = 3.14159265358979323846;
    double z = 1;
    for (int i = 0; i < 60; i++) {
        const double tail = erfc(z / sqrt(2)), density = sqrt(2 / pi) * exp(-z * z / 2);
        z += (log(tail) - log1p(-level)) * tail / density;
    }
    return z;
}

typedef struct prediction_run {
    const heed_np *fit;
    const heed_np_predict_options *options;
    heed__np_smoother smoother; /* the fit's smoother, or a copy whose degree is higher by one */
    const double *x;
    int64_t n;
    double *variances; /* (keys): variances of the keys' values */
    heed__np_locals locals;
    heed_np_prediction *out;
} prediction_run;

/* -- Simultaneous bands -------------------------------------------------------------------------------------------- */

/* Let the value of key k have the error s_k e_k with the standard deviation s_k and independent standard normal numbers
 * e_k. The error of the fit at query q is then e(q) = sum_k l_k(q) s_k e_k; l_k(q) is the weight of key k in the fit.
 * The band extends c standard errors to either side of the fit. c is a quantile of the maximum of |e(q) / se(q)| over
 * all queries, which is estimated from random draws of e. */

enum { DRAWS = 10000, MOST_CHUNKS = 100 };

/* Replaces the l_k of a query by l_k s_k / se, a row of norm 1. Sets the row to 0 if se is 0 or undefined, so that it
 * does not affect the maximum. */
static void normalise_row(int64_t keys, const double *variances, double *row)
{
    double squares = 0;
    for (int64_t k = 0; k < keys; k++) {
        row[k] *= sqrt(variances[k]);
        squares += row[k] * row[k];
    }
    for (int64_t k = 0; k < keys; k++)
        row[k] = squares > 0 ? row[k] / sqrt(squares) : 0;
}

/* Returns (draws): for every draw, the maximum over the queries. Returns NULL after heed_fail. */
static heed_tensor *draw_maxima(heed_tensor *rows, int64_t draws)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *errors = heed_randn(HEED_F64, HEED_SHAPE(heed_dim(rows, 1), draws));
    return heed_scope_return(scope, heed_max_axes(heed_abs(heed_matmul(rows, errors)), HEED_AXES(0), false));
}

/* Returns (DRAWS): for every draw, the maximum over the queries. Returns NULL after heed_fail. */
static heed_tensor *draw_all_maxima(heed_tensor *rows, uint64_t seed)
{
    heed_tensor *list[MOST_CHUNKS];
    const int chunks =
        /* more keys need more memory per draw, so chunks have fewer draws */
        heed_dim(rows, 1) < 2048 ? MOST_CHUNKS / 25 : MOST_CHUNKS;
    heed_generator *generator = heed_generator_new(seed);
    heed_generator *outer = generator ? heed_generator_use(generator) : NULL;
    bool good = outer != NULL;
    for (int i = 0; good && i < chunks; i++)
        good = (list[i] = draw_maxima(rows, DRAWS / chunks)) != NULL;
    if (outer)
        heed_generator_use(outer);
    heed_generator_free(generator);
    return good ? heed_concat(list, chunks, 0) : NULL;
}

/* Computes the half-width, in standard errors, of a band that holds at all queries at once. Returns false after
 * heed_fail. */
static bool find_simultaneous(const prediction_run *run, double level, double *quantile)
{
    const int64_t keys = run->fit->data.keys;
    const heed__np_query_range at = {run->x, run->n, 0, run->n};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *rows = scope ? heed_zeros(HEED_F64, HEED_SHAPE(run->n, keys)) : NULL;
    bool good = rows && heed__np_rows_at(&run->smoother, &at, -1, heed__np_numbers(rows));
    for (int64_t i = 0; good && i < run->n; i++)
        normalise_row(keys, run->variances, heed__np_numbers(rows) + i * keys);
    heed_tensor *sorted = good ? heed_sort(draw_all_maxima(rows, run->options->seed)) : NULL;
    if (sorted)
        *quantile = heed__np_numbers(sorted)[(int64_t)(level * DRAWS)];
    heed_scope_end(scope);
    return sorted != NULL;
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

static bool make_tensors(const prediction_run *run)
{
    heed_np_prediction *out = run->out;
    heed_tensor **rows[] = {&out->mean, &out->se, &out->lower, &out->upper};
    heed_tensor **slopes[] = {&out->slopes, &out->slope_se};
    for (int i = 0; i < 4; i++)
        if (!(*rows[i] = heed__tensor_new(where, HEED_F64, &HEED_SHAPE(run->n))))
            return false;
    for (int i = 0; i < 2; i++)
        if (!(*slopes[i] = heed__tensor_new(where, HEED_F64, &HEED_SHAPE(run->n, run->fit->data.smooth))))
            return false;
    return true;
}

static void fill_regression(const prediction_run *run, double quantile)
{
    const heed__np_data *data = &run->fit->data;
    const int smooth = data->smooth;
    const double unit = data->unit, sigma = run->fit->report.sigma / unit;
    const double extra = run->options->band == HEED_NP_BAND_PREDICTION ? sigma * sigma : 0;
    for (int64_t i = 0; i < run->n; i++) {
        const heed__np_local *at = heed__np_local_at(&run->locals, i);
        const double reach = quantile * sqrt(at->variance + extra);
        run->out->undefined += at->has_no_keys;
        heed__np_numbers(run->out->mean)[i] = unit * at->mean;
        heed__np_numbers(run->out->se)[i] = unit * sqrt(at->variance);
        heed__np_numbers(run->out->lower)[i] = unit * (at->mean - reach);
        heed__np_numbers(run->out->upper)[i] = unit * (at->mean + reach);
        for (int j = 0; j < smooth; j++) {
            heed__np_numbers(run->out->slopes)[i * smooth + j] = unit * at->by[j].slope;
            heed__np_numbers(run->out->slope_se)[i * smooth + j] = unit * sqrt(at->by[j].slope_variance);
        }
    }
}

/* Fills in the results for a density f. The standard error is the root of sum w_i^2 g_i^2 / W^2 - f^2 sum w_i^2 / W^2,
 * where g_i is the density that row i alone would give, and W the sum of weights. */
static void fill_density(const prediction_run *run, double quantile)
{
    const heed__np_data *data = &run->fit->data;
    double shares = 0;
    for (int64_t i = 0; i < data->rows; i++)
        shares += data->row_w[i] / data->total * (data->row_w[i] / data->total);
    for (int64_t i = 0; i < run->n; i++) {
        const heed__np_local *at = heed__np_local_at(&run->locals, i);
        const double f = heed__np_density(&run->smoother, at), se = f * sqrt(fmax(at->variance - shares, 0));
        heed__np_numbers(run->out->mean)[i] = f;
        heed__np_numbers(run->out->se)[i] = se;
        heed__np_numbers(run->out->lower)[i] = fmax(f - quantile * se, 0);
        heed__np_numbers(run->out->upper)[i] = f + quantile * se;
    }
    run->out->slopes = run->out->slope_se = NULL;
}

/* -- The function -------------------------------------------------------------------------------------------------- */

static bool check_prediction(const heed_np *fit, const heed_np_predict_options *o, const heed_np_prediction *prediction)
{
    if (!heed__np_check_curve(where, fit))
        return false;
    if (!prediction)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "prediction is NULL");
    if ((int)o->band < HEED_NP_BAND_POINTWISE || o->band > HEED_NP_BAND_PREDICTION)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "band must be one of HEED_NP_BAND_*, not %d", (int)o->band);
    if (!(o->level >= 0 && o->level < 1))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "level is %g: must be above 0 and below 1", o->level);
    if (fit->is_density && (o->band != HEED_NP_BAND_POINTWISE || o->local || o->corrected))
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "band is %d, local %d, corrected %d: must be 0 for a density", (int)o->band, o->local,
                               o->corrected);
    const int degree = fit->smoother.degree + o->corrected;
    if (degree > HEED__NP_DEGREE || heed__np_powers(fit->data.smooth, degree) > HEED_NP_MAX_POWERS)
        return heed_fail_false(
            HEED_ERR_UNSUPPORTED, where,
            "corrected needs degree %d in %d continuous columns: must be at most %d, with at most %d powers", degree,
            fit->data.smooth, HEED__NP_DEGREE, HEED_NP_MAX_POWERS);
    return true;
}

static bool compute_prediction(prediction_run *run)
{
    const heed_np_predict_options *o = run->options;
    const heed__np_data *data = &run->fit->data;
    const bool is_density = run->fit->is_density;
    const double sigma = run->fit->report.sigma / data->unit;
    const heed__np_requested requested = {.slopes = !is_density, .variances = run->variances};
    if (is_density)
        find_squares(data, run->variances);
    else if (o->local && !find_local_variances(run->fit, run->variances))
        return false;
    /* the value of a key is the mean of rows with weights w_i and variances sigma^2 / w_i, so its variance is sum_i
     * (w_i / W)^2 sigma^2 / w_i = sigma^2 / W with W = sum_i w_i */
    for (int64_t k = 0; !is_density && !o->local && k < data->keys; k++)
        run->variances[k] = data->w[k] == 0 ? 0 : sigma * sigma / data->w[k];
    if (!make_tensors(run) || !heed__np_fit_at(&run->smoother, run->x, run->n, &requested, &run->locals))
        return false;
    const double level = o->level > 0 ? o->level : 0.95;
    double quantile = normal_quantile(level);
    if (o->band == HEED_NP_BAND_SIMULTANEOUS && run->n > 0 && !find_simultaneous(run, level, &quantile))
        return false;
    if (is_density)
        fill_density(run, quantile);
    else
        fill_regression(run, quantile);
    return true;
}

static bool predict_at(const heed_np *fit, heed_tensor *x, const heed_np_predict_options *o, heed_np_prediction *out)
{
    prediction_run run = {.fit = fit, .options = o, .out = out};
    run.smoother = fit->smoother;
    run.smoother.degree += o->corrected;
    run.x = heed__np_queries(where, &fit->data, x, &run.n);
    if (!run.x)
        return false;
    run.variances = heed_calloc((size_t)fit->data.keys, sizeof *run.variances);
    const bool good =
        run.variances && heed__np_locals_new(&run.locals, fit->data.columns, run.n) && compute_prediction(&run);
    heed__np_locals_free(&run.locals);
    heed_free(run.variances, (size_t)fit->data.keys * sizeof *run.variances);
    return good;
}

heed_status heed_np_predict(const heed_np *fit, heed_tensor *x, const heed_np_predict_options *options,
                            heed_np_prediction *prediction)
{
    HEED_ENTER(where);
    const heed_np_predict_options o = options ? *options : (heed_np_predict_options){0};
    if (prediction)
        *prediction = (heed_np_prediction){0};
    if (check_prediction(fit, &o, prediction) && predict_at(fit, x, &o, prediction))
        return HEED_OK;
    if (prediction)
        *prediction = (heed_np_prediction){0};
    return heed_error_code();
}
