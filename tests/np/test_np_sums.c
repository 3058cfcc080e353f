/* tests/np/test_np_sums.c - tests fast sums against a fit around every query: windows, the fast Gauss transform,
 * blocks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "check_heed.h"
#include "np/sorted_sums.h"

/* The state of a generator of numbers in 0 .. 1, the same in every run. */
static uint64_t state;

static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static int draw_below(int n)
{
    return (int)(draw() * n);
}

typedef bool fit_fn(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                    const heed__np_locals *out);

/* Writes the largest differences of m, H_ii, their derivatives and the variance, relative to their largest values.
 * Returns the number of queries that the sums did not compute. */
static int compare(const heed__np_smoother *s, fit_fn *fast, const double *x, int64_t n, double *worst)
{
    const heed__np_data *data = s->data;
    const int64_t queries = x ? n : data->keys;
    heed__np_locals quick;
    double *variances = heed_alloc((size_t)data->keys * sizeof *variances);
    char *scratch = heed_alloc((size_t)heed__np_direct_scratch(s)),
         *locals = heed_alloc(HEED__NP_LOCAL_SIZE(data->columns));
    ck_assert(variances && scratch && locals && heed__np_locals_new(&quick, data->columns, queries));
    heed__np_local *exact = (heed__np_local *)(void *)locals;
    for (int64_t k = 0; k < data->keys; k++)
        variances[k] = 1 + (double)(k % 3);
    const heed__np_requested requested = {.derivatives = true, .variances = variances, .slopes = s->degree > 0};
    ck_assert_msg(fast(s, x, n, &requested, &quick), "%s", heed_error_message());
    int left = 0;
    *worst = 0;
    for (int64_t i = 0; i < queries; i++) {
        const heed__np_local *got = heed__np_local_at(&quick, i);
        const heed__np_query q = x ? heed__np_query_at(data, x, n, i) : heed__np_query_of_key(data, i);
        heed__np_direct(s, &q, &requested, scratch, exact);
        if (isnan(got->mean)) {
            left++;
            continue;
        }
        const double size = exact->own, total = fmax(exact->variance, DBL_MIN);
        *worst = fmax(*worst, fabs(got->mean - exact->mean) / fmax(1, fabs(exact->mean)));
        *worst = fmax(*worst, x ? 0 : fabs(got->own - exact->own) / size); /* only for keys */
        *worst = fmax(*worst, fabs(got->variance - exact->variance) / total);
        const double reach = fmin(s->h[0], data->range[0]), bend = reach * reach; /* effect on m of curvature 1 */
        *worst = fmax(*worst,
                      s->degree < 2 ? 0 : bend * fabs(got->curve - exact->curve) / fmax(1, bend * fabs(exact->curve)));
        for (int c = 0; c < data->columns; c++) {
            *worst = fmax(*worst, fabs(got->by[c].d_mean - exact->by[c].d_mean) / fmax(1, fabs(exact->by[c].d_mean)));
            *worst = fmax(*worst, x ? 0 : fabs(got->by[c].d_own - exact->by[c].d_own) / size);
        }
    }
    heed__np_locals_free(&quick);
    heed_free(locals, HEED__NP_LOCAL_SIZE(data->columns));
    heed_free(scratch, (size_t)heed__np_direct_scratch(s));
    heed_free(variances, (size_t)data->keys * sizeof *variances);
    return left;
}

static void read_rows(heed__np_data *data, heed_tensor *x, const heed_np_options *options)
{
    heed_tensor *y = heed_randn(HEED_F64, HEED_SHAPE(heed_dim(x, 0)));
    ck_assert_msg(heed__np_read(data, x, y, options), "%s", heed_error_message());
}

/* -- One column ---------------------------------------------------------------------------------------------------- */

/* Returns x: uniform; normal; with far outliers; whole numbers, many of them equal; far from 0. */
static heed_tensor *some_line(int kind, int64_t n)
{
    const heed_shape shape = HEED_SHAPE(n);
    heed_tensor *even = heed_rand(HEED_F64, shape), *normal = heed_randn(HEED_F64, shape);
    switch (kind) {
    case 0:
        return even;
    case 1:
        return normal;
    case 2:
        return heed_exp(heed_mul_scalar(normal, 2.0));
    case 3:
        return heed_round(heed_mul_scalar(even, 300.0));
    default:
        return heed_add_scalar(normal, 1e6);
    }
}

