/* ops/reduce/moments.c - variance, standard deviation and norms: sums of powers, which may leave the range of the dtype
 * although the result does not (ops/rescale.h). Composed of ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "ops/rescale.h"

/* -- var ----------------------------------------------------------------------------------------------------------- */

/* y = sum((x - mean)^2) / (n - correction) over some axes.    dx = 2 g (x - mean) / (n - correction) */

/* The checked arguments of var and std; `mask` holds the axes as bits. */
typedef struct var_args {
    heed_shape axes;
    unsigned mask;
    int correction;
    bool keepdim;
} var_args;

/* The number of elements per result. */
static double var_terms(const heed_tensor *x, const var_args *args)
{
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (args->mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    return n;
}

/* The divisor of the sum of squares. */
static double var_parts(const heed_tensor *x, const var_args *args)
{
    const double n = var_terms(x, args);
    return n > args->correction ? n - args->correction : 0.0;
}

/* Returns the variance, computed without rescaling: squares may leave the range of the dtype. */
static heed_tensor *plain_var(heed_tensor *x, const var_args *args)
{
    if (!x)
        return NULL;
    heed_tensor *mean = heed_mean_axes(x, args->axes, true);
    heed_tensor *sum = heed_sum_axes(heed_square(heed_sub(x, mean)), args->axes, args->keepdim);
    return heed_div(sum, heed_full(x->dtype, HEED_SCALAR, var_parts(x, args)));
}

/* The sums of n numbers and of their squares may overflow although the variance does not. Such a variance is computed
 * again from the numbers divided by n, rounded up to a power of two; sums of these stay in range. Underflow loses no
 * digit that the result could hold. */
static heed_tensor *var_of(heed_tensor *x, const var_args *args)
{
    heed_tensor *y = plain_var(x, args);
    const double factor = exp2(-ceil(log2(var_terms(x, args))));
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){args->mask, 2.0, .centred = true, .factor = factor}, y, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, heed__unscaled(&r, plain_var(r.x, args)));
    return heed__joined(&r, plain_var(r.plain, args), scaled);
}

/* Checks the arguments and returns of(x, args), computed in a scope of its own. */
static heed_tensor *moment(const char *where, heed_tensor *(*of)(heed_tensor *, const var_args *), heed_tensor *x,
                           var_args args)
{
    HEED_ENTER(where);
    if (!heed__check_reduced(where, x, args.axes, &args.mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, of(x, &args)) : NULL;
}

heed_tensor *heed_var(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return moment("var", var_of, x, (var_args){.axes = axes, .correction = correction, .keepdim = keepdim});
}

/* -- std ----------------------------------------------------------------------------------------------------------- */

/* Returns x^p. For x = 0, the result and its derivatives are 0. Leaves temporaries in the scope. */
static heed_tensor *power_or_0(heed_tensor *x, double p)
{
    if (!x)
        return NULL;
    heed_tensor *is_0 = heed_compare_scalar(x, HEED_COMPARE_EQ, 0.0);
    heed_tensor *base = heed_where(is_0, heed_ones(x->dtype, HEED_SCALAR), x);
    return heed_where(is_0, heed_zeros(x->dtype, HEED_SCALAR), heed_pow_scalar(base, p));
}

/* y = var(x)^(1/2) over some axes.    dx = g (x - mean) / (y (n - correction)), 0 if y = 0 */
static heed_tensor *plain_std(heed_tensor *x, const var_args *args, heed_tensor **variance)
{
    *variance = plain_var(x, args);
    return power_or_0(*variance, 0.5);
}

static heed_tensor *std_of(heed_tensor *x, const var_args *args)
{
    heed_tensor *variance, *y = plain_std(x, args, &variance);
    const double terms = var_terms(x, args) / var_parts(x, args);
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){args->mask, 2.0, .centred = true, .terms = terms}, variance, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, plain_std(r.x, args, &variance));
    return heed__joined(&r, plain_std(r.plain, args, &variance), scaled);
}

