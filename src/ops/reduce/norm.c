/* ops/reduce/norm.c    y = (sum |x|^p)^(1/p) over some axes, with the limits for p = inf, -inf and 0.
 *
 * dx = g sign(x) (|x| / y)^(p - 1), and 0 if y = 0. Composed of ops. Powers that leave the range of the dtype are
 * computed again through ops/rescale.h. */

#include <math.h>

#include "ops/rescale.h"

/* Returns the norm for p < 0, which is 0 if some |x| is 0. Such an |x| is replaced by 1 before the power, so that the
 * infinite slope at 0 is never computed. */
static heed_tensor *norm_below_0(heed_tensor *size, double p, heed_shape axes, bool keepdim, heed_tensor **sum)
{
    const heed_dtype dtype = size ? size->dtype : HEED_F64;
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR), *zeros = heed_compare_scalar(size, HEED_COMPARE_EQ, 0.0);
    *sum = heed_sum_axes(heed_pow_scalar(heed_where(zeros, one, size), p), axes, keepdim);
    heed_tensor *y = heed_pow_scalar(*sum, 1.0 / p);
    heed_tensor *is_0 = heed_logical_and(heed_any_axes(zeros, axes, keepdim), heed_logical_not(heed_isnan(y)));
    return heed_where(is_0, heed_zeros(dtype, HEED_SCALAR), y);
}

/* Returns the norm for finite p other than 0 and 1, and sets *sum to the sum of the powers. */
static heed_tensor *norm_by_powers(heed_tensor *x, double p, heed_shape axes, bool keepdim, heed_tensor **sum)
{
    if (p == 2.0) {
        *sum = heed_sum_axes(heed_square(x), axes, keepdim);
        return heed__power_or_0(*sum, 0.5);
    }
    heed_tensor *size = heed_abs(x);
    if (p < 0.0)
        return norm_below_0(size, p, axes, keepdim, sum);
    /* For p below 2, the first or second derivative of the power is infinite at 0. */
    heed_tensor *powers = p < 2.0 ? heed__power_or_0(size, p) : heed_pow_scalar(size, p);
    *sum = heed_sum_axes(powers, axes, keepdim);
    return heed__power_or_0(*sum, 1.0 / p);
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

static heed_tensor *norm(const char *where, heed_tensor *x, double p, heed_shape axes, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask;
    if (!heed__check_reduced(where, x, axes, &mask))
        return NULL;
    if (isnan(p))
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "p is %g: must not be NaN", p);
    if (p < 0.0 && heed_shape_numel(heed__reduced_shape(&x->shape, mask, false)) > 0 && x->numel == 0)
        return heed_fail_null(HEED_ERR_SHAPE, where, "the norm of an empty tensor is undefined for p = %g: x is %s", p,
                              heed_shape_text(x->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, norm_of(x, p, axes, mask, keepdim)) : NULL;
}

heed_tensor *heed_norm_axes(heed_tensor *x, double p, heed_shape axes, bool keepdim)
{
    return norm("norm_axes", x, p, axes, keepdim);
}

heed_tensor *heed_norm(heed_tensor *x, double p)
{
    return norm("norm", x, p, HEED_ALL_AXES, false);
}
