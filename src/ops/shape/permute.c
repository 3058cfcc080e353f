/* ops/shape/permute.c    axis i of y = axis order[i] of x.    dx = g, permuted by the inverse order */

#include "ops/support.h"

static bool view(const heed_call *call, heed_layout *out)
{
    const heed_shape *order = call->params;
    const heed_tensor *x = call->inputs[0];
    out->shape.rank = order->rank;
    out->offset = 0;
    for (int i = 0; i < order->rank; i++) {
        out->shape.dims[i] = x->shape.dims[order->dims[i]];
        out->strides[i] = x->strides[order->dims[i]];
    }
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_shape *order = call->params;
    heed_shape inverse = {.rank = order->rank};
    for (int i = 0; i < order->rank; i++)
        inverse.dims[order->dims[i]] = i;
    dx[0] = heed_permute(g[0], inverse);
}

const heed_op heed_op_permute = {
    .name = "permute",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "axes")),
    .view = view,
    .backward = backward,
};

heed_tensor *heed_permute(heed_tensor *x, heed_shape order)
{
    unsigned mask;
    if (!heed__check_tensor("permute", x))
        return NULL;
    if (order.rank != x->shape.rank)
        return heed_fail_null(HEED_ERR_SHAPE, "permute", "the order has %d axes, but x is %s", order.rank,
                              heed_shape_text(x->shape).s);
    if (!heed__axis_mask("permute", order, order.rank, &mask))
        return NULL;
    for (int i = 0; i < order.rank; i++)
        if (order.dims[i] < 0)
            order.dims[i] += order.rank;
    return heed__apply1(&heed_op_permute, x, &order);
}
