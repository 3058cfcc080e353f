/* optim/optimizer.c - the base of all optimizers: groups of parameters, their gradients, buffers and rates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/observe.h>
#include <heed/ops.h>

#include "base/mark.h"
#include "optim/lbfgs.h"
#include "optim/schedule.h"

HEED_MARK_OUTLIVES_FREE(heed_optimizer);

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__optimizer_check(const char *where, const heed_optimizer *o)
{
    if (!o)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the optimizer is NULL");
    return heed__is_marked(o->mark, HEED_OPTIMIZER) || heed_fail_freed(where, "the optimizer", o);
}

bool heed__optimizer_check_idle(const char *where, const heed_optimizer *o)
{
    if (!heed__optimizer_check(where, o))
        return false;
    return (!o->evaluating && !o->scheduling) ||
           heed_fail_false(HEED_ERR_STATE, where, "must not be called from the %s of the optimizer's %s",
                           o->evaluating ? "closure" : "function", o->evaluating ? "own step" : "schedule");
}

bool heed__optim_check(const char *where, const char *name, double value)
{
    if (isfinite(value) && value >= 0.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be finite and 0 or more", name, value);
}

bool heed__optim_check_weight(const char *where, const char *name, double value)
{
    if (value >= 0.0 && value < 1.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be in [0, 1)", name, value);
}

bool heed__optim_check_positive(const char *where, const char *name, double value)
{
    if (isfinite(value) && value > 0.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be finite and above 0", name, value);
}

/* A call that adds a group. */
typedef struct group_call {
    const heed_optimizer *optimizer;
    const char *where;
} group_call;

/* Fails if a parameter that would be added is in a group already. */
static heed_status check_new(const heed_module_visit *visit, void *user)
{
    const group_call *call = user;
    if (visit->is_buffer || !heed_requires_grad(visit->tensor) ||
        !heed__parameters_contain(&call->optimizer->parameters, visit->tensor))
        return HEED_OK;
    return heed_fail(HEED_ERR_ARGUMENT, call->where, "\"%s\" is already in a group", visit->name);
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static size_t group_size(int n)
{
    return sizeof(heed__group) + (size_t)n * sizeof(heed__slot);
}

heed__group *heed__group_new(int n)
{
    return heed_calloc(1, group_size(n));
}

void heed__group_free(heed__group *group, int n)
{
    heed_free(group, group_size(n));
}

static bool reserve_group(heed_optimizer *o)
{
    if (o->n_groups < o->capacity)
        return true;
    int capacity = 2 * o->capacity + 1;
    heed__group **groups = heed_calloc((size_t)capacity, sizeof(heed__group *));
    if (!groups)
        return false;
    if (o->n_groups > 0)
        memcpy(groups, o->groups, (size_t)o->n_groups * sizeof(heed__group *));
    heed_free(o->groups, (size_t)o->capacity * sizeof(heed__group *));
    o->groups = groups;
    o->capacity = capacity;
    return true;
}

/* Sets *lr to the rate of a new group: its own rate or, with a schedule, the schedule's rate at its current step. With
 * a plateau schedule, whose rate does not follow from the step, it is the group's own rate. Returns false after
 * heed_fail. */
bool heed__optimizer_find_rate(heed_optimizer *o, const char *where, double base, double *lr)
{
    const heed_schedule *s = o->schedule;
    *lr = base;
    return !s || s->plateau || heed__schedule_group_rate(s, o, base, s->t, lr) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "the schedule makes the learning rate of the group %g: must be finite and 0 or more", *lr);
}

static bool add_listed(heed_optimizer *o, const char *where, const heed__parameter_list *list,
                       const heed__group_settings *settings)
{
    double lr;
    if (o->partial)
        return heed_fail_false(HEED_ERR_STATE, where, "the optimizer's state is spread over processes");
    if (list->n == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "no parameter requires a gradient: at least one must");
    if (!heed__optimizer_find_rate(o, where, settings->lr, &lr) ||
        !heed__parameters_reserve(&o->parameters, where, list->n) || !reserve_group(o))
        return false;
    heed__group *group = heed__group_new(list->n);
    if (!group)
        return false;
    group->settings = *settings;
    group->lr = lr;
    group->n = list->n;
    for (int i = 0; i < list->n; i++) {
        group->slots[i].parameter = heed_retain(list->items[i]);
        heed__parameters_push(&o->parameters, list->items[i]);
    }
    o->groups[o->n_groups++] = group;
    return true;
}

static bool add_group(heed_optimizer *o, const heed__optimizer_kind *kind, const char *where, heed_module *module,
                      const heed__group_settings *settings)
{
    heed__parameter_list list = {0};
    bool done = heed__parameters_of_module(&list, where, module, true) == HEED_OK;
    if (done && o->kind != kind)
        done = heed_fail_false(HEED_ERR_ARGUMENT, where, "the optimizer was created by heed_%s: must be heed_%s",
                               o->kind->name, kind->name);
    done = done && heed_module_walk(module, check_new, &(group_call){o, where}) == HEED_OK &&
           add_listed(o, where, &list, settings);
    heed__parameters_free(&list);
    return done;
}

