/* tests/ops/elementwise/cosh.c - cases of heed_cosh. */

#include "elementwise.h"

RUN_1(run, heed_cosh(x))
BAD_1(heed_cosh(x))
VALUE_1(known, heed_cosh(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0, 710.25)
VALUE_1(special, heed_cosh(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -1e-20, 800.0, -800.0)

const op_cases heed_cases_cosh = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(7), 4e-16,
                            (const double[]){1.1276259652063807, 1.8884238771610156, 10.067661995777764,
                                             1.0050041680558035, 1.0, 548.3170351552121, 1.4342530302495124e+308}},
                           {"special values", special, DIMS(9), 0,
                            (const double[]){1.0, 1.0, INFINITY, INFINITY, NAN, 1.0, 1.0, INFINITY, INFINITY}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(cosh), {0}},
};
