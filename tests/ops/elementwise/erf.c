/* tests/ops/elementwise/erf.c - cases of heed_erf. */

#include "elementwise.h"

RUN_1(run, heed_erf(x))
BAD_1(heed_erf(x))
VALUE_1(known, heed_erf(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_erf(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 6.5, -6.5)

const op_cases heed_cases_erf = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){0.5204998778130465, -0.9229001282564582, 0.9999779095030014,
                                                   -0.1124629160182849, 1.1283791670955126e-08, 1.0}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, 1.0, -1.0, NAN, 1.0, -1.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(erf), {0}},
};
