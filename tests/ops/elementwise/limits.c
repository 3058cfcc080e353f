/* tests/ops/elementwise/limits.c - absolute value, sign, rounding, maxima and limits: a row per op (elementwise.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"
#include "functions.h"

UNARY(abs, heed_abs(x), CASES(SHAPES(.gap = 0.05), RANGE(1e7, 1e8), RANGE(-1e8, -1e7)),
      POINTS({"special values", 0,
              AT({0.0, 0.0}, {-0.0, 0.0}, {INFINITY, INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {-5e-324, 5e-324},
                 {-1.5, 1.5})}),
      WHOLE_NUMBERS(-0x1p63, 0x1p63, 5, 0, 3))

UNARY(sign, heed_sign(x), CASES(SHAPES(.gap = 0.05)),
      POINTS({"special values", 0,
              AT({0.0, 0.0}, {-0.0, 0.0}, {INFINITY, 1.0}, {-INFINITY, -1.0}, {NAN, NAN}, {-5e-324, -1.0},
                 {1e300, 1.0})}),
      WHOLE_NUMBERS(-1, 1, 1, 0, -1))

UNARY(floor, heed_floor(x),
      CASES(SHAPES(.gap = 0.05, .low = -0.45, .high = 0.45), VALUES_SAMPLE(NULL, 5, -2.7, -1.2, 0.2, 0.7, 5.3)),
      POINTS({"known values", 0, AT({0.25, 0.0}, {-1.75, -2.0}, {3.1, 3.0}, {-7.9, -8.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {0.5, 0.0}, {-0.5, -1.0}, {1.5, 1.0}, {2.5, 2.0}, {-1.5, -2.0}, {-2.5, -3.0},
                 {0.3, 0.0}, {-0.3, -1.0}, {4503599627370498.0, 4503599627370498.0}, {1e+300, 1e+300}, {-5e-324, -1.0},
                 {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN})}))

UNARY(ceil, heed_ceil(x),
      CASES(SHAPES(.gap = 0.05, .low = -0.45, .high = 0.45), VALUES_SAMPLE(NULL, 5, -2.7, -1.2, 0.2, 0.7, 5.3)),
      POINTS({"known values", 0, AT({0.25, 1.0}, {-1.75, -1.0}, {3.1, 4.0}, {-7.9, -7.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {0.5, 1.0}, {-0.5, -0.0}, {1.5, 2.0}, {2.5, 3.0}, {-1.5, -1.0}, {-2.5, -2.0},
                 {0.3, 1.0}, {-0.3, -0.0}, {4503599627370498.0, 4503599627370498.0}, {1e+300, 1e+300}, {-5e-324, -0.0},
                 {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN})}))

UNARY(round, heed_round(x),
      CASES(SHAPES(.gap = 0.05, .low = -0.45, .high = 0.45), VALUES_SAMPLE(NULL, 5, -2.7, -1.2, 0.2, 0.7, 5.3)),
      POINTS({"known values", 0, AT({0.25, 0.0}, {-1.75, -2.0}, {3.1, 3.0}, {-7.9, -8.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {0.5, 0.0}, {-0.5, -0.0}, {1.5, 2.0}, {2.5, 2.0}, {-1.5, -2.0}, {-2.5, -2.0},
                 {0.3, 0.0}, {-0.3, -0.0}, {4503599627370498.0, 4503599627370498.0}, {1e+300, 1e+300}, {-5e-324, -0.0},
                 {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN})}))

BINARY(maximum, heed_maximum(a, b),
       CASES(SHAPES_2(.distinct = true, .low = -2, .high = 2),
             {.name = "(5) (5) of many scales",
              .n_inputs = 2,
              .in = {{.shape = DIMS(5), .values = (const double[]){-2, 0.5, 1e8, 1e-8, 3}},
                     {.shape = DIMS(5), .values = (const double[]){-1, 0.25, -1e8, 1, -3}}}}),
       POINTS({"special values", 0,
               AT_2({INFINITY, 1.0, INFINITY}, {1.0, -INFINITY, 1.0}, {NAN, 1.0, NAN}, {1.0, NAN, NAN},
                    {NAN, -INFINITY, NAN}, {NAN, NAN, NAN}, {5e-324, 0.0, 5e-324}, {2.0, 2.0, 2.0}, {-1.0, 1.0, 1.0})}),
       WHOLE_NUMBERS(0x1p63, -1, 7, 2, 7, -2, 6, 5))

BINARY(minimum, heed_minimum(a, b),
       CASES(SHAPES_2(.distinct = true, .low = -2, .high = 2),
             {.name = "(5) (5) of many scales",
              .n_inputs = 2,
              .in = {{.shape = DIMS(5), .values = (const double[]){-2, 0.5, 1e8, 1e-8, 3}},
                     {.shape = DIMS(5), .values = (const double[]){-1, 0.25, -1e8, 1, -3}}}}),
       POINTS({"special values", 0,
               AT_2({INFINITY, 1.0, 1.0}, {1.0, -INFINITY, -INFINITY}, {NAN, 1.0, NAN}, {1.0, NAN, NAN},
                    {NAN, -INFINITY, NAN}, {NAN, NAN, NAN}, {5e-324, 0.0, 0.0}, {2.0, 2.0, 2.0}, {-1.0, 1.0, -1.0})}),
       WHOLE_NUMBERS(1, -0x1p63, 2, -7, -2, -7, 3, 0))

RUN_1(clamp_one_sided, heed_clamp(x, 0.5, INFINITY))
RUN_1(clamp_one_value, heed_clamp(x, 2.0, 2.0))
RUN_1(clamp_from_0, heed_clamp(x, 0.0, 1e9))
RUN_1(clamp_to_0, heed_clamp(x, -1e9, 0.0))
RUN_1(clamp_without_limits, heed_clamp(x, -INFINITY, INFINITY))
WHOLE(clamp_whole, heed_clamp(x, -1, 4))
WHOLE(clamp_from_below, heed_clamp(x, -2, INFINITY))
WHOLE(clamp_from_above, heed_clamp(x, -INFINITY, -2))
WHOLE(clamp_not_at_all, heed_sub(heed_clamp(x, -INFINITY, INFINITY), x))
WHOLE(clamp_to_ends, heed_sub(heed_clamp(x, -0x1p63, INFINITY), x))
NO_WHOLE(clamp_low_half, heed_clamp(x, -0.5, 1))
NO_WHOLE(clamp_high_half, heed_clamp(x, 0, 1.5))
NO_WHOLE(clamp_high_too_large, heed_clamp(x, 0, 0x1p63))
NO_WHOLE(clamp_low_infinite, heed_clamp(x, INFINITY, INFINITY))
NO_WHOLE(clamp_high_infinite, heed_clamp(x, -INFINITY, -INFINITY))
NO_WHOLE(clamp_of_i64_nan, heed_clamp(x, NAN, 1))
VALUE_1(clamp_crossed, heed_clamp(x, 2.5, -1.5), 0.0)
VALUE_1(clamp_low_nan, heed_clamp(x, NAN, 1.0), 0.0)
VALUE_1(clamp_high_nan, heed_clamp(x, 1.0, NAN), 0.0)

UNARY(clamp, heed_clamp(x, p[0], p[1]), .p = {-1.0, 1.0},
      CASES(UNARY_SAMPLES(clamp_from_0, .gap = 0.05), UNARY_SAMPLES(clamp_to_0, .gap = 0.05),
            UNARY_SAMPLES(clamp_without_limits, .low = -2, .high = 2),
            VALUES_SAMPLE(NULL, 7, -2.0, -1.1, -0.9, 0.0, 0.9, 1.1, 2.0), RANGE(-1e-8, 1e-8),
            SCALED_SAMPLE(clamp_from_0, 1e7, 1e8), SCALED_SAMPLE(clamp_from_0, -1e8, -1e7)),
      POINTS({"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, 1.0}, {-INFINITY, -1.0}, {NAN, NAN}, {1.0, 1.0}, {-1.0, -1.0},
                 {0.25, 0.25}, {1.5, 1.0}, {-7.0, -1.0}, {5e-324, 5e-324})},
             {"infinite limit", 0, AT({NAN, NAN}, {-INFINITY, 0.5}, {-1.0, 0.5}, {9.0, 9.0}, {INFINITY, INFINITY}),
              .run = clamp_one_sided},
             {"equal limits", 0, AT({NAN, NAN}, {-3.0, 2.0}, {5.0, 2.0}), .run = clamp_one_value}),
      .accepts_i64 = true,
      VALUES({"i64", clamp_whole, DIMS(5), 0, (const double[]){-1, 4, 4, 0, -1}},
             {"i64 from below", clamp_from_below, DIMS(5), 0, (const double[]){-2, 0x1p63, 5, 0, -2}},
             {"i64 from above", clamp_from_above, DIMS(5), 0, (const double[]){-0x1p63, -2, -2, -2, -3}},
             {"i64 not at all", clamp_not_at_all, DIMS(5), 0, (const double[]){0, 0, 0, 0, 0}},
             {"i64 to the ends", clamp_to_ends, DIMS(5), 0, (const double[]){0, 0, 0, 0, 0}}),
      ERRORS({"i64 low half", clamp_low_half, HEED_ERR_ARGUMENT, "clamp: low is -0.5: must be representable as i64"},
             {"i64 high half", clamp_high_half, HEED_ERR_ARGUMENT, "clamp: high is 1.5: must be representable as i64"},
             {"i64 high 2^63", clamp_high_too_large, HEED_ERR_ARGUMENT, "clamp: high is 9.22337e+18:"},
             {"i64 low infinite", clamp_low_infinite, HEED_ERR_ARGUMENT, "clamp: low is inf:"},
             {"i64 high infinite", clamp_high_infinite, HEED_ERR_ARGUMENT, "clamp: high is -inf:"},
             {"i64 low NaN", clamp_of_i64_nan, HEED_ERR_ARGUMENT, "clamp: low is nan: must be at most high"},
             {"low > high", clamp_crossed, HEED_ERR_ARGUMENT, "clamp:"},
             {"names low", clamp_crossed, HEED_ERR_ARGUMENT, "low is 2.5:"},
             {"names high", clamp_crossed, HEED_ERR_ARGUMENT, "must be at most high, -1.5"},
             {"low NaN", clamp_low_nan, HEED_ERR_ARGUMENT, "nan"},
             {"high NaN", clamp_high_nan, HEED_ERR_ARGUMENT, "nan"}))

RUN_1(hardtanh_narrow, heed_hardtanh(x, -0.04, 0.04))
VALUE_1(hardtanh_crossed, heed_hardtanh(x, 2.5, -1.5), 0.0)
VALUE_1(hardtanh_low_nan, heed_hardtanh(x, NAN, 1.0), 0.0)

static heed_tensor *hardtanh_limited(heed_tensor *x)
{
    return heed_hardtanh(x, -1.0, 1.0);
}

GIVES(hardtanh_slopes, gradient(hardtanh_limited, HEED_TENSOR(HEED_F64, HEED_SHAPE(6), -1, 1, 0.5, -2, NAN, INFINITY)))

UNARY(hardtanh, heed_hardtanh(x, p[0], p[1]), .p = {-1.0, 1.0},
      CASES(VALUES_SAMPLE(NULL, 7, -2.0, -1.1, -0.9, 0.0, 0.9, 1.1, 2.0), UNARY_SAMPLES(hardtanh_narrow, .gap = 0.05),
            RANGE(-1e-8, 1e-8)),
      POINTS({"known values", 0, AT({0.5, 0.5}, {-1.25, -1.0}, {3.0, 1.0}, {-0.1, -0.1}, {1e-08, 1e-08}, {7.0, 1.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, 1.0}, {-INFINITY, -1.0}, {NAN, NAN}, {1.0, 1.0}, {-1.0, -1.0},
                 {5e-324, 5e-324})}),
      VALUES({"slopes at the limits", hardtanh_slopes, DIMS(6), 0, (const double[]){0, 0, 1, 0, 0, 0}}),
      ERRORS({"low > high", hardtanh_crossed, HEED_ERR_ARGUMENT, "hardtanh: low is 2.5: must be at most high, -1.5"},
             {"low NaN", hardtanh_low_nan, HEED_ERR_ARGUMENT, "nan"}))

#define LERP_SAMPLE(name_, a, b, w)                                                                                    \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3, .in = { {.shape = a}, {.shape = b}, {.shape = w} }                               \
    }

ROW(lerp, heed_lerp(in[0], in[1], in[2]),
    CASES(LERP_SAMPLE("() () ()", NO_DIMS, NO_DIMS, NO_DIMS), LERP_SAMPLE("(5) (5) (5)", DIMS(5), DIMS(5), DIMS(5)),
          LERP_SAMPLE("(2, 1) (3) (2, 3)", DIMS(2, 1), DIMS(3), DIMS(2, 3)),
          LERP_SAMPLE("(4, 1) (1, 5) ()", DIMS(4, 1), DIMS(1, 5), NO_DIMS),
          LERP_SAMPLE("(3) (3) (2, 1)", DIMS(3), DIMS(3), DIMS(2, 1)),
          LERP_SAMPLE("(0, 3) (3) (1, 3)", DIMS(0, 3), DIMS(3), DIMS(1, 3))),
    EXAMPLES({"ends",
              {GIVEN(HEED_F64, DIMS(4), 0.1, -3, 7, 0.1), GIVEN(HEED_F64, DIMS(4), 0.7, 1e17, 0.3, 0.7),
               GIVEN(HEED_F64, DIMS(4), 0, 1, 1, 0.5)},
              RESULT(DIMS(4), 0, 0.1, 1e17, 0.3, 0.39999999999999997)},
             {"infinities and NaN",
              {GIVEN(HEED_F64, DIMS(4), 1, INFINITY, 2, NAN),
               GIVEN(HEED_F64, DIMS(4), INFINITY, INFINITY, -INFINITY, 1),
               GIVEN(HEED_F64, DIMS(4), 0.25, 0.5, 0.75, 0.5)},
              RESULT(DIMS(4), 0, INFINITY, NAN, NAN, NAN)},
             {"shapes that do not broadcast",
              {GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_F32, DIMS(3)), GIVEN_ONES(HEED_F32, DIMS(1))},
              FAILS(HEED_ERR_SHAPE, "lerp: ")},
             {"mixed dtypes",
              {GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2))},
              FAILS(HEED_ERR_DTYPE, "lerp: ")},
             {"i64",
              {GIVEN_ONES(HEED_I64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))},
              FAILS(HEED_ERR_DTYPE, "lerp: ")},
             {"NULL",
              {GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_F32, DIMS(2)), {0}},
              FAILS(HEED_ERR_ARGUMENT, "lerp: ")}))

ROW(lerp_scalar, heed_lerp_scalar(in[0], in[1], c->p[0]),
    CASES({.name = "0.25 of (2, 1) and (3)",
           .n_inputs = 2,
           .in = {{.shape = DIMS(2, 1)}, {.shape = DIMS(3)}},
           .p = {0.25}},
          {.name = "-1.5 of (5) and (5)", .n_inputs = 2, .in = {{.shape = DIMS(5)}, {.shape = DIMS(5)}}, .p = {-1.5}}),
    EXAMPLES(
        {"1",
         {GIVEN(HEED_F32, DIMS(2), 0.125, 7), GIVEN(HEED_F32, DIMS(2), 0.5, 0.25)},
         .p = {1},
         RESULT(DIMS(2), 0, 0.5, 0.25)},
        {"shapes that do not broadcast",
         {GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_F32, DIMS(3))},
         FAILS(HEED_ERR_SHAPE, "lerp_scalar: ")},
        {"i64", {GIVEN_ONES(HEED_I64, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))}, FAILS(HEED_ERR_DTYPE, "lerp_scalar: ")},
        {"NULL", {GIVEN_ONES(HEED_F32, DIMS(2)), {0}}, FAILS(HEED_ERR_ARGUMENT, "lerp_scalar: ")}))
