/* tests/ops/lists.h - cases and bad arguments of ops that take a list of tensors. */
#ifndef HEED_TESTS_OPS_LISTS_H
#define HEED_TESTS_OPS_LISTS_H

#include "functions.h"

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

/* BAD_LISTS(heed_concat) defines the functions that BAD_LISTS_ERRORS("concat") lists. */
#define BAD_LISTS(f)                                                                                                   \
    static heed_tensor *bad_second(heed_dtype dtype, heed_shape shape)                                                 \
    {                                                                                                                  \
        return f(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_ones(dtype, shape)), 0);                     \
    }                                                                                                                  \
    static heed_tensor *bad_number(int n, int axis)                                                                    \
    {                                                                                                                  \
        return f((heed_tensor *[]){heed_ones(HEED_F64, HEED_SHAPE(2, 3))}, n, axis);                                   \
    }                                                                                                                  \
    GIVES(no_list, f(NULL, 2, 0))                                                                                      \
    GIVES(first_null, f(HEED_TENSORS(NULL, heed_ones(HEED_F64, HEED_SHAPE(2))), 0))                                    \
    GIVES(second_null, f(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(2)), NULL), 0))                                   \
    GIVES(none, bad_number(0, 0))                                                                                      \
    GIVES(less_than_none, bad_number(-1, 0))                                                                           \
    GIVES(least, bad_number(INT_MIN, 0))                                                                               \
    GIVES(axis_3, bad_number(1, 3))                                                                                    \
    GIVES(axis_least, bad_number(1, INT_MIN))                                                                          \
    GIVES(mixed, bad_second(HEED_F32, HEED_SHAPE(2, 3)))                                                               \
    GIVES(other_rank, bad_second(HEED_F64, HEED_SHAPE(2)))                                                             \
    GIVES(other_size, bad_second(HEED_F64, HEED_SHAPE(2, 4)))

#define BAD_LISTS_ERRORS(op)                                                                                           \
    {"no list", no_list, HEED_ERR_ARGUMENT, op ":"}, {"first NULL", first_null, HEED_ERR_ARGUMENT, op ":"},            \
        {"second NULL", second_null, HEED_ERR_ARGUMENT, op ":"}, {"n = 0", none, HEED_ERR_ARGUMENT, op ":"},           \
        {"n = -1", less_than_none, HEED_ERR_ARGUMENT, "n is -1:"}, {"n = INT_MIN", least, HEED_ERR_ARGUMENT, op ":"},  \
        {"axis 3", axis_3, HEED_ERR_SHAPE, op ": there is no axis 3"},                                                 \
        {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, op ": there is no axis -2147483648"},                             \
        {"f64 and f32", mixed, HEED_ERR_DTYPE, op ": tensor 0 is f64, tensor 1 is f32"},                               \
        {"(2, 3) and (2)", other_rank, HEED_ERR_SHAPE, op ": tensor 0 (2, 3) and tensor 1 (2)"},                       \
    {                                                                                                                  \
        "(2, 3) and (2, 4)", other_size, HEED_ERR_SHAPE, op ": tensor 0 (2, 3) and tensor 1 (2, 4)"                    \
    }

#endif
