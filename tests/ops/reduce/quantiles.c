/* tests/ops/reduce/quantiles.c - the median and other quantiles: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reductions.h"

#include <limits.h>

static const op_example bad_order_axes[] = {
    {"NULL", {{0}, GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"of nothing",
     {GIVEN_ONES(HEED_F64, DIMS(0)), GIVEN_ONES(HEED_F64, NO_DIMS)},
     FAILS(HEED_ERR_SHAPE, ": axis 0 of (0) is empty")},
    {"empty axis",
     {GIVEN_ONES(HEED_F64, DIMS(0, 3)), GIVEN_ONES(HEED_F64, NO_DIMS)},
     FAILS(HEED_ERR_SHAPE, ": axis 0 of (0, 3) is empty")},
    {"axis 2",
     {SIX_ONES(HEED_F64), GIVEN_ONES(HEED_F64, NO_DIMS)},
     .i = {2},
     FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
    {"axis INT_MIN",
     {SIX_ONES(HEED_F64), GIVEN_ONES(HEED_F64, NO_DIMS)},
     .i = {INT_MIN},
     FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
    {"axis of ()",
     {GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN_ONES(HEED_F64, NO_DIMS)},
     FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
    {0}};

/* -- median -------------------------------------------------------------------------------------------------------- */

/* i: axis, keepdim, and whether the result is the indices. */
static heed_tensor *median_of(heed_tensor *x, const op_case *c)
{
    heed_tensor *indices = NULL, *y = heed_median(x, (int)c->i[0], c->i[1], &indices);
    return c->i[2] ? indices : y;
}

#define MEDIAN(name_, dims, ...)                                                                                       \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = { __VA_ARGS__ }                  \
    }

static heed_tensor *rows_with_nan(void)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 4), 3, NAN, 1, NAN, 4, 1, 3, 2, INFINITY, -INFINITY, INFINITY, 0);
}
static heed_tensor *median_of_rows(heed_tensor *x)
{
    return heed_median(x, 1, false, NULL);
}
GIVES(median_slope, gradient(median_of_rows, rows_with_nan()))

/* Numbers equal as doubles. */
static heed_tensor *near_largest(void)
{
    const int64_t x[] = {INT64_MAX, INT64_MAX - 2, INT64_MAX - 1};
    return heed_from_array(HEED_I64, HEED_SHAPE(3), x, 3);
}

static heed_tensor *indices_after_failure(void)
{
    heed_tensor *x = heed_ones(HEED_F64, HEED_SHAPE(2)), *indices = x;
    (void)heed_median(x, 1, false, &indices);
    return indices;
}

ROW(median, median_of(in[0], c),
    CASES(MEDIAN("(1)", DIMS(1), 0, false), MEDIAN("(5)", DIMS(5), 0, false), MEDIAN("(6) keepdim", DIMS(6), -1, true),
          MEDIAN("(37)", DIMS(37), 0, false), MEDIAN("(5, 7) axis 0", DIMS(5, 7), 0, false),
          MEDIAN("(4, 7) axis 0 keepdim", DIMS(4, 7), 0, true), MEDIAN("(2, 3, 5) axis 1", DIMS(2, 3, 5), 1, false),
          MEDIAN("(7, 1) axis 1", DIMS(7, 1), 1, false), MEDIAN("(0, 3) axis 1", DIMS(0, 3), 1, false),
          {.name = "(3, 4) indices",
           .n_inputs = 1,
           .in = {{.shape = DIMS(3, 4), .distinct = true}},
           .i = {1, false, true},
           .max_order = -1}),
    EXAMPLES(
        {"rows", {MADE_BY(rows_with_nan)}, .i = {1}, RESULT(DIMS(3), 0, NAN, 2, 0)},
        {"indices of rows", {MADE_BY(rows_with_nan)}, .i = {1, false, true}, RESULT(DIMS(3), 0, 1, 3, 3)},
        {"keepdim", {COUNTING(HEED_F32, DIMS(2, 4))}, .i = {-1, true}, RESULT(DIMS(2, 1), 0, 1, 5)},
        {"indices keepdim", {COUNTING(HEED_F32, DIMS(2, 4))}, .i = {0, true, true}, RESULT(DIMS(1, 4), 0, 0, 0, 0, 0)},
        {"equal elements", {GIVEN(HEED_F32, DIMS(5), 2, 1, 2, 2, 3)}, .i = {0, false, true}, RESULT(NO_DIMS, 0, 2)},
        {"i64", {MADE_BY(near_largest)}, .i = {0, false, true}, RESULT(NO_DIMS, 0, 2)},
        {"i64 values", {GIVEN(HEED_I64, DIMS(4), 7, -3, 9, 5)}, RESULT(NO_DIMS, 0, 5)},
        {"no rows", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .i = {1}, RESULT(DIMS(0), 0, 0)}),
    VALUES({"gradient", median_slope, DIMS(3, 4), 0, (const double[]){0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1}}),
    ERRORS({"no indices", indices_after_failure, HEED_ERR_SHAPE, "median: there is no axis 1"}),
    .shared = {{.examples = bad_order_axes}, {.examples = bad_bool}})

