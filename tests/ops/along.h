/* tests/ops/along.h - samples and bad arguments of softmax, log_softmax and logsumexp, which work along one axis.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_ALONG_H
#define HEED_TESTS_OPS_ALONG_H

#include "rows.h"

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

/* Examples that the rows share. c->i[0] is the axis. */
static const op_example bad_along[] = {
    {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"scalar", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ": there is no axis 0 ")},
    {"axis 2", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2 ")},
    {"axis -3", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {-3}, FAILS(HEED_ERR_SHAPE, ": there is no axis -3 ")},
    {"axis INT_MIN",
     {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
     .i = {INT_MIN},
     FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648 ")},
    {"i64", {GIVEN_ONES(HEED_I64, DIMS(2, 3))}, .i = {1}, FAILS(HEED_ERR_DTYPE, ":")},
    {"bool", {GIVEN_ONES(HEED_BOOL, DIMS(2, 3))}, FAILS(HEED_ERR_DTYPE, ":")},
    {0}};

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
