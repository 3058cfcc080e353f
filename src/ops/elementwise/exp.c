/* ops/elementwise/exp.c    y = e^x, elementwise.    dx = g y */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], call->outputs[0]);
}

const heed_op heed_op_exp = {
    .name = "exp",
    HEED__UNARY(exp),
    .saved = HEED_SAVE_OUTPUTS,
    .backward = backward,
};

heed_tensor *heed_exp(heed_tensor *x)
{
    return heed__apply1(&heed_op_exp, x, NULL);
}
