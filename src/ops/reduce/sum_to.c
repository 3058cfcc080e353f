/* ops/reduce/sum_to.c    y = x summed down to a shape that broadcasts to x's.    dx = g, expanded */

#include "ops/support.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_shape *shape = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_shape both;
    if (!heed__check_float("sum_to", x))
        return false;
    if (!heed_shape_broadcast(*shape, x->shape, &both) || !heed_shape_equal(both, x->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "sum_to", "%s does not broadcast to %s", heed_shape_text(*shape).s,
                               heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = *shape;
    return true;
}

/* Returns the axes of x to sum over, one bit per axis: the axes that `shape` lacks, and the axes that have size 1 only
 * in `shape`. */
static unsigned summed_axes(const heed_tensor *x, const heed_shape *shape)
{
    unsigned mask = 0;
    int lead = x->shape.rank - shape->rank;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (axis < lead || (shape->dims[axis - lead] == 1 && x->shape.dims[axis] != 1))
            mask |= 1U << axis;
    return mask;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    return heed__reduce("sum_to", HEED__KERNEL(sum, x->dtype), x, summed_axes(x, call->params), out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_expand(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_sum_to = {
    .name = "sum_to",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape)
{
    if (!heed__check_tensor("sum_to", x) || !heed__check_float("sum_to", x) || !heed__check_shape("sum_to", &shape))
        return NULL;
    if (heed_shape_equal(x->shape, shape))
        return heed__borrow("sum_to", heed_retain(x));
    return heed__apply1(&heed_op_sum_to, x, &shape);
}
