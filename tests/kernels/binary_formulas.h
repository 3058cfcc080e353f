/* tests/kernels/binary_formulas.h - reference_NAME_f32 and reference_NAME_f64, the formulas of BINARY in kernels.def,
 * and the functions in them. Included once per number type T, with TYPED(name), which adds the type to a name, and
 * LIBM(name).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define K(number) ((T)(number))
#define larger TYPED(larger)
#define smaller TYPED(smaller)
#define sign_of TYPED(sign_of)
#define remainder_of TYPED(remainder_of)
#define floor_divide_of TYPED(floor_divide_of)

static T larger(T a, T b)
{
    return isnan(a) || a > b ? a : b;
}

static T smaller(T a, T b)
{
    return isnan(a) || a < b ? a : b;
}

static T sign_of(T a)
{
    return a > 0 ? 1 : a < 0 ? -1 : a;
}

/* The result of fmod has the sign of a; b is added if its sign is different. */
static T remainder_of(T a, T b)
{
    T rest = LIBM(fmod)(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static T floor_divide_of(T a, T b)
{
    T rest = LIBM(fmod)(a, b), quotient = LIBM(rint)((a - rest) / b);
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    return b == 0 ? a / b : quotient == 0 ? LIBM(copysign)(0, a / b) : quotient;
}

#define BINARY(name, numbers, formula)                                                                                 \
    static T TYPED(reference_##name)(T a, T b, const double *p)                                                        \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        return formula;                                                                                                \
    }
#include "kernels/kernels.def"

#undef K
#undef larger
#undef smaller
#undef sign_of
#undef remainder_of
#undef floor_divide_of
