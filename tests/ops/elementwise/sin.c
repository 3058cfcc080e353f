/* tests/ops/elementwise/sin.c - cases of heed_sin. */

#include "elementwise.h"

RUN_1(run, heed_sin(x))
BAD_1(heed_sin(x))
VALUE_1(known, heed_sin(x), 0.5, -1.25, 3.0, 1e-08, 100.0, -12345.678)
VALUE_1(special, heed_sin(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324)

const op_cases heed_cases_sin = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                            (const double[]){0.47942553860420295, -0.9489846193555863, 0.1411200080598672, 1e-08,
                                             -0.5063656411097587, 0.7040813137533817}},
                           {"special values", special, DIMS(6), 0, (const double[]){0.0, -0.0, NAN, NAN, NAN, 5e-324}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(sin), {0}},
};
