/* ops/elementwise/add_scalar.c    y = x + c, elementwise.    dx = g */

#include "ops/elementwise/elementwise.h"

static void of_whole(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)
{
    const uint64_t *x = x_, c = (uint64_t)(int64_t)p[0];
    uint64_t *y = y_;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i * sx] + c;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_add_scalar = {
    .name = "add_scalar",
    HEED__UNARY_NUMBER(add_scalar, of_whole),
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "number")),
    .keeps = HEED_KEEP_NOTHING,
    .backward = backward,
};

heed_tensor *heed_add_scalar(heed_tensor *x, double c)
{
    if (heed__is_live(x) && x->dtype == HEED_I64 && !heed__check_number("add_scalar", "c", x, c))
        return NULL;
    return heed__apply1(&heed_op_add_scalar, x, &c);
}
