/* tests/ops/elementwise/exp.c - cases of heed_exp. */

#include "elementwise.h"

RUN_1(run, heed_exp(x))
BAD_1(heed_exp(x))
VALUE_1(known, heed_exp(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_exp(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 710.0, -746.0)
VALUE_1(denormal, heed_exp(x), -740.0, -745.0)

const op_cases heed_cases_exp = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2), SCALED_SAMPLE(run, -1e-8, 1e-8), {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 1e-15,
                                  (const double[]){1.6487212707001282, 0.2865047968601901, 20.085536923187668,
                                                   0.9048374180359595, 1.00000001, 1096.6331584284585}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){1.0, 1.0, INFINITY, 0.0, NAN, INFINITY, 0.0}},
                                 {"denormal results", denormal, DIMS(2), 0,
                                  (const double[]){4.1995579896505956e-322, 4.9406564584124654e-324}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(exp), {0}},
};
