/* tests/np/test_np_classes.c - tests the classification of labels, against NumPy (classes.py) and by known sums.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

static heed_np *classes_of(heed_tensor *x, heed_tensor *labels, const heed_np_options *options)
{
    heed_np *fit = heed_np_fit_classes(x, labels, options);
    ck_assert_msg(fit != NULL, "%s", heed_error_message());
    return fit;
}

static heed_tensor *probabilities_at(const heed_np *fit, heed_tensor *x)
{
    heed_tensor *p = NULL;
    ck_assert_msg(heed_np_classify(fit, x, &p) != NULL, "%s", heed_error_message());
    return p;
}

static double entry(heed_tensor *t, int64_t i, int64_t j)
{
    return heed_get(t, HEED_INDEX(i, j));
}

/* Loads flippers, bills and islands, and the species. */
static void load_penguins(heed_tensor *columns[3], heed_tensor **species)
{
    heed_io_csv *csv = heed_io_csv_read(HEED_SOURCE_DIR "/examples/data/penguins.csv", NULL);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("Flipper Length (mm)", "Culmen Length (mm)")), HEED_OK);
    heed_categories *names = heed_io_csv_categories(csv, "Species"), *islands = heed_io_csv_categories(csv, "Island");
    columns[0] = heed_io_csv_column(csv, "Flipper Length (mm)", HEED_F64);
    columns[1] = heed_io_csv_column(csv, "Culmen Length (mm)", HEED_F64);
    columns[2] = heed_to_dtype(heed_io_csv_codes(csv, "Island", islands), HEED_F64);
    *species = heed_io_csv_codes(csv, "Species", names);
    ck_assert_msg(columns[0] && columns[1] && columns[2] && *species, "%s", heed_error_message());
    heed_categories_free(names);
    heed_categories_free(islands);
    heed_io_csv_free(csv);
}

static const heed_np_column penguin_kinds[] = {HEED_NP_CONTINUOUS, HEED_NP_CONTINUOUS, HEED_NP_UNORDERED};

START_TEST(numbers_of_numpy)
{
    static const double expected[3][3] = {{0.888587093077, 0.0659556853806, 0.0454572215424},
                                          {0.0534495897213, 0.630391928784, 0.316158481494},
                                          {0.0454545454545, 0.0454545454545, 0.909090909091}};
    heed_tensor *columns[3], *species;
    load_penguins(columns, &species);
    heed_np_options options = {.columns = penguin_kinds, .bandwidths = (double[]){4, 2, 0.3, 0.05}};
    heed_np *fit = classes_of(heed_stack(columns, 3, 1), species, &options);
    heed_tensor *p, *q = HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 3), 190, 40, 0, 205, 48, 1, 300, 10, 2);
    heed_tensor *found = heed_np_classify(fit, q, &p), *classes = heed_np_classes(fit);
    ck_assert(heed_dtype_of(found) == HEED_I64 && heed_dtype_of(classes) == HEED_I64);
    for (int i = 0; i < 3; i++) {
        ck_assert(at(found, i) == i && at(classes, i) == i);
        for (int c = 0; c < 3; c++)
            near(entry(p, i, c), expected[i][c], 1e-11, "P");
    }
    near(heed_np_get_report(fit).criterion, 0.179459829308, 1e-11, "the criterion");
    ck_assert_int_eq(heed_np_get_report(fit).columns, 4);
    heed_np_free(fit);
    options.labels = HEED_NP_CLASSIC;
    fit = classes_of(heed_stack(columns, 3, 1), species, &options);
    near(heed_np_get_report(fit).criterion, 0.131963771045, 1e-11, "the classic criterion");
    heed_np_free(fit);
}
END_TEST

