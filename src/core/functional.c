/* core/functional.c - derivatives of functions: heed_vjp, heed_jvp, heed_hvp, heed_jacobian, heed_hessian.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/functional.h>

#include <string.h>

#include <heed/ops.h>

#include "core/memory.h"
#include "core/tensor.h"
#include "core/thread.h"

/* The evaluation of a function at a point. */
typedef struct point {
    const char *where;
    int n, n_out;
    bool create;
    heed_scope *scope;
    heed_tensor **lists; /* one block for all of the lists below */
    size_t bytes;
    heed_tensor **x; /* inputs passed to fn: leaves or, with create_graph, views of the caller's tensors */
    heed_tensor **g; /* the gradient */
    heed_tensor **outputs, **output_grads; /* for a pass: outputs in a graph, and their starting gradients */
    heed_tensor **results;                 /* results for the caller */
    heed_tensor *y;
} point;

/* -- A function's value -------------------------------------------------------------------------------------------- */

static heed_tensor *point_input(const point *p, heed_tensor *x, int i)
{
    if (!heed__check_tensor(p->where, x))
        return NULL;
    if (!heed_dtype_is_float(x->dtype))
        return heed_fail_null(HEED_ERR_DTYPE, p->where, "input %d is %s: must be f32 or f64", i,
                              heed_dtype_name(x->dtype));
    return p->create && x->requires_grad ? heed_reshape(x, x->shape) : heed_set_requires_grad(heed_detach(x), true);
}

static heed_tensor *point_value(const point *p, heed_function fn, void *user)
{
    heed_tensor *y = heed__call_function(p->where, fn, p->x, user);
    if (y && !heed_dtype_is_float(y->dtype))
        return heed_fail_null(HEED_ERR_DTYPE, p->where, "fn returned a tensor of %s: must be f32 or f64",
                              heed_dtype_name(y->dtype));
    return y;
}

static bool make_lists(point *p)
{
    const size_t n = (size_t)p->n;
    p->bytes = (4 * n + (size_t)p->n_out) * sizeof *p->lists;
    p->lists = heed__alloc(p->where, p->bytes);
    if (!p->lists)
        return false;
    memset(p->lists, 0, p->bytes);
    p->x = p->lists;
    p->g = p->x + n;
    p->outputs = p->g + n;
    p->output_grads = p->outputs + n;
    p->results = p->output_grads + n;
    return true;
}

/* Opens a scope and evaluates fn. Returns false after heed_fail; finish_point must be called in either case. */
static bool begin_point(point *p, heed_function fn, void *user, heed_tensor *const *inputs,
                        const heed_functional_options *o)
{
    p->create = o && o->create_graph;
    if (!make_lists(p) || !(p->scope = heed_scope_begin()))
        return false;
    (void)heed_set_grad_enabled(true);
    for (int i = 0; i < p->n; i++)
        if (!(p->x[i] = point_input(p, inputs[i], i)))
            return false;
    return (p->y = point_value(p, fn, user)) != NULL;
}

/* Returns t, detached unless create_graph is set, with a reference that outlives the scope. */
static heed_tensor *retain_result(const point *p, heed_tensor *t)
{
    return heed_retain(p->create ? t : heed_detach(t));
}

