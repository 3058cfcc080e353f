/* ops/softmax/log_softmax.c    y = x - logsumexp(x). The op works along the last axis, heed_log_softmax along any axis.
 *
 * dx = g - exp(y) sum(g) */

#include "ops/softmax/rows.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__rows(HEED__KERNEL(log_softmax, out[0]->dtype), call->inputs[0], out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *total = heed_sum_axes(g[0], HEED_AXES(-1), true);
    dx[0] = heed_sub(g[0], heed_mul(heed_exp(call->outputs[0]), total));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed__new_rows_grad("log_softmax", HEED__KERNEL(log_softmax_grad, y->dtype), y, g[0]);
}

const heed_op heed_op_log_softmax = {
    .name = "log_softmax",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = heed__infer_rows,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_log_softmax(heed_tensor *x, int axis)
{
    if (!heed__check_tensor("log_softmax", x) || (axis = heed__axis_of("log_softmax", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply_along(&heed_op_log_softmax, x, axis, NULL);
}
