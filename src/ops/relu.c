/* ops/relu.c    y = max(x, 0), elementwise.    dx = g where y > 0, which is where x > 0; else exactly 0 */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->relu, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    dx[0] = heed_where(heed_compare(call->outputs[0], HEED_GT, zero), g[0], zero);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed__new_map2("relu", heed__kernels(y->dtype)->relu_grad, y, g[0], NULL);
}

const heed_op heed_op_relu = {
    .name = "relu",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_OUTPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_relu(heed_tensor *x)
{
    return heed__apply1(&heed_op_relu, x, NULL);
}
