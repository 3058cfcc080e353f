/* tests/ops/test_reduce.c - reductions of any layout, and of more than one chunk: correct, and with the same bits
 * for any number of threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

/* sin(i): numbers whose sum depends on the order. */
static heed_tensor *wave(heed_dtype dtype, heed_shape shape)
{
    heed_tensor *i = heed_arange(HEED_F64, 0, (double)heed_shape_numel(shape), 1);
    return heed_reshape(heed_to_dtype(heed_sin(i), dtype), shape);
}

/* Element (o, i) of the sum over the middle of (outer, r, inner). */
static double naive_sum(const double *x, const int64_t *dims, int64_t o, int64_t i)
{
    double sum = 0, lost = 0; /* Neumaier */
    for (int64_t j = 0; j < dims[1]; j++) {
        double term = x[(o * dims[1] + j) * dims[2] + i], next = sum + term;
        lost += fabs(sum) >= fabs(term) ? sum - next + term : term - next + sum;
        sum = next;
    }
    return sum + lost;
}

static void expect_sums(heed_shape shape, bool strided)
{
    heed_tensor *x = wave(HEED_F64, shape);
    heed_tensor *view = strided ? heed_transpose(heed_clone(heed_transpose(x, 0, 2)), 0, 2) : x;
    heed_tensor *y = heed_sum_axes(view, HEED_AXES(1), false);
    for (int64_t o = 0; o < shape.dims[0]; o++)
        for (int64_t i = 0; i < shape.dims[2]; i++)
            ck_assert_near(heed_get(y, HEED_INDEX(o, i)), naive_sum(heed_data_f64(x), shape.dims, o, i), 1e-10);
}

