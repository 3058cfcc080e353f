/* ops/shape/views.c - views of all elements of a tensor: other shapes, other orders of axes, repeated axes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/support.h"

/* -- reshape ------------------------------------------------------------------------------------------------------- */

/* y = x's elements in row-major order, in a different shape.    dx = g in x's shape */

/* Merged axes: `size` elements, `stride` apart. */
typedef struct span {
    int64_t size, stride;
} span;

/* Writes x's axes without axes of size 1, and merges adjacent axes whose strides allow it. Returns the number of
 * spans. */
static int spans_of(const heed_tensor *x, span *spans)
{
    int n = 0;
    for (int axis = 0; axis < x->shape.rank; axis++) {
        int64_t dim = x->shape.dims[axis], stride = x->strides[axis];
        if (dim == 1)
            continue;
        if (n > 0 && spans[n - 1].stride == dim * stride)
            spans[n - 1] = (span){spans[n - 1].size * dim, stride};
        else
            spans[n++] = (span){dim, stride};
    }
    return n;
}

static void row_major_strides(const heed_shape *shape, int64_t *strides)
{
    int64_t stride = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        strides[axis] = stride;
        stride *= shape->dims[axis] > 1 ? shape->dims[axis] : 1;
    }
}

/* Computes strides that view x in place as `shape`, which has the same number of elements. Returns false if there are
 * no such strides. The new axes, from the last to the first, are split off the end of the last remaining span of x. An
 * axis must not extend beyond the beginning of its span. */
static bool view_strides(const heed_tensor *x, const heed_shape *shape, int64_t *strides)
{
    if (x->numel == 0) {
        row_major_strides(shape, strides);
        return true;
    }
    span spans[HEED_MAX_RANK];
    int n = spans_of(x, spans);
    span remaining = {1, 1};
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        int64_t dim = shape->dims[axis];
        if (dim > 1 && remaining.size == 1)
            remaining = spans[--n];
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): numel is equal, so n was > 0 */
        if (remaining.size % dim != 0)
            return false;
        strides[axis] = remaining.stride;
        remaining.size /= dim;
        remaining.stride *= dim;
    }
    return true;
}

static bool reshape_view(const heed_call *call, heed_layout *out)
{
    out->shape = *(const heed_shape *)call->params;
    out->offset = 0;
    return view_strides(call->inputs[0], &out->shape, out->strides);
}

static void reshape_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_reshape(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_reshape = {
    .name = "reshape",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .view = reshape_view,
    .backward = reshape_backward,
};

/* Sets *known to the product of the sizes in `shape` except a size -1, and *unknown to the axis of size -1, or to -1 if
 * all sizes are given. Returns false after heed_fail. */
static bool count_known(const heed_shape *shape, int64_t *known, int *unknown)
{
    *known = 1;
    *unknown = -1;
    if (shape->rank < 0 || shape->rank > HEED_MAX_RANK)
        return heed__check_shape("reshape", shape);
    for (int axis = 0; axis < shape->rank; axis++) {
        if (shape->dims[axis] == -1 && *unknown < 0) {
            *unknown = axis;
        } else if (shape->dims[axis] < 0 || __builtin_mul_overflow(*known, shape->dims[axis], known))
            return heed_fail_false(HEED_ERR_SHAPE, "reshape", "%" PRId64 " is not a valid size for axis %d of %s",
                                   shape->dims[axis], axis, heed_shape_text(*shape).s);
    }
    return true;
}

/* Replaces a size -1 in `shape` by the size that fits. Returns false after heed_fail if `shape` cannot have x's number
 * of elements. */
static bool complete(const heed_tensor *x, heed_shape *shape)
{
    int64_t known;
    int unknown;
    if (!count_known(shape, &known, &unknown))
        return false;
    if (unknown < 0 ? known != x->numel : known == 0 || x->numel % known != 0)
        return heed_fail_false(HEED_ERR_SHAPE, "reshape", "the %" PRId64 " elements of %s do not fit %s", x->numel,
                               heed_shape_text(x->shape).s, heed_shape_text(*shape).s);
    if (unknown >= 0)
        shape->dims[unknown] = x->numel / known;
    return heed__check_shape("reshape", shape);
}

heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape)
{
    int64_t strides[HEED_MAX_RANK];
    if (!heed__check_tensor("reshape", x) || !complete(x, &shape))
        return NULL;
    if (!view_strides(x, &shape, strides)) {
        HEED_ENTER("reshape");
        x = heed_contiguous(x);
    }
    return heed__apply1(&heed_op_reshape, x, &shape);
}