/* -- quantile ------------------------------------------------------------------------------------------------------ */

/* i: axis, keepdim, interpolation */
#define QUANTILE(name_, dims, levels, ...)                                                                             \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2,                                                                                  \
        .in = {{.shape = dims, .distinct = true},                                                                      \
               {.shape = levels, .kind = OP_FLOAT, .low = 0.05, .high = 0.93, .distinct = true}},                      \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
/* Only the linear interpolation depends on q. */
#define OF_KIND(name_, dims, levels, ...)                                                                              \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2,                                                                                  \
        .in = {{.shape = dims, .distinct = true},                                                                      \
               {.shape = levels, .kind = OP_CONSTANT, .low = 0.05, .high = 0.93, .distinct = true}},                   \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define FIVE GIVEN(HEED_F64, DIMS(5), 3, 1, 9, 5, 4)
#define AT(dtype, ...) GIVEN(dtype, DIMS(3), __VA_ARGS__)

/* d y / d q = (n - 1) times the difference of the neighbours 4 and 5. */
static heed_tensor *by_level(heed_tensor *q)
{
    return heed_quantile(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 3, 1, 9, 5, 4), q, 0, false, HEED_QUANTILE_LINEAR);
}
GIVES(level_slope, gradient(by_level, heed_full(HEED_F64, HEED_SCALAR, 0.6)))

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))
GIVES(quantile_rank_9, heed_quantile(ONES(1, 1, 1, 1, 1, 1, 1, 2), ONES(1), 7, true, HEED_QUANTILE_LINEAR))

