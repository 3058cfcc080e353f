/* tests/ops/elementwise/sigmoid.c - cases of heed_sigmoid. */

#include "elementwise.h"

RUN_1(run, heed_sigmoid(x))
BAD_1(heed_sigmoid(x))
VALUE_1(known, heed_sigmoid(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_sigmoid(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 40.0, -800.0)
VALUE_1(tail, heed_mul_scalar(heed_sigmoid(x), 1e44), -100.0, -110.0)

const op_cases heed_cases_sigmoid = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, -1e8, 1e8),
                               {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                            (const double[]){0.6224593312018546, 0.22270013882530884, 0.9525741268224334,
                                             0.47502081252106, 0.5000000025, 0.9990889488055994}},
                           {"special values", special, DIMS(7), 0, (const double[]){0.5, 0.5, 1.0, 0.0, NAN, 1.0, 0.0}},
                           {"small results, times 1e44", tail, DIMS(2), 1e-15,
                            (const double[]){3.720075976020836, 0.00016889118802245327}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(sigmoid), {0}},
};
