/* tests/ops/elementwise/copies.c - the cases of copies, conversions, and selections by a condition.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"

/* -- clone --------------------------------------------------------------------------------------------------------- */

RUN_1(clone_run, heed_clone(x))
RUN_1(clone_of_transposed, heed_clone(heed_transpose(x, 0, 1)))
VALUE_1(clone_special, heed_clone(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5)

static heed_tensor *clone_of_i64(void)
{
    const int64_t values[] = {INT64_MIN, 0, INT64_MAX};
    heed_tensor *x = heed_from_array(HEED_I64, HEED_SHAPE(3), values, 3);
    return heed_compare(heed_clone(x), HEED_COMPARE_EQ, x);
}

static heed_tensor *clone_of_bool(void)
{
    return heed_clone(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), true, false));
}

static heed_tensor *clone_of_a_view(void)
{
    return heed_clone(heed_transpose(heed_reshape(heed_arange(HEED_I64, 0, 6, 1), HEED_SHAPE(2, 3)), 0, 1));
}

static heed_tensor *clone_of_null(void)
{
    return heed_clone(NULL);
}

const op_cases heed_cases_clone = {
    .cases =
        (const op_case[]){
            UNARY_SAMPLES(clone_run, .low = -2, .high = 2),
            SCALED_SAMPLE(clone_run, -1e-8, 1e-8),
            SCALED_SAMPLE(clone_run, -1e8, 1e8),
            {.name = "transposed", .run = clone_of_transposed, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}},
            {0}},
    .values = (const op_value[]){{"special values", clone_special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5}},
                                 {"i64", clone_of_i64, DIMS(3), 0, (const double[]){1, 1, 1}},
                                 {"bool", clone_of_bool, DIMS(2), 0, (const double[]){1, 0}},
                                 {"a view", clone_of_a_view, DIMS(3, 2), 0, (const double[]){0, 3, 1, 4, 2, 5}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", clone_of_null, HEED_ERR_ARGUMENT, "clone:"}, {0}},
};

/* -- contiguous ---------------------------------------------------------------------------------------------------- */

RUN_1(contiguous_run, heed_contiguous(x))
RUN_1(contiguous_of_transposed, heed_contiguous(heed_transpose(x, 0, 1)))

static heed_tensor *contiguous_of_every_second(void)
{
    return heed_contiguous(heed_slice(heed_arange(HEED_I64, 0, 6, 1), 0, 1, HEED_END, 2));
}

static heed_tensor *contiguous_of_expanded(void)
{
    return heed_contiguous(heed_expand(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), true, false), HEED_SHAPE(2, 3)));
}

static heed_tensor *contiguous_of_null(void)
{
    return heed_contiguous(NULL);
}

const op_cases heed_cases_contiguous = {
    .cases =
        (const op_case[]){
            UNARY_SAMPLES(contiguous_run, .low = -2, .high = 2),
            SCALED_SAMPLE(contiguous_run, -1e-8, 1e-8),
            SCALED_SAMPLE(contiguous_run, -1e8, 1e8),
            {.name = "transposed", .run = contiguous_of_transposed, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}},
            {0}},
    .values =
        (const op_value[]){{"every second", contiguous_of_every_second, DIMS(3), 0, (const double[]){1, 3, 5}},
                           {"expanded", contiguous_of_expanded, DIMS(2, 3), 0, (const double[]){1, 1, 1, 0, 0, 0}},
                           {0}},
    .errors = (const op_error[]){{"NULL", contiguous_of_null, HEED_ERR_ARGUMENT, "contiguous:"}, {0}},
};

/* -- to_dtype ------------------------------------------------------------------------------------------------------ */

RUN_1(to_dtype_to_f64, heed_to_dtype(x, HEED_F64))
RUN_1(to_dtype_through_f32, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_F64))

VALUE_1(to_dtype_f64_to_f32, heed_to_dtype(x, HEED_F32), 0.0, -0.0, INFINITY, NAN, 0.1, 1e300, 1e-300, -1e-40)
VALUE_1(to_dtype_f64_to_i64, heed_to_dtype(x, HEED_I64), 0.0, -0.0, 1.9, -1.9, 4503599627370497.0, -0x1p63,
        0x1.fffffffffffffp62)
