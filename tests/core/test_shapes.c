/* tests/core/test_shapes.c - tests chains of views against arithmetic with plain arrays (tests/core/shape_model.h).
 *
 * After every step tensor and model must agree, and storage must be shared if the op promises it. Other ops must read
 * the views correctly, and gradients must arrive at the element that a number came from.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "shape_model.h"

#define CHAINS 400
#define STEPS 6

/* -- Comparing -------------------------------------------------------------------------------------------------- */

static void expect_same(heed_tensor *x, heed_shape shape, const double *values)
{
    ck_assert_msg(x != NULL, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(x), shape));
    heed_tensor *dense = heed_contiguous(heed_to_dtype(x, HEED_F64));
    const double *got = heed_data_f64(dense);
    for (int64_t i = 0; i < heed_numel(x); i++) {
        ck_assert_same(got[i], values[i]);
        ck_assert_same(heed_get(x, position_of(i, shape)), values[i]);
    }
}

START_TEST(chains_of_views)
{
    static model m;
    static const heed_dtype dtypes[] = {HEED_F32, HEED_F64, HEED_I64};
    state = 1;
    for (int chain = 0; chain < CHAINS; chain++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = begin(dtypes[chain % 3], &m);
        for (int step = 0; step < STEPS; step++) {
            x = random_step(x, &m);
            expect_same(x, m.shape, m.values);
        }
        expect_same(heed_clone(x), m.shape, m.values);
        heed_scope_end(scope);
    }
}
END_TEST

START_TEST(chains_of_masks)
{
    static model m;
    state = 2;
    for (int chain = 0; chain < CHAINS / 4; chain++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = begin(HEED_I64, &m);
        x = heed_compare(x, HEED_COMPARE_GT, heed_full(HEED_I64, HEED_SCALAR, 3));
        for (int64_t i = 0; i < heed_numel(x); i++)
            m.values[i] = m.values[i] > 3;
        for (int step = 0; step < STEPS; step++)
            x = random_step(x, &m);
        expect_same(x, m.shape, m.values);
        heed_scope_end(scope);
    }
}
END_TEST

/* -- Views as inputs of other ops ------------------------------------------------------------------------------- */

static void expect_sum(heed_tensor *x, const model *m)
{
    int axis = (int)pick(0, m->shape.rank - 1);
    heed_shape left = m->shape;
    static double sums[MAX_ELEMENTS];
    left.dims[axis] = 1;
    for (int64_t i = 0; i < heed_shape_numel(left); i++) {
        heed_shape at = position_of(i, left);
        sums[i] = 0;
        for (at.dims[axis] = 0; at.dims[axis] < m->shape.dims[axis]; at.dims[axis]++)
            sums[i] += m->values[index_of(at, m->shape)];
    }
    expect_same(heed_sum_axes(x, HEED_AXES(axis), true), left, sums);
    expect_same(heed_sum_to(x, left), left, sums);
}

static void expect_square(heed_tensor *x, const model *m)
{
    static double squares[MAX_ELEMENTS];
    for (int64_t i = 0; i < heed_numel(x); i++)
        squares[i] = m->values[i] * m->values[i];
    expect_same(heed_square(x), m->shape, squares);
    expect_same(heed_mul(x, heed_clone(x)), m->shape, squares);
}

/* Returns x twice along an axis, by concat and by index_select. */
static void expect_doubled(heed_tensor *x, const model *m)
{
    int axis = (int)pick(0, m->shape.rank - 1);
    int64_t n = m->shape.dims[axis];
    heed_shape shape = m->shape;
    static double doubled[2 * MAX_ELEMENTS];
    shape.dims[axis] = 2 * n;
    for (int64_t i = 0; i < heed_shape_numel(shape); i++) {
        heed_shape at = position_of(i, shape);
        at.dims[axis] %= n;
        doubled[i] = m->values[index_of(at, m->shape)];
    }
    heed_tensor *once = heed_arange(HEED_I64, 0, (double)n, 1);
    heed_tensor *twice = heed_concat((heed_tensor *[]){once, once}, 2, 0);
    expect_same(heed_concat((heed_tensor *[]){x, x}, 2, axis), shape, doubled);
    expect_same(heed_index_select(x, axis, twice), shape, doubled);
}

/* Sorts in descending order along an axis and flips: along the axis, no number may be smaller than the one before
 * it. */
