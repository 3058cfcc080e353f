/* tests/np/test_np_bootstrap.c - tests the mean and deviation of bootstrap draws.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

static heed_np *motorcycles(const heed_np_options *options)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    return fit_of(x, y, options);
}

static heed_tensor *draws_of(const heed_np *fit, heed_tensor *x, const heed_np_bootstrap_options *options)
{
    heed_tensor *draws = heed_np_bootstrap(fit, x, options);
    ck_assert_msg(draws != NULL, "%s", heed_error_message());
    return draws;
}

static const double width = 1.475794;

/* The mean of wild draws is the fit of the fitted values; their variance follows from errors of the rows' own sizes. */
START_TEST(wild)
{
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 10.0, 21.0, 45.0), *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    const heed_np_options options = {.degree = 1, .bandwidths = &width};
    heed_np *fit = motorcycles(&options), *again = fit_of(x, heed_np_fitted(fit), &options);
    heed_np_prediction p, twice;
    ck_assert_int_eq(heed_np_predict(fit, q, &(heed_np_predict_options){.local = true}, &p), HEED_OK);
    ck_assert_int_eq(heed_np_predict(again, q, NULL, &twice), HEED_OK);
    heed_tensor *draws = draws_of(fit, q, &(heed_np_bootstrap_options){.draws = 20000, .seed = 5});
    ck_assert_int_eq(heed_dim(draws, 0), 20000);
    ck_assert_int_eq(heed_dim(draws, 1), 3);
    heed_tensor *mean = heed_mean_axes(draws, HEED_AXES(0), false), *std = heed_std(draws, HEED_AXES(0), 1, false);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_lt(fabs(at(mean, i) - at(twice.mean, i)), 5 * at(p.se, i) / sqrt(20000));
        near(at(std, i) / at(p.se, i), 1, 0.02, "the deviation of wild draws");
    }
    heed_np_free(again);
    heed_np_free(fit);
}
END_TEST

/* If the window covers all rows, a draw by HEED_NP_PAIRS is the mean of n rows drawn with replacement from the n rows.
 * Its standard deviation is known. Weights are resampled with their rows. */
START_TEST(pairs)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 50), *y = heed_square(x);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.bandwidths = (double[]){1e9}});
    const heed_np_bootstrap_options options = {.resampling = HEED_NP_PAIRS, .draws = 5000, .seed = 2};
    heed_tensor *draws = heed_select(draws_of(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 0.5), &options), 1, 0);
    const double mean = heed_item(heed_mean(y)), error = heed_item(heed_std(y, HEED_ALL_AXES, 0, false)) / sqrt(50);
    ck_assert_double_lt(fabs(heed_item(heed_mean(draws)) - mean), 5 * error / sqrt(5000));
    near(heed_item(heed_std(draws, HEED_ALL_AXES, 1, false)) / error, 1, 0.04, "the deviation of pairs");
    heed_np_free(fit);
}
END_TEST

/* A draw does not depend on the other queries, on the number of threads (1 or 3) or on the unit of y. */
static void check_alone(heed_np_resampling resampling)
{
    heed_tensor *q = heed_linspace(HEED_F64, 3, 55, 9), *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    const heed_np_options fit_options = {.degree = 1, .robust = 1, .bandwidths = &width};
    const heed_np_bootstrap_options options = {.resampling = resampling, .draws = 40, .seed = 9};
    heed_np *fit = fit_of(x, y, &fit_options), *large = fit_of(x, heed_mul_scalar(y, 0x1p600), &fit_options);
    heed_tensor *all = draws_of(fit, q, &options), *scaled = draws_of(large, q, &options);
    heed_tensor *one = draws_of(fit, heed_slice(q, 0, 4, 5, 1), &options);
    heed_set_num_threads(3);
    ck_assert(hash_tensor(HASH_BEGIN, all) == hash_tensor(HASH_BEGIN, draws_of(fit, q, &options)));
    heed_set_num_threads(1);
    ck_assert(hash_tensor(HASH_BEGIN, all) == hash_tensor(HASH_BEGIN, draws_of(fit, q, &options)));
    for (int d = 0; d < 40; d++) {
        near(heed_get(one, HEED_INDEX(d, 0)), heed_get(all, HEED_INDEX(d, 4)), 1e-12, "a draw alone");
        near(heed_get(scaled, HEED_INDEX(d, 4)) * 0x1p-600, heed_get(all, HEED_INDEX(d, 4)), 1e-9, "in another unit");
    }
    const heed_np_bootstrap_options other = {.resampling = resampling, .draws = 40, .seed = 10};
    ck_assert(hash_tensor(HASH_BEGIN, all) != hash_tensor(HASH_BEGIN, draws_of(fit, q, &other)));
    heed_np_free(large);
    heed_np_free(fit);
}