heed_optimizer *heed__optimizer_new(const heed__optimizer_kind *kind, heed_module *module, const void *options)
{
    HEED_ENTER(kind->name);
    heed__group_settings settings;
    heed_optimizer *o = kind->read(kind->name, options, &settings) ? heed_calloc(1, sizeof *o) : NULL;
    if (!o)
        return NULL;
    o->mark = HEED_MARK(HEED_OPTIMIZER, 0);
    o->kind = kind;
    if (add_group(o, kind, kind->name, module, &settings))
        return o;
    heed_optimizer_free(o);
    return NULL;
}

heed_status heed__optimizer_add_group(heed_optimizer *o, const heed__optimizer_kind *kind, heed_module *module,
                                      const void *options)
{
    HEED_ENTER(kind->add_name);
    heed__group_settings settings;
    if (!kind->read(kind->add_name, options, &settings))
        return HEED_ERR_ARGUMENT;
    if (!heed__optimizer_check_idle(kind->add_name, o) || !add_group(o, kind, kind->add_name, module, &settings))
        return heed_error_code();
    return HEED_OK;
}

static void free_group(heed__group *group)
{
    for (int i = 0; i < group->n; i++) {
        heed_release(group->slots[i].parameter);
        for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++)
            heed_release(group->slots[i].buffer[k]);
    }
    heed__group_free(group, group->n);
}

void heed_optimizer_free(heed_optimizer *o)
{
    if (!o || !heed__optimizer_check_idle("optimizer_free", o))
        return;
    if (o->schedule)
        o->schedule->optimizer = NULL;
    heed__lbfgs_free(o->lbfgs);
    for (int i = 0; i < o->n_groups; i++)
        free_group(o->groups[i]);
    heed_free(o->groups, (size_t)o->capacity * sizeof(heed__group *));
    heed__parameters_free(&o->parameters);
    o->mark = 0;
    heed_free(o, sizeof *o);
}

/* -- Stepping ------------------------------------------------------------------------------------------------------ */

/* Sets the slot's target, gradient, buffers and direction for an update, so that the update cannot fail. Leaves
 * slot->grad NULL if the parameter has no gradient. Copies a gradient that shares the parameter's memory, because the
 * update would overwrite it. */
static heed_status prepare_slot(const heed_optimizer *o, const heed__group *group, heed__slot *slot)
{
    heed_tensor *p = slot->parameter;
    slot->grad = NULL;
    slot->target = heed__slot_slice(o, slot, p);
    if (!slot->target)
        return heed_error_code();
    if (!heed_has_grad(p))
        return HEED_OK;
    if (slot->updates >= HEED_OPTIMIZER_UPDATES)
        return heed_fail(HEED_ERR_STATE, "optimizer_step",
                         "the maximum of %" PRId64 " updates per parameter is reached", slot->updates);
    heed_tensor *grad = heed_contiguous(heed_grad_of(p));
    if (grad && heed_shares_storage(grad, p))
        grad = heed_clone(grad);
    grad = grad ? heed__slot_slice(o, slot, grad) : NULL;
    if (!grad)
        return heed_error_code();
    for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++) {
        if (!heed__has_buffer(group, k))
            continue;
        if (!slot->buffer[k])
            slot->buffer[k] =
                heed_retain(heed_full(heed_dtype_of(p), heed_shape_of(slot->target), group->settings.fill));
        if (!slot->buffer[k])
            return heed_error_code();
        heed_debug_set_owner(slot->buffer[k], NULL, "an optimizer's state");
    }
    slot->grad = grad;
    slot->direction = o->kind->direction ? o->kind->direction(group, slot) : NULL;
    return slot->direction || !o->kind->direction ? HEED_OK : heed_error_code();
}

static heed_status prepare_all(heed_optimizer *o)
{
    for (int i = 0; i < o->n_groups; i++)
        for (int k = 0; k < o->groups[i]->n; k++) {
            heed_status status = prepare_slot(o, o->groups[i], &o->groups[i]->slots[k]);
            if (status != HEED_OK)
                return status;
        }
    return HEED_OK;
}

static void update_group(const heed__optimizer_kind *kind, heed__group *group)
{
    for (int i = 0; i < group->n; i++) {
        heed__slot *slot = &group->slots[i];
        if (!slot->grad)
            continue;
        slot->updates++;
        kind->update(group, slot);
    }
}

heed_status heed__optimizer_update(heed_optimizer *o)
{
    HEED_SPAN("optimizer_step");
    if (!heed__optimizer_check_idle("optimizer_step", o))
        return heed_error_code();
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = prepare_all(o);
    for (int i = 0; status == HEED_OK && i < o->n_groups; i++)
        update_group(o->kind, o->groups[i]);
    heed_scope_end(scope);
    return status;
}

