/* tests/ops/elementwise/exponential.c - square roots, exponential functions, logarithms, hyperbolic functions and erf:
 * a row per op (elementwise.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "elementwise.h"

UNARY(sqrt, heed_sqrt(x), CASES(SHAPES(.low = 0.5, .high = 3), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.7071067811865476}, {1.25, 1.118033988749895}, {3.0, 1.7320508075688772},
                 {0.1, 0.31622776601683794}, {1e-08, 0.0001}, {700.0, 26.457513110645905})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN}, {-1.0, NAN},
                 {4.9406564584124654e-324, 2.2227587494850775e-162})}))

UNARY(rsqrt, heed_rsqrt(x), CASES(SHAPES(.low = 0.5, .high = 3), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 1.414213562373095}, {1.25, 0.8944271909999159}, {3.0, 0.5773502691896258},
                 {0.1, 3.162277660168379}, {1e-08, 10000.0}, {700.0, 0.03779644730092272})},
             {"special values", 0,
              AT({0.0, INFINITY}, {-0.0, -INFINITY}, {INFINITY, 0.0}, {-INFINITY, NAN}, {NAN, NAN}, {-1.0, NAN},
                 {4.0, 0.5})}))

UNARY(exp, heed_exp(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 1.6487212707001282}, {-1.25, 0.2865047968601901}, {3.0, 20.085536923187668},
                 {-0.1, 0.9048374180359595}, {1e-08, 1.00000001}, {7.0, 1096.6331584284585})},
             {"special values", 0,
              AT({0.0, 1.0}, {-0.0, 1.0}, {INFINITY, INFINITY}, {-INFINITY, 0.0}, {NAN, NAN}, {710.0, INFINITY},
                 {-746.0, 0.0})},
             {"denormal results", 0, AT({-740.0, 4.1995579896505956e-322}, {-745.0, 4.9406564584124654e-324})}))

UNARY(log, heed_log(x), CASES(SHAPES(.low = 0.5, .high = 3), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, -0.6931471805599453}, {1.25, 0.22314355131420974}, {3.0, 1.0986122886681096},
                 {0.1, -2.3025850929940455}, {1e-08, -18.420680743952364}, {700.0, 6.551080335043404})},
             {"special values", 0,
              AT({0.0, -INFINITY}, {-0.0, -INFINITY}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN}, {1.0, 0.0},
                 {-1.0, NAN})},
             {"of denormals", 1e-15, AT({5e-324, -744.4400719213812}, {1e-310, -713.8013788281542})}))

UNARY(log2, heed_log2(x), CASES(SHAPES(.low = 0.5, .high = 3), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.7, -0.5145731728297583}, {1.25, 0.32192809488736235}, {3.0, 1.584962500721156},
                 {0.1, -3.321928094887362}, {1e-08, -26.575424759098897}, {700.0, 9.451211111832329})},
             {"powers of 2", 0,
              AT({0.5, -1.0}, {1.0, 0.0}, {8.0, 3.0}, {0x1p1023, 1023.0}, {0x1p-1022, -1022.0}, {0x1p-1074, -1074.0})},
             {"special values", 0,
              AT({0.0, -INFINITY}, {-0.0, -INFINITY}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN},
                 {-1.0, NAN})}))

UNARY(log10, heed_log10(x), CASES(SHAPES(.low = 0.5, .high = 3), RANGE(1e7, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, -0.3010299956639812}, {1.25, 0.09691001300805642}, {3.0, 0.47712125471966244}, {0.1, -1.0},
                 {1e-08, -8.0}, {700.0, 2.845098040014257})},
             {"powers of 10", 0, AT({1.0, 0.0}, {10.0, 1.0}, {100.0, 2.0}, {1000.0, 3.0}, {1e15, 15.0}, {1e22, 22.0})},
             {"special values", 0,
              AT({0.0, -INFINITY}, {-0.0, -INFINITY}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN},
                 {-1.0, NAN})}))

UNARY(expm1, heed_expm1(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8)),
      POINTS({"known values", 4e-16,
              AT({0.5, 0.6487212707001282}, {-1.25, -0.7134952031398099}, {3.0, 19.085536923187668},
                 {-0.1, -0.09516258196404043}, {1e-08, 1.0000000050000001e-08}, {7.0, 1095.6331584284585})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -1.0}, {NAN, NAN}, {5e-324, 5e-324},
                 {-5e-324, -5e-324}, {1e-20, 1e-20}, {800.0, INFINITY}, {-800.0, -1.0})}),
      .derivative_error = 2)

UNARY(log1p, heed_log1p(x), CASES(SHAPES(.low = -0.8, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
      POINTS({"known values", 4e-16,
              AT({0.5, 0.4054651081081644}, {-0.75, -1.3862943611198906}, {3.0, 1.3862943611198906},
                 {-0.1, -0.10536051565782631}, {1e-08, 9.999999950000001e-09}, {7e+20, 47.99761200893622})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, NAN}, {NAN, NAN}, {-1.0, -INFINITY},
                 {-1.5, NAN}, {5e-324, 5e-324}, {-5e-324, -5e-324}, {1e-20, 1e-20})}))

/* The gradient by a of the sum, for equal and for different infinities. */
static heed_tensor *logaddexp_at_infinities(void)
{
    heed_tensor *a =
        heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(4), INFINITY, -INFINITY, INFINITY, -INFINITY), true);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), INFINITY, -INFINITY, 1, 1), *da = NULL;
    heed_tensor *y = heed_sum(heed_logaddexp(a, b));
    return y && heed_grad(&y, 1, &a, 1, &da, NULL) == HEED_OK ? da : NULL;
}

