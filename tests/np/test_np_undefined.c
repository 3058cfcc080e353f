/* tests/np/test_np_undefined.c - tests that the result is NaN for queries without a row in their window and for slopes
 * that the rows do not determine.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

#define FIRST_COMPACT (HEED_NW_GAUSSIAN + 1)

enum { QUERIES = 5 };

/* Makes x in 0 .. 3 and 7 .. 10 with `rows` rows, in one or two columns, and y near 100. */
static void gap(int64_t rows, int columns, heed_tensor **x, heed_tensor **y)
{
    heed_tensor *low = heed_linspace(HEED_F64, 0, 3, rows / 2), *high = heed_linspace(HEED_F64, 7, 10, rows / 2);
    *x = heed_concat(HEED_TENSORS(low, high), 0);
    *y = heed_add_scalar(heed_sin(*x), 100);
    if (columns == 2)
        *x = heed_stack(HEED_TENSORS(*x, heed_cos(heed_mul_scalar(*x, 40))), 1);
}

/* Returns 5, 1, 4.4, -2, 9 in the first column and 0 in the second. */
static heed_tensor *queries(int columns)
{
    heed_tensor *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(QUERIES), 5, 1, 4.4, -2, 9);
    return columns == 1 ? q : heed_stack(HEED_TENSORS(q, heed_zeros_like(q)), 1);
}

static bool is_in_gap(int i)
{
    return i == 0 || i == 2 || i == 3;
}

static void check_gaps(heed_tensor *t, const char *what)
{
    ck_assert_msg(t != NULL, "%s: %s", what, heed_error_message());
    const int64_t of_query = heed_numel(t) / QUERIES;
    heed_tensor *flat = heed_reshape(heed_contiguous(t), HEED_SHAPE(heed_numel(t)));
    for (int64_t i = 0; i < heed_numel(t); i++) {
        const double value = at(flat, i);
        const bool is_gap = is_in_gap((int)(i / of_query));
        ck_assert_msg(is_gap ? isnan(value) : isfinite(value), "%s of query %d is %g", what, (int)(i / of_query),
                      value);
    }
}

static void check_predictions(const heed_np *fit, heed_tensor *q, int degree)
{
    const int step = heed_np_get_report(fit).rows < 100 ? 1 : 3; /* draws of many rows take seconds */
    for (int i = 0; i < 12; i += step) {
        const heed_np_predict_options o = {
            .band = (heed_np_band)(i % 3), .local = i / 3 % 2, .corrected = i / 6 && degree < 3};
        heed_np_prediction p;
        ck_assert_msg(heed_np_predict(fit, q, &o, &p) == HEED_OK, "%s", heed_error_message());
        ck_assert_int_eq(p.undefined, 3);
        check_gaps(p.mean, "m");
        check_gaps(p.se, "se");
        check_gaps(p.lower, "the lower band");
        check_gaps(p.upper, "the upper band");
        check_gaps(p.slopes, "the slope");
        check_gaps(p.slope_se, "the slope's se");
    }
}

static void check_regression(int64_t rows, int columns, heed_nw_kernel kernel, int degree)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x, *y, *q = queries(columns);
    gap(rows, columns, &x, &y);
    heed_np *fit =
        fit_of(x, y, &(heed_np_options){.kernel = kernel, .degree = degree, .bandwidths = (double[]){1.3, 2.5}});
    ck_assert_int_eq(heed_np_get_report(fit).undefined, 0);
    check_predictions(fit, q, degree);
    if (degree <= 1)
        check_gaps(heed_np_quantile(fit, q, 0.3), "the quantile");
    for (int i = 0; i <= HEED_NP_PAIRS; i++) {
        const heed_np_bootstrap_options o = {.resampling = (heed_np_resampling)i, .draws = 3};
        check_gaps(heed_transpose(heed_np_bootstrap(fit, q, &o), 0, 1), "a draw");
    }
    heed_np_free(fit);
    heed_scope_end(scope);
}

/* By fits around every query, by sums along a line, and by sums over blocks. */
START_TEST(regressions_without_rows)
{
    for (int kernel = FIRST_COMPACT; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree <= 3; degree++) {
            check_regression(40, 1, (heed_nw_kernel)kernel, degree);
            check_regression(40, 2, (heed_nw_kernel)kernel, degree);
        }
    check_regression(8000, 1, HEED_NW_BIWEIGHT, 1);
    check_regression(8000, 1, HEED_NW_TRICUBE, 0);
}
END_TEST

/* If no row is in the window, a density is 0, which is a valid value, and classes have no label. */
START_TEST(densities_and_classes_without_rows)
{
    heed_tensor *x, *y, *q = queries(1), *p;
    gap(40, 1, &x, &y);
    for (int kernel = FIRST_COMPACT; kernel < HEED_NW_CONSTANT; kernel++) {
        heed_np_options o = {.kernel = (heed_nw_kernel)kernel, .bandwidths = (double[]){1.3, 0.1}};
        heed_np *density = heed_np_fit_density(x, &o), *classes = heed_np_fit_classes(x, heed_round(x), &o);
        heed_np_prediction at_queries;
        ck_assert_int_eq(heed_np_predict(density, q, NULL, &at_queries), HEED_OK);
        heed_tensor *labels = heed_np_classify(classes, q, &p);
        check_gaps(p, "P");
        ck_assert_int_eq(at_queries.undefined, 0);
        for (int i = 0; i < QUERIES; i++) {
            ck_assert((at(at_queries.mean, i) == 0) == is_in_gap(i));
            ck_assert((heed_data_i64(labels)[i] == HEED_NP_NO_LABEL) == is_in_gap(i));
        }
        heed_np_free(density);
        heed_np_free(classes);
    }
}
END_TEST

