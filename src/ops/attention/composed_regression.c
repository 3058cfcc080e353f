/* ops/attention/composed_regression.c - kernel regression composed of ops: the weights of every kernel, and the
 * Gaussian's gradients in a form that can be differentiated again. Allocates tensors of sizes (n, m) and (n, m, d).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/regression.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static const char where[] = "kernel_regression";

/* -- One layout for all shapes ------------------------------------------------------------------------------------- */

/* queries (n, 1, d), keys (1 or n, m, d), values (1 or n, m, v). With leave_one_out every query has its own set of
 * keys. */
typedef struct regression {
    heed__regression_params params;
    heed__regression_dims sizes;
    heed_tensor *queries, *keys, *values, *width;
    heed_tensor *others; /* with leave_one_out: i64 (n m), the indices of every query's keys; else NULL */
} regression;

/* Returns i64 (n (n - 1)): for every i in 0 .. n - 1, the numbers 0 .. n - 1 without i. NULL after heed_fail. */
static heed_tensor *other_keys(int64_t n)
{
    int64_t pairs = 0;
    if (n > 0 && __builtin_mul_overflow(n, n - 1, &pairs))
        return heed_fail_null(HEED_ERR_NOMEM, where,
                              "not enough memory for the pairs of %" PRId64 " queries with leave_one_out", n);
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE(pairs));
    int64_t *out = heed_mutable_i64(index);
    for (int64_t i = 0; i < n && out; i++)
        for (int64_t j = 0; j < n - 1; j++)
            *out++ = j < i ? j : j + 1;
    return out ? index : NULL;
}

/* Returns x, the keys or values, as (sets, m, columns) with one set for all queries or one per query. With
 * leave_one_out, query i's set lacks row i of x. */
static heed_tensor *arranged(const regression *r, heed_tensor *x, int64_t columns)
{
    const heed__regression_dims *s = &r->sizes;
    if (!r->others)
        return heed_reshape(x, HEED_SHAPE(s->shared ? 1 : s->n, s->m, columns));
    heed_tensor *rows = heed_index_select(heed_reshape(x, HEED_SHAPE(s->n, columns)), 0, r->others);
    return heed_reshape(rows, HEED_SHAPE(s->n, s->m, columns));
}

/* Sets *r from the inputs and params of a call. Returns false after heed_fail. */
static bool arrange(const heed__regression_inputs *in, const heed__regression_params *params, regression *r)
{
    *r = (regression){.params = *params, .width = in->width};
    heed__regression_dims *s = &r->sizes;
    *s = heed__regression_sizes(&in->queries->shape, &in->keys->shape, &in->values->shape, &in->width->shape);
    if (params->leave_one_out) {
        r->others = other_keys(s->n);
        if (!r->others)
            return false;
        s->shared = false;
        s->m = s->n > 0 ? s->n - 1 : 0;
    }
    r->queries = heed_reshape(in->queries, HEED_SHAPE(s->n, 1, s->d));
    r->keys = arranged(r, in->keys, s->d);
    r->values = arranged(r, in->values, s->v);
    return r->queries && r->keys && r->values;
}

/* -- Weights of every kernel --------------------------------------------------------------------------------------- */

static double largest(heed_dtype dtype)
{
    return dtype == HEED_F64 ? DBL_MAX : (double)FLT_MAX;
}

/* Returns w = 1 / h, (1) or (d). The input is w itself or ln h; w is finite for every finite ln h. */
static heed_tensor *width_of(const regression *r)
{
    if (!r->params.log_width)
        return r->width;
    const heed_dtype dtype = r->width->dtype;
    const double most = dtype == HEED_F64 ? 709.78 : 88.72; /* the largest number whose exponential is finite */
    heed_tensor *infinite = heed_compare(r->width, HEED_COMPARE_LT, heed_full(dtype, HEED_SCALAR, -largest(dtype)));
    heed_tensor *power = heed_neg(r->width);
    return heed_exp(heed_where(infinite, power, heed_clamp(power, -(double)INFINITY, most)));
}

