/* ops/sigmoid.c    y = 1 / (1 + e^-x), elementwise.    dx = g y (1 - y) */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->sigmoid, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed_mul(g[0], heed_mul(y, heed_rsub(1.0, y)));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed__new_map2("sigmoid", heed__kernels(y->dtype)->sigmoid_grad, y, g[0], NULL);
}

const heed_op heed_op_sigmoid = {
    .name = "sigmoid",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_OUTPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_sigmoid(heed_tensor *x)
{
    return heed__apply1(&heed_op_sigmoid, x, NULL);
}
