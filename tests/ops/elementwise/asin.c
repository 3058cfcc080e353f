/* tests/ops/elementwise/asin.c - cases of heed_asin. */

#include "elementwise.h"

RUN_1(run, heed_asin(x))
BAD_1(heed_asin(x))
VALUE_1(known, heed_asin(x), 0.5, -0.25, 0.875, -0.1, 1e-08, 0.999)
VALUE_1(special, heed_asin(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1.5, 5e-324)

const op_cases heed_cases_asin = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -0.9, .high = 0.9), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                                  (const double[]){0.5235987755982989, -0.25268025514207865, 1.0654358165107394,
                                                   -0.1001674211615598, 1e-08, 1.526071239626163}},
                                 {"special values", special, DIMS(9), 0,
                                  (const double[]){0.0, -0.0, NAN, NAN, NAN, 1.5707963267948966, -1.5707963267948966,
                                                   NAN, 5e-324}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(asin), {0}},
};
