/* tests/ops/reduce/extremes.c - the largest and the smallest element and their indices: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reductions.h"

#include <limits.h>

#define SIX(dtype) GIVEN(dtype, DIMS(2, 3), 1, 5, -3, 4, 2, -6)

/* -- max and min --------------------------------------------------------------------------------------------------- */

RUN(max_of_all, heed_max(in[0]))
RUN(min_of_all, heed_min(in[0]))

GIVES(nan_before_many,
      heed_concat(HEED_TENSORS(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), NAN, 1), heed_arange(HEED_F32, 0, 200000, 1)), 0))
GIVES(rising_to_0, heed_arange(HEED_F64, -200000, 1, 1))
GIVES(falling_to_0, heed_arange(HEED_F64, 200000, -1, -1))
GIVES(long_columns, heed_reshape(heed_arange(HEED_F64, 0, 140000, 1), HEED_SHAPE(70000, 2)))

GIVES(max_ties, gradient(heed_max, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 3, 1, 3, 3)))
GIVES(max_nan_gradient, gradient(heed_max, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, NAN)))
GIVES(min_ties, gradient(heed_min, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 1, 3, 1)))
GIVES(min_nan_gradient, gradient(heed_min, HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, NAN)))

ROW(max, heed_max_axes(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .distinct = true, .low = -2, .high = 2),
          ONE("(2, 3) whole", max_of_all, DIMS(2, 3), .i = {0})),
    EXAMPLES({"axis 0", {SIX(HEED_F64)}, .axes = DIMS(0), RESULT(DIMS(3), 0, 4, 5, -3)},
             {"axis 1 keepdim", {SIX(HEED_F32)}, .axes = DIMS(1), .i = {true}, RESULT(DIMS(2, 1), 0, 5, 4)},
             {"i64 axis 0", {MADE_BY(whole_numbers)}, .axes = DIMS(0), RESULT(DIMS(3), 0, 0x1p63, 5, -2)},
             {"i64 axis 1", {MADE_BY(whole_numbers)}, .axes = DIMS(1), RESULT(DIMS(2), 0, 5, 0x1p63)},
             {"i64 transposed", {MADE_BY(whole_transposed)}, .axes = DIMS(1), RESULT(DIMS(3), 0, 0x1p63, 5, -2)},
             {"special values",
              {GIVEN(HEED_F64, DIMS(5, 2), NAN, 1, 1, NAN, -INFINITY, -INFINITY, INFINITY, 2, NAN, INFINITY)},
              .axes = DIMS(-1),
              RESULT(DIMS(5), 0, NAN, NAN, -INFINITY, INFINITY, NAN)},
             {"NaN in the first chunk", {MADE_BY(nan_before_many)}, .run = max_of_all, RESULT(NO_DIMS, 0, NAN)},
             {"long row", {MADE_BY(rising_to_0)}, .run = max_of_all, RESULT(NO_DIMS, 0, 0)},
             {"long column", {MADE_BY(long_columns)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 139998, 139999)},
             {"of nothing",
              {GIVEN_ONES(HEED_F64, DIMS(0))},
              .run = max_of_all,
              FAILS(HEED_ERR_SHAPE, ": axis 0 of (0) is empty")},
             {"empty axis",
              {GIVEN_ONES(HEED_F64, DIMS(0, 3))},
              .axes = DIMS(0),
              FAILS(HEED_ERR_SHAPE, ": axis 0 of (0, 3) is empty")}),
    VALUES({"gradient of ties", max_ties, DIMS(2, 2), 1e-15, (const double[]){1.0 / 3, 0, 1.0 / 3, 1.0 / 3}},
           {"gradient of NaN", max_nan_gradient, DIMS(2), 0, (const double[]){NAN, NAN}}),
    .shared = {{.examples = bad_axes, .name = "max_axes"}, {.examples = bad_bool, .run = max_of_all}})

