/* ops/shape/flatten.c    y = x with some axes merged: a reshape.    dx = g in x's shape */

#include "ops/support.h"

heed_tensor *heed_flatten(heed_tensor *x, int start_axis, int end_axis)
{
    HEED_ENTER("flatten");
    if (!heed__check_tensor("flatten", x))
        return NULL;
    const int rank = x->shape.rank > 0 ? x->shape.rank : 1;
    const int start = heed__axis_of("flatten", start_axis, rank);
    const int end = start < 0 ? -1 : heed__axis_of("flatten", end_axis, rank);
    if (end < 0)
        return NULL;
    if (end < start)
        return heed_fail_null(HEED_ERR_SHAPE, "flatten", "end axis %d of %s is before start axis %d", end,
                              heed_shape_text(x->shape).s, start);
    heed_shape shape = {.rank = rank - (end - start)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i < start ? x->shape.dims[i] : i > start ? x->shape.dims[i + end - start] : 1;
    for (int axis = start; axis <= end && axis < x->shape.rank; axis++)
        shape.dims[start] *= x->shape.dims[axis];
    return heed_reshape(x, shape);
}
