/* ops/add_scalar.c    y = x + c, elementwise.    dx = g */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->add_scalar, call->inputs[0], out[0], call->params);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_add_scalar = {
    .name = "add_scalar",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(double),
    .keeps = HEED_KEEP_NOTHING,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_add_scalar(heed_tensor *x, double c)
{
    return heed__apply1(&heed_op_add_scalar, x, &c);
}
