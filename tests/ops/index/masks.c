/* tests/ops/index/masks.c - masked_fill, nonzero, masked_select and one_hot.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "functions.h"
#include "indices.h"

/* -- masked_fill --------------------------------------------------------------------------------------------------- */

RUN(masked_fill_run, heed_masked_fill(in[0], in[1], c->p[0]))

#define MASKED(name_, dims, mask_dims, value)                                                                          \
    {                                                                                                                  \
        .name = name_, .run = masked_fill_run, .n_inputs = 2,                                                          \
        .in = {{.shape = dims}, {.shape = mask_dims, .kind = OP_MASK}}, .p = {                                         \
            value                                                                                                      \
        }                                                                                                              \
    }

static heed_tensor *filled(heed_tensor *x)
{
    return heed_masked_fill(x, HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 1), -INFINITY);
}
GIVES(values, filled(HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, NAN, 3)))

/* A masked element has gradient 0 for any incoming gradient. */
static heed_tensor *exploding(heed_tensor *x)
{
    return heed_exp(heed_mul_scalar(filled(x), -1));
}
GIVES(slope, gradient(exploding, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, NAN, INFINITY)))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
GIVES(masked_fill_of_null, heed_masked_fill(NULL, ONES(HEED_BOOL, 2), 0))
GIVES(null_mask, heed_masked_fill(ONES(HEED_F64, 2), NULL, 0))
GIVES(of_i64, heed_masked_fill(heed_arange(HEED_I64, 5, 8, 1), HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 0, 1, 0), -1))
GIVES(half_of_i64, heed_masked_fill(ONES(HEED_I64, 2), ONES(HEED_BOOL, 2), 0.5))
GIVES(of_bool, heed_masked_fill(ONES(HEED_BOOL, 2), ONES(HEED_BOOL, 2), 0))
GIVES(float_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_F64, 2), 0))
GIVES(other_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_BOOL, 3), 0))
GIVES(larger_mask, heed_masked_fill(ONES(HEED_F64, 2), ONES(HEED_BOOL, 2, 2), 0))

const op_cases heed_cases_masked_fill = {
    .cases = (const op_case[]){MASKED("()", NO_DIMS, NO_DIMS, 1),
                               MASKED("(5)", DIMS(5), DIMS(5), -7),
                               MASKED("(0, 3)", DIMS(0, 3), DIMS(3), 1),
                               MASKED("(2, 3) (3)", DIMS(2, 3), DIMS(3), 0),
                               MASKED("(2, 3, 4) (3, 1)", DIMS(2, 3, 4), DIMS(3, 1), 100),
                               {0}},
    .values = (const op_value[]){{"values", values, DIMS(3), 0, (const double[]){1, -INFINITY, -INFINITY}},
                                 {"i64", of_i64, DIMS(3), 0, (const double[]){5, -1, 7}},
                                 {"gradient", slope, DIMS(3), 0, (const double[]){-1, 0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", masked_fill_of_null, HEED_ERR_ARGUMENT, "masked_fill:"},
            {"mask NULL", null_mask, HEED_ERR_ARGUMENT, "masked_fill:"},
            {"half of i64", half_of_i64, HEED_ERR_ARGUMENT, "masked_fill: value is 0.5: must be representable as i64"},
            {"bool", of_bool, HEED_ERR_DTYPE, "masked_fill: x is bool (2)"},
            {"f64 mask", float_mask, HEED_ERR_DTYPE, "masked_fill: the mask is f64: must be bool"},
            {"mask (3)", other_mask, HEED_ERR_SHAPE, "masked_fill: the mask (3) does not broadcast"},
            {"mask (2, 2)", larger_mask, HEED_ERR_SHAPE, "masked_fill: the mask (2, 2) does not broadcast to (2)"},
            {0}},
};

/* -- nonzero ------------------------------------------------------------------------------------------------------- */

#define NONZERO(name_, dims)                                                                                           \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .kind = OP_MASK}}, .max_order = -1                        \
    }

GIVES(nonzero_transposed, heed_transpose(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 0, 2, 0, 0), 0, 1))

