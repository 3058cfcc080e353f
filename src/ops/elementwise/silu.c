/* ops/elementwise/silu.c    y = x s with s = 1 / (1 + e^-x), elementwise.    dx = g (s + y (1 - s)) */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

/* For |x| above this the slope is 0 or 1 in f64. With x clamped, infinities give these limits. */
#define FLAT 1000.0

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__silu_slope(heed__within(call->inputs[0], FLAT)));
}

const heed_op heed_op_silu = {
    .name = "silu",
    HEED__UNARY_FUSED(silu, silu_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_silu(heed_tensor *x)
{
    return heed__apply1(&heed_op_silu, x, NULL);
}
