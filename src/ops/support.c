/* ops/support.c - helpers that ops share. See ops/support.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/support.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/parallel.h"

heed_tensor *heed__apply1(const heed_op *op, heed_tensor *x, const void *params)
{
    return heed_apply(op, &x, 1, params);
}

heed_tensor *heed__apply2(const heed_op *op, heed_tensor *a, heed_tensor *b, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){a, b}, 2, params);
}

heed_tensor *heed__apply3(const heed_op *op, heed_tensor *a, heed_tensor *b, heed_tensor *c, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){a, b, c}, 3, params);
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__check_float(const char *where, const heed_tensor *x)
{
    if (heed_dtype_is_float(x->dtype))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "the tensor is %s %s: must be f32 or f64", heed_dtype_name(x->dtype),
                           heed_shape_text(x->shape).s);
}

bool heed__check_i64(const char *where, const char *name, const heed_tensor *t)
{
    if (t->dtype == HEED_I64)
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "%s are %s %s: must be i64", name, heed_dtype_name(t->dtype),
                           heed_shape_text(t->shape).s);
}

bool heed__check_number(const char *where, const char *name, const heed_tensor *x, double c)
{
    bool fits = true;
    if (x->dtype == HEED_I64)
        fits = c == floor(c) && c >= -0x1p63 && c < 0x1p63;
    else if (x->dtype == HEED_BOOL)
        fits = c == 0.0 || c == 1.0;
    return fits || heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be representable as %s, the dtype of x",
                                   name, c, heed_dtype_name(x->dtype));
}

bool heed__check_pair(const char *where, const heed_tensor *a, const heed_tensor *b)
{
    if (a->dtype == b->dtype && heed_dtype_is_float(a->dtype))
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "the tensors are %s %s and %s %s: must both be f32, or both f64",
                           heed_dtype_name(a->dtype), heed_shape_text(a->shape).s, heed_dtype_name(b->dtype),
                           heed_shape_text(b->shape).s);
}

bool heed__check_number_dtype(const char *where, const heed_tensor *x)
{
    return x->dtype != HEED_BOOL ||
           heed_fail_false(HEED_ERR_DTYPE, where, "the tensor is bool %s: must be f32, f64 or i64",
                           heed_shape_text(x->shape).s);
}

bool heed__check_broadcast(const char *where, const heed_tensor *a, const heed_tensor *b, heed_shape *shape)
{
    return heed_shape_broadcast(a->shape, b->shape, shape) ||
           heed_fail_false(HEED_ERR_SHAPE, where, "shapes %s and %s do not broadcast", heed_shape_text(a->shape).s,
                           heed_shape_text(b->shape).s);
}

bool heed__check_list(const char *where, heed_tensor *const *tensors, int n)
{
    if (!tensors)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensors is NULL");
    if (n < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d: must be at least 1", n);
    for (int i = 0; i < n; i++)
        if (!heed__check_tensor(where, tensors[i]))
            return false;
    return true;
}

/* -- New tensors --------------------------------------------------------------------------------------------------- */

heed_tensor *heed__new_zeros(const char *where, heed_dtype dtype, const heed_shape *shape)
{
    heed_tensor *t = heed__tensor_new(where, dtype, shape);
    if (t)
        memset(t->data, 0, (size_t)t->numel * heed_dtype_size(dtype));
    return t;
}

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

heed_layout heed__layout_of(const heed_tensor *t)
{
    heed_layout layout = {.shape = t->shape};
    for (int axis = 0; axis < t->shape.rank; axis++)
        layout.strides[axis] = t->strides[axis];
    return layout;
}

heed_layout heed__slice_layout(const heed_tensor *t, int axis, int64_t start, int64_t step, int64_t size)
{
    heed_layout layout = heed__layout_of(t);
    layout.shape.dims[axis] = size;
    if (size > 0)
        layout.offset = start * t->strides[axis];
    if (size > 1)
        layout.strides[axis] *= step;
    return layout;
}

bool heed__copy_into(const char *where, const heed_tensor *x, const heed_tensor *t, const heed_layout *layout)
{
    heed_tensor *view = heed__tensor_view(where, t, layout);
    if (!view)
        return false;
    heed__copy(x, view);
    heed_release(view);
    return true;
}

heed__axis_split heed__split_at(const heed_shape *shape, int axis)
{
    heed__axis_split split = {.outer = 1, .size = shape->dims[axis], .inner = 1};
    for (int i = 0; i < axis; i++)
        split.outer *= shape->dims[i];
    for (int i = axis + 1; i < shape->rank; i++)
        split.inner *= shape->dims[i];
    return split;
}

