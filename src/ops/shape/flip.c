/* ops/shape/flip.c    y = x with some axes reversed: negative strides.    dx = g, reversed back */

#include "ops/support.h"

typedef struct flip_params {
    heed_shape axes;
    unsigned mask;
} flip_params;

static bool view(const heed_call *call, heed_layout *out)
{
    const flip_params *p = call->params;
    *out = heed__layout_of(call->inputs[0]);
    for (int axis = 0; axis < out->shape.rank; axis++)
        if ((p->mask >> axis & 1) && out->shape.dims[axis] > 0) {
            out->offset += (out->shape.dims[axis] - 1) * out->strides[axis];
            out->strides[axis] = -out->strides[axis];
        }
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const flip_params *p = call->params;
    dx[0] = heed_flip(g[0], p->axes);
}

const heed_op heed_op_flip = {
    .name = "flip",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(flip_params),
    .fields = HEED_FIELDS(HEED_FIELD(flip_params, mask)),
    .view = view,
    .backward = backward,
};

heed_tensor *heed_flip(heed_tensor *x, heed_shape axes)
{
    flip_params params = {.axes = axes};
    if (!heed__check_tensor("flip", x) || !heed__axis_mask("flip", axes, x->shape.rank, &params.mask))
        return NULL;
    if (axes.rank == 0)
        params.mask = 0; /* heed__axis_mask treats an empty list as all axes */
    return heed__apply1(&heed_op_flip, x, &params);
}
