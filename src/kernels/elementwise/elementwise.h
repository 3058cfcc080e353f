/* kernels/elementwise/elementwise.h - elementwise kernels: the functions for the formulas in kernels.def, and kernels
 * that need more than a formula.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ELEMENTWISE_ELEMENTWISE_H
#define HEED_KERNELS_ELEMENTWISE_ELEMENTWISE_H

#include <math.h>

#include "kernels/elementwise/loops.h"
#include "kernels/kernels.h"
#include "kernels/simd/functions.h"

/* The formula of an entry of kernels.def as a function, abs_formula, add_formula ..., and the heads of kernels. */
#define FORMULA(type, name, inputs, locals, formula)                                                                   \
    static ALWAYS_INLINE type name##_formula inputs                                                                    \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        locals;                                                                                                        \
        return formula;                                                                                                \
    }
#define UNARY_KERNEL(name) static void name##_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)
#define BINARY_KERNEL(name)                                                                                            \
    static void name##_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y, const double *p)

/* A copy of p[0] .. p[numbers - 1]. The compiler knows that no store changes it. */
#define COPY_OF(p, numbers) ((const double[2]){(numbers) > 0 ? (p)[0] : 0, (numbers) > 1 ? (p)[1] : 0})

/* Define abs_kernel, add_kernel ...: NAME_kernel for every entry with a formula. */
#define UNARY(name, numbers, formula, ulps, exact)                                                                     \
    FORMULA(T, name, (T x, const double *p), , formula)                                                                \
    UNARY_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        map1(name##_formula, n, (strided){x, sx}, y, COPY_OF(p, numbers));                                             \
    }
