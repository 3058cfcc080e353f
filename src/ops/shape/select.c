/* ops/shape/select.c    y = x[..., index, ...] without the axis.    dx = zeros with g at index */

#include "ops/support.h"

#include <inttypes.h>

heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index)
{
    HEED_ENTER("select");
    if (!heed__check_tensor("select", x) || (axis = heed__axis_of("select", axis, x->shape.rank)) < 0)
        return NULL;
    int64_t size = x->shape.dims[axis];
    if (index < -size || index >= size)
        return heed_fail_null(HEED_ERR_INDEX, "select", "index %" PRId64 " is outside axis %d of %s", index, axis,
                              heed_shape_text(x->shape).s);
    int64_t start = index < 0 ? index + size : index;
    return heed_squeeze(heed_slice(x, axis, start, start + 1, 1), axis);
}
