/* tests/ops/elementwise/clamp.c - cases of heed_clamp. */

#include "elementwise.h"

RUN_1(run, heed_clamp(x, -1.0, 1.0))
RUN_1(from_0, heed_clamp(x, 0.0, 1e9))
RUN_1(to_0, heed_clamp(x, -1e9, 0.0))
RUN_1(without_limits, heed_clamp(x, -INFINITY, INFINITY))
VALUE_1(crossed, heed_clamp(x, 2.5, -1.5), 0.0)
VALUE_1(low_nan, heed_clamp(x, NAN, 1.0), 0.0)
VALUE_1(high_nan, heed_clamp(x, 1.0, NAN), 0.0)
BAD_1(heed_clamp(x, -1.0, 1.0))
VALUE_1(special, heed_clamp(x, -1.0, 1.0), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 0.25, 1.5, -7.0, 5e-324)
VALUE_1(one_sided, heed_clamp(x, 0.5, INFINITY), NAN, -INFINITY, -1.0, 9.0, INFINITY)
VALUE_1(one_value, heed_clamp(x, 2.0, 2.0), NAN, -3.0, 5.0)

const op_cases heed_cases_clamp = {
    .cases = (const op_case[]){UNARY_SAMPLES(from_0, .gap = 0.05),
                               UNARY_SAMPLES(to_0, .gap = 0.05),
                               UNARY_SAMPLES(without_limits, .low = -2, .high = 2),
                               VALUES_SAMPLE(run, 7, -2.0, -1.1, -0.9, 0.0, 0.9, 1.1, 2.0),
                               SCALED_SAMPLE(run, -1e-8, 1e-8),
                               SCALED_SAMPLE(from_0, 1e7, 1e8),
                               SCALED_SAMPLE(from_0, -1e8, -1e7),
                               {0}},
    .values =
        (const op_value[]){{"special values", special, DIMS(11), 0,
                            (const double[]){0.0, -0.0, 1.0, -1.0, NAN, 1.0, -1.0, 0.25, 1.0, -1.0, 5e-324}},
                           {"infinite limit", one_sided, DIMS(5), 0, (const double[]){NAN, 0.5, 0.5, 9.0, INFINITY}},
                           {"equal limits", one_value, DIMS(3), 0, (const double[]){NAN, 2.0, 2.0}},
                           {0}},
    .errors = (const op_error[]){BAD_1_ERRORS(clamp),
                                 {"low > high", crossed, HEED_ERR_ARGUMENT, "clamp:"},
                                 {"names low", crossed, HEED_ERR_ARGUMENT, "low is 2.5:"},
                                 {"names high", crossed, HEED_ERR_ARGUMENT, "must be at most high, -1.5"},
                                 {"low NaN", low_nan, HEED_ERR_ARGUMENT, "nan"},
                                 {"high NaN", high_nan, HEED_ERR_ARGUMENT, "nan"},
                                 {0}},
};
