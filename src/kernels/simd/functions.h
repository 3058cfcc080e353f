/* kernels/simd/functions.h - functions of a register, without branches or calls. NaN gives NaN, infinities give the
 * limits, denormals are kept. tests/kernels/test_kernels_math.c measures the errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_FUNCTIONS_H
#define HEED_KERNELS_SIMD_FUNCTIONS_H

#include "kernels/simd/constants.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/vec.h"

/* 1 / (1 + e^-x), from e^-|x| so that small results keep their digits. Errors of at most 2.4 ULP. */
static ALWAYS_INLINE vec sigmoid_vec(vec x)
{
    const vec zero = {0};
    vec e = exp_vec(-abs_vec(x));
    return select_vec(x < zero, e, splat(1)) / (1 + e);
}

/* NaN gives NaN, -0 gives -0. */
static inline T sign_of(T x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* The larger of two numbers (larger), and the smaller (smaller); NaN if either number is NaN. */
static inline T larger(T a, T b)
{
    return ((a > b) | (a != a)) ? a : b;
}

static inline T smaller(T a, T b)
{
    return ((a < b) | (a != a)) ? a : b;
}

/* low if x is below low, else high if x is above high, else x. In two steps, which compilers turn into a minimum and a
 * selection. */
static inline T clamp_of(T x, T low, T high)
{
    const T capped = x > high ? high : x;
    return x < low ? low : capped;
}

/* remainder_of returns a - b floor(a / b), which has the sign of b; floor_divide_of returns floor(a / b). Both use the
 * exact result of fmod. */
static inline T remainder_of(T a, T b)
{
    const T rest = LIBM(fmod)(a, b);
    return ((rest != 0) & ((rest < 0) != (b < 0))) ? rest + b : rest;
}

static inline T floor_divide_of(T a, T b)
{
    if (b == 0)
        return a / b;
    const T rest = LIBM(fmod)(a, b);
    const T quotient = LIBM(rint)((a - rest) / b) - (T)((rest != 0) & ((rest < 0) != (b < 0)));
    return quotient == 0 ? LIBM(copysign)(0, a / b) : quotient;
}

/* Splits x into 2^exponent * part with part in 0.75 .. 1.5, and returns the exponent. The caller handles 0, NaN,
 * infinite and negative x. */
static ALWAYS_INLINE vec split_vec(vec x, vec *part)
{
    const vec normal = splat(number_of((BITS)1 << MANTISSA_BITS));
    vec_mask tiny = x < normal;
    x = select_vec(tiny, x * number_of((BITS)(EXPONENT_BIAS + MANTISSA_BITS) << MANTISSA_BITS), x);
    const BITS three_quarters = bits_of(K(0.75));
    vec_bits above = bits_vec(x) - three_quarters + ((BITS)(EXPONENT_BIAS + 1) << MANTISSA_BITS);
    *part = number_vec((above & (((BITS)1 << MANTISSA_BITS) - 1)) + three_quarters);
    vec_bits exponent = (above >> MANTISSA_BITS) + bits_of(ROUNDER - (EXPONENT_BIAS + 1));
    return number_vec(exponent) - select_vec(tiny, splat(ROUNDER + MANTISSA_BITS), splat(ROUNDER));
}

/* y = ln(x), but with the limits of ln at 0 and infinity, and NaN below 0 and for NaN. */
static ALWAYS_INLINE vec log_limits_vec(vec x, vec y)
{
    const vec zero = {0};
    y = select_vec(x < splat(K(INFINITY)), y, x); /* also for NaN */
    y = select_vec(x < zero, splat(K(NAN)), y);
    return select_vec(x == zero, splat(-K(INFINITY)), y);
}

/* ln(x), with errors of at most 1 ULP. x = 2^n (1 + f), and with s = f / (2 + f), ln(1 + f) = 2 atanh(s) = f - (f^2 / 2
 * - s (f^2 / 2 + z (2/3 + ...))), where z = s^2. */
static ALWAYS_INLINE vec log_vec(vec x)
{
    vec part, n = split_vec(x, &part);
    vec f = part - 1, s = f / (2 + f), z = s * s, half = f * K(0.5) * f;
    vec rest = muladd_vec(z, polynomial_vec(z, log_terms, LOG_TERMS), half);
    vec low = half - muladd_vec(s, rest, n * K(LN2_LOW));
    return log_limits_vec(x, muladd_vec(n, splat(K(LN2_HIGH)), f - low));
}

/* ln(1 + e) for e in -0.25 .. 1, by the method of log_vec. Errors of less than 2 ULP. */
static ALWAYS_INLINE vec log1p_vec(vec e)
{
    vec s = e / (2 + e), half = K(0.5) * e * e;
    vec rest = muladd_vec(s * s, polynomial_vec(s * s, log1p_terms, LOG1P_TERMS), half);
    return e - (half - s * rest);
}

/* The logarithms to base 2 and 10, with errors of at most 2.5 ULP. Those of whole powers of the base are exact. */
static ALWAYS_INLINE vec log2_vec(vec x)
{
    vec part, n = split_vec(x, &part);
    return log_limits_vec(x, n + log1p_vec(part - 1) * K(LOG2E));
}

static ALWAYS_INLINE vec log10_vec(vec x)
{
    vec part, n = split_vec(x, &part);
    vec low = muladd_vec(n, splat(K(LOG10_2_LOW)), log1p_vec(part - 1) * K(LOG10E));
    return log_limits_vec(x, muladd_vec(n, splat(K(LOG10_2_HIGH)), low));
}

/* ln(e^a + e^b) = max(a, b) + ln(1 + e^-|a - b|); equal infinities stay themselves. */
static ALWAYS_INLINE vec logaddexp_vec(vec a, vec b)
{
    const vec zero = {0};
    vec distance = select_vec(a == b, zero, abs_vec(a - b));
    return select_vec(a > b, a, b) + log1p_vec(exp_vec(-distance));
}

/* (e^x - 1) / 4, which is finite wherever sinh x is: a quarter of 2^n (e^r - 1) + 2^n - 1, as in tanh_vec. */
static ALWAYS_INLINE vec expm1_quarter_vec(vec x)
{
    x = at_most_vec(at_least_vec(x, EXPM1_LOW), K(EXPM1_HIGH));
    vec t = muladd_vec(x, splat(K(LOG2E)), splat(EXPM1_ROUNDER)), n = t - EXPM1_ROUNDER;
    vec r = muladd_vec(n, splat(-K(LN2_LOW / 2)), muladd_vec(n, splat(-K(LN2_HIGH / 2)), x * K(0.5)));
    vec power = number_vec(bits_vec(t) << MANTISSA_BITS);
    vec part = muladd_vec(r * r, polynomial_vec(r, tanh_terms, TANH_TERMS), r + r);
    return muladd_vec(power, part, power - K(0.25));
}

/* Returns x if |x| is so small that y = f(x) rounds to x, else y. This preserves -0 and denormal numbers. */
static ALWAYS_INLINE vec unless_tiny_vec(vec x, vec y)
{
    return select_vec(abs_vec(x) < splat(K(EXPM1_TINY)), x, y);
}

static ALWAYS_INLINE vec expm1_vec(vec x)
{
    return unless_tiny_vec(x, expm1_quarter_vec(x) * 4);
}

/* With d = e^|x| - 1, sinh |x| = (d + d / (d + 1)) / 2; q is d / 4. */
static ALWAYS_INLINE vec sinh_vec(vec x)
{
    vec q = expm1_quarter_vec(abs_vec(x));
    return unless_tiny_vec(x, signed_like_vec(2 * q + q / (2 * q + K(0.5)), x));
}

static ALWAYS_INLINE vec cosh_vec(vec x)
{
    vec q = expm1_quarter_vec(abs_vec(x));
    return 2 * q + (K(0.5) + K(0.5) / (4 * q + 1));
}

/* ln(1 + x) for any x, as ln(u) + (1 + x - u) / u, where u is 1 + x, rounded. Errors of less than 3 ULP. */
static ALWAYS_INLINE vec log1p_any_vec(vec x)
{
    vec u = 1 + x, y = log_vec(u);
    vec lost = select_vec(x > splat(1), 1 - (u - x), x - (u - 1));
    y = select_vec(abs_vec(y) < splat(K(INFINITY)), y + lost / u, y);
    return select_vec(u == splat(1), x, y);
}

/* e^(-scale x^2), corrected for the rounding of x^2. */
static ALWAYS_INLINE vec gaussian_vec(vec x, T scale)
{
    vec square = x * x;
#if defined(HAVE_FMA)
    vec rest = muladd_vec(x, x, -square);
#else
    vec head = number_vec(bits_vec(x) & ~(((BITS)1 << (MANTISSA_BITS / 2 + 1)) - 1)), tail = x - head;
    vec rest = ((head * head - square) + 2 * head * tail) + tail * tail;
#endif
    vec e = exp_vec(square * -scale);
    return muladd_vec(e, rest * -scale, e);
}

/* e^(a^2) erfc(a) for a in 0 .. 28.4: a polynomial of t = (a - 3) / (a + 3), divided by a + 3. */
static ALWAYS_INLINE vec erfcx_vec(vec a)
{
    vec part = 1 / (a + 3), t = muladd_vec(part, splat(-6), splat(1));
    return part * polynomial_vec(t, erfcx_terms, ERFCX_TERMS);
}

/* erf(x), with errors of at most 2.4 ULP: by a polynomial of x^2 for |x| up to 0.75, else as 1 - erfc. */
static ALWAYS_INLINE vec erf_vec(vec x)
{
    vec a = at_most_vec(abs_vec(x), 9), z = a * a;
    vec near = muladd_vec(a, polynomial_vec(z, erf_terms, ERF_TERMS), a);
    vec far = 1 - gaussian_vec(a, 1) * erfcx_vec(a);
    return signed_like_vec(select_vec(a < splat(K(0.75)), near, far), x);
}

/* The probability that a standard normal number is above a, divided by e^(-a^2 / 2). */
static ALWAYS_INLINE vec normal_tail_vec(vec a)
{
    return erfcx_vec(a * K(0.70710678118654752440)) * K(0.5);
}

/* x Phi(x) = max(x, 0) - |x| Phi(-|x|), without cancellation. Errors of at most 8 ULP, also in the whole negative
 * tail. */
static ALWAYS_INLINE vec gelu_vec(vec x)
{
    const vec zero = {0};
    vec a = at_most_vec(abs_vec(x), GELU_HIGH);
    vec height = a * normal_tail_vec(a); /* the Gaussian is multiplied last, because it may be denormal */
    return muladd_vec(-height, gaussian_vec(a, K(0.5)), select_vec(x >= zero, x, -zero));
}

/* The derivative of gelu, Phi(x) + x phi(x), computed for -|x|; for positive x it is 1 minus that value. Digits cancel
 * only near x = -0.75. */
static ALWAYS_INLINE vec gelu_slope_vec(vec x)
{
    const vec zero = {0};
    vec a = at_most_vec(abs_vec(x), GELU_HIGH);
    vec height = muladd_vec(a, splat(K(-0.39894228040143267794)), normal_tail_vec(a));
    vec left = gaussian_vec(a, K(0.5)) * height;
    return select_vec(x < zero, left, 1 - left);
}

/* sin(a + quarters pi / 2) for a in 0 .. ANGLE_HIGH, with errors of at most 2 (f32) and 2.1 ULP: a = n pi / 2 + r, with
 * pi / 2 in four parts whose products with n are exact. */
static ALWAYS_INLINE vec sine_vec(vec a, BITS quarters)
{
    vec t = muladd_vec(a, splat(K(0.63661977236758134308)), splat(ROUNDER)), r = a;
    UNROLL
    for (int i = 0; i < 4; i++)
        r = muladd_vec(t - ROUNDER, splat(-half_pi[i]), r);
    vec z = r * r;
    vec sine = muladd_vec(r * z, polynomial_vec(z, sin_terms, SIN_TERMS), r);
    vec one = 1 - z * K(0.5), lost = (1 - one) - z * K(0.5);
    vec cosine = one + muladd_vec(z * z, polynomial_vec(z, cos_terms, COS_TERMS), lost);
    vec_bits quadrant = bits_vec(t) + quarters;
    vec_mask odd = -(vec_mask)(quadrant & 1);
    return number_vec(bits_vec(select_vec(odd, cosine, sine)) ^ quadrant >> 1 << (8 * sizeof(T) - 1));
}

static ALWAYS_INLINE vec sin_vec(vec x)
{
    vec y = sine_vec(abs_vec(x), 0);
    return number_vec(bits_vec(y) ^ (bits_vec(x) & SIGN_BIT));
}

static ALWAYS_INLINE vec cos_vec(vec x)
{
    return sine_vec(abs_vec(x), 1);
}

static ALWAYS_INLINE vec tan_vec(vec x)
{
    return sin_vec(x) / cos_vec(x);
}

/* The angle atan(b / a) of the point (a, b), where a and b are not negative, not both 0 and not both infinite. It is 0,
 * pi / 4 or pi / 2 plus the atan of a number of at most tan(pi / 8) in magnitude. */
static ALWAYS_INLINE vec angle_vec(vec b, vec a)
{
    const vec zero = {0};
    vec_mask steep = b > a * K(TAN_3_8_PI), middle = b > a * K(TAN_1_8_PI);
    vec above = select_vec(steep, -a, select_vec(middle, b - a, b));
    vec z = above / select_vec(steep, b, select_vec(middle, b + a, a)), square = z * z;
    vec eighths = select_vec(steep, splat(2), select_vec(middle, splat(1), zero));
    vec rest = muladd_vec(z * square, polynomial_vec(square, atan_terms, ATAN_TERMS), z);
    return muladd_vec(eighths, splat(K(QUARTER_PI)), muladd_vec(eighths, splat(K(QUARTER_PI_LOW)), rest));
}

/* pi - y */
static ALWAYS_INLINE vec mirrored_vec(vec y)
{
    return K(4 * QUARTER_PI) - (y - K(4 * QUARTER_PI_LOW));
}

static ALWAYS_INLINE vec atan_vec(vec x)
{
    return signed_like_vec(angle_vec(abs_vec(x), splat(1)), x);
}

/* sqrt(1 - x^2), the second leg of a right triangle with hypotenuse 1 and leg x. */
static ALWAYS_INLINE vec other_leg_vec(vec x)
{
    return sqrt_vec((1 - x) * (1 + x));
}

static ALWAYS_INLINE vec asin_vec(vec x)
{
    return signed_like_vec(angle_vec(abs_vec(x), other_leg_vec(x)), x);
}

static ALWAYS_INLINE vec acos_vec(vec x)
{
    const vec zero = {0};
    vec y = angle_vec(other_leg_vec(x), abs_vec(x));
    return select_vec(x < zero, mirrored_vec(y), y);
}

/* The angle of the point (x, y), with errors of at most 2.5 ULP. x and y are scaled such that no sum overflows and no
 * product with a constant is denormal. */
static ALWAYS_INLINE vec atan2_vec(vec y, vec x)
{
    const vec zero = {0}, infinity = splat(K(INFINITY));
    vec a = abs_vec(x), b = abs_vec(y);
    vec_mask far = (a == infinity) & (b == infinity);
    a = select_vec(far, splat(1), a);
    b = select_vec(far, splat(1), b);
    vec most = max_vec(a, b);
    const vec large = splat(LARGEST / 4), small = splat(number_of((BITS)(2 * MANTISSA_BITS) << MANTISSA_BITS));
    const vec up = splat(number_of((BITS)(EXPONENT_BIAS + MANTISSA_BITS) << MANTISSA_BITS));
    vec scale = select_vec(most > large, splat(K(0.25)), select_vec(most < small, up, splat(1)));
    vec angle = angle_vec(b * scale, select_vec(a + b == zero, splat(1), a * scale));
    angle = select_vec(bits_vec(x) >= SIGN_BIT + (vec_bits){0}, mirrored_vec(angle), angle);
    return signed_like_vec(angle, y);
}

/* sqrt(a^2 + b^2), with errors of at most 1.5 ULP. a and b are scaled by a power of two if a square could overflow or
 * lose digits. Infinite if either is infinite, even if the other is NaN. */
static ALWAYS_INLINE vec hypot_vec(vec a, vec b)
{
    const vec infinity = splat(K(INFINITY));
    a = abs_vec(a);
    b = abs_vec(b);
    vec most = max_vec(a, b);
    const vec down = splat(number_of((BITS)(EXPONENT_BIAS - EXPONENT_BIAS * 9 / 16) << MANTISSA_BITS));
    const vec up = splat(number_of((BITS)(EXPONENT_BIAS + EXPONENT_BIAS * 3 / 4) << MANTISSA_BITS));
    const vec large = splat(number_of((BITS)(EXPONENT_BIAS + EXPONENT_BIAS / 2 - 2) << MANTISSA_BITS));
    const vec small = splat(number_of((BITS)(EXPONENT_BIAS - EXPONENT_BIAS / 3) << MANTISSA_BITS));
    vec scale = select_vec(most > large, down, select_vec(most < small, up, splat(1)));
    vec p = a * scale, q = b * scale;
    return select_vec((a == infinity) | (b == infinity), infinity, sqrt_vec(p * p + q * q) / scale);
}

#endif
