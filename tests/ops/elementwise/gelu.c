/* tests/ops/elementwise/gelu.c - cases of heed_gelu. */

#include "elementwise.h"

RUN_1(run, heed_gelu(x))
BAD_1(heed_gelu(x))
VALUE_1(known, heed_gelu(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_gelu(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 40.0, -40.0)

const op_cases heed_cases_gelu = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){0.34573123063700656, -0.1320622170835691, 2.99595030590511,
                                                   -0.0460172162722971, 5.000000039894228e-09, 6.999999999991041}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, -0.0, NAN, 40.0, -0.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(gelu), {0}},
};