/* y = x with some axes merged: a reshape.    dx = g in x's shape */
heed_tensor *heed_flatten(heed_tensor *x, int start_axis, int end_axis)
{
    HEED_ENTER("flatten");
    if (!heed__check_tensor("flatten", x))
        return NULL;
    const int rank = x->shape.rank > 0 ? x->shape.rank : 1;
    const int start = heed__axis_of("flatten", start_axis, rank);
    const int end = start < 0 ? -1 : heed__axis_of("flatten", end_axis, rank);
    if (end < 0)
        return NULL;
    if (end < start)
        return heed_fail_null(HEED_ERR_SHAPE, "flatten", "end axis %d of %s is before start axis %d", end,
                              heed_shape_text(x->shape).s, start);
    heed_shape shape = {.rank = rank - (end - start)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i < start ? x->shape.dims[i] : i > start ? x->shape.dims[i + end - start] : 1;
    for (int axis = start; axis <= end && axis < x->shape.rank; axis++)
        shape.dims[start] *= x->shape.dims[axis];
    return heed_reshape(x, shape);
}

/* y = x without an axis of size 1: a reshape, always a view.    dx = g with this axis */
heed_tensor *heed_squeeze(heed_tensor *x, int axis)
{
    HEED_ENTER("squeeze");
    if (!heed__check_tensor("squeeze", x) || (axis = heed__axis_of("squeeze", axis, x->shape.rank)) < 0)
        return NULL;
    if (x->shape.dims[axis] != 1)
        return heed_fail_null(HEED_ERR_SHAPE, "squeeze", "axis %d of %s has size %" PRId64 ": must be 1", axis,
                              heed_shape_text(x->shape).s, x->shape.dims[axis]);
    return heed_reshape(x, heed__reduced_shape(&x->shape, 1U << axis, false));
}

/* y = x with a new axis of size 1: a reshape, always a view.    dx = g without the axis */
heed_tensor *heed_unsqueeze(heed_tensor *x, int axis)
{
    HEED_ENTER("unsqueeze");
    if (!heed__check_tensor("unsqueeze", x))
        return NULL;
    heed_shape shape = {.rank = x->shape.rank + 1};
    if (shape.rank > HEED_MAX_RANK)
        return heed_fail_null(HEED_ERR_SHAPE, "unsqueeze", "%s already has the maximum rank",
                              heed_shape_text(x->shape).s);
    if ((axis = heed__axis_of("unsqueeze", axis, shape.rank)) < 0)
        return NULL;
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i == axis ? 1 : x->shape.dims[i < axis ? i : i - 1];
    return heed_reshape(x, shape);
}

/* -- permute ------------------------------------------------------------------------------------------------------- */

/* Axis i of y = axis order[i] of x.    dx = g, permuted by the inverse order */
static bool permute_view(const heed_call *call, heed_layout *out)
{
    const heed_shape *order = call->params;
    const heed_tensor *x = call->inputs[0];
    out->shape.rank = order->rank;
    out->offset = 0;
    for (int i = 0; i < order->rank; i++) {
        out->shape.dims[i] = x->shape.dims[order->dims[i]];
        out->strides[i] = x->strides[order->dims[i]];
    }
    return true;
}

static void permute_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_shape *order = call->params;
    heed_shape inverse = {.rank = order->rank};
    for (int i = 0; i < order->rank; i++)
        inverse.dims[order->dims[i]] = i;
    dx[0] = heed_permute(g[0], inverse);
}

const heed_op heed_op_permute = {
    .name = "permute",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "axes")),
    .view = permute_view,
    .backward = permute_backward,
};