/* Bounds on rounding errors: a cubic loses some digits at the ends of the keys, and more in its derivatives. */
static const double tolerances[] = {4e-13, 1e-11, 2e-9, 1e-8};

START_TEST(sums_along_a_line)
{
    static const double widths[] = {0.003, 0.05, 0.3, 0.69, 1.5, 1000};
    const int kind = _i;
    heed__np_data data;
    heed_manual_seed(3);
    read_rows(&data, some_line(kind, 200), &(heed_np_options){.degree = 3});
    for (int kernel = HEED_NW_GAUSSIAN; kernel < HEED_NW_CONSTANT; kernel++)
        for (int degree = 0; degree <= 3; degree++)
            for (int w = 0; w < 6; w++) {
                const heed__np_smoother s = {.data = &data,
                                             .degree = degree,
                                             .kernel = (heed_nw_kernel)kernel,
                                             .h = {widths[w] * data.range[0]}};
                double worst;
                const int left = compare(&s, heed__np_sorted_fit_at, NULL, 0, &worst);
                ck_assert_msg(worst <= tolerances[degree], "kind %d, kernel %d, degree %d, width %g: off by %g", kind,
                              kernel, degree, widths[w], worst);
                ck_assert_msg(kind == 2 || w == 0 || left < 50, "kernel %d, degree %d, width %g: %d left", kernel,
                              degree, widths[w], left);
            }
    heed__np_data_free(&data);
}
END_TEST

/* Queries at other points than the keys, unordered, some of them far away. */
START_TEST(sums_at_other_queries)
{
    heed__np_data data;
    heed_manual_seed(4);
    read_rows(&data, heed_rand(HEED_F64, HEED_SHAPE(200)), &(heed_np_options){.degree = 2});
    double x[60], worst;
    for (int i = 0; i < 60; i++)
        x[i] = i < 50 ? draw() : 10 * draw() - 5;
    for (int kernel = HEED_NW_GAUSSIAN; kernel < HEED_NW_CONSTANT; kernel++)
        for (int w = 0; w < 3; w++) {
            const heed__np_smoother s = {
                .data = &data, .degree = 2, .kernel = (heed_nw_kernel)kernel, .h = {(double[]){0.05, 0.4, 2}[w]}};
            ck_assert_int_le(compare(&s, heed__np_sorted_fit_at, x, 60, &worst), 12);
            ck_assert_msg(worst <= 1e-9, "kernel %d: off by %g", kernel, worst);
        }
    heed__np_data_free(&data);
}
END_TEST

/* -- Several columns ----------------------------------------------------------------------------------------------- */

static heed_tensor *some_columns(int64_t n, int d, const heed_np_column *kinds)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(n, d));
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            heed_set_(x, HEED_INDEX(i, c), kinds[c] == HEED_NP_CONTINUOUS ? draw() : draw_below(c == 0 ? 100 : 4));
    return x;
}

START_TEST(sums_over_blocks)
{
    state = 5;
    for (int trial = 0; trial < 60; trial++) {
        heed_np_column kinds[3];
        const int d = 2 + draw_below(2);
        for (int c = 0; c < d; c++)
            kinds[c] = (heed_np_column)(draw_below(2) ? HEED_NP_CONTINUOUS : 1 + draw_below(2));
        const heed_np_options o = {.degree = draw_below(3), .columns = kinds};
        heed__np_data data;
        read_rows(&data, some_columns(1 + draw_below(300), d, kinds), &o);
        heed__np_smoother s = {.data = &data,
                               .degree = o.degree,
                               .labels = (heed_np_labels)draw_below(2),
                               .kernel = (heed_nw_kernel)draw_below(HEED_NW_CONSTANT)};
        for (int c = 0; c < d; c++)
            s.h[c] = kinds[c] == HEED_NP_CONTINUOUS ? exp(4 * draw() - 3) : heed__np_most(&s, c) * 0.99 * draw();
        double worst = 0;
        if (heed__np_blocks_supported(&s))
            (void)compare(&s, heed__np_blocks_fit_at, NULL, 0, &worst);
        ck_assert_msg(worst <= 1e-8, "trial %d, kernel %d, degree %d: off by %g", trial, (int)s.kernel, s.degree,
                      worst);
        heed__np_data_free(&data);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("np_sums");
    tcase_add_loop_test(tcase, sums_along_a_line, 0, 5);
    tcase_add_test(tcase, sums_at_other_queries);
    tcase_add_test(tcase, sums_over_blocks);
    return heed_run_case("np_sums", tcase);
}
