/* check/map.c - the map that gradcheck differentiates: its points and values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check/gradcheck.h"

#include <math.h>
#include <string.h>

#include <heed/ops.h>

/* -- Tensors of a round -------------------------------------------------------------------------------------------- */

/* Returns a tensor with reversed axes and a gap after every element. The gaps hold NaN, -1 (an invalid index) or true,
 * so that reading one changes the result. */
static heed_tensor *new_strided(heed_dtype dtype, heed_shape shape)
{
    heed_shape outer = {.rank = shape.rank}, axes = {.rank = shape.rank};
    int last = shape.rank - 1;
    for (int axis = 0; axis <= last; axis++) {
        outer.dims[axis] = shape.dims[last - axis];
        axes.dims[axis] = last - axis;
    }
    outer.dims[last] *= 2;
    heed_tensor *buffer = heed_full(dtype, outer, heed_dtype_is_float(dtype) ? (double)NAN : -1.0);
    return heed_permute(heed_slice(buffer, last, 0, HEED_END, 2), axes);
}

heed_tensor *heed__gradcheck_copy(const heed__gradcheck *c, heed_tensor *x)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_dtype dtype = heed_dtype_of(x);
    heed_shape shape = heed_shape_of(x);
    bool strided = c->strided && shape.rank > 0 && heed_numel(x) > 0;
    heed_tensor *copy = strided ? new_strided(dtype, shape) : heed_empty(dtype, shape);
    if (copy && heed_copy_(copy, x) != HEED_OK)
        copy = NULL;
    return heed_scope_return(scope, copy);
}

heed_tensor *heed__gradcheck_random(heed__gradcheck *c, heed_shape shape)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_generator *outer = heed_generator_use(c->random);
    heed_tensor *x = outer ? heed_rand(HEED_F64, shape) : NULL;
    if (outer)
        heed_generator_use(outer);
    double *values = heed_mutable_f64(x);
    for (int64_t i = 0; values && i < heed_numel(x); i++)
        values[i] -= values[i] < 0.5 ? 1 : 0;
    return heed_scope_return(scope, values ? heed__gradcheck_copy(c, x) : NULL);
}

double *heed__gradcheck_numbers(int64_t rows, int64_t columns)
{
    return heed_mutable_f64(heed_zeros(HEED_F64, HEED_SHAPE(rows, columns)));
}

/* -- Evaluating ---------------------------------------------------------------------------------------------------- */

static heed_tensor *call_fn(const heed__gradcheck *c)
{
    heed_callback call = heed_callback_begin("fn");
    heed_tensor *y = c->fn(c->arguments, c->user);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y)
        return heed_fail_null(HEED_ERR_ARGUMENT, c->name, "fn returned NULL");
    if (!heed_dtype_is_float(heed_dtype_of(y)))
        return heed_fail_null(HEED_ERR_DTYPE, c->name, "fn returned a tensor of %s: must be f32 or f64",
                              heed_dtype_name(heed_dtype_of(y)));
    return heed_to_dtype(y, HEED_F64);
}

/* Sets outputs[i] = g^T d y / d points[i] for every point except the last one, which is g. */
static bool differentiate_fn(heed__gradcheck *c, heed_tensor *y, bool record)
{
    for (int i = 0; i < c->n_outputs; i++)
        c->outputs[i] = NULL;
    heed_grad_options options = {
        .grad_outputs = &c->points[c->n_outputs], .create_graph = record, .allow_unused = true};
    if (heed_requires_grad(y) && heed_grad(&y, 1, c->points, c->n_outputs, c->outputs, &options) != HEED_OK)
        return false;
    for (int i = 0; i < c->n_outputs; i++) {
        if (!c->outputs[i])
            c->outputs[i] = heed_zeros(HEED_F64, heed_shape_of(c->points[i]));
        if (!c->outputs[i])
            return false;
    }
    return true;
}

bool heed__gradcheck_evaluate(heed__gradcheck *c, bool record)
{
    bool was_enabled = heed_set_grad_enabled(record || c->order == 2);
    heed_tensor *y = call_fn(c);
    bool ok = y != NULL;
    if (ok && c->order == 1)
        c->outputs[0] = y;
    else if (ok)
        ok = differentiate_fn(c, y, record);
    (void)heed_set_grad_enabled(was_enabled);
    return ok;
}

static bool copy_output_rows(const heed__gradcheck *c, double *rows)
{
    for (int i = 0; i < c->n_outputs; i++) {
        const heed_tensor *y = heed_contiguous(c->outputs[i]);
        const double *values = heed_data_f64(y);
        if (!values)
            return false;
        if (!heed_shape_equal(heed_shape_of(y), c->entries[i].shape))
            return heed_fail_false(HEED_ERR_STATE, c->name, "fn is not deterministic: its result was %s and is %s now",
                                   heed_shape_text(c->entries[i].shape).s, heed_shape_text(heed_shape_of(y)).s);
        if (heed_numel(y) > 0)
            memcpy(rows, values, (size_t)heed_numel(y) * sizeof *rows);
        rows += heed_numel(y);
    }
    return true;
}

