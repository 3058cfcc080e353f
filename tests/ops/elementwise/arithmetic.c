/* tests/ops/elementwise/arithmetic.c - sums, products, quotients and powers: a row per op (elementwise.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"

BINARY(add, heed_add(a, b), CASES(SHAPES_2(.low = -2, .high = 2), RANGE_2(-1e-8, 1e-8), RANGE_2(-1e8, 1e8)),
       POINTS({"special values", 0,
               AT_2({0.0, -0.0, 0.0}, {-0.0, -0.0, -0.0}, {INFINITY, 1.0, INFINITY}, {INFINITY, -INFINITY, NAN},
                    {NAN, 1.0, NAN}, {5e-324, 5e-324, 9.8813129168249309e-324}, {0.1, 0.2, 0.30000000000000004},
                    {1e308, 1e308, INFINITY})}),
       WHOLE_NUMBERS(-0x1p63, 0x1p63, 9, -5, 5, -9, 9, 5))

BINARY(sub, heed_sub(a, b), CASES(SHAPES_2(.low = -2, .high = 2), RANGE_2(-1e-8, 1e-8), RANGE_2(-1e8, 1e8)),
       POINTS({"special values", 0,
               AT_2({0.0, 0.0, 0.0}, {-0.0, 0.0, -0.0}, {INFINITY, 1.0, INFINITY}, {INFINITY, INFINITY, NAN},
                    {1.0, NAN, NAN}, {1e-323, 5e-324, 5e-324}, {0.3, 0.1, 0.19999999999999998})}),
       WHOLE_NUMBERS(0x1p63, -0x1p63, 5, -9, 9, -5, 3, -5))

BINARY(mul, heed_mul(a, b), CASES(SHAPES_2(.low = -2, .high = 2), RANGE_2(-1e-8, 1e-8), RANGE_2(-1e8, 1e8)),
       POINTS({"special values", 0,
               AT_2({0.0, -1.0, -0.0}, {-0.0, -1.0, 0.0}, {INFINITY, -2.0, -INFINITY}, {INFINITY, 0.0, NAN},
                    {1.0, NAN, NAN}, {5e-324, 2.0, 9.8813129168249309e-324}, {0.1, 0.2, 0.020000000000000004},
                    {1e200, 1e200, INFINITY})}),
       WHOLE_NUMBERS(0x1p63, -0x1p63, 14, -14, -14, 14, 18, 0))

BINARY(div, heed_div(a, b),
       CASES(SHAPES_2(.gap = 0.5), RANGE_2(1e7, 1e8),
             {.name = "(5) of 1e-8 / (5)",
              .n_inputs = 2,
              .in = {{.shape = DIMS(5), .low = -1e-8, .high = 1e-8}, {.shape = DIMS(5), .gap = 0.5}}},
             {.name = "(5) of 1e8 / (5)",
              .n_inputs = 2,
              .in = {{.shape = DIMS(5), .low = -1e8, .high = 1e8}, {.shape = DIMS(5), .gap = 0.5}}}),
       POINTS({"special values", 1e-15,
               AT_2({1.0, 0.0, INFINITY}, {1.0, -0.0, -INFINITY}, {0.0, 0.0, NAN}, {INFINITY, INFINITY, NAN},
                    {1.0, INFINITY, 0.0}, {NAN, 1.0, NAN}, {1.0, NAN, NAN}, {5e-324, 2.0, 0.0},
                    {0.5, 3.0, 0.16666666666666666}, {-1.25, 3.0, -0.4166666666666667}, {3.0, 3.0, 1.0},
                    {-0.1, 3.0, -0.03333333333333333}, {1e-08, 3.0, 3.3333333333333334e-09},
                    {7.0, 3.0, 2.3333333333333335})}))

/* a / b between 1 and 2, and between -2 and -1, without jumps. */
#define WITHIN(name_, dims_a, dims_b)                                                                                  \
    {.name = name_,                                                                                                    \
     .n_inputs = 2,                                                                                                    \
     .in = {{.shape = dims_a, .low = 1.6, .high = 1.9}, {.shape = dims_b, .low = 1.1, .high = 1.5}}},                  \
    {                                                                                                                  \
        .name = name_ " below 0", .n_inputs = 2, .in = {                                                               \
            {.shape = dims_a, .low = -1.9, .high = -1.6},                                                              \
            {.shape = dims_b, .low = 1.1, .high = 1.5}                                                                 \
        }                                                                                                              \
    }

