/* ops/elementwise/to_dtype.c    y = x converted to a dtype.    dx = g converted to x's dtype, if both are f32 or f64 */

#include <inttypes.h>

#include "ops/support.h"

/* Returns true if trunc(value) is an i64, false for NaN. In C, the conversion of any other value is undefined. */
static bool fits_i64(double value)
{
    return value >= -0x1p63 && value < 0x1p63;
}

/* Checks that all elements of x, which must be contiguous, fit i64. Returns false after heed_fail. */
static bool check_fits_i64(const heed_tensor *x)
{
    const float *f32 = (const void *)x->data;
    const double *f64 = (const void *)x->data;
    for (int64_t i = 0; i < x->numel; i++) {
        double value = x->dtype == HEED_F32 ? (double)f32[i] : f64[i];
        if (!fits_i64(value))
            return heed_fail_false(HEED_ERR_ARGUMENT, "to_dtype", "%g does not fit i64: element %" PRId64 " of %s",
                                   value, i, heed_shape_text(x->shape).s);
    }
    return true;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    out->dtype = *(const heed_dtype *)call->params;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    if (out[0]->dtype == HEED_I64 && heed_dtype_is_float(x->dtype) && !check_fits_i64(x))
        return false;
    heed__copy(x, out[0]);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
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
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_to_dtype(heed_tensor *x, heed_dtype dtype)
{
    if (!heed__check_tensor("to_dtype", x) || !heed__check_dtype("to_dtype", dtype))
        return NULL;
    return x->dtype == dtype ? heed__borrow("to_dtype", heed_retain(x)) : heed__apply1(&heed_op_to_dtype, x, &dtype);
}
