/* tests/core/test_tensor.c - tests of making tensors, reading them and writing in place.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <stdint.h>

START_TEST(shapes)
{
    ck_assert_int_eq(heed_shape_numel(HEED_SHAPE(2, 3, 4)), 24);
    ck_assert_int_eq(heed_shape_numel(HEED_SCALAR), 1);
    ck_assert_int_eq(heed_shape_numel(HEED_SHAPE(5, 0)), 0);
    ck_assert_int_eq(heed_shape_numel(HEED_SHAPE(-1)), -1);
    ck_assert_int_eq(heed_shape_numel(HEED_SHAPE(INT64_MAX, 2)), -1);
    ck_assert_int_eq(heed_shape_numel(HEED_SHAPE(0, INT64_MAX, 2)), -1);
    ck_assert_int_eq(heed_shape_numel((heed_shape){.rank = 9}), -1);
    ck_assert_int_eq(heed_shape_numel((heed_shape){.rank = -1}), -1);
    heed_shape out;
    ck_assert(heed_shape_broadcast(HEED_SHAPE(3, 1), HEED_SHAPE(2, 1, 4), &out));
    ck_assert(heed_shape_equal(out, HEED_SHAPE(2, 3, 4)));
    ck_assert(heed_shape_broadcast(HEED_SHAPE(1), HEED_SHAPE(0), &out));
    ck_assert(heed_shape_equal(out, HEED_SHAPE(0)));
    ck_assert(!heed_shape_broadcast(HEED_SHAPE(2), HEED_SHAPE(3), &out));
    ck_assert(!heed_shape_equal(HEED_SHAPE(2), HEED_SHAPE(2, 1)));
    ck_assert_str_eq(heed_shape_text(HEED_SHAPE(2, 3)).s, "(2, 3)");
    ck_assert_str_eq(heed_shape_text(HEED_SCALAR).s, "()");
}
END_TEST

START_TEST(factories)
{
    ck_assert(heed_get(heed_zeros(HEED_I64, HEED_SHAPE(2, 2)), HEED_INDEX(1, 1)) == 0.0);
    ck_assert(heed_get(heed_ones(HEED_BOOL, HEED_SHAPE(2)), HEED_INDEX(0)) == 1.0);
    ck_assert(heed_item(heed_full(HEED_F32, HEED_SCALAR, 0.1)) == (double)0.1f);
    ck_assert_int_eq(heed_get_i64(heed_full(HEED_I64, HEED_SCALAR, -0x1p63), HEED_SCALAR), INT64_MIN);
    heed_tensor *r = heed_arange(HEED_I64, 5, -1, -2);
    ck_assert_int_eq(heed_numel(r), 3);
    ck_assert_int_eq(heed_get_i64(r, HEED_INDEX(2)), 1);
    ck_assert_int_eq(heed_numel(heed_arange(HEED_F32, 0, -1, 1)), 0);
    ck_assert_int_eq(heed_numel(heed_arange(HEED_F64, 0, 5, 0.1)), 50);
    heed_tensor *l = heed_linspace(HEED_F64, -1, 0.3, 7);
    ck_assert(heed_get(l, HEED_INDEX(0)) == -1.0 && heed_get(l, HEED_INDEX(-1)) == 0.3);
    ck_assert(heed_item(heed_linspace(HEED_F64, 2, 9, 1)) == 2.0);
    ck_assert_int_eq(heed_numel(heed_linspace(HEED_F64, 2, 9, 0)), 0);
    heed_tensor *e = heed_eye(HEED_F32, 2, 3);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            ck_assert(heed_get(e, HEED_INDEX(i, j)) == (i == j ? 1.0 : 0.0));
    heed_tensor *a = heed_from_array(HEED_I64, HEED_SHAPE(2, 2), (int64_t[]){INT64_MAX, INT64_MIN, 3, 4}, 4);
    ck_assert_int_eq(heed_get_i64(a, HEED_INDEX(0, 0)), INT64_MAX);
    ck_assert_int_eq(heed_get_i64(a, HEED_INDEX(-2, -1)), INT64_MIN);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3), 1, 2, 3);
    ck_assert(heed_data_f32(v)[2] == 3.0f);
    ck_assert_ptr_nonnull(heed_from_array(HEED_F32, HEED_SHAPE(0), NULL, 0));
}
END_TEST

/* A byte other than 0 and 1 is not a valid C bool. */
START_TEST(bools_from_bytes)
{
    static const unsigned char bytes[] = {0, 1, 2, 255, 128, 0}, bools[] = {0, 1, 1, 1, 1, 0};
    heed_tensor *t = heed_from_array(HEED_BOOL, HEED_SHAPE(2, 3), bytes, 6);
    ck_assert_mem_eq(heed_data_bool(t), bools, sizeof bools);
    ck_assert(heed_get(t, HEED_INDEX(0, 2)) == 1);
    ck_assert_int_eq(heed_numel(heed_from_array(HEED_BOOL, HEED_SHAPE(0), NULL, 0)), 0);
}
END_TEST

