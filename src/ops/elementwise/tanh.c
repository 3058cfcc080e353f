/* ops/elementwise/tanh.c    y = tanh(x), elementwise.    dx = g (1 - y^2) */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_rsub_scalar(heed_square(call->outputs[0]), 1.0));
}

const heed_op heed_op_tanh = {
    .name = "tanh",
    HEED__UNARY_FUSED(tanh, tanh_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_tanh(heed_tensor *x)
{
    return heed__apply1(&heed_op_tanh, x, NULL);
}
