/* ops/elementwise/elu.c    y = x for x > 0, else alpha (e^x - 1), elementwise.    dx = g for x > 0, else g alpha e^x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0], *above = heed_compare_scalar(x, HEED_COMPARE_GT, 0.0);
    heed_tensor *below = heed_where(above, heed_zeros(x->dtype, HEED_SCALAR), x); /* so e^x is finite; keeps NaN */
    heed_tensor *slope = heed_mul_scalar(heed_exp(below), *(const double *)call->params);
    dx[0] = heed_where(above, g[0], heed_mul(g[0], slope));
}

const heed_op heed_op_elu = {
    .name = "elu",
    HEED__UNARY_FUSED(elu, elu_grad),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "alpha")),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_elu(heed_tensor *x, double alpha)
{
    return heed__apply1(&heed_op_elu, x, &alpha);
}
