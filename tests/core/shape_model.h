/* tests/core/shape_model.h - random views of a tensor, and the same operations on plain arrays.
 *
 * A model is a row-major array of numbers with a shape. random_step applies one operation to the tensor through the
 * library and to the model element by element.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SHAPE_MODEL_H
#define SHAPE_MODEL_H

#include "check_heed.h"

#define MAX_ELEMENTS 512 /* elements of a model */

typedef struct model {
    heed_shape shape;
    double values[MAX_ELEMENTS];
} model;

/* -- Random numbers --------------------------------------------------------------------------------------------- */

static uint64_t state = 1;

/* low .. high, by Marsaglia's xorshift. */
static int64_t pick(int64_t low, int64_t high)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (int64_t)(state >> 11) % (high - low + 1);
}

/* -- Positions -------------------------------------------------------------------------------------------------- */

static heed_shape position_of(int64_t i, heed_shape shape)
{
    heed_shape at = {.rank = shape.rank};
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        at.dims[axis] = i % shape.dims[axis];
        i /= shape.dims[axis];
    }
    return at;
}

static int64_t index_of(heed_shape at, heed_shape shape)
{
    int64_t i = 0;
    for (int axis = 0; axis < shape.rank; axis++)
        i = i * shape.dims[axis] + at.dims[axis];
    return i;
}

/* Returns the offset of element i in the storage, relative to the tensor's first element. */
static int64_t address_of(const heed_tensor *t, int64_t i)
{
    heed_shape at = position_of(i, heed_shape_of(t));
    int64_t address = 0;
    for (int axis = 0; axis < at.rank; axis++)
        address += at.dims[axis] * heed_stride(t, axis);
    return address;
}

/* Returns whether strides exist that show t's elements as `shape`. The stride of an axis can only be the distance
 * between its first two elements, so these strides are tried on every element. */
static bool can_view(const heed_tensor *t, heed_shape shape)
{
    int64_t strides[HEED_MAX_RANK] = {0};
    for (int axis = 0; axis < shape.rank; axis++) {
        heed_shape second = {.rank = shape.rank};
        second.dims[axis] = 1;
        if (shape.dims[axis] > 1 && heed_numel(t) > 0)
            strides[axis] = address_of(t, index_of(second, shape));
    }
    for (int64_t i = 0; i < heed_numel(t); i++) {
        heed_shape at = position_of(i, shape);
        int64_t address = 0;
        for (int axis = 0; axis < shape.rank; axis++)
            address += at.dims[axis] * strides[axis];
        if (address != address_of(t, i))
            return false;
    }
    return true;
}

/* -- Steps ------------------------------------------------------------------------------------------------------ */

/* Element `at` of the result is element source(at) of m. */
static void remap(model *m, heed_shape shape, heed_shape (*source)(heed_shape at, const int64_t *p), const int64_t *p)
{
    static model from;
    from = *m;
    m->shape = shape;
    for (int64_t i = 0; i < heed_shape_numel(shape); i++)
        m->values[i] = from.values[index_of(source(position_of(i, shape), p), from.shape)];
}

/* p[i] is the source axis that becomes axis i of the result. */
static heed_shape permuted(heed_shape at, const int64_t *p)
{
    heed_shape source = at;
    for (int i = 0; i < at.rank; i++)
        source.dims[p[i]] = at.dims[i];
    return source;
}

static heed_tensor *permute_step(heed_tensor *x, model *m)
{
    heed_shape order = {.rank = m->shape.rank}, shape = m->shape;
    for (int i = 0; i < order.rank; i++) {
        int j = (int)pick(0, i);
        order.dims[i] = order.dims[j];
        order.dims[j] = i;
    }
    for (int i = 0; i < order.rank; i++)
        shape.dims[i] = m->shape.dims[order.dims[i]];
    remap(m, shape, permuted, order.dims);
    return heed_permute(x, order);
}

/* p: axis, start, step */
static heed_shape sliced(heed_shape at, const int64_t *p)
{
    at.dims[p[0]] = p[1] + at.dims[p[0]] * p[2];
    return at;
}

static heed_tensor *slice_step(heed_tensor *x, model *m)
{
    if (m->shape.rank == 0)
        return x;
    int axis = (int)pick(0, m->shape.rank - 1);
    int64_t n = m->shape.dims[axis], start = pick(-n - 1, n + 1), stop = pick(-n - 1, n + 1), step = pick(1, 3);
    int64_t first = -1, count = 0;
    for (int64_t i = 0; i < n; i++) {
        bool begun = i >= (start < 0 ? start + n : start), ended = i >= (stop < 0 ? stop + n : stop);
        if (begun && first < 0)
            first = i;
        if (begun && !ended && (i - first) % step == 0)
            count++;
    }
    heed_shape shape = m->shape;
    shape.dims[axis] = count;
    remap(m, shape, sliced, (const int64_t[]){axis, first, step});
    return heed_slice(x, axis - m->shape.rank, start, stop, step);
}

