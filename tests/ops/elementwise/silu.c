/* tests/ops/elementwise/silu.c - cases of heed_silu. */

#include "elementwise.h"

RUN_1(run, heed_silu(x))
BAD_1(heed_silu(x))
VALUE_1(known, heed_silu(x), 0.5, -1.25, 3.0, -30.0, 1e-08, 40.0)
VALUE_1(special, heed_silu(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 800.0, -800.0)

const op_cases heed_cases_silu = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){0.3112296656009273, -0.27837517353163604, 2.8577223804672998,
                                                   -2.8072868906517896e-12, 5.000000025e-09, 40.0}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, -0.0, NAN, 800.0, -0.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(silu), {0}},
};
