/* optim/optimizer.c - the base of all optimizers: groups of parameters, their gradients, buffers and rates. */

#include "optim/optimizer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/observe.h>
#include <heed/ops.h>

#include "base/mark.h"
#include "optim/partial.h"
#include "optim/schedule.h"

HEED_MARK_OUTLIVES_FREE(heed_optimizer);

/* -- Checks ------------------------------------------------------------------------------------------------- */

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
    return !o->evaluating ||
           heed_fail_false(HEED_ERR_STATE, where, "must not be called from the closure of the optimizer's own step");
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

static bool check_parameter(const heed_optimizer *o, const char *where, int i, const heed_tensor *t)
{
    if (!heed_is_leaf(t) || !heed_requires_grad(t))
        heed_fail(HEED_ERR_STATE, where, "parameter %d must be a leaf that requires a gradient", i);
    else if (!heed_is_contiguous(t))
        heed_fail(HEED_ERR_UNSUPPORTED, where, "parameter %d must be contiguous", i);
    else if (heed__parameters_contain(&o->parameters, t))
        heed_fail(HEED_ERR_ARGUMENT, where, "parameter %d is already in a group", i);
    else
        return !o->kind->accepts || o->kind->accepts(where, i, t);
    return false;
}

static bool check_parameters(const heed_optimizer *o, const char *where, const heed__parameter_list *list)
{
    if (list->n == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "no parameter requires a gradient: at least one must");
    for (int i = 0; i < list->n; i++)
        if (!check_parameter(o, where, i, list->items[i]))
            return false;
    return true;
}

/* -- Creating and freeing ----------------------------------------------------------------------------------- */

static size_t group_size(int n)
{
    return sizeof(heed__group) + (size_t)n * sizeof(heed__slot);
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
static bool find_rate(const heed_optimizer *o, const char *where, double base, double *lr)
{
    const heed_schedule *s = o->schedule;
    *lr = s && !s->plateau ? heed__schedule_rate(s, base, s->t) : base;
    return isfinite(*lr) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "the schedule makes the learning rate of the group %g: must be finite", *lr);
}

static bool add_group(heed_optimizer *o, const char *where, const heed__parameter_list *list,
                      const heed__group_settings *settings)
{
    if (o->partial)
        return heed_fail_false(HEED_ERR_STATE, where, "the optimizer's state is spread over processes");
    double lr;
    if (!find_rate(o, where, settings->lr, &lr) || !check_parameters(o, where, list) ||
        !heed__parameters_reserve(&o->parameters, where, list->n) || !reserve_group(o))
        return false;
    heed__group *group = heed_calloc(1, group_size(list->n));
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

static heed_optimizer *optimizer_new(const heed__optimizer_kind *kind, const char *where,
                                     const heed__parameter_list *list, const heed__group_settings *settings)
{
    heed_optimizer *o = heed_calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->mark = HEED_MARK(HEED_OPTIMIZER, 0);
    o->kind = kind;
    if (add_group(o, where, list, settings) && (!kind->begin || kind->begin(o)))
        return o;
    heed_optimizer_free(o);
    return NULL;
}

heed_optimizer *heed__optimizer_of_module(const heed__optimizer_kind *kind, heed_module *module, const void *options)
{
    HEED_ENTER(kind->name);
    heed__group_settings settings;
    heed__parameter_list list = {0};
    heed_optimizer *o = NULL;
    if (kind->read(kind->name, options, &settings) &&
        heed__parameters_of_module(&list, kind->name, module, true) == HEED_OK)
        o = optimizer_new(kind, kind->name, &list, &settings);
    heed__parameters_free(&list);
    return o;
}

heed_optimizer *heed__optimizer_of_tensors(const heed__optimizer_kind *kind, heed_tensor *const *parameters, int n,
                                           const void *options)
{
    HEED_ENTER(kind->tensors_name);
    heed__group_settings settings;
    heed__parameter_list list = {0};
    heed_optimizer *o = NULL;
    if (kind->read(kind->tensors_name, options, &settings) &&
        heed__parameters_of_tensors(&list, kind->tensors_name, parameters, n) == HEED_OK)
        o = optimizer_new(kind, kind->tensors_name, &list, &settings);
    heed__parameters_free(&list);
    return o;
}

heed_status heed__optimizer_add_group(heed_optimizer *o, const heed__optimizer_kind *kind,
                                      heed_tensor *const *parameters, int n, const void *options)
{
    HEED_ENTER(kind->add_name);
    heed__group_settings settings;
    if (!kind->read(kind->add_name, options, &settings))
        return HEED_ERR_ARGUMENT;
    if (!heed__optimizer_check_idle(kind->add_name, o))
        return heed_error_code();
    if (o->kind != kind)
        return heed_fail(HEED_ERR_ARGUMENT, kind->add_name, "the optimizer was created by heed_%s: must be heed_%s",
                         o->kind->name, kind->name);
    heed__parameter_list list = {0};
    heed_status status = heed__parameters_of_tensors(&list, kind->add_name, parameters, n);
    if (status == HEED_OK && !add_group(o, kind->add_name, &list, &settings))
        status = heed_error_code();
    heed__parameters_free(&list);
    return status;
}

static void free_group(heed__group *group)
{
    for (int i = 0; i < group->n; i++) {
        heed_release(group->slots[i].parameter);
        for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++)
            heed_release(group->slots[i].buffer[k]);
    }
    heed_free(group, group_size(group->n));
}