/* A column divided by a row with a 0 in it. */
static heed_tensor *floor_divide_by_zero(void)
{
    return heed_floor_divide(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, 0, 1));
}

BINARY(floor_divide, heed_floor_divide(a, b),
       CASES(WITHIN("()", NO_DIMS, NO_DIMS), WITHIN("(5, 7)", DIMS(5, 7), DIMS(5, 7)),
             WITHIN("(2, 3) (3)", DIMS(2, 3), DIMS(3)), WITHIN("(4, 1) (1, 3)", DIMS(4, 1), DIMS(1, 3)),
             WITHIN("(0, 3) (1, 3)", DIMS(0, 3), DIMS(1, 3)), WITHIN("(1, 37, 1) ()", DIMS(1, 37, 1), NO_DIMS)),
       POINTS({"special values", 0,
               AT_2({7.0, 2.0, 3.0}, {-7.0, 2.0, -4.0}, {7.0, -2.0, -4.0}, {-7.0, -2.0, 3.0}, {6.0, 3.0, 2.0},
                    {-6.0, 3.0, -2.0}, {0.0, 5.0, 0.0}, {-0.0, 5.0, -0.0}, {1.0, 0.0, INFINITY}, {0.0, 0.0, NAN},
                    {INFINITY, 2.0, NAN}, {1.0, INFINITY, 0.0}, {-1.0, INFINITY, -1.0}, {1.0, -INFINITY, -1.0},
                    {NAN, 1.0, NAN}, {1e+300, 10000000000.0, 1e+290}, {0.3, 0.1, 2.0}, {1.0, NAN, NAN})}),
       WHOLE_NUMBERS(0x1p63, -0x1p63, 3, -4, -4, 3, 2, 0),
       ERRORS({"by 0", floor_divide_by_zero, HEED_ERR_ARGUMENT, "floor_divide: element 1 of b (3) is 0"}))

/* A column divided by a row with a 0 in it. */
static heed_tensor *remainder_by_zero(void)
{
    return heed_remainder(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, 0, 1));
}

BINARY(remainder, heed_remainder(a, b),
       CASES(WITHIN("()", NO_DIMS, NO_DIMS), WITHIN("(5, 7)", DIMS(5, 7), DIMS(5, 7)),
             WITHIN("(2, 3) (3)", DIMS(2, 3), DIMS(3)), WITHIN("(4, 1) (1, 3)", DIMS(4, 1), DIMS(1, 3)),
             WITHIN("(0, 3) (1, 3)", DIMS(0, 3), DIMS(1, 3)), WITHIN("(1, 37, 1) ()", DIMS(1, 37, 1), NO_DIMS)),
       POINTS({"special values", 0,
               AT_2({7.0, 2.0, 1.0}, {-7.0, 2.0, 1.0}, {7.0, -2.0, -1.0}, {-7.0, -2.0, -1.0}, {6.0, 3.0, 0.0},
                    {-6.0, 3.0, -0.0}, {0.0, 5.0, 0.0}, {-0.0, 5.0, -0.0}, {1.0, 0.0, NAN}, {0.0, 0.0, NAN},
                    {INFINITY, 2.0, NAN}, {1.0, INFINITY, 1.0}, {-1.0, INFINITY, INFINITY}, {1.0, -INFINITY, -INFINITY},
                    {NAN, 1.0, NAN}, {1e+300, 10000000000.0, 9400540160.0}, {0.3, 0.1, 0.09999999999999998},
                    {1.0, NAN, NAN})}),
       WHOLE_NUMBERS(0, 0, 1, 1, -1, -1, 0, 0),
       ERRORS({"by 0", remainder_by_zero, HEED_ERR_ARGUMENT, "remainder: element 1 of b (3) is 0"}))

