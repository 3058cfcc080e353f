/* ops/elementwise/clone.c    y = x, a contiguous copy; any dtype.    dx = g */

#include "ops/support.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    out->dtype = call->inputs[0]->dtype;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__copy(call->inputs[0], out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_clone = {
    .name = "clone",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_NOTHING,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_clone(heed_tensor *x)
{
    return heed__apply1(&heed_op_clone, x, NULL);
}
