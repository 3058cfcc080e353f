/* ops/loss/cosine_embedding_loss.c    1 - cos(a, b) if t is 1, max(0, cos(a, b) - margin) if t is -1. */

#include "ops/loss/loss.h"

static const char where[] = "cosine_embedding_loss";

static bool check(const heed_tensor *a, const heed_tensor *b, const heed_tensor *target, double margin,
                  heed_reduction reduction)
{
    if (!heed__check_loss(where, a, b, reduction) || !heed__check_tensor(where, target) ||
        !heed__check_pair(where, a, target) || !heed__check_margin(where, margin))
        return false;
    heed_shape rows = a->shape;
    rows.rank--;
    return (rows.rank >= 0 && heed__same_shape(&rows, &target->shape)) ||
           heed_fail_false(HEED_ERR_SHAPE, where, "targets %s: must be one per row of a %s",
                           heed_shape_text(target->shape).s, heed_shape_text(a->shape).s);
}

heed_tensor *heed_cosine_embedding_loss(heed_tensor *a, heed_tensor *b, heed_tensor *target, double margin,
                                        heed_reduction reduction)
{
    HEED_ENTER(where);
    if (!check(a, b, target, margin, reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *cosine = heed_cosine_similarity(a, b, -1);
    heed_tensor *if_different = heed_relu(heed_add_scalar(cosine, -margin));
    heed_tensor *losses = heed__where_pairs(target, heed_rsub_scalar(cosine, 1), if_different);
    return heed_scope_return(scope, heed__reduce_loss(losses, reduction));
}
