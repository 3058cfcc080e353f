/* ops/mean.c    y = sum(x) / n over some axes.    dx = g / n */

#include "ops/support.h"

/* Divides by n, where multiplying by 1/n would round twice: the mean of 49 ones is 1. */
heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    unsigned mask = 0;
    if (!heed__check_tensor("mean", x) || !heed__check_float("mean", x) ||
        !heed__axis_mask("mean", axes, x->shape.rank, &mask))
        return NULL;
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    return heed_div(heed_sum_axes(x, axes, keepdim), heed_full(x->dtype, HEED_SCALAR, n));
}

heed_tensor *heed_mean(heed_tensor *x)
{
    return heed_mean_axes(x, HEED_ALL_AXES, false);
}
