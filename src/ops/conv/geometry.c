/* ops/conv/geometry.c - the geometry of convolutions, from shapes and options. See conv.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/conv/conv.h"

#include <inttypes.h>

/* -- Windows ------------------------------------------------------------------------------------------------------- */

/* The maximum of all sizes, strides, paddings and so on: sums of a few such numbers fit an int64_t. */
static const int64_t most = INT64_MAX / 8;

heed_text heed__window_text(int axes, const int64_t numbers[2])
{
    return heed_shape_text(axes == 1 ? HEED_SHAPE(numbers[1]) : HEED_SHAPE(numbers[0], numbers[1]));
}

bool heed__window_numbers(const char *where, const char *name, int axes, const heed_shape *given, int64_t otherwise,
                          int64_t least, int64_t numbers[2])
{
    if (given->rank < 0 || given->rank > axes)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s has %d numbers: must be at most %d", name, given->rank,
                               axes);
    numbers[0] = otherwise;
    for (int axis = 2 - axes; axis < 2; axis++) {
        numbers[axis] = given->rank == 0 ? otherwise : given->rank == 1 ? given->dims[0] : given->dims[axis];
        if (numbers[axis] < least || numbers[axis] > most)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be %" PRId64 " to %" PRId64, name,
                                   numbers[axis], least, most);
    }
    return true;
}

int64_t heed__window_extent(int64_t taps, int64_t dilation)
{
    int64_t extent;
    return __builtin_mul_overflow(taps - 1, dilation, &extent) || extent > most ? -1 : extent + 1;
}

int64_t heed__window_padded(int64_t size, int64_t padding)
{
    return size > most || padding > most ? -1 : size + 2 * padding;
}

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

/* Checks the tensors and that w has one axis (rank 3) or two (rank 4), and x as many. */
static bool check_ranks(const char *where, const heed_tensor *x, const heed_tensor *w)
{
    if (!heed__check_tensor(where, x) || !heed__check_tensor(where, w) || !heed__check_pair(where, x, w))
        return false;
    if (x->shape.rank == w->shape.rank && (w->shape.rank == 3 || w->shape.rank == 4))
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where,
                           "x is %s and w is %s: both must have rank 3 (one axis), or both rank 4 (two axes)",
                           heed_shape_text(x->shape).s, heed_shape_text(w->shape).s);
}

static void plane_of(const heed_shape *shape, int64_t plane[2])
{
    plane[0] = shape->rank == 4 ? shape->dims[2] : 1;
    plane[1] = shape->dims[shape->rank - 1];
}

/* channels: number of channels of the input; out: number of channels of the result. */
static bool check_groups(const char *where, int64_t groups, int64_t channels, int64_t out)
{
    if (groups >= 1 && channels % groups == 0 && out % groups == 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "groups is %" PRId64 ": must be 1 or more and divide the %" PRId64
                           " channels of x and the %" PRId64 " of the result",
                           groups, channels, out);
}

static bool check_kernel(const char *where, const heed_tensor *w, const int64_t kernel[2])
{
    return (kernel[0] >= 1 && kernel[1] >= 1) ||
           heed_fail_false(HEED_ERR_SHAPE, where, "the kernel of w %s is empty", heed_shape_text(w->shape).s);
}

static int64_t groups_or_one(int64_t given)
{
    return given == 0 ? 1 : given;
}

