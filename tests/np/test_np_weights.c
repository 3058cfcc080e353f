/* tests/np/test_np_weights.c - tests that a row of weight 0 counts as missing and a row of weight 2 as two rows, for
 * fits of all kinds; also shares and medians of weighted rows against NumPy (limits.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

enum { N = 24, QUERIES = 5, ABSENT = 7, DEGREES = 4, MAX_COLUMNS = 3 };

/* -- Kinds of fits ------------------------------------------------------------------------------------------------- */

typedef enum kind { REGRESSION, DENSITY, CLASSES, KINDS } kind;

typedef struct rows {
    heed_tensor *x, *y, *w; /* w is NULL if unweighted */
} rows;

static heed_np *fit_rows(kind what, const rows *r, const heed_np_options *options)
{
    heed_np_options o = *options;
    o.weights = r->w;
    if (what == REGRESSION)
        return heed_np_fit(r->x, r->y, &o);
    return what == DENSITY ? heed_np_fit_density(r->x, &o) : heed_np_fit_classes(r->x, heed_round(r->y), &o);
}

/* -- Results of a fit ---------------------------------------------------------------------------------------------- */

/* All numbers that heed/np.h reports about a fit, in one list. */
typedef struct numbers {
    int count;
    double at[8192];
} numbers;

static void add(numbers *n, double value)
{
    ck_assert_int_lt(n->count, 8192);
    n->at[n->count++] = value;
}

static void add_all(numbers *n, heed_tensor *t)
{
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    heed_tensor *flat = heed_reshape(heed_to_dtype(t, HEED_F64), HEED_SHAPE(heed_numel(t)));
    for (int64_t i = 0; i < heed_numel(flat); i++)
        add(n, at(flat, i));
}

/* Adds numbers on which a row of weight 2 and two rows must agree. */
static void add_curve(numbers *n, kind what, const heed_np *fit, heed_tensor *q, int degree)
{
    if (what == CLASSES) {
        heed_tensor *p = NULL;
        add_all(n, heed_np_classify(fit, q, &p));
        add_all(n, p);
        add_all(n, heed_np_classes(fit));
        return;
    }
    heed_np_prediction p;
    ck_assert_msg(heed_np_predict(fit, q, NULL, &p) == HEED_OK, "%s", heed_error_message());
    add_all(n, p.mean);
    add(n, (double)p.undefined);
    if (what == DENSITY)
        return;
    add_all(n, p.slopes);
    if (degree <= 1)
        for (int level = 1; level < 4; level++)
            add_all(n, heed_np_quantile(fit, q, level / 4.0 + 0.01));
    const heed_np_report r = heed_np_get_report(fit);
    add(n, r.r2);
    add(n, r.trace);
    add(n, r.trace_squared);
}

static void add_predictions(numbers *n, const heed_np *fit, heed_tensor *q, bool is_density)
{
    for (int i = 0; i < (is_density ? 1 : 4); i++) {
        heed_np_prediction p;
        const heed_np_predict_options o = {.band = (heed_np_band)(i % 3), .local = i == 3};
        ck_assert_msg(heed_np_predict(fit, q, &o, &p) == HEED_OK, "%s", heed_error_message());
        heed_tensor *const all[] = {p.mean, p.se, p.lower, p.upper, p.slopes, p.slope_se};
        for (int t = 0; t < (is_density ? 4 : 6); t++)
            add_all(n, all[t]);
    }
}