heed_status heed_optimizer_step(heed_optimizer *o)
{
    HEED_ENTER("optimizer_step");
    if (!heed__optimizer_check("optimizer_step", o))
        return heed_error_code();
    if (o->partial)
        return heed_fail(HEED_ERR_STATE, "optimizer_step",
                         "this process holds only a part of the state: use heed_data_parallel_step");
    if (o->lbfgs)
        return heed_fail(HEED_ERR_STATE, "optimizer_step",
                         "heed_%s evaluates the loss itself: use heed_optimizer_step_closure", o->kind->name);
    return heed__optimizer_update(o);
}

/* -- Steps that evaluate the loss themselves ----------------------------------------------------------------------- */

static const char where_closure[] = "optimizer_step_closure";

bool heed__optimizer_evaluate(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    if (heed_optimizer_zero_grad(o) != HEED_OK)
        return false;
    heed_callback call = heed_callback_begin("the closure of optimizer_step_closure");
    (void)heed_set_grad_enabled(true);
    o->evaluating = true;
    heed_tensor *value = closure(user);
    const bool done = value && heed_backward(value) == HEED_OK;
    o->evaluating = false;
    if (!heed_callback_end(&call))
        return false;
    if (!done)
        return heed_fail_false(HEED_ERR_STATE, where_closure, "the closure returned NULL without an error");
    *loss = heed_item(value);
    return true;
}

/* The closure step of all optimizers except L-BFGS: evaluates the loss and its gradients, then updates. */
static heed_status step_once(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    heed_scope *scope = heed_scope_begin();
    const bool done = scope && heed__optimizer_evaluate(o, closure, user, loss);
    if (scope && heed_scope_end(scope) != HEED_OK)
        return heed_error_code();
    return done ? heed__optimizer_update(o) : heed_error_code();
}

heed_status heed_optimizer_step_closure(heed_optimizer *o, heed_closure closure, void *user, double *loss)
{
    HEED_ENTER(where_closure);
    double value = (double)NAN;
    if (!heed__optimizer_check_idle(where_closure, o))
        return heed_error_code();
    if (!closure)
        return heed_fail(HEED_ERR_ARGUMENT, where_closure, "the closure is NULL");
    if (o->partial)
        return heed_fail(HEED_ERR_STATE, where_closure,
                         "this process holds only a part of the state: use heed_data_parallel_step");
    const heed_status status = (o->lbfgs ? heed__lbfgs_step : step_once)(o, closure, user, &value);
    if (status == HEED_OK && loss)
        *loss = value;
    return status;
}

/* -- Parameters ---------------------------------------------------------------------------------------------------- */

heed_status heed_optimizer_zero_grad(heed_optimizer *o)
{
    if (!heed__optimizer_check("optimizer_zero_grad", o))
        return heed_error_code();
    for (int i = 0; i < o->parameters.n; i++) {
        heed_status status = heed_set_grad(o->parameters.items[i], NULL);
        if (status != HEED_OK)
            return status;
    }
    return HEED_OK;
}

int heed_optimizer_parameter_count(const heed_optimizer *o)
{
    return heed__optimizer_check("optimizer_parameter_count", o) ? o->parameters.n : 0;
}

heed_tensor *heed_optimizer_parameter(const heed_optimizer *o, int i)
{
    const char *where = "optimizer_parameter";
    if (!heed__optimizer_check(where, o))
        return NULL;
    if (i < 0 || i >= o->parameters.n)
        return heed_fail_null(HEED_ERR_INDEX, where, "index %d is outside the optimizer's %d parameters", i,
                              o->parameters.n);
    return o->parameters.items[i];
}

/* -- Learning rates ------------------------------------------------------------------------------------------------ */

/* Returns the group, or NULL after heed_fail if it does not exist. */
static heed__group *group_of(const heed_optimizer *o, const char *where, int group)
{
    if (!heed__optimizer_check(where, o))
        return NULL;
    if (group < 0 || group >= o->n_groups)
        heed_fail(HEED_ERR_INDEX, where, "group %d is outside the optimizer's %d groups", group, o->n_groups);
    else
        return o->groups[group];
    return NULL;
}

int heed_optimizer_groups(const heed_optimizer *o)
{
    return heed__optimizer_check("optimizer_groups", o) ? o->n_groups : 0;
}

double heed_optimizer_lr(const heed_optimizer *o, int group)
{
    const heed__group *found = group_of(o, "optimizer_lr", group);
    return found ? found->lr : (double)NAN;
}

heed_status heed_optimizer_set_lr(heed_optimizer *o, int group, double lr)
{
    heed__group *found = group_of(o, "optimizer_set_lr", group);
    if (!found)
        return heed_error_code();
    if (!heed__optim_check("optimizer_set_lr", "lr", lr))
        return HEED_ERR_ARGUMENT;
    found->settings.lr = lr;
    found->lr = lr;
    return HEED_OK;
}
