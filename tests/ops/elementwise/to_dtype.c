/* tests/ops/elementwise/to_dtype.c - cases of heed_to_dtype. */

#include "elementwise.h"

RUN_1(to_f64, heed_to_dtype(x, HEED_F64))
RUN_1(through_f32, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_F64))

VALUE_1(f64_to_f32, heed_to_dtype(x, HEED_F32), 0.0, -0.0, INFINITY, NAN, 0.1, 1e300, 1e-300, -1e-40)
VALUE_1(f64_to_i64, heed_to_dtype(x, HEED_I64), 0.0, -0.0, 1.9, -1.9, 4503599627370497.0, -0x1p63, 0x1.fffffffffffffp62)
VALUE_1(f64_to_bool, heed_to_dtype(x, HEED_BOOL), 0.0, -0.0, 5e-324, NAN, INFINITY, -1.0)
VALUE_1(f32_to_f64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_F64), 0.0, INFINITY, NAN, 0.1, 1.5)
VALUE_1(f32_to_i64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_I64), 2.75, -2.75, 16777216.0, -0x1p63)

static heed_tensor *i64_to_f64(void)
{
    const int64_t values[] = {INT64_MIN, -1, 0, INT64_MAX};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(4), values, 4), HEED_F64);
}

static heed_tensor *i64_to_f32(void)
{
    const int64_t values[] = {16777217, -3};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(2), values, 2), HEED_F32);
}

static heed_tensor *i64_to_bool(void)
{
    const int64_t values[] = {INT64_MIN, 0, 1, 256};
    return heed_to_dtype(heed_from_array(HEED_I64, HEED_SHAPE(4), values, 4), HEED_BOOL);
}

static heed_tensor *masks(void)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), true, false);
}

static heed_tensor *bool_to_f32(void)
{
    return heed_to_dtype(masks(), HEED_F32);
}

static heed_tensor *bool_to_i64(void)
{
    return heed_to_dtype(masks(), HEED_I64);
}

static heed_tensor *view_to_i64(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    return heed_to_dtype(heed_transpose(heed_slice(x, 1, 0, HEED_END, 2), 0, 1), HEED_I64);
}

static heed_tensor *not_taken_by_views(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, NAN, 3, INFINITY);
    return heed_to_dtype(heed_slice(x, 0, 0, HEED_END, 2), HEED_I64);
}

static heed_tensor *of_null(void)
{
    return heed_to_dtype(NULL, HEED_F32);
}

static heed_tensor *to_nothing(void)
{
    return heed_to_dtype(heed_ones(HEED_F32, HEED_SCALAR), (heed_dtype)4);
}

VALUE_1(nan_to_i64, heed_to_dtype(x, HEED_I64), 1.0, NAN)
VALUE_1(infinite_to_i64, heed_to_dtype(x, HEED_I64), 1.0, -INFINITY)
VALUE_1(large_to_i64, heed_to_dtype(x, HEED_I64), 1.0, 2.0, 0x1p63)
VALUE_1(low_to_i64, heed_to_dtype(x, HEED_I64), -0x1.0000000000001p63)
VALUE_1(large_f32_to_i64, heed_to_dtype(heed_to_dtype(x, HEED_F32), HEED_I64), 1e20)

const op_cases heed_cases_to_dtype = {
    .cases =
        (const op_case[]){
            UNARY_SAMPLES(to_f64, .low = -2, .high = 2),
            SCALED_SAMPLE(to_f64, -1e-8, 1e-8),
            SCALED_SAMPLE(to_f64, -1e8, 1e8),
            {.name = "through f32", .run = through_f32, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}, .max_order = -1},
            {0}},
    .values =
        (const op_value[]){
            {"f64 to f32", f64_to_f32, DIMS(8), 0,
             (const double[]){0.0, -0.0, INFINITY, NAN, 0.10000000149011612, INFINITY, 0.0, -9.999946101114759e-41}},
            {"f64 to i64", f64_to_i64, DIMS(7), 0,
             (const double[]){0, 0, 1, -1, 4503599627370497, -0x1p63, 0x1.fffffffffffffp62}},
            {"f64 to bool", f64_to_bool, DIMS(6), 0, (const double[]){0, 0, 1, 1, 1, 1}},
            {"f32 to f64", f32_to_f64, DIMS(5), 0, (const double[]){0, INFINITY, NAN, 0.10000000149011612, 1.5}},
            {"f32 to i64", f32_to_i64, DIMS(4), 0, (const double[]){2, -2, 16777216, -0x1p63}},
            {"i64 to f64", i64_to_f64, DIMS(4), 0, (const double[]){-0x1p63, -1, 0, 0x1p63}},
            {"i64 to f32", i64_to_f32, DIMS(2), 0, (const double[]){16777216, -3}},
            {"i64 to bool", i64_to_bool, DIMS(4), 0, (const double[]){1, 0, 1, 1}},
            {"bool to f32", bool_to_f32, DIMS(2), 0, (const double[]){1, 0}},
            {"bool to i64", bool_to_i64, DIMS(2), 0, (const double[]){1, 0}},
            {"view to i64", view_to_i64, DIMS(2, 2), 0, (const double[]){1, 4, 3, 6}},
            {"NaN between a view's elements", not_taken_by_views, DIMS(2), 0, (const double[]){1, 3}},
            {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "to_dtype:"},
                                 {"dtype 4", to_nothing, HEED_ERR_DTYPE, "to_dtype:"},
                                 {"names it", to_nothing, HEED_ERR_DTYPE, "4"},
                                 {"NaN", nan_to_i64, HEED_ERR_ARGUMENT, "to_dtype: nan"},
                                 {"-inf", infinite_to_i64, HEED_ERR_ARGUMENT, "-inf"},
                                 {"2^63", large_to_i64, HEED_ERR_ARGUMENT, "9.22337e+18"},
                                 {"its place", large_to_i64, HEED_ERR_ARGUMENT, "element 2 of (3)"},
                                 {"below -2^63", low_to_i64, HEED_ERR_ARGUMENT, "-9.22337e+18"},
                                 {"1e20", large_f32_to_i64, HEED_ERR_ARGUMENT, "1e+20"},
                                 {0}},
};