VALUE_1(to_dtype_f64_to_bool, heed_to_dtype(x, HEED_BOOL), 0.0, -0.0, 5e-324, NAN, INFINITY, -1.0)
VALUE_1(to_dtype_f32_to_f64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_F64), 0.0, INFINITY, NAN, 0.1, 1.5)
VALUE_1(to_dtype_f32_to_i64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_I64), 2.75, -2.75, 16777216.0, -0x1p63)

static heed_tensor *to_dtype_i64_to_f64(void)
{
    const int64_t values[] = {INT64_MIN, -1, 0, INT64_MAX};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(4), values, 4), HEED_F64);
}

static heed_tensor *to_dtype_i64_to_f32(void)
{
    const int64_t values[] = {16777217, -3};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(2), values, 2), HEED_F32);
}

static heed_tensor *to_dtype_i64_to_bool(void)
{
    const int64_t values[] = {INT64_MIN, 0, 1, 256};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(4), values, 4), HEED_BOOL);
}

static heed_tensor *to_dtype_masks(void)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), true, false);
}

static heed_tensor *to_dtype_bool_to_f32(void)
{
    return heed_to_dtype(to_dtype_masks(), HEED_F32);
}

static heed_tensor *to_dtype_bool_to_i64(void)
{
    return heed_to_dtype(to_dtype_masks(), HEED_I64);
}

static heed_tensor *to_dtype_view_to_i64(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    return heed_to_dtype(heed_transpose(heed_slice(x, 1, 0, HEED_END, 2), 0, 1), HEED_I64);
}

static heed_tensor *to_dtype_not_taken_by_views(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, NAN, 3, INFINITY);
    return heed_to_dtype(heed_slice(x, 0, 0, HEED_END, 2), HEED_I64);
}

static heed_tensor *to_dtype_of_null(void)
{
    return heed_to_dtype(NULL, HEED_F32);
}

static heed_tensor *to_dtype_to_nothing(void)
{
    return heed_to_dtype(heed_ones(HEED_F32, HEED_SCALAR), (heed_dtype)4);
}

VALUE_1(to_dtype_nan_to_i64, heed_to_dtype(x, HEED_I64), 1.0, NAN)
VALUE_1(to_dtype_infinite_to_i64, heed_to_dtype(x, HEED_I64), 1.0, -INFINITY)
VALUE_1(to_dtype_large_to_i64, heed_to_dtype(x, HEED_I64), 1.0, 2.0, 0x1p63)
VALUE_1(to_dtype_low_to_i64, heed_to_dtype(x, HEED_I64), -0x1.0000000000001p63)
VALUE_1(to_dtype_large_f32_to_i64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_I64), 1e20)

