/* ops/clamp.c    y = min(max(x, low), high), elementwise; NaN stays NaN.    dx = g where low <= x <= high, else 0 */

#include "ops/support.h"

typedef struct clamp_params {
    double low, high;
} clamp_params;

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const clamp_params *params = call->params;
    heed__map1(heed__kernels(out[0]->dtype)->clamp, call->inputs[0], out[0],
               (const double[]){params->low, params->high});
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const clamp_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *low = heed_full(x->dtype, HEED_SCALAR, params->low);
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, params->high);
    dx[0] = heed_where(heed_compare(x, HEED_GE, low), heed_where(heed_compare(x, HEED_LE, high), g[0], zero), zero);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const clamp_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    dx[0] = heed__new_map2("clamp", heed__kernels(x->dtype)->clamp_grad, x, g[0],
                           (const double[]){params->low, params->high});
}

const heed_op heed_op_clamp = {
    .name = "clamp",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(clamp_params),
    .keeps = HEED_KEEP_INPUTS,
    .infer = heed_infer_same,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_clamp(heed_tensor *x, double low, double high)
{
    if (!(low <= high)) {
        (void)heed_fail(HEED_ERR_ARGUMENT, "clamp", "needs low <= high, got low = %g, high = %g", low, high);
        return NULL;
    }
    return heed__apply1(&heed_op_clamp, x, &(clamp_params){.low = low, .high = high});
}
