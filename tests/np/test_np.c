/* tests/np/test_np.c - tests heed/np.h against numbers stored by R's np, against fits that really leave a row out, and
 * in limiting cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fit.h"

/* -- np's numbers: widths to six digits by search, values at that width, as its documentation's objects store them - */

typedef struct np_row {
    bool faithful;
    int degree;
    heed_np_criterion criterion;
    double h, value, r2, residual, trace;
} np_row;

static const np_row rows_of_np[] = {
    {false, 0, HEED_NP_CV_LS, 0.913829, 595.936344122, 0.8116983, 21.0824937, 23.412803},
    {false, 0, HEED_NP_AICC, 1.217522, 7.525150003, 0.7965693, 22.0766361, 17.991637},
    {false, 1, HEED_NP_CV_LS, 1.475794, 561.339453528, 0.8053491, 21.4443555, 16.609574},
    {true, 0, HEED_NP_CV_LS, 3.779873, 0.140647930, 0.8964336, 0.3671911, 5.398871},
    {true, 0, HEED_NP_AICC, 3.640638, -0.955486470, 0.8965672, 0.3668683, 5.612113},
    {true, 1, HEED_NP_CV_LS, 2.740802, 0.142334499, 0.8979422, 0.3642437, 9.536730},
};

START_TEST(numbers_of_np)
{
    const np_row *expected = &rows_of_np[_i];
    heed_tensor *x, *y;
    if (expected->faithful)
        load(HEED_SOURCE_DIR "/examples/data/faithful.csv", "waiting", "eruptions", &x, &y);
    else
        load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = expected->degree, .criterion = expected->criterion});
    const heed_np_report r = heed_np_get_report(fit);
    double h, least = heed_np_minimum(fit, 0, &h, 1);
    near(h, expected->h, 1e-6, "h");
    near(least, expected->value, 1e-9, "the criterion");
    near(r.criterion, expected->value, 1e-9, "the criterion");
    near(r.r2, expected->r2, 1e-6, "R2");
    near(sqrt(r.rss / (double)r.rows), expected->residual, 1e-6, "the residual deviation");
    near(r.trace, expected->trace, 1e-5, "tr H");
    ck_assert(r.rows == heed_numel(x) && r.columns == 1 && r.evaluations > 0 && !r.stopped);
    heed_np_free(fit);
}
END_TEST

/* R's loess of its cars: 4.78 equivalent parameters, which are tr H H', and a residual deviation of 15.29. R computes
 * the fit at a few points and interpolates between them, so some of these digits differ. */
START_TEST(loess_of_cars)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/tests/np/cars.csv", "speed", "dist", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 2, .kernel = HEED_NW_TRICUBE, .nearest = 0.75});
    const heed_np_report r = heed_np_get_report(fit);
    near(r.trace_squared, 4.78, 0.03, "tr H H'");
    near(r.sigma, 15.29, 1e-3, "the residual deviation");
    heed_np_free(fit);
}
END_TEST

/* R's lowess(cars$speed, cars$dist, delta = 0): the robust rounds use the windows of the first fit, even if rows have
 * lost their weight. */
START_TEST(lowess_of_cars)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/tests/np/cars.csv", "speed", "dist", &x, &y);
    heed_np *fit =
        fit_of(x, y, &(heed_np_options){.degree = 1, .kernel = HEED_NW_TRICUBE, .nearest = 2.0 / 3, .robust = 3});
    heed_tensor *m = heed_np_fitted(fit);
    near(at(m, 4), 15.8586333820983, 1e-5, "m(8)");
    near(at(m, 24), 36.7577283416497, 1e-5, "m(15)");
    near(at(m, 44), 73.07969526937, 1e-5, "m(23)");
    heed_np_free(fit);
}
END_TEST

/* -- Several columns, against sums in long double ------------------------------------------------------------------ */

enum { N = 40, D = 3, P = 3 };

static const heed_np_column kinds[] = {HEED_NP_CONTINUOUS, HEED_NP_UNORDERED, HEED_NP_ORDERED};

typedef struct plain_rows {
    double x[N][D], y[N], w[N];
} plain_rows;

static plain_rows some_rows(void)
{
    plain_rows r;
    heed_tensor *u = heed_rand(HEED_F64, HEED_SHAPE(N, 5));
    for (int i = 0; i < N; i++) {
        r.x[i][0] = heed_get(u, HEED_INDEX(i, 0));
        r.x[i][1] = floor(3 * heed_get(u, HEED_INDEX(i, 1)));
        r.x[i][2] = floor(5 * heed_get(u, HEED_INDEX(i, 2)));
        r.y[i] = sin(6 * r.x[i][0]) + r.x[i][1] / 2 + heed_get(u, HEED_INDEX(i, 3));
        r.w[i] = 0.5 + heed_get(u, HEED_INDEX(i, 4));
    }
    return r;
}

