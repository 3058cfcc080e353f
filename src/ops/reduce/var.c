/* ops/reduce/var.c    y = sum((x - mean)^2) / (n - correction) over some axes.    dx = 2 g (x - mean) / (n -
 * correction) */

#include <math.h>

#include "ops/reduce/var.h"

double heed__var_terms(const heed_tensor *x, const heed__var_args *args)
{
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (args->mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    return n;
}

double heed__var_parts(const heed_tensor *x, const heed__var_args *args)
{
    const double n = heed__var_terms(x, args);
    return n > args->correction ? n - args->correction : 0.0;
}

heed_tensor *heed__plain_var(heed_tensor *x, const heed__var_args *args)
{
    if (!x)
        return NULL;
    heed_tensor *mean = heed_mean_axes(x, args->axes, true);
    heed_tensor *sum = heed_sum_axes(heed_square(heed_sub(x, mean)), args->axes, args->keepdim);
    return heed_div(sum, heed_full(x->dtype, HEED_SCALAR, heed__var_parts(x, args)));
}

/* The sums of n numbers and of their squares may overflow although the variance does not. Such a variance is computed
 * again from the numbers divided by n, rounded up to a power of two; sums of these stay in range. Underflow loses no
 * digit that the result could hold. */
static heed_tensor *var_of(heed_tensor *x, const heed__var_args *args)
{
    heed_tensor *y = heed__plain_var(x, args);
    const double factor = exp2(-ceil(log2(heed__var_terms(x, args))));
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){args->mask, 2.0, .centred = true, .factor = factor}, y, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, heed__unscaled(&r, heed__plain_var(r.x, args)));
    return heed__joined(&r, heed__plain_var(r.plain, args), scaled);
}

static heed_tensor *var(const char *where, heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    HEED_ENTER(where);
    heed__var_args args = {.axes = axes, .correction = correction, .keepdim = keepdim};
    if (!heed__check_reduced(where, x, axes, &args.mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, var_of(x, &args)) : NULL;
}

heed_tensor *heed_var_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return var("var_axes", x, axes, correction, keepdim);
}

heed_tensor *heed_var(heed_tensor *x, int correction)
{
    return var("var", x, HEED_ALL_AXES, correction, false);
}
