/* ops/shape/concat.c    y = the tensors joined along an axis.    dx[i] = the slice of g where y holds x[i] */

#include "ops/support.h"

typedef struct concat_params {
    int axis;
} concat_params;

static bool can_join(const heed_shape *a, const heed_shape *b, int axis)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = i == axis || a->dims[i] == b->dims[i];
    return same;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const concat_params *p = call->params;
    const heed_tensor *first = call->inputs[0];
    out->dtype = first->dtype;
    out->shape = first->shape;
    int64_t *size = &out->shape.dims[p->axis];
    for (int i = 1; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        if (x->dtype != first->dtype)
            return heed_fail_false(HEED_ERR_DTYPE, "concat",
                                   "tensor 0 is %s, tensor %d is %s: must have the same dtype",
                                   heed_dtype_name(first->dtype), i, heed_dtype_name(x->dtype));
        if (!can_join(&first->shape, &x->shape, p->axis) || __builtin_add_overflow(*size, x->shape.dims[p->axis], size))
            return heed_fail_false(HEED_ERR_SHAPE, "concat", "tensor 0 %s and tensor %d %s cannot be joined on axis %d",
                                   heed_shape_text(first->shape).s, i, heed_shape_text(x->shape).s, p->axis);
    }
    return heed__check_shape("concat", &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const concat_params *p = call->params;
    int64_t at = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        int64_t size = x->shape.dims[p->axis];
        heed_layout slice = heed__slice_layout(out[0], p->axis, at, 1, size);
        if (!heed__copy_into("concat", x, out[0], &slice))
            return false;
        at += size;
    }
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const concat_params *p = call->params;
    int64_t at = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        heed_shape shape = heed_call_shape(call, i);
        int64_t stop = at + shape.dims[p->axis];
        if (heed_call_needs(call, i))
            dx[i] = heed_slice(g[0], p->axis, at, stop, 1);
        at = stop;
    }
}

const heed_op heed_op_concat = {
    .name = "concat",
    .n_inputs = 1,
    .max_inputs = HEED_MAX_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(concat_params),
    .fields = HEED_FIELDS(HEED_FIELD(concat_params, axis)),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis)
{
    if (!heed__check_list("concat", tensors, n))
        return NULL;
    concat_params params = {.axis = heed__axis_of("concat", axis, tensors[0]->shape.rank)};
    return params.axis < 0 ? NULL : heed_apply(&heed_op_concat, tensors, n, &params);
}
