/* tests/ops/elementwise/neg.c - cases of heed_neg. */

#include "elementwise.h"

RUN_1(run, heed_neg(x))
BAD_1(heed_neg(x))
VALUE_1(special, heed_neg(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5)

const op_cases heed_cases_neg = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"special values", special, DIMS(7), 0,
                                  (const double[]){-0.0, 0.0, -INFINITY, INFINITY, NAN, -5e-324, -1.5}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(neg), {0}},
};
