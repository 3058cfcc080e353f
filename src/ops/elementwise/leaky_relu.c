/* ops/elementwise/leaky_relu.c    y = x for x > 0, else slope x, elementwise.    dx = g for x > 0, else slope g */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *positive = heed_compare_scalar(call->inputs[0], HEED_COMPARE_GT, 0.0);
    dx[0] = heed_where(positive, g[0], heed_mul_scalar(g[0], *(const double *)call->params));
}

const heed_op heed_op_leaky_relu = {
    .name = "leaky_relu",
    HEED__UNARY_FUSED(leaky_relu, leaky_relu_grad),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "slope")),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_leaky_relu(heed_tensor *x, double slope)
{
    return heed__apply1(&heed_op_leaky_relu, x, &slope);
}
