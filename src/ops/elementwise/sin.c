/* ops/elementwise/sin.c    y = sin x, elementwise.    dx = g cos x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_cos(call->inputs[0]));
}

const heed_op heed_op_sin = {
    .name = "sin",
    HEED__UNARY(sin),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_sin(heed_tensor *x)
{
    return heed__apply1(&heed_op_sin, x, NULL);
}
