/* tests/ops/elementwise/atan.c - cases of heed_atan. */

#include "elementwise.h"

RUN_1(run, heed_atan(x))
BAD_1(heed_atan(x))
VALUE_1(known, heed_atan(x), 0.5, -1.25, 3.0, -0.1, 1e-08, 7.0)
VALUE_1(special, heed_atan(x), 0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, 1e+300)

const op_cases heed_cases_atan = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -3, .high = 3),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(run, 1e7, 1e8),
                               {0}},
    .values = (const op_value[]){{"known values", known, DIMS(6), 4e-16,
                                  (const double[]){0.4636476090008061, -0.8960553845713439, 1.2490457723982544,
                                                   -0.09966865249116204, 1e-08, 1.4288992721907328}},
                                 {"special values", special, DIMS(7), 0,
                                  (const double[]){0.0, -0.0, 1.5707963267948966, -1.5707963267948966, NAN, 5e-324,
                                                   1.5707963267948966}},
                                 {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(atan), {0}},
};
