/* ops/softmax/softmax.c    y = exp(x - max) / sum exp(x - max). The op works along the last axis, heed_softmax along
 * any axis.
 *
 * dx = y (g - sum(g y)) */

#include "ops/softmax/rows.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__rows(HEED__KERNEL(softmax, out[0]->dtype), call->inputs[0], out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    heed_tensor *mean = heed_sum_axes(heed_mul(g[0], y), HEED_AXES(-1), true);
    dx[0] = heed_mul(y, heed_sub(g[0], mean));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed__new_rows_grad("softmax", HEED__KERNEL(softmax_grad, y->dtype), y, g[0]);
}

const heed_op heed_op_softmax = {
    .name = "softmax",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = heed__infer_rows,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_softmax(heed_tensor *x, int axis)
{
    if (!heed__check_tensor("softmax", x) || (axis = heed__axis_of("softmax", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply_along(&heed_op_softmax, x, axis, NULL);
}
