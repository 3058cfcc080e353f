/* tests/ops/elementwise/activations.c - activation functions, except tanh (exponential.c): a row per op
 * (elementwise.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"

UNARY(relu, heed_relu(x), CASES(SHAPES(.gap = 0.05), RANGE(1e7, 1e8), RANGE(-1e8, -1e7)),
      POINTS({"special values", 0,
              AT({0.0, 0.0}, {-0.0, 0.0}, {INFINITY, INFINITY}, {-INFINITY, 0.0}, {NAN, NAN}, {5e-324, 5e-324},
                 {-5e-324, 0.0}, {1.5, 1.5}, {-1.5, 0.0})}))

RUN_1(leaky_relu_steep, heed_leaky_relu(x, -0.5))

UNARY(leaky_relu, heed_leaky_relu(x, p[0]), .p = {0.01},
      CASES(SHAPES(.gap = 0.05), RANGE(1e7, 1e8), RANGE(-1e8, -1e7),
            UNARY_SAMPLE("slope -0.5", leaky_relu_steep, DIMS(5), .gap = 0.05)),
      POINTS(
          {"known values", 0, AT({0.5, 0.5}, {-1.25, -0.0125}, {3.0, 3.0}, {-0.1, -0.001}, {1e-08, 1e-08}, {7.0, 7.0})},
          {"special values", 0,
           AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN}, {5e-324, 5e-324})}))

static heed_tensor *prelu_slope_gradient(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), -1, INFINITY, 3, -2), *dslope = NULL;
    heed_tensor *slope = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    heed_tensor *y = heed_sum(heed_prelu(x, slope));
    return y && heed_grad(&y, 1, &slope, 1, &dslope, NULL) == HEED_OK ? dslope : NULL;
}

#define PRELU_SAMPLE(name_, dims_x, dims_slope)                                                                        \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = { {.shape = dims_x, .gap = 0.05}, {.shape = dims_slope} }                  \
    }

ROW(prelu, heed_prelu(in[0], in[1]),
    CASES(PRELU_SAMPLE("() ()", NO_DIMS, NO_DIMS), PRELU_SAMPLE("(5) (1)", DIMS(5), DIMS(1)),
          PRELU_SAMPLE("(3, 4) (4)", DIMS(3, 4), DIMS(4)), PRELU_SAMPLE("(3, 4) ()", DIMS(3, 4), NO_DIMS),
          PRELU_SAMPLE("(2, 3, 2, 2) (3)", DIMS(2, 3, 2, 2), DIMS(3)),
          PRELU_SAMPLE("(2, 1, 3) (1)", DIMS(2, 1, 3), DIMS(1)), PRELU_SAMPLE("(0, 3, 2) (3)", DIMS(0, 3, 2), DIMS(3)),
          PRELU_SAMPLE("(2, 0, 3) (0)", DIMS(2, 0, 3), DIMS(0))),
    EXAMPLES(
        {"special values",
         {GIVEN(HEED_F64, DIMS(6), 0, -0.0, 2, -2, INFINITY, NAN), GIVEN(HEED_F64, NO_DIMS, 0.25)},
         RESULT(DIMS(6), 0, 0, -0.0, 2, -0.5, INFINITY, NAN)},
        {"too few slopes",
         {GIVEN_ONES(HEED_F32, DIMS(2, 3)), GIVEN_ONES(HEED_F32, DIMS(2))},
         FAILS(HEED_ERR_SHAPE, "prelu: slope is (2) and x is (2, 3): ")},
        {"a row of slopes",
         {GIVEN_ONES(HEED_F32, DIMS(2, 3)), GIVEN_ONES(HEED_F32, DIMS(1, 3))},
         FAILS(HEED_ERR_SHAPE, "prelu: slope is (1, 3) and x is (2, 3): ")},
        {"slopes of a vector",
         {GIVEN_ONES(HEED_F32, DIMS(3)), GIVEN_ONES(HEED_F32, DIMS(3))},
         FAILS(HEED_ERR_SHAPE, "prelu: slope is (3) and x is (3): ")},
        {"mixed dtypes",
         {GIVEN_ONES(HEED_F32, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(3))},
         FAILS(HEED_ERR_DTYPE, "prelu: ")},
        {"i64", {GIVEN_ONES(HEED_I64, DIMS(2, 3)), GIVEN_ONES(HEED_I64, DIMS(3))}, FAILS(HEED_ERR_DTYPE, "prelu: ")},
        {"NULL", {{0}, GIVEN_ONES(HEED_F32, DIMS(1))}, FAILS(HEED_ERR_ARGUMENT, "prelu: ")},
        {"NULL slope", {GIVEN_ONES(HEED_F32, DIMS(1)), {0}}, FAILS(HEED_ERR_ARGUMENT, "prelu: ")}),
    VALUES({"gradient of the slopes", prelu_slope_gradient, DIMS(2), 0, (const double[]){-1, -2}}))

UNARY(hardswish, heed_hardswish(x),
      CASES(SHAPES(.low = -2.9, .high = 2.9), RANGE(1e7, 1e8), RANGE(-1e8, -1e7), RANGE(-1e-8, 1e-8)),
      POINTS({"special values", 1e-16,
              AT({0.0, 0.0}, {-0.0, -0.0}, {1.0, 0.66666666666666663}, {-1.5, -0.375}, {3.0, 3.0}, {-3.0, -0.0},
                 {INFINITY, INFINITY}, {-INFINITY, -0.0}, {NAN, NAN}, {1e308, 1e308}, {-1e308, -0.0})}))

RUN_1(elu_hollow, heed_elu(x, -0.5))

UNARY(elu, heed_elu(x, p[0]), .p = {1.5},
      CASES(SHAPES(.gap = 0.05), RANGE(1e7, 1e8), RANGE(-1e8, -1e7),
            UNARY_SAMPLE("alpha -0.5", elu_hollow, DIMS(5), .gap = 0.05)),
      POINTS({"known values", 4e-16,
              AT({0.5, 0.5}, {-1.25, -1.0702428047097148}, {3.0, 3.0}, {-0.1, -0.14274387294606064}, {1e-08, 1e-08},
                 {7.0, 7.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -1.5}, {NAN, NAN}, {5e-324, 5e-324},
                 {800.0, 800.0}, {-800.0, -1.5})}))

UNARY(selu, heed_selu(x), CASES(SHAPES(.gap = 0.05), RANGE(1e7, 1e8), RANGE(-1e8, -1e7)),
      POINTS({"special values", 4e-16,
              AT({0.0, 0.0}, {INFINITY, INFINITY}, {-INFINITY, -1.7580993408473768}, {NAN, NAN},
                 {1.0, 1.0507009873554805})}))

RUN_1(sigmoid_tail, heed_mul_scalar(heed_sigmoid(x), 1e44))

UNARY(sigmoid, heed_sigmoid(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.6224593312018546}, {-1.25, 0.22270013882530884}, {3.0, 0.9525741268224334},
                 {-0.1, 0.47502081252106}, {1e-08, 0.5000000025}, {7.0, 0.9990889488055994})},
             {"special values", 0,
              AT({0.0, 0.5}, {-0.0, 0.5}, {INFINITY, 1.0}, {-INFINITY, 0.0}, {NAN, NAN}, {40.0, 1.0}, {-800.0, 0.0})},
             {"small results, times 1e44", 1e-15, AT({-100.0, 3.720075976020836}, {-110.0, 0.00016889118802245327}),
              .run = sigmoid_tail}),
      .derivative_error = 2)

UNARY(softplus, heed_softplus(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.9740769841801067}, {-1.25, 0.2519290813453729}, {3.0, 3.048587351573742},
                 {-30.0, 9.357622968839737e-14}, {1e-08, 0.6931471855599454}, {40.0, 40.0})},
             {"special values", 1e-16,
              AT({0.0, 0.69314718055994531}, {INFINITY, INFINITY}, {-INFINITY, 0.0}, {NAN, NAN}, {800.0, 800.0},
                 {-800.0, 0.0})}))

UNARY(silu, heed_silu(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.3112296656009273}, {-1.25, -0.27837517353163604}, {3.0, 2.8577223804672998},
                 {-30.0, -2.8072868906517896e-12}, {1e-08, 5.000000025e-09}, {40.0, 40.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -0.0}, {NAN, NAN}, {800.0, 800.0},
                 {-800.0, -0.0})}))

UNARY(mish, heed_mish(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.3752452113048951}, {-1.25, -0.3084139611415277}, {3.0, 2.986535004967957},
                 {-30.0, -2.807286890651921e-12}, {1e-08, 6.000000031999999e-09}, {40.0, 40.0}, {41.0, 41.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -0.0}, {NAN, NAN}, {1e308, 1e308},
                 {-800.0, -0.0})}),
      .derivative_error = 2)

ROW(glu, heed_glu(in[0], (int)c->i[0]),
    CASES(ONE("(4)", NULL, DIMS(4), .i = {0}), ONE("(2, 6) axis 1", NULL, DIMS(2, 6), .i = {1}),
          ONE("(6, 3) axis 0", NULL, DIMS(6, 3), .i = {0}), ONE("(2, 4, 3) axis -2", NULL, DIMS(2, 4, 3), .i = {-2}),
          ONE("(0, 2) axis 1", NULL, DIMS(0, 2), .i = {1}), ONE("(3, 0) axis -1", NULL, DIMS(3, 0), .i = {-1})),
    EXAMPLES(
        {"special values", {GIVEN(HEED_F64, DIMS(6), 3, -2, NAN, 0, 1000, 1)}, RESULT(DIMS(3), 0, 1.5, -2, NAN)},
        {"odd size", {GIVEN_ONES(HEED_F32, DIMS(2, 3))}, .i = {1}, FAILS(HEED_ERR_SHAPE, "glu: axis 1 of x")},
        {"axis 2", {GIVEN_ONES(HEED_F32, DIMS(2, 4))}, .i = {2}, FAILS(HEED_ERR_SHAPE, "glu: there is no axis 2 ")},
        {"scalar", {GIVEN_ONES(HEED_F32, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, "glu: there is no axis 0 ")},
        {"i64", {GIVEN_ONES(HEED_I64, DIMS(4))}, FAILS(HEED_ERR_DTYPE, "glu: ")},
        {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, "glu: ")}))

UNARY(gelu, heed_gelu(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.34573123063700656}, {-1.25, -0.1320622170835691}, {3.0, 2.99595030590511},
                 {-0.1, -0.0460172162722971}, {1e-08, 5.000000039894228e-09}, {7.0, 6.999999999991041})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -0.0}, {NAN, NAN}, {40.0, 40.0},
                 {-40.0, -0.0})}),
      .derivative_error = 2)

UNARY(gelu_tanh, heed_gelu_tanh(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-14,
              AT({0.5, 0.34571400982514394}, {-1.25, -0.1322857970302854}, {3.0, 2.9963626079182273},
                 {-6.0, -8.439646700762311e-11}, {1e-08, 5.000000039894228e-09}, {40.0, 40.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN}, {800.0, 800.0},
                 {-800.0, -0.0})}),
      .derivative_error = 1024)