static long double kernel_of(heed_nw_kernel kernel, long double u)
{
    static const int shapes[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {2, 3}, {3, 3}};
    if (kernel == HEED_NW_GAUSSIAN)
        return expl(-u * u / 2);
    return fabsl(u) <= 1 ? powl(1 - powl(fabsl(u), shapes[kernel][0]), shapes[kernel][1]) : 0;
}

static long double weight_of(const heed_np_options *o, const double *x, const double *q)
{
    const double *h = o->bandwidths;
    const bool classic = o->labels == HEED_NP_CLASSIC;
    const long double apart = fabs(x[2] - q[2]);
    long double w = kernel_of(o->kernel, (x[0] - q[0]) / h[0]);
    w *= x[1] == q[1] ? (classic ? 1 - h[1] : 1) : classic ? h[1] / 2 : h[1];
    return w * (classic ? (1 - h[2]) * (apart > 0 ? powl(h[2], apart) / 2 : 1) : powl(h[2], apart));
}

/* Returns m(q) from all rows except `skip` and, unless NULL, the weight of every row in it, by Gauss-Jordan
 * elimination. */
static double plain_fit(const plain_rows *r, const heed_np_options *o, const double *q, int skip, long double *shares)
{
    static long double weights[N], powers[N][P]; /* static, to keep the stack frame small wherever this is inlined */
    const int n = o->degree + 1;
    long double s[P][P + 1] = {{0}};
    for (int i = 0; i < N; i++) {
        weights[i] = i == skip ? 0 : r->w[i] * weight_of(o, r->x[i], q);
        for (int j = 0; j < n; j++)
            powers[i][j] = powl((long double)r->x[i][0] - q[0], j);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                s[j][k] += weights[i] * powers[i][j] * powers[i][k];
    }
    s[0][n] = 1; /* S a = e_1 */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const long double factor = s[i][j] / s[j][j];
            for (int k = 0; k <= n && i != j; k++)
                s[i][k] -= factor * s[j][k];
        }
    long double m = 0;
    for (int i = 0; i < N; i++) {
        long double share = 0;
        for (int j = 0; j < n; j++)
            share += weights[i] * s[j][n] / s[j][j] * powers[i][j];
        m += share * r->y[i];
        if (shares)
            shares[i] = share;
    }
    return (double)m;
}

/* Computes the criterion by really leaving out every row. */
static double plain_cv(const plain_rows *r, const heed_np_options *o)
{
    double sum = 0, total = 0;
    for (int i = 0; i < N; i++) {
        const double e = r->y[i] - plain_fit(r, o, r->x[i], i, NULL);
        sum += r->w[i] * e * e;
        total += r->w[i];
    }
    return sum / total;
}

START_TEST(columns_of_all_kinds)
{
    heed_manual_seed(11);
    const plain_rows r = some_rows();
    heed_tensor *x = heed_from_values(HEED_F64, HEED_SHAPE(N, D), &r.x[0][0], N * D);
    heed_tensor *y = heed_from_values(HEED_F64, HEED_SHAPE(N), r.y, N),
                *w = heed_from_values(HEED_F64, HEED_SHAPE(N), r.w, N);
    for (int kernel = HEED_NW_GAUSSIAN; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree < P; degree++)
            for (int labels = 0; labels < 2; labels++) {
                const double h[] = {kernel == HEED_NW_GAUSSIAN ? 0.2 : 0.8, 0.4, 0.3};
                const heed_np_options o = {.degree = degree,
                                           .kernel = (heed_nw_kernel)kernel,
                                           .bandwidths = h,
                                           .weights = w,
                                           .columns = kinds,
                                           .labels = (heed_np_labels)labels};
                heed_np *fit = fit_of(x, y, &o);
                const heed_np_report report = heed_np_get_report(fit);
                double trace = 0, squared = 0;
                for (int i = 0; i < N; i++) {
                    long double shares[N];
                    near(at(heed_np_fitted(fit), i), plain_fit(&r, &o, r.x[i], -1, shares), 1e-10, "m");
                    near(at(heed_np_leverages(fit), i), (double)shares[i], 1e-10, "H_ii");
                    trace += (double)shares[i];
                    for (int j = 0; j < N; j++)
                        squared += (double)(r.w[i] * shares[j] * shares[j]) / r.w[j];
                }
                near(report.trace, trace, 1e-10, "tr H");
                near(report.trace_squared, squared, 1e-10, "tr H H'");
                near(report.criterion, plain_cv(&r, &o), 1e-9, "CV.LS");
                heed_np_free(fit);
            }
}
END_TEST

