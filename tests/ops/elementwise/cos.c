/* tests/ops/elementwise/cos.c - cases of heed_cos. */

#include "elementwise.h"

RUN_1(run, heed_cos(x))
BAD_1(heed_cos(x))
VALUE_1(known, heed_cos(x), 0.5, -1.25, 3.0, 1e-08, 100.0, -12345.678)
VALUE_1(special, heed_cos(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324)

const op_cases heed_cases_cos = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                            (const double[]){0.8775825618903725, 0.31532236239526873, -0.9899924966004454,
                                             0.9999999999999999, 0.8623188722876839, 0.7101193587160629}},
                           {"special values", special, DIMS(6), 0, (const double[]){1.0, 1.0, NAN, NAN, NAN, 1.0}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(cos), {0}},
};