/* Closes the scope and returns all results, or none on failure. */
static heed_tensor *finish_point(point *p, bool ok, heed_tensor **out)
{
    heed_tensor *y = ok ? retain_result(p, p->y) : NULL;
    ok = y != NULL;
    for (int i = 0; p->lists && i < p->n_out; i++) {
        p->results[i] = ok ? retain_result(p, p->results[i]) : NULL;
        ok = ok && p->results[i];
    }
    if (p->scope)
        ok = heed_scope_end(p->scope) == HEED_OK && ok;
    for (int i = 0; i < p->n_out; i++) {
        heed_tensor *t = p->lists ? p->results[i] : NULL;
        out[i] = t ? heed__borrow(p->where, t) : NULL;
        ok = ok && out[i];
    }
    y = heed__borrow(p->where, y);
    for (int i = 0; i < p->n_out && !(ok && y); i++)
        out[i] = NULL;
    heed_free(p->lists, p->bytes);
    return ok ? y : NULL;
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

/* Returns false after heed_fail; then sets all of the caller's list to NULL if its length is plausible. */
static bool check_function(const point *p, heed_function fn, heed_tensor *const *inputs, heed_tensor **out)
{
    const bool counted = p->n >= 1 && p->n <= HEED_MAX_INPUTS;
    if (!counted)
        heed_fail(HEED_ERR_ARGUMENT, p->where, "%d inputs: must be 1 to %d", p->n, HEED_MAX_INPUTS);
    else if (!fn || !inputs || !out)
        heed_fail(HEED_ERR_ARGUMENT, p->where, "%s is NULL",
                  !fn       ? "fn"
                  : !inputs ? "the list of inputs"
                            : "the list of results");
    else
        return true;
    for (int i = 0; out && (counted || p->n_out == 1) && i < p->n_out; i++)
        out[i] = NULL;
    return false;
}

static bool check_one_element(const point *p)
{
    return p->y->numel == 1 || heed_fail_false(HEED_ERR_SHAPE, p->where, "fn returned shape %s: must be one element",
                                               heed_shape_text(p->y->shape).s);
}

/* Returns the vector for t: v, or 1 if v is NULL and t has one element. */
static heed_tensor *vector_for(const point *p, heed_tensor *v, const heed_tensor *t)
{
    if (!v && t->numel == 1)
        return heed_ones(t->dtype, t->shape);
    if (!v)
        return heed_fail_null(HEED_ERR_SHAPE, p->where,
                              "a vector must be given for shape %s, which does not have exactly one element",
                              heed_shape_text(t->shape).s);
    if (!heed__check_tensor(p->where, v))
        return NULL;
    if (v->dtype != t->dtype || !heed__same_shape(&v->shape, &t->shape))
        return heed_fail_null(v->dtype != t->dtype ? HEED_ERR_DTYPE : HEED_ERR_SHAPE, p->where,
                              "the vector has shape %s and dtype %s: must have shape %s and dtype %s",
                              heed_shape_text(v->shape).s, heed_dtype_name(v->dtype), heed_shape_text(t->shape).s,
                              heed_dtype_name(t->dtype));
    return v;
}

/* Sets p->output_grads to the vectors of all inputs. */
static bool vectors_for_inputs(const point *p, heed_tensor *const *vectors)
{
    if (!vectors && p->n > 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, p->where, "no vectors are given for %d inputs", p->n);
    for (int i = 0; i < p->n; i++)
        if (!(p->output_grads[i] = vector_for(p, vectors ? vectors[i] : NULL, p->x[i])))
            return false;
    return true;
}

/* -- Passes -------------------------------------------------------------------------------------------------------- */

/* dx[i] = sum over j of p->output_grads[j]^T d p->outputs[j] / d x[i]; 0 if no output depends on x[i]. */
static bool run_pass(const point *p, int n_outputs, heed_tensor *const *x, int n_x, heed_tensor **dx, bool create)
{
    int n = 0;
    for (int j = 0; j < n_outputs; j++) {
        if (!p->outputs[j]->requires_grad)
            continue;
        p->outputs[n] = p->outputs[j];
        p->output_grads[n++] = p->output_grads[j];
    }
    const heed_grad_options options = {
        .grad_outputs = p->output_grads, .create_graph = create, .retain_graph = true, .allow_unused = true};
    memset(dx, 0, (size_t)n_x * sizeof(heed_tensor *));
    if (n > 0 && heed_grad(p->outputs, n, x, n_x, dx, &options) != HEED_OK)
        return false;
    for (int i = 0; i < n_x; i++)
        if (!dx[i] && !(dx[i] = heed_zeros_like(x[i])))
            return false;
    return true;
}

/* dx[i] = v^T d y / d x[i]. */
static bool pass_from(const point *p, heed_tensor *y, heed_tensor *v, heed_tensor **dx, bool create)
{
    p->outputs[0] = y;
    p->output_grads[0] = v;
    return run_pass(p, 1, p->x, p->n, dx, create);
}

/* dx[i] = v^T d (the gradient) / d x[i], where v is p->output_grads. */
static bool pass_from_gradient(const point *p, heed_tensor *const *x, int n_x, heed_tensor **dx)
{
    memcpy(p->outputs, p->g, (size_t)p->n * sizeof(heed_tensor *));
    return run_pass(p, p->n, x, n_x, dx, p->create);
}

/* -- Jacobians ----------------------------------------------------------------------------------------------------- */

static heed_tensor *unit_vector(const heed_tensor *y, int64_t k)
{
    heed_tensor *e = heed_zeros_like(y);
    if (e && y->dtype == HEED_F32)
        ((float *)(void *)e->data)[k] = 1;
    else if (e)
        ((double *)(void *)e->data)[k] = 1;
    return e;
}

/* rows[i * m + k] = d y[k] / d x[i], owned by the caller, for the m elements of y. */
static bool make_jacobian_rows(const point *p, heed_tensor *y, heed_tensor **rows, heed_tensor **dx)
{
    bool ok = true;
    for (int64_t k = 0; k < y->numel && ok; k++) {
        const size_t mark = heed__scope_mark();
        heed_tensor *e = unit_vector(y, k);
        ok = e && pass_from(p, y, e, dx, p->create);
        for (int i = 0; i < p->n && ok; i++)
            rows[i * y->numel + k] = heed_retain(dx[i]);
        heed__scope_rewind(mark);
    }
    return ok;
}

static bool join_shapes(const char *where, const heed_shape *a, const heed_shape *b, heed_shape *joined)
{
    if (a->rank + b->rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "derivatives of shape %s by shape %s have %d axes: must be at most %d",
                               heed_shape_text(*a).s, heed_shape_text(*b).s, a->rank + b->rank, HEED_MAX_RANK);
    *joined = *a;
    for (int i = 0; i < b->rank; i++)
        joined->dims[joined->rank++] = b->dims[i];
    return true;
}

/* jacobians[i] = d y / d x[i]. */
static bool jacobian_of(const point *p, heed_tensor *y, heed_tensor **jacobians)
{
    size_t m = (size_t)y->numel, bytes;
    heed_shape shape;
    for (int i = 0; i < p->n; i++)
        if (!join_shapes(p->where, &y->shape, &p->x[i]->shape, &shape))
            return false;
    if (__builtin_mul_overflow(m, (size_t)p->n * sizeof(heed_tensor *), &bytes))
        return heed_fail_false(HEED_ERR_NOMEM, p->where, "cannot allocate %d rows for each of %zu elements", p->n, m);
    heed_tensor **rows = heed__alloc(p->where, bytes);
    if (!rows)
        return false;
    memset(rows, 0, bytes);
    bool ok = make_jacobian_rows(p, y, rows, jacobians);
    for (int i = 0; i < p->n && ok; i++) {
        ok = join_shapes(p->where, &y->shape, &p->x[i]->shape, &shape);
        jacobians[i] = m > 0 ? heed_reshape(heed_stack(rows + (size_t)i * m, (int)m, 0), shape)
                             : heed_zeros(p->x[i]->dtype, shape);
        ok = ok && jacobians[i];
    }
    for (size_t i = 0; i < m * (size_t)p->n; i++)
        heed_release(rows[i]);
    heed_free(rows, bytes);
    return ok;
}

/* -- The functions ------------------------------------------------------------------------------------------------- */

heed_tensor *heed_vjp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs, heed_tensor *v,
                      heed_tensor **products, const heed_functional_options *options)
{
    HEED_ENTER("vjp");
    point p = {.where = "vjp", .n = n_inputs, .n_out = n_inputs};
    if (!check_function(&p, fn, inputs, products))
        return NULL;
    bool ok = begin_point(&p, fn, user, inputs, options) && (v = vector_for(&p, v, p.y)) &&
              pass_from(&p, p.y, v, p.results, p.create);
    return finish_point(&p, ok, products);
}

