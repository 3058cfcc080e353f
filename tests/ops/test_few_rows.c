/* tests/ops/test_few_rows.c - products of few rows with a transposed matrix, around the number of rows at which the
 * algorithm changes from dot products to tiles.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "check_heed.h"

enum { STEP = 37 }; /* every STEP-th element is checked */

static heed_tensor *drawn(int64_t rows, int64_t columns)
{
    return heed_sub(heed_rand(HEED_F32, HEED_SHAPE(rows, columns)), heed_full(HEED_F32, HEED_SCALAR, 0.5));
}

/* y = x w' (rows, n), by f64; within the rounding error of sums of k terms below 1/4 in size. */
static void check_rows(heed_tensor *x, heed_tensor *w, heed_tensor *y)
{
    const int64_t k = heed_dim(x, 1), n = heed_dim(w, 0);
    for (int64_t at = 0; at < heed_numel(y); at += STEP) {
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += (double)heed_data_f32(x)[at / n * k + j] * (double)heed_data_f32(w)[at % n * k + j];
        const double got = heed_data_f32(y)[at];
        ck_assert_msg(fabs(got - sum) <= 1e-5, "%lld of %lld terms: %g, not %g", (long long)at, (long long)k, got, sum);
    }
}

static void check(int64_t m, int64_t n, int64_t k)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = drawn(m, k), *w = drawn(n, k), *y[2], *turned[2];
    for (int threads = 1; threads <= 2; threads++) {
        heed_set_num_threads(threads);
        y[threads - 1] = heed_linear(x, w, NULL);
        turned[threads - 1] = heed_linear(w, x, NULL);
    }
    check_rows(x, w, y[0]);
    check_rows(w, x, turned[0]);
    ck_assert_mem_eq(heed_data_f32(y[0]), heed_data_f32(y[1]), (size_t)(m * n) * sizeof(float));
    ck_assert_mem_eq(heed_data_f32(turned[0]), heed_data_f32(turned[1]), (size_t)(m * n) * sizeof(float));
    heed_scope_end(scope);
}

/* Few rows and few columns, with one thread and with two. */
START_TEST(few_rows)
{
    static const int64_t rows[] = {31, 32, 33, 64, 65}, columns[] = {512, 513}, terms[] = {524, 4800};
    heed_manual_seed(1);
    for (int i = 0; i < 20; i++)
        check(rows[i % 5], columns[i / 5 % 2], terms[i / 10]);
}
END_TEST

HEED_TEST_MAIN("few rows", few_rows)
