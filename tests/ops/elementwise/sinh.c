/* tests/ops/elementwise/sinh.c - cases of heed_sinh. */

#include "elementwise.h"

RUN_1(run, heed_sinh(x))
BAD_1(heed_sinh(x))
VALUE_1(known, heed_sinh(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0, 710.25)
VALUE_1(special, heed_sinh(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -1e-20, 800.0, -800.0)

const op_cases heed_cases_sinh = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(7), 4e-16,
                            (const double[]){0.5210953054937474, -1.6019190803008254, 10.017874927409903,
                                             -0.10016675001984404, 1e-08, 548.3161232732465, 1.4342530302495124e+308}},
                           {"special values", special, DIMS(9), 0,
                            (const double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -1e-20, INFINITY, -INFINITY}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(sinh), {0}},
};
