/* tests/np/test_np_density.c - tests densities against statsmodels (densities.py) and by known sums.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

static heed_np *density_of(heed_tensor *x, const heed_np_options *options)
{
    heed_np *fit = heed_np_fit_density(x, options);
    ck_assert_msg(fit != NULL, "%s", heed_error_message());
    return fit;
}

static heed_tensor *density_at(const heed_np *fit, heed_tensor *x)
{
    heed_np_prediction p;
    ck_assert_msg(heed_np_predict(fit, x, NULL, &p) == HEED_OK, "%s", heed_error_message());
    ck_assert(!p.slopes && !p.slope_se);
    return p.mean;
}

static void load_faithful(heed_tensor **eruptions, heed_tensor **waiting)
{
    load(HEED_SOURCE_DIR "/examples/data/faithful.csv", "eruptions", "waiting", eruptions, waiting);
}

/* -- Against statsmodels ------------------------------------------------------------------------------------------- */

START_TEST(one_column)
{
    heed_tensor *x, *other;
    load_faithful(&x, &other);
    heed_np *fit = density_of(x, &(heed_np_options){.bandwidths = (double[]){0.2}});
    heed_tensor *f = density_at(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1.75, 3.0, 4.5, 9.0));
    near(at(f, 0), 0.362972752665, 1e-11, "f(1.75)");
    near(at(f, 1), 0.0373145464019, 1e-11, "f(3)");
    near(at(f, 2), 0.551310891397, 1e-11, "f(4.5)");
    near(at(f, 3) / 2.05352004926e-85, 1, 1e-9, "f far out");
    near(heed_np_get_report(fit).criterion, 1.02593737753, 1e-10, "the likelihood");
    heed_np_free(fit);

    fit = density_of(x, NULL);
    double h;
    ck_assert_int_eq(heed_np_bandwidths(fit, &h, 1), HEED_OK);
    near(h, 0.10269651, 1e-3, "h");
    heed_np_free(fit);
}
END_TEST

START_TEST(two_columns)
{
    heed_tensor *eruptions, *waiting;
    load_faithful(&eruptions, &waiting);
    heed_tensor *x = heed_stack(HEED_TENSORS(eruptions, waiting), 1);
    heed_np *fit = density_of(x, &(heed_np_options){.bandwidths = (double[]){0.2, 3.0}});
    heed_tensor *f = density_at(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 2.0, 50.0, 4.5, 80.0));
    near(at(f, 0), 0.0243787447825, 1e-11, "f(2, 50)");
    near(at(f, 1), 0.0371905586045, 1e-11, "f(4.5, 80)");
    near(heed_np_get_report(fit).criterion, 4.20602974157, 1e-10, "the likelihood");
    heed_np_free(fit);

    fit = density_of(x, NULL);
    double h[2];
    ck_assert_int_eq(heed_np_bandwidths(fit, h, 2), HEED_OK);
    near(h[0], 0.14695982, 1e-3, "h of eruptions");
    near(h[1], 2.92599631, 1e-3, "h of waiting");
    heed_np_free(fit);
}
END_TEST

/* Waiting times, with the whole minutes of an eruption as labels. */
static void compare_labels(heed_np_column kind, const double *expected, double criterion)
{
    heed_tensor *eruptions, *waiting;
    load_faithful(&eruptions, &waiting);
    const heed_np_options options = {.columns = (heed_np_column[]){HEED_NP_CONTINUOUS, kind},
                                     .labels = HEED_NP_CLASSIC,
                                     .bandwidths = (double[]){3.0, 0.2}};
    heed_np *fit = density_of(heed_stack(HEED_TENSORS(waiting, heed_floor(eruptions)), 1), &options);
    heed_tensor *f = density_at(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), 55.0, 1.0, 80.0, 4.0, 80.0, 1.0));
    for (int i = 0; i < 3; i++)
        near(at(f, i), expected[i], 1e-11, "f with labels");
    near(heed_np_get_report(fit).criterion, criterion, 1e-10, "the likelihood");
    heed_np_free(fit);
}