/* The Gaussian's weights are softmax(-u) with u = w^2 (d^2 - e^2) / 2 summed over the components, where d = q - k and e
 * is the smallest |d| of a query in a component. u is computed as 2 w (d / 2 - e / 2) w (d / 2 + e / 2). Subtracting
 * e^2 adds a constant to a row, so softmax does not change, and avoids cancellation far from the keys. e is treated as
 * a constant in the derivatives because the result does not depend on it. */
typedef struct offsets {
    heed_tensor *d, *beyond, *sum; /* d, (d - e) / 2 and (d + e) / 2 for all queries, keys and components */
} offsets;

static offsets offsets_from(heed_tensor *diff)
{
    const double most = diff ? largest(diff->dtype) : 0;
    heed_tensor *nearest = heed_mul_scalar(heed_min_axes(heed_abs(heed_detach(diff)), HEED_AXES(1), true), 0.5);
    offsets x = {.d = heed_clamp(diff, -most, most)};
    heed_tensor *half = heed_mul_scalar(x.d, 0.5);
    x.beyond = heed_sub(half, nearest);
    x.sum = heed_add(half, nearest);
    return x;
}

/* Returns a factor for w, one per query (n, 1, 1). It is 1 unless all keys of a query are so far away that u might
 * overflow; it then makes the smallest u about 1. */
static heed_tensor *shrinking(const offsets *x, heed_tensor *w)
{
    heed_dtype dtype = heed_dtype_of(w);
    heed_tensor *far = heed_full(dtype, HEED_SCALAR, dtype == HEED_F64 ? 0x1p300 : 0x1p40);
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR);
    heed_tensor *u = heed_max_axes(heed_abs(heed_mul(heed_detach(x->d), heed_detach(w))), HEED_AXES(2), true);
    heed_tensor *least = heed_clamp(heed_min_axes(u, HEED_AXES(1), true), 0, largest(dtype) / 4);
    return heed_where(heed_compare(least, HEED_COMPARE_GT, far), heed_div(one, least), one);
}

/* Returns u, (n, m, 1). Multiplies the factors in an order in which no intermediate product is infinite or 0 unless the
 * result is (kernels/regression/sweeps.h). */
static heed_tensor *distances(const offsets *x, heed_tensor *w)
{
    heed_tensor *one = heed_ones(heed_dtype_of(w), HEED_SCALAR);
    heed_tensor *small = heed_compare(heed_abs(heed_detach(w)), HEED_COMPARE_LT, one);
    heed_tensor *first = heed_where(small, w, one), *last = heed_where(small, one, w);
    heed_tensor *u = heed_mul(heed_mul(x->beyond, w), heed_mul(x->sum, first));
    u = heed_sum_axes(heed_mul_scalar(heed_mul(u, last), 2), HEED_AXES(2), true);
    return heed_clamp(u, -(double)INFINITY, u ? largest(u->dtype) : 0);
}

/* Returns the weights of the Gaussian, softmax(-u). */
static heed_tensor *gaussian(const regression *r, const offsets *x)
{
    heed_tensor *w = width_of(r);
    if (r->sizes.d <= 1 || r->sizes.m == 0)
        return heed_softmax(heed_neg(heed_squeeze(distances(x, w), 2)), 1);
    heed_tensor *shrink = shrinking(x, w), *u = distances(x, heed_mul(w, shrink));
    heed_tensor *beyond = heed_sub(u, heed_min_axes(heed_detach(u), HEED_AXES(1), true));
    return heed_softmax(heed_neg(heed_squeeze(heed_div(heed_div(beyond, shrink), shrink), 2)), 1);
}

/* Returns sqrt(sum_k u_k^2). Its gradient is 0 at u = 0, where the square root is not differentiable. */
static heed_tensor *norm(heed_tensor *u)
{
    heed_tensor *sum = heed_sum_axes(heed_square(u), HEED_AXES(2), false);
    heed_tensor *zero = heed_zeros(heed_dtype_of(u), HEED_SCALAR);
    heed_tensor *one = heed_ones(heed_dtype_of(u), HEED_SCALAR);
    heed_tensor *is_zero = heed_compare(sum, HEED_COMPARE_EQ, zero);
    return heed_where(is_zero, zero, heed_sqrt(heed_where(is_zero, one, sum)));
}

