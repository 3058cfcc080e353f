/* tests/ops/elementwise/elu.c - cases of heed_elu. */

#include "elementwise.h"

RUN_1(run, heed_elu(x, 1.5))
BAD_1(heed_elu(x, 1.5))
VALUE_1(known, heed_elu(x, 1.5), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_elu(x, 1.5), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 800.0, -800.0)
RUN_1(hollow, heed_elu(x, -0.5))

const op_cases heed_cases_elu = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .gap = 0.05),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               SCALED_SAMPLE(run, -1e8, -1e7),
                               UNARY_SAMPLE("alpha -0.5", hollow, DIMS(5), .gap = 0.05),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                                  (const double[]){0.5, -1.0702428047097148, 3.0, -0.14274387294606064, 1e-08, 7.0}},
                                 {"special values", special, DIMS(8), 0,
                                  (const double[]){0.0, -0.0, INFINITY, -1.5, NAN, 5e-324, 800.0, -1.5}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(elu), {0}},
};