RUN_1(add_scalar_infinity, heed_add_scalar(x, INFINITY))
RUN_1(add_scalar_nan, heed_add_scalar(x, NAN))
WHOLE(add_scalar_whole, heed_add_scalar(x, -4))
NO_WHOLE(add_scalar_half, heed_add_scalar(x, 0.5))

UNARY(add_scalar, heed_add_scalar(x, p[0]), .p = {0.75},
      CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"special values", 0,
              AT({0.0, 0.75}, {-0.0, 0.75}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN}, {5e-324, 0.75},
                 {-0.75, 0.0})},
             {"plus infinity", 0, AT({1.0, INFINITY}, {-INFINITY, NAN}, {NAN, NAN}), .run = add_scalar_infinity},
             {"plus NaN", 0, AT({1.0, NAN}, {INFINITY, NAN}), .run = add_scalar_nan}),
      .accepts_i64 = true, VALUES({"i64", add_scalar_whole, DIMS(5), 0, (const double[]){0x1p63, 0x1p63, 1, -4, -7}}),
      ERRORS({"half of i64", add_scalar_half, HEED_ERR_ARGUMENT, "add_scalar: c is 0.5: must be representable as i64"}))

UNARY(neg, heed_neg(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"special values", 0,
              AT({0.0, -0.0}, {-0.0, 0.0}, {INFINITY, -INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {5e-324, -5e-324},
                 {1.5, -1.5})}),
      WHOLE_NUMBERS(-0x1p63, -0x1p63, -5, 0, 3))

RUN_1(rsub_scalar_infinity, heed_rsub_scalar(x, INFINITY))
RUN_1(rsub_scalar_nan, heed_rsub_scalar(x, NAN))
WHOLE(rsub_scalar_whole, heed_rsub_scalar(x, 4))
NO_WHOLE(rsub_scalar_half, heed_rsub_scalar(x, 0.5))
NO_WHOLE(rsub_scalar_endless, heed_rsub_scalar(x, -INFINITY))

UNARY(rsub_scalar, heed_rsub_scalar(x, p[0]), .p = {0.75},
      CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"special values", 0,
              AT({0.0, 0.75}, {-0.0, 0.75}, {INFINITY, -INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {5e-324, 0.75},
                 {0.75, 0.0})},
             {"from infinity", 0, AT({1.0, INFINITY}, {INFINITY, NAN}, {NAN, NAN}), .run = rsub_scalar_infinity},
             {"from NaN", 0, AT({1.0, NAN}, {INFINITY, NAN}), .run = rsub_scalar_nan}),
      .accepts_i64 = true,
      VALUES({"i64", rsub_scalar_whole, DIMS(5), 0, (const double[]){-0x1p63 + 4, -0x1p63 + 5, -1, 4, 7}}),
      ERRORS({"half of i64", rsub_scalar_half, HEED_ERR_ARGUMENT,
              "rsub_scalar: c is 0.5: must be representable as i64"},
             {"infinity of i64", rsub_scalar_endless, HEED_ERR_ARGUMENT, "rsub_scalar: c is -inf:"}))

RUN_1(mul_scalar_by_infinity, heed_mul_scalar(x, INFINITY))
RUN_1(mul_scalar_by_nan, heed_mul_scalar(x, NAN))
RUN_1(mul_scalar_by_zero, heed_mul_scalar(x, 0.0))
RUN_1(mul_scalar_tiny, heed_mul_scalar(x, 1e-8))
WHOLE(mul_scalar_whole, heed_mul_scalar(x, -3))
WHOLE(mul_scalar_by_lowest, heed_mul_scalar(x, -0x1p63))
NO_WHOLE(mul_scalar_half, heed_mul_scalar(x, -2.5))
NO_WHOLE(mul_scalar_too_large, heed_mul_scalar(x, 0x1p63))
NO_WHOLE(mul_scalar_no_number, heed_mul_scalar(x, NAN))

