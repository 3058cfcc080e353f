/* tests/ops/elementwise/log.c - cases of heed_log. */

#include "elementwise.h"

RUN_1(run, heed_log(x))
BAD_1(heed_log(x))
VALUE_1(known, heed_log(x), 0.5, 1.25, 3.0, 0.1, 1e-08, 700.0)
VALUE_1(special, heed_log(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0)
VALUE_1(denormal, heed_log(x), 5e-324, 1e-310)

const op_cases heed_cases_log = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = 0.5, .high = 3), SCALED_SAMPLE(run, 1e7, 1e8), {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){-0.6931471805599453, 0.22314355131420974, 1.0986122886681096,
                                                   -2.3025850929940455, -18.420680743952364, 6.551080335043404}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){-INFINITY, -INFINITY, INFINITY, NAN, NAN, 0.0, NAN}},
                                 {"of denormals", denormal, DIMS(2), 1e-15,
                                  (const double[]){-744.4400719213812, -713.8013788281542}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(log), {0}},
};
