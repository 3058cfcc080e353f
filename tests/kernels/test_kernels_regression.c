/* tests/kernels/test_kernels_regression.c - tests the kernels of kernel regression of every instruction set against
 * their reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/regression/reference.h"

/* Inputs and results; guards lie in the arrays themselves, after the elements to be written. */
static array queries, keys, values, widths, g, f, rows, slopes, dq, moments, dk, dv, other, scratch;

enum { ROWS = 3, MAX_BLOCKS = 2053, MAX_COLUMNS = 3 };

typedef heed__regression_args regression_args;

/* -- Expected values ----------------------------------------------------------------------------------------------- */

/* The inputs as doubles, and the results of the reference: of one query, and of gradients of all. */
static struct {
    double q[MAX_BLOCKS * MAX_COLUMNS], k[ROWS * MAX_BLOCKS * MAX_COLUMNS], v[ROWS * MAX_BLOCKS * MAX_COLUMNS],
        w[MAX_COLUMNS];
    double g[MAX_BLOCKS * MAX_COLUMNS];
    double u[MAX_BLOCKS], a[MAX_BLOCKS], f[MAX_COLUMNS], slopes[MAX_COLUMNS];
    double dq[MAX_BLOCKS * MAX_COLUMNS], moments[MAX_BLOCKS * MAX_COLUMNS];
    double dk[MAX_BLOCKS * MAX_COLUMNS * ROWS], dv[MAX_BLOCKS * MAX_COLUMNS * ROWS];
} expected;

static void read_inputs(const regression_args *args, int dtype)
{
    const int64_t sets = args->shared ? 1 : args->n;
    array_read(dtype, queries.storage, args->n * args->d, expected.q);
    array_read(dtype, keys.storage, sets * args->d * args->m, expected.k);
    array_read(dtype, values.storage, sets * args->v * args->m, expected.v);
    array_read(dtype, widths.storage, args->d, expected.w);
    array_read(dtype, g.storage, args->n * args->v, expected.g);
}

static reference_regression expect_row(const regression_args *args, int64_t row)
{
    const int64_t own = args->shared ? 0 : row;
    const reference_regression s = {.m = args->m,
                                    .d = args->d,
                                    .v = args->v,
                                    .left_out = args->leave_one_out ? row : -1,
                                    .q = expected.q + row * args->d,
                                    .k = expected.k + own * args->d * args->m,
                                    .values = expected.v + own * args->v * args->m,
                                    .w = expected.w};
    reference_regress(&s, expected.u, expected.a, expected.f, expected.slopes);
    return s;
}

/* Gradients of the sums over all pairs of a query and a key of this range. */
static void expect_range(const regression_args *args, const heed__regression_range *part)
{
    memset(expected.dq, 0, sizeof expected.dq);
    memset(expected.moments, 0, sizeof expected.moments);
    memset(expected.dk, 0, sizeof expected.dk);
    memset(expected.dv, 0, sizeof expected.dv);
    for (int64_t row = part->row_begin; row < part->row_end; row++) {
        const reference_regression s = expect_row(args, row);
        const int64_t own = args->shared ? 0 : row;
        const reference_regression_grads to = {.g = expected.g + row * args->v,
                                               .dq = expected.dq + row * args->d,
                                               .moments = expected.moments + row * args->d,
                                               .dk = expected.dk + own * args->d * args->m,
                                               .dv = expected.dv + own * args->v * args->m};
        for (int64_t j = part->key_begin; j < part->key_end; j++)
            reference_regress_grad(&s, j, expected.a[j], expected.f, &to);
    }
}

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

#define GUARD 12345.0

static void near(const table_walk *t, const regression_args *args, const char *what, const array *got, int64_t i,
                 double exact, double tolerance)
{
    double value = array_get(t->dtype, got->storage, i);
    EXPECT(fabs(value - exact) <= tolerance * epsilon(t->dtype) * (1 + fabs(exact)),
           "%s, m %d d %d v %d%s%s: %s %d is %.17g, not %.17g", t->name, (int)args->m, (int)args->d, (int)args->v,
           args->shared ? "" : ", own sets", args->leave_one_out ? ", left out" : "", what, (int)i, value, exact);
}

