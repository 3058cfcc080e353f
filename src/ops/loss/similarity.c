/* ops/loss/similarity.c - the cosine of rows, and losses of similarities and distances between rows.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "ops/loss/loss.h"
#include "ops/rescale.h"

/* -- cosine_similarity --------------------------------------------------------------------------------------------- */

/* a b / (max(|a|, 1e-8) max(|b|, 1e-8)) along an axis. */

#define LEAST_LENGTH 1e-8

/* Returns x / max(|x|, 1e-8) and sets *square to |x|^2. Clamps the square, not its root, because the root has an
 * infinite slope at 0. */
static heed_tensor *unit_by(heed_tensor *x, int axis, heed_tensor **square)
{
    *square = heed_sum_axes(heed_square(x), HEED_AXES(axis), true);
    return heed_div(x, heed_sqrt(heed_clamp(*square, LEAST_LENGTH * LEAST_LENGTH, (double)INFINITY)));
}

/* Returns x / max(|x|, 1e-8), even if squares overflow. Squares that underflow need no care, because they are
 * clamped. */
static heed_tensor *unit(heed_tensor *x, int axis)
{
    heed_tensor *square, *y = unit_by(x, axis, &square);
    heed__rescaled r;
    if (!heed__rescale(x, &(heed__powers){.mask = 1u << axis, .p = 2.0, .by_sum = true}, square, &r))
        return y;
    heed_tensor *scaled = unit_by(r.x, axis, &square);
    return heed__joined(&r, unit_by(r.plain, axis, &square), scaled);
}

heed_tensor *heed_cosine_similarity(heed_tensor *a, heed_tensor *b, int axis)
{
    HEED_ENTER("cosine_similarity");
    heed_shape both;
    if (!heed__check_tensor("cosine_similarity", a) || !heed__check_tensor("cosine_similarity", b) ||
        !heed__check_pair("cosine_similarity", a, b) || !heed__check_broadcast("cosine_similarity", a, b, &both) ||
        (axis = heed__axis_of("cosine_similarity", axis, both.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    a = heed_expand(a, both);
    b = heed_expand(b, both);
    heed_tensor *product = heed_mul(unit(a, axis), unit(b, axis));
    return heed_scope_return(scope, heed_sum_axes(product, HEED_AXES(axis), false));
}

/* 1 - cos(a, b) if t is 1, max(0, cos(a, b) - margin) if t is -1. */
static bool check_cosine_embedding(const heed_tensor *a, const heed_tensor *b, const heed_tensor *target, double margin,
                                   heed_reduction reduction)
{
    if (!heed__check_loss("cosine_embedding_loss", a, b, reduction) ||
        !heed__check_tensor("cosine_embedding_loss", target) || !heed__check_pair("cosine_embedding_loss", a, target) ||
        !heed__check_margin("cosine_embedding_loss", margin))
        return false;
    heed_shape rows = a->shape;
    rows.rank--;
    return (rows.rank >= 0 && heed__same_shape(&rows, &target->shape)) ||
           heed_fail_false(HEED_ERR_SHAPE, "cosine_embedding_loss", "targets %s: must be one per row of a %s",
                           heed_shape_text(target->shape).s, heed_shape_text(a->shape).s);
}

heed_tensor *heed_cosine_embedding_loss(heed_tensor *a, heed_tensor *b, heed_tensor *target, double margin,
                                        heed_reduction reduction)
{
    HEED_ENTER("cosine_embedding_loss");
    if (!check_cosine_embedding(a, b, target, margin, reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *cosine = heed_cosine_similarity(a, b, -1);
    heed_tensor *if_different = heed_relu(heed_add_scalar(cosine, -margin));
    heed_tensor *losses = heed__where_pairs(target, heed_rsub_scalar(cosine, 1), if_different);
    return heed_scope_return(scope, heed__reduce_loss(losses, reduction));
}

/* -- triplet_margin_loss ------------------------------------------------------------------------------------------- */

/* max(0, |a - p| - |a - n| + margin) per row, for an anchor a, a positive p and a negative n; with `swap`, the smaller
 * of |a - n| and |p - n| replaces |a - n|. */

/* Added to all differences, as in PyTorch's pairwise_distance, so that the distance of equal rows has a gradient. */
#define APART 1e-6

static heed_tensor *length(heed_tensor *x, heed_tensor **square)
{
    *square = heed_sum_axes(heed_square(x), HEED_AXES(-1), false);
    return heed_sqrt(*square);
}

/* Returns |a - b|, even if its square overflows. */
static heed_tensor *row_distance(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *apart = heed_add_scalar(heed_sub(a, b), APART), *square, *y = length(apart, &square);
    heed__rescaled r;
    if (!apart || !heed__rescale(apart, &(heed__powers){.mask = 1u << (apart->shape.rank - 1), .p = 2.0}, square, &r))
        return y;
    heed_tensor *scaled = heed__unscaled(&r, length(r.x, &square));
    return heed__joined(&r, length(r.plain, &square), scaled);
}

static bool check_triplets(const heed_tensor *anchor, const heed_tensor *positive, const heed_tensor *negative,
                           double margin, heed_reduction reduction)
{
    if (!heed__check_loss("triplet_margin_loss", anchor, positive, reduction) ||
        !heed__check_loss("triplet_margin_loss", anchor, negative, reduction) ||
        !heed__check_margin("triplet_margin_loss", margin))
        return false;
    return anchor->shape.rank > 0 || heed_fail_false(HEED_ERR_SHAPE, "triplet_margin_loss",
                                                     "the anchor is a scalar: must have at least one axis");
}

heed_tensor *heed_triplet_margin_loss(heed_tensor *anchor, heed_tensor *positive, heed_tensor *negative, double margin,
                                      bool swap, heed_reduction reduction)
{
    HEED_ENTER("triplet_margin_loss");
    if (!check_triplets(anchor, positive, negative, margin, reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *apart = row_distance(anchor, negative);
    if (swap)
        apart = heed_minimum(apart, row_distance(positive, negative));
    heed_tensor *losses = heed_relu(heed_add_scalar(heed_sub(row_distance(anchor, positive), apart), margin));
    return heed_scope_return(scope, heed__reduce_loss(losses, reduction));
}
