/* tests/ops/elementwise/abs.c - cases of heed_abs. */

#include "elementwise.h"

RUN_1(run, heed_abs(x))
BAD_NUMBER(heed_abs(x))
WHOLE(whole, heed_abs(x))
VALUE_1(special, heed_abs(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, -5e-324, -1.5)

const op_cases heed_cases_abs = {
    .cases =
        (const op_case[]){
            UNARY_SAMPLES(run, .gap = 0.05), SCALED_SAMPLE(run, 1e7, 1e8), SCALED_SAMPLE(run, -1e8, -1e7), {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-0x1p63, 0x1p63, 5, 0, 3}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, 0.0, INFINITY, INFINITY, NAN, 5e-324, 1.5}},
                                 {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(abs), {0}},
};