/* The expected optimum is from Nelder and Mead's method, which uses values only. */
START_TEST(bandwidths_of_the_highest_likelihood)
{
    heed_tensor *columns[3], *species;
    double h[3];
    load_penguins(columns, &species);
    heed_np *fit = classes_of(heed_stack(columns, 2, 1), species, NULL);
    ck_assert_int_eq(heed_np_bandwidths(fit, h, 3), HEED_OK);
    near(heed_np_get_report(fit).criterion, 0.1272669417, 1e-9, "the criterion");
    near(h[0], 2.82168486, 1e-5, "h of flippers");
    near(h[1], 0.81003908, 1e-5, "h of bills");
    near(h[2], 0.00173537, 1e-5, "l");
    ck_assert(!heed_np_get_report(fit).stopped);
    ck_assert(heed_np_minimum(fit, 0, h, 3) == heed_np_get_report(fit).criterion);
    heed_np_free(fit);
}
END_TEST

/* P by direct sums, for every kernel and kind of weights, with one column and arbitrary whole numbers as labels. */
START_TEST(one_column_by_hand)
{
    enum { N = 30, Q = 5 };
    static const double values[] = {-5, 7, 1000000};
    const double h = 0.3, l = 0.2;
    const int classic = _i;
    heed_manual_seed(2);
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(N)), *w = heed_rand(HEED_F64, HEED_SHAPE(N));
    heed_tensor *labels = heed_zeros(HEED_I64, HEED_SHAPE(N)), *q = heed_linspace(HEED_F64, 0, 1, Q);
    for (int i = 0; i < N; i++)
        heed_set_(labels, HEED_INDEX(i), values[i % 3]);
    heed_np *fit = classes_of(x, labels,
                              &(heed_np_options){.kernel = HEED_NW_EPANECHNIKOV,
                                                 .labels = (heed_np_labels)classic,
                                                 .weights = w,
                                                 .bandwidths = (double[]){h, l}});
    heed_tensor *p = probabilities_at(fit, q), *classes = heed_np_classes(fit);
    for (int j = 0; j < Q; j++) {
        double sums[3] = {0}, all = 0;
        for (int i = 0; i < N; i++) {
            const double u = (at(x, i) - at(q, j)) / h, k = fabs(u) < 1 ? at(w, i) * (1 - u * u) : 0;
            for (int c = 0; c < 3; c++)
                sums[c] += k * (classic ? (i % 3 == c ? 1 - l : l / 2) : (i % 3 == c ? 1 : l) / (1 + 2 * l));
            all += k;
        }
        for (int c = 0; c < 3; c++)
            near(entry(p, j, c), sums[c] / all, 1e-12, "P");
    }
    for (int c = 0; c < 3; c++)
        ck_assert(at(classes, c) == values[c]);
    heed_np_free(fit);
}
END_TEST

/* Probabilities add up to 1, also far away, where the Gaussian sees only the nearest row. Without any row in the window
 * they are NaN. */
START_TEST(probabilities_add_up)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 40), *labels = heed_round(heed_mul_scalar(x, 3));
    for (int kernel = 0; kernel < HEED_NW_CONSTANT; kernel++) {
        heed_np *fit = classes_of(
            x, labels, &(heed_np_options){.kernel = (heed_nw_kernel)kernel, .bandwidths = (double[]){0.1, 0.01}});
        heed_tensor *p = probabilities_at(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.4, 0.77, 50));
        const bool sees_nearest = kernel == HEED_NW_GAUSSIAN;
        for (int i = 0; i < 2 + sees_nearest; i++)
            near(heed_item(heed_sum(heed_slice(p, 0, i, i + 1, 1))), 1, 1e-12, "the sum");
        ck_assert(isnan(entry(p, 2, 0)) == !sees_nearest);
        if (sees_nearest)
            near(entry(p, 2, 3), 1 / 1.03, 1e-12, "P far out");
        heed_np_free(fit);
    }
}
END_TEST

