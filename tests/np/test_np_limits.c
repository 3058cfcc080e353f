/* tests/np/test_np_limits.c - tests that numbers lost to rounding or out of range are NaN or reported with a reason.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

/* -- Constant responses -------------------------------------------------------------------------------------------- */

/* Returns 60 equal numbers, or numbers that differ only by rounding. */
static heed_tensor *constant(int i)
{
    static const double values[] = {3, 1e6, 1.0 / 3, 0, -1e-9, 1e300, 5e-310};
    const int count = sizeof values / sizeof *values;
    if (i < count)
        return heed_full(HEED_F64, HEED_SHAPE(60), values[i]);
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 60);
    if (i == count) /* 1, up to rounding */
        return heed_add(heed_square(heed_sin(x)), heed_square(heed_cos(x)));
    return i == count + 1 ? heed_to_dtype(heed_add_scalar(heed_mul_scalar(x, 1e-8), 0.3), HEED_F32) : NULL;
}

/* R2 is undefined for every degree, kernel and criterion, and columns are insignificant. */
START_TEST(constant_responses)
{
    heed_manual_seed(5);
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(60)), *y;
    for (int i = 0; (y = constant(i)) != NULL; i++)
        for (int criterion = 0; criterion <= HEED_NP_RULE; criterion++)
            for (int kernel = 0; kernel < HEED_NW_CONSTANT; kernel += 4)
                for (int degree = 0; degree <= 1; degree++) {
                    const heed_np_options o = {.kernel = (heed_nw_kernel)kernel,
                                               .degree = degree,
                                               .starts = 2,
                                               .max_evaluations = 8,
                                               .criterion = (heed_np_criterion)criterion};
                    heed_np *fit = fit_of(x, y, &o);
                    const heed_np_report r = heed_np_get_report(fit);
                    ck_assert_msg(isnan(r.r2) && isfinite(r.sigma), "response %d: R2 is %g", i, r.r2);
                    ck_assert_msg(strstr(r.notice, "in every row, up to rounding: R2 is undefined"), "%s", r.notice);
                    ck_assert(r.sigma <= 1e-5 * (1e-300 + fabs(at(y, 0))));
                    ck_assert(heed_np_significance(fit, 0, NULL) == 1);
                    heed_np_free(fit);
                }
}
END_TEST

/* These responses vary, though little relative to their size; with a window over all rows, R2 is 0. */
START_TEST(responses_that_vary_by_little)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 60);
    const double sizes[] = {1, 1e5, 1e10, 1e14};
    for (int i = 0; i < 4; i++) {
        heed_tensor *y = heed_add_scalar(heed_round(heed_mul_scalar(x, 10)), sizes[i]);
        heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.3}});
        const heed_np_report r = heed_np_get_report(fit);
        ck_assert_msg(r.r2 > 0.98 && r.r2 <= 1, "R2 is %.17g", r.r2);
        ck_assert_str_eq(r.notice, "");
        ck_assert(heed_np_significance(fit, 0, NULL) == 1.0 / 400);
        heed_np_free(fit);
        fit = fit_of(x, y, &(heed_np_options){.bandwidths = (double[]){1e200}});
        ck_assert_msg(heed_np_get_report(fit).r2 == 0, "R2 is %.17g", heed_np_get_report(fit).r2);
        heed_np_free(fit);
    }
}
END_TEST

/* Rules and robust rounds do not mistake rounding errors for noise. */
START_TEST(rounding_is_no_noise)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 60), *y = heed_add_scalar(heed_mul_scalar(x, 0.3), 0.1);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.3}, .robust = 3});
    for (int i = 0; i < 60; i++)
        ck_assert(at(heed_np_robust_weights(fit), i) == 1);
    heed_np_free(fit);
    const heed_np_options plug_in = {.degree = 1, .criterion = HEED_NP_PLUG_IN};
    ck_assert(!heed_np_fit(x, y, &plug_in));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit: HEED_NP_PLUG_IN finds no bandwidth: x has too few values, or y is a "
                                       "quartic without noise");
    ck_assert(!heed_np_fit(x, heed_full(HEED_F64, HEED_SHAPE(60), 1.0 / 3), &plug_in));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "np_fit: HEED_NP_PLUG_IN finds no bandwidth: y is 0.333333 in every row, up to rounding");
}
END_TEST

/* Searches and rules do not mistake rounding errors for a spread of x. Most rows are at 0.3, up to rounding; then the
 * standard deviation counts. */
