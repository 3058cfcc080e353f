/* tests/ops/elementwise/gelu_tanh.c - cases of heed_gelu_tanh. */

#include "elementwise.h"

RUN_1(run, heed_gelu_tanh(x))
BAD_1(heed_gelu_tanh(x))
VALUE_1(known, heed_gelu_tanh(x), 0.5, -1.25, 3.0, -6.0, 1e-08, 40.0)
VALUE_1(special, heed_gelu_tanh(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 800.0, -800.0)

const op_cases heed_cases_gelu_tanh = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-14,
                                  (const double[]){0.34571400982514394, -0.1322857970302854, 2.9963626079182273,
                                                   -8.439646700762311e-11, 5.000000039894228e-09, 40.0}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, INFINITY, NAN, NAN, 800.0, -0.0}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(gelu_tanh), {0}},
};