/* Sets the padding and the size of the result; the other fields must be set. */
static bool set_padding(const char *where, int axes, const heed_conv_options *o, heed__conv *c)
{
    int64_t padding[2];
    if (!heed__window_numbers(where, "padding", axes, &o->padding, 0, 0, padding))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t extent = heed__window_extent(c->w[axis], c->dilation[axis]);
        const int64_t padded = o->same ? c->x[axis] + extent - 1 : heed__window_padded(c->x[axis], padding[axis]);
        if (extent < 0 || padded < extent)
            return heed_fail_false(HEED_ERR_SHAPE, where,
                                   "a kernel %s with dilation %s does not fit into %s with padding %s",
                                   heed__window_text(axes, c->w).s, heed__window_text(axes, c->dilation).s,
                                   heed__window_text(axes, c->x).s, heed__window_text(axes, padding).s);
        c->before[axis] = o->same ? (extent - 1) / 2 : padding[axis];
        c->y[axis] = (padded - extent) / c->stride[axis] + 1;
    }
    if (o->same && (c->stride[0] != 1 || c->stride[1] != 1 || padding[0] != 0 || padding[1] != 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "stride is %s and padding is %s: with same, stride must be 1 and padding 0",
                               heed__window_text(axes, c->stride).s, heed__window_text(axes, padding).s);
    return true;
}

/* Reads the options; the planes of x and w must be set. */
static bool read_conv_options(const char *where, int axes, const heed_conv_options *o, heed__conv *c)
{
    return heed__window_numbers(where, "stride", axes, &o->stride, 1, 1, c->stride) &&
           heed__window_numbers(where, "dilation", axes, &o->dilation, 1, 1, c->dilation) &&
           set_padding(where, axes, o, c);
}

bool heed__conv_of(const char *where, const heed_tensor *x, const heed_tensor *w, const heed_conv_options *options,
                   heed__conv *conv)
{
    const heed_conv_options o = options ? *options : (heed_conv_options){0};
    *conv = (heed__conv){.groups = groups_or_one(o.groups)};
    if (!check_ranks(where, x, w) || !check_groups(where, conv->groups, x->shape.dims[1], w->shape.dims[0]))
        return false;
    if (w->shape.dims[1] != x->shape.dims[1] / conv->groups)
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "w %s takes %" PRId64 " channels in each of %" PRId64 " groups, x %s has %" PRId64,
                               heed_shape_text(w->shape).s, w->shape.dims[1], conv->groups, heed_shape_text(x->shape).s,
                               x->shape.dims[1] / conv->groups);
    plane_of(&x->shape, conv->x);
    plane_of(&w->shape, conv->w);
    return check_kernel(where, w, conv->w) && read_conv_options(where, w->shape.rank - 2, &o, conv);
}

/* Returns the size of x, (y - 1) stride - 2 padding + extent + rest; -1 if it would be less than 1 or overflow. */
static int64_t transposed_size(const heed__conv *c, int axis, int64_t rest)
{
    const int64_t extent = heed__window_extent(c->w[axis], c->dilation[axis]);
    int64_t size;
    if (extent < 0 || c->y[axis] > most || __builtin_mul_overflow(c->y[axis] - 1, c->stride[axis], &size) ||
        size > most)
        return -1;
    size += extent - 2 * c->before[axis] + rest;
    return size >= 1 && size <= most ? size : -1;
}

bool heed__conv_transpose_of(const char *where, const heed_tensor *x, const heed_tensor *w,
                             const heed_conv_transpose_options *options, heed__conv *conv)
{
    const heed_conv_transpose_options o = options ? *options : (heed_conv_transpose_options){0};
    heed__conv *c = conv;
    int64_t rest[2];
    *c = (heed__conv){.groups = groups_or_one(o.groups)};
    if (!check_ranks(where, x, w) || !check_groups(where, c->groups, x->shape.dims[1], w->shape.dims[0]))
        return false;
    if (w->shape.dims[0] != x->shape.dims[1])
        return heed_fail_false(HEED_ERR_SHAPE, where, "w %s takes %" PRId64 " channels, x %s has %" PRId64,
                               heed_shape_text(w->shape).s, w->shape.dims[0], heed_shape_text(x->shape).s,
                               x->shape.dims[1]);
    const int axes = w->shape.rank - 2;
    plane_of(&x->shape, c->y);
    plane_of(&w->shape, c->w);
    if (c->y[0] < 1 || c->y[1] < 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the planes of x %s are empty", heed_shape_text(x->shape).s);
    if (!check_kernel(where, w, c->w) || !heed__window_numbers(where, "stride", axes, &o.stride, 1, 1, c->stride) ||
        !heed__window_numbers(where, "dilation", axes, &o.dilation, 1, 1, c->dilation) ||
        !heed__window_numbers(where, "padding", axes, &o.padding, 0, 0, c->before) ||
        !heed__window_numbers(where, "output_padding", axes, &o.output_padding, 0, 0, rest))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        if (rest[axis] > 0 && rest[axis] >= c->stride[axis] && rest[axis] >= c->dilation[axis])
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "output_padding is %s: must be less than the stride %s or the dilation %s",
                                   heed__window_text(axes, rest).s, heed__window_text(axes, c->stride).s,
                                   heed__window_text(axes, c->dilation).s);
        c->x[axis] = transposed_size(c, axis, rest[axis]);
        if (c->x[axis] < 0)
            return heed_fail_false(
                HEED_ERR_SHAPE, where,
                "on %s, a kernel %s with stride %s, dilation %s and padding %s gives an empty or too large result",
                heed__window_text(axes, c->y).s, heed__window_text(axes, c->w).s, heed__window_text(axes, c->stride).s,
                heed__window_text(axes, c->dilation).s, heed__window_text(axes, c->before).s);
    }
    return true;
}

