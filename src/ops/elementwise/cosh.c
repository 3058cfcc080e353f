/* ops/elementwise/cosh.c    y = cosh x, elementwise.    dx = g sinh x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sinh(call->inputs[0]));
}

const heed_op heed_op_cosh = {
    .name = "cosh",
    HEED__UNARY(cosh),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_cosh(heed_tensor *x)
{
    return heed__apply1(&heed_op_cosh, x, NULL);
}