START_TEST(rounding_is_no_spread)
{
    heed_tensor *same = heed_full(HEED_F64, HEED_SHAPE(40), 0.3), *x;
    heed_set_(same, HEED_INDEX(7), 0.1 + 0.2);
    heed_set_(same, HEED_INDEX(8), 0.3 - 0x1p-54);
    for (int i = 0; i < 2; i++) {
        const heed_np_options o = {.criterion = i ? HEED_NP_RULE : HEED_NP_CV_LS};
        ck_assert(!heed_np_fit(same, heed_linspace(HEED_F64, 0, 1, 40), &o));
        ck_assert_error(HEED_ERR_ARGUMENT,
                        "np_fit: column 0 of x is 0.3 in every row, up to rounding: no bandwidth fits it, "
                        "leave it out");
    }
    x = heed_clone(same);
    for (int i = 0; i < 20; i++)
        heed_set_(x, HEED_INDEX(i), 0.1 + 0.2);
    heed_set_(x, HEED_INDEX(0), 0.0);
    heed_set_(x, HEED_INDEX(39), 1.0);
    heed_np *fit = fit_of(x, heed_square(x), &(heed_np_options){.criterion = HEED_NP_RULE});
    double h;
    ck_assert_int_eq(heed_np_bandwidths(fit, &h, 1), HEED_OK);
    near(h, pow(4.0 / 3 / 40, 0.2) * heed_item(heed_std(x, HEED_ALL_AXES, 1, false)), 1e-12, "h by rule");
    heed_np_free(fit);
}
END_TEST

/* -- Degrees of freedom -------------------------------------------------------------------------------------------- */

/* limits.py has the same sums in 200 digits. Computed by sums along a line and over blocks, and with weights in a
 * different unit. */
START_TEST(fits_through_nearly_all_rows)
{
    static const struct {
        int degree;
        double h, sigma;
    } all[] = {{0, 0.2, 1.7431181667002755}, {0, 0.06, 1.7431183374807169}, {1, 0.2, 1.7677669529663689}};
    heed_tensor *x = heed_arange(HEED_F64, 0, 10, 1), *w = heed_full(HEED_F64, HEED_SHAPE(10), 7);
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(10), 0, 2, 4, 1, 3, 0, 2, 4, 1, 3);
    heed_tensor *plane = heed_stack(HEED_TENSORS(x, heed_zeros_like(x)), 1);
    for (int i = 0; i < 3; i++)
        for (int variant = 0; variant < 3; variant++) {
            const heed_np_options o = {
                .degree = all[i].degree, .bandwidths = (double[]){all[i].h, 1}, .weights = variant == 1 ? w : NULL};
            heed_np *fit = fit_of(variant == 2 ? plane : x, y, &o);
            const heed_np_report r = heed_np_get_report(fit);
            heed_np_prediction p;
            near(r.sigma, all[i].sigma, 1e-13, "sigma");
            ck_assert_str_eq(r.notice, "");
            ck_assert_int_eq(heed_np_predict(fit, variant == 2 ? plane : x, NULL, &p), HEED_OK);
            near(at(p.se, 4), all[i].sigma, 1e-4, "se of a row alone");
            heed_np_free(fit);
        }
}
END_TEST

/* Without degrees of freedom, sigma and the bands are undefined. */
START_TEST(fits_through_all_rows)
{
    heed_tensor *x = heed_arange(HEED_F64, 0, 10, 1), *y = heed_sin(x);
    for (int kernel = 0; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree <= 3; degree++) {
            const heed_np_options o = {
                .kernel = (heed_nw_kernel)kernel, .degree = degree, .bandwidths = (double[]){kernel ? 0.5 : 0.01}};
            heed_np *fit = fit_of(x, y, &o);
            const heed_np_report r = heed_np_get_report(fit);
            heed_np_prediction p;
            ck_assert(isnan(r.sigma) && r.rss == 0 && r.trace == 10);
            ck_assert_msg(strstr(r.notice, "The fit goes through all rows (tr H is 10, rows are 10)"), "%s", r.notice);
            ck_assert_int_eq(heed_np_predict(fit, x, NULL, &p), HEED_OK);
            ck_assert(at(p.mean, 3) == at(y, 3) && isnan(at(p.se, 3)) && isnan(at(p.lower, 3)) &&
                      isnan(at(p.upper, 3)));
            ck_assert(isnan(heed_np_significance(fit, 0, NULL)));
            ck_assert_error(HEED_ERR_ARGUMENT,
                            "np_significance: the fit goes through all rows, tr H is 10: no residuals "
                            "remain for the test");
            heed_np_free(fit);
        }
}
END_TEST

/* -- Non-finite numbers -------------------------------------------------------------------------------------------- */

static void check_notice(heed_np *fit, const char *text)
{
    ck_assert_msg(fit != NULL, "%s", heed_error_message());
    const heed_np_report r = heed_np_get_report(fit);
    ck_assert_msg(strstr(r.notice, text) && !isnan(r.criterion), "criterion %g, %s", r.criterion, r.notice);
    heed_np_free(fit);
}

