/* ops/elementwise/add_scalar.c    y = x + c, elementwise.    dx = g */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_add_scalar = {
    .name = "add_scalar",
    HEED__UNARY(add_scalar),
    .params_size = sizeof(double),
    .keeps = HEED_KEEP_NOTHING,
    .backward = backward,
};

heed_tensor *heed_add_scalar(heed_tensor *x, double c)
{
    return heed__apply1(&heed_op_add_scalar, x, &c);
}
