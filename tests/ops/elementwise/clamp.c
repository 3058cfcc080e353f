/* tests/ops/elementwise/clamp.c - cases of heed_clamp. */

#include "elementwise.h"

RUN_1(run, heed_clamp(x, -1.0, 1.0))
RUN_1(from_0, heed_clamp(x, 0.0, 1e9))
RUN_1(to_0, heed_clamp(x, -1e9, 0.0))
RUN_1(without_limits, heed_clamp(x, -INFINITY, INFINITY))
VALUE_1(crossed, heed_clamp(x, 2.5, -1.5), 0.0)
VALUE_1(low_nan, heed_clamp(x, NAN, 1.0), 0.0)
VALUE_1(high_nan, heed_clamp(x, 1.0, NAN), 0.0)
BAD_NUMBER(heed_clamp(x, -1.0, 1.0))
WHOLE(whole, heed_clamp(x, -1, 4))
WHOLE(from_below, heed_clamp(x, -2, INFINITY))
WHOLE(from_above, heed_clamp(x, -INFINITY, -2))
WHOLE(not_at_all, heed_sub(heed_clamp(x, -INFINITY, INFINITY), x))
WHOLE(to_ends, heed_sub(heed_clamp(x, -0x1p63, INFINITY), x))
NO_WHOLE(low_half, heed_clamp(x, -0.5, 1))
NO_WHOLE(high_half, heed_clamp(x, 0, 1.5))
NO_WHOLE(high_too_large, heed_clamp(x, 0, 0x1p63))
NO_WHOLE(low_infinite, heed_clamp(x, INFINITY, INFINITY))
NO_WHOLE(high_infinite, heed_clamp(x, -INFINITY, -INFINITY))
NO_WHOLE(of_i64_nan, heed_clamp(x, NAN, 1))
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
        (const op_value[]){{"i64", whole, DIMS(5), 0, (const double[]){-1, 4, 4, 0, -1}},
                           {"i64 from below", from_below, DIMS(5), 0, (const double[]){-2, 0x1p63, 5, 0, -2}},
                           {"i64 from above", from_above, DIMS(5), 0, (const double[]){-0x1p63, -2, -2, -2, -3}},
                           {"i64 not at all", not_at_all, DIMS(5), 0, (const double[]){0, 0, 0, 0, 0}},
                           {"i64 to the ends", to_ends, DIMS(5), 0, (const double[]){0, 0, 0, 0, 0}},
                           {"special values", special, DIMS(11), 0,
                            (const double[]){0.0, -0.0, 1.0, -1.0, NAN, 1.0, -1.0, 0.25, 1.0, -1.0, 5e-324}},
                           {"infinite limit", one_sided, DIMS(5), 0, (const double[]){NAN, 0.5, 0.5, 9.0, INFINITY}},
                           {"equal limits", one_value, DIMS(3), 0, (const double[]){NAN, 2.0, 2.0}},
                           {0}},
    .errors =
        (const op_error[]){
            BAD_NUMBER_ERRORS(clamp),
            {"i64 low half", low_half, HEED_ERR_ARGUMENT, "clamp: low is -0.5: must be representable as i64"},
            {"i64 high half", high_half, HEED_ERR_ARGUMENT, "clamp: high is 1.5: must be representable as i64"},
            {"i64 high 2^63", high_too_large, HEED_ERR_ARGUMENT, "clamp: high is 9.22337e+18:"},
            {"i64 low infinite", low_infinite, HEED_ERR_ARGUMENT, "clamp: low is inf:"},
            {"i64 high infinite", high_infinite, HEED_ERR_ARGUMENT, "clamp: high is -inf:"},
            {"i64 low NaN", of_i64_nan, HEED_ERR_ARGUMENT, "clamp: low is nan: must be at most high"},
            {"low > high", crossed, HEED_ERR_ARGUMENT, "clamp:"},
            {"names low", crossed, HEED_ERR_ARGUMENT, "low is 2.5:"},
            {"names high", crossed, HEED_ERR_ARGUMENT, "must be at most high, -1.5"},
            {"low NaN", low_nan, HEED_ERR_ARGUMENT, "nan"},
            {"high NaN", high_nan, HEED_ERR_ARGUMENT, "nan"},
            {0}},
};