/* Returns the kernel K(u) for u >= 0, without its normalising factor. */
static heed_tensor *window(heed_nw_kernel kernel, heed_tensor *u)
{
    if (kernel == HEED_NW_BOXCAR) /* sign(u - 1) is 1 only for u > 1; unlike a comparison it propagates NaN */
        return heed_rsub_scalar(heed_relu(heed_sign(heed_add_scalar(u, -1.0))), 1.0);
    if (kernel == HEED_NW_TRIANGULAR)
        return heed_relu(heed_rsub_scalar(u, 1.0));
    heed_tensor *square = heed_square(u);
    heed_tensor *x = heed_relu(heed_rsub_scalar(kernel == HEED_NW_TRICUBE ? heed_mul(square, u) : square, 1.0));
    if (kernel == HEED_NW_EPANECHNIKOV)
        return x;
    return kernel == HEED_NW_BIWEIGHT ? heed_square(x) : heed_mul(heed_square(x), x);
}

/* Returns every row of x divided by its sum. A row of zeros stays zero, and its gradient is 0. */
static heed_tensor *normalise(heed_tensor *x)
{
    heed_tensor *sum = heed_sum_axes(x, HEED_AXES(1), true);
    heed_dtype dtype = heed_dtype_of(x);
    heed_tensor *is_zero = heed_compare(sum, HEED_COMPARE_EQ, heed_zeros(dtype, HEED_SCALAR));
    return heed_div(x, heed_where(is_zero, heed_ones(dtype, HEED_SCALAR), sum));
}

/* Returns the weights (n, m) of the local constant fit. */
static heed_tensor *weigh_constant(const regression *r)
{
    const heed__regression_dims *s = &r->sizes;
    if (r->params.kernel == HEED_NW_CONSTANT)
        return heed_full(r->width->dtype, HEED_SHAPE(s->n, s->m), 1.0 / (double)(s->m > 0 ? s->m : 1));
    heed_tensor *diff = heed_sub(r->queries, r->keys);
    if (s->m == 0) /* an empty result (n, 0) that depends on the same tensors as other weights do */
        return heed_sum_axes(heed_mul(diff, width_of(r)), HEED_AXES(2), false);
    if (r->params.kernel == HEED_NW_GAUSSIAN) {
        const offsets x = offsets_from(diff);
        return gaussian(r, &x);
    }
    heed_tensor *u = heed_clamp(heed_mul(diff, width_of(r)), -2, 2); /* exact: all kernels are 0 for |u| > 1 */
    return normalise(window(r->params.kernel, s->d == 1 ? heed_abs(heed_squeeze(u, 2)) : norm(u)));
}

/* Returns the weights of the local constant or polynomial fit, (n, m). */
static heed_tensor *weigh(const regression *r)
{
    heed_tensor *a = weigh_constant(r);
    if (r->params.degree == 0 || r->sizes.m == 0)
        return a;
    return heed__regression_polynomial(a, r->queries, r->keys, r->params.degree);
}

/* Returns the weights (n, m) with zeros for the keys that leave_one_out skipped. */
static heed_tensor *all_weights(const regression *r, heed_tensor *weights)
{
    const heed__regression_dims *s = &r->sizes;
    if (!r->others)
        return weights;
    return heed_scatter_sum(weights, 1, heed_reshape(r->others, HEED_SHAPE(s->n, s->m)), HEED_SHAPE(s->n, s->n));
}

heed_tensor *heed__regression_weights(const heed__regression_inputs *in, const heed__regression_params *params)
{
    regression r;
    return arrange(in, params, &r) ? all_weights(&r, weigh(&r)) : NULL;
}