/* At the width found by the search, the criterion for given widths is minimal. */
START_TEST(minima_are_minima)
{
    heed_manual_seed(12);
    const plain_rows r = some_rows();
    heed_tensor *x = heed_from_values(HEED_F64, HEED_SHAPE(N, D), &r.x[0][0], N * D);
    heed_tensor *y = heed_from_values(HEED_F64, HEED_SHAPE(N), r.y, N);
    for (int criterion = 0; criterion < 3; criterion++) {
        heed_np_options o = {.degree = 1, .columns = kinds, .criterion = (heed_np_criterion)criterion};
        heed_np *fit = fit_of(x, y, &o);
        const int minima = heed_np_get_report(fit).minima;
        double before = -DBL_MAX, h[D];
        ck_assert_int_ge(minima, 1);
        for (int i = 0; i < minima; i++) {
            const double value = heed_np_minimum(fit, i, h, D);
            ck_assert(value >= before);
            before = value;
        }
        const double least = heed_np_minimum(fit, 0, h, D);
        for (int c = 0; c < 2 * D; c++) {
            double moved[D];
            memcpy(moved, h, sizeof h);
            moved[c / 2] *= c % 2 ? 1.03 : 0.97;
            if (c / 2 > 0 && (moved[c / 2] > 1 || moved[c / 2] < 1e-12)) /* outside the range of the search */
                continue;
            o.bandwidths = moved;
            heed_np *other = fit_of(x, y, &o);
            ck_assert_double_ge(heed_np_get_report(other).criterion, least - 1e-9 * fabs(least));
            heed_np_free(other);
        }
        heed_np_free(fit);
    }
}
END_TEST

/* -- Rows and weights ---------------------------------------------------------------------------------------------- */

/* A row of weight 2 counts like two equal rows, a row of weight 0 like a missing row. Only ratios of weights matter. */
START_TEST(weights_are_rows)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0, 1, 2, 3, 1.5),
                *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 3, 2, 5, 9);
    heed_tensor *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 2, 1, 1, 0);
    heed_tensor *longer = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0, 1, 1, 2, 3),
                *values = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, 3, 3, 2, 5);
    for (int degree = 0; degree < 3; degree++) {
        heed_np_options o = {.degree = degree, .bandwidths = (double[]){0.9}, .criterion = HEED_NP_GCV};
        heed_np *twice = fit_of(longer, values, &o);
        o.weights = w;
        heed_np *weighted = fit_of(x, y, &o);
        o.weights = heed_mul_scalar(w, 1e200);
        heed_np *other = fit_of(x, y, &o);
        const heed_np_report a = heed_np_get_report(weighted), b = heed_np_get_report(twice),
                             c = heed_np_get_report(other);
        near(at(heed_np_fitted(weighted), 1), at(heed_np_fitted(twice), 2), 1e-12, "m");
        near(a.rss, b.rss * 4 / 5, 1e-12, "RSS");
        near(a.trace, b.trace, 1e-12, "tr H");
        near(c.criterion, a.criterion, 1e-12, "GCV in another unit");
        near(c.sigma, a.sigma, 1e-12, "sigma in another unit");
        ck_assert(at(heed_np_leverages(weighted), 4) == 0);
        heed_np_free(weighted);
        heed_np_free(other);
        heed_np_free(twice);
    }
}
END_TEST

/* One far row changes the bandwidth and the fit of the others only a little. */
START_TEST(a_row_far_out)
{
    heed_tensor *x, *y, *zero = heed_zeros(HEED_F64, HEED_SHAPE(1));
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    for (int degree = 0; degree < 2; degree++) {
        heed_tensor *far = heed_full(HEED_F64, HEED_SHAPE(1), degree ? 1e6 : 1e300);
        double h;
        heed_np *fit = fit_of(heed_concat(HEED_TENSORS(x, far), 0), heed_concat(HEED_TENSORS(y, zero), 0),
                              &(heed_np_options){.degree = degree});
        ck_assert_int_eq(heed_np_bandwidths(fit, &h, 1), HEED_OK);
        near(h, degree ? 1.475794 : 0.913829, 1e-4, "h");
        heed_np_free(fit);
    }
}
END_TEST

