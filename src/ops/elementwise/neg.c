/* ops/elementwise/neg.c    y = -x, elementwise.    dx = -g */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, 0 - x)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_neg(g[0]);
}

const heed_op heed_op_neg = {
    .name = "neg",
    HEED__UNARY_NUMBER(neg, i64_loop),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_neg(heed_tensor *x)
{
    return heed__apply1(&heed_op_neg, x, NULL);
}
