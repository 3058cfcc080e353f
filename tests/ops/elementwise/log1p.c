/* tests/ops/elementwise/log1p.c - cases of heed_log1p. */

#include "elementwise.h"

RUN_1(run, heed_log1p(x))
BAD_1(heed_log1p(x))
VALUE_1(known, heed_log1p(x), 0.5, -0.75, 3.0, -0.1, 1e-08, 7e+20)
VALUE_1(special, heed_log1p(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, -1.0, -1.5, 5e-324, -5e-324, 1e-20)

const op_cases heed_cases_log1p = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -0.8, .high = 3),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values =
        (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                            (const double[]){0.4054651081081644, -1.3862943611198906, 1.3862943611198906,
                                             -0.10536051565782631, 9.999999950000001e-09, 47.99761200893622}},
                           {"special values", special, DIMS(10), 0,
                            (const double[]){0.0, -0.0, INFINITY, NAN, NAN, -INFINITY, NAN, 5e-324, -5e-324, 1e-20}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(log1p), {0}},
};
