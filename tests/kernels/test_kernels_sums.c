/* tests/kernels/test_kernels_sums.c - tests the summing kernels of every instruction set against their reference:
 * reductions and rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/rows/reference.h"

static array x, y, z, again;
static double x_numbers[ARRAY_MAX], z_numbers[ARRAY_MAX], expected[ARRAY_MAX], expected_too[ARRAY_MAX];

static bool same_bits(int dtype, const array *a, const array *b, int64_t n)
{
    return memcmp(a->storage, b->storage, (size_t)n * element_size(dtype)) == 0;
}

/* Every instruction set gives the scalar kernels' bits, except where fma is used. */
#define ASSERT_LIKE_SCALAR(t, n, call)                                                                                 \
    do {                                                                                                               \
        const kernel_table *k = kernels_of("scalar", (unsigned)(t).dtype);                                             \
        call;                                                                                                          \
        EXPECT(same_bits((t).dtype, &y, &again, n), "%s: not as scalar: " #call, (t).name);                            \
    } while (0)

/* -- Reductions --------------------------------------------------------------------------------------------------- */

static const int64_t inners[] = {1, 2, 7, 64, 65};

/* The sums and the sizes of their terms. */
static void expect_sums(int64_t outer, int64_t r, int64_t inner)
{
    for (int64_t i = 0; i < outer * inner; i++)
        expected[i] = (double)reference_sum(r, x_numbers + i / inner * r * inner + i % inner, inner);
    for (int64_t i = 0; i < outer * r * inner; i++)
        x_numbers[i] = fabs(x_numbers[i]);
    for (int64_t i = 0; i < outer * inner; i++)
        expected_too[i] = (double)reference_sum(r, x_numbers + i / inner * r * inner + i % inner, inner);
}

static void check_sum(const table_walk *t, int64_t outer, int64_t r, int64_t inner)
{
    array_draw(t->dtype, x.storage, outer * r * inner, -1, 2, (uint64_t)r);
    array_set(t->dtype, y.storage, outer * inner, 1234);
    t->kernels->sum(outer, r, inner, x.storage, y.storage);
    array_read(t->dtype, x.storage, outer * r * inner, x_numbers);
    expect_sums(outer, r, inner);
    describe_case("sum (%d, %d, %d)", (int)outer, (int)r, (int)inner);
    expect_all_within(t, "y", &y, expected, expected_too, outer * inner, 8 * epsilon(t->dtype));
    ck_assert_double_eq(array_get(t->dtype, y.storage, outer * inner), 1234);
    ASSERT_LIKE_SCALAR(*t, outer * inner, k->sum(outer, r, inner, x.storage, again.storage));
}

START_TEST(sum_is_right)
{
    FOR_EACH_TABLE(t)
    for (int n = 0; n < LENGTHS; n++)
        for (int i = 0; i < 5; i++)
            for (int64_t outer = lengths[n] < 200 ? 0 : 1; outer <= (lengths[n] < 200 ? 3 : 1); outer++)
                check_sum(&t, outer, lengths[n], inners[i]);
}
END_TEST

/* Plain f32 sums would be wrong in the third digit. */
START_TEST(long_sums_keep_their_digits)
{
    FOR_EACH_TABLE(t)
    {
        for (int64_t i = 0; i < ARRAY_MAX; i++)
            array_set(t.dtype, x.storage, i, 0.1);
        double tenth = array_get(t.dtype, x.storage, 0);
        t.kernels->sum(1, ARRAY_MAX, 1, x.storage, y.storage);
        ck_assert_near(array_get(t.dtype, y.storage, 0), ARRAY_MAX * tenth, ARRAY_MAX * tenth * epsilon(t.dtype) * 4);
        t.kernels->sum(1, ARRAY_MAX / 2, 2, x.storage, y.storage);
        ck_assert_near(array_get(t.dtype, y.storage, 1), ARRAY_MAX / 2 * tenth,
                       ARRAY_MAX * tenth * epsilon(t.dtype) * 4);
    }
}
END_TEST

/* A product of two arrays, and sums with their rounding errors: 3 and 2^-60 in turn, so that only the errors hold the
 * small numbers. */
START_TEST(totals_are_right)
{
    FOR_EACH_TABLE(t)
    for (int l = 0; l < LENGTHS; l++) {
        const int64_t n = lengths[l];
        array_draw(t.dtype, x.storage, n, -1, 1, 1);
        array_draw(t.dtype, z.storage, n, -1, 1, 2);
        array_read(t.dtype, x.storage, n, x_numbers);
        array_read(t.dtype, z.storage, n, z_numbers);
        for (int64_t i = 0; i < n; i++)
            z_numbers[i] *= x_numbers[i];
        const double sum = (double)reference_sum(n, z_numbers, 1);
        for (int64_t i = 0; i < n; i++)
            z_numbers[i] = fabs(z_numbers[i]);
        const double size = (double)reference_sum(n, z_numbers, 1);
        describe_case("%d numbers", (int)n);
        expect_near(&t, "product", t.kernels->total_product(n, x.storage, z.storage), sum, n,
                    8 * epsilon(t.dtype) * size);
        array_draw(t.dtype, y.storage, n, 0, 0, 1);
        array_draw(t.dtype, again.storage, n, 0, 0, 1);
        for (int k = 0; k < 10; k++) {
            array_draw(t.dtype, x.storage, n, k % 2 ? 0x1p-60 : 3, k % 2 ? 0x1p-60 : 3, 1);
            t.kernels->total_add_row(n, x.storage, y.storage, again.storage);
        }
        for (int64_t i = 0; i < n; i++)
            EXPECT(array_get(t.dtype, y.storage, i) == 15 && array_get(t.dtype, again.storage, i) == 5 * 0x1p-60,
                   "%s: total %d", t.name, (int)i);
    }
}
END_TEST

static void check_extremes(const table_walk *t, int64_t outer, int64_t r, int64_t inner, double special)
{
    int64_t n = outer * r * inner;
    array_draw(t->dtype, x.storage, n, -1, 1, (uint64_t)r);
    array_set(t->dtype, x.storage, n / 2, special);
    t->kernels->max(outer, r, inner, x.storage, y.storage);
    t->kernels->min(outer, r, inner, x.storage, z.storage);
    array_read(t->dtype, x.storage, n, x_numbers);
    for (int64_t i = 0; i < outer * inner; i++) {
        const double *column = x_numbers + i / inner * r * inner + i % inner;
        EXPECT(same(array_get(t->dtype, y.storage, i), reference_extreme(r, column, inner, 1)) &&
                   same(array_get(t->dtype, z.storage, i), reference_extreme(r, column, inner, -1)),
               "%s: extremes (%d, %d, %d) with %g", t->name, (int)outer, (int)r, (int)inner, special);
    }
}

START_TEST(extremes_are_right)
{
    const double specials[] = {0.5, NAN, INFINITY, -INFINITY};
    FOR_EACH_TABLE(t)
    for (int n = 1; n < LENGTHS; n++)
        for (int i = 0; i < 5; i++)
            for (int s = 0; s < 4; s++)
                check_extremes(&t, lengths[n] < 200 ? 3 : 1, lengths[n], inners[i], specials[s]);
}
END_TEST

/* -- Rows --------------------------------------------------------------------------------------------------------- */

/* y holds softmax, and `again` its logarithm. */
static void check_row_values(const table_walk *t, int64_t rows, int64_t n)
{
    describe_case("%d rows of %d", (int)rows, (int)n);
    array_read(t->dtype, x.storage, rows * n, x_numbers);
    t->kernels->logsumexp(rows, n, x.storage, z.storage);
    for (int64_t row = 0; row < rows; row++) {
        const double log_sum = (double)reference_logsumexp(n, x_numbers + row * n);
        const double got = array_get(t->dtype, z.storage, row);
        EXPECT(got == log_sum || fabs(got - log_sum) <= 8 * epsilon(t->dtype), "%s: logsumexp of %d", t->name, (int)n);
        reference_softmax(n, x_numbers + row * n, expected + row * n, expected_too + row * n);
    }
    expect_all_near(t, "softmax", &y, expected, rows * n, 0, 16);
    expect_all_near(t, "log_softmax", &again, expected_too, rows * n, 16, 0);
}

START_TEST(rows_are_right)
{
    FOR_EACH_TABLE(t)
    for (int l = 0; l < LENGTHS; l++)
        for (int64_t rows = 0; rows <= 3; rows++) {
            int64_t n = lengths[l];
            array_draw(t.dtype, x.storage, rows * n, -4, 4, (uint64_t)n);
            t.kernels->softmax(rows, n, x.storage, y.storage);
            t.kernels->log_softmax(rows, n, x.storage, again.storage);
            check_row_values(&t, rows, n);
            memcpy(again.storage, x.storage, (size_t)(rows * n) * element_size(t.dtype));
            t.kernels->softmax(rows, n, again.storage, again.storage);
            ck_assert(same_bits(t.dtype, &y, &again, rows * n));
            t.kernels->log_softmax(rows, n, x.storage, y.storage);
            t.kernels->log_softmax(rows, n, x.storage, x.storage);
            ck_assert(same_bits(t.dtype, &y, &x, rows * n));
        }
}
END_TEST

/* Fills a row of n with `rest` and puts `special` at index `where`. */
static void special_row(int dtype, int64_t n, int64_t where, double special, double rest)
{
    for (int64_t i = 0; i < n; i++)
        array_set(dtype, x.storage, i, i == where ? special : rest);
}

START_TEST(nan_and_infinity_fill_their_row)
{
    const double specials[] = {NAN, INFINITY};
    FOR_EACH_TABLE(t)
    for (int64_t n = 1; n <= 67; n += 11)
        for (int64_t where = 0; where < n; where++)
            for (int s = 0; s < 2; s++) {
                special_row(t.dtype, n, where, specials[s], where % 2 ? 1 : -INFINITY);
                t.kernels->softmax(1, n, x.storage, y.storage);
                t.kernels->log_softmax(1, n, x.storage, again.storage);
                t.kernels->logsumexp(1, n, x.storage, z.storage);
                for (int64_t i = 0; i < n; i++)
                    EXPECT(isnan(array_get(t.dtype, y.storage, i)) && isnan(array_get(t.dtype, again.storage, i)),
                           "%s: %d of %d", t.name, (int)i, (int)n);
                ck_assert_same(array_get(t.dtype, z.storage, 0), specials[s]);
            }
}
END_TEST

START_TEST(minus_infinity_weighs_nothing)
{
    FOR_EACH_TABLE(t)
    for (int64_t n = 2; n <= 67; n += 13)
        for (int64_t where = 0; where < n; where++) {
            special_row(t.dtype, n, where, -INFINITY, 5);
            t.kernels->softmax(1, n, x.storage, y.storage);
            t.kernels->log_softmax(1, n, x.storage, again.storage);
            ck_assert_double_eq(array_get(t.dtype, y.storage, where), 0);
            ck_assert_same(array_get(t.dtype, again.storage, where), -INFINITY);
            ck_assert_near(array_get(t.dtype, y.storage, where ? 0 : 1), 1.0 / (double)(n - 1), epsilon(t.dtype));
            special_row(t.dtype, n, where, -INFINITY, -INFINITY);
            t.kernels->softmax(1, n, x.storage, y.storage);
            t.kernels->logsumexp(1, n, x.storage, z.storage);
            ck_assert(isnan(array_get(t.dtype, y.storage, where)));
            ck_assert_same(array_get(t.dtype, z.storage, 0), -INFINITY);
        }
}
END_TEST

START_TEST(far_scores_stay_finite)
{
    FOR_EACH_TABLE(t)
    for (int sign = -1; sign <= 1; sign += 2) {
        special_row(t.dtype, 35, 17, -3e38 * sign, 3e38 * sign);
        t.kernels->softmax(1, 35, x.storage, y.storage);
        t.kernels->sum(1, 35, 1, y.storage, z.storage);
        ck_assert_near(array_get(t.dtype, z.storage, 0), 1, 2 * epsilon(t.dtype));
        ck_assert_double_eq(array_get(t.dtype, y.storage, sign > 0 ? 17 : 0), 0);
    }
}
END_TEST

START_TEST(row_gradients_are_right)
{
    FOR_EACH_TABLE(t)
    for (int l = 0; l < LENGTHS; l++) {
        int64_t n = lengths[l], rows = 3;
        array_draw(t.dtype, x.storage, rows * n, -1, 0.5, 1);
        array_draw(t.dtype, z.storage, rows * n, -1, 1, 2);
        array_read(t.dtype, x.storage, rows * n, x_numbers);
        array_read(t.dtype, z.storage, rows * n, z_numbers);
        for (int64_t row = 0; row < rows; row++) {
            reference_softmax_grad(n, x_numbers + row * n, z_numbers + row * n, expected + row * n);
            reference_log_softmax_grad(n, x_numbers + row * n, z_numbers + row * n, expected_too + row * n);
        }
        t.kernels->softmax_grad(rows, n, x.storage, z.storage, y.storage);
        t.kernels->log_softmax_grad(rows, n, x.storage, z.storage, again.storage);
        describe_case("rows of %d", (int)n);
        expect_all_near(&t, "softmax_grad", &y, expected, rows * n, 8 * (double)(n + 1), 0);
        expect_all_near(&t, "log_softmax_grad", &again, expected_too, rows * n, 8 * (double)(n + 1), 0);
        ASSERT_LIKE_SCALAR(t, rows * n, k->softmax_grad(rows, n, x.storage, z.storage, again.storage));
    }
}
END_TEST

/* Rows of n cut to lengths equal rows of these lengths, bit for bit, followed by zeros; NaN lies after the lengths. */
static void check_masked_rows(const table_walk *t, int64_t n, int64_t share)
{
    enum { ROWS = 7 };
    int64_t lens[ROWS] = {n, n / 2, 0, n > 0, n, n - n / 3, 0};
    int dtype = t->dtype;
    heed__masked_args args = {.rows = share,
                              .visibility = {.lengths = lens, .length_step = {.batch = 1}, .heads = 1, .keys = n}};
    array_draw(dtype, x.storage, ROWS * n, -4, 4, (uint64_t)n);
    array_draw(dtype, z.storage, ROWS * n, -1, 1, (uint64_t)n + 1);
    for (int64_t i = 0; i < ROWS * n; i++)
        if (i % n >= lens[i / n / share]) {
            array_set(dtype, x.storage, i, NAN);
            array_set(dtype, z.storage, i, NAN);
        }
    for (int64_t row = 0; row < ROWS; row += 4)
        t->kernels->masked_softmax(&args, row, row + 4 < ROWS ? row + 4 : ROWS, x.storage, y.storage);
    for (int64_t row = 0; row < ROWS; row++) {
        void *to = array_at(dtype, again.storage, row * n);
        memset(to, 0, (size_t)n * element_size(dtype));
        t->kernels->softmax(1, lens[row / share], array_at(dtype, x.storage, row * n), to);
    }
    EXPECT(same_bits(dtype, &y, &again, ROWS * n), "%s: rows of %d, %d alike", t->name, (int)n, (int)share);
    t->kernels->masked_softmax_grad(&args, 1, ROWS, again.storage, z.storage, y.storage);
    for (int64_t row = 1; row < ROWS; row++) {
        void *at = array_at(dtype, again.storage, row * n);
        t->kernels->softmax_grad(1, lens[row / share], at, array_at(dtype, z.storage, row * n), at);
        EXPECT(memcmp(at, array_at(dtype, y.storage, row * n), (size_t)n * element_size(dtype)) == 0,
               "%s: gradient of row %d of %d, %d alike", t->name, (int)row, (int)n, (int)share);
    }
}

START_TEST(masked_rows_are_right)
{
    FOR_EACH_TABLE(t)
    for (int l = 0; l < LENGTHS; l++)
        for (int64_t share = 1; share <= 4; share++)
            check_masked_rows(&t, lengths[l], share);
}
END_TEST

HEED_TEST_MAIN("kernels that sum", sum_is_right, long_sums_keep_their_digits, totals_are_right, extremes_are_right,
               rows_are_right, nan_and_infinity_fill_their_row, minus_infinity_weighs_nothing, far_scores_stay_finite,
               row_gradients_are_right, masked_rows_are_right)
