/* ops/rsub.c    y = c - x, elementwise.    dx = -g */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->rsub, call->inputs[0], out[0], call->params);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_neg(g[0]);
}

const heed_op heed_op_rsub = {
    .name = "rsub",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(double),
    .keeps = HEED_KEEP_NOTHING,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_rsub(double c, heed_tensor *x)
{
    return heed__apply1(&heed_op_rsub, x, &c);
}
