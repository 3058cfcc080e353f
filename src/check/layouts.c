/* check/layouts.c - checks output gradients in the layouts that the backward of ops produces. Backward of sum and mean
 * expands one number to the shape of x, backward of a sum over an axis expands along this axis, and backward of
 * transposes and flips changes the order or sign of strides.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check/gradcheck.h"

#include <math.h>

#include <heed/ops.h>

typedef enum kind { EXPANDED, EXPANDED_ON, TRANSPOSED, FLIPPED, KINDS } kind;

typedef struct layout {
    kind kind;
    int axis; /* the expanded axis, for EXPANDED_ON */
} layout;

static heed_shape all_axes(int rank, bool reversed)
{
    heed_shape axes = {.rank = rank};
    for (int i = 0; i < rank; i++)
        axes.dims[i] = reversed ? rank - 1 - i : i;
    return axes;
}

/* Returns random numbers of the given shape in layout l. */
static heed_tensor *draw_layout(heed__gradcheck *c, heed_shape shape, layout l)
{
    heed_shape drawn = shape;
    if (l.kind == EXPANDED)
        return heed_expand(heed__gradcheck_random(c, HEED_SCALAR), shape);
    if (l.kind == FLIPPED)
        return heed_flip(heed__gradcheck_random(c, shape), all_axes(shape.rank, false));
    if (l.kind == EXPANDED_ON) {
        drawn.dims[l.axis] = 1;
        return heed_expand(heed__gradcheck_random(c, drawn), shape);
    }
    for (int i = 0; i < shape.rank; i++)
        drawn.dims[i] = shape.dims[shape.rank - 1 - i];
    return heed_permute(heed__gradcheck_random(c, drawn), all_axes(shape.rank, true));
}

static const char *layout_name(layout l, char *text, size_t size)
{
    if (l.kind == EXPANDED_ON) {
        (void)snprintf(text, size, "expanded on axis %d", l.axis);
        return text;
    }
    return l.kind == EXPANDED ? "expanded (as by sum and mean)" : l.kind == FLIPPED ? "flipped" : "transposed";
}

/* Checks that two rows of the Jacobian agree up to rounding. Returns false after heed_fail. */
static bool compare_rows(heed__gradcheck *c, heed__gradcheck_rule rule, layout l, const double *expected,
                         const double *row)
{
    for (int p = 0; p < c->n_points; p++)
        for (int64_t i = 0, n = heed_numel(c->points[p]); i < n; i++, expected++, row++) {
            const double allowed = c->options.atol + c->options.rtol * fabs(*expected);
            char text[40];
            if (*row == *expected || fabs(*row - *expected) <= allowed || (isnan(*row) && isnan(*expected)))
                continue;
            c->result.input = c->entries[p].input;
            c->result.input_index = i;
            c->result.analytic = *row;
            c->result.numeric = *expected;
            return heed_fail_false(HEED_ERR_STATE, c->name,
                                   "with an output gradient that is %s, the gradient of input %d at element %lld is "
                                   "%.10g by %s, but %.10g "
                                   "with a contiguous copy of that output gradient",
                                   layout_name(l, text, sizeof text), c->entries[p].input, (long long)i, *row,
                                   rule == FUSED ? "backward_fused" : "backward with create_graph", *expected);
        }
    return true;
}

static bool check_layout(heed__gradcheck *c, int output, layout l, double *expected, double *row)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *g = draw_layout(c, c->entries[output].shape, l), *copy = heed_clone(g);
    bool ok = copy != NULL;
    for (int rule = 0; ok && rule < RULES; rule++)
        ok = heed__gradcheck_vjp(c, (heed__gradcheck_rule)rule, output, copy, expected) &&
             heed__gradcheck_vjp(c, (heed__gradcheck_rule)rule, output, g, row) &&
             compare_rows(c, (heed__gradcheck_rule)rule, l, expected, row);
    (void)heed_scope_end(scope);
    return ok;
}

static bool check_output(heed__gradcheck *c, int output, double *expected, double *row)
{
    const heed_shape shape = c->entries[output].shape;
    bool ok = true;
    for (int k = 0; ok && k < KINDS && heed_shape_numel(shape) > 1; k++)
        for (int axis = 0; ok && axis < (k == EXPANDED_ON ? shape.rank : 1); axis++)
            if (k != EXPANDED_ON || shape.dims[axis] > 1)
                ok = check_layout(c, output, (layout){(enum kind)k, axis}, expected, row);
    return ok;
}

bool heed__gradcheck_layouts(heed__gradcheck *c)
{
    if (c->strided || c->options.contiguous_only)
        return true;
    double *rows = heed__gradcheck_numbers(2, c->columns);
    bool ok = rows != NULL;
    for (int k = 0; ok && k < c->n_outputs; k++)
        ok = check_output(c, k, rows, rows + c->columns);
    return ok;
}
