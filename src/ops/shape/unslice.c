/* ops/shape/unslice.c    y = zeros with x at start, start + step, ... of one axis.    dx = g at those positions */

#include "ops/support.h"

#include <inttypes.h>
#include <string.h>

typedef struct unslice_params {
    int axis;
    int64_t start, step, size;
} unslice_params;

/* Sets *stop to the position after the last of n elements. Returns false if *stop is past the end of the axis. */
static bool find_stop(const unslice_params *p, int64_t n, int64_t *stop)
{
    *stop = p->start;
    if (n > 0 && (__builtin_mul_overflow(n - 1, p->step, stop) || __builtin_add_overflow(*stop, p->start, stop) ||
                  __builtin_add_overflow(*stop, 1, stop)))
        return false;
    return p->start >= 0 && *stop <= p->size;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const unslice_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    int64_t stop;
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[p->axis] = p->size;
    if (!heed__check_shape("unslice", &out->shape))
        return false;
    if (!find_stop(p, x->shape.dims[p->axis], &stop))
        return heed_fail_false(HEED_ERR_INDEX, "unslice",
                               "axis %d of %s from %" PRId64 " in steps of %" PRId64 " does not fit into size %" PRId64,
                               p->axis, heed_shape_text(x->shape).s, p->start, p->step, p->size);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const unslice_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_layout slice = heed__slice_layout(out[0], p->axis, p->start, p->step, x->shape.dims[p->axis]);
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(out[0]->dtype));
    return heed__copy_into("unslice", x, out[0], &slice);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const unslice_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    int64_t stop;
    if (find_stop(p, shape.dims[p->axis], &stop))
        dx[0] = heed_slice(g[0], p->axis, p->start, stop, p->step);
}

const heed_op heed_op_unslice = {
    .name = "unslice",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(unslice_params),
    .fields = HEED_FIELDS(HEED_FIELD(unslice_params, axis), HEED_FIELD(unslice_params, start),
                          HEED_FIELD(unslice_params, step), HEED_FIELD(unslice_params, size)),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size)
{
    if (!heed__check_tensor("unslice", x) || (axis = heed__axis_of("unslice", axis, x->shape.rank)) < 0)
        return NULL;
    if (step < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, "unslice", "step is %" PRId64 ": must be at least 1", step);
    return heed__apply1(&heed_op_unslice, x,
                        &(unslice_params){.axis = axis, .start = start, .step = step, .size = size});
}
