/* kernels/polynomial.h - the numbers behind exp, tanh and log1p. */
#ifndef HEED_KERNELS_POLYNOMIAL_H
#define HEED_KERNELS_POLYNOMIAL_H

#define LOG2E 1.4426950408889634074
#define LN2_HIGH_f32 0x1.62e4p-1
#define LN2_LOW_f32 0x1.7f7d1cf79abcap-20
#define LN2_HIGH_f64 0x1.62e42fefa38p-1
#define LN2_LOW_f64 0x1.ef35793c7673p-45
#define ROUNDER_f32 0x1.8p23f
#define ROUNDER_f64 0x1.8p52
#define MANTISSA_f32 23
#define MANTISSA_f64 52
#define BIAS_f32 127
#define BIAS_f64 1023
#define SIGN_f32 0x80000000u
#define SIGN_f64 0x8000000000000000u

/* exp(x) = 2^n exp(r) with n = round(x / ln 2), r = x - n ln 2. LN2_HIGH has so few bits that n LN2_HIGH is exact;
 * ROUNDER (1.5 times 2^mantissa bits) added to a number leaves it rounded to nearest in the low bits, where EXP_ROUNDER
 * adds twice the exponent's bias. Beyond EXP_LOW and EXP_HIGH the result is 0 and infinite, with room to spare. */
#define EXP_ROUNDER_f32 (ROUNDER_f32 + 2 * BIAS_f32)
#define EXP_ROUNDER_f64 (ROUNDER_f64 + 2 * BIAS_f64)
#define EXP_LOW_f32 (-110)
#define EXP_LOW_f64 (-800)
#define EXP_HIGH_f32 100
#define EXP_HIGH_f64 800

/* exp(r) for |r| <= ln(2) / 2: the polynomials of smallest relative error, 3.1e-9 and 3.7e-18, whose first terms are 1
 * and r. */
enum { EXP_TERMS_f32 = 7, EXP_TERMS_f64 = 12 };
static const float exp_terms_f32[] = {
    1.0f, 1.0f, 0.49999993452f, 0.166665206897f, 0.0416683873026f, 0.00836870984289f, 0.00138146159628f};
static const double exp_terms_f64[] = {1.0,
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

/* ((exp(2 r) - 1) / r - 2) / r for |r| <= ln(2) / 4, which leaves relative errors of 1.3e-8 and 1.8e-17 in
 * exp(2 r) - 1. Up to TANH_HIGH, beyond which tanh is 1, 2^n needs no second factor: TANH_ROUNDER adds the exponent's
 * bias once. */
#define TANH_ROUNDER_f32 (ROUNDER_f32 + BIAS_f32)
#define TANH_ROUNDER_f64 (ROUNDER_f64 + BIAS_f64)
#define TANH_HIGH_f32 10
#define TANH_HIGH_f64 20
enum { TANH_TERMS_f32 = 5, TANH_TERMS_f64 = 10 };
static const float tanh_terms_f32[] = {1.99999992553f, 1.33332349681f, 0.666675250072f, 0.267728403384f,
                                       0.0888471069291f};
static const double tanh_terms_f64[] = {2.0000000000000020697,    1.3333333333333271488,    0.66666666666522922776,
                                        0.26666666666846419982,   0.08888888916185118557,   0.025396825240418549001,
                                        0.0063491853584954313045, 0.0014109392647592581942, 0.00028289048714749536567,
                                        0.0000513101229212936869};

/* 2 atanh(s) / s - 2 = 2/3 z + 2/5 z^2 + ... with z = s^2, for z <= 1/9: truncated at 4e-9 and 4e-17. */
static inline float atanh_series_f32(float z)
{
    float z2 = z * z;
    float low = (2.0f / 3 + 2.0f / 5 * z) + (2.0f / 7 + 2.0f / 9 * z) * z2;
    float high = (2.0f / 11 + 2.0f / 13 * z) + 2.0f / 15 * z2;
    return (low + high * (z2 * z2)) * z;
}

static inline double atanh_series_f64(double z)
{
    double z2 = z * z, z4 = z2 * z2;
    double first = (2.0 / 3 + 2.0 / 5 * z) + (2.0 / 7 + 2.0 / 9 * z) * z2;
    double second = (2.0 / 11 + 2.0 / 13 * z) + (2.0 / 15 + 2.0 / 17 * z) * z2;
    double third = (2.0 / 19 + 2.0 / 21 * z) + (2.0 / 23 + 2.0 / 25 * z) * z2;
    double fourth = (2.0 / 27 + 2.0 / 29 * z) + 2.0 / 31 * z2;
    return ((first + second * z4) + (third + fourth * z4) * (z4 * z4)) * z;
}

#endif
