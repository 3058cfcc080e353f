/* ops/reduce/mean.c    y = sum(x) / n over some axes.    dx = g / n */

#include "ops/support.h"

/* Divides by n, because multiplying by 1 / n would round twice: the mean of 49 ones is 1. */
static heed_tensor *mean(const char *where, heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask = 0;
    if (!heed__check_reduced(where, x, axes, &mask))
        return NULL;
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    return heed_div(heed_sum_axes(x, axes, keepdim), heed_full(x->dtype, HEED_SCALAR, n));
}

heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    return mean("mean_axes", x, axes, keepdim);
}

heed_tensor *heed_mean(heed_tensor *x)
{
    return mean("mean", x, HEED_ALL_AXES, false);
}
