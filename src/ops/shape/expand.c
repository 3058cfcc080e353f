/* ops/shape/expand.c    y = x broadcast to a shape, with stride 0 on repeated axes.    dx = g, summed down to x's
 * shape */

#include "ops/support.h"

static bool view(const heed_call *call, heed_layout *out)
{
    const heed_shape *shape = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_shape both;
    if (!heed_shape_broadcast(x->shape, *shape, &both) || !heed_shape_equal(both, *shape))
        return heed_fail_false(HEED_ERR_SHAPE, "expand", "%s does not broadcast to %s", heed_shape_text(x->shape).s,
                               heed_shape_text(*shape).s);
    int lead = shape->rank - x->shape.rank;
    out->shape = *shape;
    out->offset = 0;
    for (int axis = 0; axis < shape->rank; axis++) {
        bool repeats = axis < lead || x->shape.dims[axis - lead] != shape->dims[axis];
        out->strides[axis] = repeats ? 0 : x->strides[axis - lead];
    }
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_sum_to(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_expand = {
    .name = "expand",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .view = view,
    .backward = backward,
};

heed_tensor *heed_expand(heed_tensor *x, heed_shape shape)
{
    if (!heed__check_tensor("expand", x) || !heed__check_shape("expand", &shape))
        return NULL;
    return heed__apply1(&heed_op_expand, x, &shape);
}
