/* ops/loss/triplet_margin_loss.c    max(0, |a - p| - |a - n| + margin) per row, for an anchor a, a positive p and a
 * negative n; with `swap`, the smaller of |a - n| and |p - n| replaces |a - n|. */

#include "ops/loss/loss.h"
#include "ops/rescale.h"

static const char where[] = "triplet_margin_loss";

/* Added to all differences, as in PyTorch's pairwise_distance, so that the distance of equal rows has a gradient. */
#define EPS 1e-6

static heed_tensor *length(heed_tensor *x, heed_tensor **square)
{
    *square = heed_sum_axes(heed_square(x), HEED_AXES(-1), false);
    return heed_sqrt(*square);
}

/* Returns |a - b|, even if its square overflows. */
static heed_tensor *distance(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *apart = heed_add_scalar(heed_sub(a, b), EPS), *square, *y = length(apart, &square);
    heed__rescaled r;
    if (!apart || !heed__rescale(apart, &(heed__powers){.mask = 1u << (apart->shape.rank - 1), .p = 2.0}, square, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, length(r.x, &square));
    return heed__joined(&r, length(r.plain, &square), scaled);
}

static bool check(const heed_tensor *anchor, const heed_tensor *positive, const heed_tensor *negative, double margin,
                  heed_reduction reduction)
{
    if (!heed__check_loss(where, anchor, positive, reduction) ||
        !heed__check_loss(where, anchor, negative, reduction) || !heed__check_margin(where, margin))
        return false;
    return anchor->shape.rank > 0 ||
           heed_fail_false(HEED_ERR_SHAPE, where, "the anchor is a scalar: must have at least one axis");
}

heed_tensor *heed_triplet_margin_loss(heed_tensor *anchor, heed_tensor *positive, heed_tensor *negative, double margin,
                                      bool swap, heed_reduction reduction)
{
    HEED_ENTER(where);
    if (!check(anchor, positive, negative, margin, reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *apart = distance(anchor, negative);
    if (swap)
        apart = heed_minimum(apart, distance(positive, negative));
    heed_tensor *losses = heed_relu(heed_add_scalar(heed_sub(distance(anchor, positive), apart), margin));
    return heed_scope_return(scope, heed__reduce_loss(losses, reduction));
}
