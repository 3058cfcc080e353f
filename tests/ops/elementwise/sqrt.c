/* tests/ops/elementwise/sqrt.c - cases of heed_sqrt. */

#include "elementwise.h"

RUN_1(run, heed_sqrt(x))
BAD_1(heed_sqrt(x))
VALUE_1(known, heed_sqrt(x), 0.5, 1.25, 3.0, 0.1, 1e-08, 700.0)
VALUE_1(special, heed_sqrt(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, -1.0, 4.9406564584124654e-324)

const op_cases heed_cases_sqrt = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = 0.5, .high = 3), SCALED_SAMPLE(run, 1e7, 1e8), {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){0.7071067811865476, 1.118033988749895, 1.7320508075688772,
                                                   0.31622776601683794, 0.0001, 26.457513110645905}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, NAN, NAN, NAN, 2.2227587494850775e-162}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(sqrt), {0}},
};
