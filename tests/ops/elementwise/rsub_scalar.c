/* tests/ops/elementwise/rsub_scalar.c - cases of heed_rsub. */

#include "elementwise.h"

RUN_1(run, heed_rsub_scalar(x, 0.75))
BAD_NUMBER(heed_rsub_scalar(x, 0.75))
WHOLE(whole, heed_rsub_scalar(x, 4))
NO_WHOLE(half, heed_rsub_scalar(x, 0.5))
NO_WHOLE(endless, heed_rsub_scalar(x, -INFINITY))
VALUE_1(special, heed_rsub_scalar(x, 0.75), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 0.75)
VALUE_1(infinity, heed_rsub_scalar(x, INFINITY), 1.0, INFINITY, NAN)
VALUE_1(nan_, heed_rsub_scalar(x, NAN), 1.0, INFINITY)

const op_cases heed_cases_rsub_scalar = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values = (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-0x1p63 + 4, -0x1p63 + 5, -1, 4, 7}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.75, 0.75, -INFINITY, INFINITY, NAN, 0.75, 0.0}},
                                 {"from infinity", infinity, DIMS(3), 0, (const double[]){INFINITY, NAN, NAN}},
                                 {"from NaN", nan_, DIMS(2), 0, (const double[]){NAN, NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_NUMBER_ERRORS(rsub_scalar),
                                 {"half of i64", half, HEED_ERR_ARGUMENT,
                                  "rsub_scalar: c is 0.5: must be representable as i64"},
                                 {"infinity of i64", endless, HEED_ERR_ARGUMENT, "rsub_scalar: c is -inf:"},
                                 {0}},
};
