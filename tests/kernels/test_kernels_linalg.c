/* tests/kernels/test_kernels_linalg.c - tests triangular solves, Cholesky and LU factors of small blocks, of every
 * instruction set, against their references, and that all instruction sets with fma give the same bits.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/linalg/reference.h"

enum { BLOCK = HEED_LINALG_BLOCK, ROWS = 45, SIDES = 37, ROW = 53 };

static array a, x, fused[2];
static double block[ROWS * BLOCK], expected[ROWS * BLOCK];

static const int block_sizes[] = {1, 2, 7, 8, 15, 16};
enum { SIZES = sizeof block_sizes / sizeof block_sizes[0] };

/* Results of instruction sets with fma have the bits of the first one, in fused[dtype] from element *at on. */
static void expect_same_bits(const table_walk *t, const array *result, int64_t n, int64_t *at)
{
    void *first = array_at(t->dtype, fused[t->dtype].storage, *at);
    const size_t bytes = (size_t)n * element_size(t->dtype);
    *at += n;
    ck_assert_int_le(*at, ARRAY_MAX);
    if (strcmp(t->isa, "avx2") == 0)
        memcpy(first, result->storage, bytes);
    else if (strcmp(t->isa, "avx512") == 0)
        EXPECT(memcmp(first, result->storage, bytes) == 0, "%s, %s: the bits differ from avx2", t->name, tested_case);
}

/* Draws the matrix of `rows` rows, ROW elements apart, with `diagonal` added to its diagonal, and reads it. */
static void draw_block(int dtype, int64_t rows, int64_t n, double diagonal)
{
    array_draw(dtype, a.storage, ROWS * ROW, -1, 1, (uint64_t)(7 * rows + n));
    for (int64_t i = 0; i < n; i++)
        array_set(dtype, a.storage, i * ROW + i, array_get(dtype, a.storage, i * ROW + i) + diagonal);
    for (int64_t i = 0; i < rows; i++)
        array_read(dtype, array_at(dtype, a.storage, i * ROW), n, block + i * n);
}

static void expect_block(const table_walk *t, int64_t rows, int64_t n, bool lower)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < (lower ? i + 1 : n); j++)
            expect_near(t, "factor", array_get(t->dtype, a.storage, i * ROW + j), expected[i * n + j], i * n + j,
                        100 * epsilon(t->dtype) * (1 + fabs(expected[i * n + j])));
}

/* `flags`: the diagonal counts as 1; the triangle is an upper one, read from its end; right-hand sides are rows. */
static void check_triangular(const table_walk *t, int64_t n, int flags, int64_t *at)
{
    const bool unit = flags & 1, upper = flags & 2, rows = flags & 4;
    const int64_t last = n - 1, step = rows ? 1 : SIDES, next = rows ? ROW : 1;
    double b[BLOCK], triangle[BLOCK * BLOCK];
    draw_block(t->dtype, n, n, 3);
    for (int64_t i = 0; i < n * n; i++)
        triangle[i] = block[upper ? n * n - 1 - i : i];
    array_draw(t->dtype, x.storage, SIDES * ROW, -1, 1, 5);
    static double before[SIDES * ROW];
    array_read(t->dtype, x.storage, SIDES * ROW, before);
    const heed__triangular_args args = {.n = n,
                                        .a = array_at(t->dtype, a.storage, upper ? last * (ROW + 1) : 0),
                                        .row = upper ? -ROW : ROW,
                                        .column = upper ? -1 : 1,
                                        .unit = unit,
                                        .x = array_at(t->dtype, x.storage, upper ? last * step : 0),
                                        .step = upper ? -step : step,
                                        .next = next};
    t->kernels->triangular(&args, 2, SIDES - 1);
    for (int64_t c = 0; c < SIDES; c++) {
        for (int64_t i = 0; i < n; i++)
            b[i] = before[(upper ? last - i : i) * step + c * next];
        if (c >= 2 && c < SIDES - 1)
            reference_triangular(n, triangle, unit, b);
        for (int64_t i = 0; i < n; i++)
            expect_near(t, "x", array_get(t->dtype, x.storage, (upper ? last - i : i) * step + c * next), b[i], i,
                        1000 * epsilon(t->dtype) * (1 + fabs(b[i])) * (unit ? exp2((double)n) : 1));
    }
    expect_same_bits(t, &x, SIDES * BLOCK, at);
}

START_TEST(triangles_are_solved)
{
    FOR_EACH_TABLE(t)
    {
        int64_t at = 0;
        for (int s = 0; s < SIZES; s++)
            for (int flags = 0; flags < 8; flags++) {
                describe_case("n %d, flags %d", block_sizes[s], flags);
                check_triangular(&t, block_sizes[s], flags, &at);
            }
    }
}
END_TEST

START_TEST(cholesky_factors_are_right)
{
    FOR_EACH_TABLE(t)
    {
        int64_t at = 0;
        for (int s = 0; s < SIZES; s++) {
            const int64_t n = block_sizes[s];
            describe_case("n %d", block_sizes[s]);
            draw_block(t.dtype, n, n, 5);
            memcpy(expected, block, sizeof expected);
            reference_cholesky(n, expected);
            ck_assert_int_eq(t.kernels->cholesky(n, a.storage, ROW), -1);
            expect_block(&t, n, n, true);
            expect_same_bits(&t, &a, ROW * BLOCK, &at);
            draw_block(t.dtype, n, n, 5);
            array_set(t.dtype, a.storage, (n - 1) * (ROW + 1), -7);
            ck_assert_int_eq(t.kernels->cholesky(n, a.storage, ROW), n - 1);
            ck_assert(array_get(t.dtype, a.storage, (n - 1) * (ROW + 1)) <= -7);
        }
    }
}
END_TEST

START_TEST(lu_factors_are_right)
{
    int64_t pivots[BLOCK], expected_pivots[BLOCK];
    FOR_EACH_TABLE(t)
    {
        int64_t at = 0;
        for (int s = 0; s < SIZES; s++)
            for (int64_t more = 0; more <= ROWS - BLOCK; more += ROWS - BLOCK) {
                const int64_t n = block_sizes[s], m = n + more;
                describe_case("%d x %d", (int)m, (int)n);
                draw_block(t.dtype, m, n, 0);
                memcpy(expected, block, sizeof expected);
                reference_lu(m, n, expected, expected_pivots);
                ck_assert_int_eq(t.kernels->lu(m, n, a.storage, ROW, pivots), -1);
                for (int64_t j = 0; j < n; j++)
                    EXPECT(pivots[j] == expected_pivots[j], "%s, %s: pivot %d", t.name, tested_case, (int)j);
                expect_block(&t, m, n, false);
                expect_same_bits(&t, &a, ROW * BLOCK, &at);
                for (int64_t i = 0; i < m; i++) /* the last column is 0 */
                    array_set(t.dtype, a.storage, i * ROW + n - 1, 0);
                ck_assert_int_eq(t.kernels->lu(m, n, a.storage, ROW, pivots), n - 1);
                array_set(t.dtype, a.storage, (m - 1) * ROW, NAN);
                ck_assert_int_eq(t.kernels->lu(m, n, a.storage, ROW, pivots), 0);
                ck_assert_int_eq(pivots[0], m - 1);
            }
    }
}
END_TEST

HEED_TEST_MAIN("kernels of linear algebra", triangles_are_solved, cholesky_factors_are_right, lu_factors_are_right)
