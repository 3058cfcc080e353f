/* ops/softmax/logsumexp.c    y = ln sum exp(x). The op works along the last axis, which stays with size 1;
 * heed_logsumexp works along any axis.
 *
 * dx = g softmax(x). g exp(x - y) would be less accurate, because the rounding error of a large y would be in the
 * exponent. */

#include "ops/softmax/rows.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    if (!heed__infer_rows(call, out))
        return false;
    out->shape.dims[out->shape.rank - 1] = 1;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__rows(HEED__KERNEL(logsumexp, out[0]->dtype), call->inputs[0], out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_softmax(call->inputs[0], -1));
}

const heed_op heed_op_logsumexp = {
    .name = "logsumexp",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim)
{
    HEED_ENTER("logsumexp");
    if (!heed__check_tensor("logsumexp", x) || (axis = heed__axis_of("logsumexp", axis, x->shape.rank)) < 0)
        return NULL;
    heed_tensor *y = heed__apply_along(&heed_op_logsumexp, x, axis, NULL);
    return keepdim ? y : heed_squeeze(y, axis);
}
