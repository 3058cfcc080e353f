/* tests/promises/memory/test_oom_every_np.c - heed/np.h without memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "oom_inputs.h"

static bool take_rows(const heed_np *fit, double *value)
{
    return oom_take(heed_np_fitted(fit), value) && oom_take(heed_np_residuals(fit), value) &&
           oom_take(heed_np_leverages(fit), value) && oom_take(heed_np_robust_weights(fit), value);
}

static bool use(heed_tensor *x, heed_tensor *y, const heed_np_options *options, heed_np_band band, double *value)
{
    heed_np_prediction at;
    heed_np *fit = x && y ? heed_np_fit(x, y, options) : NULL;
    const bool ok = fit && take_rows(fit, value) &&
                    heed_np_predict(fit, x, &(heed_np_predict_options){.band = band, .local = true}, &at) == HEED_OK &&
                    oom_take(at.upper, value) && oom_take(at.slope_se, value);
    heed_np_free(fit);
    return ok;
}

static bool one_column(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 7), *y = x ? heed_square(x) : NULL;
    return use(x, y, &(heed_np_options){.degree = 1, .robust = 1, .starts = 1, .max_evaluations = 3}, 0, value);
}

static bool two_columns(double *value)
{
    heed_tensor *y = heed_sum_axes(oom.plain, HEED_AXES(1), false);
    return use(oom.plain, y, &(heed_np_options){.starts = 2, .max_evaluations = 3, .weights = y}, 0, value) &&
           use(oom.plain, y, &(heed_np_options){.criterion = HEED_NP_RULE}, 0, value);
}

/* Rows of weight 0, and a fit through nearly all of the others. */
static bool weights_of_zero(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 9.0, 10);
    heed_tensor *w = x ? heed_to_dtype(heed_compare_scalar(x, HEED_COMPARE_GT, 1.5), HEED_F64) : NULL;
    return w && use(x, x, &(heed_np_options){.bandwidths = (double[]){0.2}, .weights = w}, 0, value);
}

/* Sums by windows, and by the fast Gauss transform. */
static bool many_keys(heed_nw_kernel kernel, double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 1000), *y = x ? heed_square(x) : NULL;
    return use(x, y, &(heed_np_options){.degree = 1, .kernel = kernel, .bandwidths = (double[]){0.5}}, 0, value);
}

static bool windows(double *value)
{
    return many_keys(HEED_NW_EPANECHNIKOV, value);
}

static bool gauss(double *value)
{
    return many_keys(HEED_NW_GAUSSIAN, value);
}

/* Starts from a sample of the rows. */
static bool many_rows(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 10001), *y = x ? heed_square(x) : NULL;
    const heed_np_options options = {.kernel = HEED_NW_BOXCAR, .starts = 1, .max_evaluations = 2};
    heed_np *fit = y ? heed_np_fit(x, y, &options) : NULL;
    const bool ok = fit && oom_take(heed_np_fitted(fit), value);
    heed_np_free(fit);
    return ok;
}

static bool simultaneous(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 5), *y = x ? heed_square(x) : NULL;
    return use(x, y, &(heed_np_options){.bandwidths = (double[]){0.3}}, HEED_NP_BAND_SIMULTANEOUS, value);
}

static bool plug_in(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 30), *y = x ? heed_exp(x) : NULL;
    y = y ? heed_sin(heed_mul_scalar(y, 40.0)) : NULL;
    return use(x, y, &(heed_np_options){.degree = 1, .criterion = HEED_NP_PLUG_IN}, 0, value);
}

static bool draws_of(heed_np *fit, heed_tensor *x, heed_np_resampling resampling, double *value)
{
    const heed_np_bootstrap_options options = {.resampling = resampling, .draws = 3};
    const bool ok = fit && oom_take(heed_np_bootstrap(fit, x, &options), value);
    heed_np_free(fit);
    return ok;
}

static bool wild(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 5), *y = x ? heed_square(x) : NULL;
    const heed_np_options options = {.bandwidths = (double[]){0.3}};
    return draws_of(y ? heed_np_fit(x, y, &options) : NULL, x, HEED_NP_WILD, value);
}

static bool density_pairs(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 5);
    heed_np *fit = x ? heed_np_fit_density(x, &(heed_np_options){.starts = 1, .max_evaluations = 3}) : NULL;
    heed_np_prediction at;
    if (fit && (heed_np_predict(fit, x, NULL, &at) != HEED_OK || !oom_take(at.upper, value))) {
        heed_np_free(fit);
        return false;
    }
    return draws_of(fit, x, HEED_NP_PAIRS, value);
}

/* Tests the significance of a column of numbers and of a column of labels. */
static bool significance(double *value)
{
    heed_tensor *x = heed_slice(oom.plain, 1, 0, 2, 1), *y = x ? heed_sum_axes(x, HEED_AXES(1), false) : NULL;
    x = y ? heed_round(heed_mul_scalar(x, 2)) : NULL;
    const heed_np_options options = {.bandwidths = (double[]){0.3, 0.3},
                                     .columns = (heed_np_column[]){HEED_NP_CONTINUOUS, HEED_NP_UNORDERED}};
    heed_np *fit = x && y ? heed_np_fit(x, y, &options) : NULL;
    bool ok = fit != NULL;
    for (int c = 0; ok && c < 2; c++) {
        const double p = heed_np_significance(fit, c, &(heed_np_significance_options){.draws = 3});
        ok = !isnan(p);
        *value += p;
    }
    heed_np_free(fit);
    return ok;
}

static bool quantile(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 6), *y = x ? heed_square(x) : NULL;
    heed_np *fit = y ? heed_np_fit(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.3}}) : NULL;
    const bool ok = fit && oom_take(heed_np_quantile(fit, x, 0.3), value);
    heed_np_free(fit);
    return ok;
}

static bool classes(double *value)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 6), *labels = x ? heed_round(x) : NULL, *p = NULL;
    heed_np *fit =
        labels ? heed_np_fit_classes(x, labels, &(heed_np_options){.starts = 1, .max_evaluations = 3}) : NULL;
    heed_tensor *found = fit ? heed_np_classify(fit, x, &p) : NULL;
    const bool ok = found && oom_take(p, value) && oom_take(heed_to_dtype(found, HEED_F64), value) &&
                    oom_take(heed_to_dtype(heed_np_classes(fit), HEED_F64), value);
    heed_np_free(fit);
    return ok;
}

OOM_MAIN("oom_every_np", OOM(one_column), OOM(two_columns), OOM(weights_of_zero), OOM(windows), OOM(gauss),
         OOM(many_rows), OOM(simultaneous), OOM(plug_in), OOM(wild), OOM(density_pairs), OOM(significance),
         OOM(quantile), OOM(classes))