static void guard(const table_walk *t, array *a, int64_t n)
{
    for (int64_t i = 0; i < n + 20; i++)
        array_set(t->dtype, a->storage, i, GUARD);
}

static void guarded(const table_walk *t, const array *a, int64_t n, const char *what)
{
    for (int64_t i = n; i < n + 20; i++)
        EXPECT(array_get(t->dtype, a->storage, i) == GUARD, "%s: wrote behind %s", t->name, what);
}

static void check_forward(const table_walk *t, const regression_args *args, int64_t begin, int64_t end)
{
    guard(t, &f, args->n * args->v);
    guard(t, &rows, args->n * (args->d + HEED_REGRESSION_SAVED));
    guard(t, &slopes, args->n * args->v);
    const int64_t elements = t->kernels->regression(args, begin, end, NULL, NULL) / (int64_t)element_size(t->dtype);
    guard(t, &scratch, elements);
    t->kernels->regression(args, begin, end, &(heed__regression_results){f.storage, rows.storage, slopes.storage},
                           scratch.storage);
    guarded(t, &scratch, elements, "scratch");
    guarded(t, &f, end * args->v, "f");
    guarded(t, &rows, end * (args->d + HEED_REGRESSION_SAVED), "rows");
    for (int64_t row = begin; row < end; row++) {
        (void)expect_row(args, row);
        for (int64_t c = 0; c < args->v; c++) {
            near(t, args, "f", &f, row * args->v + c, expected.f[c], 20);
            near(t, args, "slope", &slopes, row * args->v + c, expected.slopes[c], 60);
        }
    }
    t->kernels->regression(args, begin, end, &(heed__regression_results){dq.storage, rows.storage, NULL},
                           scratch.storage);
    EXPECT(memcmp(array_at(t->dtype, dq.storage, begin * args->v), array_at(t->dtype, f.storage, begin * args->v),
                  (size_t)((end - begin) * args->v) * element_size(t->dtype)) == 0,
           "%s: another f without slopes", t->name);
}

/* dq and moments leave out the nearest key's contribution to u: it changes them by near^2 w^2 / 2 times the sum of p,
 * which is 0 over all keys, but not over some of them. */
static void check_range(const table_walk *t, const regression_args *args, const heed__regression_range *part, bool all)
{
    const heed__regression_saved found = {f.storage, rows.storage, g.storage};
    const heed__regression_grads into = {dq.storage, all ? moments.storage : NULL, dk.storage, dv.storage};
    const int64_t sets = args->shared ? 1 : args->n;
    guard(t, &dq, args->n * args->d);
    guard(t, &moments, args->n * args->d);
    guard(t, &dk, sets * args->d * args->m);
    guard(t, &dv, sets * args->v * args->m);
    const int64_t elements =
        t->kernels->regression_grad(args, NULL, part, &into, NULL) / (int64_t)element_size(t->dtype);
    guard(t, &scratch, elements);
    t->kernels->regression_grad(args, &found, part, &into, scratch.storage);
    expect_range(args, part);
    guarded(t, &dq, part->row_end * args->d, "dq");
    guarded(t, &moments, all ? part->row_end * args->d : 0, "moments");
    guarded(t, &dk, sets * args->d * args->m, "dk");
    guarded(t, &dv, sets * args->v * args->m, "dv");
    guarded(t, &scratch, elements, "scratch");
    for (int64_t i = part->row_begin * args->d; i < part->row_end * args->d; i++) {
        near(t, args, "dq", &dq, i, expected.dq[i], 200);
        if (all)
            near(t, args, "moment", &moments, i, expected.moments[i], 200);
    }
    for (int64_t set = args->shared ? 0 : part->row_begin; set < (args->shared ? 1 : part->row_end); set++)
        for (int64_t j = part->key_begin; j < part->key_end; j++) {
            for (int64_t c = 0; c < args->d; c++)
                near(t, args, "dk", &dk, (set * args->d + c) * args->m + j,
                     expected.dk[(set * args->d + c) * args->m + j], 200);
            for (int64_t c = 0; c < args->v; c++)
                near(t, args, "dv", &dv, (set * args->v + c) * args->m + j,
                     expected.dv[(set * args->v + c) * args->m + j], 60);
        }
}