heed_tensor *heed_std(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return moment("std", std_of, x, (var_args){.axes = axes, .correction = correction, .keepdim = keepdim});
}

/* -- norm ---------------------------------------------------------------------------------------------------------- */

/* y = (sum |x|^p)^(1/p) over some axes, with the limits for p = inf, -inf and 0.
 *
 *     dx = g sign(x) (|x| / y)^(p - 1), and 0 if y = 0 */

/* Returns the norm for p < 0, which is 0 if some |x| is 0. Such an |x| is replaced by 1 before the power, so that the
 * infinite slope at 0 is never computed. */
static heed_tensor *norm_below_0(heed_tensor *size, double p, heed_shape axes, bool keepdim, heed_tensor **sum)
{
    const heed_dtype dtype = size ? size->dtype : HEED_F64;
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR), *zeros = heed_compare_scalar(size, HEED_COMPARE_EQ, 0.0);
    *sum = heed_sum_axes(heed_pow_scalar(heed_where(zeros, one, size), p), axes, keepdim);
    heed_tensor *y = heed_pow_scalar(*sum, 1.0 / p);
    heed_tensor *is_0 = heed_logical_and(heed_any(zeros, axes, keepdim), heed_logical_not(heed_isnan(y)));
    return heed_where(is_0, heed_zeros(dtype, HEED_SCALAR), y);
}

/* Returns the norm for finite p other than 0 and 1, and sets *sum to the sum of the powers. */
static heed_tensor *norm_by_powers(heed_tensor *x, double p, heed_shape axes, bool keepdim, heed_tensor **sum)
{
    if (p == 2.0) {
        *sum = heed_sum_axes(heed_square(x), axes, keepdim);
        return power_or_0(*sum, 0.5);
    }
    heed_tensor *size = heed_abs(x);
    if (p < 0.0)
        return norm_below_0(size, p, axes, keepdim, sum);
    /* For p below 2, the first or second derivative of the power is infinite at 0. */
    heed_tensor *powers = p < 2.0 ? power_or_0(size, p) : heed_pow_scalar(size, p);
    *sum = heed_sum_axes(powers, axes, keepdim);
    return power_or_0(*sum, 1.0 / p);
}

static heed_tensor *norm_of(heed_tensor *x, double p, heed_shape axes, unsigned mask, bool keepdim)
{
    if (p == 1.0)
        return heed_sum_axes(heed_abs(x), axes, keepdim);
    if (p == 0.0) {
        heed_tensor *size = heed_abs(x);
        return heed_sum_axes(heed_sign(heed_where(heed_isnan(size), heed_ones(x->dtype, HEED_SCALAR), size)), axes,
                             keepdim);
    }
    if (isinf(p))
        return p > 0.0 ? heed_max_axes(heed_abs(x), axes, keepdim) : heed_min_axes(heed_abs(x), axes, keepdim);
    heed_tensor *sum, *y = norm_by_powers(x, p, axes, keepdim, &sum);
    const double terms = y && y->numel > 0 ? (double)x->numel / (double)y->numel : 0;
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){.mask = mask, .p = p, .terms = terms}, sum, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, norm_by_powers(r.x, p, axes, keepdim, &sum));
    return heed__joined(&r, norm_by_powers(r.plain, p, axes, keepdim, &sum), scaled);
}

heed_tensor *heed_norm(heed_tensor *x, double p, heed_shape axes, bool keepdim)
{
    HEED_ENTER("norm");
    unsigned mask;
    if (!heed__check_reduced("norm", x, axes, &mask))
        return NULL;
    if (isnan(p))
        return heed_fail_null(HEED_ERR_ARGUMENT, "norm", "p is %g: must not be NaN", p);
    if (p < 0.0 && heed_shape_numel(heed__reduced_shape(&x->shape, mask, false)) > 0 && x->numel == 0)
        return heed_fail_null(HEED_ERR_SHAPE, "norm", "the norm of an empty tensor is undefined for p = %g: x is %s", p,
                              heed_shape_text(x->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, norm_of(x, p, axes, mask, keepdim)) : NULL;
}
