/* ops/shape/unsqueeze.c    y = x with a new axis of size 1: a reshape, always a view.    dx = g without the axis */

#include "ops/support.h"

heed_tensor *heed_unsqueeze(heed_tensor *x, int axis)
{
    HEED_ENTER("unsqueeze");
    if (!heed__check_tensor("unsqueeze", x))
        return NULL;
    heed_shape shape = {.rank = x->shape.rank + 1};
    if (shape.rank > HEED_MAX_RANK)
        return heed_fail_null(HEED_ERR_SHAPE, "unsqueeze", "%s already has the maximum rank",
                              heed_shape_text(x->shape).s);
    if ((axis = heed__axis_of("unsqueeze", axis, shape.rank)) < 0)
        return NULL;
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i == axis ? 1 : x->shape.dims[i < axis ? i : i - 1];
    return heed_reshape(x, shape);
}
