/* ops/sign.c    y = -1, 0 or 1, and NaN for NaN, elementwise.    dx = 0 */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->sign, call->inputs[0], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
}

const heed_op heed_op_sign = {
    .name = "sign",
    .n_inputs = 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_NOTHING,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sign(heed_tensor *x)
{
    return heed__apply1(&heed_op_sign, x, NULL);
}
