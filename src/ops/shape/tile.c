/* ops/shape/tile.c    [a b] -> [a b a b] along several axes.    dx = sum of g over the repeats */

#include "ops/support.h"

#include <inttypes.h>

/* Prepends axes of size 1 until the shape has this rank. */
static void lead_with_ones(heed_shape *shape, int rank)
{
    int lead = rank - shape->rank;
    for (int axis = rank - 1; axis >= 0; axis--)
        shape->dims[axis] = axis < lead ? 1 : shape->dims[axis - lead];
    shape->rank = rank;
}

/* Brings x's shape and the repeats to the same rank and writes the shape of the result to *tiled. Returns false after
 * heed_fail. */
static bool align(heed_shape *shape, heed_shape *repeats, heed_shape *tiled)
{
    if (repeats->rank < 0 || repeats->rank > HEED_MAX_RANK)
        return heed__check_shape("tile", repeats);
    int rank = repeats->rank > shape->rank ? repeats->rank : shape->rank;
    lead_with_ones(shape, rank);
    lead_with_ones(repeats, rank);
    *tiled = *shape;
    for (int axis = 0; axis < rank; axis++)
        if (repeats->dims[axis] < 0 ||
            __builtin_mul_overflow(shape->dims[axis], repeats->dims[axis], &tiled->dims[axis]))
            return heed_fail_false(HEED_ERR_ARGUMENT, "tile", "axis %d of %s cannot be repeated %" PRId64 " times",
                                   axis, heed_shape_text(*shape).s, repeats->dims[axis]);
    return heed__check_shape("tile", tiled);
}

/* Repeats one axis after the other, from the last: (outer, inner) -> (outer, repeats, inner). The caller must have
 * checked the shapes. */
static heed_tensor *tile_axes(heed_tensor *x, const heed_shape *shape, const heed_shape *repeats,
                              const heed_shape *tiled)
{
    if (heed_shape_numel(*tiled) == 0)
        return heed_clone(heed_reshape(heed_slice(heed_reshape(x, HEED_SHAPE(-1)), 0, 0, 0, 1), *tiled));
    heed_tensor *y = x;
    int64_t outer = x->numel, inner = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        outer /= shape->dims[axis];
        inner *= shape->dims[axis];
        int64_t n = repeats->dims[axis];
        if (n != 1)
            y = heed_clone(heed_expand(heed_reshape(y, HEED_SHAPE(outer, 1, inner)), HEED_SHAPE(outer, n, inner)));
        inner *= n;
    }
    return heed_reshape(y == x ? heed_clone(x) : y, *tiled);
}

heed_tensor *heed_tile(heed_tensor *x, heed_shape repeats)
{
    HEED_ENTER("tile");
    if (!heed__check_tensor("tile", x))
        return NULL;
    heed_shape shape = x->shape, tiled = shape;
    if (!align(&shape, &repeats, &tiled))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, tile_axes(x, &shape, &repeats, &tiled)) : NULL;
}