START_TEST(criteria_without_a_value)
{
    heed_tensor *one = heed_ones(HEED_F64, HEED_SHAPE(1)), *x = heed_arange(HEED_F64, 0, 10, 1), *y = heed_sin(x);
    heed_np_options o = {.bandwidths = (double[]){0.5, 0.1}, .kernel = HEED_NW_BIWEIGHT};
    check_notice(heed_np_fit_density(one, &o), "The criterion is infinite: 1 of 1 rows have no other row within");
    check_notice(heed_np_fit_classes(one, one, &o), "The criterion is infinite: 1 of 1 rows have no other row within");
    check_notice(heed_np_fit_density(x, &o), "The criterion is infinite: 10 of 10 rows have no other row within");
    check_notice(heed_np_fit(x, y, &o), "The criterion is infinite: 10 of 10 rows have no other row within");
    o.criterion = HEED_NP_AICC;
    check_notice(heed_np_fit(x, y, &o), "AICc is infinite: tr H is 10, but it must be below n - 2 = 8.");
    o.criterion = HEED_NP_GCV;
    check_notice(heed_np_fit(x, y, &o), "GCV is infinite: tr H is 10, but it must be below n = 10.");
    const heed_np_column ordered[] = {HEED_NP_ORDERED};
    o = (heed_np_options){.columns = ordered, .labels = HEED_NP_CLASSIC, .bandwidths = (double[]){1}};
    heed_np *fit = fit_of(x, y, &o);
    const heed_np_report r = heed_np_get_report(fit);
    ck_assert(r.undefined == 10 && isnan(r.r2) && isnan(r.rss) && isnan(r.sigma) && isnan(r.trace));
    ck_assert(isnan(at(heed_np_leverages(fit), 2)));
    check_notice(fit, "m is undefined at 10 of 10 rows");
}
END_TEST

/* Squares of y overflow and underflow; all other results scale with the unit. */
START_TEST(squares_out_of_range)
{
    heed_tensor *x = heed_arange(HEED_F64, 0, 10, 1), *y = heed_sin(x);
    for (int i = 0; i < 2; i++)
        for (int robust = 0; robust < 2; robust++) {
            const double unit = i == 0 ? 0x1p1000 : 0x1p-1000;
            const heed_np_options o = {.degree = 1, .bandwidths = (double[]){0.8}, .robust = robust};
            heed_np *fit = fit_of(x, heed_mul_scalar(y, unit), &o), *plain = fit_of(x, y, &o);
            const heed_np_report r = heed_np_get_report(fit), expected = heed_np_get_report(plain);
            near(r.sigma / unit, expected.sigma, 1e-12, "sigma");
            near(r.r2, expected.r2, 1e-12, "R2");
            ck_assert_msg(i == 0 ? isinf(r.rss) && isinf(r.criterion) : r.rss == 0, "RSS is %g", r.rss);
            check_notice(fit, i == 0 ? "The criterion or RSS is too large for a double: y is up to 1.1e+301 in size."
                                     : "The criterion or RSS is too small for a double: y is up to 9.2e-302 in size.");
            heed_np_free(plain);
        }
}
END_TEST

/* Residuals near 0: a variance is never negative, even if its terms cancel. */
START_TEST(variances_that_cancel)
{
    heed_manual_seed(8);
    for (int trial = 0; trial < 1200; trial++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = heed_mul_scalar(heed_rand(HEED_F64, HEED_SHAPE(3 + trial % 6)), 7);
        heed_tensor *y =
            trial % 2 ? heed_add_scalar(heed_mul_scalar(x, 2), 1) : heed_full(heed_dtype_of(x), heed_shape_of(x), 3);
        const heed_np_options o = {.degree = 1 + trial / 6 % 2,
                                   .kernel = (heed_nw_kernel)(trial / 12 % HEED_NW_CONSTANT),
                                   .bandwidths = (double[]){trial / 100 % 2 ? 3 : 1.4}};
        heed_np *fit = fit_of(x, y, &o);
        heed_np_prediction p;
        ck_assert_int_eq(
            heed_np_predict(fit, x, &(heed_np_predict_options){.local = true, .corrected = trial / 3 % 2}, &p),
            HEED_OK);
        for (int64_t i = 0; i < heed_numel(x) && !isnan(heed_np_get_report(fit).sigma); i++) {
            const double slope = heed_get(p.slopes, HEED_INDEX(i, 0)), se = heed_get(p.slope_se, HEED_INDEX(i, 0));
            ck_assert_msg(at(p.se, i) >= 0 && isnan(slope) == isnan(se), "trial %d: se is %g, slope %g, %g", trial,
                          at(p.se, i), slope, se);
        }
        heed_np_free(fit);
        heed_scope_end(scope);
    }
}
END_TEST

/* The mean in a window that ends at a row jumps there; its slope is 0 on both sides. */
START_TEST(slopes_at_the_ends_of_windows)
{
    heed_tensor *x = heed_arange(HEED_F64, 0, 6, 1);
    heed_np *fit = fit_of(x, heed_square(x), &(heed_np_options){.kernel = HEED_NW_BOXCAR, .bandwidths = (double[]){1}});
    heed_np_prediction p;
    ck_assert_int_eq(heed_np_predict(fit, x, NULL, &p), HEED_OK);
    for (int i = 0; i < 6; i++)
        ck_assert(heed_get(p.slopes, HEED_INDEX(i, 0)) == 0 && heed_get(p.slope_se, HEED_INDEX(i, 0)) == 0);
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_limits", constant_responses, responses_that_vary_by_little, rounding_is_no_noise,
               rounding_is_no_spread, fits_through_nearly_all_rows, fits_through_all_rows, criteria_without_a_value,
               squares_out_of_range, variances_that_cancel, slopes_at_the_ends_of_windows)
