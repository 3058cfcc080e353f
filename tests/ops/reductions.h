/* tests/ops/reductions.h - samples and bad arguments for ops that take axes and keepdim. */
#ifndef HEED_TESTS_OPS_REDUCTIONS_H
#define HEED_TESTS_OPS_REDUCTIONS_H

#include "functions.h"

/* run finds the axes in c->shape and keepdim in c->i[0]; `...` sets the range of the input. */
#define REDUCTION(name_, run_, dims, axes, keepdim, ...)                                                               \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, __VA_ARGS__}}, .i = {keepdim}, .shape = axes \
    }

#define REDUCTION_SAMPLES(run, ...)                                                                                    \
    REDUCTION("()", run, NO_DIMS, NO_DIMS, false, __VA_ARGS__),                                                        \
        REDUCTION("() keepdim", run, NO_DIMS, NO_DIMS, true, __VA_ARGS__),                                             \
        REDUCTION("(1)", run, DIMS(1), NO_DIMS, false, __VA_ARGS__),                                                   \
        REDUCTION("(5) axis 0", run, DIMS(5), DIMS(0), false, __VA_ARGS__),                                            \
        REDUCTION("(5) keepdim", run, DIMS(5), DIMS(-1), true, __VA_ARGS__),                                           \
        REDUCTION("(2, 3)", run, DIMS(2, 3), NO_DIMS, false, __VA_ARGS__),                                             \
        REDUCTION("(2, 3) keepdim", run, DIMS(2, 3), NO_DIMS, true, __VA_ARGS__),                                      \
        REDUCTION("(2, 3) axis 0", run, DIMS(2, 3), DIMS(0), false, __VA_ARGS__),                                      \
        REDUCTION("(2, 3) axis 1", run, DIMS(2, 3), DIMS(1), false, __VA_ARGS__),                                      \
        REDUCTION("(7, 1) axis -1", run, DIMS(7, 1), DIMS(-1), false, __VA_ARGS__),                                    \
        REDUCTION("(1, 7) axis 0 keepdim", run, DIMS(1, 7), DIMS(0), true, __VA_ARGS__),                               \
        REDUCTION("(5, 7) axis 0 keepdim", run, DIMS(5, 7), DIMS(0), true, __VA_ARGS__),                               \
        REDUCTION("(5, 7) axes 1 0", run, DIMS(5, 7), DIMS(1, 0), false, __VA_ARGS__),                                 \
        REDUCTION("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), DIMS(1), false, __VA_ARGS__),                                \
        REDUCTION("(2, 3, 5) axes 0 2", run, DIMS(2, 3, 5), DIMS(0, 2), false, __VA_ARGS__),                           \
        REDUCTION("(2, 3, 5) axes 0 2 keepdim", run, DIMS(2, 3, 5), DIMS(0, 2), true, __VA_ARGS__),                    \
        REDUCTION("(2, 3, 5) axes 1 2", run, DIMS(2, 3, 5), DIMS(-1, 1), false, __VA_ARGS__),                          \
        REDUCTION("(2, 3, 1, 2, 2) axes 0 3 4", run, DIMS(2, 3, 1, 2, 2), DIMS(0, 3, -1), false, __VA_ARGS__),         \
        REDUCTION("(2, 1, 3, 1, 2) axes 1 2 3", run, DIMS(2, 1, 3, 1, 2), DIMS(1, 2, 3), true, __VA_ARGS__),           \
        REDUCTION("(1, 257, 1) axis 1", run, DIMS(1, 257, 1), DIMS(1), false, __VA_ARGS__),                            \
        REDUCTION("(0, 3) axis 1", run, DIMS(0, 3), DIMS(1), false, __VA_ARGS__),                                      \
        REDUCTION("(3, 0, 2) axes 0 2", run, DIMS(3, 0, 2), DIMS(0, 2), true, __VA_ARGS__)

/* BAD_AXES(heed_sum_axes(x, axes, false)) defines the functions that BAD_AXES_ERRORS("sum_axes") lists. */
#define BAD_AXES(expression)                                                                                           \
    static heed_tensor *bad(heed_tensor *x, heed_shape axes)                                                           \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    GIVES(of_null, bad(NULL, HEED_AXES(0)))                                                                            \
    GIVES(axis_2, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(2)))                                            \
    GIVES(axis_below, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, -3)))                                    \
    GIVES(axis_least, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(INT64_MIN)))                                \
    GIVES(axis_most, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(INT64_MAX)))                                 \
    GIVES(axis_of_scalar, bad(heed_ones(HEED_F64, HEED_SCALAR), HEED_AXES(0)))                                         \
    GIVES(axis_twice, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, -2)))                                    \
    GIVES(nine_axes, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), RANK_9))                                               \
    GIVES(less_than_none, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), RANK_BELOW_0))

#define BAD_AXES_ERRORS(op)                                                                                            \
    {"NULL", of_null, HEED_ERR_ARGUMENT, op ":"}, {"axis 2", axis_2, HEED_ERR_SHAPE, op ": axis 2 "},                  \
        {"axis -3", axis_below, HEED_ERR_SHAPE, op ": axis -3 "},                                                      \
        {"axis INT64_MIN", axis_least, HEED_ERR_SHAPE, op ": axis -9223372036854775808 "},                             \
        {"axis INT64_MAX", axis_most, HEED_ERR_SHAPE, op ": axis 9223372036854775807 "},                               \
        {"axis of ()", axis_of_scalar, HEED_ERR_SHAPE, op ": axis 0 "},                                                \
        {"axes 0 and -2", axis_twice, HEED_ERR_SHAPE, op ": axis -2 is given twice in (0, -2)"},                       \
        {"9 axes", nine_axes, HEED_ERR_SHAPE, op ":"},                                                                 \
    {                                                                                                                  \
        "-1 axes", less_than_none, HEED_ERR_SHAPE, op ":"                                                              \
    }

/* Likewise for bool, for an op that takes all numbers: BAD_BOOL(heed_max(x)) and BAD_BOOL_ERRORS("max"). */
#define BAD_BOOL(expression)                                                                                           \
    static heed_tensor *bad_dtype(heed_tensor *x)                                                                      \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    GIVES(of_bool, bad_dtype(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3))))

#define BAD_BOOL_ERRORS(op)                                                                                            \
    {                                                                                                                  \
        "bool", of_bool, HEED_ERR_DTYPE, op ": the tensor is bool (2, 3): must be f32, f64 or i64"                     \
    }

/* (2, 3) whole numbers, some at the ends of the range. */
static inline heed_tensor *whole_numbers(void)
{
    const int64_t x[] = {INT64_MIN, 5, -3, INT64_MAX, 0, -2};
    return heed_from_array(HEED_I64, HEED_SHAPE(2, 3), x, 6);
}

/* BAD_DTYPES(heed_sum(x)) defines the functions that BAD_DTYPES_ERRORS("sum") lists: one per non-float dtype. */
#define BAD_DTYPES(expression)                                                                                         \
    static heed_tensor *bad_dtype(heed_tensor *x)                                                                      \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    GIVES(of_i64, bad_dtype(heed_ones(HEED_I64, HEED_SHAPE(2, 3))))                                                    \
    GIVES(of_bool, bad_dtype(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3))))

#define BAD_DTYPES_ERRORS(op)                                                                                          \
    {"i64", of_i64, HEED_ERR_DTYPE, op ": the tensor is i64 (2, 3): must be f32 or f64"},                              \
    {                                                                                                                  \
        "bool", of_bool, HEED_ERR_DTYPE, op ": the tensor is bool (2, 3): must be f32 or f64"                          \
    }

#endif
