/* ops/reduce/sum.c    y = sum of x over some axes.    dx = g, expanded */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__reduce_params *params = call->params;
    return heed__reduce("sum", heed__kernels(out[0]->dtype)->sum, call->inputs[0], params->mask, out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__reduce_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *kept = g[0];
    bool leading = (params->mask & (params->mask + 1)) == 0; /* broadcasting brings leading axes back by itself */
    if (!params->keepdim && !leading)
        kept = heed_reshape(g[0], heed__reduced_shape(&shape, params->mask, true));
    dx[0] = heed_expand(kept, shape);
}

const heed_op heed_op_sum = {
    .name = "sum",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__reduce_params),
    .infer = heed__infer_reduction,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("sum_axes");
    return heed__apply_reduction("sum_axes", &heed_op_sum, x, axes, keepdim);
}

heed_tensor *heed_sum(heed_tensor *x)
{
    return heed__apply_reduction("sum", &heed_op_sum, x, HEED_ALL_AXES, false);
}