/* A column with a single label changes nothing; if all weights are 0, the leave-one-out criterion is infinite. */
START_TEST(labels_at_their_ends)
{
    heed_tensor *x, *y;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_tensor *both = heed_stack(HEED_TENSORS(x, heed_full(heed_dtype_of(x), heed_shape_of(x), 1)), 1);
    const heed_np_column unordered[] = {HEED_NP_CONTINUOUS, HEED_NP_UNORDERED},
                         ordered[] = {HEED_NP_CONTINUOUS, HEED_NP_ORDERED};
    heed_np_options o = {.degree = 1, .columns = unordered, .labels = HEED_NP_CLASSIC};
    heed_np *fit = fit_of(both, y, &o);
    near(heed_np_get_report(fit).criterion, 561.339453528, 1e-8, "CV.LS with a column of one label");
    ck_assert_int_eq(heed_np_get_report(fit).minima, 1);
    heed_np_free(fit);
    o.columns = ordered;
    o.bandwidths = (double[]){1, 1};
    fit = fit_of(both, y, &o);
    ck_assert(isinf(heed_np_get_report(fit).criterion));
    heed_np_free(fit);
}
END_TEST

/* An outlier has weight 0 after the robust rounds, and the fit goes through the other rows. */
START_TEST(robust_rounds)
{
    heed_tensor *x = heed_linspace(HEED_F64, 0, 1, 21), *y = heed_clone(x);
    for (int i = 0; i < 21; i++)
        heed_set_(y, HEED_INDEX(i), at(x, i) + (i == 10 ? 5 : i % 2 ? 0.01 : -0.01));
    heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .bandwidths = (double[]){0.2}, .robust = 4});
    ck_assert(at(heed_np_robust_weights(fit), 10) == 0);
    ck_assert(at(heed_np_robust_weights(fit), 3) > 0.5);
    ck_assert(fabs(at(heed_np_fitted(fit), 10) - 0.5) < 0.01);
    heed_np_free(fit);
}
END_TEST

/* -- Searches ------------------------------------------------------------------------------------------------------ */

static bool ends_at_three(const heed_np_progress *now, void *user)
{
    *(double *)user = now->best;
    return now->evaluations < 3;
}

static bool fails(const heed_np_progress *now, void *user)
{
    (void)now, (void)user;
    return heed_fail_false(HEED_ERR_IO, "my_progress", "nowhere to write");
}

START_TEST(a_search_that_ends)
{
    heed_tensor *x, *y;
    double best = 0;
    load(HEED_SOURCE_DIR "/examples/data/mcycle.csv", "times", "accel", &x, &y);
    heed_np *fit = fit_of(x, y, &(heed_np_options){.progress = ends_at_three, .user = &best});
    const heed_np_report r = heed_np_get_report(fit);
    ck_assert(r.stopped && r.evaluations == 3 && r.criterion == best);
    heed_np_free(fit);
    fit = fit_of(x, y, &(heed_np_options){.max_evaluations = 1});
    ck_assert(heed_np_get_report(fit).stopped && heed_np_get_report(fit).evaluations == 1);
    heed_np_free(fit);
    ck_assert(!heed_np_fit(x, y, &(heed_np_options){.progress = fails}));
    ck_assert_error(HEED_ERR_IO, "np_fit: my_progress: nowhere to write");
}
END_TEST

/* Many rows: the search goes from a sample to all rows, and the bits do not depend on the number of threads. */
START_TEST(same_bits_by_any_number_of_threads)
{
    heed_manual_seed(9);
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(12000));
    heed_tensor *y =
        heed_add(heed_sin(heed_mul_scalar(x, 12)), heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(12000)), 0.3));
    uint64_t hash[3];
    for (int threads = 1; threads <= 3; threads++) {
        ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
        heed_np *fit = fit_of(x, y, &(heed_np_options){.degree = 1, .starts = 1});
        hash[threads - 1] = hash_tensor(HASH_BEGIN, heed_np_fitted(fit));
        heed_np_free(fit);
    }
    ck_assert(hash[0] == hash[1] && hash[1] == hash[2]);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np");
    tcase_add_loop_test(tcase, numbers_of_np, 0, sizeof rows_of_np / sizeof rows_of_np[0]);
    tcase_add_test(tcase, loess_of_cars);
    tcase_add_test(tcase, lowess_of_cars);
    tcase_add_test(tcase, columns_of_all_kinds);
    tcase_add_test(tcase, minima_are_minima);
    tcase_add_test(tcase, weights_are_rows);
    tcase_add_test(tcase, a_row_far_out);
    tcase_add_test(tcase, labels_at_their_ends);
    tcase_add_test(tcase, robust_rounds);
    tcase_add_test(tcase, a_search_that_ends);
    tcase_add_test(tcase, same_bits_by_any_number_of_threads);
    return heed_run_case("np", tcase);
}
