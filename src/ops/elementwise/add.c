/* ops/elementwise/add.c    y = a + b, elementwise with broadcasting.    da = g, db = g */

#include "ops/elementwise/elementwise.h"

HEED__I64_PAIRS_LOOP(i64_loop, a + b)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = g[0];
}

const heed_op heed_op_add = {
    .name = "add",
    HEED__BINARY_NUMBERS(add, i64_loop),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_add(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_add, a, b, NULL);
}
