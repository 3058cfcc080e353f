/* kernels/elementwise/elementwise.h - elementwise kernels: the functions for the formulas in kernels.def, and kernels
 * that need more than a formula. */
#ifndef HEED_KERNELS_ELEMENTWISE_ELEMENTWISE_H
#define HEED_KERNELS_ELEMENTWISE_ELEMENTWISE_H

#include <math.h>

#include "kernels/elementwise/loops.h"
#include "kernels/kernels.h"
#include "kernels/simd/functions.h"

/* Defines abs_kernel, add_kernel, add_scalar_kernel ...: NAME_kernel for every entry with a formula. */
#define UNARY(name, numbers, formula, ulps, exact) DEFINE_MAP1(name, numbers, formula)
#define UNARY_VEC(name, locals, formula, ulps, exact) DEFINE_MAP_VEC(name, locals, formula)
#define BINARY(name, numbers, formula) DEFINE_MAP2(name, numbers, formula)
#define BINARY_VEC(name, locals, formula, ulps, exact) DEFINE_MAP2_VEC(name, locals, formula)
#include "kernels/kernels.def"

/* -- scale --------------------------------------------------------------------------------------------------------- */

DEFINE_MAP1(scale_by, const T c = (T)p[0], (c * x))
DEFINE_MAP1(scale_in_f64, const double c = p[0], (T)(c *(double)x))

/* y = p[0] x. In f32, a factor that overflows, or that loses digits because it is denormal, is applied in f64, because
 * f32 may still represent the products. */
static void scale_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)
{
    const double size = fabs((double)(T)p[0]);
    const bool fits = (double)(T)p[0] == p[0] || (size >= 0x1p-126 && size < 0x1p128) || isnan(p[0]);
    (IS_F32 && !fits ? scale_in_f64_kernel : scale_by_kernel)(n, x, sx, y, p);
}

/* -- sin and cos --------------------------------------------------------------------------------------------------- */

enum { ANGLES = 256 }; /* angles processed at a time */

DEFINE_MAP_VEC(sin_of_small, , sin_vec(x))
DEFINE_MAP_VEC(cos_of_small, , cos_vec(x))

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
static void map_angles(heed__unary_kernel *small, T (*exact)(T), int64_t n, const T *x, int64_t sx, T *y)
{
    for (int64_t i = 0; i < n; i += ANGLES) {
        const int64_t count = n - i < ANGLES ? n - i : ANGLES;
        if (sx == 1 && !has_large_angle(count, x + i)) {
            small(count, x + i, 1, y + i, NULL);
            continue;
        }
        T gathered[ANGLES];
        for (int64_t j = 0; j < count; j++)
            gathered[j] = x[(i + j) * sx];
        small(count, gathered, 1, y + i, NULL);
        for (int64_t j = 0; j < count; j++)
            if (!(LIBM(fabs)(gathered[j]) <= ANGLE_HIGH))
                y[i + j] = exact(gathered[j]);
    }
}

static void sin_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)
{
    (void)p;
    map_angles(sin_of_small_kernel, LIBM(sin), n, x, sx, y);
}

static void cos_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)
{
    (void)p;
    map_angles(cos_of_small_kernel, LIBM(cos), n, x, sx, y);
}

/* -- pow_scalar: common exponents without pow, but with the same results ------------------------------------------- */

DEFINE_MAP1(pow_1, , (x))
/* sqrt differs from pow at -inf and at -0; x + 0 turns -0 into 0. */
DEFINE_MAP1(pow_half, , (x == -K(INFINITY) ? K(INFINITY) : LIBM(sqrt)(x + 0)))
DEFINE_MAP1(pow_minus_1, , (1 / x))
DEFINE_MAP1(pow_3, , (x * x * x))
DEFINE_MAP1(pow_any, const double e = p[0], (T)pow((double)x, e))

static void pow_scalar_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)
{
    heed__unary_kernel *kernel = pow_any_kernel;
    if (p[0] == 2)
        kernel = square_kernel;
    else if (p[0] == 1)
        kernel = pow_1_kernel;
    else if (p[0] == 0.5)
        kernel = pow_half_kernel;
    else if (p[0] == -1)
        kernel = pow_minus_1_kernel;
    else if (p[0] == 3)
        kernel = pow_3_kernel;
    kernel(n, x, sx, y, p);
}

/* -- Pairwise losses ----------------------------------------------------------------------------------------------- */

static inline T smooth_l1_of(T d, T beta)
{
    const T size = LIBM(fabs)(d);
    return size < beta ? K(0.5) * size * (size / beta) : size - K(0.5) * beta;
}

/* max(x, 0) - x t = w |x|, with w = 1 - t if x > 0 and w = t otherwise; w = 0 gives 0 even if x is infinite. */
static ALWAYS_INLINE vec binary_cross_entropy_vec(vec x, vec t)
{
    const vec zero = {0};
    vec size = abs_vec(x), w = select_vec(x > zero, 1 - t, t);
    return select_vec(w == zero, zero, w * size) + log1p_vec(exp_vec(-size));
}

DEFINE_MAP2(smooth_l1, const T beta = (T)p[0], smooth_l1_of(a - b, beta))
DEFINE_MAP2_VEC(binary_cross_entropy, , binary_cross_entropy_vec(a, b))

/* -- where --------------------------------------------------------------------------------------------------------- */

/* Reads b and c before it selects one of them, so that the loop needs no branch. */
#define WHERE_LOOP(index_a, index_b, index_c)                                                                          \
    {                                                                                                                  \
        INDEPENDENT                                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const T b = pb[index_b], c = pc[index_c];                                                                  \
            y[i] = pa[index_a] ? b : c;                                                                                \
        }                                                                                                              \
    }

static void where_kernel(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, const void *c_, int64_t sc,
                         void *y_)
{
    const unsigned char *pa = a_; /* bools, read as unsigned char, which gcc vectorises */
    const T *pb = b_, *pc = c_;
    T *y = y_;
    if (sa == 1 && sb == 1 && sc == 1)
        WHERE_LOOP(i, i, i)
    else if (sa == 1 && sb == 1 && sc == 0)
        WHERE_LOOP(i, i, 0)
    else
        WHERE_LOOP(i * sa, i * sb, i * sc)
}

#endif
