/* ops/shape/slices.c - views of some elements along an axis, and the reverse.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "core/parallel.h"
#include "ops/support.h"

/* -- slice --------------------------------------------------------------------------------------------------------- */

/* y = x[start : stop : step] on one axis.    dx = zeros with g at those positions */

typedef struct slice_params {
    int axis;
    int64_t start, step, size;
} slice_params;

static bool slice_view(const heed_call *call, heed_layout *out)
{
    const slice_params *p = call->params;
    *out = heed__slice_layout(call->inputs[0], p->axis, p->start, p->step, p->size);
    return true;
}

static void slice_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const slice_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    dx[0] = heed_unslice(g[0], p->axis, p->start, p->step, shape.dims[p->axis]);
}

const heed_op heed_op_slice = {
    .name = "slice",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(slice_params),
    .fields = HEED_FIELDS(HEED_FIELD(slice_params, axis), HEED_FIELD(slice_params, start),
                          HEED_FIELD(slice_params, step), HEED_FIELD(slice_params, size)),
    .view = slice_view,
    .backward = slice_backward,
};

/* Python's rule: a negative index counts from the end, and an index outside is clamped to the nearest end. */
static int64_t clip_index(int64_t i, int64_t n)
{
    if (i < 0)
        i += n;
    return i < 0 ? 0 : i > n ? n : i;
}

heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step)
{
    if (!heed__check_tensor("slice", x) || (axis = heed__axis_of("slice", axis, x->shape.rank)) < 0)
        return NULL;
    if (step < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, "slice", "step is %" PRId64 ": must be at least 1", step);
    slice_params params = {.axis = axis, .start = clip_index(start, x->shape.dims[axis]), .step = step};
    stop = clip_index(stop, x->shape.dims[axis]);
    if (stop > params.start)
        params.size = (stop - params.start - 1) / step + 1;
    return heed__apply1(&heed_op_slice, x, &params);
}

/* -- unslice ------------------------------------------------------------------------------------------------------- */

/* y = zeros with x at start, start + step, ... of one axis.    dx = g at those positions */

/* Sets *stop to the position after the last of n elements. Returns false if *stop is past the end of the axis. */
static bool find_stop(const slice_params *p, int64_t n, int64_t *stop)
{
    *stop = p->start;
    if (n > 0 && (__builtin_mul_overflow(n - 1, p->step, stop) || __builtin_add_overflow(*stop, p->start, stop) ||
                  __builtin_add_overflow(*stop, 1, stop)))
        return false;
    return p->start >= 0 && *stop <= p->size;
}

static bool unslice_infer(const heed_call *call, heed_meta *out)
{
    const slice_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    int64_t stop;
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[p->axis] = p->size;
    if (!heed__check_shape("unslice", &out->shape))
        return false;
    if (!find_stop(p, x->shape.dims[p->axis], &stop))
        return heed_fail_false(HEED_ERR_INDEX, "unslice",
                               "axis %d of %s from %" PRId64 " in steps of %" PRId64 " does not fit into size %" PRId64,
                               p->axis, heed_shape_text(x->shape).s, p->start, p->step, p->size);
    return true;
}

static bool unslice_forward(const heed_call *call, heed_tensor *const *out)
{
    const slice_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_layout slice = heed__slice_layout(out[0], p->axis, p->start, p->step, x->shape.dims[p->axis]);
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(out[0]->dtype));
    return heed__copy_into("unslice", x, out[0], &slice);
}

static void unslice_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const slice_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    int64_t stop;
    if (find_stop(p, shape.dims[p->axis], &stop))
        dx[0] = heed_slice(g[0], p->axis, p->start, stop, p->step);
}

const heed_op heed_op_unslice = {
    .name = "unslice",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(slice_params),
    .fields = HEED_FIELDS(HEED_FIELD(slice_params, axis), HEED_FIELD(slice_params, start),
                          HEED_FIELD(slice_params, step), HEED_FIELD(slice_params, size)),
    .infer = unslice_infer,
    .forward = unslice_forward,
    .backward = unslice_backward,
};

heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size)
{
    if (!heed__check_tensor("unslice", x) || (axis = heed__axis_of("unslice", axis, x->shape.rank)) < 0)
        return NULL;
    if (step < 1)
        return heed_fail_null(HEED_ERR_ARGUMENT, "unslice", "step is %" PRId64 ": must be at least 1", step);
    return heed__apply1(&heed_op_unslice, x, &(slice_params){.axis = axis, .start = start, .step = step, .size = size});
}

/* y = x[..., index, ...] without the axis.    dx = zeros with g at index */
heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index)
{
    HEED_ENTER("select");
    if (!heed__check_tensor("select", x) || (axis = heed__axis_of("select", axis, x->shape.rank)) < 0)
        return NULL;
    int64_t size = x->shape.dims[axis];
    if (index < -size || index >= size)
        return heed_fail_null(HEED_ERR_INDEX, "select", "index %" PRId64 " is outside axis %d of %s", index, axis,
                              heed_shape_text(x->shape).s);
    int64_t start = index < 0 ? index + size : index;
    return heed_squeeze(heed_slice(x, axis, start, start + 1, 1), axis);
}

/* y = `length` elements from `start` on of one axis.    dx = zeros with g at those positions */
heed_tensor *heed_narrow(heed_tensor *x, int axis, int64_t start, int64_t length)
{
    HEED_ENTER("narrow");
    if (!heed__check_tensor("narrow", x) || (axis = heed__axis_of("narrow", axis, x->shape.rank)) < 0)
        return NULL;
    const int64_t size = x->shape.dims[axis], first = start < 0 ? start + size : start;
    if (first < 0 || first > size || length < 0 || length > size - first)
        return heed_fail_null(HEED_ERR_INDEX, "narrow",
                              "%" PRId64 " elements from %" PRId64 " on are not inside axis %d of %s", length, start,
                              axis, heed_shape_text(x->shape).s);
    return heed_slice(x, axis, first, first + length, 1);
}

/* -- Several views ------------------------------------------------------------------------------------------------- */

/* Checks x and the axis, replaces a negative *axis by its index counted from the front, and checks that `parts` is not
 * NULL and n >= 0. Returns false after heed_fail. */
static bool check_parts(const heed_tensor *x, int *axis, heed_tensor **parts, int n)
{
    if (!heed__check_tensor("split", x) || (*axis = heed__axis_of("split", *axis, x->shape.rank)) < 0)
        return false;
    if (!parts)
        return heed_fail_false(HEED_ERR_ARGUMENT, "split", "parts is NULL");
    if (n < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "split", "n is %d: must be at least 0", n);
    return true;
}

/* Returns HEED_OK. If any part is NULL, returns the error and sets all parts to NULL. */
static heed_status parts_status(heed_tensor **parts, int n)
{
    bool all = true;
    for (int i = 0; i < n; i++)
        all = all && parts[i];
    for (int i = 0; i < n && !all; i++)
        parts[i] = NULL;
    return all ? HEED_OK : heed_error_code();
}

/* Checks that the sizes add up to the size of the axis. Returns false after heed_fail. */
static bool check_sizes(const heed_tensor *x, int axis, const int64_t *sizes, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        if (sizes[i] < 0 || __builtin_add_overflow(sum, sizes[i], &sum))
            return heed_fail_false(HEED_ERR_ARGUMENT, "split",
                                   "size %d is %" PRId64 ": must be 0 or more, and the sum must not overflow", i,
                                   sizes[i]);
    if (sum == x->shape.dims[axis])
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, "split",
                           "the %d sizes add up to %" PRId64 ", but axis %d of %s has %" PRId64, n, sum, axis,
                           heed_shape_text(x->shape).s, x->shape.dims[axis]);
}

