/* ops/div.c    y = a / b, elementwise with broadcasting.    da = g / b, db = -g a / b^2 = -(g / b) y, which forms no
 * b^2 */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map2(heed__kernels(out[0]->dtype)->div, call->inputs[0], call->inputs[1], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *da = heed_div(g[0], call->inputs[1]);
    if (heed_call_needs(call, 0))
        dx[0] = da;
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(da, call->outputs[0]));
}

const heed_op heed_op_div = {
    .name = "div",
    .n_inputs = 2,
    .n_outputs = 1,
    .keeps = HEED_KEEP_INPUT_1 | HEED_KEEP_OUTPUTS,
    .infer = heed_infer_broadcast,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_div(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_div, a, b, NULL);
}
