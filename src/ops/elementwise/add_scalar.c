/* ops/elementwise/add_scalar.c    y = x + c, elementwise.    dx = g */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, x + c)

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_add_scalar = {
    .name = "add_scalar",
    HEED__UNARY_NUMBER(add_scalar, i64_loop),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "number")),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed_add_scalar(heed_tensor *x, double c)
{
    return heed__apply_number(&heed_op_add_scalar, x, "c", c);
}
