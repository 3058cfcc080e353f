/* ops/norm/group_norm.c    y = (x - mean) / sqrt(variance + eps) weight + bias, with mean and variance per group of
 * channels.
 *
 * Composed of a layer norm whose rows are the groups, and of a multiplication and an addition per channel. */

#include <inttypes.h>

#include "ops/norm/normalize.h"

/* Checks the shape and dtype of a weight or bias t, which may be NULL. Returns false after heed_fail. */
static bool check_parameter(const char *where, const heed_tensor *x, const heed_tensor *t, const char *name)
{
    if (!t || (t->shape.rank == 1 && t->shape.dims[0] == x->shape.dims[1]))
        return !t || heed__check_pair(where, x, t);
    return heed_fail_false(HEED_ERR_SHAPE, where, "the %s has shape %s: must be (%" PRId64 "), one per channel of x %s",
                           name, heed_shape_text(t->shape).s, x->shape.dims[1], heed_shape_text(x->shape).s);
}

heed_tensor *heed__group_norm(const char *where, heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias,
                              double eps)
{
    HEED_ENTER(where);
    if (!check_parameter(where, x, weight, "weight") || !check_parameter(where, x, bias, "bias"))
        return NULL;
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    const heed_shape rows = x->numel == 0 ? HEED_SHAPE(0, 1) /* the number of groups of an empty x may overflow */
                                          : HEED_SHAPE(split.outer * groups, split.size / groups * split.inner);
    heed_shape column = HEED_SHAPE(split.size); /* followed by a 1 for every axis after the channels */
    while (column.rank < x->shape.rank - 1)
        column.dims[column.rank++] = 1;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *y = heed_layer_norm(heed_reshape(x, rows), HEED_SHAPE(rows.dims[1]), NULL, NULL, eps);
    y = heed_reshape(y, x->shape);
    if (weight)
        y = heed_mul(y, heed_reshape(weight, column));
    if (bias)
        y = heed_add(y, heed_reshape(bias, column));
    return heed_scope_return(scope, y);
}

heed_tensor *heed_group_norm(heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias, double eps)
{
    static const char where[] = "group_norm";
    if (!heed__norm_check_channels(where, x) || !heed__norm_check_eps(where, x, &eps))
        return NULL;
    if (groups < 1 || x->shape.dims[1] % groups != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "groups is %" PRId64 ": must be 1 or more and divide the %" PRId64 " channels of x %s",
                              groups, x->shape.dims[1], heed_shape_text(x->shape).s);
    return heed__group_norm(where, x, groups, weight, bias, eps);
}
