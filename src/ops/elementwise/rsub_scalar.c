/* ops/elementwise/rsub_scalar.c    y = c - x, elementwise.    dx = -g */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, c - x)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_neg(g[0]);
}

const heed_op heed_op_rsub_scalar = {
    .name = "rsub_scalar",
    HEED__UNARY_NUMBER(rsub, i64_loop),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "number")),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_rsub_scalar(heed_tensor *x, double c)
{
    return heed__apply_number(&heed_op_rsub_scalar, x, "c", c);
}
