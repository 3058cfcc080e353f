/* tests/np/test_np_significance.c - tests the significance of columns that have an effect and of columns that do
 * not.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

enum { ROWS = 60, SAMPLES = 400, NUMBERS = 0, LABELS = 1, GRADES = 2 };

/* y depends only on the first of two columns, plus noise; the second is continuous, unordered or ordered. */
static heed_np *sample(int kind, double effect, int degree)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(ROWS)), *z = heed_rand(HEED_F64, HEED_SHAPE(ROWS));
    if (kind != NUMBERS)
        z = heed_floor(heed_mul_scalar(z, 3));
    heed_tensor *noise = heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(ROWS)), 0.5);
    heed_tensor *y = heed_add(heed_add(heed_sin(heed_mul_scalar(x, 4)), heed_mul_scalar(z, effect)), noise);
    const heed_np_column kinds[] = {HEED_NP_CONTINUOUS, (heed_np_column)kind};
    const heed_np_options options = {
        .degree = degree, .columns = kinds, .bandwidths = (double[]){0.2, kind == NUMBERS ? 0.3 : 0.5}};
    return fit_of(heed_stack(HEED_TENSORS(x, z), 1), y, &options);
}

/* Returns the share of samples whose p-value is at most 0.05. */
static double share_refused(int kind, double effect, int degree, int samples)
{
    int refused = 0;
    for (int i = 0; i < samples; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_np *fit = sample(kind, effect, degree);
        const heed_np_significance_options options = {.draws = 99, .seed = (uint64_t)i};
        refused += heed_np_significance(fit, 1, &options) <= 0.05;
        heed_np_free(fit);
        heed_scope_end(scope);
    }
    return (double)refused / samples;
}

/* In samples where the column has no effect, 5 % of the tests reject; the standard deviation of this share is 1.1 %. */
static void check_level(int kind, int degree)
{
    heed_manual_seed((uint64_t)(3 * degree + kind));
    const double nothing = share_refused(kind, 0, degree, SAMPLES), something = share_refused(kind, 1, degree, 50);
    ck_assert_msg(nothing > 0.01 && nothing < 0.10, "refused %.3f of columns that do nothing", nothing);
    ck_assert_msg(something > 0.9, "refused %.3f of columns that do something", something);
}

START_TEST(level_and_power)
{
    for (int degree = 0; degree < 2; degree++)
        for (int kind = NUMBERS; kind <= GRADES; kind++)
            check_level(kind, degree);
}
END_TEST

/* No draw has as large an effect as time in the motorcycle accidents; p is the same for three threads as for one. */
START_TEST(of_data)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){1.475794}});
    ck_assert_double_eq(heed_np_significance(fit, 0, NULL), 1.0 / 400);
    heed_np_free(fit);
    fit = sample(NUMBERS, 0.3, 1);
    heed_set_num_threads(1);
    const double p = heed_np_significance(fit, 1, NULL);
    heed_set_num_threads(3);
    ck_assert_double_eq(heed_np_significance(fit, 1, NULL), p);
    heed_np_free(fit);
}
END_TEST

START_TEST(mistakes)
{
    heed_np *fit = sample(NUMBERS, 0, 0);
    ck_assert(isnan(heed_np_significance(NULL, 0, NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_significance: fit is NULL");
    ck_assert(isnan(heed_np_significance(fit, 2, NULL)));
    ck_assert_error(HEED_ERR_INDEX, "np_significance: column is 2: must be in 0 .. 1");
    ck_assert(isnan(heed_np_significance(fit, 1, &(heed_np_significance_options){.draws = -1})));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_significance: draws is -1: must not be negative");
    heed_np_free(fit);
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 9);
    fit = fit_of(x, x, &(heed_np_options){.bandwidths = (double[]){1e-3}});
    ck_assert(isnan(heed_np_significance(fit, 0, NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_significance: the fit goes through all rows, tr H is 9: no residuals remain "
                                       "for the test");
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_significance", level_and_power, of_data, mistakes)
