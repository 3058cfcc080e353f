/* ops/elementwise/where.c    y = condition ? a : b, elementwise with broadcasting.
 *
 * da = g if the condition is true, db = g if it is false; otherwise exactly 0, whatever g is. */

#include "ops/support.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *condition = call->inputs[0], *a = call->inputs[1], *b = call->inputs[2];
    if (condition->dtype != HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "where", "the condition is %s: must be bool",
                               heed_dtype_name(condition->dtype));
    if (a->dtype != b->dtype || a->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "where", "a is %s, b is %s: must both be f32, both f64, or both i64",
                               heed_dtype_name(a->dtype), heed_dtype_name(b->dtype));
    out->dtype = a->dtype;
    if (!heed_shape_broadcast(a->shape, b->shape, &out->shape) ||
        !heed_shape_broadcast(condition->shape, out->shape, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "where", "shapes %s, %s and %s do not broadcast",
                               heed_shape_text(condition->shape).s, heed_shape_text(a->shape).s,
                               heed_shape_text(b->shape).s);
    return true;
}

static void i64_loop(int64_t n, const void *c_, int64_t sc, const void *a_, int64_t sa, const void *b_, int64_t sb,
                     void *y_)
{
    const unsigned char *c = c_;
    const int64_t *a = a_, *b = b_;
    int64_t *y = y_;
    for (int64_t i = 0; i < n; i++)
        y[i] = c[i * sc] ? a[i * sa] : b[i * sb];
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_I64 ? i64_loop : HEED__KERNEL(where, out[0]->dtype), call->inputs[0],
               call->inputs[1], call->inputs[2], out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *condition = call->inputs[0];
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    if (heed_call_needs(call, 1))
        dx[1] = heed_where(condition, g[0], zero);
    if (heed_call_needs(call, 2))
        dx[2] = heed_where(condition, zero, g[0]);
}

const heed_op heed_op_where = {
    .name = "where",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUT(0),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_where(heed_tensor *condition, heed_tensor *a, heed_tensor *b)
{
    return heed__apply3(&heed_op_where, condition, a, b, NULL);
}
