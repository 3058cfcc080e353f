/* ops/elementwise/compare_scalar.c    y = x ? c for one of = != < <= > >=, elementwise; bool, no gradient. */

#include <math.h>

#include "ops/support.h"

/* Rounded to x's dtype, as PyTorch does; a whole number only, where that is i64. */
static bool fits(heed_dtype dtype, double c)
{
    if (dtype == HEED_I64)
        return c == floor(c) && c >= -0x1p63 && c < 0x1p63;
    return dtype != HEED_BOOL || c == 0.0 || c == 1.0;
}

heed_tensor *heed_compare_scalar(heed_tensor *x, heed_comparison comparison, double c)
{
    HEED_ENTER("compare_scalar");
    if (!heed__check_tensor("compare_scalar", x))
        return NULL;
    if (!fits(x->dtype, c))
        return heed_fail_null(HEED_ERR_ARGUMENT, "compare_scalar", "c is %g: must be a number of %s, as x is", c,
                              heed_dtype_name(x->dtype));
    return heed_compare(x, comparison, heed_full(x->dtype, HEED_SCALAR, c));
}
