/* ops/reduce/std.c    y = var(x)^(1/2) over some axes.    dx = g (x - mean) / (y (n - correction)), 0 if y = 0 */

#include "ops/reduce/var.h"

static heed_tensor *plain_std(heed_tensor *x, const heed__var_args *args, heed_tensor **variance)
{
    *variance = heed__plain_var(x, args);
    return heed__power_or_0(*variance, 0.5);
}

static heed_tensor *std_of(heed_tensor *x, const heed__var_args *args)
{
    heed_tensor *variance, *y = plain_std(x, args, &variance);
    const double terms = heed__var_terms(x, args) / heed__var_parts(x, args);
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){args->mask, 2.0, .centred = true, .terms = terms}, variance, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, plain_std(r.x, args, &variance));
    return heed__joined(&r, plain_std(r.plain, args, &variance), scaled);
}

static heed_tensor *std(const char *where, heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    HEED_ENTER(where);
    heed__var_args args = {.axes = axes, .correction = correction, .keepdim = keepdim};
    if (!heed__check_reduced(where, x, axes, &args.mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, std_of(x, &args)) : NULL;
}

heed_tensor *heed_std_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return std("std_axes", x, axes, correction, keepdim);
}

heed_tensor *heed_std(heed_tensor *x, int correction)
{
    return std("std", x, HEED_ALL_AXES, correction, false);
}
