/* ops/shape/joins.c - tensors joined along an axis, and repeated.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/support.h"

/* -- concat -------------------------------------------------------------------------------------------------------- */

/* y = the tensors joined along an axis.    dx[i] = the slice of g where y holds x[i] */

static bool can_join(const heed_shape *a, const heed_shape *b, int axis)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = i == axis || a->dims[i] == b->dims[i];
    return same;
}

static bool concat_infer(const heed_call *call, heed_meta *out)
{
    const int axis = *(const int *)call->params;
    const heed_tensor *first = call->inputs[0];
    out->dtype = first->dtype;
    out->shape = first->shape;
    int64_t *size = &out->shape.dims[axis];
    for (int i = 1; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        if (x->dtype != first->dtype)
            return heed_fail_false(HEED_ERR_DTYPE, "concat",
                                   "tensor 0 is %s, tensor %d is %s: must have the same dtype",
                                   heed_dtype_name(first->dtype), i, heed_dtype_name(x->dtype));
        if (!can_join(&first->shape, &x->shape, axis) || __builtin_add_overflow(*size, x->shape.dims[axis], size))
            return heed_fail_false(HEED_ERR_SHAPE, "concat", "tensor 0 %s and tensor %d %s cannot be joined on axis %d",
                                   heed_shape_text(first->shape).s, i, heed_shape_text(x->shape).s, axis);
    }
    return heed__check_shape("concat", &out->shape);
}

static bool concat_forward(const heed_call *call, heed_tensor *const *out)
{
    const int axis = *(const int *)call->params;
    int64_t at = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        int64_t size = x->shape.dims[axis];
        heed_layout slice = heed__slice_layout(out[0], axis, at, 1, size);
        if (!heed__copy_into("concat", x, out[0], &slice))
            return false;
        at += size;
    }
    return true;
}

static void concat_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    int64_t at = 0;
    for (int i = 0; i < call->n_inputs; i++) {
        heed_shape shape = heed_call_shape(call, i);
        int64_t stop = at + shape.dims[axis];
        if (heed_call_needs(call, i))
            dx[i] = heed_slice(g[0], axis, at, stop, 1);
        at = stop;
    }
}

const heed_op heed_op_concat = {
    .name = "concat",
    .n_inputs = 1,
    .max_inputs = HEED_MAX_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(int),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int, "axis")),
    .infer = concat_infer,
    .forward = concat_forward,
    .backward = concat_backward,
};

heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis)
{
    if (!heed__check_list("concat", tensors, n))
        return NULL;
    axis = heed__axis_of("concat", axis, tensors[0]->shape.rank);
    return axis < 0 ? NULL : heed_apply(&heed_op_concat, tensors, n, &axis);
}

/* -- stack --------------------------------------------------------------------------------------------------------- */

/* y = the tensors joined along a new axis.    dx[i] = g at index i of that axis */
static bool check_same_shape(heed_tensor *const *tensors, int n)
{
    const heed_tensor *first = tensors[0];
    for (int i = 1; i < n; i++) {
        const heed_tensor *x = tensors[i];
        if (x->dtype != first->dtype)
            return heed_fail_false(HEED_ERR_DTYPE, "stack", "tensor 0 is %s, tensor %d is %s: must have the same dtype",
                                   heed_dtype_name(first->dtype), i, heed_dtype_name(x->dtype));
        if (!heed_shape_equal(x->shape, first->shape))
            return heed_fail_false(HEED_ERR_SHAPE, "stack", "tensor 0 %s and tensor %d %s differ",
                                   heed_shape_text(first->shape).s, i, heed_shape_text(x->shape).s);
    }
    return true;
}

/* Checks that n stacked tensors of this shape form a valid shape. Returns false after heed_fail. */
static bool check_size(const heed_shape *shape, int n)
{
    heed_shape stacked = *shape;
    if (shape->rank == HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "stack", "%s already has the maximum rank", heed_shape_text(*shape).s);
    stacked.dims[stacked.rank++] = n;
    return heed__check_shape("stack", &stacked);
}

static heed_tensor *concat_unsqueezed(heed_tensor *const *tensors, int n, int axis)
{
    size_t bytes = (size_t)n * sizeof(heed_tensor *);
    heed_tensor **unsqueezed = heed_alloc(bytes);
    if (!unsqueezed)
        return NULL;
    for (int i = 0; i < n; i++)
        unsqueezed[i] = heed_unsqueeze(tensors[i], axis);
    heed_tensor *y = heed_concat(unsqueezed, n, axis);
    heed_free(unsqueezed, bytes);
    return y;
}

heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis)
{
    HEED_ENTER("stack");
    if (!heed__check_list("stack", tensors, n) || !check_same_shape(tensors, n) || !check_size(&tensors[0]->shape, n) ||
        (axis = heed__axis_of("stack", axis, tensors[0]->shape.rank + 1)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, concat_unsqueezed(tensors, n, axis)) : NULL;
}

/* y[i] = x[i - shift] along an axis, wrapping around.    dx = g, rolled back */
heed_tensor *heed_roll(heed_tensor *x, int axis, int64_t shift)
{
    HEED_ENTER("roll");
    if (!heed__check_tensor("roll", x) || (axis = heed__axis_of("roll", axis, x->shape.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    int64_t size = x->shape.dims[axis], by = size > 0 ? shift % size : 0;
    int64_t first = by > 0 ? size - by : -by;
    heed_tensor *y =
        heed_concat(HEED_TENSORS(heed_slice(x, axis, first, HEED_END, 1), heed_slice(x, axis, 0, first, 1)), axis);
    return heed_scope_return(scope, y);
}

/* [a b] -> [a a b b] along an axis.    dx = sum of g over the repeats */
heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats)
{
    HEED_ENTER("repeat_interleave");
    if (!heed__check_tensor("repeat_interleave", x) ||
        (axis = heed__axis_of("repeat_interleave", axis, x->shape.rank)) < 0)
        return NULL;
    heed_shape shape = x->shape;
    if (repeats < 0 || __builtin_mul_overflow(shape.dims[axis], repeats, &shape.dims[axis]))
        return heed_fail_null(HEED_ERR_ARGUMENT, "repeat_interleave",
                              "axis %d of %s cannot be repeated %" PRId64 " times", axis, heed_shape_text(x->shape).s,
                              repeats);
    if (!heed__check_shape("repeat_interleave", &shape))
        return NULL;
    if (shape.dims[axis] == 0 && repeats > 0)
        repeats = 1; /* an empty axis: the result is the same, and 1 does not overflow */
    heed__axis_split s = heed__split_at(&x->shape, axis);
    heed_tensor *split = heed_reshape(x, HEED_SHAPE(s.outer, s.size, 1, s.inner));
    heed_tensor *repeated = heed_expand(split, HEED_SHAPE(s.outer, s.size, repeats, s.inner));
    return heed_reshape(heed_clone(repeated), shape);
}

/* -- tile ---------------------------------------------------------------------------------------------------------- */

/* [a b] -> [a b a b] along several axes.    dx = sum of g over the repeats */

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
