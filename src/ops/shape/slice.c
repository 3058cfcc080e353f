/* ops/shape/slice.c    y = x[start : stop : step] on one axis.    dx = zeros with g at those positions */

#include "ops/support.h"

#include <inttypes.h>

typedef struct slice_params {
    int axis;
    int64_t start, step, size;
} slice_params;

static bool view(const heed_call *call, heed_layout *out)
{
    const slice_params *p = call->params;
    *out = heed__slice_layout(call->inputs[0], p->axis, p->start, p->step, p->size);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const slice_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    dx[0] = heed_unslice(g[0], p->axis, p->start, p->step, shape.dims[p->axis]);
}

const heed_op heed_op_slice = {
    .name = "slice",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(slice_params),
    .fields = HEED_FIELDS(HEED_FIELD(slice_params, axis), HEED_FIELD(slice_params, start),
                          HEED_FIELD(slice_params, step), HEED_FIELD(slice_params, size)),
    .view = view,
    .backward = backward,
};

/* Python's rule: a negative index counts from the end, and an index outside is clamped to the nearest end. */
static int64_t clip(int64_t i, int64_t n)
{
    if (i < 0)
        i += n;
    return i < 0 ? 0 : i > n ? n : i;
}

heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step)
{
    if (!heed__check_tensor("slice", x) || (axis = heed__axis_of("slice", axis, x->shape.rank)) < 0)
        return NULL;
    if (step < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, "slice", "step is %" PRId64 ": must be at least 1", step);
    slice_params params = {.axis = axis, .start = clip(start, x->shape.dims[axis]), .step = step};
    stop = clip(stop, x->shape.dims[axis]);
    if (stop > params.start)
        params.size = (stop - params.start - 1) / step + 1;
    return heed__apply1(&heed_op_slice, x, &params);
}
