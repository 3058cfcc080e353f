/* tests/kernels/kernel_formulas.h - the formulas of BINARY in kernels.def for numbers of one type, as functions
 * plain_NAME_f32 or plain_NAME_f64; and what they are written in, the plain way. Included once for each type:
 * test_kernels.c defines T and TYPED(name), which adds the type to a name. */

#define larger TYPED(larger)
#define smaller TYPED(smaller)
#define sign_of TYPED(sign_of)

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
