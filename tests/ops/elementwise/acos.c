/* tests/ops/elementwise/acos.c - cases of heed_acos. */

#include "elementwise.h"

RUN_1(run, heed_acos(x))
BAD_1(heed_acos(x))
VALUE_1(known, heed_acos(x), 0.5, -0.25, 0.875, -0.1, 1e-08, 0.999)
VALUE_1(special, heed_acos(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1.5, 5e-324)

const op_cases heed_cases_acos = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -0.9, .high = 0.9), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                                  (const double[]){1.0471975511965976, 1.8234765819369751, 0.5053605102841573,
                                                   1.6709637479564563, 1.5707963167948966, 0.044725087168733454}},
                                 {"special values", special, DIMS(9), 0,
                                  (const double[]){1.5707963267948966, 1.5707963267948966, NAN, NAN, NAN, 0.0,
                                                   3.141592653589793, NAN, 1.5707963267948966}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(acos), {0}},
};
