/* ops/loss/cosine_similarity.c    a b / (max(|a|, 1e-8) max(|b|, 1e-8)) along an axis. */

#include "ops/loss/loss.h"
#include "ops/rescale.h"

#include <math.h>

#define EPS 1e-8

/* Returns x / max(|x|, 1e-8) and sets *square to |x|^2. Clamps the square, not its root, because the root has an
 * infinite slope at 0. */
static heed_tensor *unit_by(heed_tensor *x, int axis, heed_tensor **square)
{
    *square = heed_sum_axes(heed_square(x), HEED_AXES(axis), true);
    return heed_div(x, heed_sqrt(heed_clamp(*square, EPS * EPS, (double)INFINITY)));
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
        !heed__check_pair("cosine_similarity", a, b))
        return NULL;
    if (!heed_shape_broadcast(a->shape, b->shape, &both))
        return heed_fail_null(HEED_ERR_SHAPE, "cosine_similarity", "shapes %s and %s do not broadcast",
                              heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    if ((axis = heed__axis_of("cosine_similarity", axis, both.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    a = heed_expand(a, both);
    b = heed_expand(b, both);
    heed_tensor *product = heed_mul(unit(a, axis), unit(b, axis));
    return heed_scope_return(scope, heed_sum_axes(product, HEED_AXES(axis), false));
}
