/* ops/norm/instance_norm.c    y = (x - mean) / sqrt(variance + eps) weight + bias, with mean and variance per channel
 * and example. */

#include "ops/norm/normalize.h"

heed_tensor *heed_instance_norm(heed_tensor *x, heed_tensor *weight, heed_tensor *bias, double eps)
{
    static const char where[] = "instance_norm";
    if (!heed__norm_check_channels(where, x) || !heed__norm_check_eps(where, x, &eps))
        return NULL;
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    if (split.inner == 1)
        return heed_fail_null(HEED_ERR_SHAPE, where, "x %s has one element per channel: a variance needs at least two",
                              heed_shape_text(x->shape).s);
    return heed__group_norm(where, x, split.size > 0 ? split.size : 1, weight, bias, eps);
}
