/* ops/elementwise/atan.c    y = arctan x, elementwise.    dx = g / (1 + x^2) */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0];
    dx[0] = heed__angle_slope(g[0], heed_ones(x->dtype, HEED_SCALAR), x);
}

const heed_op heed_op_atan = {
    .name = "atan",
    HEED__UNARY_FUSED(atan, atan_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_atan(heed_tensor *x)
{
    return heed__apply1(&heed_op_atan, x, NULL);
}
