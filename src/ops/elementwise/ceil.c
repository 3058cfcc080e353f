/* ops/elementwise/ceil.c    y = the smallest integer >= x, elementwise.    dx = 0 */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
}

const heed_op heed_op_ceil = {
    .name = "ceil",
    HEED__UNARY(ceil),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_ceil(heed_tensor *x)
{
    return heed__apply1(&heed_op_ceil, x, NULL);
}