/* Adds all other numbers. `present` lists the rows with a weight. */
static void add_rest(numbers *n, kind what, const heed_np *fit, heed_tensor *q, heed_tensor *present)
{
    const heed_np_report r = heed_np_get_report(fit);
    const double numbers_of[] = {(double)r.rows_with_weight,
                                 (double)r.columns,
                                 (double)r.minima,
                                 (double)r.evaluations,
                                 r.criterion,
                                 r.rss,
                                 r.sigma,
                                 (double)r.undefined};
    double h[MAX_COLUMNS + 1];
    for (size_t i = 0; i < sizeof numbers_of / sizeof *numbers_of; i++)
        add(n, numbers_of[i]);
    ck_assert_int_eq(heed_np_bandwidths(fit, h, r.columns), HEED_OK);
    for (int c = 0; c < r.columns; c++)
        add(n, h[c]);
    for (int i = 0; i < r.minima; i++)
        add(n, heed_np_minimum(fit, i, h, r.columns));
    if (what == CLASSES)
        return;
    add_predictions(n, fit, q, what == DENSITY);
    add_all(n, heed_np_bootstrap(fit, q, &(heed_np_bootstrap_options){.resampling = HEED_NP_PAIRS, .draws = 5}));
    add_all(n, heed_index_select(heed_np_fitted(fit), 0, present));
    if (what == DENSITY)
        return;
    add_all(n, heed_np_bootstrap(fit, q, &(heed_np_bootstrap_options){.draws = 5}));
    add_all(n, heed_index_select(heed_np_residuals(fit), 0, present));
    add_all(n, heed_index_select(heed_np_leverages(fit), 0, present));
    add_all(n, heed_index_select(heed_np_robust_weights(fit), 0, present));
    for (int c = 0; c < r.columns && r.evaluations == 0; c++)
        add(n, heed_np_significance(fit, c, &(heed_np_significance_options){.draws = 19}));
}

