/* tests/kernels/kernel_formulas.h - the formulas of BINARY in kernels.def for one number type, as functions
 * plain_NAME_f32 or plain_NAME_f64, with plain versions of the functions that they use. Included once per type:
 * test_kernels.c defines T, TYPED(name), which adds the type to a name, and LIBM(name). */

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
    static T TYPED(plain_##name)(T a, T b, const double *p)                                                            \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        numbers;                                                                                                       \
        return formula;                                                                                                \
    }
#include "kernels/kernels.def"

#undef larger
#undef smaller
#undef sign_of
#undef remainder_of
#undef floor_divide_of