const op_cases heed_cases_to_dtype = {
    .cases = (const op_case[]){UNARY_SAMPLES(to_dtype_to_f64, .low = -2, .high = 2),
                               SCALED_SAMPLE(to_dtype_to_f64, -1e-8, 1e-8),
                               SCALED_SAMPLE(to_dtype_to_f64, -1e8, 1e8),
                               {.name = "through f32",
                                .run = to_dtype_through_f32,
                                .n_inputs = 1,
                                .in = {{.shape = DIMS(2, 3)}},
                                .max_order = -1},
                               {0}},
    .values =
        (const op_value[]){
            {"f64 to f32", to_dtype_f64_to_f32, DIMS(8), 0,
             (const double[]){0.0, -0.0, INFINITY, NAN, 0.10000000149011612, INFINITY, 0.0, -9.999946101114759e-41}},
            {"f64 to i64", to_dtype_f64_to_i64, DIMS(7), 0,
             (const double[]){0, 0, 1, -1, 4503599627370497, -0x1p63, 0x1.fffffffffffffp62}},
            {"f64 to bool", to_dtype_f64_to_bool, DIMS(6), 0, (const double[]){0, 0, 1, 1, 1, 1}},
            {"f32 to f64", to_dtype_f32_to_f64, DIMS(5), 0,
             (const double[]){0, INFINITY, NAN, 0.10000000149011612, 1.5}},
            {"f32 to i64", to_dtype_f32_to_i64, DIMS(4), 0, (const double[]){2, -2, 16777216, -0x1p63}},
            {"i64 to f64", to_dtype_i64_to_f64, DIMS(4), 0, (const double[]){-0x1p63, -1, 0, 0x1p63}},
            {"i64 to f32", to_dtype_i64_to_f32, DIMS(2), 0, (const double[]){16777216, -3}},
            {"i64 to bool", to_dtype_i64_to_bool, DIMS(4), 0, (const double[]){1, 0, 1, 1}},
            {"bool to f32", to_dtype_bool_to_f32, DIMS(2), 0, (const double[]){1, 0}},
            {"bool to i64", to_dtype_bool_to_i64, DIMS(2), 0, (const double[]){1, 0}},
            {"view to i64", to_dtype_view_to_i64, DIMS(2, 2), 0, (const double[]){1, 4, 3, 6}},
            {"NaN between a view's elements", to_dtype_not_taken_by_views, DIMS(2), 0, (const double[]){1, 3}},
            {0}},
    .errors = (const op_error[]){{"NULL", to_dtype_of_null, HEED_ERR_ARGUMENT, "to_dtype:"},
                                 {"dtype 4", to_dtype_to_nothing, HEED_ERR_DTYPE, "to_dtype:"},
                                 {"names it", to_dtype_to_nothing, HEED_ERR_DTYPE, "4"},
                                 {"NaN", to_dtype_nan_to_i64, HEED_ERR_ARGUMENT, "to_dtype: nan"},
                                 {"-inf", to_dtype_infinite_to_i64, HEED_ERR_ARGUMENT, "-inf"},
                                 {"2^63", to_dtype_large_to_i64, HEED_ERR_ARGUMENT, "9.22337e+18"},
                                 {"its place", to_dtype_large_to_i64, HEED_ERR_ARGUMENT, "element 2 of (3)"},
                                 {"below -2^63", to_dtype_low_to_i64, HEED_ERR_ARGUMENT, "-9.22337e+18"},
                                 {"1e20", to_dtype_large_f32_to_i64, HEED_ERR_ARGUMENT, "1e+20"},
                                 {0}},
};

/* -- where --------------------------------------------------------------------------------------------------------- */

static heed_tensor *where_run(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_where(in[0], in[1], in[2]);
}

#define WHERE_SAMPLE(name_, condition, a, b)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = where_run, .n_inputs = 3, .in = {                                                        \
            {.kind = OP_MASK, .shape = condition},                                                                     \
            {.shape = a},                                                                                              \
            {.shape = b}                                                                                               \
        }                                                                                                              \
    }

static heed_tensor *where_mask(bool first, bool second, bool third)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), first, second, third);
}

static heed_tensor *where_special(void)
{
    return heed_where(where_mask(true, false, true), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), NAN, NAN, -0.0),
                      HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1.0, INFINITY, NAN));
}

static heed_tensor *where_broadcast(void)
{
    return heed_where(where_mask(true, false, true), HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1), 1.0, 2.0),
                      heed_full(HEED_F64, HEED_SCALAR, -1.0));
}

static heed_tensor *where_of_null(void)
{
    return heed_where(where_mask(true, true, true), NULL, heed_ones(HEED_F64, HEED_SHAPE(3)));
}

static heed_tensor *where_float_condition(void)
{
    return heed_where(heed_ones(HEED_F32, HEED_SHAPE(3)), heed_ones(HEED_F64, HEED_SHAPE(3)),
                      heed_ones(HEED_F64, HEED_SHAPE(3)));
}

static heed_tensor *where_mixed(void)
{
    return heed_where(where_mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(3)),
                      heed_ones(HEED_F32, HEED_SHAPE(3)));
}

static heed_tensor *where_of_i64(void)
{
    return heed_where(where_mask(true, false, true), heed_arange(HEED_I64, 1, 4, 1),
                      heed_neg(heed_reshape(heed_arange(HEED_I64, 1, 3, 1), HEED_SHAPE(2, 1))));
}

static heed_tensor *where_of_bool(void)
{
    return heed_where(where_mask(true, true, true), where_mask(true, true, true), where_mask(true, true, true));
}

static heed_tensor *where_apart(void)
{
    return heed_where(where_mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(2, 3)),
                      heed_ones(HEED_F64, HEED_SHAPE(2)));
}

