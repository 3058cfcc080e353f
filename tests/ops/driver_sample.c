/* tests/ops/driver_sample.c - draws the inputs of a case, lays them out, runs it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver_sample.h"
#include "from.h"

/* -- Drawing ------------------------------------------------------------------------------------------------------- */

/* Continues the FNV-1a hash h with the bytes of `text`. */
static uint64_t hash(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static bool is_distinct_float(const op_input *in)
{
    return in->distinct && !in->values && (in->kind == OP_FLOAT || in->kind == OP_CONSTANT);
}

/* Draws one number in the input's range; `u` in 0 .. 1 is its relative position. */
static double number(const op_input *in, double u)
{
    bool index = in->kind == OP_INDEX;
    double low = in->low, high = in->high;
    if (low == 0 && high == 0 && !index) {
        low = -2;
        high = 2;
    }
    double x = low + (high - low) * u;
    if (index)
        return floor(x);
    return fabs(x) < in->gap ? copysign(in->gap + fabs(x), x) : x;
}

/* Relative positions in 0 .. 1: random; for distinct numbers, and for masks, the next of a permutation of equal
 * parts. */
static heed_tensor *draw_places(heed_generator *g, const op_input *in, heed_tensor *order, int64_t *next)
{
    int64_t n = heed_shape_numel(in->shape);
    heed_tensor *uniform = FROM(g, heed_rand(HEED_F64, HEED_SHAPE(n)));
    bool spread = in->distinct || in->kind == OP_MASK;
    int64_t from_first = 0;
    if (!is_distinct_float(in) && spread) {
        order = FROM(g, heed_permutation(n));
        next = &from_first;
    }
    double *u = uniform ? heed_mutable_f64(uniform) : NULL;
    const int64_t *at = spread && order ? heed_data_i64(order) : NULL;
    if (!u || (spread && !at))
        return NULL;
    for (int64_t i = 0; spread && i < n; i++)
        u[i] = ((double)at[(*next)++] + 0.5) / (double)heed_numel(order);
    return uniform;
}

static heed_tensor *draw_input(heed_generator *g, const op_input *in, heed_tensor *order, int64_t *next)
{
    int64_t n = heed_shape_numel(in->shape);
    heed_dtype dtype = in->kind == OP_INDEX ? HEED_I64 : in->kind == OP_MASK ? HEED_BOOL : HEED_F64;
    if (in->values)
        return heed_from_values(dtype, in->shape, in->values, n);
    heed_tensor *x = draw_places(g, in, order, next);
    double *values = x ? heed_mutable_f64(x) : NULL;
    for (int64_t i = 0; values && i < n; i++)
        values[i] = in->kind == OP_MASK ? values[i] < 0.5 : number(in, values[i]);
    return heed_to_dtype(heed_reshape(x, in->shape), dtype);
}

/* All distinct numbers of a case share one permutation, so that different inputs have no equal numbers either. */
bool op_draw(const char *op, const op_case *c, heed_tensor **values)
{
    heed_generator *g = heed_generator_new(hash(hash(UINT64_C(0xcbf29ce484222325), op), c->name));
    int64_t distinct = 0, next = 0;
    for (int i = 0; i < c->n_inputs; i++)
        if (is_distinct_float(&c->in[i]))
            distinct += heed_shape_numel(c->in[i].shape);
    heed_tensor *order = g ? FROM(g, heed_permutation(distinct)) : NULL;
    bool ok = order != NULL;
    for (int i = 0; ok && i < c->n_inputs; i++) {
        values[i] = draw_input(g, &c->in[i], order, &next);
        ok = values[i] != NULL;
    }
    heed_generator_free(g);
    return ok;
}

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

const char *op_layout_name(op_layout layout)
{
    static const char *const names[OP_LAYOUT_COUNT] = {"contiguous", "transposed", "sliced",
                                                       "offset",     "expanded",   "view"};
    return names[layout];
}

/* The first axis longer than 1; -1 if there is none. */
static int long_axis(const heed_shape *shape)
{
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->dims[axis] > 1)
            return axis;
    return -1;
}

bool op_layout_applies(op_layout layout, const heed_shape *shape)
{
    switch (layout) {
    case OP_TRANSPOSED:
        return shape->rank > 1;
    case OP_SLICED:
        return shape->rank > 0;
    case OP_EXPANDED:
        return long_axis(shape) >= 0;
    case OP_OFFSET:
    case OP_ALIAS:
        return true;
    case OP_PLAIN:
    case OP_LAYOUT_COUNT:
        break;
    }
    return false;
}

