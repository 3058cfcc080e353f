/* ops/reduce/max.c    y = the largest x along some axes; NaN if any x is.    dx = g, shared evenly if several x = y */

#include "ops/reduce/reduce_i64.h"

HEED__REDUCE_I64(i64_loop, INT64_MIN, (int64_t)a > (int64_t)b ? a : b)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__reduce_params *params = call->params;
    heed__reduce_kernel *kernel = out[0]->dtype == HEED_I64 ? i64_loop : HEED__KERNEL(max, out[0]->dtype);
    return heed__reduce("max", kernel, call->inputs[0], params->mask, out[0]);
}

const heed_op heed_op_max = {
    .name = "max",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__reduce_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__reduce_params, mask), HEED_FIELD(heed__reduce_params, keepdim)),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_OUTPUTS,
    .infer = heed__infer_extremum,
    .forward = forward,
    .backward = heed__extremum_backward,
};

heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("max_axes");
    return heed__apply_reduction("max_axes", &heed_op_max, x, axes, keepdim);
}

heed_tensor *heed_max(heed_tensor *x)
{
    return heed__apply_reduction("max", &heed_op_max, x, HEED_ALL_AXES, false);
}
