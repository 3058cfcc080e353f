/* ops/pow_scalar.c    y = x^p, elementwise.    dx = g p x^(p-1), and 0 for p = 0, where x^(p-1) may be infinite */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(heed__kernels(out[0]->dtype)->pow_scalar, call->inputs[0], out[0], call->params);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    double p = *(const double *)call->params;
    if (p == 0.0)
        dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
    else
        dx[0] = heed_mul(g[0], heed_scale(heed_pow_scalar(call->inputs[0], p - 1.0), p));
}

const heed_op heed_op_pow_scalar = {
    .name = "pow_scalar",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(double),
    .keeps = HEED_KEEP_INPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_pow_scalar(heed_tensor *x, double p)
{
    return heed__apply1(&heed_op_pow_scalar, x, &p);
}