/* -- Reductions ---------------------------------------------------------------------------------------------------- */

bool heed__axis_mask(const char *where, heed_shape axes, int rank, unsigned *mask)
{
    *mask = (1U << rank) - 1;
    if (axes.rank == 0)
        return true;
    if (axes.rank < 0 || axes.rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the list has %d axes: must be at most %d", axes.rank,
                               HEED_MAX_RANK);
    *mask = 0;
    for (int i = 0; i < axes.rank; i++) {
        int64_t axis = axes.dims[i];
        if (axis < -rank || axis >= rank)
            return heed_fail_false(HEED_ERR_SHAPE, where, "axis %" PRId64 " is outside a tensor of rank %d", axis,
                                   rank);
        unsigned bit = 1U << (axis < 0 ? axis + rank : axis);
        if (*mask & bit)
            return heed_fail_false(HEED_ERR_SHAPE, where, "axis %" PRId64 " is given twice in %s", axis,
                                   heed_shape_text(axes).s);
        *mask |= bit;
    }
    return true;
}

bool heed__check_reduced(const char *where, const heed_tensor *x, heed_shape axes, unsigned *mask)
{
    return heed__check_tensor(where, x) && heed__check_float(where, x) &&
           heed__axis_mask(where, axes, x->shape.rank, mask);
}

heed_shape heed__reduced_shape(const heed_shape *shape, unsigned mask, bool keepdim)
{
    heed_shape reduced = {.rank = 0};
    for (int axis = 0; axis < shape->rank; axis++) {
        if (!(mask >> axis & 1))
            reduced.dims[reduced.rank++] = shape->dims[axis];
        else if (keepdim)
            reduced.dims[reduced.rank++] = 1;
    }
    return reduced;
}

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* RANGE_WORK: minimum element operations of a range of the parallel loop. EXP_WORK: element operations that one exp
 * counts as. */
enum { RANGE_WORK = 32768, EXP_WORK = 8 };

void heed__for_rows(int64_t rows, int64_t n, heed__range_fn *fn, void *context)
{
    int64_t work = n > 0 ? n * EXP_WORK : 1;
    heed__parallel_for(rows, work < RANGE_WORK ? RANGE_WORK / work : 1, work, fn, context);
}

/* -- Indices ------------------------------------------------------------------------------------------------------- */

/* The multi-dimensional index of element i in row-major order. */
static heed_shape position(const heed_shape *shape, int64_t i)
{
    heed_shape at = {.rank = shape->rank};
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at.dims[axis] = i % shape->dims[axis];
        i /= shape->dims[axis];
    }
    return at;
}

bool heed__check_indices(const char *where, const heed_tensor *index, int64_t size)
{
    const int64_t *values = (const void *)index->data;
    uint64_t outside = 0; /* its top bit is set if an index is negative or above size - 1 */
    for (int64_t i = 0; i < index->numel; i++)
        outside |= (uint64_t)values[i] | ((uint64_t)size - 1 - (uint64_t)values[i]);
    for (int64_t i = 0; outside >> 63 && i < index->numel; i++)
        if (values[i] < 0 || values[i] >= size) {
            heed_shape at = position(&index->shape, i);
            return heed_fail_false(HEED_ERR_INDEX, where, "index %" PRId64 " at %s is outside an axis of size %" PRId64,
                                   values[i], heed_shape_text(at).s, size);
        }
    return true;
}

bool heed__check_index_shape(const char *where, const heed_shape *index, const heed_shape *shape, int axis)
{
    bool fits = index->rank == shape->rank;
    for (int i = 0; fits && i < shape->rank; i++)
        fits = i == axis || index->dims[i] <= shape->dims[i];
    if (!fits)
        heed_fail(HEED_ERR_SHAPE, where, "indices %s do not fit %s along axis %d", heed_shape_text(*index).s,
                  heed_shape_text(*shape).s, axis);
    return fits;
}

heed__positions heed__positions_in(const heed_shape *shape, const heed_tensor *into, int axis)
{
    heed__positions positions = {.shape = *shape};
    for (int i = 0; i < shape->rank; i++)
        positions.strides[i] = i == axis ? 0 : into->strides[i];
    return positions;
}

void heed__positions_next(heed__positions *positions)
{
    for (int axis = positions->shape.rank - 1; axis >= 0; axis--) {
        positions->offset += positions->strides[axis];
        if (++positions->at[axis] < positions->shape.dims[axis])
            return;
        positions->offset -= positions->strides[axis] * positions->shape.dims[axis];
        positions->at[axis] = 0;
    }
}
