/* tests/ops/elementwise/sub.c - cases of heed_sub. */

#include "elementwise.h"

RUN_2(run, heed_sub(a, b))
BAD_2(heed_sub(a, b))
WHOLE_2(whole, heed_sub(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 0.0, -0.0, INFINITY, INFINITY, 1.0, 1e-323, 0.3);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(7), 0.0, 0.0, 1.0, INFINITY, NAN, 5e-324, 0.1);
    return heed_sub(a, b);
}

const op_cases heed_cases_sub = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE_2(run, -1e-8, 1e-8),
                               SCALED_SAMPLE_2(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(8), 0, (const double[]){0x1p63, -0x1p63, 5, -9, 9, -5, 3, -5}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, NAN, NAN, 5e-324, 0.19999999999999998}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(sub), {0}},
};
