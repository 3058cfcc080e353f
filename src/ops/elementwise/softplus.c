/* ops/elementwise/softplus.c    y = ln(1 + e^x), elementwise.    dx = g / (1 + e^-x) */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__logistic(call->inputs[0]));
}

const heed_op heed_op_softplus = {
    .name = "softplus",
    HEED__UNARY_FUSED(softplus, softplus_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_softplus(heed_tensor *x)
{
    return heed__apply1(&heed_op_softplus, x, NULL);
}
