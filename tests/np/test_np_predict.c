/* tests/np/test_np_predict.c - tests of heed_np_predict: standard errors, slopes and bands; and fits in limiting
 * cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

/* -- Predictions --------------------------------------------------------------------------------------------------- */

/* Errors of equal size: se^2 = sigma^2 sum l^2, where l is measured by changing every value. */
START_TEST(standard_errors)
{
    enum { ROWS = 15 };
    heed_manual_seed(13);
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(ROWS)), *y = heed_randn(HEED_F64, HEED_SHAPE(ROWS));
    heed_tensor *q = heed_linspace(HEED_F64, 0.1, 0.9, 4);
    for (int degree = 0; degree <= 3; degree++) {
        const heed_np_options o = {.degree = degree, .bandwidths = (double[]){0.3}};
        heed_np *fit = fit_of(x, y, &o);
        const double sigma = heed_np_get_report(fit).sigma;
        double squares[4] = {0}, local[4] = {0}, slopes[4] = {0};
        heed_np_prediction p, moved;
        ck_assert_int_eq(heed_np_predict(fit, q, NULL, &p), HEED_OK);
        for (int i = 0; i < ROWS; i++) {
            heed_tensor *other = heed_clone(y);
            heed_set_(other, HEED_INDEX(i), at(y, i) + 1);
            heed_np *of_other = fit_of(x, other, &o);
            ck_assert_int_eq(heed_np_predict(of_other, q, NULL, &moved), HEED_OK);
            const double e = at(heed_np_residuals(fit), i) / (1 - at(heed_np_leverages(fit), i));
            for (int j = 0; j < 4; j++) {
                const double share = at(moved.mean, j) - at(p.mean, j);
                const double slope = heed_get(moved.slopes, HEED_INDEX(j, 0)) - heed_get(p.slopes, HEED_INDEX(j, 0));
                squares[j] += share * share;
                local[j] += share * share * e * e;
                slopes[j] += slope * slope;
            }
            heed_np_free(of_other);
        }
        for (int j = 0; j < 4; j++) {
            near(at(p.se, j), sigma * sqrt(squares[j]), 1e-9, "se");
            near(heed_get(p.slope_se, HEED_INDEX(j, 0)), sigma * sqrt(slopes[j]), 1e-9, "the slope's se");
            near(at(p.upper, j) - at(p.mean, j), 1.959963984540054 * at(p.se, j), 1e-12, "the band");
        }
        ck_assert_int_eq(heed_np_predict(fit, q, &(heed_np_predict_options){.local = true, .level = 0.5}, &p), HEED_OK);
        for (int j = 0; j < 4; j++) {
            near(at(p.se, j), sqrt(local[j]), 1e-9, "the local se");
            near(at(p.mean, j) - at(p.lower, j), 0.674489750196082 * at(p.se, j), 1e-12, "the band");
        }
        heed_np_free(fit);
    }
}
END_TEST

/* A nearly isolated row, with a weight of more than 0.999 in its own fit, has the residual that the other rows give
 * there; a fully isolated row has sigma. */
START_TEST(standard_errors_of_lone_rows)
{
    heed_tensor *x =
        heed_concat(HEED_TENSORS(heed_linspace(HEED_F64, 0, 2, 21), HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 5)), 0);
    heed_tensor *y = heed_sin(x), *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 5);
    const heed_np_options alone = {.kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){1}},
                          nearly = {.bandwidths = (double[]){0.75}};
    const heed_np_predict_options local = {.local = true};
    heed_np_prediction p;
    heed_np *fit = fit_of(x, y, &alone);
    ck_assert_int_eq(heed_np_predict(fit, q, &local, &p), HEED_OK);
    near(heed_item(p.se), heed_np_get_report(fit).sigma, 1e-12, "se of a row alone");
    heed_np_free(fit);

    fit = fit_of(x, y, &nearly);
    heed_np *others = fit_of(heed_slice(x, 0, 0, 21, 1), heed_slice(y, 0, 0, 21, 1), &nearly);
    const double share = at(heed_np_leverages(fit), 21);
    ck_assert_msg(share > 0.999 && share < 1, "the share is %g", share);
    ck_assert_int_eq(heed_np_predict(others, q, NULL, &p), HEED_OK);
    const double error = at(y, 21) - heed_item(p.mean);
    ck_assert_int_eq(heed_np_predict(fit, q, &local, &p), HEED_OK);
    near(heed_item(p.se), fabs(share * error), 1e-4, "se of a row nearly alone");
    heed_np_free(others);
    heed_np_free(fit);
}
END_TEST

