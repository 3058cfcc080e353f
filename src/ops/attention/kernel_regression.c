/* ops/attention/kernel_regression.c - f(q) = sum_j a_j(q) v_j, a_j = K(u_j) / sum_l K(u_l), u_j = |(q - k_j) w|
 *
 * With the Gaussian kernel, f is one op (gaussian_regression.c). With other kernels it is composed of several ops, and
 * so are the weights a (composed_regression.c) and local polynomials (polynomial_regression.c).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/attention/attention.h"
#include "ops/attention/regression.h"

static const char where[] = "kernel_regression";

/* -- Checks -------------------------------------------------------------------------------------------------------- */

heed__regression_dims heed__regression_sizes(const heed_shape *queries, const heed_shape *keys,
                                             const heed_shape *values, const heed_shape *width)
{
    int own = keys->rank - queries->rank; /* 0 for shared keys; 1 if axis 0 is the query */
    return (heed__regression_dims){.n = queries->dims[0],
                                   .m = keys->dims[own],
                                   .d = queries->rank == 2 ? queries->dims[1] : 1,
                                   .v = values->rank == own + 2 ? values->dims[own + 1] : 1,
                                   .columns = values->rank == own + 2,
                                   .widths = width ? width->dims[0] : 1,
                                   .shared = own == 0};
}

/* Forward computes for every pair of query and key the distance, the value's contribution and, if requested, the slope.
 * Backward computes the distance and the contribution again, and a term per gradient. */
int64_t heed__regression_multiply_adds(const heed_call *call)
{
    const heed__regression_params *p = call->params;
    const heed_shape q = heed_call_shape(call, 0), k = heed_call_shape(call, 1), v = heed_call_shape(call, 2);
    const heed__regression_dims s = heed__regression_sizes(&q, &k, &v, NULL);
    const int64_t pairs = s.n * s.m;
    if (!call->outputs)
        return pairs * (s.d + s.v + (p->slopes ? s.d : 0));
    const bool dq = heed_call_needs(call, 0), dk = heed_call_needs(call, 1), dv = heed_call_needs(call, 2);
    const bool width = heed_call_needs(call, 3) && !p->slopes;
    if (!dq && !dk && !dv && !width)
        return 0; /* the slopes are already computed */
    return pairs * ((1 + dq + dk + width) * s.d + (1 + dv) * s.v);
}

static bool shapes_agree(const heed_shape *q, const heed_shape *k, const heed_shape *v)
{
    if (q->rank < 1 || q->rank > 2 || k->rank < q->rank || k->rank > q->rank + 1)
        return false;
    int own = k->rank - q->rank;
    if (v->rank < own + 1 || v->rank > own + 2 || v->dims[own] != k->dims[own])
        return false;
    if (own == 1 && (k->dims[0] != q->dims[0] || v->dims[0] != q->dims[0]))
        return false;
    return q->rank == 1 || k->dims[k->rank - 1] == q->dims[1];
}

static bool check_dtypes(const heed__regression_inputs *in)
{
    const heed_tensor *const all[] = {in->queries, in->keys, in->values, in->width};
    static const char *const names[] = {"queries", "keys", "values", "width"};
    for (int i = 0; i < 4; i++) {
        if (heed_dtype_is_float(all[i]->dtype) && all[i]->dtype == in->queries->dtype)
            continue;
        return heed_fail_false(HEED_ERR_DTYPE, where, "queries are %s, %s %s: must all be f32, or all f64",
                               heed_dtype_name(in->queries->dtype), names[i], heed_dtype_name(all[i]->dtype));
    }
    return true;
}

bool heed__regression_check(const heed__regression_inputs *in, const heed__regression_params *params)
{
    const heed_shape *q = &in->queries->shape, *k = &in->keys->shape, *v = &in->values->shape;
    const heed_shape *w = &in->width->shape;
    if (!check_dtypes(in))
        return false;
    if (!shapes_agree(q, k, v))
        return heed_fail_false(
            HEED_ERR_SHAPE, where,
            "queries %s, keys %s, values %s: must be (n), (m), (m[, v]), or (n), (n, m), (n, m[, v]); "
            "vectors have one more axis d at the end of queries and keys",
            heed_shape_text(*q).s, heed_shape_text(*k).s, heed_shape_text(*v).s);
    heed__regression_dims s = heed__regression_sizes(q, k, v, NULL);
    if (w->rank != 1 || (w->dims[0] != 1 && w->dims[0] != s.d))
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "width %s: must be (1), or (%" PRId64 "), one per component of the keys",
                               heed_shape_text(*w).s, s.d);
    if (params->leave_one_out && (!s.shared || s.n != s.m))
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "queries %s, keys %s: leave_one_out needs shared keys, one per query",
                               heed_shape_text(*q).s, heed_shape_text(*k).s);
    return heed__regression_check_powers(s.d, params->degree);
}

/* -- Public function ----------------------------------------------------------------------------------------------- */

static bool differentiable(const heed_tensor *x)
{
    return x && heed_requires_grad(x);
}

/* The derivative with respect to a single width is computed together with f, unless backward iterates over the keys
 * again anyway. */
static heed_tensor *gaussian(const heed__regression_inputs *in, const heed__regression_params *params)
{
    heed__regression_params with_slopes = *params;
    with_slopes.slopes = differentiable(in->width) && in->width->numel == 1 && heed_grad_enabled() &&
                         !differentiable(in->queries) && !differentiable(in->keys) && !differentiable(in->values);
    return heed_apply(&heed_op_kernel_regression, (heed_tensor *[]){in->queries, in->keys, in->values, in->width}, 4,
                      &with_slopes);
}

/* Computes f by several ops. */
static heed_tensor *composed(const heed__regression_inputs *in, const heed__regression_params *params,
                             heed_tensor **requested)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *result, *weights = NULL;
    if (params->kernel == HEED_NW_GAUSSIAN && params->degree == 0) {
        result = gaussian(in, params);
        weights = result ? heed__regression_weights(in, params) : NULL;
    } else {
        result = heed__regression_pool(in, params, requested ? &weights : NULL);
    }
    return heed__return_with_weights(where, scope, result, weights, requested);
}

heed_tensor *heed_kernel_regression(heed_tensor *queries, heed_tensor *keys, heed_tensor *values, heed_tensor *width,
                                    const heed_kernel_regression_options *options, heed_tensor **weights)
{
    HEED_ENTER(where);
    heed_kernel_regression_options o = options ? *options : (heed_kernel_regression_options){0};
    const heed__regression_inputs in = {queries, keys, values, width};
    const heed__regression_params params = {o.kernel, o.log_width, o.leave_one_out, o.degree, false};
    if (weights)
        *weights = NULL;
    if ((int)o.kernel < HEED_NW_GAUSSIAN || o.kernel > HEED_NW_CONSTANT)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "kernel is %d: must be one of HEED_NW_*", (int)o.kernel);
    if (o.degree < 0 || o.degree > 3)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "degree is %d: must be 0 to 3", o.degree);
    if (o.kernel == HEED_NW_GAUSSIAN && o.degree == 0 && !weights)
        return gaussian(&in, &params);
    if (!heed__check_tensor(where, queries) || !heed__check_tensor(where, keys) || !heed__check_tensor(where, values) ||
        !heed__check_tensor(where, width) || !heed__regression_check(&in, &params))
        return NULL;
    return composed(&in, &params, weights);
}