static void compare(const numbers *got, const numbers *expected, double tolerance, const char *text)
{
    ck_assert_msg(got->count == expected->count, "%s: %d numbers, not %d", text, got->count, expected->count);
    for (int i = 0; i < got->count; i++) {
        const double a = got->at[i], b = expected->at[i];
        ck_assert_msg((isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance * (1 + fabs(b)),
                      "%s: number %d is %.17g, not %.17g", text, i, a, b);
    }
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* The first column is continuous, the second unordered, the third ordered; x with one column is (n). */
static const heed_np_column kinds[MAX_COLUMNS] = {HEED_NP_CONTINUOUS, HEED_NP_UNORDERED, HEED_NP_ORDERED};

static heed_tensor *some_x(int64_t n, int columns)
{
    heed_tensor *x = heed_mul_scalar(heed_rand(HEED_F64, HEED_SHAPE(n, columns)), 3);
    for (int c = 1; c < columns; c++)
        ck_assert_int_eq(heed_copy_(heed_select(x, 1, c), heed_floor(heed_select(x, 1, c))), HEED_OK);
    return columns == 1 ? heed_select(x, 1, 0) : x;
}

static heed_tensor *some_y(heed_tensor *x)
{
    const int64_t n = heed_dim(x, 0);
    heed_tensor *first = heed_rank(x) == 1 ? x : heed_select(x, 1, 0);
    return heed_add(heed_sin(heed_mul_scalar(first, 2)), heed_rand(HEED_F64, HEED_SHAPE(n)));
}

/* Lists the rows of positive weight, repeated according to their weights. */
static heed_tensor *repeated(const int *times)
{
    int64_t list[4 * (N + ABSENT)], n = 0;
    for (int i = 0; i < N + ABSENT; i++)
        for (int t = 0; t < times[i]; t++)
            list[n++] = i;
    return heed_from_array(HEED_I64, HEED_SHAPE(n), list, n);
}

static heed_tensor *as_weights(const int *times)
{
    double w[N + ABSENT];
    for (int i = 0; i < N + ABSENT; i++)
        w[i] = times[i];
    return heed_from_values(HEED_F64, HEED_SHAPE(N + ABSENT), w, N + ABSENT);
}

/* Rows of weight 0 are placed between the others, with values and labels that no other row has. */
static rows rows_with_absent(kind what, int columns, int *times)
{
    rows r = {.x = some_x(N + ABSENT, columns)};
    r.y = some_y(r.x);
    for (int i = 0; i < N + ABSENT; i++) {
        times[i] = i % 4 != 1 || i / 4 >= ABSENT;
        if (times[i])
            continue;
        heed_set_(r.y, HEED_INDEX(i), i % 8 == 1 && what != CLASSES ? 1e200 : -77);
        heed_tensor *row = heed_rank(r.x) == 1 ? heed_slice(r.x, 0, i, i + 1, 1) : heed_select(r.x, 0, i);
        ck_assert_int_eq(heed_copy_(row, heed_full(HEED_F64, heed_shape_of(row), i % 8 == 1 ? 5e7 : 40 + i)), HEED_OK);
    }
    r.w = as_weights(times);
    return r;
}

static rows select_rows(const rows *r, heed_tensor *which)
{
    return (rows){.x = heed_index_select(r->x, 0, which), .y = heed_index_select(r->y, 0, which)};
}

/* -- The identities ------------------------------------------------------------------------------------------------ */

static void check_absent(kind what, int columns, const heed_np_options *o, const char *text)
{
    static numbers got, expected;
    heed_scope *scope = heed_scope_begin();
    int times[N + ABSENT];
    heed_manual_seed(31);
    const rows all = rows_with_absent(what, columns, times);
    heed_tensor *present = repeated(times), *q = some_x(QUERIES, columns);
    const rows kept = select_rows(&all, present);
    heed_np *with = fit_rows(what, &all, o), *without = fit_rows(what, &kept, o);
    ck_assert_msg(with && without, "%s: %s", text, heed_error_message());
    got.count = expected.count = 0;
    add_curve(&got, what, with, q, o->degree);
    add_curve(&expected, what, without, q, o->degree);
    add_rest(&got, what, with, q, present);
    add_rest(&expected, what, without, q, heed_arange(HEED_I64, 0, (double)heed_dim(kept.x, 0), 1));
    compare(&got, &expected, 0, text);
    ck_assert_int_eq(heed_np_get_report(with).rows, heed_dim(all.x, 0));
    ck_assert_int_eq(heed_np_get_report(with).rows_with_weight, heed_dim(kept.x, 0));
    heed_np_free(with);
    heed_np_free(without);
    heed_error_clear(); /* a significance test may have failed for both fits */
    heed_scope_end(scope);
}

static void check_repeated(kind what, int columns, const heed_np_options *o, const char *text)
{
    static numbers got, expected;
    heed_scope *scope = heed_scope_begin();
    int times[N + ABSENT];
    heed_manual_seed(32);
    rows all = {.x = some_x(N + ABSENT, columns)};
    all.y = some_y(all.x);
    for (int i = 0; i < N + ABSENT; i++)
        times[i] = i % 5 % 3; /* 0, 1, 2, 0, 1 */
    all.w = as_weights(times);
    heed_tensor *which = repeated(times), *q = some_x(QUERIES, columns);
    const rows often = select_rows(&all, which);
    heed_np *weighted = fit_rows(what, &all, o), *plain = fit_rows(what, &often, o);
    ck_assert_msg(weighted && plain, "%s: %s", text, heed_error_message());
    got.count = expected.count = 0;
    add_curve(&got, what, weighted, q, o->degree);
    add_curve(&expected, what, plain, q, o->degree);
    if (what != CLASSES) {
        add_all(&got, heed_index_select(heed_np_fitted(weighted), 0, which));
        add_all(&expected, heed_np_fitted(plain));
    }
    if (what == REGRESSION) {
        add_all(&got, heed_index_select(heed_np_robust_weights(weighted), 0, which));
        add_all(&expected, heed_np_robust_weights(plain));
    }
    compare(&got, &expected, 1e-8, text);
    heed_np_free(weighted);
    heed_np_free(plain);
    heed_scope_end(scope);
}

typedef void check_fn(kind what, int columns, const heed_np_options *o, const char *text);

/* Given bandwidths: kernels, degrees, kinds of labels, columns, robust rounds, nearest rows. */
static void check_given(kind what, check_fn *check)
{
    const double h[] = {0.8, 0.4, 0.3, 0.2};
    for (int kernel = 0; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree < (what == REGRESSION ? DEGREES : 1); degree++)
            for (int labels = 0; labels <= HEED_NP_CLASSIC; labels++)
                for (int columns = 1; columns <= MAX_COLUMNS; columns++)
                    for (int robust = 0; robust <= (what == REGRESSION ? 2 : 0); robust += 2)
                        for (int nearest = 0; nearest <= (what == REGRESSION && columns == 1); nearest++) {
                            const heed_np_options o = {.kernel = (heed_nw_kernel)kernel,
                                                       .degree = degree,
                                                       .labels = (heed_np_labels)labels,
                                                       .columns = kinds,
                                                       .robust = robust,
                                                       .bandwidths = nearest ? NULL : h,
                                                       .nearest = nearest ? 0.43 : 0};
                            char text[160];
                            (void)snprintf(
                                text, sizeof text,
                                "kind %d, kernel %d, degree %d, labels %d, columns %d, robust %d, nearest %d", what,
                                kernel, degree, labels, columns, robust, nearest);
                            check(what, columns, &o, text);
                        }
}

START_TEST(absent_rows_of_given_bandwidths)
{
    check_given((kind)_i, check_absent);
}
END_TEST

START_TEST(repeated_rows_of_given_bandwidths)
{
    check_given((kind)_i, check_repeated);
}
END_TEST

/* Bandwidths found by every criterion and rule. */
START_TEST(absent_rows_of_found_bandwidths)
{
    for (int criterion = 0; criterion <= HEED_NP_PLUG_IN; criterion++)
        for (int columns = 1; columns <= MAX_COLUMNS; columns++)
            for (int kernel = 0; kernel < HEED_NW_CONSTANT; kernel++) {
                const kind what = (kind)_i;
                const bool is_plug_in = criterion == HEED_NP_PLUG_IN;
                if ((what != REGRESSION && criterion != HEED_NP_CV_LS && criterion != HEED_NP_RULE) ||
                    (is_plug_in && columns > 1))
                    continue;
                const heed_np_options o = {.kernel = (heed_nw_kernel)kernel,
                                           .degree = is_plug_in,
                                           .columns = kinds,
                                           .starts = 2,
                                           .max_evaluations = 20,
                                           .criterion = (heed_np_criterion)criterion};
                char text[80];
                (void)snprintf(text, sizeof text, "kind %d, criterion %d, columns %d, kernel %d", what, criterion,
                               columns, kernel);
                check_absent(what, columns, &o, text);
            }
}
END_TEST

/* -- Numbers from NumPy -------------------------------------------------------------------------------------------- */

/* The median of the residuals is taken over the five rows with a weight. */
START_TEST(robust_medians)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 0, 1, 2, 3, 4, 2, 3),
                *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 0, 1, 4, 2, 3, 100, 100),
                *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 1, 1, 1, 1, 1, 0, 0);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.bandwidths = (double[]){1}, .robust = 1, .weights = w});
    near(at(heed_np_fitted(fit), 1), 1.436453439210276, 1e-12, "m(1)");
    near(at(heed_np_fitted(fit), 5), at(heed_np_fitted(fit), 2), 0, "m at a row of weight 0");
    ck_assert(at(heed_np_leverages(fit), 5) == 0 && at(heed_np_robust_weights(fit), 5) == 1);
    near(at(heed_np_residuals(fit), 5), 100 - at(heed_np_fitted(fit), 2), 1e-12, "the residual of a row of weight 0");
    heed_np_free(fit);
}
END_TEST

