/* kernels/simd/constants.h - the coefficients and bounds for exp, tanh, log, erf, gelu, sin, cos and atan. If two
 * errors or bounds are given, the first is for f32, the second for f64.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_CONSTANTS_H
#define HEED_KERNELS_SIMD_CONSTANTS_H

#include "kernels/simd/element.h"

#define LOG2E 1.4426950408889634074
#define LOG10E 0.43429448190325182765
#if IS_F32
#define LN2_HIGH 0x1.62e4p-1
#define LN2_LOW 0x1.7f7d1cf79abcap-20
#define LOG10_2_HIGH 0x1.344p-2
#define LOG10_2_LOW 0x1.3509f79fef312p-18
#define ROUNDER 0x1.8p23f
#else
#define LN2_HIGH 0x1.62e42fefa38p-1
#define LN2_LOW 0x1.ef35793c7673p-45
#define LOG10_2_HIGH 0x1.34413509f78p-2
#define LOG10_2_LOW 0x1.fef311f12b358p-46
#define ROUNDER 0x1.8p52
#endif

/* exp(x) = 2^n exp(r) with n = round(x / ln 2), r = x - n ln 2. LN2_HIGH has so few bits that n LN2_HIGH is exact.
 * Adding ROUNDER (1.5 times 2^mantissa bits) to a number leaves it, rounded to nearest, in the low bits; EXP_ROUNDER
 * also adds twice the exponent's bias. Below EXP_ZERO the result is 0, above EXP_HIGH infinite; at EXP_LOW, n is -2
 * EXPONENT_BIAS. */
#define EXP_ROUNDER (ROUNDER + 2 * EXPONENT_BIAS)
#if IS_F32
#define EXP_LOW (-176)
#define EXP_ZERO (-104)
#define EXP_HIGH 100
#else
#define EXP_LOW (-1418)
#define EXP_ZERO (-746)
#define EXP_HIGH 800
#endif

/* The x for which e^x is just above the smallest normal number. */
#if IS_F32
#define EXP_LEAST (-87.0f)
#else
#define EXP_LEAST (-708.0)
#endif

/* exp(r) for |r| <= ln(2) / 2. Of the polynomials that begin with 1 + r, these have the smallest relative errors,
 * 3.1e-9 and 3.7e-18. */
#if IS_F32
enum { EXP_TERMS = 7 };
static const T exp_terms[] = {
    1.0f, 1.0f, 0.49999993452f, 0.166665206897f, 0.0416683873026f, 0.00836870984289f, 0.00138146159628f};
#else
enum { EXP_TERMS = 12 };
static const T exp_terms[] = {1.0,
                              1.0,
                              0.50000000000000105758,
                              0.16666666666666409637,
                              0.04166666666653051249,
                              0.0083333333334961786495,
                              0.0013888888943550875806,
                              0.00019841269503173798602,
                              0.000024801493171446939167,
                              2.7557589167430575071e-6,
                              2.7630224789019455048e-7,
                              2.4999242437458020121e-8};
#endif

/* ((exp(2 r) - 1) / r - 2) / r for |r| <= ln(2) / 4, with relative errors of 1.3e-8 and 1.8e-17 in exp(2 r) - 1. Up to
 * TANH_HIGH, above which tanh is 1, 2^n needs no second factor: TANH_ROUNDER adds the exponent's bias once. */
#define TANH_ROUNDER (ROUNDER + EXPONENT_BIAS)
#if IS_F32
#define TANH_HIGH 10
enum { TANH_TERMS = 5 };
static const T tanh_terms[] = {1.99999992553f, 1.33332349681f, 0.666675250072f, 0.267728403384f, 0.0888471069291f};
#else
#define TANH_HIGH 20
enum { TANH_TERMS = 10 };
static const T tanh_terms[] = {2.0000000000000020697,    1.3333333333333271488,    0.66666666666522922776,
                               0.26666666666846419982,   0.08888888916185118557,   0.025396825240418549001,
                               0.0063491853584954313045, 0.0014109392647592581942, 0.00028289048714749536567,
                               0.0000513101229212936869};
