/* core/gradcheck_map.c - the map that gradcheck differentiates: its points, and its values. */

#include <math.h>
#include <string.h>

#include <heed/ops.h>

#include "core/gradcheck.h"
#include "core/tensor.h"

/* -- Tensors of a round -------------------------------------------------------------------------------------------- */

/* A tensor whose axes lie in reverse order, each element followed by a gap. The gaps hold NaN (no index, true), so that
 * reading one shows. */
static heed_tensor *new_strided(heed_dtype dtype, const heed_shape *shape)
{
    heed_shape around = {.rank = shape->rank}, reverse = {.rank = shape->rank};
    int last = shape->rank - 1;
    for (int axis = 0; axis <= last; axis++) {
        around.dims[axis] = shape->dims[last - axis];
        reverse.dims[axis] = last - axis;
    }
    around.dims[last] *= 2;
    heed_tensor *buffer = heed_full(dtype, around, heed_dtype_is_float(dtype) ? (double)NAN : -1.0);
    return heed_permute(heed_slice(buffer, last, 0, HEED_END, 2), reverse);
}

heed_tensor *heed__check_copy(const heed_check *c, heed_tensor *x)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    bool strided = c->strided && x->shape.rank > 0 && x->numel > 0;
    heed_tensor *copy = strided ? new_strided(x->dtype, &x->shape) : heed_empty(x->dtype, x->shape);
    if (copy && heed_copy_(copy, x) != HEED_OK)
        copy = NULL;
    return heed_scope_return(scope, copy);
}

heed_tensor *heed__check_random(heed_check *c, heed_shape shape)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *x = heed_generator_rand(c->random, HEED_F64, shape);
    double *values = x ? heed_mutable_f64(x) : NULL;
    for (int64_t i = 0; values && i < x->numel; i++)
        values[i] -= values[i] < 0.5 ? 1 : 0;
    return heed_scope_return(scope, values ? heed__check_copy(c, x) : NULL);
}

/* -- Evaluating ---------------------------------------------------------------------------------------------------- */

static heed_tensor *call_fn(const heed_check *c)
{
    heed_callback call = heed_callback_begin("fn");
    heed_tensor *y = c->fn(c->arguments, c->user);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y)
        return heed_fail_null(HEED_ERR_ARGUMENT, c->name, "fn returned NULL");
    if (!heed_dtype_is_float(y->dtype))
        return heed_fail_null(HEED_ERR_DTYPE, c->name, "fn returned a tensor of %s", heed_dtype_name(y->dtype));
    return heed_to_dtype(y, HEED_F64);
}

/* outputs[i] = g^T d y / d points[i] for every point but g. */
static bool differentiate(heed_check *c, heed_tensor *y, bool record)
{
    for (int i = 0; i < c->n_outputs; i++)
        c->outputs[i] = NULL;
    heed_grad_options options = {
        .grad_outputs = &c->points[c->n_outputs], .create_graph = record, .allow_unused = true};
    if (y->requires_grad && heed_grad(&y, 1, c->points, c->n_outputs, c->outputs, &options) != HEED_OK)
        return false;
    for (int i = 0; i < c->n_outputs; i++) {
        if (!c->outputs[i])
            c->outputs[i] = heed_zeros(HEED_F64, c->points[i]->shape);
        if (!c->outputs[i])
            return false;
    }
    return true;
}

bool heed__check_evaluate(heed_check *c, bool record)
{
    bool before = heed_set_grad_enabled(record || c->order == 2);
    heed_tensor *y = call_fn(c);
    bool ok = y != NULL;
    if (ok && c->order == 1)
        c->outputs[0] = y;
    else if (ok)
        ok = differentiate(c, y, record);
    (void)heed_set_grad_enabled(before);
    return ok;
}

static bool copy_rows(const heed_check *c, double *rows)
{
    for (int i = 0; i < c->n_outputs; i++) {
        const heed_tensor *y = heed_contiguous(c->outputs[i]);
        if (!y)
            return false;
        if (!heed_shape_equal(y->shape, c->places[i].shape))
            return heed_fail_false(HEED_ERR_STATE, c->name, "fn is not deterministic: its result was %s and is %s now",
                                   heed_shape_text(c->places[i].shape).s, heed_shape_text(y->shape).s);
        if (y->numel > 0)
            memcpy(rows, y->data, (size_t)y->numel * sizeof *rows);
        rows += y->numel;
    }
    return true;
}

