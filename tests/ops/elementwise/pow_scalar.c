/* tests/ops/elementwise/pow_scalar.c - cases of heed_pow_scalar. */

#include "elementwise.h"

RUN_1(run, heed_pow_scalar(x, 2.5))
RUN_1(power_0, heed_pow_scalar(x, 0.0))
RUN_1(power_1, heed_pow_scalar(x, 1.0))
RUN_1(power_2, heed_pow_scalar(x, 2.0))
RUN_1(power_3, heed_pow_scalar(x, 3.0))
RUN_1(power_minus_1, heed_pow_scalar(x, -1.0))
RUN_1(power_minus_2, heed_pow_scalar(x, -2.0))
RUN_1(power_half, heed_pow_scalar(x, 0.5))
BAD_NUMBER(heed_pow_scalar(x, 2.5))
WHOLE(whole_to_0, heed_pow_scalar(x, -0.0))
WHOLE(whole_to_1, heed_pow_scalar(x, 1))
WHOLE(whole_to_5, heed_pow_scalar(x, 5))
WHOLE(whole_to_most, heed_pow_scalar(x, 0x1p63 - 0x1p10))
NO_WHOLE(root, heed_pow_scalar(x, 0.5))
NO_WHOLE(inverse, heed_pow_scalar(x, -1))
NO_WHOLE(too_large, heed_pow_scalar(x, 0x1p63))
NO_WHOLE(no_number, heed_pow_scalar(x, NAN))
VALUE_1(to_2_5, heed_pow_scalar(x, 2.5), 0.5, 1.25, 3.0, 0.1, 1e-08, 700.0)
VALUE_1(to_minus_1, heed_pow_scalar(x, -1.0), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(to_3, heed_pow_scalar(x, 3.0), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(to_0, heed_pow_scalar(x, 0.0), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324)
VALUE_1(to_1, heed_pow_scalar(x, 1.0), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324)
VALUE_1(to_half, heed_pow_scalar(x, 0.5), 0.0, INFINITY, -1.0, NAN, 4.0)
VALUE_1(to_minus_2, heed_pow_scalar(x, -2.0), 0.0, -0.0, INFINITY, -INFINITY, NAN, -2.0)
VALUE_1(to_nan, heed_pow_scalar(x, NAN), 0.0, 2.0, 1.0)

const op_cases heed_cases_pow_scalar = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = 0.5, .high = 3),
                               UNARY_SAMPLES(power_0, .gap = 0.5),
                               UNARY_SAMPLES(power_1, .gap = 0.5),
                               UNARY_SAMPLES(power_2, .gap = 0.5),
                               UNARY_SAMPLES(power_3, .gap = 0.5),
                               UNARY_SAMPLES(power_minus_1, .gap = 0.5),
                               UNARY_SAMPLES(power_half, .low = 0.5, .high = 3),
                               SCALED_SAMPLE(power_minus_2, -2, -0.5),
                               SCALED_SAMPLE(power_3, -1e-8, 1e-8),
                               SCALED_SAMPLE(power_2, -1e8, 1e8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values =
        (const op_value[]){
            {"i64^0", whole_to_0, DIMS(5), 0, (const double[]){1, 1, 1, 1, 1}},
            {"i64^1", whole_to_1, DIMS(5), 0, (const double[]){-0x1p63, 0x1p63, 5, 0, -3}},
            {"i64^5", whole_to_5, DIMS(5), 0, (const double[]){0, 0x1p63, 3125, 0, -243}},
            {"i64^(2^63 - 2^10)", whole_to_most, DIMS(5), 0,
             (const double[]){0, 1, 9048954439714869249.0, 0, 5519095471309336577.0}},
            {"x^2.5", to_2_5, DIMS(6), 1e-15,
             (const double[]){0.1767766952966369, 1.7469281074217107, 15.588457268119896, 0.00316227766016838,
                              1.0000000000000001e-20, 12964181.424216494}},
            {"x^-1", to_minus_1, DIMS(6), 1e-15,
             (const double[]){2.0, -0.8, 0.3333333333333333, -10.0, 100000000.0, 0.14285714285714285}},
            {"x^3", to_3, DIMS(6), 1e-15,
             (const double[]){0.125, -1.953125, 27.0, -0.0010000000000000002, 1.0000000000000001e-24, 343.0}},
            {"x^0", to_0, DIMS(6), 0, (const double[]){1.0, 1.0, 1.0, 1.0, 1.0, 1.0}},
            {"x^1", to_1, DIMS(6), 0, (const double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324}},
            {"x^0.5", to_half, DIMS(5), 0, (const double[]){0.0, INFINITY, NAN, NAN, 2.0}},
            {"x^-2", to_minus_2, DIMS(6), 0, (const double[]){INFINITY, INFINITY, 0.0, 0.0, NAN, 0.25}},
            {"x^NaN", to_nan, DIMS(3), 0, (const double[]){NAN, NAN, 1.0}},
            {0}},
    .errors =
        (const op_error[]){
            BAD_NUMBER_ERRORS(pow_scalar),
            {"root of i64", root, HEED_ERR_ARGUMENT, "pow_scalar: p is 0.5: must be representable as i64"},
            {"i64^-1", inverse, HEED_ERR_ARGUMENT, "pow_scalar: p is -1: must be at least 0, as x is i64"},
            {"i64^(2^63)", too_large, HEED_ERR_ARGUMENT, "pow_scalar: p is 9.22337e+18:"},
            {"i64^NaN", no_number, HEED_ERR_ARGUMENT, "pow_scalar: p is nan:"},
            {0}},
};
