/* ops/sin.c    y = sin x, elementwise.    dx = g cos x */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->sin, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_cos(call->inputs[0]));
}

const heed_op heed_op_sin = {
    .name = "sin",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_INPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sin(heed_tensor *x)
{
    return heed__apply1(&heed_op_sin, x, NULL);
}
