/* tests/ops/elementwise/hardtanh.c - cases of heed_hardtanh. */

#include "elementwise.h"
#include "functions.h"

RUN_1(run, heed_hardtanh(x, -1.0, 1.0))
BAD_1(heed_hardtanh(x, -1.0, 1.0))
VALUE_1(known, heed_hardtanh(x, -1.0, 1.0), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_hardtanh(x, -1.0, 1.0), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 5e-324)
RUN_1(narrow, heed_hardtanh(x, -0.04, 0.04))
VALUE_1(crossed, heed_hardtanh(x, 2.5, -1.5), 0.0)
VALUE_1(low_nan, heed_hardtanh(x, NAN, 1.0), 0.0)

static heed_tensor *limited(heed_tensor *x)
{
    return heed_hardtanh(x, -1.0, 1.0);
}

GIVES(slopes, gradient(limited, HEED_TENSOR(HEED_F64, HEED_SHAPE(6), -1, 1, 0.5, -2, NAN, INFINITY)))

const op_cases heed_cases_hardtanh = {
    .cases = (const op_case[]){VALUES_SAMPLE(run, 7, -2.0, -1.1, -0.9, 0.0, 0.9, 1.1, 2.0),
                               UNARY_SAMPLES(narrow, .gap = 0.05),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               {0}},
    .values =
        (const op_value[]){
            {"known values", known, DIMS(6), 0, (const double[]){0.5, -1.0, 1.0, -0.1, 1e-08, 1.0}},
            {"slopes at the limits", slopes, DIMS(6), 0, (const double[]){0, 0, 1, 0, 0, 0}},
            {"special values", special, DIMS(8), 0, (const double[]){0.0, -0.0, 1.0, -1.0, NAN, 1.0, -1.0, 5e-324}},
            {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(hardtanh),
                                 {"low > high", crossed, HEED_ERR_ARGUMENT,
                                  "hardtanh: low is 2.5: must be at most high, -1.5"},
                                 {"low NaN", low_nan, HEED_ERR_ARGUMENT, "nan"},
                                 {0}},
};
