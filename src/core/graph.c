/* core/graph.c - leaves and their gradients. */

#include <heed/graph.h>

#include "core/node.h"

heed_tensor *heed_set_requires_grad(heed_tensor *t, bool requires_grad)
{
    if (!heed__check_tensor("set_requires_grad", t))
        return NULL;
    if (t->producer)
        return heed_fail_null(HEED_ERR_STATE, "set_requires_grad",
                              "the tensor is a result of %s: call heed_detach first", t->producer->op->name);
    if (requires_grad && !heed_dtype_is_float(t->dtype))
        return heed_fail_null(HEED_ERR_DTYPE, "set_requires_grad", "a tensor of dtype %s has no gradient",
                              heed_dtype_name(t->dtype));
    t->requires_grad = requires_grad;
    return t;
}

bool heed_requires_grad(const heed_tensor *t)
{
    return heed__check_tensor("requires_grad", t) && t->requires_grad;
}

bool heed_is_leaf(const heed_tensor *t)
{
    return heed__check_tensor("is_leaf", t) && !t->producer;
}

heed_tensor *heed_grad_of(const heed_tensor *t)
{
    if (!heed__check_tensor("grad_of", t))
        return NULL;
    return heed__borrow("grad_of", heed_retain(t->grad));
}

bool heed_has_grad(const heed_tensor *t)
{
    return heed__check_tensor("has_grad", t) && t->grad;
}

heed_status heed_set_grad(heed_tensor *t, heed_tensor *grad)
{
    if (!heed__check_tensor("set_grad", t) || (grad && !heed__check_tensor("set_grad", grad)))
        return heed_error_code();
    if (t->producer)
        return heed_fail(HEED_ERR_STATE, "set_grad", "the tensor is a result of %s, not a leaf", t->producer->op->name);
    if (grad && !heed_shape_equal(grad->shape, t->shape))
        return heed_fail(HEED_ERR_SHAPE, "set_grad", "the gradient has shape %s, but the tensor has shape %s",
                         heed_shape_text(grad->shape).s, heed_shape_text(t->shape).s);
    if (grad && grad->dtype != t->dtype)
        return heed_fail(HEED_ERR_DTYPE, "set_grad", "the gradient has dtype %s, but the tensor has dtype %s",
                         heed_dtype_name(grad->dtype), heed_dtype_name(t->dtype));
    if (grad == t)
        return heed_fail(HEED_ERR_ARGUMENT, "set_grad", "a tensor of shape %s is given as its own gradient",
                         heed_shape_text(t->shape).s);
    heed_tensor *old = t->grad;
    t->grad = heed_retain(grad);
    heed_release(old);
    return HEED_OK;
}

heed_tensor *heed_detach(heed_tensor *t)
{
    if (!heed__check_tensor("detach", t))
        return NULL;
    heed_layout layout = {.shape = t->shape};
    for (int i = 0; i < t->shape.rank; i++)
        layout.strides[i] = t->strides[i];
    return heed__borrow("detach", heed__tensor_view("detach", t, &layout));
}
