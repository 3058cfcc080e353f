/* tests/ops/elementwise/leaky_relu.c - cases of heed_leaky_relu. */

#include "elementwise.h"

RUN_1(run, heed_leaky_relu(x, 0.01))
BAD_1(heed_leaky_relu(x, 0.01))
VALUE_1(known, heed_leaky_relu(x, 0.01), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_leaky_relu(x, 0.01), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324)
RUN_1(steep, heed_leaky_relu(x, -0.5))

const op_cases heed_cases_leaky_relu = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .gap = 0.05),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               SCALED_SAMPLE(run, -1e8, -1e7),
                               UNARY_SAMPLE("slope -0.5", steep, DIMS(5), .gap = 0.05),
                               {0}},
    .values =
        (const op_value[]){
            {"known values", known, DIMS(6), 0, (const double[]){0.5, -0.0125, 3.0, -0.001, 1e-08, 7.0}},
            {"special values", special, DIMS(6), 0, (const double[]){0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324}},
            {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(leaky_relu), {0}},
};
