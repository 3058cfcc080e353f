/* tests/ops/test_many_indices.c - ops of order and indices, and ctc_loss, on parallel work: the same bits for any
 * number of threads; and sums of few and many elements at one index.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

static heed_tensor *input(heed_shape shape)
{
    heed_manual_seed(1);
    return heed_randn(HEED_F32, shape);
}

/* The gradient of sum(y^2), so that it depends on y. */
static heed_tensor *slope(heed_tensor *y, heed_tensor *x)
{
    heed_tensor *sum = heed_sum(heed_square(y)), *dx = NULL;
    ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &dx, NULL), HEED_OK);
    return dx;
}

static heed_tensor *sorted(void)
{
    return heed_sort_axis(input(HEED_SHAPE(50, 300, 3)), 1, true, NULL);
}

static heed_tensor *best(void)
{
    heed_tensor *x = heed_set_requires_grad(input(HEED_SHAPE(300, 1000)), true);
    return slope(heed_topk(x, 1, 5, true, NULL), x);
}

static heed_tensor *found(void)
{
    heed_tensor *row = heed_sort(input(HEED_SHAPE(1000)));
    return heed_to_dtype(heed_searchsorted(row, heed_randn(HEED_F32, HEED_SHAPE(70000)), true), HEED_F32);
}

static heed_tensor *selected(void)
{
    heed_tensor *x = heed_set_requires_grad(input(HEED_SHAPE(300, 400)), true);
    return slope(heed_index_select(x, 1, heed_randint(0, 400, HEED_SHAPE(700))), x);
}

static heed_tensor *heard(void)
{
    heed_tensor *x = heed_set_requires_grad(heed_log_softmax(input(HEED_SHAPE(40, 30, 7)), -1), true);
    heed_tensor *targets = heed_randint(1, 7, HEED_SHAPE(30, 9));
    return slope(heed_ctc_loss(x, targets, NULL, heed_randint(0, 10, HEED_SHAPE(30)), NULL), x);
}

START_TEST(the_same_bits_for_any_number_of_threads)
{
    heed_tensor *(*const runs[])(void) = {sorted, best, found, selected, heard};
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
        heed_tensor *one = runs[i]();
        for (int threads = 2; threads <= 5; threads++) {
            ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
            heed_tensor *many = runs[i]();
            ck_assert_mem_eq(heed_data_f32(one), heed_data_f32(many), (size_t)heed_numel(one) * sizeof(float));
        }
    }
}
END_TEST

/* n elements of 0.1 at `n_indices` indices. Above 4096 elements per index the sums keep their digits, while a running
 * sum would long have stopped growing. */
static void check_sums(int64_t n, int64_t n_indices)
{
    heed_tensor *x = heed_expand(heed_full(HEED_F32, HEED_SCALAR, 0.1), HEED_SHAPE(2, n));
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE(n));
    int64_t *values = heed_mutable_i64(index);
    for (int64_t i = 0; i < n; i++)
        values[i] = i % n_indices;
    heed_tensor *y = heed_index_sum(x, 1, index, n_indices);
    double tolerance = (n + n_indices - 1) / n_indices > 4096 ? 1e-6 : 1e-4;
    for (int64_t i = 0; i < n_indices; i++) {
        double expected = (double)(n / n_indices + (i < n % n_indices)) * (double)0.1F;
        ck_assert_near(heed_get(y, HEED_INDEX(1, i)), expected, tolerance * expected);
    }
}

START_TEST(few_and_many_to_one_index)
{
    check_sums(100, 7);
    check_sums(9000, 3000);
    check_sums(4096 * 3, 3);
    check_sums(4096 * 3 + 1, 3);
    check_sums(3000000, 2);
}
END_TEST

/* More elements of one index than 16 bits can count. */
START_TEST(counts_of_many)
{
    heed_tensor *counts = heed_bincount(heed_expand(heed_full(HEED_I64, HEED_SCALAR, 2), HEED_SHAPE(200000)), NULL, 4);
    ck_assert_int_eq(heed_get_i64(counts, HEED_INDEX(2)), 200000);
    ck_assert_int_eq(heed_get_i64(counts, HEED_INDEX(3)), 0);
}
END_TEST

/* Rows of 1, 4, 8 and 12 bytes. */
START_TEST(rows_of_every_width)
{
    static const heed_dtype dtypes[] = {HEED_BOOL, HEED_F32, HEED_I64};
    heed_tensor *index = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 2, 0, 2);
    for (int i = 0; i < 3; i++)
        for (int64_t width = 1; width <= 3; width++) {
            heed_tensor *x = heed_reshape(heed_arange(HEED_I64, 0, (double)(6 * width), 1), HEED_SHAPE(2, 3, width));
            heed_tensor *y = heed_index_select(heed_to_dtype(x, dtypes[i]), 1, index);
            for (int64_t o = 0; o < 2; o++)
                for (int64_t j = 0; j < 3 * width; j++) {
                    int64_t from = (3 * o + (j / width == 1 ? 0 : 2)) * width + j % width;
                    double value = heed_get(y, HEED_INDEX(o, j / width, j % width));
                    ck_assert_same(value, dtypes[i] == HEED_BOOL ? from != 0 : (double)from);
                }
        }
}
END_TEST

HEED_TEST_MAIN("many indices", the_same_bits_for_any_number_of_threads, few_and_many_to_one_index, counts_of_many,
               rows_of_every_width)