/* One row does not determine the slope of a line, and rows on a line do not determine a plane's slopes; but a constant
 * column leaves the other column's slope determined. */
START_TEST(slopes_that_rows_do_not_determine)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 1, 1.5, 9), *y = heed_square(x);
    heed_tensor *line = heed_stack(HEED_TENSORS(x, heed_mul_scalar(x, 3)), 1);
    heed_tensor *flat = heed_stack(HEED_TENSORS(x, heed_full(HEED_F64, HEED_SHAPE(4), 7)), 1);
    heed_np_options o = {.degree = 1, .kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){2, 100}};
    heed_np_prediction p;
    heed_np *fit = fit_of(x, y, &o);
    ck_assert_int_eq(heed_np_predict(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 8.5, 1), NULL, &p), HEED_OK);
    ck_assert(at(p.mean, 0) == 81 && p.undefined == 0);
    ck_assert(isnan(heed_get(p.slopes, HEED_INDEX(0, 0))) && isnan(heed_get(p.slope_se, HEED_INDEX(0, 0))));
    const double slope = heed_get(p.slopes, HEED_INDEX(1, 0));
    ck_assert(slope > 1 && slope < 3);
    heed_np_free(fit);
    fit = fit_of(line, y, &o);
    ck_assert_int_eq(heed_np_predict(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2), 1, 3), NULL, &p), HEED_OK);
    ck_assert(isnan(heed_get(p.slopes, HEED_INDEX(0, 0))) && isnan(heed_get(p.slopes, HEED_INDEX(0, 1))));
    heed_np_free(fit);
    fit = fit_of(flat, y, &o);
    ck_assert_int_eq(heed_np_predict(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2), 1, 7), NULL, &p), HEED_OK);
    near(heed_get(p.slopes, HEED_INDEX(0, 0)), slope, 1e-12, "the slope beside a column of one value");
    ck_assert(isnan(heed_get(p.slopes, HEED_INDEX(0, 1))));
    heed_np_free(fit);
}
END_TEST

/* A robust round sets the weight of a row to 0, and if its window has no other row, the next fit has no value there. */
START_TEST(a_row_without_weight_has_no_fit)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 21), *y = heed_clone(x);
    for (int i = 0; i < 21; i++)
        heed_set_(y, HEED_INDEX(i), i % 2 ? 0.01 : -0.01);
    heed_tensor *far = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 3.0, 3.05);
    x = heed_concat(HEED_TENSORS(x, far), 0);
    y = heed_concat(HEED_TENSORS(y, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 50, -50)), 0);
    heed_np *fit =
        fit_of(x, y, &(heed_np_options){.kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){0.2}, .robust = 3});
    const heed_np_report r = heed_np_get_report(fit);
    ck_assert_int_eq(r.undefined, 2);
    ck_assert(isnan(at(heed_np_fitted(fit), 21)) && isnan(at(heed_np_residuals(fit), 22)));
    ck_assert(at(heed_np_robust_weights(fit), 21) == 0 && at(heed_np_leverages(fit), 21) == 0);
    ck_assert(isfinite(r.r2) && isfinite(r.rss) && isfinite(r.sigma) && r.sigma < 0.02);
    ck_assert(isfinite(at(heed_np_fitted(fit), 3)));
    heed_tensor *draws = heed_np_bootstrap(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.3, 3.0), NULL);
    ck_assert(isfinite(heed_get(draws, HEED_INDEX(7, 0))) && isnan(heed_get(draws, HEED_INDEX(7, 1))));
    heed_np_free(fit);
}
END_TEST

/* With its effect removed, a column may leave rows without neighbours in the window; then there is no fit to draw
 * around. */
START_TEST(significance_without_rows) /* x_j within 2 of 10.2564 are 8.72 .. 11.79, and x_i within 2 of these 13 rows */
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 20, 40), *other = heed_mul_scalar(x, 2);
    heed_np *fit = fit_of(heed_stack(HEED_TENSORS(x, other), 1), heed_sin(x),
                          &(heed_np_options){.kernel = HEED_NW_EPANECHNIKOV, .bandwidths = (double[]){2, 4}});
    ck_assert(isnan(heed_np_significance(fit, 0, NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "np_significance: with column 0 at its median 10.2564, 27 of 40 rows have no row "
                    "within the window: widen its bandwidth");
    heed_np_free(fit);
}
END_TEST

HEED_TEST_MAIN("np_undefined", regressions_without_rows, densities_and_classes_without_rows,
               slopes_that_rows_do_not_determine, a_row_without_weight_has_no_fit, significance_without_rows)