#endif

/* e^x - 1 is computed with tanh_terms. sinh overflows below EXPM1_HIGH; at EXPM1_LOW, e^x - 1 is -1, rounded.
 * EXPM1_ROUNDER computes a quarter of e^x - 1, which is finite up to EXPM1_HIGH. If |x| is below EXPM1_TINY, e^x - 1 is
 * x, rounded. */
#define EXPM1_ROUNDER (TANH_ROUNDER - 2)
#define EXPM1_LOW (-40)
#if IS_F32
#define EXPM1_HIGH 89.5
#define EXPM1_TINY 0x1p-26
#else
#define EXPM1_HIGH 710.5
#define EXPM1_TINY 0x1p-55
#endif

/* (2 atanh(s) - 2 s) / s^3 as a polynomial of z = s^2 for |s| <= 0.2, with errors of 5.7e-9 and 3.1e-17 relative to the
 * sum. */
#if IS_F32
enum { LOG_TERMS = 3 };
static const T log_terms[] = {0.6666694949f, 0.3995760594f, 0.3036530997f};
#else
enum { LOG_TERMS = 7 };
static const T log_terms[] = {0.66666666666672803052, 0.39999999996110340965, 0.28571429404702952747,
                              0.22222137716571168452, 0.18186388812854453816, 0.1524952325047506196,
                              0.15373432111718874985};
#endif

/* (2 atanh(s) - 2 s) / s^3 for |s| <= 1/3, by the series 2/3 + 2/5 z + ... with z = s^2, truncated with errors of 4e-9
 * and 4e-17. */
#if IS_F32
enum { LOG1P_TERMS = 7 };
static const T log1p_terms[] = {2.0f / 3, 2.0f / 5, 2.0f / 7, 2.0f / 9, 2.0f / 11, 2.0f / 13, 2.0f / 15};
#else
enum { LOG1P_TERMS = 15 };
static const T log1p_terms[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17,
                                2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25, 2.0 / 27, 2.0 / 29, 2.0 / 31};
#endif

/* erf(x) / x - 1 as a polynomial of x^2 for |x| <= 0.75, with errors of 1.4e-9 and 6.7e-17 relative to erf. */
#if IS_F32
enum { ERF_TERMS = 6 };
static const T erf_terms[] = {0.128379165f,  -0.3761261876f, 0.1128337663f,
                              -0.026834626f, 0.00511434677f, -0.0006749512814f};
#else
enum { ERF_TERMS = 10 };
static const T erf_terms[] = {0.1283791670955124982,     -0.37612638903181093564,     0.11283791670800506715,
                              -0.026866170610158782699,  0.0052239772226913252698,    -0.00085483003077246528466,
                              0.00012054250277730996241, -0.000014898346938774619377, 1.6041916385519113268e-6,
                              -1.270127558856623686e-7};
#endif

/* (a + 3) e^(a^2) erfc(a) as a polynomial of t = (a - 3) / (a + 3), for a up to 10.7 and 28.4, with errors of 2.7e-9
 * and 7.9e-18. Beyond GELU_HIGH the tail of the normal distribution is 0. */
#if IS_F32
#define GELU_HIGH 15
enum { ERFCX_TERMS = 10 };
static const T erfcx_terms[] = {1.074006908f,      -0.8833944932f,   0.5902282651f,    -0.3104658196f,
                                0.1195296103f,     -0.02684096987f,  -0.001229537469f, 0.003081456933f,
                                -0.0004773867369f, -0.0003223070112f};