heed_tensor *heed_permute(heed_tensor *x, heed_shape order)
{
    unsigned mask;
    if (!heed__check_tensor("permute", x))
        return NULL;
    if (order.rank != x->shape.rank)
        return heed_fail_null(HEED_ERR_SHAPE, "permute", "the order has %d axes, but x is %s", order.rank,
                              heed_shape_text(x->shape).s);
    if (!heed__axis_mask("permute", order, order.rank, &mask))
        return NULL;
    for (int i = 0; i < order.rank; i++)
        if (order.dims[i] < 0)
            order.dims[i] += order.rank;
    return heed__apply1(&heed_op_permute, x, &order);
}

/* y = x with two axes swapped.    dx = g with them swapped back */
heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b)
{
    HEED_ENTER("transpose");
    if (!heed__check_tensor("transpose", x))
        return NULL;
    heed_shape order = {.rank = x->shape.rank};
    int a = heed__axis_of("transpose", axis_a, order.rank), b = heed__axis_of("transpose", axis_b, order.rank);
    if (a < 0 || b < 0)
        return NULL;
    for (int i = 0; i < order.rank; i++)
        order.dims[i] = i == a ? b : i == b ? a : i;
    return heed_permute(x, order);
}

/* y = x with the axes `source` at the positions `destination`.    dx = g with the axes moved back */
heed_tensor *heed_movedim(heed_tensor *x, heed_shape source, heed_shape destination)
{
    HEED_ENTER("movedim");
    unsigned from = 0, to = 0;
    if (!heed__check_tensor("movedim", x))
        return NULL;
    const int rank = x->shape.rank;
    if (source.rank != destination.rank)
        return heed_fail_null(HEED_ERR_SHAPE, "movedim", "source has %d axes, destination has %d: must have as many",
                              source.rank, destination.rank);
    if (source.rank != 0 &&
        (!heed__axis_mask("movedim", source, rank, &from) || !heed__axis_mask("movedim", destination, rank, &to)))
        return NULL;
    heed_shape order = {.rank = rank};
    for (int i = 0; i < source.rank; i++)
        order.dims[(destination.dims[i] + rank) % rank] = source.dims[i];
    for (int i = 0, axis = 0; i < rank; i++) {
        if (to >> i & 1)
            continue;
        while (from >> axis & 1)
            axis++;
        order.dims[i] = axis++;
    }
    return heed_permute(x, order);
}

/* -- pixel_shuffle and pixel_unshuffle ----------------------------------------------------------------------------- */

/* y[..., c, r i + a, r j + b] = x[..., r r c + r a + b, i, j]: permuted axes.    dx = g, moved back */

/* Checks x (..., channels, height, width) and r, and sets *square to r^2. Returns false after heed_fail. */
static bool check_pixels(const char *where, const heed_tensor *x, int64_t r, int64_t *square)
{
    if (!heed__check_tensor(where, x))
        return false;
    if (x->shape.rank < 3)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be (..., C, H, W)", heed_shape_text(x->shape).s);
    return (r >= 1 && !__builtin_mul_overflow(r, r, square)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "factor is %" PRId64 ": must be 1 or more, and its square countable", r);
}

/* Sees x as (all leading axes, six[1], ..., six[5]), permutes these axes, and returns the result with x's leading axes
 * and the last three axes `last`. */
static heed_tensor *move_pixels(heed_tensor *x, heed_shape six, heed_shape order, const int64_t last[3])
{
    heed_shape shape = x->shape;
    for (int i = 0; i < 3; i++)
        shape.dims[shape.rank - 3 + i] = last[i];
    for (int axis = 0; axis < shape.rank - 3; axis++)
        six.dims[0] *= shape.dims[axis];
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *split = heed_reshape(x, six), *moved = split ? heed_permute(split, order) : NULL;
    return heed_scope_return(scope, moved ? heed_reshape(moved, shape) : NULL);
}

heed_tensor *heed_pixel_shuffle(heed_tensor *x, int64_t factor)
{
    HEED_ENTER("pixel_shuffle");
    int64_t square, size[3];
    if (!check_pixels("pixel_shuffle", x, factor, &square))
        return NULL;
    const int64_t *last = &x->shape.dims[x->shape.rank - 3];
    size[0] = last[0] / square;
    if (last[0] % square != 0 || __builtin_mul_overflow(last[1], factor, &size[1]) ||
        __builtin_mul_overflow(last[2], factor, &size[2]))
        return heed_fail_null(HEED_ERR_SHAPE, "pixel_shuffle",
                              "x is %s: with factor %" PRId64 " its channels must be a multiple of %" PRId64
                              ", and its planes countable",
                              heed_shape_text(x->shape).s, factor, square);
    return move_pixels(x, HEED_SHAPE(1, size[0], factor, factor, last[1], last[2]), HEED_AXES(0, 1, 4, 2, 5, 3), size);
}

