/* ops/scale.c    y = c x, elementwise.    dx = c g */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->scale, call->inputs[0], out[0], call->params);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_scale(g[0], *(const double *)call->params);
}

const heed_op heed_op_scale = {
    .name = "scale",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(double),
    .keeps = HEED_KEEP_NOTHING,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_scale(heed_tensor *x, double c)
{
    return heed__apply1(&heed_op_scale, x, &c);
}
