/* ops/elementwise/expm1.c    y = e^x - 1, elementwise.    dx = g (y + 1) */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_add_scalar(call->outputs[0], 1.0));
}

const heed_op heed_op_expm1 = {
    .name = "expm1",
    HEED__UNARY_FUSED(expm1, expm1_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_expm1(heed_tensor *x)
{
    return heed__apply1(&heed_op_expm1, x, NULL);
}