/* Sets *size to PyTorch's size of n parts of an axis of `whole` elements: the last part may be smaller, but an empty
 * axis makes only one part. Returns false after heed_fail. */
static bool equal_size(const heed_tensor *x, int axis, int n, int64_t *size)
{
    const int64_t whole = x->shape.dims[axis];
    if (n == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, "split", "n is 0 without sizes: must be at least 1");
    *size = whole > 0 ? heed__ceil_div(whole, n) : 1;
    const int64_t count = whole > 0 ? heed__ceil_div(whole, *size) : 1;
    if (count == n)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, "split", "n is %d, but axis %d of %s makes %" PRId64 " parts", n, axis,
                           heed_shape_text(x->shape).s, count);
}

/* Consecutive views of x along an axis: of given sizes, or of sizes as equal as possible. */
heed_status heed_split(heed_tensor *x, int axis, const int64_t *sizes, heed_tensor **parts, int n)
{
    HEED_ENTER("split");
    int64_t equal = 0;
    if (!check_parts(x, &axis, parts, n) || !(sizes ? check_sizes(x, axis, sizes, n) : equal_size(x, axis, n, &equal)))
        return heed_error_code();
    for (int64_t i = 0, start = 0, stop; i < n; i++, start = stop) {
        stop = sizes ? start + sizes[i] : i < n - 1 ? start + equal : x->shape.dims[axis];
        parts[i] = heed_slice(x, axis, start, stop, 1);
    }
    return parts_status(parts, n);
}

/* -- meshgrid ------------------------------------------------------------------------------------------------------ */

/* One view per vector. For vectors with n_0, n_1, ... elements, every view has the shape (n_0, n_1, ...); view i holds
 * vector i along axis i and repeats it along the other axes. With xy, the first two axes are swapped. */
static bool check_vectors(const char *where, heed_tensor *const *vectors, int n, heed_tensor **grids)
{
    if (!heed__check_list(where, vectors, n))
        return false;
    if (!grids)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "grids is NULL");
    if (n > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d: must be at most %d", n, HEED_MAX_RANK);
    for (int i = 0; i < n; i++)
        if (vectors[i]->shape.rank != 1)
            return heed_fail_false(HEED_ERR_SHAPE, where, "tensor %d is %s: must be of rank 1", i,
                                   heed_shape_text(vectors[i]->shape).s);
    return true;
}

/* The caller must have called HEED_ENTER(where). */
static heed_status make_grids(const char *where, heed_tensor *const *vectors, int n, bool xy, heed_tensor **grids)
{
    heed_tensor *made[HEED_MAX_RANK] = {NULL}; /* vectors and grids may be the same list */
    if (!check_vectors(where, vectors, n, grids))
        return heed_error_code();
    heed_shape shape = {.rank = n};
    int along[HEED_MAX_RANK];
    for (int i = 0; i < n; i++) {
        along[i] = xy && n > 1 && i < 2 ? 1 - i : i;
        shape.dims[along[i]] = vectors[i]->numel;
    }
    for (int i = 0; i < n; i++) {
        heed_shape alone = {.rank = n};
        for (int axis = 0; axis < n; axis++)
            alone.dims[axis] = axis == along[i] ? shape.dims[axis] : 1;
        made[i] = heed_expand(heed_reshape(vectors[i], alone), shape);
    }
    for (int i = 0; i < n; i++)
        grids[i] = made[i];
    return parts_status(grids, n);
}

heed_status heed_meshgrid(heed_tensor *const *vectors, int n, heed_tensor **grids)
{
    HEED_ENTER("meshgrid");
    return make_grids("meshgrid", vectors, n, false, grids);
}

heed_status heed_meshgrid_xy(heed_tensor *const *vectors, int n, heed_tensor **grids)
{
    HEED_ENTER("meshgrid_xy");
    return make_grids("meshgrid_xy", vectors, n, true, grids);
}
