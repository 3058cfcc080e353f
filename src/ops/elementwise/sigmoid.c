/* ops/elementwise/sigmoid.c    y = 1 / (1 + e^-x), elementwise.    dx = g y (1 - y) */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed_mul(g[0], heed_mul(y, heed_rsub_scalar(y, 1.0)));
}

const heed_op heed_op_sigmoid = {
    .name = "sigmoid",
    HEED__UNARY_FUSED(sigmoid, sigmoid_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_sigmoid(heed_tensor *x)
{
    return heed__apply1(&heed_op_sigmoid, x, NULL);
}