/* Returns sum_j x_j v_j, (n, v), for x (n, m) and the values v_j. */
static heed_tensor *pool(const regression *r, heed_tensor *x)
{
    if (r->sizes.shared)
        return heed_matmul(x, heed_squeeze(r->values, 0));
    return heed_squeeze(heed_bmm(heed_unsqueeze(x, 1), r->values), 1);
}

heed_tensor *heed__regression_pool(const heed__regression_inputs *in, const heed__regression_params *params,
                                   heed_tensor **weights)
{
    regression r;
    if (!arrange(in, params, &r))
        return NULL;
    heed_tensor *found = weigh(&r), *f = pool(&r, found);
    if (weights)
        *weights = all_weights(&r, found);
    return r.sizes.columns ? f : heed_reshape(f, HEED_SHAPE(r.sizes.n));
}

/* -- The Gaussian's gradients -------------------------------------------------------------------------------------- */

/* Reverses arranged(): sums the gradient dx (n, m, columns) over the repetitions of a key or value and returns it in
 * the given shape. */
static heed_tensor *back(const regression *r, heed_tensor *dx, heed_shape shape)
{
    const heed__regression_dims *s = &r->sizes;
    if (!dx)
        return NULL;
    int64_t columns = dx->shape.dims[2];
    if (r->others)
        dx = heed_index_sum(heed_reshape(dx, HEED_SHAPE(s->n * s->m, columns)), 0, r->others, s->n);
    else if (s->shared)
        dx = heed_sum_axes(dx, HEED_AXES(0), false);
    return heed_reshape(dx, shape);
}

/* Returns the gradient of the logits, p_j = a_j (g v_j - sum_l a_l g v_l), for weights a and values v. */
static heed_tensor *logit_gradient(const regression *r, heed_tensor *a, heed_tensor *g)
{
    heed_tensor *along = r->sizes.shared ? heed_matmul(g, heed_transpose(heed_squeeze(r->values, 0), 0, 1))
                                         : heed_squeeze(heed_bmm_t(heed_unsqueeze(g, 1), false, r->values, true), 1);
    heed_tensor *mean = heed_sum_axes(heed_mul(a, along), HEED_AXES(1), true);
    return heed_unsqueeze(heed_mul(a, heed_sub(along, mean)), 2);
}

/* The logit of key j is L_j = -u_j, a sum over the components, with d = q - k. In every component:  dL / dq = -w^2 d,
 * dL / dw = -w (d^2 - e^2),  dL / d ln h = w^2 (d^2 - e^2). The gradient p of the logits is 0 if L is -inf, so products
 * begin with p. */
void heed__regression_backward(const heed_call *call, heed_tensor *g, heed_tensor **dx)
{
    const heed__regression_inputs in = {call->inputs[0], call->inputs[1], call->inputs[2], call->inputs[3]};
    regression r;
    if (!arrange(&in, call->params, &r))
        return;
    g = heed_reshape(g, HEED_SHAPE(r.sizes.n, r.sizes.v));
    heed_tensor *diff = heed_sub(r.queries, r.keys), *w = width_of(&r);
    const offsets x = r.sizes.m > 0 ? offsets_from(diff) : (offsets){diff, diff, diff};
    heed_tensor *a = gaussian(&r, &x);
    heed_tensor *p = heed_mul(logit_gradient(&r, a, g), w), *pull = heed_mul(heed_mul(p, x.d), w);
    if (heed_call_needs(call, 0))
        dx[0] = heed_reshape(heed_neg(heed_sum_axes(pull, HEED_AXES(1), false)), in.queries->shape);
    if (heed_call_needs(call, 1))
        dx[1] = back(&r, pull, in.keys->shape);
    if (heed_call_needs(call, 2))
        dx[2] = back(&r, heed_mul(heed_unsqueeze(a, 2), heed_unsqueeze(g, 1)), in.values->shape);
    if (heed_call_needs(call, 3)) {
        heed_tensor *moments = heed_sum_axes(heed_mul(heed_mul(p, x.beyond), x.sum), HEED_AXES(0, 1), false);
        dx[3] = r.params.log_width ? heed_mul(heed_mul_scalar(moments, 4), w) : heed_mul_scalar(moments, -4);
    }
}
