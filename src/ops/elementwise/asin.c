/* ops/elementwise/asin.c    y = arcsin x, elementwise.    dx = g / ((1 - x) (1 + x))^(1/2), without forming x^2 */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed__circle(call->inputs[0]));
}

const heed_op heed_op_asin = {
    .name = "asin",
    HEED__UNARY_FUSED(asin, asin_grad),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_asin(heed_tensor *x)
{
    return heed__apply1(&heed_op_asin, x, NULL);
}