/* p[i] is the last index of a flipped axis and -1 for the other axes. */
static heed_shape flipped(heed_shape at, const int64_t *p)
{
    for (int i = 0; i < at.rank; i++)
        if (p[i] >= 0)
            at.dims[i] = p[i] - at.dims[i];
    return at;
}

static heed_tensor *flip_step(heed_tensor *x, model *m)
{
    heed_shape axes = {.rank = 0};
    int64_t last[HEED_MAX_RANK];
    for (int i = 0; i < m->shape.rank; i++) {
        bool flips = pick(0, 1) == 0;
        last[i] = flips ? m->shape.dims[i] - 1 : -1;
        if (flips)
            axes.dims[axes.rank++] = i;
    }
    if (axes.rank == 0)
        return x;
    remap(m, m->shape, flipped, last);
    return heed_flip(x, axes);
}

/* p[0] is the number of new leading axes; p[1 + i] is 1 if axis i of the source is repeated. */
static heed_shape expanded(heed_shape at, const int64_t *p)
{
    heed_shape source = {.rank = at.rank - (int)p[0]};
    for (int i = 0; i < source.rank; i++)
        source.dims[i] = p[1 + i] ? 0 : at.dims[i + p[0]];
    return source;
}

static heed_tensor *expand_step(heed_tensor *x, model *m)
{
    int lead = m->shape.rank < HEED_MAX_RANK ? (int)pick(0, 1) : 0;
    heed_shape shape = {.rank = m->shape.rank + lead};
    int64_t p[1 + HEED_MAX_RANK] = {lead};
    if (lead)
        shape.dims[0] = pick(1, 3);
    for (int i = 0; i < m->shape.rank; i++) {
        p[1 + i] = m->shape.dims[i] == 1 && pick(0, 1);
        shape.dims[i + lead] = p[1 + i] ? pick(0, 9) / 3 : m->shape.dims[i];
    }
    if (heed_shape_numel(shape) > MAX_ELEMENTS)
        return x;
    remap(m, shape, expanded, p);
    return heed_expand(x, shape);
}

/* Distributes the prime factors of the number of elements over random axes. */
static heed_tensor *reshape_step(heed_tensor *x, model *m)
{
    int64_t rest = heed_shape_numel(m->shape);
    heed_shape shape = {.rank = (int)pick(rest == 1 ? 0 : 1, 5)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = rest == 0 ? pick(0, 2) : 1;
    if (rest == 0)
        shape.dims[pick(0, shape.rank - 1)] = 0;
    for (int64_t factor = 2; rest > 1; factor += rest % factor ? 1 : 0)
        if (rest % factor == 0) {
            shape.dims[pick(0, shape.rank - 1)] *= factor;
            rest /= factor;
        }
    m->shape = shape;
    heed_tensor *y = heed_reshape(x, shape);
    ck_assert_msg(heed_shares_storage(x, y) == can_view(x, shape), "a copy or a view against expectation");
    return y;
}

static heed_tensor *unsqueeze_step(heed_tensor *x, model *m)
{
    if (m->shape.rank == HEED_MAX_RANK)
        return x;
    int axis = (int)pick(0, m->shape.rank);
    for (int i = m->shape.rank++; i > axis; i--)
        m->shape.dims[i] = m->shape.dims[i - 1];
    m->shape.dims[axis] = 1;
    return heed_unsqueeze(x, axis);
}

static heed_tensor *squeeze_step(heed_tensor *x, model *m)
{
    int axis = 0;
    while (axis < m->shape.rank && m->shape.dims[axis] != 1)
        axis++;
    if (axis == m->shape.rank)
        return x;
    m->shape.rank--;
    for (int i = axis; i < m->shape.rank; i++)
        m->shape.dims[i] = m->shape.dims[i + 1];
    return heed_squeeze(x, axis);
}

/* Every step returns a view, except reshape, which decides by itself whether a view is expected. */
static heed_tensor *random_step(heed_tensor *x, model *m)
{
    static heed_tensor *(*const steps[])(heed_tensor *, model *) = {
        reshape_step, permute_step, slice_step, flip_step, expand_step, unsqueeze_step, squeeze_step,
    };
    int64_t i = pick(0, 6);
    heed_tensor *y = steps[i](x, m);
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    ck_assert(i == 0 || heed_shares_storage(x, y));
    return y;
}

/* Returns a random start of at most 48 elements: 1, 2, 3, ... */
static heed_tensor *begin(heed_dtype dtype, model *m)
{
    m->shape.rank = (int)pick(0, 4);
    for (int i = 0; i < m->shape.rank; i++)
        m->shape.dims[i] = pick(0, 19) == 0 ? 0 : pick(1, i < 2 ? 4 : 2);
    int64_t n = heed_shape_numel(m->shape);
    for (int64_t i = 0; i < n; i++)
        m->values[i] = (double)(i + 1);
    return heed_reshape(heed_arange(dtype, 1, (double)n + 1, 1), m->shape);
}

#endif
