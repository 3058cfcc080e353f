/* ops/elementwise/elementwise.c - runs the kernels that the record (heed_op) of an elementwise op names. */

#include <inttypes.h>

#include "ops/elementwise/elementwise.h"

/* The kernel's numbers; NULL if it takes no numbers. */
static const double *numbers_of(const heed_call *call)
{
    return call->op->params_size > 0 ? call->params : NULL;
}

bool heed__unary_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    heed_dtype dtype = out[0]->dtype;
    heed__map1(dtype == HEED_I64 ? kernels->i64_kernel : *kernels->kernel[heed__isa()][dtype], call->inputs[0], out[0],
               numbers_of(call));
    return true;
}

bool heed__binary_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    heed_dtype dtype = out[0]->dtype;
    heed__map2(dtype == HEED_I64 ? kernels->i64_pairs_kernel : *kernels->pairs[heed__isa()][dtype], call->inputs[0],
               call->inputs[1], out[0], numbers_of(call));
    return true;
}

/* -- Integers ------------------------------------------------------------------------------------------------------ */

bool heed__infer_same_number(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    *out = (heed_meta){.dtype = x->dtype, .shape = x->shape};
    return true;
}

bool heed__infer_broadcast_numbers(const heed_call *call, heed_meta *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (a->dtype != b->dtype || a->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, call->op->name,
                               "argument 1 is %s of shape %s and argument 2 is %s of shape %s: must both be f32, both "
                               "f64 or both i64 (heed_to_dtype converts)",
                               heed_dtype_name(a->dtype), heed_shape_text(a->shape).s, heed_dtype_name(b->dtype),
                               heed_shape_text(b->shape).s);
    if (a->dtype != HEED_I64)
        return heed_infer_broadcast(call, out);
    out->dtype = HEED_I64;
    if (!heed_shape_broadcast(a->shape, b->shape, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "shapes %s and %s do not broadcast",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    return true;
}

static bool has_no_zero(const char *where, heed_tensor *b)
{
    heed_tensor *dense = heed__dense(where, b);
    const int64_t *values = dense ? (const void *)dense->data : NULL;
    int64_t i = 0;
    while (dense && i < b->numel && values[i] != 0)
        i++;
    bool none = dense && i == b->numel;
    if (dense && !none)
        heed_fail(HEED_ERR_ARGUMENT, where, "element %" PRId64 " of b %s is 0: must not be 0 if b is i64", i,
                  heed_shape_text(b->shape).s);
    heed_release(dense);
    return none;
}

bool heed__quotient_forward(const heed_call *call, heed_tensor *const *out)
{
    if (out[0]->dtype == HEED_I64 && !has_no_zero(call->op->name, call->inputs[1]))
        return false;
    return heed__binary_forward(call, out);
}

heed_tensor *heed__apply_number(const heed_op *op, heed_tensor *x, const char *name, double number)
{
    if (heed__is_i64(x) && !heed__check_number(op->name, name, x, number))
        return NULL;
    if (heed__is_live(x) && x->dtype == HEED_F32)
        number = (double)(float)number;
    return heed__apply1(op, x, &number);
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__elementwise *kernels = call->op->data;
    heed_tensor *kept = call->op->saved & HEED_SAVE_OUTPUTS ? call->outputs[0] : call->inputs[0];
    heed__binary_kernel *gradient = *kernels->gradient[heed__isa()][kept->dtype];
    dx[0] = heed__new_map2(call->op->name, gradient, kept, g[0], numbers_of(call));
}