#define UNARY_VEC(name, locals, formula, ulps, exact)                                                                  \
    FORMULA(vec, name, (vec x, const double *p), locals, formula)                                                      \
    UNARY_KERNEL(name)                                                                                                 \
    {                                                                                                                  \
        map1_vec(name##_formula, name##_kernel, n, (strided){x, sx}, y, p);                                            \
    }
#define BINARY(name, numbers, formula)                                                                                 \
    FORMULA(T, name, (T a, T b, const double *p), , formula)                                                           \
    BINARY_KERNEL(name)                                                                                                \
    {                                                                                                                  \
        map2(name##_formula, n, (strided){a, sa}, (strided){b, sb}, y, COPY_OF(p, numbers));                           \
    }
#define BINARY_VEC(name, locals, formula, ulps, exact)                                                                 \
    FORMULA(vec, name, (vec a, vec b, const double *p), locals, formula)                                               \
    BINARY_KERNEL(name)                                                                                                \
    {                                                                                                                  \
        map2_vec(name##_formula, n, (strided){a, sa}, (strided){b, sb}, y, p);                                         \
    }
#include "kernels/kernels.def"

/* -- scale --------------------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE T scale_formula(T x, const double *p)
{
    return K(p[0]) * x;
}

static ALWAYS_INLINE T scale_in_f64_formula(T x, const double *p)
{
    return (T)(p[0] * (double)x);
}

/* y = p[0] x. In f32, a factor that overflows, or that loses digits because it is denormal, is applied in f64, because
 * f32 may still represent the products. */
UNARY_KERNEL(scale)
{
    const double factor = p[0], size = fabs((double)(T)factor);
    const bool fits = (double)(T)factor == factor || (size >= 0x1p-126 && size < 0x1p128) || isnan(factor);
    if (IS_F32 && !fits)
        map1(scale_in_f64_formula, n, (strided){x, sx}, y, &factor);
    else
        map1(scale_formula, n, (strided){x, sx}, y, &factor);
}

/* -- sin, cos and tan ---------------------------------------------------------------------------------------------- */

enum { ANGLES = 256 }; /* angles processed at a time */

FORMULA(vec, sin, (vec x, const double *p), , sin_vec(x))
FORMULA(vec, cos, (vec x, const double *p), , cos_vec(x))
FORMULA(vec, tan, (vec x, const double *p), , tan_vec(x))

static void small_sines(int64_t n, const T *x, T *y)
{
    map_contiguous(sin_formula, n, x, y, NULL);
}

static void small_cosines(int64_t n, const T *x, T *y)
{
    map_contiguous(cos_formula, n, x, y, NULL);
}

static void small_tangents(int64_t n, const T *x, T *y)
{
    map_contiguous(tan_formula, n, x, y, NULL);
}

/* True if an element of x is too large for sin_vec and cos_vec, infinite or NaN. */
static bool has_large_angle(int64_t n, const T *x)
{
    BITS most = 0;
    for (int64_t i = 0; i < n; i++) {
        const BITS size = bits_of(x[i]) & ~SIGN_BIT;
        most = size > most ? size : most;
    }
    return most > bits_of(ANGLE_HIGH);
}

/* Computes y with `small`, in blocks of ANGLES. Computes elements that are too large for `small` again with `exact`, a
 * function of libm. */
static void map_angles(void (*small)(int64_t n, const T *x, T *y), T (*exact)(T), int64_t n, strided x, T *y)
{
    for (int64_t i = 0; i < n; i += ANGLES) {
        const int64_t count = n - i < ANGLES ? n - i : ANGLES;
        if (x.step == 1 && !has_large_angle(count, x.at + i)) {
            small(count, x.at + i, y + i);
            continue;
        }
        T gathered[ANGLES];
        for (int64_t j = 0; j < count; j++)
            gathered[j] = x.at[(i + j) * x.step];
        small(count, gathered, y + i);
        for (int64_t j = 0; j < count; j++)
            if (!(LIBM(fabs)(gathered[j]) <= ANGLE_HIGH))
                y[i + j] = exact(gathered[j]);
    }
}

UNARY_KERNEL(sin)
{
    (void)p;
    map_angles(small_sines, LIBM(sin), n, (strided){x, sx}, y);
}

UNARY_KERNEL(cos)
{
    (void)p;
    map_angles(small_cosines, LIBM(cos), n, (strided){x, sx}, y);
}

UNARY_KERNEL(tan)
{
    (void)p;
    map_angles(small_tangents, LIBM(tan), n, (strided){x, sx}, y);
}

/* -- pow_scalar: common exponents without pow, but with the same results ------------------------------------------- */

FORMULA(T, pow_1, (T x, const double *p), , x)
/* sqrt differs from pow at -inf and at -0; x + 0 turns -0 into 0. */
FORMULA(T, pow_half, (T x, const double *p), , x == -K(INFINITY) ? K(INFINITY) : LIBM(sqrt)(x + 0))
FORMULA(T, pow_minus_1, (T x, const double *p), , 1 / x)
FORMULA(T, pow_3, (T x, const double *p), , x *x *x)
FORMULA(T, pow_any, (T x, const double *p), , (T)pow((double)x, p[0]))

UNARY_KERNEL(pow_scalar)
{
    const strided from = {x, sx};
    const double e = p[0];
    if (e == 2)
        map1(square_formula, n, from, y, NULL);
    else if (e == 1)
        map1(pow_1_formula, n, from, y, NULL);
    else if (e == 0.5)
        map1(pow_half_formula, n, from, y, NULL);
    else if (e == -1)
        map1(pow_minus_1_formula, n, from, y, NULL);
    else if (e == 3)
        map1(pow_3_formula, n, from, y, NULL);
    else
        map1(pow_any_formula, n, from, y, &e);
}

/* -- Pairwise losses ----------------------------------------------------------------------------------------------- */

static ALWAYS_INLINE T smooth_l1_formula(T a, T b, const double *p)
{
    const T size = LIBM(fabs)(a - b), beta = K(p[0]);
    return size < beta ? K(0.5) * size * (size / beta) : size - K(0.5) * beta;
}

BINARY_KERNEL(smooth_l1)
{
    map2(smooth_l1_formula, n, (strided){a, sa}, (strided){b, sb}, y, COPY_OF(p, 1));
}

/* max(a, 0) - a b = w |a|, with w = 1 - b if a > 0 and w = b otherwise; w = 0 gives 0 even if a is infinite. */
static ALWAYS_INLINE vec binary_cross_entropy_formula(vec a, vec b, const double *p)
{
    const vec zero = {0}, size = abs_vec(a), w = select_vec(a > zero, 1 - b, b);
    (void)p;
    return select_vec(w == zero, zero, w * size) + log1p_vec(exp_vec(-size));
}

BINARY_KERNEL(binary_cross_entropy)
{
    map2_vec(binary_cross_entropy_formula, n, (strided){a, sa}, (strided){b, sb}, y, p);
}

/* -- where --------------------------------------------------------------------------------------------------------- */

/* Reads b and c before it selects one of them, so that the loop needs no branch. The conditions are `step` elements
 * apart; they are bools, read as unsigned char, which gcc vectorises. */
static ALWAYS_INLINE void select_loop(int64_t n, const unsigned char *a, int64_t step, strided b, strided c, T *y)
{
    INDEPENDENT
    for (int64_t i = 0; i < n; i++) {
        const T of_b = b.at[i * b.step], of_c = c.at[i * c.step];
        y[i] = a[i * step] ? of_b : of_c;
    }
}

static void where_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, const void *c, int64_t sc,
                         void *y)
{
    if (sa == 1 && sb == 1 && sc == 1)
        select_loop(n, a, 1, (strided){b, 1}, (strided){c, 1}, y);
    else if (sa == 1 && sb == 1 && sc == 0)
        select_loop(n, a, 1, (strided){b, 1}, (strided){c, 0}, y);
    else
        select_loop(n, a, sa, (strided){b, sb}, (strided){c, sc}, y);
}

#endif