#else
#define GELU_HIGH 40
enum { ERFCX_TERMS = 23 };
static const T erfcx_terms[] = {
    1.0740069070883397091,       -0.88339445316988353344,    0.59022835710409923934,    -0.31046726190057618486,
    0.11952776128744615014,      -0.02682723462423857685,    -0.0012124166308168471348, 0.0030340619980140658953,
    -0.00054830964937272455734,  -0.00027677782097795575095, 0.00010756119947618433765, 0.000030398025945191862113,
    -0.000017469368372132224605, -4.7486926166074135651e-6,  2.7622266877496819701e-6,  9.9742428337966210723e-7,
    -4.0268984985568763847e-7,   -2.3074173830466575622e-7,  4.0750563488696922872e-8,  4.7189740971377928936e-8,
    1.8189820858776824238e-9,    -5.9196700160393205422e-9,  -1.3689005942741999039e-9};
#endif

/* pi / 2 as the sum of four parts. The first three have 11 or 33 bits, so that n times such a part is exact if n pi / 2
 * is at most ANGLE_HIGH. The last part is rounded to T. */
#if IS_F32
#define ANGLE_HIGH 8192
static const T half_pi[] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.444p-24f, 0x1.68c234p-39f};
#else
#define ANGLE_HIGH 1e6
static const T half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69, 0x1.b839a252p-104};
#endif

/* (sin(x) - x) / x^3 and (cos(x) - 1 + x^2 / 2) / x^4 as polynomials of x^2 for |x| <= pi / 4, with errors of 3.6e-9
 * and 1.2e-10 (f32), and 3.5e-18 and 5.7e-20 (f64), relative to sin and cos. */
#if IS_F32
enum { SIN_TERMS = 3, COS_TERMS = 3 };
static const T sin_terms[] = {-0.1666665488f, 0.00833217355f, -0.000195166511f};
static const T cos_terms[] = {0.04166664559f, -0.001388731099f, 2.44325014e-5f};
#else
enum { SIN_TERMS = 6, COS_TERMS = 6 };
static const T sin_terms[] = {-0.1666666666666663174,   0.0083333333333223344496,  -0.00019841269829737985904,
                              2.7557313665589861543e-6, -2.5050753694291112323e-8, 1.589652388055812462e-10};
static const T cos_terms[] = {0.041666666666666592069,   -0.0013888888888872900739, 0.000024801587288750257656,
                              -2.7557314148935491399e-7, 2.0875696588089169488e-9,  -1.1358310317911917954e-11};
#endif

/* (atan(z) - z) / z^3 as a polynomial of z^2 for |z| <= tan(pi / 8), with errors of 2.1e-8 and 3.6e-17 relative to
 * atan; and pi / 4 in two parts. */
#define TAN_1_8_PI 0.41421356237309504880
#define TAN_3_8_PI 2.41421356237309504880
#if IS_F32
#define QUARTER_PI 0x1.921fb6p-1
#define QUARTER_PI_LOW (-0x1.777a5cp-26)
enum { ATAN_TERMS = 4 };
static const T atan_terms[] = {-0.333329491302f, 0.199777097848f, -0.138776765782f, 0.0805371637725f};
#else
#define QUARTER_PI 0x1.921fb54442d18p-1
#define QUARTER_PI_LOW 0x1.1a62633145c07p-55
enum { ATAN_TERMS = 10 };
static const T atan_terms[] = {-0.33333333333330150975,  0.19999999999088995549,   -0.14285714195264126311,
                               0.11111106653688037211,   -0.090907824144955119178, 0.076900683246181648108,
                               -0.066411213602509514844, 0.056925396632121993954,  -0.043590966100256512114,
                               0.021259854321447922192};
#endif

/* If |a| and |b| are at most PAIR_HIGH, the product of two numbers of the form e^(2a + 2b) + 1 is a normal number. 1 /
 * this product is one, too, even if multiplied by a factor up to PAIR_FACTOR_HIGH. */
#if IS_F32
#define PAIR_HIGH 10
#else
#define PAIR_HIGH 80
#endif

#define PAIR_FACTOR_HIGH 4096
#endif
