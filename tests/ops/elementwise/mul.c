/* tests/ops/elementwise/mul.c - cases of heed_mul. */

#include "elementwise.h"

RUN_2(run, heed_mul(a, b))
BAD_2(heed_mul(a, b))
WHOLE_2(whole, heed_mul(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 0.0, -0.0, INFINITY, INFINITY, 1.0, 5e-324, 0.1, 1e200);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), -1.0, -1.0, -2.0, 0.0, NAN, 2.0, 0.2, 1e200);
    return heed_mul(a, b);
}

const op_cases heed_cases_mul = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE_2(run, -1e-8, 1e-8),
                               SCALED_SAMPLE_2(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(8), 0, (const double[]){0x1p63, -0x1p63, 14, -14, -14, 14, 18, 0}},
                                 {"special values", special, DIMS(8), 0,
                                  (const double[]){-0.0, 0.0, -INFINITY, NAN, NAN, 9.8813129168249309e-324,
                                                   0.020000000000000004, INFINITY}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(mul), {0}},
};
