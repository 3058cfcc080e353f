/* tests/ops/elementwise/neg.c - cases of heed_neg. */

#include "elementwise.h"

RUN_1(run, heed_neg(x))
BAD_NUMBER(heed_neg(x))
WHOLE(whole, heed_neg(x))
VALUE_1(special, heed_neg(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1.5)

const op_cases heed_cases_neg = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-0x1p63, -0x1p63, -5, 0, 3}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){-0.0, 0.0, -INFINITY, INFINITY, NAN, -5e-324, -1.5}},
                                 {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(neg), {0}},
};
