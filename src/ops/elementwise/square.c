/* ops/elementwise/square.c    y = x^2, elementwise.    dx = 2 g x */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, (x * x))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_mul_scalar(call->inputs[0], 2.0));
}

const heed_op heed_op_square = {
    .name = "square",
    HEED__UNARY_NUMBER_FUSED(square, square_grad, i64_loop),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_square(heed_tensor *x)
{
    return heed__apply1(&heed_op_square, x, NULL);
}
