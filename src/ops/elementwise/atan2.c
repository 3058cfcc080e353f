/* ops/elementwise/atan2.c    angle of the point (x, y), elementwise with broadcasting.    dy = g x / (x^2 + y^2), dx =
 * -g y / (x^2 + y^2) */

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/slopes.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->inputs[0], *x = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed__angle_slope(g[0], x, y);
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed__angle_slope(g[0], y, x));
}

const heed_op heed_op_atan2 = {
    .name = "atan2",
    HEED__BINARY(atan2),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_atan2(heed_tensor *y, heed_tensor *x)
{
    return heed__apply2(&heed_op_atan2, y, x, NULL);
}
