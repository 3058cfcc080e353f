/* ops/abs.c    y = |x|, elementwise.    dx = g sign(x) */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->abs, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sign(call->inputs[0]));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0];
    dx[0] = heed__new_map2("abs", heed__kernels(x->dtype)->abs_grad, x, g[0], NULL);
}

const heed_op heed_op_abs = {
    .name = "abs",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_INPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_abs(heed_tensor *x)
{
    return heed__apply1(&heed_op_abs, x, NULL);
}
