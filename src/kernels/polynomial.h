/* kernels/polynomial.h - the numbers behind exp, tanh and log1p that differ between f32 and f64. */
#ifndef HEED_KERNELS_POLYNOMIAL_H
#define HEED_KERNELS_POLYNOMIAL_H

/* exp(x) = 2^n exp(r) with n = round(x / ln 2), r = x - n ln 2. LN2_HIGH has so few bits that n LN2_HIGH is exact;
 * ROUNDER (1.5 times 2^mantissa bits) added to a number leaves it rounded to nearest in the low bits. Beyond
 * EXP_LOW and EXP_HIGH the result is 0 and infinite, with room to spare. */
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
#define EXP_LOW_f32 (-110)
#define EXP_LOW_f64 (-800)
#define EXP_HIGH_f32 100
#define EXP_HIGH_f64 800

/* exp(r) - 1 for |r| <= ln(2) / 2 by Taylor's series, r + r^2 (1/2 + r/6 + ...), truncated at 5e-9 and 4e-18. Pairs of
 * terms are summed side by side (Estrin), since a chain of dependent additions is what takes the time. */
static inline float exp_series_f32(float r)
{
    float r2 = r * r;
    float low = (1.0f / 2 + 1.0f / 6 * r) + (1.0f / 24 + 1.0f / 120 * r) * r2;
    float high = 1.0f / 720 + 1.0f / 5040 * r;
    return (low + high * (r2 * r2)) * r2 + r;
}

static inline double exp_series_f64(double r)
{
    double r2 = r * r, r4 = r2 * r2;
    double low = (1.0 / 2 + 1.0 / 6 * r) + (1.0 / 24 + 1.0 / 120 * r) * r2;
    double middle = (1.0 / 720 + 1.0 / 5040 * r) + (1.0 / 40320 + 1.0 / 362880 * r) * r2;
    double high = (1.0 / 3628800 + 1.0 / 39916800 * r) + (1.0 / 479001600 + 1.0 / 6227020800 * r) * r2;
    return ((low + middle * r4) + high * (r4 * r4)) * r2 + r;
}

/* (tanh(x) / x - 1) / x^2 as a polynomial of z = x^2, for |x| <= 0.625: interpolated at Chebyshev's nodes, so that
 * tanh is off by less than 7e-10 and 2e-18. */
static inline float tanh_series_f32(float z)
{
    float z2 = z * z;
    float low = (-0.333333331721403616f + 0.133333035569157418f * z);
    float middle = (-0.0539592595772045427f + 0.0217689186510282102f * z);
    float high = (-0.00834394551583915205f + 0.00229274481617814234f * z);
    return (low + middle * z2) + high * (z2 * z2);
}

static inline double tanh_series_f64(double z)
{
    double z2 = z * z, z4 = z2 * z2;
    double low =
        (-0.333333333333333329 + 0.133333333333330416 * z) + (-0.0539682539678969917 + 0.0218694885190083058 * z) * z2;
    double middle = (-0.00886323510324087792 + 0.00359212175115496227 * z) +
                    (-0.00145577541204780551 + 0.000589660657775704335 * z) * z2;
    double high = (-0.000237590649605556196 + 0.0000925711612955676827 * z) +
                  (-0.0000312011014257974 + 6.48516348279311315e-6 * z) * z2;
    return (low + middle * z4) + high * (z4 * z4);
}

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
