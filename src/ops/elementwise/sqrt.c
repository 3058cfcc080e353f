/* ops/elementwise/sqrt.c    y = x^(1/2), elementwise.    dx = g / (2 y) */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed_mul_scalar(call->outputs[0], 2.0));
}

const heed_op heed_op_sqrt = {
    .name = "sqrt",
    HEED__UNARY_FUSED(sqrt, sqrt_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_sqrt(heed_tensor *x)
{
    return heed__apply1(&heed_op_sqrt, x, NULL);
}