bool heed__unfold_of(const char *where, const int64_t plane[2], const heed_shape *kernel,
                     const heed_unfold_options *options, heed__conv *conv)
{
    const heed_unfold_options o = options ? *options : (heed_unfold_options){0};
    *conv = (heed__conv){.x = {plane[0], plane[1]}, .groups = 1};
    if (kernel->rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "kernel is (): must have at least one size");
    return heed__window_numbers(where, "kernel", 2, kernel, 1, 1, conv->w) &&
           read_conv_options(
               where, 2, &(heed_conv_options){.stride = o.stride, .padding = o.padding, .dilation = o.dilation}, conv);
}

/* Returns true if t is NULL or has rank 4 and planes of this size. */
static bool has_size(const heed_tensor *t, const int64_t size[2])
{
    return !t || (t->shape.rank == 4 && t->shape.dims[2] == size[0] && t->shape.dims[3] == size[1]);
}

static bool has_groups(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *g)
{
    const int64_t n = c->groups, channels = x ? x->shape.dims[1] : w->shape.dims[1] * n,
                  outputs = g ? g->shape.dims[1] : w->shape.dims[0];
    return channels % n == 0 && outputs % n == 0 &&
           (!w || (w->shape.dims[0] == outputs && w->shape.dims[1] == channels / n)) &&
           (!x || !g || x->shape.dims[0] == g->shape.dims[0]);
}

bool heed__check_conv(const heed_call *call, const heed_tensor *x, const heed_tensor *w, const heed_tensor *g)
{
    const heed__conv *c = call->params;
    if (!heed__check_pair(call->op->name, call->inputs[0], call->inputs[1]))
        return false;
    bool good = c->groups > 0 && has_size(x, c->x) && has_size(w, c->w) && has_size(g, c->y);
    for (int axis = 0; axis < 2; axis++)
        good = good && c->stride[axis] > 0 && c->dilation[axis] > 0 && c->w[axis] > 0 && c->y[axis] > 0;
    return (good && has_groups(c, x, w, g)) ||
           heed_fail_false(HEED_ERR_SHAPE, call->op->name, "%s and %s do not fit the op's parameters",
                           heed_shape_text(call->inputs[0]->shape).s, heed_shape_text(call->inputs[1]->shape).s);
}

bool heed__check_bias(const heed_call *call, int64_t channels)
{
    const heed_tensor *bias = call->n_inputs > 2 ? call->inputs[2] : NULL;
    if (!bias)
        return true;
    if (bias->shape.rank != 1 || bias->shape.dims[0] != channels)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "the bias has shape %s: must be (%" PRId64 ")",
                               heed_shape_text(bias->shape).s, channels);
    return heed__check_pair(call->op->name, call->inputs[0], bias);
}
