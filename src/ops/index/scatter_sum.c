/* ops/index/scatter_sum.c    y = zeros; y[index[i, j], j] += src[i, j] for axis 0, and so on.    dsrc = gather(g,
 * index) */

#include "ops/index/accumulate.h"

typedef struct scatter_params {
    int axis;
    heed_shape shape;
} scatter_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const scatter_params *params = call->params;
    const heed_tensor *src = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_i64("scatter_sum", "the indices", index) ||
        !heed__check_index_shape("scatter_sum", &index->shape, &params->shape, params->axis))
        return false;
    if (src->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "scatter_sum", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(src->shape).s);
    if (!heed_shape_equal(src->shape, index->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "scatter_sum", "indices %s for %s: must have the same shape",
                               heed_shape_text(index->shape).s, heed_shape_text(src->shape).s);
    out->dtype = src->dtype;
    out->shape = params->shape;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const scatter_params *params = call->params;
    const heed_tensor *src = call->inputs[0], *index = call->inputs[1];
    if (!heed__check_indices("scatter_sum", index, params->shape.dims[params->axis]))
        return false;
    size_t size = heed_dtype_size(src->dtype);
    const int64_t *values = (const void *)index->data;
    const char *x = src->data;
    heed__positions positions = heed__positions_in(&index->shape, out[0], params->axis);
    heed__accumulator sums;
    if (!heed__accumulate_begin("scatter_sum", out[0], index->shape.dims[params->axis], &sums))
        return false;
    for (int64_t i = 0; i < index->numel; i++, x += size, heed__positions_next(&positions)) {
        int64_t to = positions.offset + values[i] * out[0]->strides[params->axis];
        heed__accumulate(&sums, to, 1, x);
    }
    heed__accumulate_end(&sums);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const scatter_params *params = call->params;
    dx[0] = heed_gather(g[0], params->axis, call->inputs[1]);
}

const heed_op heed_op_scatter_sum = {
    .name = "scatter_sum",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(scatter_params),
    .fields = HEED_FIELDS(HEED_FIELD(scatter_params, axis), HEED_FIELD(scatter_params, shape)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape)
{
    scatter_params params = {.shape = shape};
    if (!heed__check_tensor("scatter_sum", src) || !heed__check_shape("scatter_sum", &shape) ||
        (params.axis = heed__axis_of("scatter_sum", axis, shape.rank)) < 0)
        return NULL;
    return heed__apply2(&heed_op_scatter_sum, src, index, &params);
}