UNARY(mul_scalar, heed_mul_scalar(x, p[0]), .p = {-2.5},
      CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8),
            SCALED_SAMPLE(mul_scalar_tiny, -1e8, 1e8)),
      POINTS({"special values", 0,
              AT({0.0, -0.0}, {-0.0, 0.0}, {INFINITY, -INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {5e-324, -1e-323},
                 {1.5, -3.75})},
             {"by infinity", 0, AT({0.0, NAN}, {2.0, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN}),
              .run = mul_scalar_by_infinity},
             {"by NaN", 0, AT({0.0, NAN}, {2.0, NAN}, {INFINITY, NAN}), .run = mul_scalar_by_nan},
             {"by zero", 0, AT({3.0, 0.0}, {-4.0, -0.0}, {INFINITY, NAN}), .run = mul_scalar_by_zero}),
      .accepts_i64 = true,
      VALUES({"i64", mul_scalar_whole, DIMS(5), 0, (const double[]){-0x1p63, -0x1p63 + 3, -15, 0, 9}},
             {"i64 by -2^63", mul_scalar_by_lowest, DIMS(5), 0, (const double[]){0, -0x1p63, -0x1p63, 0, -0x1p63}}),
      ERRORS({"half of i64", mul_scalar_half, HEED_ERR_ARGUMENT, "mul_scalar: c is -2.5: must be representable as i64"},
             {"2^63", mul_scalar_too_large, HEED_ERR_ARGUMENT, "mul_scalar: c is 9.22337e+18:"},
             {"NaN of i64", mul_scalar_no_number, HEED_ERR_ARGUMENT, "mul_scalar: c is nan:"}))

UNARY(square, heed_square(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"special values", 0,
              AT({0.0, 0.0}, {-0.0, 0.0}, {INFINITY, INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {5e-324, 0.0},
                 {1e200, INFINITY}, {-1.5, 2.25})}),
      WHOLE_NUMBERS(0, 1, 25, 0, 9))

RUN_1(pow_scalar_to_nan, heed_pow_scalar(x, NAN))
RUN_1(pow_scalar_power_0, heed_pow_scalar(x, 0.0))
RUN_1(pow_scalar_power_1, heed_pow_scalar(x, 1.0))
RUN_1(pow_scalar_power_2, heed_pow_scalar(x, 2.0))
RUN_1(pow_scalar_power_3, heed_pow_scalar(x, 3.0))
RUN_1(pow_scalar_power_minus_1, heed_pow_scalar(x, -1.0))
RUN_1(pow_scalar_power_minus_2, heed_pow_scalar(x, -2.0))
RUN_1(pow_scalar_power_half, heed_pow_scalar(x, 0.5))
WHOLE(pow_scalar_whole_to_0, heed_pow_scalar(x, -0.0))
WHOLE(pow_scalar_whole_to_1, heed_pow_scalar(x, 1))
WHOLE(pow_scalar_whole_to_5, heed_pow_scalar(x, 5))
WHOLE(pow_scalar_whole_to_most, heed_pow_scalar(x, 0x1p63 - 0x1p10))
NO_WHOLE(pow_scalar_root, heed_pow_scalar(x, 0.5))
NO_WHOLE(pow_scalar_inverse, heed_pow_scalar(x, -1))
NO_WHOLE(pow_scalar_too_large, heed_pow_scalar(x, 0x1p63))
NO_WHOLE(pow_scalar_no_number, heed_pow_scalar(x, NAN))

