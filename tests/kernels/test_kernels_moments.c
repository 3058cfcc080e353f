/* tests/kernels/test_kernels_moments.c - tests sums of keys around a query, of every instruction set, against their
 * reference.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/regression/reference_moments.h"

enum { KEYS = 301, COLUMNS = 3, GIVEN = 1, POWERS = 10 };

static array x[COLUMNS], factors, y, given, q, w, sums, scratch;

/* b_0 = 1, b_1 .. b_3 are the columns, followed by all products of two columns. */
static const int parents[POWERS] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3}, multiplied[POWERS] = {0, 0, 1, 2, 0, 1, 2, 1, 2, 2};

static void draw_all(int dtype)
{
    for (int c = 0; c < COLUMNS; c++)
        array_draw(dtype, x[c].storage, KEYS, -1, 1, (uint64_t)c);
    array_draw(dtype, factors.storage, KEYS, -0.2, 1, 7);
    for (int i = 0; i < KEYS; i++)
        array_set(dtype, factors.storage, i, fmax(array_get(dtype, factors.storage, i), 0));
    array_draw(dtype, y.storage, KEYS, -2, 2, 8);
    array_draw(dtype, given.storage, KEYS, -1, 1, 9);
    array_draw(dtype, q.storage, COLUMNS, -0.5, 0.5, 10);
    array_draw(dtype, w.storage, COLUMNS, 0.5, 2, 11);
    array_set(dtype, x[0].storage, 5, dtype == HEED_F32 ? 1e38 : 1e300); /* a key that no query sees */
}

static void add_key(const heed__moments_args *args, int dtype, int64_t i, double *expected, double *size)
{
    double u[COLUMNS], b[POWERS] = {1}, slopes[COLUMNS + GIVEN], weight = array_get(dtype, factors.storage, i);
    for (int c = 0; c < args->columns; c++) {
        u[c] = (array_get(dtype, x[c].storage, i) - array_get(dtype, q.storage, c)) * array_get(dtype, w.storage, c);
        weight *= reference_kernel(args->power, args->times, u[c], &slopes[c]);
    }
    slopes[args->columns] = array_get(dtype, given.storage, i);
    if (weight == 0)
        return;
    for (int k = 1; k < args->powers; k++)
        b[k] = b[parents[k]] * u[multiplied[k]];
    for (int s = -1, at = 0; s < args->slopes; s++)
        at += reference_add_key(args->powers, s < 0 ? weight : weight * slopes[s], b, array_get(dtype, y.storage, i),
                                expected + at, size + at);
}

static void check(const table_walk *t, const heed__moments_args *args, int64_t n, const int64_t *ranges)
{
    static double expected[1000], size[1000];
    const int count = heed__moments_count(args);
    memset(expected, 0, sizeof expected);
    memset(size, 0, sizeof size);
    for (int64_t r = 0; r < n; r++)
        for (int64_t i = ranges[2 * r]; i < ranges[2 * r + 1]; i++)
            add_key(args, t->dtype, i, expected, size);
    array_set(t->dtype, sums.storage, count, 12345.0);
    const heed__moments_query query = {q.storage, w.storage, n, ranges};
    ck_assert_int_le(t->kernels->moments(args, &query, NULL, NULL), (int64_t)sizeof scratch.storage);
    t->kernels->moments(args, &query, sums.storage, scratch.storage);
    for (int i = 0; i < count; i++)
        size[i] += epsilon(t->dtype);
    describe_case("power %d times %d, %d columns, %d powers, %d slopes", args->power, args->times, args->columns,
                  args->powers, args->slopes);
    expect_all_within(t, "sums", &sums, expected, size, count, 40 * epsilon(t->dtype));
    ck_assert(array_get(t->dtype, sums.storage, count) == 12345.0);
}

START_TEST(moments_are_right)
{
    static const int shapes[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 3}, {3, 3}};
    static const int powers[][2] = {{0, 1}, {1, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 10}}; /* columns, then powers */
    static const int64_t ranges[] = {0, 1, 3, 20, 20, 53, 64, KEYS};
    FOR_EACH_TABLE(t)
    {
        draw_all(t.dtype);
        for (int s = 0; s < 6; s++)
            for (int p = 0; p < 6; p++)
                for (int slopes = 0; slopes < 2; slopes++) {
                    const heed__moments_args args = {.columns = powers[p][0],
                                                     .powers = powers[p][1],
                                                     .slopes = slopes ? powers[p][0] + GIVEN : 0,
                                                     .power = shapes[s][0],
                                                     .times = shapes[s][1],
                                                     .x = (const void *[]){x[0].storage, x[1].storage, x[2].storage},
                                                     .factors = factors.storage,
                                                     .y = y.storage,
                                                     .given = (const void *[]){given.storage},
                                                     .parents = parents,
                                                     .column = multiplied};
                    check(&t, &args, 4, ranges);
                    check(&t, &args, 0, ranges);
                }
    }
}
END_TEST

HEED_TEST_MAIN("kernels of local moments", moments_are_right)
