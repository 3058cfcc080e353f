/* ops/index/gather.c    y[i, j] = x[index[i, j], j] for axis 0, and so on.    dx = scatter_sum(g, index) */

#include "ops/support.h"

#include <string.h>

typedef struct gather_params {
    int axis;
} gather_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const gather_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("gather", "the indices", index) ||
        !heed__check_index_shape("gather", &index->shape, &x->shape, params->axis))
        return false;
    out->dtype = x->dtype;
    out->shape = index->shape;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const gather_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("gather", index, x->shape.dims[params->axis]))
        return false;
    size_t size = heed_dtype_size(x->dtype);
    const int64_t *values = (const void *)index->data;
    char *y = out[0]->data;
    heed__positions positions = heed__positions_in(&index->shape, x, params->axis);
    for (int64_t i = 0; i < index->numel; i++, y += size, heed__positions_next(&positions)) {
        int64_t from = positions.offset + values[i] * x->strides[params->axis];
        memcpy(y, x->data + from * (int64_t)size, size);
    }
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const gather_params *params = call->params;
    dx[0] = heed_scatter_sum(g[0], params->axis, call->inputs[1], heed_call_shape(call, 0));
}

const heed_op heed_op_gather = {
    .name = "gather",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(gather_params),
    .fields = HEED_FIELDS(HEED_FIELD(gather_params, axis)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index)
{
    gather_params params;
    if (!heed__check_tensor("gather", x) || (params.axis = heed__axis_of("gather", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_gather, x, index, &params);
}