/* 4 of 7 rows, with weights of any scale. Shares of weights without a common unit are not rounded. */
START_TEST(shares_of_weights)
{
    heed_tensor *x = heed_arange(HEED_F64, 0, 5, 1), *y = heed_square(x);
    heed_tensor *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 2, 2, 1, 1, 1);
    heed_np_options o = {.nearest = 4.0 / 7};
    for (int i = 0; i < 4; i++) {
        o.weights = heed_mul_scalar(w, (double[]){1, 0.1, 3e-5, 1e200}[i]);
        heed_np *fit = fit_of(x, y, &o);
        near(at(heed_np_fitted(fit), 3), 6.02135969839895, 1e-12, "m(3)");
        heed_np_free(fit);
    }
    o.weights = heed_exp(heed_mul_scalar(y, 1 / 31.7)); /* 4.12 of 6.15 within distance 1 of 3, 5.15 within 2 */
    o.nearest = 0.75;
    heed_np *fit = fit_of(x, y, &o);
    near(at(heed_np_fitted(fit), 3), 8.43013750838112, 1e-12, "m(3) of real weights");
    heed_np_free(fit);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np_weights");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, absent_rows_of_given_bandwidths, 0, KINDS);
    tcase_add_loop_test(tcase, repeated_rows_of_given_bandwidths, 0, KINDS);
    tcase_add_loop_test(tcase, absent_rows_of_found_bandwidths, 0, KINDS);
    tcase_add_test(tcase, robust_medians);
    tcase_add_test(tcase, shares_of_weights);
    return heed_run_case("np_weights", tcase);
}
