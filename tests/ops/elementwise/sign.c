/* tests/ops/elementwise/sign.c - cases of heed_sign. */

#include "elementwise.h"

RUN_1(run, heed_sign(x))
BAD_NUMBER(heed_sign(x))
WHOLE(whole, heed_sign(x))
VALUE_1(special, heed_sign(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, -5e-324, 1e300)

const op_cases heed_cases_sign = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .gap = 0.05), {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-1, 1, 1, 0, -1}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, 0.0, 1.0, -1.0, NAN, -1.0, 1.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(sign), {0}},
};