START_TEST(alone)
{
    check_alone(HEED_NP_WILD);
    check_alone(HEED_NP_PAIRS);
}
END_TEST

/* Several chunks: with many rows only a few draws and queries are computed at a time. */
START_TEST(many_rows)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 3000), *y = heed_sin(heed_mul_scalar(x, 6));
    y = heed_add(y, heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(3000)), 0.1));
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.02}});
    heed_tensor *q = heed_linspace(HEED_F64, 0, 1, 1500);
    const heed_np_bootstrap_options options = {.draws = 360};
    heed_tensor *all = draws_of(fit, q, &options), *last = draws_of(fit, heed_slice(q, 0, 1499, 1500, 1), &options);
    for (int d = 0; d < 360; d++)
        near(heed_get(last, HEED_INDEX(d, 0)), heed_get(all, HEED_INDEX(d, 1499)), 1e-12, "the last query");
    heed_np_free(fit);
}
END_TEST

/* Densities resample pairs. */
START_TEST(of_a_density)
{
    heed_tensor *x, *other;
    load(HEED_SOURCE_DIR "/examples/data/faithful.csv", "eruptions", "waiting", &x, &other);
    heed_np *fit = heed_np_fit_density(x, &(heed_np_options){.bandwidths = (double[]){0.3}});
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2.0, 4.4);
    heed_np_prediction p;
    ck_assert_int_eq(heed_np_predict(fit, q, NULL, &p), HEED_OK);
    const heed_np_bootstrap_options options = {.resampling = HEED_NP_PAIRS, .draws = 4000};
    heed_tensor *draws = draws_of(fit, q, &options);
    heed_tensor *mean = heed_mean_axes(draws, HEED_AXES(0), false), *std = heed_std(draws, HEED_AXES(0), 1, false);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_lt(fabs(at(mean, i) - at(p.mean, i)), 5 * at(p.se, i) / sqrt(4000));
        near(at(std, i) / at(p.se, i), 1, 0.05, "the deviation of densities");
    }
    heed_np_free(fit);
}
END_TEST

START_TEST(mistakes)
{
    heed_np *fit = motorcycles(&(heed_np_options){.bandwidths = &width});
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 10.0), *none = heed_zeros(HEED_F64, HEED_SHAPE(0));
    ck_assert(!heed_np_bootstrap(NULL, q, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_bootstrap: fit is NULL");
    ck_assert(!heed_np_bootstrap(fit, q, &(heed_np_bootstrap_options){.draws = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_bootstrap: draws is -1: must not be negative");
    ck_assert(!heed_np_bootstrap(fit, q, &(heed_np_bootstrap_options){.resampling = (heed_np_resampling)2}));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_bootstrap: resampling must be HEED_NP_WILD or HEED_NP_PAIRS, not 2");
    ck_assert(!heed_np_bootstrap(fit, heed_zeros(HEED_F64, HEED_SHAPE(2, 3)), NULL));
    ck_assert_error(HEED_ERR_SHAPE, "np_bootstrap: x is (2, 3): must have 1 columns, like the fit");
    ck_assert_int_eq(heed_dim(draws_of(fit, none, NULL), 0), 999);
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_bootstrap", wild, pairs, alone, many_rows, of_a_density, mistakes)
