/* tests/ops/elementwise/mul_scalar.c - cases of heed_mul_scalar. */

#include "elementwise.h"

RUN_1(run, heed_mul_scalar(x, -2.5))
RUN_1(run_tiny, heed_mul_scalar(x, 1e-8))
BAD_NUMBER(heed_mul_scalar(x, -2.5))
WHOLE(whole, heed_mul_scalar(x, -3))
WHOLE(by_lowest, heed_mul_scalar(x, -0x1p63))
NO_WHOLE(half, heed_mul_scalar(x, -2.5))
NO_WHOLE(too_large, heed_mul_scalar(x, 0x1p63))
NO_WHOLE(no_number, heed_mul_scalar(x, NAN))
VALUE_1(special, heed_mul_scalar(x, -2.5), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5)
VALUE_1(by_infinity, heed_mul_scalar(x, INFINITY), 0.0, 2.0, -INFINITY, NAN)
VALUE_1(by_nan, heed_mul_scalar(x, NAN), 0.0, 2.0, INFINITY)
VALUE_1(by_zero, heed_mul_scalar(x, 0.0), 3.0, -4.0, INFINITY)

const op_cases heed_cases_mul_scalar = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               SCALED_SAMPLE(run_tiny, -1e8, 1e8),
                               {0}},
    .values =
        (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-0x1p63, -0x1p63 + 3, -15, 0, 9}},
                           {"i64 by -2^63", by_lowest, DIMS(5), 0, (const double[]){0, -0x1p63, -0x1p63, 0, -0x1p63}},
                           {"special values", special, DIMS(7), 0,
                            (const double[]){-0.0, 0.0, -INFINITY, INFINITY, NAN, -1e-323, -3.75}},
                           {"by infinity", by_infinity, DIMS(4), 0, (const double[]){NAN, INFINITY, -INFINITY, NAN}},
                           {"by NaN", by_nan, DIMS(3), 0, (const double[]){NAN, NAN, NAN}},
                           {"by zero", by_zero, DIMS(3), 0, (const double[]){0.0, -0.0, NAN}},
                           {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(mul_scalar),
                                 {"half of i64", half, HEED_ERR_ARGUMENT,
                                  "mul_scalar: c is -2.5: must be representable as i64"},
                                 {"2^63", too_large, HEED_ERR_ARGUMENT, "mul_scalar: c is 9.22337e+18:"},
                                 {"NaN of i64", no_number, HEED_ERR_ARGUMENT, "mul_scalar: c is nan:"},
                                 {0}},
};
