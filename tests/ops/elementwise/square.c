/* tests/ops/elementwise/square.c - cases of heed_square. */

#include "elementwise.h"

RUN_1(run, heed_square(x))
BAD_NUMBER(heed_square(x))
WHOLE(whole, heed_square(x))
VALUE_1(special, heed_square(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1e200, -1.5)

const op_cases heed_cases_square = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){0, 1, 25, 0, 9}},
                                 {"special values", special, DIMS(8), 0,
                                  (const double[]){0.0, 0.0, INFINITY, INFINITY, NAN, 0.0, INFINITY, 2.25}},
                                 {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(square), {0}},
};
