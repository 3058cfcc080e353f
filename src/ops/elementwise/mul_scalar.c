/* ops/elementwise/mul_scalar.c    y = c x, elementwise.    dx = c g */

#include "ops/elementwise/elementwise.h"

HEED__I64_LOOP(i64_loop, (x * c))

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__scale(g[0], *(const double *)call->params);
}

const heed_op heed_op_mul_scalar = {
    .name = "mul_scalar",
    HEED__UNARY_NUMBER(scale, i64_loop),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "number")),
    .saved = HEED_SAVE_NOTHING,
    .backward = backward,
};

heed_tensor *heed__scale(heed_tensor *x, double c)
{
    return heed__apply1(&heed_op_mul_scalar, x, &c);
}

heed_tensor *heed_mul_scalar(heed_tensor *x, double c)
{
    return heed__apply_number(&heed_op_mul_scalar, x, "c", c);
}