START_TEST(columns_of_labels)
{
    compare_labels(HEED_NP_UNORDERED, (double[]){0.00916459535318, 0.0258611960074, 0.00197995947166}, 4.63432384524);
    compare_labels(HEED_NP_ORDERED, (double[]){0.00944358690024, 0.0260935714188, 0.000218508218335}, 4.59884119725);
}
END_TEST

/* -- Without a reference ------------------------------------------------------------------------------------------- */

/* The total is 1: the integral over numbers, for every kernel; the sum over labels, for both kinds of weights. */
START_TEST(add_up_to_one)
{
    heed_tensor *x, *other;
    load_faithful(&x, &other);
    for (int kernel = HEED_NW_GAUSSIAN; kernel < HEED_NW_CONSTANT; kernel++) {
        heed_np *fit = density_of(
            x, &(heed_np_options){.kernel = (heed_nw_kernel)kernel, .bandwidths = (double[]){0.5}, .weights = other});
        heed_tensor *f = density_at(fit, heed_linspace(HEED_F64, -5, 12, 17001));
        near(heed_item(heed_sum(f)) * 0.001, 1, kernel == HEED_NW_BOXCAR ? 1e-3 : 1e-6, "the integral");
        heed_np_free(fit);
    }
    for (int kind = 0; kind < 4; kind++) {
        const heed_np_options options = {.columns = (heed_np_column[]){kind % 2 ? HEED_NP_ORDERED : HEED_NP_UNORDERED},
                                         .labels = (heed_np_labels)(kind / 2),
                                         .bandwidths = (double[]){0.4}};
        heed_np *fit = density_of(heed_floor(x), &options);
        heed_tensor *f = density_at(fit, kind % 2 ? heed_arange(HEED_F64, -60, 60, 1) : heed_arange(HEED_F64, 1, 6, 1));
        near(heed_item(heed_sum(f)), 1, 1e-12, "the sum over labels");
        heed_np_free(fit);
    }
}
END_TEST

static double criterion_at(heed_tensor *x, heed_np_options options, const double *h)
{
    options.bandwidths = h;
    heed_np *fit = density_of(x, &options);
    const double value = heed_np_get_report(fit).criterion;
    heed_np_free(fit);
    return value;
}

/* No bandwidth near the optimum has a higher likelihood, so the derivatives are right, for numbers and for labels. */
START_TEST(found_at_a_minimum)
{
    heed_tensor *eruptions, *waiting;
    load_faithful(&eruptions, &waiting);
    heed_tensor *x =
        heed_stack(HEED_TENSORS(waiting, heed_floor(eruptions), heed_floor(heed_mul_scalar(waiting, 0.1))), 1);
    for (int labels = 0; labels < 2; labels++) {
        const heed_np_options options = {.columns =
                                             (heed_np_column[]){HEED_NP_CONTINUOUS, HEED_NP_UNORDERED, HEED_NP_ORDERED},
                                         .labels = (heed_np_labels)labels};
        heed_np *fit = density_of(x, &options);
        double h[3];
        ck_assert_int_eq(heed_np_bandwidths(fit, h, 3), HEED_OK);
        const double least = heed_np_get_report(fit).criterion;
        for (int i = 0; i < 6; i++) {
            double moved[] = {h[0], h[1], h[2]};
            moved[i / 2] *= i % 2 ? 1.01 : 0.99;
            const double other = criterion_at(x, options, moved);
            ck_assert_msg(other >= least - 1e-12, "%.12g below %.12g", other, least);
        }
        heed_np_free(fit);
    }
}
END_TEST

