/* tests/ops/elementwise/expm1.c - cases of heed_expm1. */

#include "elementwise.h"

RUN_1(run, heed_expm1(x))
BAD_1(heed_expm1(x))
VALUE_1(known, heed_expm1(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_expm1(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -5e-324, 1e-20, 800.0, -800.0)

const op_cases heed_cases_expm1 = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                            (const double[]){0.6487212707001282, -0.7134952031398099, 19.085536923187668,
                                             -0.09516258196404043, 1.0000000050000001e-08, 1095.6331584284585}},
                           {"special values", special, DIMS(10), 0,
                            (const double[]){0.0, -0.0, INFINITY, -1.0, NAN, 5e-324, -5e-324, 1e-20, INFINITY, -1.0}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(expm1), {0}},
};