START_TEST(factories_refuse)
{
    ck_assert_ptr_null(heed_zeros((heed_dtype)7, HEED_SCALAR));
    ck_assert_error(HEED_ERR_DTYPE, "zeros: dtype is 7: must be");
    ck_assert_ptr_null(heed_empty(HEED_F32, HEED_SHAPE(2, -3)));
    ck_assert_error(HEED_ERR_SHAPE, "empty: (2, -3) is not a valid shape");
    ck_assert_ptr_null(heed_ones(HEED_F64, HEED_SHAPE((int64_t)1 << 62)));
    ck_assert_error(HEED_ERR_SHAPE, "ones: (4611686018427387904)");
    ck_assert_ptr_null(heed_ones(HEED_F64, HEED_SHAPE((int64_t)1 << 50)));
    ck_assert_error(SIZE_MAX > UINT32_MAX ? HEED_ERR_NOMEM : HEED_ERR_SHAPE,
                    SIZE_MAX > UINT32_MAX ? "ones: cannot allocate" : "ones: (1125899906842624) is not");
    ck_assert_ptr_null(heed_full(HEED_I64, HEED_SCALAR, 0.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "full: 0.5 is not a whole number");
    ck_assert_ptr_null(heed_full(HEED_I64, HEED_SCALAR, NAN));
    ck_assert_error(HEED_ERR_ARGUMENT, "full: ");
    ck_assert_ptr_null(heed_arange(HEED_F32, 0, 1, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "arange: cannot count from 0 to 1 in steps of 0");
    ck_assert_ptr_null(heed_arange(HEED_F32, 0, INFINITY, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "arange");
    ck_assert_ptr_null(heed_linspace(HEED_F32, 0, 1, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "linspace: cannot place -1 numbers");
    ck_assert_ptr_null(heed_eye(HEED_F32, -1, 2));
    ck_assert_error(HEED_ERR_SHAPE, "eye: (-1, 2)");
    ck_assert_ptr_null(heed_from_array(HEED_F32, HEED_SHAPE(3), (float[]){1, 2}, 2));
    ck_assert_error(HEED_ERR_SHAPE, "from_array: 2 values do not fill the shape (3)");
    ck_assert_ptr_null(heed_from_array(HEED_F32, HEED_SHAPE(3), NULL, 3));
    ck_assert_error(HEED_ERR_ARGUMENT, "from_array: values is NULL");
    ck_assert_ptr_null(HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 2.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "from_values: 2.5");
}
END_TEST

START_TEST(looking)
{
    heed_tensor *t = heed_transpose(heed_zeros(HEED_F64, HEED_SHAPE(2, 3, 4)), 0, 2);
    ck_assert_int_eq(heed_dim(t, 0), 4);
    ck_assert_int_eq(heed_dim(t, -1), 2);
    ck_assert_int_eq(heed_stride(t, 0), 1);
    ck_assert_int_eq(heed_stride(t, 2), 12);
    ck_assert(!heed_is_contiguous(t));
    ck_assert(heed_is_contiguous(heed_zeros(HEED_F64, HEED_SHAPE(0, 3))));
    heed_dim(t, 3);
    ck_assert_error(HEED_ERR_SHAPE, "dim: there is no axis 3 in a tensor of rank 3");
    ck_assert_double_nan(heed_item(t));
    ck_assert_error(HEED_ERR_SHAPE, "item: a tensor of shape (4, 3, 2) has 24 elements");
    ck_assert_double_nan(heed_get(t, HEED_INDEX(0, 0)));
    ck_assert_error(HEED_ERR_SHAPE, "get: the index has rank 2, but the tensor has shape (4, 3, 2)");
    ck_assert_double_nan(heed_get(t, HEED_INDEX(0, 3, 0)));
    ck_assert_error(HEED_ERR_INDEX, "get: index 3 is outside axis 1 of shape (4, 3, 2)");
    ck_assert_double_nan(heed_get(t, HEED_INDEX(0, INT64_MIN, 0)));
    ck_assert_error(HEED_ERR_INDEX, "outside axis 1");
    ck_assert_ptr_null(heed_data_f32(t));
    ck_assert_error(HEED_ERR_DTYPE, "data_f32: the tensor is f64, not f32");
    ck_assert_ptr_null(heed_data_f64(t));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "data_f64: a view of shape (4, 3, 2) is not contiguous");
    ck_assert_int_eq(heed_item_i64(heed_ones(HEED_F32, HEED_SCALAR)), 0);
    ck_assert_error(HEED_ERR_DTYPE, "item_i64: the tensor is f32");
    ck_assert_uint_eq(heed_dtype_size((heed_dtype)9), 0);
    ck_assert_str_eq(heed_dtype_name((heed_dtype)9), "unknown");
}
END_TEST

START_TEST(writing)
{
    heed_tensor *t = heed_zeros(HEED_F32, HEED_SHAPE(2, 3));
    heed_tensor *column = heed_select(t, 1, 1);
    ck_assert_int_eq(heed_set_(t, HEED_INDEX(-1, 1), 5.0), HEED_OK);
    ck_assert(heed_get(column, HEED_INDEX(1)) == 5.0);
    ck_assert_int_eq(heed_fill_(column, 2.0), HEED_OK);
    ck_assert(heed_item(heed_sum(t)) == 4.0);
    ck_assert_int_eq(heed_copy_(t, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 2, 3)), HEED_OK);
    ck_assert(heed_get(t, HEED_INDEX(1, 2)) == 3.0);
    ck_assert_int_eq(heed_copy_(t, heed_flip(t, HEED_AXES(1))), HEED_OK);
    ck_assert(heed_get(t, HEED_INDEX(1, 2)) == 1.0 && heed_get(t, HEED_INDEX(1, 0)) == 3.0);
    heed_mutable_f32(t)[0] = 9.0f;
    ck_assert(heed_get(t, HEED_INDEX(0, 0)) == 9.0);
    heed_tensor *b = heed_zeros(HEED_BOOL, HEED_SHAPE(2));
    heed_fill_(b, 0.25);
    ck_assert(heed_data_bool(b)[1]);
    heed_mutable_i64(heed_zeros(HEED_I64, HEED_SHAPE(1)))[0] = 1;
    heed_mutable_f64(heed_zeros(HEED_F64, HEED_SHAPE(1)))[0] = 1;
    heed_mutable_bool(b)[0] = false;
}
END_TEST

/* Windows of length two: element (i, j) is x[i + j]. */
static bool windows_view(const heed_call *call, heed_layout *out)
{
    *out = (heed_layout){.shape = HEED_SHAPE(heed_numel(call->inputs[0]) - 1, 2), .strides = {1, 1}};
    return true;
}

static const heed_op windows = {.name = "windows", .n_inputs = 1, .n_outputs = 1, .view = windows_view};

START_TEST(overlapping_windows_are_not_written)
{
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(4)), *w = heed_apply(&windows, &x, 1, NULL);
    ck_assert(heed_shape_equal(heed_shape_of(w), HEED_SHAPE(3, 2)));
    ck_assert_int_eq(heed_fill_(w, 1.0), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "fill_: the elements of a view of shape (3, 2) overlap");
    ck_assert(heed_item(heed_sum(x)) == 0.0);
}
END_TEST

START_TEST(writing_refuses)
{
    heed_tensor *wide = heed_expand(heed_zeros(HEED_F32, HEED_SHAPE(1, 3)), HEED_SHAPE(4, 3));
    ck_assert_int_eq(heed_fill_(wide, 1.0), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "fill_: the elements of a view of shape (4, 3) overlap");
    heed_tensor *w = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SHAPE(2)), true);
    ck_assert_int_eq(heed_set_(w, HEED_INDEX(0), 1.0), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "set_: a tensor of shape (2) that requires a gradient is written while recording");
    heed_scope *quiet = heed_no_grad_begin();
    ck_assert_int_eq(heed_set_(w, HEED_INDEX(0), 1.0), HEED_OK);
    heed_scope_end(quiet);
    ck_assert_int_eq(heed_copy_(w, heed_zeros(HEED_F32, HEED_SHAPE(3))), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "copy_: shape (3) does not broadcast to (2)");
    ck_assert_int_eq(heed_copy_(w, heed_zeros(HEED_F32, HEED_SHAPE(4, 2))), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "copy_");
    heed_tensor *i = heed_zeros(HEED_I64, HEED_SHAPE(2));
    ck_assert_int_eq(heed_copy_(i, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, 1e300)), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "1e+300");
    ck_assert_int_eq(heed_fill_(i, 0.5), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "fill_: 0.5");
}
END_TEST

HEED_TEST_MAIN("tensor", shapes, factories, bools_from_bytes, factories_refuse, looking, writing,
               overlapping_windows_are_not_written, writing_refuses)