UNARY(pow_scalar, heed_pow_scalar(x, p[0]), .p = {2.5},
      CASES(SHAPES(.low = 0.5, .high = 3), UNARY_SAMPLES(pow_scalar_power_0, .gap = 0.5),
            UNARY_SAMPLES(pow_scalar_power_1, .gap = 0.5), UNARY_SAMPLES(pow_scalar_power_2, .gap = 0.5),
            UNARY_SAMPLES(pow_scalar_power_3, .gap = 0.5), UNARY_SAMPLES(pow_scalar_power_minus_1, .gap = 0.5),
            UNARY_SAMPLES(pow_scalar_power_half, .low = 0.5, .high = 3),
            SCALED_SAMPLE(pow_scalar_power_minus_2, -2, -0.5), SCALED_SAMPLE(pow_scalar_power_3, -1e-8, 1e-8),
            SCALED_SAMPLE(pow_scalar_power_2, -1e8, 1e8), RANGE(1e7, 1e8)),
      POINTS({"x^2.5", 1e-15,
              AT({0.5, 0.1767766952966369}, {1.25, 1.7469281074217107}, {3.0, 15.588457268119896},
                 {0.1, 0.00316227766016838}, {1e-08, 1.0000000000000001e-20}, {700.0, 12964181.424216494})},
             {"x^-1", 1e-15,
              AT({0.5, 2.0}, {-1.25, -0.8}, {3.0, 0.3333333333333333}, {-0.1, -10.0}, {1e-08, 100000000.0},
                 {7.0, 0.14285714285714285}),
              .run = pow_scalar_power_minus_1},
             {"x^3", 1e-15,
              AT({0.5, 0.125}, {-1.25, -1.953125}, {3.0, 27.0}, {-0.1, -0.0010000000000000002},
                 {1e-08, 1.0000000000000001e-24}, {7.0, 343.0}),
              .run = pow_scalar_power_3},
             {"x^0", 0, AT({0.0, 1.0}, {-0.0, 1.0}, {INFINITY, 1.0}, {-INFINITY, 1.0}, {NAN, 1.0}, {5e-324, 1.0}),
              .run = pow_scalar_power_0},
             {"x^1", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN}, {5e-324, 5e-324}),
              .run = pow_scalar_power_1},
             {"x^0.5", 0, AT({0.0, 0.0}, {INFINITY, INFINITY}, {-1.0, NAN}, {NAN, NAN}, {4.0, 2.0}),
              .run = pow_scalar_power_half},
             {"x^-2", 0,
              AT({0.0, INFINITY}, {-0.0, INFINITY}, {INFINITY, 0.0}, {-INFINITY, 0.0}, {NAN, NAN}, {-2.0, 0.25}),
              .run = pow_scalar_power_minus_2},
             {"x^NaN", 0, AT({0.0, NAN}, {2.0, NAN}, {1.0, 1.0}), .run = pow_scalar_to_nan}),
      .accepts_i64 = true,
      VALUES({"i64^0", pow_scalar_whole_to_0, DIMS(5), 0, (const double[]){1, 1, 1, 1, 1}},
             {"i64^1", pow_scalar_whole_to_1, DIMS(5), 0, (const double[]){-0x1p63, 0x1p63, 5, 0, -3}},
             {"i64^5", pow_scalar_whole_to_5, DIMS(5), 0, (const double[]){0, 0x1p63, 3125, 0, -243}},
             {"i64^(2^63 - 2^10)", pow_scalar_whole_to_most, DIMS(5), 0,
              (const double[]){0, 1, 9048954439714869249.0, 0, 5519095471309336577.0}}),
      ERRORS({"root of i64", pow_scalar_root, HEED_ERR_ARGUMENT, "pow_scalar: p is 0.5: must be representable as i64"},
             {"i64^-1", pow_scalar_inverse, HEED_ERR_ARGUMENT, "pow_scalar: p is -1: must be at least 0, as x is i64"},
             {"i64^(2^63)", pow_scalar_too_large, HEED_ERR_ARGUMENT, "pow_scalar: p is 9.22337e+18:"},
             {"i64^NaN", pow_scalar_no_number, HEED_ERR_ARGUMENT, "pow_scalar: p is nan:"}))

/* a^b of whole numbers. */
static heed_tensor *pow_whole(void)
{
    return heed_pow(HEED_TENSOR(HEED_I64, HEED_SHAPE(6), -3, 0, 2, 10, -1, 7),
                    HEED_TENSOR(HEED_I64, HEED_SHAPE(6), 3, 0, 63, 18, 1001, 1));
}

/* A column to the powers of a row with a negative number in it. */
static heed_tensor *pow_inverse(void)
{
    return heed_pow(heed_ones(HEED_I64, HEED_SHAPE(2, 1)), HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, -2, 1));
}

/* The derivatives of a^b at a = 0 and a few b: `orders` lists the inputs, 0 or 1, by which they are taken. */
static heed_tensor *pow_derivative(const int *orders, int n, int count, const double *b)
{
    heed_tensor *in[2] = {heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(count)), true),
                          heed_set_requires_grad(heed_from_values(HEED_F64, HEED_SHAPE(count), b, count), true)};
    heed_tensor *y = heed_pow(in[0], in[1]);
    for (int i = 0; y && i < n; i++) {
        heed_tensor *sum = heed_sum(y);
        y = NULL;
        heed_grad(&sum, 1, &in[orders[i]], 1, &y, &(heed_grad_options){.create_graph = true});
    }
    return y;
}

