/* ops/shape/squeeze.c    y = x without an axis of size 1: a reshape, always a view.    dx = g with this axis */

#include "ops/support.h"

#include <inttypes.h>

heed_tensor *heed_squeeze(heed_tensor *x, int axis)
{
    HEED_ENTER("squeeze");
    if (!heed__check_tensor("squeeze", x) || (axis = heed__axis_of("squeeze", axis, x->shape.rank)) < 0)
        return NULL;
    if (x->shape.dims[axis] != 1)
        return heed_fail_null(HEED_ERR_SHAPE, "squeeze", "axis %d of %s has size %" PRId64 ": must be 1", axis,
                              heed_shape_text(x->shape).s, x->shape.dims[axis]);
    return heed_reshape(x, heed__reduced_shape(&x->shape, 1U << axis, false));
}