heed_tensor *heed_jvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                      heed_tensor *const *vectors, heed_tensor **product, const heed_functional_options *options)
{
    HEED_ENTER("jvp");
    point p = {.where = "jvp", .n = n_inputs, .n_out = 1};
    heed_tensor *u = NULL; /* u^T J is linear in u: its gradient with respect to u, started with v, is J v */
    if (!check_function(&p, fn, inputs, product))
        return NULL;
    bool ok = begin_point(&p, fn, user, inputs, options) && (u = heed_set_requires_grad(heed_zeros_like(p.y), true)) &&
              pass_from(&p, p.y, u, p.g, true) && vectors_for_inputs(&p, vectors) &&
              pass_from_gradient(&p, &u, 1, p.results);
    return finish_point(&p, ok, product);
}

heed_tensor *heed_hvp(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                      heed_tensor *const *vectors, heed_tensor **products, const heed_functional_options *options)
{
    HEED_ENTER("hvp");
    point p = {.where = "hvp", .n = n_inputs, .n_out = n_inputs};
    if (!check_function(&p, fn, inputs, products))
        return NULL;
    bool ok = begin_point(&p, fn, user, inputs, options) && check_one_element(&p) &&
              pass_from(&p, p.y, NULL, p.g, true) && vectors_for_inputs(&p, vectors) &&
              pass_from_gradient(&p, p.x, p.n, p.results);
    return finish_point(&p, ok, products);
}

heed_tensor *heed_jacobian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                           heed_tensor **jacobians, const heed_functional_options *options)
{
    HEED_ENTER("jacobian");
    point p = {.where = "jacobian", .n = n_inputs, .n_out = n_inputs};
    if (!check_function(&p, fn, inputs, jacobians))
        return NULL;
    bool ok = begin_point(&p, fn, user, inputs, options) && jacobian_of(&p, p.y, p.results);
    return finish_point(&p, ok, jacobians);
}

heed_tensor *heed_hessian(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs,
                          heed_tensor **hessians, const heed_functional_options *options)
{
    HEED_ENTER("hessian");
    point p = {.where = "hessian", .n = n_inputs};
    if (__builtin_mul_overflow(n_inputs, n_inputs, &p.n_out))
        return heed_fail_null(HEED_ERR_ARGUMENT, "hessian", "%d inputs: too many pairs of inputs", n_inputs);
    if (!check_function(&p, fn, inputs, hessians))
        return NULL;
    bool ok =
        begin_point(&p, fn, user, inputs, options) && check_one_element(&p) && pass_from(&p, p.y, NULL, p.g, true);
    for (int i = 0; i < n_inputs && ok; i++)
        ok = jacobian_of(&p, p.g[i], p.results + i * n_inputs);
    return finish_point(&p, ok, hessians);
}
