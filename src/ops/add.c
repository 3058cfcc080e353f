/* ops/add.c    y = a + b, elementwise with broadcasting.    da = g, db = g */

#include "ops/support.h"

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map2(heed__kernels(out[0]->dtype)->add, call->inputs[0], call->inputs[1], out[0], NULL);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = g[0];
}

const heed_op heed_op_add = {
    .name = "add",
    .n_inputs = 2,
    .n_outputs = 1,
    .keeps = HEED_KEEP_NOTHING,
    .infer = heed_infer_broadcast,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_add(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_add, a, b, NULL);
}