ROW(quantile, heed_quantile(in[0], in[1], (int)c->i[0], c->i[1], (heed_quantile_interpolation)c->i[2]),
    CASES(QUANTILE("(1) ()", DIMS(1), NO_DIMS, 0, false), QUANTILE("(6) ()", DIMS(6), NO_DIMS, 0, false),
          QUANTILE("(5) (3)", DIMS(5), DIMS(3), 0, false), QUANTILE("(5, 7) () keepdim", DIMS(5, 7), NO_DIMS, -1, true),
          QUANTILE("(5, 7) (2) axis 0", DIMS(5, 7), DIMS(2), 0, false),
          QUANTILE("(2, 7, 3) (2) axis 1 keepdim", DIMS(2, 7, 3), DIMS(2), 1, true),
          QUANTILE("(5) (0)", DIMS(5), DIMS(0), 0, false), QUANTILE("(0, 3) (2)", DIMS(0, 3), DIMS(2), 1, false),
          OF_KIND("lower", DIMS(5, 7), DIMS(3), 0, false, HEED_QUANTILE_LOWER),
          OF_KIND("higher", DIMS(2, 7, 3), NO_DIMS, 1, true, HEED_QUANTILE_HIGHER),
          OF_KIND("midpoint", DIMS(2, 7, 3), DIMS(2), 1, false, HEED_QUANTILE_MIDPOINT),
          OF_KIND("nearest", DIMS(5, 7), DIMS(2), -1, false, HEED_QUANTILE_NEAREST)),
    EXAMPLES(
        {"linear", {FIVE, AT(HEED_F64, 0, 0.375, 1)}, RESULT(DIMS(3), 1e-15, 1, 3.5, 9)},
        {"lower",
         {FIVE, AT(HEED_F64, 0.2, 0.75, 0.99)},
         .i = {0, false, HEED_QUANTILE_LOWER},
         RESULT(DIMS(3), 0, 1, 5, 5)},
        {"higher",
         {FIVE, AT(HEED_F64, 0.2, 0.75, 0.8)},
         .i = {0, false, HEED_QUANTILE_HIGHER},
         RESULT(DIMS(3), 0, 3, 5, 9)},
        {"midpoint",
         {FIVE, AT(HEED_F64, 0.2, 0.75, 0.8)},
         .i = {0, false, HEED_QUANTILE_MIDPOINT},
         RESULT(DIMS(3), 0, 2, 5, 7)},
        {"nearest, ties to even",
         {FIVE, AT(HEED_F64, 0.125, 0.375, 0.8)},
         .i = {0, false, HEED_QUANTILE_NEAREST},
         RESULT(DIMS(3), 0, 1, 4, 5)},
        {"columns of f32",
         {COUNTING(HEED_F32, DIMS(3, 2)), AT(HEED_F32, 0.5, 0.25, 1)},
         RESULT(DIMS(3, 2), 0, 2, 3, 1, 2, 4, 5)},
        {"rows keepdim",
         {COUNTING(HEED_F64, DIMS(2, 3)), GIVEN(HEED_F64, DIMS(1), 0.5)},
         .i = {-1, true},
         RESULT(DIMS(1, 2, 1), 0, 1, 4)},
        {"NaN", {MADE_BY(rows_with_nan), GIVEN(HEED_F64, NO_DIMS, 0)}, .i = {1}, RESULT(DIMS(3), 0, NAN, 1, -INFINITY)},
        {"infinities",
         {GIVEN(HEED_F64, DIMS(4), INFINITY, -INFINITY, 1, INFINITY), AT(HEED_F64, 0, 0.5, 1)},
         RESULT(DIMS(3), 0, -INFINITY, NAN, INFINITY)},
        {"no levels", {FIVE, GIVEN_ONES(HEED_F64, DIMS(0))}, RESULT(DIMS(0), 0, 0)},
        {"q NULL", {FIVE, {0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"q -0.1",
         {FIVE, AT(HEED_F64, 0, -0.1, 1)},
         FAILS(HEED_ERR_ARGUMENT, ": element 1 of q is -0.1: must be in 0 .. 1")},
        {"q 2", {FIVE, GIVEN(HEED_F64, NO_DIMS, 2)}, FAILS(HEED_ERR_ARGUMENT, ": element 0 of q is 2")},
        {"q NaN", {FIVE, GIVEN(HEED_F64, NO_DIMS, NAN)}, FAILS(HEED_ERR_ARGUMENT, ": element 0 of q is nan")},
        {"q (1, 1)",
         {FIVE, GIVEN_ONES(HEED_F64, DIMS(1, 1))},
         FAILS(HEED_ERR_SHAPE, ": q is (1, 1): must be of rank 0 or 1")},
        {"q f32", {FIVE, GIVEN_ONES(HEED_F32, NO_DIMS)}, FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (5) and f32 ()")},
        {"interpolation 5",
         {FIVE, GIVEN_ONES(HEED_F64, NO_DIMS)},
         .i = {0, false, 5},
         FAILS(HEED_ERR_ARGUMENT, ": interpolation must be one of HEED_QUANTILE_*, not 5")},
        {"interpolation -1",
         {FIVE, GIVEN_ONES(HEED_F64, NO_DIMS)},
         .i = {0, false, -1},
         FAILS(HEED_ERR_ARGUMENT, ": interpolation must be one of HEED_QUANTILE_*, not -1")}),
    VALUES({"gradient of q", level_slope, NO_DIMS, 1e-15, (const double[]){4}}),
    ERRORS({"rank 9", quantile_rank_9, HEED_ERR_SHAPE,
            "quantile: the quantiles (1) of (1, 1, 1, 1, 1, 1, 1, 2) would"}),
    .shared = {{.examples = bad_order_axes}, {.examples = bad_dtypes}})
