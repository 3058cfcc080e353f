/* tests/ops/along.h - samples and bad arguments of softmax, log_softmax and logsumexp, which work along one axis. */
#ifndef HEED_TESTS_OPS_ALONG_H
#define HEED_TESTS_OPS_ALONG_H

#include "functions.h"

#include <limits.h>

/* run finds the axis in c->i[0], and keepdim in c->i[1]. */
#define ALONG(name_, run_, dims, axis, keepdim, ...)                                                                   \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims, __VA_ARGS__}}, .i = { axis, keepdim }        \
    }

#define ALONG_SAMPLES(run, keepdim, ...)                                                                               \
    ALONG("(1) axis 0", run, DIMS(1), 0, keepdim, __VA_ARGS__),                                                        \
        ALONG("(5) axis -1", run, DIMS(5), -1, keepdim, __VA_ARGS__),                                                  \
        ALONG("(0, 3) axis 1", run, DIMS(0, 3), 1, keepdim, __VA_ARGS__),                                              \
        ALONG("(3, 0, 2) axis 2", run, DIMS(3, 0, 2), 2, keepdim, __VA_ARGS__),                                        \
        ALONG("(2, 3) axis 1", run, DIMS(2, 3), 1, keepdim, __VA_ARGS__),                                              \
        ALONG("(2, 3) axis 0", run, DIMS(2, 3), 0, keepdim, __VA_ARGS__),                                              \
        ALONG("(7, 1) axis 1", run, DIMS(7, 1), 1, keepdim, __VA_ARGS__),                                              \
        ALONG("(1, 7) axis 0", run, DIMS(1, 7), 0, keepdim, __VA_ARGS__),                                              \
        ALONG("(5, 7) axis -1", run, DIMS(5, 7), -1, keepdim, __VA_ARGS__),                                            \
        ALONG("(2, 3, 5) axis 0", run, DIMS(2, 3, 5), 0, keepdim, __VA_ARGS__),                                        \
        ALONG("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), 1, keepdim, __VA_ARGS__),                                        \
        ALONG("(2, 3, 5) axis -1", run, DIMS(2, 3, 5), -1, keepdim, __VA_ARGS__),                                      \
        ALONG("(1, 37, 1) axis 1", run, DIMS(1, 37, 1), 1, keepdim, __VA_ARGS__)

/* Rows of length 0. */
#define ALONG_NOTHING(run)                                                                                             \
    ALONG("(0) axis 0", run, DIMS(0), 0, false, .low = -2, .high = 2),                                                 \
        ALONG("(0, 3) axis 0", run, DIMS(0, 3), 0, false, .low = -2, .high = 2)

/* BAD_ALONG(heed_softmax(x, axis)) defines the functions that BAD_ALONG_ERRORS("softmax") lists. */
#define BAD_ALONG(expression)                                                                                          \
    static heed_tensor *bad(heed_tensor *x, int axis)                                                                  \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    GIVES(of_null, bad(NULL, 0))                                                                                       \
    GIVES(of_scalar, bad(heed_ones(HEED_F64, HEED_SCALAR), 0))                                                         \
    GIVES(axis_2, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 2))                                                       \
    GIVES(axis_below, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), -3))                                                  \
    GIVES(axis_least, bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN))                                             \
    GIVES(of_i64, bad(heed_ones(HEED_I64, HEED_SHAPE(2, 3)), 1))                                                       \
    GIVES(of_bool, bad(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3)), 0))

#define BAD_ALONG_ERRORS(op)                                                                                           \
    {"NULL", of_null, HEED_ERR_ARGUMENT, op ":"}, {"scalar", of_scalar, HEED_ERR_SHAPE, op ": there is no axis 0 "},   \
        {"axis 2", axis_2, HEED_ERR_SHAPE, op ": there is no axis 2 "},                                                \
        {"axis -3", axis_below, HEED_ERR_SHAPE, op ": there is no axis -3 "},                                          \
        {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, op ": there is no axis -2147483648 "},                            \
        {"i64", of_i64, HEED_ERR_DTYPE, op ":"},                                                                       \
    {                                                                                                                  \
        "bool", of_bool, HEED_ERR_DTYPE, op ":"                                                                        \
    }

/* Logarithms of 1 2 3: their softmax is 1/6 1/3 1/2. */
#define LOG_1_2_3 0, 0.69314718055994530942, 1.0986122886681098

/* One row each: NaN, +inf, only -inf, some -inf, all -1e7, 3e38 and its negative, numbers far apart. */
static inline heed_tensor *hard_rows(heed_dtype dtype)
{
    const double inf = INFINITY;
    return HEED_TENSOR(dtype, HEED_SHAPE(7, 3), 0, NAN, 1, 0, inf, 1, -inf, -inf, -inf, 2, -inf, 2, -1e7, -1e7, -1e7,
                       3e38, -3e38, 3e38, 0, 9998, 9998);
}

#endif