heed_tensor *heed_pixel_unshuffle(heed_tensor *x, int64_t factor)
{
    HEED_ENTER("pixel_unshuffle");
    int64_t square, size[3];
    if (!check_pixels("pixel_unshuffle", x, factor, &square))
        return NULL;
    const int64_t *last = &x->shape.dims[x->shape.rank - 3];
    size[1] = last[1] / factor;
    size[2] = last[2] / factor;
    if (last[1] % factor != 0 || last[2] % factor != 0 || __builtin_mul_overflow(last[0], square, &size[0]))
        return heed_fail_null(HEED_ERR_SHAPE, "pixel_unshuffle",
                              "x is %s: its planes must be multiples of factor %" PRId64 ", and its channels countable",
                              heed_shape_text(x->shape).s, factor);
    return move_pixels(x, HEED_SHAPE(1, last[0], size[1], factor, size[2], factor), HEED_AXES(0, 1, 3, 5, 2, 4), size);
}

/* -- expand -------------------------------------------------------------------------------------------------------- */

/* y = x broadcast to a shape, with stride 0 on repeated axes.    dx = g, summed down to x's shape */
static bool expand_view(const heed_call *call, heed_layout *out)
{
    const heed_shape *shape = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_shape both;
    if (!heed_shape_broadcast(x->shape, *shape, &both) || !heed_shape_equal(both, *shape))
        return heed_fail_false(HEED_ERR_SHAPE, "expand", "%s does not broadcast to %s", heed_shape_text(x->shape).s,
                               heed_shape_text(*shape).s);
    int lead = shape->rank - x->shape.rank;
    out->shape = *shape;
    out->offset = 0;
    for (int axis = 0; axis < shape->rank; axis++) {
        bool repeats = axis < lead || x->shape.dims[axis - lead] != shape->dims[axis];
        out->strides[axis] = repeats ? 0 : x->strides[axis - lead];
    }
    return true;
}

static void expand_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_sum_to(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_expand = {
    .name = "expand",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .view = expand_view,
    .backward = expand_backward,
};

heed_tensor *heed_expand(heed_tensor *x, heed_shape shape)
{
    if (!heed__check_tensor("expand", x) || !heed__check_shape("expand", &shape))
        return NULL;
    return heed__apply1(&heed_op_expand, x, &shape);
}

/* -- flip ---------------------------------------------------------------------------------------------------------- */

/* y = x with some axes reversed: negative strides.    dx = g, reversed back */

typedef struct flip_params {
    heed_shape axes;
    unsigned mask;
} flip_params;

static bool flip_view(const heed_call *call, heed_layout *out)
{
    const flip_params *p = call->params;
    *out = heed__layout_of(call->inputs[0]);
    for (int axis = 0; axis < out->shape.rank; axis++)
        if ((p->mask >> axis & 1) && out->shape.dims[axis] > 0) {
            out->offset += (out->shape.dims[axis] - 1) * out->strides[axis];
            out->strides[axis] = -out->strides[axis];
        }
    return true;
}

static void flip_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const flip_params *p = call->params;
    dx[0] = heed_flip(g[0], p->axes);
}

const heed_op heed_op_flip = {
    .name = "flip",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(flip_params),
    .fields = HEED_FIELDS(HEED_FIELD(flip_params, mask)),
    .view = flip_view,
    .backward = flip_backward,
};

heed_tensor *heed_flip(heed_tensor *x, heed_shape axes)
{
    flip_params params = {.axes = axes};
    if (!heed__check_tensor("flip", x) || !heed__axis_mask("flip", axes, x->shape.rank, &params.mask))
        return NULL;
    if (axes.rank == 0)
        params.mask = 0; /* heed__axis_mask treats an empty list as all axes */
    return heed__apply1(&heed_op_flip, x, &params);
}
