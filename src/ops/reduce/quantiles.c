/* ops/reduce/quantiles.c - the median and other quantiles along an axis: elements of the sorted rows, chosen by gather.
 * Composed of ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/support.h"

/* Checks x and the axis, which must not be empty. Returns the axis, counted from the front, or -1 after heed_fail. */
static int order_axis(const char *where, const heed_tensor *x, int axis)
{
    if (!heed__check_tensor(where, x) || (axis = heed__axis_of(where, axis, x->shape.rank)) < 0)
        return -1;
    if (x->shape.dims[axis] > 0)
        return axis;
    heed_fail(HEED_ERR_SHAPE, where, "axis %d of %s is empty", axis, heed_shape_text(x->shape).s);
    return -1;
}

/* Tests whether a row contains NaN; keeps the axis with size 1. */
static heed_tensor *has_nan(heed_tensor *x, int axis)
{
    return heed_any(heed_isnan(x), HEED_AXES(axis), true);
}

/* -- median -------------------------------------------------------------------------------------------------------- */

/* y = element (n - 1) / 2 of the sorted row, or the first NaN of the row.    dx = g at the index of y */

/* Returns the indices, with the axis kept. */
static heed_tensor *median_index(heed_tensor *x, int axis)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *index = heed_narrow(heed_argsort(x, axis, false), axis, (x->shape.dims[axis] - 1) / 2, 1);
    if (heed_dtype_is_float(x->dtype))
        index = heed_where(has_nan(x, axis), heed_argmax(x, axis, true), index);
    return heed_scope_return(scope, index);
}

heed_tensor *heed_median(heed_tensor *x, int axis, bool keepdim, heed_tensor **indices)
{
    HEED_ENTER("median");
    heed_tensor *y = NULL, *index = NULL;
    if ((axis = order_axis("median", x, axis)) >= 0 && heed__check_number_dtype("median", x)) {
        index = median_index(x, axis);
        y = heed_gather(x, axis, index);
        index = keepdim ? index : heed_squeeze(index, axis);
        y = keepdim ? y : heed_squeeze(y, axis);
    }
    const bool both = y && index;
    if (indices)
        *indices = both ? index : NULL;
    return both ? y : NULL;
}

/* -- quantile ------------------------------------------------------------------------------------------------------ */

/* y = the element of rank r = q (n - 1) of the sorted row, or between the elements at floor(r) and ceil(r).
 *
 * dx = g, scattered to these elements; dq of the linear interpolation = g (n - 1) times their difference */

/* Checks q: of rank 0 or 1, of x's dtype, numbers from 0 to 1. Returns false after heed_fail. */
static bool check_levels(const heed_tensor *x, heed_tensor *q)
{
    if (!heed__check_tensor("quantile", q) || !heed__check_pair("quantile", x, q))
        return false;
    if (q->shape.rank > 1)
        return heed_fail_false(HEED_ERR_SHAPE, "quantile", "q is %s: must be of rank 0 or 1",
                               heed_shape_text(q->shape).s);
    const heed_tensor *levels = heed_contiguous(heed_detach(q));
    for (int64_t i = 0; levels && i < levels->numel; i++) {
        const float *q32 = (const void *)levels->data;
        const double *q64 = (const void *)levels->data, level = q->dtype == HEED_F32 ? (double)q32[i] : q64[i];
        if (!(level >= 0 && level <= 1))
            return heed_fail_false(HEED_ERR_ARGUMENT, "quantile", "element %" PRId64 " of q is %g: must be in 0 .. 1",
                                   i, level);
    }
    return levels;
}

static bool check_quantile(const heed_tensor *x, heed_tensor *q, bool keepdim, heed_quantile_interpolation between)
{
    if (!heed__check_float("quantile", x) || !check_levels(x, q))
        return false;
    if ((unsigned)between > HEED_QUANTILE_NEAREST)
        return heed_fail_false(HEED_ERR_ARGUMENT, "quantile", "interpolation must be one of HEED_QUANTILE_*, not %d",
                               (int)between);
    if (x->shape.rank + q->shape.rank - !keepdim > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, "quantile", "the quantiles %s of %s would have rank %d, above %d",
                               heed_shape_text(q->shape).s, heed_shape_text(x->shape).s, HEED_MAX_RANK + 1,
                               HEED_MAX_RANK);
    return true;
}

/* The elements of sorted rows (..., n) at ranks (..., k), whole numbers. A rank above 2^24 is rounded in f32. */
static heed_tensor *elements_at(heed_tensor *rows, heed_tensor *ranks)
{
    if (!rows)
        return NULL;
    const double last = (double)(rows->shape.dims[rows->shape.rank - 1] - 1);
    return heed_gather(rows, -1, heed_clamp(heed_to_dtype(ranks, HEED_I64), 0, last));
}

/* low + w (high - low), rounded as in torch.lerp. */
static heed_tensor *lerp(heed_tensor *low, heed_tensor *high, heed_tensor *w)
{
    heed_tensor *difference = heed_sub(high, low);
    heed_tensor *from_low = heed_add(low, heed_mul(w, difference));
    heed_tensor *from_high = heed_sub(high, heed_mul(heed_rsub_scalar(w, 1), difference));
    return heed_where(heed_compare_scalar(w, HEED_COMPARE_LT, 0.5), from_low, from_high);
}

/* An element of a whole rank is selected, not interpolated: the difference of two infinities is NaN. */
static heed_tensor *interpolated(heed_tensor *rows, heed_tensor *ranks, heed_quantile_interpolation between)
{
    heed_tensor *above = heed_ceil(ranks), *below = heed_floor(ranks);
    if (between == HEED_QUANTILE_LOWER || between == HEED_QUANTILE_HIGHER)
        return elements_at(rows, between == HEED_QUANTILE_LOWER ? below : above);
    if (between == HEED_QUANTILE_NEAREST)
        return elements_at(rows, heed_round(ranks));
    heed_tensor *low = elements_at(rows, below), *high = elements_at(rows, above), *w = heed_sub(ranks, below);
    if (w && between == HEED_QUANTILE_MIDPOINT)
        w = heed_full(w->dtype, HEED_SCALAR, 0.5);
    return heed_where(heed_compare(above, HEED_COMPARE_EQ, below), low, lerp(low, high, w));
}

/* The last axis of the quantiles is the axis of q. NaN is last in a sorted row, so it is the result of its row. */
static heed_tensor *quantiles(heed_tensor *x, heed_tensor *q, int axis, heed_quantile_interpolation between)
{
    const double last = (double)(x->shape.dims[axis] - 1);
    heed_tensor *rows = heed_sort(heed_movedim(x, HEED_AXES(axis), HEED_AXES(-1)));
    heed_tensor *ranks = heed_mul_scalar(heed_reshape(q, HEED_SHAPE(-1)), last);
    ranks = heed_where(has_nan(rows, -1), heed_full(x->dtype, HEED_SCALAR, last), ranks);
    return interpolated(rows, ranks, between);
}

heed_tensor *heed_quantile(heed_tensor *x, heed_tensor *q, int axis, bool keepdim,
                           heed_quantile_interpolation interpolation)
{
    HEED_ENTER("quantile");
    if ((axis = order_axis("quantile", x, axis)) < 0 || !check_quantile(x, q, keepdim, interpolation))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *y = quantiles(x, q, axis, interpolation);
    y = q->shape.rank > 0 ? heed_movedim(y, HEED_AXES(-1), HEED_AXES(0)) : heed_squeeze(y, -1);
    return heed_scope_return(scope, keepdim ? heed_unsqueeze(y, axis + q->shape.rank) : y);
}