static heed_tensor *reverse_axes(heed_tensor *x)
{
    heed_shape order = {.rank = heed_rank(x)};
    for (int axis = 0; axis < order.rank; axis++)
        order.dims[axis] = order.rank - 1 - axis;
    return heed_permute(x, order);
}

/* Returns the op's input as a view of its leaf. Recorded. */
static heed_tensor *view(op_layout layout, heed_tensor *leaf, heed_shape shape)
{
    switch (layout) {
    case OP_TRANSPOSED:
        return reverse_axes(leaf);
    case OP_SLICED:
        return heed_slice(leaf, -1, 1, HEED_END, 2);
    case OP_OFFSET:
        return shape.rank == 0 ? heed_select(leaf, 0, 1) : heed_slice(leaf, 0, 1, HEED_END, 1);
    case OP_EXPANDED:
        return heed_expand(leaf, shape);
    case OP_ALIAS:
        return heed_reshape(leaf, shape);
    case OP_PLAIN:
    case OP_LAYOUT_COUNT:
        break;
    }
    return leaf;
}

/* A leaf larger than `values`, filled with numbers that must not be read. */
static heed_tensor *surround(heed_tensor *values, op_layout layout, heed_shape shape)
{
    heed_shape around = shape;
    if (shape.rank == 0)
        around = HEED_SHAPE(2);
    else if (layout == OP_SLICED)
        around.dims[shape.rank - 1] = 2 * around.dims[shape.rank - 1] + 1;
    else
        around.dims[0]++;
    heed_dtype dtype = heed_dtype_of(values);
    heed_tensor *leaf = heed_full(dtype, around, dtype == HEED_I64 ? -1.0 : (double)NAN);
    heed_tensor *inside = view(layout, leaf, shape);
    return inside && heed_copy_(inside, values) == HEED_OK ? leaf : NULL;
}

/* Returns a leaf for which the view of this layout has the given values. With OP_EXPANDED the view repeats the first
 * values along the axis. */
static heed_tensor *make_leaf(heed_tensor *values, op_layout layout)
{
    heed_shape shape = heed_shape_of(values);
    if (layout == OP_TRANSPOSED)
        return heed_clone(reverse_axes(values));
    if (layout == OP_EXPANDED)
        return heed_clone(heed_slice(values, long_axis(&shape), 0, 1, 1));
    if (layout == OP_SLICED || layout == OP_OFFSET)
        return surround(values, layout, shape);
    return heed_clone(values);
}

heed_tensor *op_lay_out(heed_tensor *values, op_layout layout)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *leaf = make_leaf(values, layout);
    return heed_scope_return(scope, leaf ? view(layout, leaf, heed_shape_of(values)) : NULL);
}

bool op_set_leaf(op_sample *s, int i, heed_tensor *values, op_layout layout, bool requires_grad)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    s->layouts[i] = layout;
    s->leaves[i] = heed_scope_return(scope, make_leaf(values, layout));
    return s->leaves[i] && (!requires_grad || heed_set_requires_grad(s->leaves[i], true));
}

/* -- Running ------------------------------------------------------------------------------------------------------- */

bool op_inputs(const op_sample *s, heed_tensor *const *leaves, heed_tensor **inputs)
{
    for (int i = 0; i < s->c->n_inputs; i++) {
        inputs[i] = view(s->layouts[i], leaves[i], s->c->in[i].shape);
        if (!inputs[i])
            return false;
    }
    return true;
}

heed_tensor *op_call(heed_tensor *const *leaves, void *user)
{
    const op_sample *s = user;
    heed_tensor *inputs[OP_MAX_INPUTS] = {NULL};
    return op_inputs(s, leaves, inputs) ? s->c->run(inputs, s->c) : NULL;
}

heed_tensor *op_read(heed_tensor *x)
{
    heed_scope *scope = heed_no_grad_begin();
    return scope ? heed_scope_return(scope, heed_contiguous(heed_to_dtype(x, HEED_F64))) : NULL;
}

double op_mismatch(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *values_a = op_read(a), *values_b = op_read(b);
    if (!values_a || !values_b)
        return -1;
    if (!heed_shape_equal(heed_shape_of(a), heed_shape_of(b)))
        return HUGE_VAL;
    const double *x = heed_data_f64(values_a), *y = heed_data_f64(values_b);
    double worst = 0;
    for (int64_t i = 0; i < heed_numel(a); i++) {
        if (x[i] == y[i] || (isnan(x[i]) && isnan(y[i])))
            continue;
        double error = fabs(x[i] - y[i]) / (1 + fabs(y[i]));
        if (!(error <= worst))
            worst = isnan(error) ? HUGE_VAL : error;
    }
    return worst;
}