bool heed__check_values(heed_check *c, double *rows)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    bool ok = heed__check_evaluate(c, false) && copy_rows(c, rows);
    (void)heed_scope_end(scope);
    return ok;
}

/* -- Preparing ----------------------------------------------------------------------------------------------------- */

/* Copies of the inputs: an input given twice is one point. */
static bool copy_inputs(heed_check *c)
{
    c->n_points = 0;
    for (int i = 0; i < c->n_inputs; i++) {
        heed_tensor *x = c->inputs[i];
        int twin = 0;
        while (c->inputs[twin] != x)
            twin++;
        if (twin < i)
            c->arguments[i] = c->arguments[twin];
        else if (x->requires_grad)
            c->arguments[i] = heed_set_requires_grad(heed__check_copy(c, x), true);
        else
            c->arguments[i] = c->strided ? heed__check_copy(c, x) : x;
        if (!c->arguments[i])
            return false;
        if (twin == i && x->requires_grad) {
            c->places[c->n_points].input = i;
            c->points[c->n_points++] = c->arguments[i];
        }
    }
    return true;
}

/* A function that reads a tensor of the caller's in place of its argument would pass unchecked: fail for it. */
static bool check_captured(const heed_check *c, heed_tensor *y)
{
    for (int i = 0; y->requires_grad && i < c->n_inputs; i++) {
        heed_tensor *x = c->inputs[i], *gradient = NULL;
        if (!x->requires_grad || !heed_is_leaf(x))
            continue;
        heed_tensor *g = heed_ones(HEED_F64, y->shape);
        heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .allow_unused = true};
        if (!g || heed_grad(&y, 1, &x, 1, &gradient, &options) != HEED_OK)
            return false;
        if (gradient)
            return heed_fail_false(HEED_ERR_ARGUMENT, c->name,
                                   "fn reads input %d itself, not the inputs[%d] it is called with", i, i);
    }
    return true;
}

/* With order 2, g becomes the last point. */
static bool add_output_gradient(heed_check *c, const heed_shape *shape)
{
    heed_tensor *g = heed_set_requires_grad(heed__check_random(c, *shape), true);
    c->n_outputs = c->n_points;
    c->places[c->n_points].input = c->n_inputs;
    c->points[c->n_points++] = g;
    return g != NULL;
}

/* No overflow: the points are copies of the inputs, and with several outputs those are gradients of the points. */
static int64_t elements(heed_tensor *const *tensors, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += tensors[i]->numel;
    return sum;
}

/* Shapes of the outputs, numbers of rows and columns. */
static bool measure(heed_check *c)
{
    if (!heed__check_evaluate(c, false))
        return false;
    for (int i = 0; i < c->n_outputs; i++)
        c->places[i].shape = c->outputs[i]->shape;
    c->rows = elements(c->outputs, c->n_outputs);
    c->columns = elements(c->points, c->n_points);
    return true;
}

/* Whether the map gives the same again, to the last bit, and the same while it is recorded. */
static bool check_values(heed_check *c, double *once, double *again)
{
    if (!heed__check_values(c, once) || !heed__check_values(c, again))
        return false;
    if (memcmp(once, again, (size_t)c->rows * sizeof *once) != 0)
        return heed_fail_false(HEED_ERR_STATE, c->name, "fn is not deterministic: the same inputs gave two values");
    return heed__check_evaluate(c, true) && copy_rows(c, again) && heed__check_recorded(c, again, once);
}

static bool check_repeated_values(heed_check *c)
{
    size_t bytes = (size_t)c->rows * sizeof(double);
    double *once = heed_calloc((size_t)c->rows, sizeof *once), *again = heed_calloc((size_t)c->rows, sizeof *again);
    heed_scope *scope = heed_scope_begin();
    bool ok = once && again && scope && check_values(c, once, again);
    if (scope)
        (void)heed_scope_end(scope);
    heed_free(once, bytes);
    heed_free(again, bytes);
    return ok;
}

bool heed__check_prepare(heed_check *c)
{
    if (!copy_inputs(c))
        return false;
    heed_tensor *y = call_fn(c);
    if (!y || !check_captured(c, y))
        return false;
    c->n_outputs = 1;
    if (c->order == 2 && !add_output_gradient(c, &y->shape))
        return false;
    return measure(c) && check_repeated_values(c);
}
