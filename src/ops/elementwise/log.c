/* ops/elementwise/log.c    y = ln x, elementwise.    dx = g / x */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], call->inputs[0]);
}

const heed_op heed_op_log = {
    .name = "log",
    HEED__UNARY(log),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_log(heed_tensor *x)
{
    return heed__apply1(&heed_op_log, x, NULL);
}
