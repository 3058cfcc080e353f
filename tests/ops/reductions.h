/* tests/ops/reductions.h - samples and bad arguments for ops that take axes and keepdim.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_REDUCTIONS_H
#define HEED_TESTS_OPS_REDUCTIONS_H

#include "rows.h"

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

/* Examples that the rows share (op_shared). */
#define SIX_ONES(dtype) GIVEN_ONES(dtype, DIMS(2, 3))

static const op_example bad_axes[] = {
    {"NULL", {{0}}, .axes = DIMS(0), FAILS(HEED_ERR_ARGUMENT, ":")},
    {"axis 2", {SIX_ONES(HEED_F64)}, .axes = DIMS(2), FAILS(HEED_ERR_SHAPE, ": axis 2 ")},
    {"axis -3", {SIX_ONES(HEED_F64)}, .axes = DIMS(0, -3), FAILS(HEED_ERR_SHAPE, ": axis -3 ")},
    {"axis INT64_MIN",
     {SIX_ONES(HEED_F64)},
     .axes = DIMS(INT64_MIN),
     FAILS(HEED_ERR_SHAPE, ": axis -9223372036854775808 ")},
    {"axis INT64_MAX",
     {SIX_ONES(HEED_F64)},
     .axes = DIMS(INT64_MAX),
     FAILS(HEED_ERR_SHAPE, ": axis 9223372036854775807 ")},
    {"axis of ()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, .axes = DIMS(0), FAILS(HEED_ERR_SHAPE, ": axis 0 ")},
    {"axes 0 and -2",
     {SIX_ONES(HEED_F64)},
     .axes = DIMS(0, -2),
     FAILS(HEED_ERR_SHAPE, ": axis -2 is given twice in (0, -2)")},
    {"9 axes", {SIX_ONES(HEED_F64)}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
    {"-1 axes", {SIX_ONES(HEED_F64)}, .axes = {.rank = -1}, FAILS(HEED_ERR_SHAPE, ":")},
    {0}};

/* For ops that take all numbers, and for ops that take floats only. */
static const op_example bad_bool[] = {
    {"bool", {SIX_ONES(HEED_BOOL)}, FAILS(HEED_ERR_DTYPE, ": the tensor is bool (2, 3): must be f32, f64 or i64")},
    {0}};

static const op_example bad_dtypes[] = {
    {"i64", {SIX_ONES(HEED_I64)}, FAILS(HEED_ERR_DTYPE, ": the tensor is i64 (2, 3): must be f32 or f64")},
    {"bool", {SIX_ONES(HEED_BOOL)}, FAILS(HEED_ERR_DTYPE, ": the tensor is bool (2, 3): must be f32 or f64")},
    {0}};

/* (2, 3) whole numbers, some at the ends of the range. */
static inline heed_tensor *whole_numbers(void)
{
    const int64_t x[] = {INT64_MIN, 5, -3, INT64_MAX, 0, -2};
    return heed_from_array(HEED_I64, HEED_SHAPE(2, 3), x, 6);
}

static inline heed_tensor *whole_transposed(void)
{
    return heed_transpose(whole_numbers(), 0, 1);
}

#endif
