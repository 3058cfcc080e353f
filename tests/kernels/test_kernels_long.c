/* tests/kernels/test_kernels_long.c - tests products with long sums in every variant of matmul, on every instruction
 * set: errors like in short sums, and bits that do not depend on the range. The ops are in test_long_sums.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_arrays.h"
#include "kernels/matmul/reference.h"

enum { STORAGE = 700000, RESULTS = 3000 };

static double a_numbers[STORAGE], b_numbers[STORAGE], a_storage[STORAGE], b_storage[STORAGE], c_storage[RESULTS],
    repeated_storage[RESULTS];

/* The numbers of A; B is all ones except for UNIFORM. */
enum { ONES, TENTHS, UNIFORM, ALTERNATING, KINDS };

static void fill(int dtype, int kind, const heed__matmul_args *s)
{
    array_draw(dtype, b_storage, s->k * s->n, kind == UNIFORM ? 0 : 1, 1, 2);
    if (kind == UNIFORM)
        array_draw(dtype, a_storage, s->m * s->k, 0, 1, 1);
    for (int64_t i = 0; i < s->m && kind != UNIFORM; i++)
        for (int64_t k = 0; k < s->k; k++)
            array_set(dtype, a_storage, i * s->a_row + k * s->a_col,
                      kind == TENTHS                 ? 0.1
                      : kind == ALTERNATING && k % 2 ? -1
                                                     : 1);
    array_read(dtype, a_storage, s->m * s->k, a_numbers);
    array_read(dtype, b_storage, s->k * s->n, b_numbers);
}

static void multiply(const table_walk *t, heed__matmul_args s, heed__matmul_range part, void *c)
{
    static _Alignas(64) unsigned char scratch[1 << 20];
    size_t bytes = (size_t)t->kernels->matmul(&s, &part, NULL);
    ck_assert_uint_lt(bytes, sizeof scratch);
    scratch[bytes] = 0x5a;
    s.c = c;
    t->kernels->matmul(&s, &part, scratch);
    EXPECT(scratch[bytes] == 0x5a, "%s: writes behind its scratch", t->name);
}

/* Returns the error of element (i, j) relative to the sum of the magnitudes of its terms. */
static double error_of(const table_walk *t, const heed__matmul_args *s, int kind, int64_t i, int64_t j)
{
    double exact;
    if (kind == ALTERNATING)
        exact = (double)(s->k % 2);
    else if (kind != UNIFORM)
        exact = (double)s->k * array_get(t->dtype, a_storage, 0);
    else
        reference_matmul(1, s->k, 1, (reference_matrix){a_numbers + i * s->a_row, s->a_row, s->a_col},
                         (reference_matrix){b_numbers + j * s->b_col, s->b_row, s->b_col}, NULL, &exact);
    return fabs(array_get(t->dtype, c_storage, i * s->n + j) - exact) / (kind == ALTERNATING ? (double)s->k : exact);
}

static void check_values(const table_walk *t, const heed__matmul_args *s, int kind)
{
    const double limit = kind == ONES || kind == ALTERNATING ? 0 : t->dtype == HEED_F32 ? 2e-6 : 4e-15;
    for (int64_t i = 0; i < s->m * s->n; i += 1 + s->m * s->n / 5) {
        double error = error_of(t, s, kind, i / s->n, i % s->n);
        EXPECT(error <= limit, "%s: %dx%dx%d, strides %d %d, %d %d, kind %d, element %d: %g of the terms' size off",
               t->name, (int)s->m, (int)s->k, (int)s->n, (int)s->a_row, (int)s->a_col, (int)s->b_row, (int)s->b_col,
               kind, (int)i, error);
    }
}