/* Leaving out optional results does not change the bits of the others. */
static void check_without(const table_walk *t, const regression_args *args, const heed__regression_range *part)
{
    const size_t size = element_size(t->dtype),
                 queries_size = (size_t)((part->row_end - part->row_begin) * args->d) * size;
    const int64_t sets = args->shared ? 1 : args->n;
    const size_t sizes[] = {(size_t)(sets * args->d * args->m) * size, (size_t)(sets * args->v * args->m) * size};
    const heed__regression_saved found = {f.storage, rows.storage, g.storage};
    const heed__regression_grads only[] = {{.dq = other.storage}, {.dk = other.storage}, {.dv = other.storage}};
    const array *const whole[] = {&dq, &dk, &dv};
    for (int i = 0; i < 3; i++) {
        const size_t at = i == 0 ? (size_t)(part->row_begin * args->d) * size : 0;
        memcpy(other.storage, whole[i]->storage, i == 0 ? at + queries_size : sizes[i - 1]);
        t->kernels->regression_grad(args, &found, part, &only[i], scratch.storage);
        EXPECT(memcmp((char *)other.storage + at, (const char *)whole[i]->storage + at,
                      i == 0 ? queries_size : sizes[i - 1]) == 0,
               "%s: other bits of gradient %d if it alone is requested", t->name, i);
    }
}

static void check_gradients(const table_walk *t, const regression_args *args, int64_t begin, int64_t end)
{
    const int64_t row_split = (begin + end) / 2, key_split = args->m / 3;
    const heed__regression_range all = {begin, end, 0, args->m};
    check_range(t, args, &all, true);
    check_without(t, args, &all);
    check_range(t, args, &(heed__regression_range){begin, row_split, 0, args->m}, true);
    check_range(t, args, &(heed__regression_range){begin, end, 0, key_split}, false);
    check_range(t, args, &(heed__regression_range){row_split, end, key_split, args->m}, false);
}

/* -- Tests --------------------------------------------------------------------------------------------------------- */

static void check(const table_walk *t, int64_t n, int64_t m, int64_t d, int64_t v, bool shared, bool leave_one_out)
{
    regression_args args = {
        n, m, d, v, shared, leave_one_out, queries.storage, keys.storage, values.storage, widths.storage};
    int64_t sets = shared ? 1 : n, begin = leave_one_out && m > ROWS ? m / 2 - 1 : 0;
    int64_t end = begin + (n < ROWS ? n : ROWS);
    array_draw(t->dtype, queries.storage, n * d, 0, 3, 1);
    array_draw(t->dtype, keys.storage, sets * m * d, 0, 3, 2);
    array_draw(t->dtype, values.storage, sets * m * v, -1, 2, 3);
    array_draw(t->dtype, widths.storage, d, 0.7, 3, 4);
    array_draw(t->dtype, g.storage, n * v, -1, 1, 5);
    read_inputs(&args, t->dtype);
    check_forward(t, &args, begin, end);
    check_gradients(t, &args, begin, end);
}

START_TEST(regression_is_right)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 2}};
    FOR_EACH_TABLE(t)
    for (int l = 0; l <= LENGTHS; l++)
        for (int s = 0; s < 4; s++) {
            int64_t m = l < LENGTHS ? lengths[l] : MAX_BLOCKS, d = sizes[s][0], v = sizes[s][1];
            check(&t, ROWS, m, d, v, true, false);
            check(&t, ROWS, m, d, v, false, false);
            check(&t, m, m, d, v, true, true);
        }
}
END_TEST

