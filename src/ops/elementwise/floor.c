/* ops/elementwise/floor.c    y = the largest integer <= x, elementwise.    dx = 0 */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
}

const heed_op heed_op_floor = {
    .name = "floor",
    HEED__UNARY(floor),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_floor(heed_tensor *x)
{
    return heed__apply1(&heed_op_floor, x, NULL);
}
