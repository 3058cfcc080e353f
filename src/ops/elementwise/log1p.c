/* ops/elementwise/log1p.c    y = ln(1 + x), elementwise.    dx = g / (1 + x) */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed_add_scalar(call->inputs[0], 1.0));
}

const heed_op heed_op_log1p = {
    .name = "log1p",
    HEED__UNARY_FUSED(log1p, log1p_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_log1p(heed_tensor *x)
{
    return heed__apply1(&heed_op_log1p, x, NULL);
}
