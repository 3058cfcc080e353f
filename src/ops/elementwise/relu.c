/* ops/elementwise/relu.c    y = max(x, 0), elementwise.    dx = g if y > 0, i.e. x > 0; else exactly 0 */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    dx[0] = heed_where(heed_compare(call->outputs[0], HEED_COMPARE_GT, zero), g[0], zero);
}

const heed_op heed_op_relu = {
    .name = "relu",
    HEED__UNARY_FUSED(relu, relu_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_relu(heed_tensor *x)
{
    return heed__apply1(&heed_op_relu, x, NULL);
}
