/* ops/shape/transpose.c    y = x with two axes swapped.    dx = g with them swapped back */

#include "ops/support.h"

heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b)
{
    HEED_ENTER("transpose");
    if (!heed__check_tensor("transpose", x))
        return NULL;
    heed_shape order = {.rank = x->shape.rank};
    int a = heed__axis_of("transpose", axis_a, order.rank), b = heed__axis_of("transpose", axis_b, order.rank);
    if (a < 0 || b < 0)
        return NULL;
    for (int i = 0; i < order.rank; i++)
        order.dims[i] = i == a ? b : i == b ? a : i;
    return heed_permute(x, order);
}
