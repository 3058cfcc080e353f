/* tests/ops/elementwise/floor.c - cases of heed_floor. */

#include "elementwise.h"

RUN_1(run, heed_floor(x))
BAD_1(heed_floor(x))
VALUE_1(known, heed_floor(x), 0.25, -1.75, 3.1, -7.9)
VALUE_1(special, heed_floor(x), 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.3, -0.3, 4503599627370498.0, 1e+300,
        -5e-324, INFINITY, -INFINITY, NAN)

const op_cases heed_cases_floor = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .gap = 0.05, .low = -0.45, .high = 0.45),
                               VALUES_SAMPLE(run, 5, -2.7, -1.2, 0.2, 0.7, 5.3),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(4), 0, (const double[]){0.0, -2.0, 3.0, -8.0}},
                                 {"special values", special, DIMS(16), 0,
                                  (const double[]){0.0, -0.0, 0.0, -1.0, 1.0, 2.0, -2.0, -3.0, 0.0, -1.0,
                                                   4503599627370498.0, 1e+300, -1.0, INFINITY, -INFINITY, NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(floor), {0}},
};
