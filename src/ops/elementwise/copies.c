/* ops/elementwise/copies.c - copies, conversions, and selections by a condition.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/support.h"

/* -- clone --------------------------------------------------------------------------------------------------------- */

/* y = x, a contiguous copy; any dtype.    dx = g */
static bool clone_infer(const heed_call *call, heed_meta *out)
{
    out->dtype = call->inputs[0]->dtype;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool clone_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__copy(call->inputs[0], out[0]);
    return true;
}

static void clone_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_clone = {
    .name = "clone",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_NOTHING,
    .infer = clone_infer,
    .forward = clone_forward,
    .backward = clone_backward,
};

heed_tensor *heed_clone(heed_tensor *x)
{
    return heed__apply1(&heed_op_clone, x, NULL);
}

/* Returns x itself if it is contiguous, else a copy: of a computed tensor, a copy of its value. */
heed_tensor *heed_contiguous(heed_tensor *x)
{
    if (!heed__check_tensor("contiguous", x))
        return NULL;
    if (x->contiguous && !x->computed)
        return heed__borrow("contiguous", heed_retain(x));
    HEED_ENTER("contiguous");
    return heed_clone(x);
}

/* -- to_dtype ------------------------------------------------------------------------------------------------------ */

/* y = x converted to a dtype.    dx = g converted to x's dtype, if both are f32 or f64 */

/* Checks that all elements of x, which must be contiguous, fit i64 when truncated; NaN does not. In C, the conversion
 * of other values is undefined. Returns false after heed_fail. */
static bool check_fits_i64(const heed_tensor *x)
{
    const float *f32 = (const void *)x->data;
    const double *f64 = (const void *)x->data;
    for (int64_t i = 0; i < x->numel; i++) {
        double value = x->dtype == HEED_F32 ? (double)f32[i] : f64[i];
        if (!(value >= -0x1p63 && value < 0x1p63))
            return heed_fail_false(HEED_ERR_ARGUMENT, "to_dtype", "%g does not fit i64: element %" PRId64 " of %s",
                                   value, i, heed_shape_text(x->shape).s);
    }
    return true;
}

static bool to_dtype_infer(const heed_call *call, heed_meta *out)
{
    out->dtype = *(const heed_dtype *)call->params;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool to_dtype_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    if (out[0]->dtype == HEED_I64 && heed_dtype_is_float(x->dtype) && !check_fits_i64(x))
        return false;
    heed__copy(x, out[0]);
    return true;
}

static void to_dtype_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_to_dtype(g[0], heed_call_dtype(call, 0));
}

const heed_op heed_op_to_dtype = {
    .name = "to_dtype",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_dtype),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_dtype, "dtype")),
    .saved = HEED_SAVE_NOTHING,
    .contiguous = true,
    .infer = to_dtype_infer,
    .forward = to_dtype_forward,
    .backward = to_dtype_backward,
};

heed_tensor *heed_to_dtype(heed_tensor *x, heed_dtype dtype)
{
    if (!heed__check_tensor("to_dtype", x) || !heed__check_dtype("to_dtype", dtype))
        return NULL;
    return x->dtype == dtype ? heed__borrow("to_dtype", heed_retain(x)) : heed__apply1(&heed_op_to_dtype, x, &dtype);
}

/* -- where --------------------------------------------------------------------------------------------------------- */

/* y = condition ? a : b with broadcasting.
 *
 * da = g if the condition is true, db = g if it is false; otherwise exactly 0, whatever g is. */
static bool where_infer(const heed_call *call, heed_meta *out)
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

static void where_i64(int64_t n, const void *c_, int64_t sc, const void *a_, int64_t sa, const void *b_, int64_t sb,
                      void *y_)
{
    const unsigned char *c = c_;
    const int64_t *a = a_, *b = b_;
    int64_t *y = y_;
    for (int64_t i = 0; i < n; i++)
        y[i] = c[i * sc] ? a[i * sa] : b[i * sb];
}

static bool where_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_I64 ? where_i64 : HEED__KERNEL(where, out[0]->dtype), call->inputs[0],
               call->inputs[1], call->inputs[2], out[0]);
    return true;
}

static void where_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    .infer = where_infer,
    .forward = where_forward,
    .backward = where_backward,
};

heed_tensor *heed_where(heed_tensor *condition, heed_tensor *a, heed_tensor *b)
{
    return heed__apply3(&heed_op_where, condition, a, b, NULL);
}

/* y = `value` if the mask is true, else x.    dx = exactly 0 if the mask is true, else g */
heed_tensor *heed_masked_fill(heed_tensor *x, heed_tensor *mask, double value)
{
    HEED_ENTER("masked_fill");
    heed_shape both;
    if (!heed__check_tensor("masked_fill", x) || !heed__check_tensor("masked_fill", mask))
        return NULL;
    if (x->dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, "masked_fill", "x is bool %s: must be f32, f64 or i64",
                              heed_shape_text(x->shape).s);
    if (mask->dtype != HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, "masked_fill", "the mask is %s: must be bool",
                              heed_dtype_name(mask->dtype));
    if (!heed_shape_broadcast(mask->shape, x->shape, &both) || !heed__same_shape(&both, &x->shape))
        return heed_fail_null(HEED_ERR_SHAPE, "masked_fill", "the mask %s does not broadcast to %s",
                              heed_shape_text(mask->shape).s, heed_shape_text(x->shape).s);
    if (!heed__check_number("masked_fill", "value", x, value))
        return NULL;
    return heed_where(mask, heed_full(x->dtype, HEED_SCALAR, value), x);
}