BINARY(logaddexp, heed_logaddexp(a, b), CASES(SHAPES_2(.low = -2, .high = 2), RANGE_2(-1e-8, 1e-8), RANGE_2(1e7, 1e8)),
       POINTS({"special values", 1e-15,
               AT_2({0.0, 0.0, 0.69314718055994531}, {1.0, 2.0, 2.313261687518223},
                    {-1000.0, -1001.0, -999.6867383124818}, {1000.0, 1000.0, 1000.6931471805599},
                    {-40.0, 0.0, 4.248354255291589e-18}, {1.0, -INFINITY, 1.0}, {INFINITY, 1.0, INFINITY},
                    {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {INFINITY, -INFINITY, INFINITY},
                    {NAN, 1.0, NAN}, {1.0, NAN, NAN}, {NAN, INFINITY, NAN})}),
       VALUES({"gradient at infinities", logaddexp_at_infinities, DIMS(4), 0, (const double[]){0.5, 0.5, 1, 0}}))

UNARY(sinh, heed_sinh(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8)),
      POINTS({"known values", 4e-16,
              AT({0.5, 0.5210953054937474}, {-1.25, -1.6019190803008254}, {3.0, 10.017874927409903},
                 {-0.1, -0.10016675001984404}, {1e-08, 1e-08}, {7.0, 548.3161232732465},
                 {710.25, 1.4342530302495124e+308})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, {NAN, NAN}, {5e-324, 5e-324},
                 {-1e-20, -1e-20}, {800.0, INFINITY}, {-800.0, -INFINITY})}))

UNARY(cosh, heed_cosh(x), CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8)),
      POINTS({"known values", 4e-16,
              AT({0.5, 1.1276259652063807}, {-1.25, 1.8884238771610156}, {3.0, 10.067661995777764},
                 {-0.1, 1.0050041680558035}, {1e-08, 1.0}, {7.0, 548.3170351552121},
                 {710.25, 1.4342530302495124e+308})},
             {"special values", 0,
              AT({0.0, 1.0}, {-0.0, 1.0}, {INFINITY, INFINITY}, {-INFINITY, INFINITY}, {NAN, NAN}, {5e-324, 1.0},
                 {-1e-20, 1.0}, {800.0, INFINITY}, {-800.0, INFINITY})}))

UNARY(tanh, heed_tanh(x), CASES(SHAPES(.low = -2, .high = 2)),
      POINTS({"special values", 1e-15,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, 1.0}, {-INFINITY, -1.0}, {NAN, NAN},
                 {1.0, 0.76159415595576489})}),
      .derivative_error = 8)

UNARY(erf, heed_erf(x), CASES(SHAPES(.low = -2, .high = 2), RANGE(-1e-8, 1e-8), RANGE(-1e8, 1e8)),
      POINTS({"known values", 1e-15,
              AT({0.5, 0.5204998778130465}, {-1.25, -0.9229001282564582}, {3.0, 0.9999779095030014},
                 {-0.1, -0.1124629160182849}, {1e-08, 1.1283791670955126e-08}, {7.0, 1.0})},
             {"special values", 0,
              AT({0.0, 0.0}, {-0.0, -0.0}, {INFINITY, 1.0}, {-INFINITY, -1.0}, {NAN, NAN}, {6.5, 1.0}, {-6.5, -1.0})}))