void heed_optimizer_free(heed_optimizer *o)
{
    if (!o || !heed__optimizer_check_idle("optimizer_free", o))
        return;
    if (o->schedule)
        o->schedule->optimizer = NULL;
    if (o->kind->end)
        o->kind->end(o);
    for (int i = 0; i < o->n_groups; i++)
        free_group(o->groups[i]);
    heed_free(o->groups, (size_t)o->capacity * sizeof(heed__group *));
    heed__parameters_free(&o->parameters);
    o->mark = 0;
    heed_free(o, sizeof *o);
}

/* -- Stepping ----------------------------------------------------------------------------------------------- */

/* Sets the slot's target, gradient, buffers and direction for an update, so that the update cannot fail. Leaves
 * slot->grad NULL if the parameter has no gradient. Copies a gradient that shares the parameter's memory, because the
 * update would overwrite it. */
static heed_status prepare(const heed_optimizer *o, const heed__group *group, heed__slot *slot)
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
    slot->direction = o->kind->direct ? o->kind->direct(group, slot) : NULL;
    return slot->direction || !o->kind->direct ? HEED_OK : heed_error_code();
}

static heed_status prepare_all(heed_optimizer *o)
{
    for (int i = 0; i < o->n_groups; i++)
        for (int k = 0; k < o->groups[i]->n; k++) {
            heed_status status = prepare(o, o->groups[i], &o->groups[i]->slots[k]);
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
    if (!o->kind->update)
        return heed_fail(HEED_ERR_STATE, "optimizer_step",
                         "heed_%s evaluates the loss itself: use heed_optimizer_step_closure", o->kind->name);
    return heed__optimizer_update(o);
}

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

/* -- Learning rates ----------------------------------------------------------------------------------------- */

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

double heed_optimizer_lr(const heed_optimizer *o)
{
    const heed__group *group = group_of(o, "optimizer_lr", 0);
    return group ? group->lr : (double)NAN;
}

double heed_optimizer_group_lr(const heed_optimizer *o, int group)
{
    const heed__group *found = group_of(o, "optimizer_group_lr", group);
    return found ? found->lr : (double)NAN;
}

static void set_lr(heed__group *group, double lr)
{
    group->settings.lr = lr;
    group->lr = lr;
}

heed_status heed_optimizer_set_lr(heed_optimizer *o, double lr)
{
    if (!heed__optimizer_check("optimizer_set_lr", o))
        return heed_error_code();
    if (!heed__optim_check("optimizer_set_lr", "lr", lr))
        return HEED_ERR_ARGUMENT;
    for (int i = 0; i < o->n_groups; i++)
        set_lr(o->groups[i], lr);
    return HEED_OK;
}

heed_status heed_optimizer_set_group_lr(heed_optimizer *o, int group, double lr)
{
    heed__group *found = group_of(o, "optimizer_set_group_lr", group);
    if (!found)
        return heed_error_code();
    if (!heed__optim_check("optimizer_set_group_lr", "lr", lr))
        return HEED_ERR_ARGUMENT;
    set_lr(found, lr);
    return HEED_OK;
}
