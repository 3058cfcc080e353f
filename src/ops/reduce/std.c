/* ops/reduce/std.c    y = var(x)^(1/2) over some axes.    dx = g (x - mean) / (y (n - correction)), 0 where y = 0 */

#include "ops/support.h"

static heed_tensor *std(const char *where, heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask;
    if (!heed__check_reduced(where, x, axes, &mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed__power_or_0(heed_var_axes(x, axes, correction, keepdim), 0.5)) : NULL;
}

heed_tensor *heed_std_axes(heed_tensor *x, heed_shape axes, int correction, bool keepdim)
{
    return std("std_axes", x, axes, correction, keepdim);
}

heed_tensor *heed_std(heed_tensor *x, int correction)
{
    return std("std", x, HEED_ALL_AXES, correction, false);
}