static void check_parts(const table_walk *t, const heed__matmul_args *s)
{
    for (int64_t i = 0; i < s->m; i += 5)
        for (int64_t j = 0; j < s->n; j += 19)
            multiply(t, *s, (heed__matmul_range){i, i + 5 < s->m ? i + 5 : s->m, j, j + 19 < s->n ? j + 19 : s->n},
                     repeated_storage);
    EXPECT(memcmp(c_storage, repeated_storage, (size_t)(s->m * s->n) * element_size(t->dtype)) == 0,
           "%s: %dx%dx%d, strides %d %d, %d %d: parts differ from the whole", t->name, (int)s->m, (int)s->k, (int)s->n,
           (int)s->a_row, (int)s->a_col, (int)s->b_row, (int)s->b_col);
}

/* A and B are stored by rows or by columns. */
static heed__matmul_args args_of(int64_t m, int64_t k, int64_t n, bool a_by_columns, bool b_by_columns)
{
    return (heed__matmul_args){.m = m,
                               .n = n,
                               .k = k,
                               .a = a_storage,
                               .a_row = a_by_columns ? 1 : k,
                               .a_col = a_by_columns ? m : 1,
                               .b = b_storage,
                               .b_row = b_by_columns ? 1 : n,
                               .b_col = b_by_columns ? k : 1,
                               .batches = 1};
}

static const int64_t sizes[][3] = {{1, 1, 60013}, {4, 4, 60000},   {1, 40, 12345}, {40, 1, 12345}, {9, 3, 20010},
                                   {3, 9, 20010}, {16, 33, 20001}, {29, 17, 4097}, {30, 100, 4500}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(long_products_keep_their_digits)
{
    FOR_EACH_TABLE(t)
    for (int size = 0; size < SIZES; size++)
        for (int layout = 0; layout < 4; layout++)
            for (int kind = 0; kind < KINDS; kind++) {
                heed__matmul_args s = args_of(sizes[size][0], sizes[size][2], sizes[size][1], layout / 2, layout % 2);
                fill(t.dtype, kind, &s);
                multiply(&t, s, (heed__matmul_range){0, s.m, 0, s.n}, c_storage);
                check_values(&t, &s, kind);
                if (kind == UNIFORM)
                    check_parts(&t, &s);
            }
}
END_TEST

/* Two batch elements with bias and activation; both are added exactly once: 5000 - 4999.5 and its negative. */
START_TEST(bias_and_activation_come_once)
{
    FOR_EACH_TABLE(t)
    {
        heed__matmul_args s = args_of(2, 5000, 3, false, false);
        double bias[3];
        fill(t.dtype, ONES, &s);
        for (int j = 0; j < 3; j++)
            array_set(t.dtype, bias, j, j == 1 ? -5001 : -4999.5);
        s.bias = bias;
        s.activation = t.kernels->relu;
        s.batches = 2;
        s.c_batch = 6;
        multiply(&t, s, (heed__matmul_range){0, 2, 0, 3}, c_storage);
        for (int i = 0; i < 12; i++)
            ck_assert_double_eq(array_get(t.dtype, c_storage, i), i % 3 == 1 ? 0 : 0.5);
    }
}
END_TEST

/* Infinity and NaN stay infinity and NaN. */
START_TEST(special_numbers)
{
    static const double numbers[] = {INFINITY, -INFINITY, NAN};
    FOR_EACH_TABLE(t)
    for (int i = 0; i < 3; i++) {
        heed__matmul_args s = args_of(3, 9000, 5, false, true);
        fill(t.dtype, ONES, &s);
        array_set(t.dtype, a_storage, 9000 + 1234, numbers[i]);
        multiply(&t, s, (heed__matmul_range){0, 3, 0, 5}, c_storage);
        for (int j = 0; j < 15; j++)
            EXPECT(same(array_get(t.dtype, c_storage, j), j / 5 == 1 ? numbers[i] : 9000), "%s: element %d", t.name, j);
    }
}
END_TEST

HEED_TEST_MAIN("long sums of products", long_products_keep_their_digits, bias_and_activation_come_once, special_numbers)
