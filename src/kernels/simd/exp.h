/* kernels/simd/exp.h - exp and tanh of a register. NaN gives NaN, infinities give the limits, denormals are kept.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_EXP_H
#define HEED_KERNELS_SIMD_EXP_H

#include "kernels/simd/constants.h"
#include "kernels/simd/vec.h"

#if IS_F32
#include "kernels/simd/tanh_table.h"
#endif

/* c[0] + c[1] x + ... + c[n - 1] x^(n - 1) */
static ALWAYS_INLINE vec polynomial_vec(vec x, const T *c, int n)
{
    vec y = splat(c[n - 1]);
    UNROLL32
    for (int i = n - 2; i >= 0; i--)
        y = muladd_vec(y, x, splat(c[i]));
    return y;
}

/* Returns y 2^n, where t = n + EXP_ROUNDER, whose lowest bits are n + 2 EXPONENT_BIAS. Multiplies by two factors. Both
 * are normal numbers, or 0 for n = -2 EXPONENT_BIAS. */
static ALWAYS_INLINE vec scale_vec(vec y, vec t)
{
    const BITS exponents = (BITS)(2 * EXPONENT_BIAS + 1) << MANTISSA_BITS;
    vec_bits first = (bits_vec(t) << (MANTISSA_BITS - 1)) & exponents;
    vec_bits second = (bits_vec(t) << MANTISSA_BITS) - first;
    return y * number_vec(first) * number_vec(second);
}

/* Returns e^r, where e^x = 2^n e^r, and sets *t to n + EXP_ROUNDER. */
static ALWAYS_INLINE vec exp_part_vec(vec x, vec *t)
{
    *t = muladd_vec(x, splat(K(LOG2E)), splat(EXP_ROUNDER));
    vec n = *t - EXP_ROUNDER;
    vec r = muladd_vec(n, splat(-K(LN2_LOW)), muladd_vec(n, splat(-K(LN2_HIGH)), x));
    return polynomial_vec(r, exp_terms, EXP_TERMS);
}

/* e^x, with errors of at most 1.2 ULP, 0.9 with fma, also for denormal results. For very negative x, such as masked
 * scores, the result is set to 0 without underflow, for which x86 takes a hundred cycles. */
static ALWAYS_INLINE vec exp_vec(vec x)
{
    vec t;
#if defined(HAVE_SCALEF)
    vec part = exp_part_vec(at_most_vec(x, EXP_HIGH), &t);
    return scale_above(splat(EXP_ZERO), x, part, t - EXP_ROUNDER);
#else
    vec part = exp_part_vec(at_most_vec(at_least_vec(x, EXP_LOW), EXP_HIGH), &t);
    return scale_vec(part, t);
#endif
}

/* e^x for x <= 0, but 0 if e^x is below about the smallest normal number. Such a term does not change a sum that
 * contains a 1, and denormal numbers are slow to compute with. */
static ALWAYS_INLINE vec exp_below_vec(vec x)
{
    const vec least = splat(EXP_LEAST);
#if defined(HAVE_SCALEF)
    vec t, part = exp_part_vec(x, &t);
    return scale_above(least, x, part, t - EXP_ROUNDER);
#else
    return select_vec(x < least, (vec){0}, exp_vec(x));
#endif
}

#if IS_F32
/* tanh(x), with errors of at most 2.1 ULP: |x| = TANH_STEP n + r, and a polynomial of r for every n, without a
 * division. */
static ALWAYS_INLINE vec tanh_vec(vec x)
{
    vec a = at_most_vec(abs_vec(x), 31 * TANH_STEP);
    vec t = muladd_vec(a, splat(1 / TANH_STEP), splat(ROUNDER));
    vec r = muladd_vec(t - ROUNDER, splat(-TANH_STEP), a);
    vec c[TANH_TABLE_TERMS];
    tanh_coefficients(bits_vec(t), c);
    vec y = c[TANH_TABLE_TERMS - 1];
    UNROLL16
    for (int i = TANH_TABLE_TERMS - 2; i >= 0; i--)
        y = muladd_vec(y, r, c[i]);
    return signed_like_vec(y, x);
}
#else
/* tanh(x), with errors of at most 2.6 ULP: (e^2a - 1) / (e^2a + 1) with a = |x| = n ln(2) / 2 + r and e^2a - 1 = 2^n
 * (e^2r - 1) + 2^n - 1, without significant cancellation. */
static ALWAYS_INLINE vec tanh_vec(vec x)
{
    vec a = at_most_vec(abs_vec(x), TANH_HIGH);
    vec t = muladd_vec(a, splat(K(2 * LOG2E)), splat(TANH_ROUNDER));
    vec n = t - TANH_ROUNDER;
    vec r = muladd_vec(n, splat(-K(LN2_LOW / 2)), muladd_vec(n, splat(-K(LN2_HIGH / 2)), a));
    vec power = number_vec(bits_vec(t) << MANTISSA_BITS);
    vec part = muladd_vec(r * r, polynomial_vec(r, tanh_terms, TANH_TERMS), r + r);
    vec less_1 = muladd_vec(power, part, power - 1);
    return signed_like_vec(less_1 / (less_1 + 2), x);
}
#endif

#endif
