/* ops/elementwise/cos.c    y = cos x, elementwise.    dx = -g sin x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_neg(heed_mul(g[0], heed_sin(call->inputs[0])));
}

const heed_op heed_op_cos = {
    .name = "cos",
    HEED__UNARY(cos),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_cos(heed_tensor *x)
{
    return heed__apply1(&heed_op_cos, x, NULL);
}
