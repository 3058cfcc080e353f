/* tests/ops/elementwise/round.c - cases of heed_round. */

#include "elementwise.h"

RUN_1(run, heed_round(x))
BAD_1(heed_round(x))
VALUE_1(known, heed_round(x), 0.25, -1.75, 3.1, -7.9)
VALUE_1(special, heed_round(x), 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.3, -0.3, 4503599627370498.0, 1e+300,
        -5e-324, INFINITY, -INFINITY, NAN)

const op_cases heed_cases_round = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .gap = 0.05, .low = -0.45, .high = 0.45),
                               VALUES_SAMPLE(run, 5, -2.7, -1.2, 0.2, 0.7, 5.3),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(4), 0, (const double[]){0.0, -2.0, 3.0, -8.0}},
                                 {"special values", special, DIMS(16), 0,
                                  (const double[]){0.0, -0.0, 0.0, -0.0, 2.0, 2.0, -2.0, -2.0, 0.0, -0.0,
                                                   4503599627370498.0, 1e+300, -0.0, INFINITY, -INFINITY, NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(round), {0}},
};