ROW(nonzero, heed_nonzero(in[0]),
    CASES(NONZERO("(5)", DIMS(5)), NONZERO("(2, 3)", DIMS(2, 3)), NONZERO("(2, 3, 5)", DIMS(2, 3, 5)),
          NONZERO("(0, 3)", DIMS(0, 3)), NONZERO("()", NO_DIMS)),
    EXAMPLES({"bool", {GIVEN(HEED_BOOL, DIMS(4), 0, 1, 1, 0)}, RESULT(DIMS(2, 1), 0, 1, 2)},
             {"i64, transposed", {MADE_BY(nonzero_transposed)}, RESULT(DIMS(2, 2), 0, 0, 1, 1, 0)},
             {"special values",
              {GIVEN(HEED_F32, DIMS(2, 3), 0, NAN, -0.0, 1e-45, 0, -INFINITY)},
              RESULT(DIMS(3, 2), 0, 0, 1, 1, 0, 1, 2)},
             {"none", {GIVEN(HEED_F64, DIMS(2, 2), 0, 0, 0, 0)}, RESULT(DIMS(0, 2), 0, 0)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(2, 0, 3))}, RESULT(DIMS(0, 3), 0, 0)},
             {"scalar", {GIVEN_ONES(HEED_F64, NO_DIMS)}, RESULT(DIMS(1, 0), 0, 0)},
             {"scalar 0", {GIVEN(HEED_F64, NO_DIMS, 0)}, RESULT(DIMS(0, 0), 0, 0)},
             {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")}))

/* -- masked_select ------------------------------------------------------------------------------------------------- */

#define SELECTED(name_, dims, mask_dims)                                                                               \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = { {.shape = dims}, {.shape = mask_dims, .kind = OP_MASK} }                 \
    }

static heed_tensor *positive(heed_tensor *x)
{
    return heed_masked_select(x, heed_compare_scalar(x, HEED_COMPARE_GT, 0));
}
GIVES(selected_slope, gradient(positive, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, NAN, -1, INFINITY)))

ROW(masked_select, heed_masked_select(in[0], in[1]),
    CASES(SELECTED("()", NO_DIMS, NO_DIMS), SELECTED("(5)", DIMS(5), DIMS(5)), SELECTED("(0, 3)", DIMS(0, 3), DIMS(3)),
          SELECTED("(2, 3) (3)", DIMS(2, 3), DIMS(3)), SELECTED("(2, 3, 4) (3, 1)", DIMS(2, 3, 4), DIMS(3, 1)),
          SELECTED("(3) (2, 3)", DIMS(3), DIMS(2, 3))),
    EXAMPLES(
        {"i64",
         {COUNTING(HEED_I64, DIMS(2, 3)), GIVEN(HEED_BOOL, DIMS(2, 3), 1, 0, 1, 0, 0, 1)},
         RESULT(DIMS(3), 0, 0, 2, 5)},
        {"rows", {COUNTING(HEED_F32, DIMS(2, 3)), GIVEN(HEED_BOOL, DIMS(2, 1), 0, 1)}, RESULT(DIMS(3), 0, 3, 4, 5)},
        {"x broadcast",
         {COUNTING(HEED_F64, DIMS(2)), GIVEN(HEED_BOOL, DIMS(2, 2), 1, 1, 0, 1)},
         RESULT(DIMS(3), 0, 0, 1, 1)},
        {"bool", {GIVEN(HEED_BOOL, DIMS(3), 1, 0, 1), GIVEN(HEED_BOOL, DIMS(3), 1, 1, 0)}, RESULT(DIMS(2), 0, 1, 0)},
        {"none", {COUNTING(HEED_F64, DIMS(2)), GIVEN(HEED_BOOL, DIMS(2), 0, 0)}, RESULT(DIMS(0), 0, 0)},
        {"NULL", {{0}, GIVEN_ONES(HEED_BOOL, DIMS(2))}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"mask NULL", {GIVEN_ONES(HEED_F64, DIMS(2)), {0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"f64 mask",
         {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2))},
         FAILS(HEED_ERR_DTYPE, ": the mask is f64: must be bool")},
        {"mask (3)",
         {GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_BOOL, DIMS(3))},
         FAILS(HEED_ERR_SHAPE, ": shapes (2) and (3) do not broadcast")}),
    VALUES({"gradient", selected_slope, DIMS(2, 2), 0, (const double[]){1, 0, 0, 1}}))

/* -- one_hot ------------------------------------------------------------------------------------------------------- */

RUN(one_hot_run, heed_one_hot(in[0], c->i[0], HEED_F64))

#define SAMPLE(name_, dims, classes)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = one_hot_run, .n_inputs = 1, .in = {{.shape = dims, .kind = OP_INDEX, .high = classes}},  \
        .i = {classes}, .max_order = -1                                                                                \
    }

