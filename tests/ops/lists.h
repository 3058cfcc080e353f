/* tests/ops/lists.h - cases and bad arguments of ops that take a list of tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_LISTS_H
#define HEED_TESTS_OPS_LISTS_H

#include "rows.h"

#include <limits.h>

#define ONE_OF(name_, run_, axis, a)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = a}}, .i = { axis }                                 \
    }
#define TWO_OF(name_, run_, axis, a, b)                                                                                \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = { axis }                   \
    }
#define THREE_OF(name_, run_, axis, a, b, c)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 3, .in = {{.shape = a}, {.shape = b}, {.shape = c}}, .i = { axis }     \
    }

/* BAD_LISTS(concat) defines the functions that BAD_LISTS_ERRORS(concat) lists. */
#define BAD_LISTS(op)                                                                                                  \
    static heed_tensor *op##_bad_second(heed_dtype dtype, heed_shape shape)                                            \
    {                                                                                                                  \
        return heed_##op(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_ones(dtype, shape)), 0);             \
    }                                                                                                                  \
    static heed_tensor *op##_bad_number(int n, int axis)                                                               \
    {                                                                                                                  \
        return heed_##op((heed_tensor *[]){heed_ones(HEED_F64, HEED_SHAPE(2, 3))}, n, axis);                           \
    }                                                                                                                  \
    GIVES(op##_no_list, heed_##op(NULL, 2, 0))                                                                         \
    GIVES(op##_first_null, heed_##op(HEED_TENSORS(NULL, heed_ones(HEED_F64, HEED_SHAPE(2))), 0))                       \
    GIVES(op##_second_null, heed_##op(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(2)), NULL), 0))                      \
    GIVES(op##_none, op##_bad_number(0, 0))                                                                            \
    GIVES(op##_less_than_none, op##_bad_number(-1, 0))                                                                 \
    GIVES(op##_least, op##_bad_number(INT_MIN, 0))                                                                     \
    GIVES(op##_axis_3, op##_bad_number(1, 3))                                                                          \
    GIVES(op##_axis_least, op##_bad_number(1, INT_MIN))                                                                \
    GIVES(op##_mixed, op##_bad_second(HEED_F32, HEED_SHAPE(2, 3)))                                                     \
    GIVES(op##_other_rank, op##_bad_second(HEED_F64, HEED_SHAPE(2)))                                                   \
    GIVES(op##_other_size, op##_bad_second(HEED_F64, HEED_SHAPE(2, 4)))

#define BAD_LISTS_ERRORS(op)                                                                                           \
    {"no list", op##_no_list, HEED_ERR_ARGUMENT, #op ":"},                                                             \
        {"first NULL", op##_first_null, HEED_ERR_ARGUMENT, #op ":"},                                                   \
        {"second NULL", op##_second_null, HEED_ERR_ARGUMENT, #op ":"},                                                 \
        {"n = 0", op##_none, HEED_ERR_ARGUMENT, #op ":"},                                                              \
        {"n = -1", op##_less_than_none, HEED_ERR_ARGUMENT, "n is -1:"},                                                \
        {"n = INT_MIN", op##_least, HEED_ERR_ARGUMENT, #op ":"},                                                       \
        {"axis 3", op##_axis_3, HEED_ERR_SHAPE, #op ": there is no axis 3"},                                           \
        {"axis INT_MIN", op##_axis_least, HEED_ERR_SHAPE, #op ": there is no axis -2147483648"},                       \
        {"f64 and f32", op##_mixed, HEED_ERR_DTYPE, #op ": tensor 0 is f64, tensor 1 is f32"},                         \
        {"(2, 3) and (2)", op##_other_rank, HEED_ERR_SHAPE, #op ": tensor 0 (2, 3) and tensor 1 (2)"},                 \
    {                                                                                                                  \
        "(2, 3) and (2, 4)", op##_other_size, HEED_ERR_SHAPE, #op ": tensor 0 (2, 3) and tensor 1 (2, 4)"              \
    }

#endif
