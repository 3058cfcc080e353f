/* tests/ops/elementwise/minimum.c - cases of heed_minimum. */

#include "elementwise.h"

RUN_2(run, heed_minimum(a, b))
BAD_2(heed_minimum(a, b))
WHOLE_2(whole, heed_minimum(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(9), INFINITY, 1.0, NAN, 1.0, NAN, NAN, 5e-324, 2.0, -1.0);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(9), 1.0, -INFINITY, 1.0, NAN, -INFINITY, NAN, 0.0, 2.0, 1.0);
    return heed_minimum(a, b);
}

const op_cases heed_cases_minimum = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .distinct = true, .low = -2, .high = 2),
                               {.name = "(5) (5) of many scales",
                                .run = run,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(5), .values = (const double[]){-2, 0.5, 1e8, 1e-8, 3}},
                                       {.shape = DIMS(5), .values = (const double[]){-1, 0.25, -1e8, 1, -3}}}},
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(8), 0, (const double[]){1, -0x1p63, 2, -7, -2, -7, 3, 0}},
                                 {"special values", special, DIMS(9), 0,
                                  (const double[]){1.0, -INFINITY, NAN, NAN, NAN, NAN, 0.0, 2.0, -1.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(minimum), {0}},
};
