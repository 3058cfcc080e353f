/* ops/product/outer.c    y[i, j] = a[i] b[j].    da = g b, db = a g */

#include "ops/support.h"

heed_tensor *heed_outer(heed_tensor *a, heed_tensor *b)
{
    HEED_ENTER("outer");
    if (!heed__check_tensor("outer", a) || !heed__check_tensor("outer", b))
        return NULL;
    if (a->shape.rank != 1 || b->shape.rank != 1)
        return heed_fail_null(HEED_ERR_SHAPE, "outer", "%s and %s: must both be of rank 1", heed_shape_text(a->shape).s,
                              heed_shape_text(b->shape).s);
    return heed_mul(heed_unsqueeze(a, 1), b);
}
