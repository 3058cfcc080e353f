/* ops/shape/pad.c    y = x with elements added or removed before and after some axes. Added elements are a constant
 * (the op) or copies of elements of x (composed of index_select).
 *
 * dx = the slice of g where y holds x; if elements were copied, index_select's gradient, which sums g over the
 * copies
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/support.h"

#include <inttypes.h>
#include <string.h>

typedef struct pad_params {
    int64_t before[HEED_MAX_RANK], after[HEED_MAX_RANK];
    double value;
} pad_params;

static bool infer(const heed_call *call, heed_meta *out)
{
    const pad_params *p = call->params;
    out->dtype = call->inputs[0]->dtype;
    out->shape = call->inputs[0]->shape;
    for (int axis = 0; axis < out->shape.rank; axis++)
        out->shape.dims[axis] += p->before[axis] + p->after[axis];
    return heed__check_shape("pad", &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const pad_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_layout slice = heed__layout_of(out[0]);
    size_t size = heed_dtype_size(x->dtype);
    char element[sizeof(double)] = {0};
    if (!heed__store("pad", x->dtype, element, p->value))
        return false;
    for (int64_t i = 0; i < out[0]->numel; i++)
        memcpy(out[0]->data + (size_t)i * size, element, size);
    if (x->numel == 0)
        return true;
    for (int axis = 0; axis < x->shape.rank; axis++)
        slice.offset += p->before[axis] * slice.strides[axis];
    slice.shape = x->shape;
    return heed__copy_into("pad", x, out[0], &slice);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const pad_params *p = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    dx[0] = g[0];
    for (int axis = 0; axis < shape.rank; axis++)
        dx[0] = heed_slice(dx[0], axis, p->before[axis], p->before[axis] + shape.dims[axis], 1);
}

const heed_op heed_op_pad = {
    .name = "pad",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(pad_params),
    .fields = HEED_FIELDS(HEED_FIELD(pad_params, before), HEED_FIELD(pad_params, after), HEED_FIELD(pad_params, value)),
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

/* Returns the index of the element copied to position i of a padded axis of n elements. Positions before the
 * axis's first element are negative, and positions after its last are n or more. */
static int64_t source(heed_pad_mode mode, int64_t i, int64_t n)
{
    if (mode == HEED_PAD_CIRCULAR)
        return (i % n + n) % n;
    if (i < 0)
        return mode == HEED_PAD_REFLECT ? -i : 0;
    return i < n ? i : mode == HEED_PAD_REFLECT ? 2 * (n - 1) - i : n - 1;
}

static heed_tensor *repeat(heed_tensor *x, int axis, int64_t before, int64_t after, heed_pad_mode mode)
{
    int64_t n = x->shape.dims[axis], most = before > after ? before : after;
    if (most > 0 && (n == 0 || (mode == HEED_PAD_REFLECT && most >= n)))
        return heed_fail_null(HEED_ERR_SHAPE, "pad",
                              "axis %d of %s is too short to be padded with %" PRId64 " of its own elements", axis,
                              heed_shape_text(x->shape).s, most);
    heed_tensor *index = heed_empty(HEED_I64, HEED_SHAPE(before + n + after));
    int64_t *positions = index ? (void *)index->data : NULL;
    for (int64_t i = 0; positions && i < index->numel; i++)
        positions[i] = source(mode, i - before, n);
    return heed_index_select(x, axis, index);
}

/* Reads `pads`, a pair of numbers per axis, starting with the last axis: the elements to add before and after the axis.
 * Stores positive numbers in p; for negative numbers, removes elements of x. Returns the result, or NULL after
 * heed_fail. */
static heed_tensor *crop(heed_tensor *x, const heed_shape *pads, pad_params *p)
{
    for (int pair = 0; 2 * pair < pads->rank; pair++) {
        int axis = x->shape.rank - 1 - pair;
        int64_t before = pads->dims[2 * pair], after = pads->dims[2 * pair + 1], size = x->shape.dims[axis], sum;
        int64_t start = before < 0 && before >= -size ? -before : 0, cut = after < 0 ? after : 0;
        if (before < -size || after < -size || start > size + cut || __builtin_add_overflow(size, before, &sum) ||
            __builtin_add_overflow(sum, after, &sum))
            return heed_fail_null(HEED_ERR_SHAPE, "pad",
                                  "padding %" PRId64 " and %" PRId64 " does not fit axis %d of %s", before, after, axis,
                                  heed_shape_text(x->shape).s);
        p->before[axis] = before < 0 ? 0 : before;
        p->after[axis] = after < 0 ? 0 : after;
        if (before < 0 || after < 0)
            x = heed_slice(x, axis, start, size + cut, 1);
        if (!x)
            return NULL;
    }
    return x;
}

static heed_tensor *pad(heed_tensor *x, const heed_shape *pads, heed_pad_mode mode, double value)
{
    pad_params p = {.value = value};
    x = crop(x, pads, &p);
    if (!x || mode == HEED_PAD_CONSTANT)
        return heed__apply1(&heed_op_pad, x, &p);
    heed_tensor *y = x;
    for (int axis = 0; y && axis < y->shape.rank; axis++)
        if (p.before[axis] > 0 || p.after[axis] > 0)
            y = repeat(y, axis, p.before[axis], p.after[axis], mode);
    return y == x ? heed_clone(x) : y;
}

heed_tensor *heed_pad(heed_tensor *x, heed_shape pads, heed_pad_mode mode, double value)
{
    HEED_ENTER("pad");
    if (!heed__check_tensor("pad", x))
        return NULL;
    if (pads.rank < 0 || pads.rank > HEED_MAX_RANK || pads.rank % 2 != 0 || pads.rank / 2 > x->shape.rank)
        return heed_fail_null(HEED_ERR_SHAPE, "pad", "%d numbers for %s: must be two per padded axis", pads.rank,
                              heed_shape_text(x->shape).s);
    if ((int)mode < HEED_PAD_CONSTANT || (int)mode > HEED_PAD_CIRCULAR)
        return heed_fail_null(HEED_ERR_ARGUMENT, "pad", "mode is %d: must be one of HEED_PAD_*", (int)mode);
    if (mode != HEED_PAD_CONSTANT && value != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "pad", "value is %g: must be 0 unless mode is HEED_PAD_CONSTANT",
                              value);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, pad(x, &pads, mode, value)) : NULL;
}
