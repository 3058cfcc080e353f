/* tests/ops/elementwise/softplus.c - cases of heed_softplus. */

#include "elementwise.h"

RUN_1(run, heed_softplus(x))
BAD_1(heed_softplus(x))
VALUE_1(known, heed_softplus(x), 0.5, -1.25, 3.0, -30.0, 1e-08, 40.0)
VALUE_1(special, heed_softplus(x), 0.0, INFINITY, -INFINITY, NAN, 800.0, -800.0)

const op_cases heed_cases_softplus = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){0.9740769841801067, 0.2519290813453729, 3.048587351573742,
                                                   9.357622968839737e-14, 0.6931471855599454, 40.0}},
                                 {"special values", special, DIMS(6), 1e-16,
                                  (const double[]){0.69314718055994531, INFINITY, 0.0, NAN, 800.0, 0.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(softplus), {0}},
};