/* The search begins with a sample of the rows; the column that determines the label gets a far narrower window. */
START_TEST(many_rows)
{
    enum { N = 5200 };
    heed_manual_seed(11);
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(N, 2));
    heed_tensor *labels = heed_to_dtype(heed_compare_scalar(heed_select(x, 1, 0), HEED_COMPARE_GT, 0.5), HEED_F64);
    double h[3];
    heed_np *fit =
        classes_of(x, labels, &(heed_np_options){.kernel = HEED_NW_BIWEIGHT, .starts = 1, .max_evaluations = 30});
    ck_assert_int_eq(heed_np_bandwidths(fit, h, 3), HEED_OK);
    ck_assert_msg(h[0] < 0.05 && h[1] > 0.1, "h %g, %g", h[0], h[1]);
    heed_tensor *found = heed_np_classify(fit, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0.4, 0.5, 0.6, 0.5), NULL);
    ck_assert(at(found, 0) == 0 && at(found, 1) == 1);
    heed_np_free(fit);
}
END_TEST

#define FAILS(call, status, text)                                                                                      \
    do {                                                                                                               \
        ck_assert(!(call));                                                                                            \
        ck_assert_msg(heed_error_code() == (status) && strstr(heed_error_message(), text), "%s",                       \
                      heed_error_message());                                                                           \
        heed_error_clear();                                                                                            \
    } while (0)

START_TEST(failures)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 12), *labels = heed_round(x), *p = x;
    const heed_np_options options = {.bandwidths = (double[]){0.3, 0.1}};
    heed_np *fit = classes_of(x, labels, &options), *regression = fit_of(x, x, &options);
    heed_np_prediction found;
    FAILS(heed_np_predict(fit, x, NULL, &found) == HEED_OK, HEED_ERR_UNSUPPORTED, "heed_np_classify");
    FAILS(heed_np_fitted(fit), HEED_ERR_UNSUPPORTED, "heed_np_classify");
    FAILS(heed_np_residuals(fit), HEED_ERR_UNSUPPORTED, "heed_np_classify");
    FAILS(heed_np_bootstrap(fit, x, &(heed_np_bootstrap_options){.resampling = HEED_NP_PAIRS}), HEED_ERR_UNSUPPORTED,
          "heed_np_classify");
    FAILS(heed_np_classes(regression), HEED_ERR_UNSUPPORTED, "heed_np_fit_classes");
    FAILS(heed_np_classify(regression, x, &p), HEED_ERR_UNSUPPORTED, "heed_np_fit_classes");
    ck_assert(p == NULL);
    FAILS(heed_np_classify(fit, heed_stack(HEED_TENSORS(x, x), 1), NULL), HEED_ERR_SHAPE,
          "must have 1 columns, like the fit");
    FAILS(heed_np_fit_classes(x, heed_mul_scalar(labels, 0.5), NULL), HEED_ERR_ARGUMENT, "column 1 of x is 0.5");
    FAILS(heed_np_fit_classes(x, heed_slice(labels, 0, 0, 5, 1), NULL), HEED_ERR_SHAPE, "labels");
    FAILS(heed_np_fit_classes(x, heed_compare_scalar(x, HEED_COMPARE_GT, 0.5), NULL), HEED_ERR_DTYPE, "bool");
    FAILS(heed_np_fit_classes(x, labels, &(heed_np_options){.degree = 1}), HEED_ERR_ARGUMENT, "degree is 1");
    FAILS(heed_np_fit_classes(heed_ones(HEED_F64, HEED_SHAPE(12, 16)), labels, NULL), HEED_ERR_UNSUPPORTED,
          "x has 16 columns: must be below 16");
    heed_np_free(fit);
    heed_np_free(regression);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np_classes");
    tcase_add_test(tcase, numbers_of_numpy);
    tcase_add_test(tcase, bandwidths_of_the_highest_likelihood);
    tcase_add_loop_test(tcase, one_column_by_hand, 0, 2);
    tcase_add_test(tcase, probabilities_add_up);
    tcase_add_test(tcase, many_rows);
    tcase_add_test(tcase, failures);
    return heed_run_case("np_classes", tcase);
}