#define AT_0(name, ...)                                                                                                \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        static const double b[] = {3, 2, 1, 0.5, 0, -1};                                                               \
        static const int orders[] = {__VA_ARGS__};                                                                     \
        return pow_derivative(orders, (int)(sizeof orders / sizeof orders[0]), 6, b);                                  \
    }
AT_0(pow_by_a, 0)
AT_0(pow_by_b, 1)
AT_0(pow_by_aa, 0, 0)
AT_0(pow_by_ab, 0, 1)
AT_0(pow_by_ba, 1, 0)
AT_0(pow_by_bb, 1, 1)
AT_0(pow_by_aab, 0, 0, 1)

static heed_tensor *pow_by_a_33_times(void)
{
    static const int orders[33] = {0};
    return pow_derivative(orders, 33, 1, (const double[]){40});
}

static const double whole_powers[] = {3, -2, 0};

BINARY(pow, heed_pow(a, b),
       CASES(SHAPES_2(.low = 0.5, .high = 2),
             {.name = "(5) in 5 .. 9 to the powers -2 .. 2",
              .n_inputs = 2,
              .in = {{.shape = DIMS(5), .low = 5, .high = 9}, {.shape = DIMS(5)}}},
             {.name = "(2, 3) of both signs to whole powers",
              .n_inputs = 2,
              .in = {{.shape = DIMS(2, 3), .gap = 0.5}, {OP_CONSTANT, DIMS(3), .values = whole_powers}}}),
       POINTS({"special values", 1e-15,
               AT_2({0.0, 0.0, 1.0}, {0.0, 2.5, 0.0}, {-0.0, 3.0, -0.0}, {0.0, -1.0, INFINITY}, {-0.0, -1.0, -INFINITY},
                    {-2.0, 3.0, -8.0}, {-2.0, -2.0, 0.25}, {-2.0, 0.5, NAN}, {4.0, 0.5, 2.0}, {1.0, NAN, 1.0},
                    {NAN, 0.0, 1.0}, {NAN, 1.0, NAN}, {2.0, NAN, NAN}, {INFINITY, -1.0, 0.0},
                    {-INFINITY, 3.0, -INFINITY}, {0.5, INFINITY, 0.0}, {0.5, -INFINITY, INFINITY},
                    {-1.0, INFINITY, 1.0}, {10.0, -400.0, 0.0}, {1.25, 2.5, 1.7469281074217107})}),
       .accepts_i64 = true,
       VALUES({"i64", pow_whole, DIMS(6), 0, (const double[]){-27, 1, -0x1p63, 1e18, -1, 7}},
              {"a at 0", pow_by_a, DIMS(6), 0, (const double[]){0, 0, 1, INFINITY, 0, -INFINITY}},
              {"b at 0", pow_by_b, DIMS(6), 0, (const double[]){0, 0, 0, 0, 0, -INFINITY}},
              {"aa at 0", pow_by_aa, DIMS(6), 0, (const double[]){0, 2, 0, -INFINITY, 0, INFINITY}},
              {"ab at 0", pow_by_ab, DIMS(6), 0, (const double[]){0, 0, -INFINITY, -INFINITY, INFINITY, INFINITY}},
              {"ba at 0", pow_by_ba, DIMS(6), 0, (const double[]){0, 0, -INFINITY, -INFINITY, INFINITY, INFINITY}},
              {"bb at 0", pow_by_bb, DIMS(6), 0, (const double[]){0, 0, 0, 0, 0, INFINITY}},
              {"aab at 0", pow_by_aab, DIMS(6), 0,
               (const double[]){0, -INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY}}),
       ERRORS({"i64 to a negative power", pow_inverse, HEED_ERR_ARGUMENT,
               "pow: element 1 of b (3) is -2: must be at least 0 if b is i64"},
              {"derivative 33", pow_by_a_33_times, HEED_ERR_UNSUPPORTED, "derivative 33 by a: must be at most 32"}))