static heed_tensor *as(heed_dtype dtype)
{
    heed_tensor *y = heed_one_hot(INDICES(HEED_SHAPE(3), 1, 0, 2), 3, dtype);
    return heed_dtype_of(y) == dtype ? y : NULL;
}
GIVES(f32, as(HEED_F32))
GIVES(f64, as(HEED_F64))
GIVES(i64, as(HEED_I64))
GIVES(mask, as(HEED_BOOL))
GIVES(scalar, heed_one_hot(INDICES(HEED_SCALAR, 1), 2, HEED_F32))
GIVES(matrix, heed_one_hot(INDICES(HEED_SHAPE(2, 1), 1, 0), 2, HEED_F32))
GIVES(nothing, heed_one_hot(heed_zeros(HEED_I64, HEED_SHAPE(0)), 0, HEED_F32))

#define OF_3(classes, dtype) heed_one_hot(INDICES(HEED_SHAPE(3), 1, 0, 2), classes, dtype)
GIVES(one_hot_of_null, heed_one_hot(NULL, 2, HEED_F32))
GIVES(of_float, heed_one_hot(heed_zeros(HEED_F32, HEED_SHAPE(2)), 2, HEED_F32))
GIVES(dtype_4, OF_3(3, (heed_dtype)4))
GIVES(dtype_below_0, OF_3(3, (heed_dtype)-1))
GIVES(negative_classes, OF_3(-1, HEED_F32))
GIVES(least_classes, OF_3(INT64_MIN, HEED_F32))
GIVES(most_classes, OF_3(INT64_MAX, HEED_F32))
GIVES(no_class, OF_3(0, HEED_F32))
GIVES(too_few, OF_3(2, HEED_F32))
GIVES(negative, heed_one_hot(INDICES(HEED_SHAPE(1, 2), 0, -1), 2, HEED_F32))
GIVES(rank_8, heed_one_hot(heed_zeros(HEED_I64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 1)), 2, HEED_F32))

const op_cases heed_cases_one_hot = {
    .cases = (const op_case[]){SAMPLE("() 2", NO_DIMS, 2),
                               SAMPLE("(1) 1", DIMS(1), 1),
                               SAMPLE("(5) 3", DIMS(5), 3),
                               SAMPLE("(0) 3", DIMS(0), 3),
                               SAMPLE("(2, 3) 7", DIMS(2, 3), 7),
                               SAMPLE("(2, 3, 5) 2", DIMS(2, 3, 5), 2),
                               SAMPLE("(2, 1, 3, 1, 2) 4", DIMS(2, 1, 3, 1, 2), 4),
                               {0}},
    .values = (const op_value[]){{"f32", f32, DIMS(3, 3), 0, (const double[]){0, 1, 0, 1, 0, 0, 0, 0, 1}},
                                 {"f64", f64, DIMS(3, 3), 0, (const double[]){0, 1, 0, 1, 0, 0, 0, 0, 1}},
                                 {"i64", i64, DIMS(3, 3), 0, (const double[]){0, 1, 0, 1, 0, 0, 0, 0, 1}},
                                 {"bool", mask, DIMS(3, 3), 0, (const double[]){0, 1, 0, 1, 0, 0, 0, 0, 1}},
                                 {"()", scalar, DIMS(2), 0, (const double[]){0, 1}},
                                 {"(2, 1)", matrix, DIMS(2, 1, 2), 0, (const double[]){0, 1, 1, 0}},
                                 {"of nothing", nothing, DIMS(0, 0), 0, (const double[]){0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"NULL", one_hot_of_null, HEED_ERR_ARGUMENT, "one_hot:"},
            {"f32 indices", of_float, HEED_ERR_DTYPE, "one_hot: the indices are f32 (2): must be i64"},
            {"dtype 4", dtype_4, HEED_ERR_DTYPE, "one_hot: dtype is 4: must be"},
            {"dtype -1", dtype_below_0, HEED_ERR_DTYPE, "one_hot: dtype is -1: must be"},
            {"-1 classes", negative_classes, HEED_ERR_ARGUMENT, "one_hot: classes is -1: must be"},
            {"INT64_MIN classes", least_classes, HEED_ERR_ARGUMENT, "one_hot: classes is -9223372036854775808"},
            {"INT64_MAX classes", most_classes, HEED_ERR_SHAPE, "one_hot: (3, 9223372036854775807)"},
            {"0 classes", no_class, HEED_ERR_INDEX, "one_hot: index 1 at (0)"},
            {"index 2 of 2", too_few, HEED_ERR_INDEX, "one_hot: index 2 at (2) is outside an axis of size 2"},
            {"index -1", negative, HEED_ERR_INDEX, "one_hot: index -1 at (0, 1) is outside"},
            {"rank 8", rank_8, HEED_ERR_SHAPE, "one_hot: (1, 1, 1, 1, 1, 1, 1, 1)"},
            {0}},
};
