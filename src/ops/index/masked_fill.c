/* ops/index/masked_fill.c    y = `value` if the mask is true, else x.    dx = exactly 0 if the mask is true, else g */

#include "ops/support.h"

heed_tensor *heed_masked_fill(heed_tensor *x, heed_tensor *mask, double value)
{
    HEED_ENTER("masked_fill");
    heed_shape both;
    if (!heed__check_tensor("masked_fill", x) || !heed__check_tensor("masked_fill", mask))
        return NULL;
    if (x->dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, "masked_fill", "x is bool %s: must be f32, f64 or i64",
                              heed_shape_text(x->shape).s);
    if (mask->dtype != HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, "masked_fill", "the mask is %s: must be bool",
                              heed_dtype_name(mask->dtype));
    if (!heed_shape_broadcast(mask->shape, x->shape, &both) || !heed__same_shape(&both, &x->shape))
        return heed_fail_null(HEED_ERR_SHAPE, "masked_fill", "the mask %s does not broadcast to %s",
                              heed_shape_text(mask->shape).s, heed_shape_text(x->shape).s);
    if (!heed__check_number("masked_fill", "value", x, value))
        return NULL;
    return heed_where(mask, heed_full(x->dtype, HEED_SCALAR, value), x);
}
