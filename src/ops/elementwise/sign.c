/* ops/elementwise/sign.c    y = -1, 0 or 1, and NaN for NaN, elementwise.    dx = 0 */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, (uint64_t)(((int64_t)x > 0) - ((int64_t)x < 0)))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
}

const heed_op heed_op_sign = {
    .name = "sign",
    HEED__UNARY_NUMBER(sign, i64_loop),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_sign(heed_tensor *x)
{
    return heed__apply1(&heed_op_sign, x, NULL);
}