static heed_tensor *where_condition_apart(void)
{
    return heed_where(where_mask(true, true, true), heed_ones(HEED_F64, HEED_SHAPE(2)),
                      heed_ones(HEED_F64, HEED_SHAPE(2)));
}

const op_cases heed_cases_where = {
    .cases =
        (const op_case[]){
            WHERE_SAMPLE("() () ()", NO_DIMS, NO_DIMS, NO_DIMS),
            WHERE_SAMPLE("(1) (1) (1)", DIMS(1), DIMS(1), DIMS(1)),
            WHERE_SAMPLE("(0) (0) (0)", DIMS(0), DIMS(0), DIMS(0)),
            WHERE_SAMPLE("(0, 3) (0, 3) (0, 3)", DIMS(0, 3), DIMS(0, 3), DIMS(0, 3)),
            WHERE_SAMPLE("(3, 0, 2) (3, 0, 2) (3, 0, 2)", DIMS(3, 0, 2), DIMS(3, 0, 2), DIMS(3, 0, 2)),
            WHERE_SAMPLE("(5) (5) (5)", DIMS(5), DIMS(5), DIMS(5)),
            WHERE_SAMPLE("(2, 3) (2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
            WHERE_SAMPLE("(7, 1) (7, 1) (7, 1)", DIMS(7, 1), DIMS(7, 1), DIMS(7, 1)),
            WHERE_SAMPLE("(1, 7) (1, 7) (1, 7)", DIMS(1, 7), DIMS(1, 7), DIMS(1, 7)),
            WHERE_SAMPLE("(5, 7) (5, 7) (5, 7)", DIMS(5, 7), DIMS(5, 7), DIMS(5, 7)),
            WHERE_SAMPLE("(2, 3, 5) (2, 3, 5) (2, 3, 5)", DIMS(2, 3, 5), DIMS(2, 3, 5), DIMS(2, 3, 5)),
            WHERE_SAMPLE("(1, 37, 1) (1, 37, 1) (1, 37, 1)", DIMS(1, 37, 1), DIMS(1, 37, 1), DIMS(1, 37, 1)),
            WHERE_SAMPLE("(4, 1) (3) ()", DIMS(4, 1), DIMS(3), NO_DIMS),
            WHERE_SAMPLE("() (2, 3) (3)", NO_DIMS, DIMS(2, 3), DIMS(3)),
            WHERE_SAMPLE("(2, 3) () ()", DIMS(2, 3), NO_DIMS, NO_DIMS),
            WHERE_SAMPLE("(2, 1, 3) (4, 1) (1, 3)", DIMS(2, 1, 3), DIMS(4, 1), DIMS(1, 3)),
            WHERE_SAMPLE("(3) (0, 1) (1, 3)", DIMS(3), DIMS(0, 1), DIMS(1, 3)),
            {.name = "another scale",
             .run = where_run,
             .n_inputs = 3,
             .in = {{.kind = OP_MASK, .shape = DIMS(5)},
                    {.shape = DIMS(5), .low = -1e-8, .high = 1e-8},
                    {.shape = DIMS(5), .low = -1e8, .high = 1e8}}},
            {0}},
    .values = (const op_value[]){{"special values", where_special, DIMS(3), 0, (const double[]){NAN, INFINITY, -0.0}},
                                 {"broadcast", where_broadcast, DIMS(2, 3), 0, (const double[]){1, -1, 1, 2, -1, 2}},
                                 {"i64", where_of_i64, DIMS(2, 3), 0, (const double[]){1, -1, 3, 1, -2, 3}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", where_of_null, HEED_ERR_ARGUMENT, "where:"},
                                 {"f32 condition", where_float_condition, HEED_ERR_DTYPE, "where:"},
                                 {"names its dtype", where_float_condition, HEED_ERR_DTYPE, "is f32"},
                                 {"f64 and f32", where_mixed, HEED_ERR_DTYPE, "a is f64, b is f32:"},
                                 {"bool", where_of_bool, HEED_ERR_DTYPE, "a is bool, b is bool:"},
                                 {"shapes", where_apart, HEED_ERR_SHAPE, "(3), (2, 3) and (2)"},
                                 {"shape of the condition", where_condition_apart, HEED_ERR_SHAPE, "where: shapes (3)"},
                                 {0}},
};