/* Computes one row of difficult numbers in the dtype of t. */
static double hard(const table_walk *t, double q, const double *k, const double *v, int64_t m, double width)
{
    regression_args args = {1, m, 1, 1, true, false, queries.storage, keys.storage, values.storage, widths.storage};
    array_set(t->dtype, queries.storage, 0, q);
    array_set(t->dtype, widths.storage, 0, width);
    for (int64_t j = 0; j < m; j++) {
        array_set(t->dtype, keys.storage, j, k[j]);
        array_set(t->dtype, values.storage, j, v[j]);
    }
    t->kernels->regression(&args, 0, 1, &(heed__regression_results){f.storage, rows.storage, slopes.storage},
                           scratch.storage);
    return array_get(t->dtype, f.storage, 0);
}

START_TEST(hard_numbers)
{
    FOR_EACH_TABLE(t)
    {
        double tiny = smallest(t.dtype), large = t.dtype == HEED_F32 ? 3e38 : 1.7e308;
        ck_assert(hard(&t, 0, (double[]){-1, 1, INFINITY}, (double[]){4, 8, 100}, 3, 1) == 6);
        ck_assert(hard(&t, large, (double[]){-1, large / 2, 7}, (double[]){4, 8, 100}, 3, 1) == 8);
        ck_assert(hard(&t, large, (double[]){-1, -1, -2}, (double[]){4, 8, 100}, 2, 0) == 6);
        ck_assert(hard(&t, 0.0, (double[]){-0.0, tiny, -tiny}, (double[]){1, 2, 3}, 3, 1) == 2);
        ck_assert(hard(&t, 1, (double[]){1, 50}, (double[]){tiny, 5}, 2, 1) == tiny);
        ck_assert(isnan(hard(&t, NAN, (double[]){1, 2}, (double[]){3, 4}, 2, 1)));
        ck_assert(isnan(hard(&t, INFINITY, (double[]){1, 2}, (double[]){3, 4}, 2, 1)));
        ck_assert(isnan(hard(&t, 1, (double[]){1, NAN}, (double[]){3, 4}, 2, 1)));
        ck_assert(isnan(hard(&t, 1, (double[]){1, 1}, (double[]){3, NAN}, 2, 1)));
        ck_assert(hard(&t, 1, (double[]){1, 1}, (double[]){3, INFINITY}, 2, 1) == INFINITY);
        /* Slopes: 0 times a key too far away to count is 0. */
        ck_assert(hard(&t, 0, (double[]){0, large}, (double[]){3, 4}, 2, 100) == 3);
        ck_assert(array_get(t.dtype, slopes.storage, 0) == 0);
    }
}
END_TEST

/* Weights are e^-u for u from 0 until they vanish; weights near the smallest normal number become 0. */
START_TEST(weights_over_their_range)
{
    FOR_EACH_TABLE(t)
    {
        double least = t.dtype == HEED_F32 ? 86.9 : 707.9;
        for (int i = 0; i <= 4000; i++) {
            double u = least * i / 4000, k = sqrt(2 * u);
            double got = hard(&t, 0, (double[]){0, k}, (double[]){0, 1}, 2, 1);
            long double exact_k = array_get(t.dtype, keys.storage, 1), e = expl(-exact_k * exact_k / 2);
            ck_assert(fabsl(got - e / (1 + e)) <= (4 + 2 * u) * epsilon(t.dtype) * e);
        }
        ck_assert(hard(&t, 0, (double[]){0, sqrt(2 * least + 1)}, (double[]){0, 1}, 2, 1) == 0);
    }
}
END_TEST

HEED_TEST_MAIN("kernels of kernel regression", regression_is_right, hard_numbers, weights_over_their_range)
