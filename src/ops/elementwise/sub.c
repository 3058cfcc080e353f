/* ops/elementwise/sub.c    y = a - b, elementwise with broadcasting.    da = g, db = -g */

#include "ops/elementwise/elementwise.h"

HEED__I64_PAIRS_LOOP(i64_loop, a - b)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(g[0]);
}

const heed_op heed_op_sub = {
    .name = "sub",
    HEED__BINARY_NUMBERS(sub, i64_loop),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_sub(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_sub, a, b, NULL);
}
