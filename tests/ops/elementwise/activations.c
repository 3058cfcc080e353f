/* tests/ops/elementwise/activations.c - activation functions, except tanh (exponential.c): a row per op
 * (elementwise.h). */

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
