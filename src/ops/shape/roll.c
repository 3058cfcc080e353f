/* ops/shape/roll.c    y[i] = x[i - shift] along an axis, wrapping around.    dx = g, rolled back */

#include "ops/support.h"

heed_tensor *heed_roll(heed_tensor *x, int axis, int64_t shift)
{
    HEED_ENTER("roll");
    if (!heed__check_tensor("roll", x) || (axis = heed__axis_of("roll", axis, x->shape.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    int64_t size = x->shape.dims[axis], by = size > 0 ? shift % size : 0;
    int64_t first = by > 0 ? size - by : -by;
    heed_tensor *y =
        heed_concat(HEED_TENSORS(heed_slice(x, axis, first, HEED_END, 1), heed_slice(x, axis, 0, first, 1)), axis);
    return heed_scope_return(scope, y);
}
