/* ops/elementwise/floor_divide.c    y = floor(a / b), elementwise with broadcasting.    da = 0, db = 0 */

#include "ops/elementwise/elementwise.h"

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < 2; i++)
        if (heed_call_needs(call, i))
            dx[i] = heed_zeros(g[0]->dtype, heed_call_shape(call, i));
}

const heed_op heed_op_floor_divide = {
    .name = "floor_divide",
    HEED__BINARY(floor_divide),
    .keeps = HEED_KEEP_NOTHING,
    .backward = backward,
};

heed_tensor *heed_floor_divide(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_floor_divide, a, b, NULL);
}
