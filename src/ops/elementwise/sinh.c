/* ops/elementwise/sinh.c    y = sinh x, elementwise.    dx = g cosh x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_cosh(call->inputs[0]));
}

const heed_op heed_op_sinh = {
    .name = "sinh",
    HEED__UNARY(sinh),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_sinh(heed_tensor *x)
{
    return heed__apply1(&heed_op_sinh, x, NULL);
}
