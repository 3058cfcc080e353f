/* ops/shape/stack.c    y = the tensors joined along a new axis.    dx[i] = g at index i of that axis */

#include "ops/support.h"

static bool check_same_shape(heed_tensor *const *tensors, int n)
{
    const heed_tensor *first = tensors[0];
    for (int i = 1; i < n; i++) {
        const heed_tensor *x = tensors[i];
        if (x->dtype != first->dtype)
            return heed_fail_false(HEED_ERR_DTYPE, "stack", "tensor 0 is %s, tensor %d is %s: must have the same dtype",
                                   heed_dtype_name(first->dtype), i, heed_dtype_name(x->dtype));
        if (!heed_shape_equal(x->shape, first->shape))
            return heed_fail_false(HEED_ERR_SHAPE, "stack", "tensor 0 %s and tensor %d %s differ",
                                   heed_shape_text(first->shape).s, i, heed_shape_text(x->shape).s);
    }
    return true;
}

/* Checks that n stacked tensors of this shape form a valid shape. Returns false after heed_fail. */
static bool check_size(const heed_shape *shape, int n)
{
    heed_shape stacked = *shape;
    if (shape->rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "stack", "%s already has the maximum rank", heed_shape_text(*shape).s);
    stacked.dims[stacked.rank++] = n;
    return heed__check_shape("stack", &stacked);
}

static heed_tensor *concat_unsqueezed(heed_tensor *const *tensors, int n, int axis)
{
    size_t bytes = (size_t)n * sizeof(heed_tensor *);
    heed_tensor **unsqueezed = heed_alloc(bytes);
    if (!unsqueezed)
        return NULL;
    for (int i = 0; i < n; i++)
        unsqueezed[i] = heed_unsqueeze(tensors[i], axis);
    heed_tensor *y = heed_concat(unsqueezed, n, axis);
    heed_free(unsqueezed, bytes);
    return y;
}

heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis)
{
    HEED_ENTER("stack");
    if (!heed__check_list("stack", tensors, n) || !check_same_shape(tensors, n) || !check_size(&tensors[0]->shape, n) ||
        (axis = heed__axis_of("stack", axis, tensors[0]->shape.rank + 1)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, concat_unsqueezed(tensors, n, axis)) : NULL;
}