static void expect_sorted(heed_tensor *x, const model *m)
{
    int axis = (int)pick(0, m->shape.rank - 1);
    heed_tensor *indices;
    heed_tensor *sorted = heed_sort_axis(x, axis, true, &indices);
    heed_tensor *rising = heed_clone(heed_flip(sorted, HEED_AXES(axis)));
    for (int64_t i = 0; i < heed_numel(x); i++) {
        heed_shape at = position_of(i, m->shape), source = at;
        source.dims[axis] = heed_get_i64(indices, at);
        ck_assert_same(heed_get(sorted, at), m->values[index_of(source, m->shape)]);
        if (at.dims[axis] > 0) {
            heed_shape before = at;
            before.dims[axis]--;
            ck_assert(heed_get(rising, before) <= heed_get(rising, at));
        }
    }
}

START_TEST(views_feed_other_ops)
{
    static model m;
    state = 3;
    for (int chain = 0; chain < CHAINS; chain++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = begin(HEED_F64, &m);
        for (int step = 0; step < STEPS; step++)
            x = random_step(x, &m);
        expect_square(x, &m);
        if (m.shape.rank > 0) {
            expect_sum(x, &m);
            expect_doubled(x, &m);
            expect_sorted(x, &m);
        }
        heed_scope_end(scope);
    }
}
END_TEST

/* Number i of the result came from element i - 1 of the leaf, so the gradient of that element is the sum of the weights
 * at all positions of number i. */
START_TEST(gradients_reach_the_inputs)
{
    static model m;
    static double expected[MAX_ELEMENTS];
    state = 4;
    for (int chain = 0; chain < CHAINS; chain++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *leaf = heed_set_requires_grad(begin(HEED_F64, &m), true), *x = leaf;
        heed_shape start = m.shape;
        for (int step = 0; step < STEPS; step++)
            x = random_step(x, &m);
        memset(expected, 0, sizeof expected);
        for (int64_t i = 0; i < heed_numel(x); i++)
            expected[(int)m.values[i] - 1] += (double)(i + 7);
        heed_tensor *weights = heed_reshape(heed_arange(HEED_F64, 7, (double)heed_numel(x) + 7, 1), m.shape);
        ck_assert_int_eq(heed_backward_with(x, &(heed_backward_options){.grad_output = weights}), HEED_OK);
        expect_same(heed_grad_of(leaf), start, expected);
        heed_scope_end(scope);
    }
}
END_TEST

/* -- Promises of single ops ------------------------------------------------------------------------------------- */

START_TEST(slices_are_pythons)
{
    for (int64_t n = 0; n <= 4; n++)
        for (int64_t start = -6; start <= 6; start++)
            for (int64_t stop = -6; stop <= 6; stop++)
                for (int64_t step = 1; step <= 3; step++) {
                    heed_scope *scope = heed_scope_begin();
                    heed_tensor *y = heed_slice(heed_arange(HEED_I64, 0, (double)n, 1), 0, start, stop, step);
                    int64_t first = start < 0 ? start + n : start, end = stop < 0 ? stop + n : stop, found = 0;
                    for (int64_t i = first < 0 ? 0 : first; i < end && i < n; i += step)
                        ck_assert_int_eq(heed_get_i64(y, HEED_INDEX(found++)), i);
                    ck_assert_int_eq(heed_numel(y), found);
                    heed_scope_end(scope);
                }
}
END_TEST

START_TEST(views_write_through)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(2, 3));
    heed_tensor *y = heed_select(heed_flip(heed_transpose(x, 0, 1), HEED_AXES(0)), 0, 0);
    ck_assert_int_eq(heed_fill_(y, 5), HEED_OK);
    expect_same(x, HEED_SHAPE(2, 3), (const double[]){0, 0, 5, 0, 0, 5});
}
END_TEST

START_TEST(an_expanded_view_is_not_written)
{
    heed_tensor *y = heed_expand(heed_zeros(HEED_F64, HEED_SHAPE(1)), HEED_SHAPE(3));
    ck_assert_int_eq(heed_fill_(y, 5), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "fill");
}
END_TEST

START_TEST(sum_to_its_own_shape_is_the_tensor)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    ck_assert_ptr_eq(heed_sum_to(x, HEED_SHAPE(2, 3)), x);
}
END_TEST

HEED_TEST_MAIN("shapes", chains_of_views, chains_of_masks, views_feed_other_ops, gradients_reach_the_inputs,
               slices_are_pythons, views_write_through, an_expanded_view_is_not_written,
               sum_to_its_own_shape_is_the_tensor)
