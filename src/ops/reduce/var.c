/* ops/reduce/var.c    y = sum((x - mean)^2) / (n - correction) over some axes.    dx = 2 g (x - mean) / (n - correction) */

#include "ops/support.h"

static heed_tensor *var(const char *where, heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask;
    if (!heed__check_reduced(where, x, axes, &mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    const double parts = n > correction ? n - correction : 0.0;
    heed_tensor *mean = heed_mean_axes(x, axes, true);
    heed_tensor *sum = heed_sum_axes(heed_square(heed_sub(x, mean)), axes, keepdim);
    return heed_scope_return(scope, heed_div(sum, heed_full(x->dtype, HEED_SCALAR, parts)));
}

heed_tensor *heed_var_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return var("var_axes", x, axes, correction, keepdim);
}

heed_tensor *heed_var(heed_tensor *x, int correction)
{
    return var("var", x, HEED_ALL_AXES, correction, false);
}
