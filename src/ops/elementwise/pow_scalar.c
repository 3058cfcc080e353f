/* ops/elementwise/pow_scalar.c    y = x^p, elementwise.
 *
 *     dx = g p x^(p-1), and 0 for p = 0, because x^(p-1) may be infinite */

#include "ops/elementwise/elementwise.h"

/* Integer powers by squaring; p is at least 0. */
static uint64_t power(uint64_t x, uint64_t p)
{
    uint64_t y = 1;
    for (; p > 0; p /= 2, x *= x)
        if (p % 2 == 1)
            y *= x;
    return y;
}

HEED__I64_LOOP(i64_loop, power(x, c))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    double p = *(const double *)call->params;
    if (p == 0.0)
        dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
    else
        dx[0] = heed_mul(g[0], heed_mul_scalar(heed_pow_scalar(call->inputs[0], p - 1.0), p));
}

const heed_op heed_op_pow_scalar = {
    .name = "pow_scalar",
    HEED__UNARY_NUMBER(pow_scalar, i64_loop),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "exponent")),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_pow_scalar(heed_tensor *x, double p)
{
    if (heed__is_i64(x) && p < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "pow_scalar", "p is %g: must be at least 0, as x is i64", p);
    return heed__apply_number(&heed_op_pow_scalar, x, "p", p);
}