ROW(min, heed_min_axes(in[0], c->shape, c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .distinct = true, .low = -2, .high = 2),
          ONE("(2, 3) whole", min_of_all, DIMS(2, 3), .i = {0})),
    EXAMPLES({"axis 0", {SIX(HEED_F64)}, .axes = DIMS(0), RESULT(DIMS(3), 0, 1, 2, -6)},
             {"axis 1 keepdim", {SIX(HEED_F32)}, .axes = DIMS(1), .i = {true}, RESULT(DIMS(2, 1), 0, -3, -6)},
             {"i64 axis 0", {MADE_BY(whole_numbers)}, .axes = DIMS(0), RESULT(DIMS(3), 0, -0x1p63, 0, -3)},
             {"i64 axis 1", {MADE_BY(whole_numbers)}, .axes = DIMS(1), RESULT(DIMS(2), 0, -0x1p63, -2)},
             {"i64 transposed", {MADE_BY(whole_transposed)}, .axes = DIMS(1), RESULT(DIMS(3), 0, -0x1p63, 0, -3)},
             {"special values",
              {GIVEN(HEED_F64, DIMS(5, 2), NAN, 1, 1, NAN, INFINITY, INFINITY, -INFINITY, 2, NAN, -INFINITY)},
              .axes = DIMS(-1),
              RESULT(DIMS(5), 0, NAN, NAN, INFINITY, -INFINITY, NAN)},
             {"NaN in the first chunk", {MADE_BY(nan_before_many)}, .run = min_of_all, RESULT(NO_DIMS, 0, NAN)},
             {"long row", {MADE_BY(falling_to_0)}, .run = min_of_all, RESULT(NO_DIMS, 0, 0)},
             {"long column", {MADE_BY(long_columns)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 0, 1)},
             {"of nothing",
              {GIVEN_ONES(HEED_F64, DIMS(0))},
              .run = min_of_all,
              FAILS(HEED_ERR_SHAPE, ": axis 0 of (0) is empty")},
             {"empty axis",
              {GIVEN_ONES(HEED_F64, DIMS(0, 3))},
              .axes = DIMS(0),
              FAILS(HEED_ERR_SHAPE, ": axis 0 of (0, 3) is empty")}),
    VALUES({"gradient of ties", min_ties, DIMS(2, 2), 1e-15, (const double[]){1.0 / 3, 1.0 / 3, 0, 1.0 / 3}},
           {"gradient of NaN", min_nan_gradient, DIMS(2), 0, (const double[]){NAN, NAN}}),
    .shared = {{.examples = bad_axes, .name = "min_axes"}, {.examples = bad_bool, .run = min_of_all}})

/* -- argmax and argmin --------------------------------------------------------------------------------------------- */

/* c->i: axis, keepdim, and whether x is flattened first. */
#define INDEX_OF(name_, dims, ...)                                                                                     \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = {__VA_ARGS__}, .max_order = -1   \
    }

static const op_case index_cases[] = {INDEX_OF("()", NO_DIMS, 0, false, true),
                                      INDEX_OF("(1)", DIMS(1), 0, false, true),
                                      INDEX_OF("(2, 3)", DIMS(2, 3), 0, false, true),
                                      INDEX_OF("(37)", DIMS(37), 0, false, true),
                                      INDEX_OF("(5, 7)", DIMS(5, 7), 0, false, true),
                                      INDEX_OF("(5) axis 0", DIMS(5), 0, false),
                                      INDEX_OF("(5, 7) axis 0", DIMS(5, 7), 0, false),
                                      INDEX_OF("(5, 7) axis 1 keepdim", DIMS(5, 7), -1, true),
                                      INDEX_OF("(2, 3, 5) axis 1", DIMS(2, 3, 5), 1, false),
                                      INDEX_OF("(2, 3, 5) axis 0 keepdim", DIMS(2, 3, 5), 0, true),
                                      INDEX_OF("(2, 1, 3, 2, 2) axis 3", DIMS(2, 1, 3, 2, 2), 3, false),
                                      INDEX_OF("(0, 3) axis 1", DIMS(0, 3), 1, false),
                                      {0}};

static heed_tensor *flat_if(heed_tensor *x, bool flat)
{
    return flat ? heed_flatten(x, 0, -1) : x;
}