START_TEST(long_sums_are_right)
{
    static const heed_shape shapes[] = {
        {.rank = 3, .dims = {1, 65536, 1}}, {.rank = 3, .dims = {1, 65537, 1}}, {.rank = 3, .dims = {3, 200003, 1}},
        {.rank = 3, .dims = {1, 70001, 3}}, {.rank = 3, .dims = {2, 257, 513}}, {.rank = 3, .dims = {5, 1, 7}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        heed_scope *scope = heed_scope_begin();
        expect_sums(shapes[i], false);
        expect_sums(shapes[i], true);
        heed_scope_end(scope);
    }
}
END_TEST

/* Whole numbers, so that sums are exact in any order. */
static void expect_like_clone(heed_tensor *view, unsigned mask, bool keepdim)
{
    heed_shape axes = {.rank = 0};
    for (int i = 0; i < 4; i++)
        if (mask >> i & 1)
            axes.dims[axes.rank++] = i;
    heed_tensor *plain = heed_clone(view);
    heed_tensor *found[] = {heed_sum_axes(view, axes, keepdim), heed_max_axes(view, axes, keepdim),
                            heed_contiguous(heed_sum_to(view, heed_shape_of(heed_sum_axes(view, axes, true))))};
    heed_tensor *due[] = {heed_sum_axes(plain, axes, keepdim), heed_max_axes(plain, axes, keepdim),
                          heed_sum_axes(plain, axes, true)};
    for (int k = 0; k < 3; k++) {
        size_t bytes = (size_t)heed_numel(due[k]) * sizeof(float);
        ck_assert(heed_shape_equal(heed_shape_of(found[k]), heed_shape_of(due[k])));
        ck_assert_msg(memcmp(heed_data_f32(found[k]), heed_data_f32(due[k]), bytes) == 0, "axes %x", mask);
    }
}

static void expect_all_axes(heed_tensor *view)
{
    for (unsigned mask = 1; mask < 16; mask++) {
        heed_scope *scope = heed_scope_begin();
        expect_like_clone(view, mask, mask % 2);
        expect_like_clone(view, mask, mask % 2 == 0);
        heed_scope_end(scope);
    }
}

START_TEST(layouts_do_not_matter)
{
    static const heed_shape shapes[] = {{.rank = 4, .dims = {2, 3, 4, 5}}, {.rank = 4, .dims = {3, 1, 70, 2}}};
    for (int k = 0; k < 2; k++) {
        heed_tensor *x = heed_to_dtype(heed_arange(HEED_F64, 0, (double)heed_shape_numel(shapes[k]), 1), HEED_F32);
        x = heed_reshape(x, shapes[k]);
        for (int order = 0; order < 256; order++) {
            int64_t a = order & 3, b = order >> 2 & 3, c = order >> 4 & 3, d = order >> 6;
            if ((1 << a | 1 << b | 1 << c | 1 << d) == 15)
                expect_all_axes(heed_permute(x, HEED_AXES(a, b, c, d)));
        }
        expect_all_axes(heed_slice(heed_transpose(x, 0, 2), 0, 1, 3, 1));
        expect_all_axes(heed_expand(heed_slice(x, 0, 1, 2, 1), shapes[k]));
    }
}
END_TEST

/* The results of several reductions and their gradients, one after another. */
static heed_tensor *results(heed_dtype dtype)
{
    heed_tensor *x = heed_set_requires_grad(wave(dtype, HEED_SHAPE(7, 70001)), true);
    heed_tensor *index = heed_randint(0, 7, HEED_SHAPE(7));
    heed_tensor *parts[] = {
        heed_sum_axes(x, HEED_AXES(0), false),
        heed_sum_axes(x, HEED_AXES(1), false),
        heed_mean_axes(heed_transpose(x, 0, 1), HEED_AXES(0), false),
        heed_reshape(heed_sum(x), HEED_SHAPE(1)),
        heed_max_axes(x, HEED_AXES(0), false),
        heed_min_axes(x, HEED_AXES(1), false),
        heed_sum_to(heed_index_sum(x, 0, index, 7), HEED_SHAPE(7, 1)),
        heed_select(heed_index_select(x, 0, index), 0, 6),
        NULL,
    };
    int n = (int)(sizeof parts / sizeof parts[0]);
    parts[6] = heed_reshape(parts[6], HEED_SHAPE(7));
    heed_tensor *all = heed_sum(heed_square(heed_concat(parts, n - 1, 0)));
    ck_assert_int_eq(heed_backward_with(all, &(heed_backward_options){.retain_graph = true}), HEED_OK);
    parts[n - 1] = heed_reshape(heed_grad_of(x), HEED_SHAPE(-1));
    return heed_concat(parts, n, 0);
}

static void expect_same_bits(heed_dtype dtype)
{
    static const int threads[] = {1, 2, 3, 4, 7, 16};
    heed_tensor *first = NULL;
    int before = heed_num_threads();
    heed_scope *scope = heed_scope_begin();
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        ck_assert_int_eq(heed_set_num_threads(threads[i]), HEED_OK);
        heed_manual_seed(5);
        heed_tensor *y = results(dtype);
        ck_assert_msg(y != NULL, "%s", heed_error_message());
        size_t bytes = (size_t)heed_numel(y) * heed_dtype_size(dtype);
        first = first ? first : y;
        const void *a = dtype == HEED_F32 ? (const void *)heed_data_f32(first) : heed_data_f64(first);
        const void *b = dtype == HEED_F32 ? (const void *)heed_data_f32(y) : heed_data_f64(y);
        ck_assert_msg(memcmp(a, b, bytes) == 0, "%d threads give other bits", threads[i]);
    }
    heed_scope_end(scope);
    ck_assert_int_eq(heed_set_num_threads(before), HEED_OK);
}

START_TEST(threads_do_not_matter_f32)
{
    expect_same_bits(HEED_F32);
}
END_TEST

START_TEST(threads_do_not_matter_f64)
{
    expect_same_bits(HEED_F64);
}
END_TEST

/* Elements other than the largest get 0, even if the gradient is infinite; a row with NaN gets NaN. */
START_TEST(gradients_of_max_are_chosen)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 3, 2, 1, NAN, 2);
    heed_tensor *y = heed_max_axes(heed_set_requires_grad(x, true), HEED_AXES(1), false);
    heed_backward_options inf = {.grad_output = heed_full(HEED_F64, HEED_SHAPE(2), INFINITY)};
    ck_assert_int_eq(heed_backward_with(y, &inf), HEED_OK);
    const double expected[] = {0, INFINITY, 0, NAN, NAN, NAN};
    for (int i = 0; i < 6; i++)
        ck_assert_same(heed_data_f64(heed_grad_of(x))[i], expected[i]);
}
END_TEST

HEED_TEST_MAIN("reduce", gradients_of_max_are_chosen, long_sums_are_right, layouts_do_not_matter,
               threads_do_not_matter_f32, threads_do_not_matter_f64)
