/* tests/ops/elementwise/relu.c - cases of heed_relu. */

#include "elementwise.h"

RUN_1(run, heed_relu(x))
BAD_1(heed_relu(x))
VALUE_1(special, heed_relu(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -5e-324, 1.5, -1.5)

const op_cases heed_cases_relu = {
    .cases =
        (const op_case[]){
            UNARY_SAMPLES(run, .gap = 0.05), SCALED_SAMPLE(run, 1e7, 1e8), SCALED_SAMPLE(run, -1e8, -1e7), {0}},
    .values = (const op_value[]){{"special values", special, DIMS(9), 0,
                                  (const double[]){0.0, 0.0, INFINITY, 0.0, NAN, 5e-324, 0.0, 1.5, 0.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(relu), {0}},
};