/* Numbers equal as doubles. */
static heed_tensor *near_largest(void)
{
    const int64_t x[] = {INT64_MIN, INT64_MAX - 1, INT64_MAX, INT64_MAX, 0, -1};
    return heed_from_array(HEED_I64, HEED_SHAPE(3, 2), x, 6);
}

static heed_tensor *near_least(void)
{
    const int64_t x[] = {INT64_MAX, INT64_MIN + 1, INT64_MIN, INT64_MIN, 0, -1};
    return heed_from_array(HEED_I64, HEED_SHAPE(3, 2), x, 6);
}

static const op_example bad_index_axes[] = {
    {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, FAILS(HEED_ERR_SHAPE, ": no elements to choose from in (0)")},
    {"empty axis", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, FAILS(HEED_ERR_SHAPE, ": no elements to choose")},
    {"axis 2", {SIX_ONES(HEED_F64)}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
    {"axis INT_MIN", {SIX_ONES(HEED_F64)}, .i = {INT_MIN}, FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")},
    {"axis of ()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ":")},
    {0}};

ROW(argmax, heed_argmax(flat_if(in[0], c->i[2]), (int)c->i[0], c->i[1]), .cases = index_cases,
    EXAMPLES(
        {"first of equals", {GIVEN(HEED_F64, DIMS(5), 1, 3, 2, 3, 0)}, RESULT(NO_DIMS, 0, 1)},
        {"first NaN", {GIVEN(HEED_F32, DIMS(5), 1, NAN, INFINITY, NAN, 7)}, RESULT(NO_DIMS, 0, 1)},
        {"flattened", {GIVEN(HEED_F64, DIMS(2, 3), 1, 5, -3, 4, 2, 9)}, .i = {0, false, true}, RESULT(NO_DIMS, 0, 5)},
        {"axis 0", {GIVEN(HEED_F64, DIMS(2, 3), 1, 5, NAN, 4, 2, NAN)}, RESULT(DIMS(3), 0, 1, 0, 0)},
        {"axis 1 keepdim", {SIX(HEED_F32)}, .i = {-1, true}, RESULT(DIMS(2, 1), 0, 1, 0)},
        {"-inf", {GIVEN(HEED_F64, DIMS(3), -INFINITY, -INFINITY, -INFINITY)}, RESULT(NO_DIMS, 0, 0)},
        {"no rows", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .i = {1}, RESULT(DIMS(0), 0, 0)},
        {"i64", {MADE_BY(near_largest)}, RESULT(DIMS(2), 0, 1, 1)}),
    .shared = {{.examples = bad_index_axes}, {.examples = bad_bool}})

ROW(argmin, heed_argmin(flat_if(in[0], c->i[2]), (int)c->i[0], c->i[1]), .cases = index_cases,
    EXAMPLES(
        {"first of equals", {GIVEN(HEED_F64, DIMS(5), 1, -3, 2, -3, 0)}, RESULT(NO_DIMS, 0, 1)},
        {"first NaN", {GIVEN(HEED_F32, DIMS(5), 1, NAN, -INFINITY, NAN, 7)}, RESULT(NO_DIMS, 0, 1)},
        {"flattened", {GIVEN(HEED_F64, DIMS(2, 3), 1, 5, -3, 4, 2, 9)}, .i = {0, false, true}, RESULT(NO_DIMS, 0, 2)},
        {"axis 0", {GIVEN(HEED_F64, DIMS(2, 3), 1, 5, NAN, 4, 2, NAN)}, RESULT(DIMS(3), 0, 0, 1, 0)},
        {"axis 1 keepdim", {SIX(HEED_F32)}, .i = {-1, true}, RESULT(DIMS(2, 1), 0, 2, 2)},
        {"inf", {GIVEN(HEED_F64, DIMS(3), INFINITY, INFINITY, INFINITY)}, RESULT(NO_DIMS, 0, 0)},
        {"no rows", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .i = {1}, RESULT(DIMS(0), 0, 0)},
        {"i64", {MADE_BY(near_least)}, RESULT(DIMS(2), 0, 1, 1)}),
    .shared = {{.examples = bad_index_axes}, {.examples = bad_bool}})