/* Many rows are computed by fast sums, a few rows around every query; f is a mean over rows. */
START_TEST(many_rows)
{
    heed_tensor *x = heed_normal(HEED_F64, HEED_SHAPE(4000), 0, 1), *q = heed_linspace(HEED_F64, -4, 4, 41);
    for (int kernel = 0; kernel < 2; kernel++) {
        const heed_np_options options = {.kernel = kernel ? HEED_NW_EPANECHNIKOV : HEED_NW_GAUSSIAN,
                                         .bandwidths = (double[]){0.3}};
        heed_np *all = density_of(x, &options);
        heed_tensor *whole = density_at(all, q), *sum = NULL;
        for (int i = 0; i < 10; i++) {
            heed_np *part = density_of(heed_slice(x, 0, 400 * i, 400 * i + 400, 1), &options);
            heed_tensor *f = density_at(part, q);
            sum = sum ? heed_add(sum, f) : f;
            heed_np_free(part);
        }
        for (int i = 0; i < 41; i++)
            near(at(whole, i), at(sum, i) / 10, 1e-12, "f by sums");
        near(at(heed_np_fitted(all), 7), at(density_at(all, x), 7), 1e-12, "f of a row");
        heed_np_free(all);
    }
}
END_TEST

/* The expected se is the se of the mean of n single-row densities. */
START_TEST(standard_errors)
{
    heed_tensor *x, *other;
    load_faithful(&x, &other);
    heed_np *fit = density_of(x, &(heed_np_options){.bandwidths = (double[]){0.3}});
    heed_np_prediction p;
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2.0, 4.4);
    ck_assert_int_eq(heed_np_predict(fit, q, NULL, &p), HEED_OK);
    for (int i = 0; i < 2; i++) {
        double sum = 0, squares = 0;
        for (int row = 0; row < 272; row++) {
            const double u = (at(x, row) - at(q, i)) / 0.3, g = exp(-u * u / 2) / (0.3 * sqrt(2 * acos(-1)));
            sum += g / 272;
            squares += g * g / 272;
        }
        near(at(p.mean, i), sum, 1e-12, "f");
        near(at(p.se, i), sqrt((squares - sum * sum) / 272), 1e-10, "se of f");
        near(at(p.upper, i), sum + 1.959963984540054 * at(p.se, i), 1e-12, "the band");
    }
    heed_np_free(fit);
}
END_TEST

/* Weights count repeated rows, except that leaving out removes all copies of a row. */
START_TEST(an_outlier_is_finite)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0.0, 1.0, 2.0, 3.0, 1e4);
    const double far = criterion_at(x, (heed_np_options){0}, (double[]){1.0});
    ck_assert_msg(isfinite(far) && far > 9e6, "the likelihood is %g", far);
    heed_np *fit = density_of(x, NULL);
    ck_assert(isfinite(heed_np_get_report(fit).criterion));
    heed_np_free(fit);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(mistakes)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 9);
    ck_assert(!heed_np_fit_density(x, &(heed_np_options){.degree = 1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit_density: degree is 1, criterion 0, nearest 0, robust 0: must be 0 for a "
                                       "density");
    ck_assert(!heed_np_fit_density(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "np_fit_density: the tensor is NULL");
    ck_assert(!heed_np_fit_density(heed_zeros(HEED_F64, HEED_SHAPE(3)), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "np_fit_density: np_fit: column 0 of x is 0 in every row: no bandwidth fits it, leave "
                    "it out");
    heed_np *fit = density_of(x, NULL);
    heed_np_prediction p;
    ck_assert(!heed_np_residuals(fit));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "np_residuals: the fit is a density, not a regression");
    ck_assert(!heed_np_bootstrap(fit, x, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "np_bootstrap: the fit is a density, not a regression");
    ck_assert(heed_np_predict(fit, x, &(heed_np_predict_options){.local = true}, &p) != HEED_OK);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "np_predict: band is 0, local 1, corrected 0: must be 0 for a density");
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_density", one_column, two_columns, columns_of_labels, add_up_to_one, found_at_a_minimum, many_rows,
               standard_errors, an_outlier_is_finite, mistakes)
