/* ops/elementwise/elementwise.c - runs the kernels that the record (heed_op) of an elementwise op names.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "core/instrumentation.h"
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
    heed__map1(dtype == HEED_I64 ? kernels->i64 : *kernels->kernel[heed__isa()][dtype], call->inputs[0], out[0],
               numbers_of(call));
    return true;
}

/* Returns false after heed_fail if the op does not accept an element of b, which is i64. */
static bool accepts(const heed__elementwise *kernels, const char *where, heed_tensor *b)
{
    heed_tensor *dense = heed__dense(where, b);
    const int64_t *values = dense ? (const void *)dense->data : NULL;
    int64_t i = 0;
    while (dense && i < b->numel && (kernels->raises ? values[i] >= 0 : values[i] != 0))
        i++;
    bool all = dense && i == b->numel;
    if (dense && !all)
        heed_fail(HEED_ERR_ARGUMENT, where, "element %" PRId64 " of b %s is %" PRId64 ": must %s 0 if b is i64", i,
                  heed_shape_text(b->shape).s, values[i], kernels->raises ? "be at least" : "not be");
    heed_release(dense);
    return all;
}

HEED_NOINLINE static bool integer_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    if ((kernels->divides || kernels->raises) && !accepts(kernels, call->op->name, call->inputs[1]))
        return false;
    heed__map2(kernels->i64_pairs, call->inputs[0], call->inputs[1], out[0], numbers_of(call));
    return true;
}

bool heed__binary_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__elementwise *kernels = call->op->data;
    heed_dtype dtype = out[0]->dtype;
    if (dtype == HEED_I64)
        return integer_forward(call, out);
    heed__map2(*kernels->pairs[heed__isa()][dtype], call->inputs[0], call->inputs[1], out[0], numbers_of(call));
    return true;
}

void heed__unary_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__elementwise *kernels = call->op->data;
    heed_tensor *kept = call->op->saved & HEED_SAVE_OUTPUTS ? call->outputs[0] : call->inputs[0];
    heed__binary_kernel *gradient = *kernels->gradient[heed__isa()][kept->dtype];
    dx[0] = heed__new_map2(call->op->name, gradient, kept, g[0], numbers_of(call));
}

void heed__zero_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    for (int i = 0; i < call->n_inputs; i++)
        if (heed_call_needs(call, i))
            dx[i] = heed_zeros(g[0]->dtype, heed_call_shape(call, i));
}

heed_tensor *heed__within(heed_tensor *x, double limit)
{
    if (!x)
        return NULL;
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, limit), *low = heed_full(x->dtype, HEED_SCALAR, -limit);
    heed_tensor *below = heed_where(heed_compare(x, HEED_COMPARE_GT, high), high, x);
    return heed_where(heed_compare(x, HEED_COMPARE_LT, low), low, below);
}

/* -- Shapes and dtypes --------------------------------------------------------------------------------------------- */

bool heed__infer_unary(const heed_call *call, heed_meta *out)
{
    const heed__elementwise *kernels = call->op->data;
    const heed_tensor *x = call->inputs[0];
    if (!kernels->i64)
        return heed_infer_same(call, out);
    if (!heed__check_number_dtype(call->op->name, x))
        return false;
    *out = (heed_meta){.dtype = x->dtype, .shape = x->shape};
    return true;
}

HEED_COLD static bool refuse_dtypes(const heed_call *call)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    return heed_fail_false(HEED_ERR_DTYPE, call->op->name,
                           "argument 1 is %s of shape %s and argument 2 is %s of shape %s: must both be f32, both f64 "
                           "or both i64 (heed_to_dtype converts)",
                           heed_dtype_name(a->dtype), heed_shape_text(a->shape).s, heed_dtype_name(b->dtype),
                           heed_shape_text(b->shape).s);
}

bool heed__infer_binary(const heed_call *call, heed_meta *out)
{
    const heed__elementwise *kernels = call->op->data;
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (!kernels->i64_pairs)
        return heed_infer_broadcast(call, out);
    if (a->dtype != b->dtype || a->dtype == HEED_BOOL)
        return refuse_dtypes(call);
    if (a->dtype != HEED_I64)
        return heed_infer_broadcast(call, out);
    out->dtype = HEED_I64;
    return heed__check_broadcast(call->op->name, a, b, &out->shape);
}
