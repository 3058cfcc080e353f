/* ops/elementwise/abs.c    y = |x|, elementwise.    dx = g sign(x) */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, (int64_t)x < 0 ? 0 - x : x)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sign(call->inputs[0]));
}

const heed_op heed_op_abs = {
    .name = "abs",
    HEED__UNARY_NUMBER_FUSED(abs, abs_grad, i64_loop),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_abs(heed_tensor *x)
{
    return heed__apply1(&heed_op_abs, x, NULL);
}
