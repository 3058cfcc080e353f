/* ops/tanh.c    y = tanh(x), elementwise.    dx = g (1 - y^2) */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->tanh, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_rsub(1.0, heed_square(call->outputs[0])));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed__new_map2("tanh", heed__kernels(y->dtype)->tanh_grad, y, g[0], NULL);
}

const heed_op heed_op_tanh = {
    .name = "tanh",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_OUTPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_tanh(heed_tensor *x)
{
    return heed__apply1(&heed_op_tanh, x, NULL);
}