/* The polynomial is one degree higher, with the errors of the fit. */
START_TEST(bias_corrected)
{
    heed_tensor *x, *y, *q = heed_linspace(HEED_F64, 5, 50, 7);
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *lines = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){2}});
    heed_np *curves = fit_of(x, y, &(heed_np_options){.degree = 2, .bandwidths = (double[]){2}});
    heed_np_prediction corrected, next;
    ck_assert_int_eq(heed_np_predict(lines, q, &(heed_np_predict_options){.corrected = true}, &corrected), HEED_OK);
    ck_assert_int_eq(heed_np_predict(curves, q, NULL, &next), HEED_OK);
    const double sigmas = heed_np_get_report(lines).sigma / heed_np_get_report(curves).sigma;
    for (int i = 0; i < 7; i++) {
        near(at(corrected.mean, i), at(next.mean, i), 1e-12, "m");
        near(at(corrected.se, i), sigmas * at(next.se, i), 1e-12, "se");
    }
    heed_np_free(lines);
    heed_np_free(curves);
}
END_TEST

/* The slopes are the local polynomial's; for the local constant, the derivative of m. */
START_TEST(slopes_are_slopes)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0.0, 1.0, 30), *y = heed_add(heed_square(x), heed_mul_scalar(x, 3.0));
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.4, 0.4 - 1e-5, 0.4 + 1e-5);
    for (int kernel = HEED_NW_GAUSSIAN; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree < 3; degree += 2) {
            heed_np_prediction p;
            heed_np *fit = fit_of(
                x, y,
                &(heed_np_options){.degree = degree, .kernel = (heed_nw_kernel)kernel, .bandwidths = (double[]){0.21}});
            ck_assert_int_eq(heed_np_predict(fit, q, NULL, &p), HEED_OK);
            const double expected = degree ? 3.8 : (at(p.mean, 2) - at(p.mean, 1)) / 2e-5;
            near(heed_get(p.slopes, HEED_INDEX(0, 0)), expected, 1e-6, "the slope");
            heed_np_free(fit);
        }
}
END_TEST

/* A simultaneous band is wider than a pointwise one, a prediction band is wider by the error; the same seed gives the
 * same bits. */
START_TEST(bands)
{
    heed_tensor *x, *y, *q = heed_linspace(HEED_F64, 3, 55, 40);
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){1.475794}});
    heed_np_prediction point, all, again, next;
    const heed_np_predict_options simultaneous = {.band = HEED_NP_BAND_SIMULTANEOUS, .seed = 7};
    ck_assert_int_eq(heed_np_predict(fit, q, NULL, &point), HEED_OK);
    ck_assert_int_eq(heed_np_predict(fit, q, &simultaneous, &all), HEED_OK);
    ck_assert_int_eq(heed_np_predict(fit, q, &simultaneous, &again), HEED_OK);
    ck_assert_int_eq(heed_np_predict(fit, q, &(heed_np_predict_options){.band = HEED_NP_BAND_PREDICTION}, &next),
                     HEED_OK);
    ck_assert(hash_tensor(HASH_BEGIN, all.upper) == hash_tensor(HASH_BEGIN, again.upper));
    const double sigma = heed_np_get_report(fit).sigma, wide = (at(all.upper, 5) - at(all.mean, 5)) / at(all.se, 5);
    ck_assert_msg(wide > 2.5 && wide < 3.5, "the band is %g se wide", wide);
    for (int i = 0; i < 40; i++) {
        near((at(all.upper, i) - at(all.mean, i)) / at(all.se, i), wide, 1e-9, "the simultaneous band");
        near((at(next.upper, i) - at(next.mean, i)) / 1.959963984540054, hypot(sigma, at(point.se, i)), 1e-9,
             "a new value's band");
    }
    heed_np_free(fit);
}
END_TEST

/* -- Limits -------------------------------------------------------------------------------------------------------- */

