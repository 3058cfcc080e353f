/* tests/ops/elementwise/atan2.c - cases of heed_atan2. */

#include "elementwise.h"

RUN_2(run, heed_atan2(a, b))
BAD_2(heed_atan2(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a =
        HEED_TENSOR(HEED_F64, HEED_SHAPE(38), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1.0,
                    1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, INFINITY, INFINITY, INFINITY, INFINITY,
                    INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, NAN, 1.0);
    heed_tensor *b =
        HEED_TENSOR(HEED_F64, HEED_SHAPE(38), 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 0.0, -0.0, 1.0, -1.0, INFINITY,
                    -INFINITY, 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY,
                    0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, 1.0, NAN);
    return heed_atan2(a, b);
}

const op_cases heed_cases_atan2 = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .gap = 0.3), SCALED_SAMPLE_2(run, 1e7, 1e8), {0}},
    .values = (const op_value[]){{"special values", special, DIMS(38), 3e-16,
                                  (const double[]){0.0,
                                                   3.141592653589793,
                                                   0.0,
                                                   3.141592653589793,
                                                   0.0,
                                                   3.141592653589793,
                                                   -0.0,
                                                   -3.141592653589793,
                                                   -0.0,
                                                   -3.141592653589793,
                                                   -0.0,
                                                   -3.141592653589793,
                                                   1.5707963267948966,
                                                   1.5707963267948966,
                                                   0.7853981633974483,
                                                   2.356194490192345,
                                                   0.0,
                                                   3.141592653589793,
                                                   -1.5707963267948966,
                                                   -1.5707963267948966,
                                                   -0.7853981633974483,
                                                   -2.356194490192345,
                                                   -0.0,
                                                   -3.141592653589793,
                                                   1.5707963267948966,
                                                   1.5707963267948966,
                                                   1.5707963267948966,
                                                   1.5707963267948966,
                                                   0.7853981633974483,
                                                   2.356194490192345,
                                                   -1.5707963267948966,
                                                   -1.5707963267948966,
                                                   -1.5707963267948966,
                                                   -1.5707963267948966,
                                                   -0.7853981633974483,
                                                   -2.356194490192345,
                                                   NAN,
                                                   NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(atan2), {0}},
};