bool heed__gradcheck_values(heed__gradcheck *c, double *rows)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    bool ok = heed__gradcheck_evaluate(c, false) && copy_output_rows(c, rows);
    (void)heed_scope_end(scope);
    return ok;
}

/* -- Preparation --------------------------------------------------------------------------------------------------- */

/* Copies the inputs to the arguments and points. An input that occurs twice becomes one point. */
static bool copy_inputs(heed__gradcheck *c)
{
    c->n_points = 0;
    for (int i = 0; i < c->n_inputs; i++) {
        heed_tensor *x = c->inputs[i];
        int first_use = 0;
        while (c->inputs[first_use] != x)
            first_use++;
        if (first_use < i)
            c->arguments[i] = c->arguments[first_use];
        else if (heed_requires_grad(x))
            c->arguments[i] = heed_set_requires_grad(heed__gradcheck_copy(c, x), true);
        else
            c->arguments[i] = c->strided ? heed__gradcheck_copy(c, x) : x;
        if (!c->arguments[i])
            return false;
        if (first_use == i && heed_requires_grad(x)) {
            c->entries[c->n_points].input = i;
            c->points[c->n_points++] = c->arguments[i];
        }
    }
    return true;
}

/* Returns false after heed_fail if fn reads a caller's tensor instead of its argument: the derivatives with respect to
 * that tensor would not be checked. */
static bool check_captured(const heed__gradcheck *c, heed_tensor *y)
{
    for (int i = 0; heed_requires_grad(y) && i < c->n_inputs; i++) {
        heed_tensor *x = c->inputs[i], *gradient = NULL;
        if (!heed_requires_grad(x) || !heed_is_leaf(x))
            continue;
        heed_tensor *g = heed_ones(HEED_F64, heed_shape_of(y));
        heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .allow_unused = true};
        if (!g || heed_grad(&y, 1, &x, 1, &gradient, &options) != HEED_OK)
            return false;
        if (gradient)
            return heed_fail_false(HEED_ERR_ARGUMENT, c->name,
                                   "fn reads the caller's input %d: must read its argument, inputs[%d]", i, i);
    }
    return true;
}

/* Appends g to the points; only for order 2. */
static bool add_output_gradient(heed__gradcheck *c, heed_shape shape)
{
    heed_tensor *g = heed_set_requires_grad(heed__gradcheck_random(c, shape), true);
    c->n_outputs = c->n_points;
    c->entries[c->n_points].input = c->n_inputs;
    c->points[c->n_points++] = g;
    return g != NULL;
}

/* The sum cannot overflow: the points are copies in memory, and if there are several outputs, these have the points'
 * shapes. */
static int64_t count_elements(heed_tensor *const *tensors, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += heed_numel(tensors[i]);
    return sum;
}

/* Evaluates the map once. Determines the shapes of the outputs and the numbers of rows and columns. */
static bool measure_outputs(heed__gradcheck *c)
{
    if (!heed__gradcheck_evaluate(c, false))
        return false;
    for (int i = 0; i < c->n_outputs; i++)
        c->entries[i].shape = heed_shape_of(c->outputs[i]);
    c->rows = count_elements(c->outputs, c->n_outputs);
    c->columns = count_elements(c->points, c->n_points);
    return true;
}

/* Checks that a second evaluation gives the same bits, and that the values are the same with and without recording. */
static bool check_same_values(heed__gradcheck *c, double *first_values, double *second_values)
{
    if (!heed__gradcheck_values(c, first_values) || !heed__gradcheck_values(c, second_values))
        return false;
    if (memcmp(first_values, second_values, (size_t)c->rows * sizeof *first_values) != 0)
        return heed_fail_false(HEED_ERR_STATE, c->name, "fn is not deterministic: the same inputs gave two values");
    return heed__gradcheck_evaluate(c, true) && copy_output_rows(c, second_values) &&
           heed__gradcheck_compare_recorded(c, second_values, first_values);
}

static bool check_repeated_values(heed__gradcheck *c)
{
    double *values = heed__gradcheck_numbers(2, c->rows);
    heed_scope *scope = values ? heed_scope_begin() : NULL;
    bool ok = scope && check_same_values(c, values, values + c->rows);
    if (scope)
        (void)heed_scope_end(scope);
    return ok;
}

bool heed__gradcheck_prepare(heed__gradcheck *c)
{
    if (!copy_inputs(c))
        return false;
    heed_tensor *y = call_fn(c);
    if (!y || !check_captured(c, y))
        return false;
    c->n_outputs = 1;
    if (c->order == 2 && !add_output_gradient(c, heed_shape_of(y)))
        return false;
    return measure_outputs(c) && check_repeated_values(c);
}