/* Scaling x and y scales the fit, and data far from 0 give the same fit as near 0. */
START_TEST(units_do_not_matter)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *plain = fit_of(x, y, &(heed_np_options){.degree = 1});
    heed_np *scaled = fit_of(heed_mul_scalar(x, 1e150), heed_mul_scalar(y, 1e-100), &(heed_np_options){.degree = 1});
    heed_np *moved = fit_of(heed_add_scalar(x, 1048576), y, &(heed_np_options){.degree = 1});
    double a, b, c;
    ck_assert(heed_np_bandwidths(plain, &a, 1) == HEED_OK && heed_np_bandwidths(scaled, &b, 1) == HEED_OK &&
              heed_np_bandwidths(moved, &c, 1) == HEED_OK);
    near(b / 1e150, a, 1e-6, "h of another unit");
    near(c, a, 1e-5, "h far from 0");
    near(heed_np_get_report(scaled).criterion / 1e-200, heed_np_get_report(plain).criterion, 1e-9, "CV.LS");
    for (int sign = -1; sign < 2; sign += 2) { /* units of y whose squares underflow or overflow */
        const double unit = ldexp(1, 600 * sign);
        heed_np *other = fit_of(x, heed_mul_scalar(y, unit), &(heed_np_options){.degree = 1});
        heed_np_prediction p, expected;
        ck_assert_int_eq(heed_np_predict(plain, x, NULL, &expected), HEED_OK);
        ck_assert_int_eq(heed_np_predict(other, x, NULL, &p), HEED_OK);
        near(at(p.mean, 50) / unit, at(expected.mean, 50), 1e-9, "m in another unit");
        near(at(p.upper, 50) / unit, at(expected.upper, 50), 1e-9, "the band in another unit");
        near(heed_np_get_report(other).sigma / unit, heed_np_get_report(plain).sigma, 1e-9, "sigma in another unit");
        heed_np_free(other);
    }
    heed_np_free(plain);
    heed_np_free(scaled);
    heed_np_free(moved);
}
END_TEST

/* The narrowest window contains only the row itself; the widest contains all rows, which gives the least-squares
 * polynomial. */
START_TEST(widths_to_their_ends)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 12), *y = heed_square(x);
    for (int degree = 0; degree <= 3; degree++) {
        heed_np *narrow = fit_of(x, y, &(heed_np_options){.degree = degree, .bandwidths = (double[]){1e-300}});
        heed_np *wide = fit_of(x, y, &(heed_np_options){.degree = degree, .bandwidths = (double[]){1e300}});
        near(heed_np_get_report(narrow).trace, 12, 1e-12, "tr H of windows of one row");
        near(heed_np_get_report(wide).trace, degree + 1, 1e-9, "tr H of one window");
        ck_assert(at(heed_np_fitted(narrow), 7) == at(y, 7));
        near(at(heed_np_fitted(wide), 0),
             degree == 0   ? heed_item(heed_mean(y))
             : degree == 1 ? -10.0 / 66
                           : 0,
             1e-9, "m");
        ck_assert(isfinite(heed_np_get_report(narrow).criterion) || degree > 0);
        heed_np_free(narrow);
        heed_np_free(wide);
    }
}
END_TEST

START_TEST(hostile_rows)
{
    heed_tensor *one = HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 2), *same = heed_ones(HEED_F64, HEED_SHAPE(4));
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, 3, 4);
    heed_tensor *outlier = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 1, 2, 1e300);
    heed_np *fit = fit_of(one, one, &(heed_np_options){.degree = 3, .bandwidths = (double[]){1}});
    ck_assert(at(heed_np_fitted(fit), 0) == 2);
    heed_np_free(fit);
    fit = fit_of(same, y, &(heed_np_options){.degree = 2, .bandwidths = (double[]){1}});
    near(at(heed_np_fitted(fit), 0), 2.5, 1e-12, "the mean of equal rows");
    heed_np_free(fit);
    fit = fit_of(outlier, y, NULL);
    ck_assert(isfinite(at(heed_np_fitted(fit), 1)));
    heed_np_free(fit);
    ck_assert(!heed_np_fit(same, y, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit: column 0 of x is 1 in every row: no bandwidth fits it, leave it out");
    ck_assert(!heed_np_fit(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 2, NAN, 4), y, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "np_fit: column 0 of x is nan in row 2: must be finite; leave out rows with missing values");
    ck_assert(!heed_np_fit(y, y, &(heed_np_options){.bandwidths = (double[]){-1}}));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit: bandwidth 0 is -1: must be above 0 and below inf");
    ck_assert(!heed_np_fit(y, one, NULL));
    ck_assert_error(
        HEED_ERR_SHAPE,
        "np_fit: x has 4 rows and 1 columns, y is (1): must be (n) or (n, d), and (n), with at least one row");
}
END_TEST

HEED_TEST_MAIN("np_predict", bias_corrected, standard_errors, standard_errors_of_lone_rows, slopes_are_slopes, bands,
               units_do_not_matter, widths_to_their_ends, hostile_rows)
