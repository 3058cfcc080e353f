/* optim/optimizer.c - the optimizer base: parameters, gradients, learning rate. */

#include "optim/optimizer.h"

#include <limits.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

/* -- Making and freeing ------------------------------------------------------------------------------------- */

bool heed__optimizer_check(const heed_optimizer_kind *kind, const char *name, double value)
{
    if (isfinite(value) && value >= 0.0)
        return true;
    heed_fail(HEED_ERR_ARGUMENT, kind->name, "%s is %g: wants 0 or more", name, value);
    return false;
}

static bool contains(heed_tensor *const *list, int n, const heed_tensor *t)
{
    for (int i = 0; i < n; i++)
        if (list[i] == t)
            return true;
    return false;
}

static bool check_parameter(const heed_optimizer *o, const heed_tensor *t)
{
    if (!t)
        heed_fail(HEED_ERR_ARGUMENT, o->kind->name, "parameter %d is NULL", o->n);
    else if (!heed_is_leaf(t) || !heed_requires_grad(t))
        heed_fail(HEED_ERR_STATE, o->kind->name, "parameter %d is no leaf that requires a gradient", o->n);
    else if (!heed_is_contiguous(t))
        heed_fail(HEED_ERR_UNSUPPORTED, o->kind->name, "parameter %d is not contiguous", o->n);
    else
        return true;
    return false;
}

/* Room for `capacity` parameters, none there yet. */
static heed_optimizer *optimizer_new(const heed_optimizer_kind *kind, int64_t capacity, double lr)
{
    if (!heed__optimizer_check(kind, "lr", lr))
        return NULL;
    if (lr == 0.0 || capacity < 1 || capacity > INT_MAX) {
        heed_fail(HEED_ERR_ARGUMENT, kind->name, "lr %g, %lld parameters: wants more than 0 of each", lr,
                  (long long)capacity);
        return NULL;
    }
    heed_optimizer *o = heed_calloc(1, kind->size);
    if (!o)
        return NULL;
    o->kind = kind;
    o->lr = lr;
    o->capacity = (int)capacity;
    o->parameters = heed_calloc((size_t)capacity, sizeof(heed_tensor *));
    o->grads = heed_calloc((size_t)capacity, sizeof(heed_tensor *));
    if (!o->parameters || !o->grads) {
        heed_optimizer_free(o);
        return NULL;
    }
    return o;
}

/* Parameters tied under several names are updated once. */
static heed_status add_parameter(const heed_module_visit *visit, void *user)
{
    heed_optimizer *o = user;
    if (visit->is_buffer || contains(o->parameters, o->n, visit->tensor))
        return HEED_OK;
    if (!check_parameter(o, visit->tensor))
        return heed_error_code();
    o->parameters[o->n++] = heed_retain(visit->tensor);
    return HEED_OK;
}

heed_optimizer *heed__optimizer_of_module(const heed_optimizer_kind *kind, heed_module *module, double lr)
{
    if (!module) {
        heed_fail(HEED_ERR_ARGUMENT, kind->name, "the module is NULL");
        return NULL;
    }
    heed_optimizer *o = optimizer_new(kind, heed_module_parameter_count(module), lr);
    if (o && heed_module_walk(module, add_parameter, o) != HEED_OK) {
        heed_optimizer_free(o);
        return NULL;
    }
    return o;
}

heed_optimizer *heed__optimizer_of_tensors(const heed_optimizer_kind *kind, heed_tensor *const *parameters, int n,
                                           double lr)
{
    if (!parameters) {
        heed_fail(HEED_ERR_ARGUMENT, kind->name, "the list of parameters is NULL");
        return NULL;
    }
    heed_optimizer *o = optimizer_new(kind, n, lr);
    if (!o)
        return NULL;
    for (int i = 0; i < n; i++) {
        if (contains(parameters, i, parameters[i]))
            heed_fail(HEED_ERR_ARGUMENT, kind->name, "parameter %d is given twice", i);
        if (contains(parameters, i, parameters[i]) || !check_parameter(o, parameters[i])) {
            heed_optimizer_free(o);
            return NULL;
        }
        o->parameters[o->n++] = heed_retain(parameters[i]);
    }
    return o;
}

void heed_optimizer_free(heed_optimizer *o)
{
    if (!o)
        return;
    if (o->kind->free_state)
        o->kind->free_state(o);
    for (int i = 0; i < o->n; i++)
        heed_release(o->parameters[i]);
    heed_free(o->parameters, (size_t)o->capacity * sizeof(heed_tensor *));
    heed_free(o->grads, (size_t)o->capacity * sizeof(heed_tensor *));
    heed_free(o, o->kind->size);
}

/* -- Stepping ----------------------------------------------------------------------------------------------- */

static heed_status gather_grads(heed_optimizer *o)
{
    for (int i = 0; i < o->n; i++) {
        bool has_grad = heed_has_grad(o->parameters[i]);
        o->grads[i] = has_grad ? heed_contiguous(heed_grad_of(o->parameters[i])) : NULL;
        if (has_grad && !o->grads[i])
            return heed_error_code();
    }
    return HEED_OK;
}

heed_status heed_optimizer_step(heed_optimizer *o)
{
    if (!o)
        return heed_fail(HEED_ERR_ARGUMENT, "optimizer_step", "the optimizer is NULL");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = gather_grads(o);
    if (status == HEED_OK)
        status = o->kind->step(o);
    heed_scope_end(scope);
    return status;
}

heed_status heed__optimizer_grow_state(heed_optimizer *o, heed_tensor **state)
{
    for (int i = 0; i < o->n; i++) {
        if (state[i] || !o->grads[i])
            continue;
        state[i] = heed_retain(heed_zeros(heed_dtype_of(o->parameters[i]), heed_shape_of(o->parameters[i])));
        if (!state[i])
            return heed_error_code();
    }
    return HEED_OK;
}

heed_status heed_optimizer_zero_grad(heed_optimizer *o)
{
    if (!o)
        return heed_fail(HEED_ERR_ARGUMENT, "optimizer_zero_grad", "the optimizer is NULL");
    for (int i = 0; i < o->n; i++) {
        heed_status status = heed_set_grad(o->parameters[i], NULL);
        if (status != HEED_OK)
            return status;
    }
    return HEED_OK;
}

/* -- Learning rate ------------------------------------------------------------------------------------------ */

double heed_optimizer_lr(const heed_optimizer *o)
{
    if (o)
        return o->lr;
    heed_fail(HEED_ERR_ARGUMENT, "optimizer_lr", "the optimizer is NULL");
    return (double)NAN;
}

heed_status heed_optimizer_set_lr(heed_optimizer *o, double lr)
{
    if (!o)
        return heed_fail(HEED_ERR_ARGUMENT, "optimizer_set_lr", "the optimizer is NULL");
    if (!heed__optimizer_check(o->kind, "lr", lr))
        return HEED_ERR_ARGUMENT;
    o->lr = lr;
    return HEED_OK;
}
