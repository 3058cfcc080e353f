/* tests/ops/elementwise/add.c - cases of heed_add. */

#include "elementwise.h"

RUN_2(run, heed_add(a, b))
BAD_2(heed_add(a, b))
WHOLE_2(whole, heed_add(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), 0.0, -0.0, INFINITY, INFINITY, NAN, 5e-324, 0.1, 1e308);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(8), -0.0, -0.0, 1.0, -INFINITY, 1.0, 5e-324, 0.2, 1e308);
    return heed_add(a, b);
}

const op_cases heed_cases_add = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE_2(run, -1e-8, 1e-8),
                               SCALED_SAMPLE_2(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(8), 0, (const double[]){-0x1p63, 0x1p63, 9, -5, 5, -9, 9, 5}},
                                 {"special values", special, DIMS(8), 0,
                                  (const double[]){0.0, -0.0, INFINITY, NAN, NAN, 9.8813129168249309e-324,
                                                   0.30000000000000004, INFINITY}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(add), {0}},
};
