/* optim/optimizer_state.c - saves the state of an optimizer to a dict and loads it; heed/optim.h lists the names.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "optim/lbfgs.h"
#include "optim/schedule.h"

typedef struct entry_name {
    char s[64];
} entry_name;

/* Returns a name such as "7.exp_avg". */
static entry_name entry_name_of(int number, const char *what)
{
    entry_name name;
    (void)snprintf(name.s, sizeof name.s, "%d.%s", number, what);
    return name;
}

bool heed__state_put(heed_dict *dict, const char *name, heed_tensor *t)
{
    return t && heed_dict_set(dict, name, t) == HEED_OK;
}

bool heed__state_put_count(heed_dict *dict, const char *name, int64_t count)
{
    return heed__state_put(dict, name, heed_from_array(HEED_I64, HEED_SCALAR, &count, 1));
}

/* -- Saving ------------------------------------------------------------------------------------------------------- */

static bool put_rates(heed_dict *dict, const heed_optimizer *o)
{
    heed_tensor *lr = heed_empty(HEED_F64, HEED_SHAPE(o->n_groups));
    heed_tensor *initial = heed_empty(HEED_F64, HEED_SHAPE(o->n_groups));
    if (!lr || !initial)
        return false;
    for (int i = 0; i < o->n_groups; i++) {
        heed_mutable_f64(lr)[i] = o->groups[i]->lr;
        heed_mutable_f64(initial)[i] = o->groups[i]->settings.lr;
    }
    return heed__state_put(dict, "lr", lr) && heed__state_put(dict, "initial_lr", initial);
}

static bool put_schedule(heed_dict *dict, const heed_schedule *s)
{
    if (!heed__state_put_count(dict, "schedule", s->t))
        return false;
    const heed__plateau *p = s->plateau;
    return !p || (heed__state_put(dict, "schedule.best", heed_from_array(HEED_F64, HEED_SCALAR, &p->best, 1)) &&
                  heed__state_put_count(dict, "schedule.bad", p->bad_metrics) &&
                  heed__state_put_count(dict, "schedule.rest", p->cooldown_left));
}

/* Adds the state of parameter `number`. With `fresh`, adds uninitialised buffers instead, of the parameter's full shape
 * even if the optimizer updates only a range of it. */
static bool put_slot(heed_dict *dict, const heed_optimizer *o, const heed__group *group, int number,
                     const heed__slot *slot, bool fresh)
{
    if (!heed__state_put_count(dict, entry_name_of(number, "step").s, slot->updates))
        return false;
    heed_tensor *p = slot->parameter;
    for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++) {
        if (!heed__has_buffer(group, k))
            continue;
        heed_tensor *buffer = fresh ? heed_empty(heed_dtype_of(p), heed_shape_of(p)) : slot->buffer[k];
        if (!heed__state_put(dict, entry_name_of(number, o->kind->buffer_name[k]).s, buffer))
            return false;
    }
    return true;
}

/* Fills `dict` with the optimizer's state. If `like` is not NULL, `dict` gets the parameters that have state in `like`,
 * with uninitialised buffers, so that `like` can be loaded into it. */
static bool put_optimizer(heed_dict *dict, const heed_optimizer *o, const heed_dict *like)
{
    if (!put_rates(dict, o) || (o->schedule && !put_schedule(dict, o->schedule)))
        return false;
    for (int i = 0, number = 0; i < o->n_groups; i++)
        for (int k = 0; k < o->groups[i]->n; k++, number++) {
            const heed__slot *slot = &o->groups[i]->slots[k];
            bool requested = like ? heed_dict_has(like, entry_name_of(number, "step").s) : slot->updates > 0;
            if (requested && !put_slot(dict, o, o->groups[i], number, slot, like != NULL))
                return false;
        }
    return true;
}

static heed_dict *dict_of(const heed_optimizer *o, const heed_dict *like)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_dict *dict = scope ? heed_dict_new() : NULL;
    if (dict && !(put_optimizer(dict, o, like) && (!o->lbfgs || heed__lbfgs_put(dict, o, like)) &&
                  heed_dict_set_text(dict, "kind", o->kind->state_name) == HEED_OK)) {
        heed_dict_free(dict);
        dict = NULL;
    }
    if (scope)
        heed_scope_end(scope);
    return dict;
}

heed_dict *heed_optimizer_state(const heed_optimizer *o)
{
    HEED_ENTER("optimizer_state");
    if (!heed__optimizer_check("optimizer_state", o))
        return NULL;
    if (o->partial)
        return heed_fail_null(HEED_ERR_STATE, "optimizer_state",
                              "this process holds only a part of the state: use heed_data_parallel_save");
    return dict_of(o, NULL);
}

/* -- Loading ------------------------------------------------------------------------------------------------------ */

static const char where[] = "optimizer_load_state";

static bool strip_texts(heed_dict *to, const heed_dict *state, const char *prefix, size_t length)
{
    for (int64_t i = 0; i < heed_dict_text_count(state); i++) {
        const char *key = heed_dict_text_key(state, i);
        if (strncmp(key, prefix, length) == 0 && key[length] &&
            heed_dict_set_text(to, key + length, heed_dict_text(state, key)) != HEED_OK)
            return false;
    }
    return true;
}

/* Returns a dict of the entries whose names begin with the prefix; their names there lack the prefix. */
static heed_dict *without_prefix(const heed_dict *state, const char *prefix)
{
    size_t length = strlen(prefix);
    heed_dict *stripped = heed_dict_new();
    bool done = stripped && strip_texts(stripped, state, prefix, length);
    for (int64_t i = 0; done && i < heed_dict_size(state); i++) {
        const char *name = heed_dict_name(state, i);
        if (strncmp(name, prefix, length) == 0)
            done = heed_dict_set(stripped, name + length, heed_dict_at(state, i)) == HEED_OK;
    }
    if (done)
        return stripped;
    heed_dict_free(stripped);
    return NULL;
}

static bool check_saved_kind(const heed_optimizer *o, const heed_dict *state)
{
    const char *kind = heed_dict_text(state, "kind");
    if (kind && strcmp(kind, o->kind->state_name) == 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "kind is %.40s: must be %s", kind ? kind : "missing",
                           o->kind->state_name);
}

static bool check_saved_count(const heed_dict *draft, const char *name, int64_t minimum, int64_t maximum)
{
    int64_t count = heed_item_i64(heed_dict_get(draft, name));
    if (count >= minimum && count <= maximum)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be %" PRId64 " to %" PRId64, name, count,
                           minimum, maximum);
}

static bool check_saved_schedule(const heed_schedule *s, const heed_dict *draft)
{
    if (!check_saved_count(draft, "schedule", 0, INT64_MAX))
        return false;
    if (!s->plateau)
        return true;
    if (isnan(heed_item(heed_dict_get(draft, "schedule.best"))))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "schedule.best is NaN: must be a number");
    return check_saved_count(draft, "schedule.bad", 0, INT64_MAX - 1) &&
           check_saved_count(draft, "schedule.rest", 0, INT64_MAX);
}

static bool check_saved_numbers(const heed_optimizer *o, const heed_dict *draft)
{
    for (int i = 0; i < o->n_groups; i++)
        if (!heed__optim_check(where, "lr", heed_data_f64(heed_dict_get(draft, "lr"))[i]) ||
            !heed__optim_check(where, "initial_lr", heed_data_f64(heed_dict_get(draft, "initial_lr"))[i]))
            return false;
    for (int number = 0; number < o->parameters.n; number++) {
        entry_name step = entry_name_of(number, "step");
        if (heed_dict_has(draft, step.s) && !check_saved_count(draft, step.s, 1, HEED_OPTIMIZER_UPDATES))
            return false;
    }
    return (!o->schedule || check_saved_schedule(o->schedule, draft)) && (!o->lbfgs || heed__lbfgs_check(draft));
}

static void install_slot(const heed_optimizer *o, const heed__group *group, int number, heed__slot *slot,
                         const heed_dict *draft)
{
    entry_name step = entry_name_of(number, "step");
    bool saved = heed_dict_has(draft, step.s);
    slot->updates = saved ? heed_item_i64(heed_dict_get(draft, step.s)) : 0;
    for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++) {
        if (!heed__has_buffer(group, k))
            continue;
        heed_release(slot->buffer[k]);
        slot->buffer[k] =
            saved ? heed_retain(heed_dict_get(draft, entry_name_of(number, o->kind->buffer_name[k]).s)) : NULL;
    }
}

static bool restrict_slot(const heed_optimizer *o, const heed__slot *slot, int number, heed_dict *draft)
{
    bool done = true;
    for (int k = 0; k < HEED_OPTIMIZER_BUFFERS && done && o->kind->buffer_name[k]; k++) {
        entry_name name = entry_name_of(number, o->kind->buffer_name[k]);
        if (heed_dict_has(draft, name.s))
            done = heed__state_put(draft, name.s, heed_clone(heed__slot_slice(o, slot, heed_dict_get(draft, name.s))));
    }
    return done;
}

/* Reduces every buffer in the draft to the range that the optimizer updates. Returns false after heed_fail. */
static bool restrict_draft(const heed_optimizer *o, heed_dict *draft)
{
    heed_scope *scope = heed_no_grad_begin();
    bool done = scope != NULL;
    for (int i = 0, number = 0; i < o->n_groups && done; i++)
        for (int k = 0; k < o->groups[i]->n && done; k++, number++)
            done = restrict_slot(o, &o->groups[i]->slots[k], number, draft);
    if (scope)
        heed_scope_end(scope);
    return done;
}

static void install_schedule(heed_schedule *s, const heed_dict *draft)
{
    s->t = heed_item_i64(heed_dict_get(draft, "schedule"));
    if (!s->plateau)
        return;
    s->plateau->best = heed_item(heed_dict_get(draft, "schedule.best"));
    s->plateau->bad_metrics = heed_item_i64(heed_dict_get(draft, "schedule.bad"));
    s->plateau->cooldown_left = heed_item_i64(heed_dict_get(draft, "schedule.rest"));
}

/* Moves a filled and checked draft into the optimizer. Cannot fail. */
static void install(heed_optimizer *o, const heed_dict *draft)
{
    for (int i = 0, number = 0; i < o->n_groups; i++) {
        heed__group *group = o->groups[i];
        group->lr = heed_data_f64(heed_dict_get(draft, "lr"))[i];
        group->settings.lr = heed_data_f64(heed_dict_get(draft, "initial_lr"))[i];
        for (int k = 0; k < group->n; k++, number++)
            install_slot(o, group, number, &group->slots[k], draft);
    }
    if (o->schedule)
        install_schedule(o->schedule, draft);
    if (o->lbfgs)
        heed__lbfgs_install(o->lbfgs, draft);
}

/* -- Lenient loading ----------------------------------------------------------------------------------------------- */

/* Returns the unit of an entry: "0" for all entries of parameter 0, "lr" or "schedule". A unit is loaded completely or
 * not at all. */
static entry_name unit_of(const char *name)
{
    entry_name unit;
    (void)snprintf(unit.s, sizeof unit.s, "%.*s", (int)strcspn(name, "."), name);
    const entry_name lr = {"lr"};
    return strcmp(name, "initial_lr") == 0 ? lr : unit;
}

static bool fits_entry(const heed_dict *draft, const char *name, const heed_tensor *t)
{
    const heed_tensor *to = heed_dict_has(draft, name) ? heed_dict_get(draft, name) : NULL;
    return to && heed_dtype_of(to) == heed_dtype_of(t) && heed_shape_equal(heed_shape_of(to), heed_shape_of(t));
}

/* Sets a text under the name of every unit of which an entry is missing or has a different dtype or shape. For L-BFGS
 * an unexpected entry counts, too, because its entries depend on one another. Returns false after heed_fail. */
static bool find_broken(const heed_optimizer *o, const heed_dict *draft, const heed_dict *entries, heed_dict *broken)
{
    bool ok = true;
    for (int64_t i = 0; i < heed_dict_size(draft) && ok; i++) {
        const char *name = heed_dict_name(draft, i);
        if (!heed_dict_has(entries, name) || !fits_entry(draft, name, heed_dict_get(entries, name)))
            ok = heed_dict_set_text(broken, unit_of(name).s, "") == HEED_OK;
    }
    for (int64_t i = 0; i < heed_dict_size(entries) && ok && o->lbfgs; i++)
        if (strncmp(heed_dict_name(entries, i), "0.", 2) == 0 && !heed_dict_has(draft, heed_dict_name(entries, i)))
            ok = heed_dict_set_text(broken, "0", "") == HEED_OK;
    return ok;
}

/* Fills `usable` with the entries of complete units. Adds the other entries of incomplete units to `skipped`, which
 * may be NULL. Returns false after heed_fail. */
static bool select_usable(const heed_optimizer *o, const heed_dict *draft, const heed_dict *entries, heed_dict *usable,
                          heed_dict *skipped)
{
    heed_dict *broken = heed_dict_new();
    bool ok = broken && find_broken(o, draft, entries, broken) &&
              heed_dict_set_text(usable, "kind", o->kind->state_name) == HEED_OK;
    for (int64_t i = 0; i < heed_dict_size(entries) && ok; i++) {
        const char *name = heed_dict_name(entries, i);
        if (!heed_dict_has(draft, name))
            continue;
        if (!heed_dict_text(broken, unit_of(name).s))
            ok = heed_dict_set(usable, name, heed_dict_at(entries, i)) == HEED_OK;
        else if (skipped && fits_entry(draft, name, heed_dict_at(entries, i)))
            ok = heed_dict_set_text(skipped, name, "incomplete without the other skipped entries") == HEED_OK;
    }
    heed_dict_free(broken);
    return ok;
}

/* Returns the entries that can be loaded, or NULL after heed_fail if the options do not allow to skip the others. */
static heed_dict *usable_entries(const heed_optimizer *o, const heed_dict *entries, heed_dict_load_options options)
{
    heed_dict *draft = dict_of(o, entries), *usable = draft ? heed_dict_new() : NULL;
    options.prefix = NULL;
    options.check_only = true;
    const bool ok = usable && heed_dict_load(draft, entries, &options) == HEED_OK &&
                    select_usable(o, draft, entries, usable, options.skipped);
    heed_dict_free(draft);
    if (ok)
        return usable;
    heed_dict_free(usable);
    return NULL;
}

heed_status heed_optimizer_load_state(heed_optimizer *o, const heed_dict *state, const heed_dict_load_options *options)
{
    HEED_ENTER("optimizer_load_state");
    const heed_dict_load_options used = options ? *options : (heed_dict_load_options){.prefix = NULL};
    if (!heed__optimizer_check_idle(where, o))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the state is NULL");
    /* Detects a freed dict, whose block a new dict could reuse. */
    const int64_t of_skipped = used.skipped ? heed_dict_size(used.skipped) : 1;
    if ((heed_dict_size(state) == 0 || of_skipped == 0) && heed_error_code() != HEED_OK)
        return heed_error_code();
    heed_dict *entries = without_prefix(state, used.prefix ? used.prefix : "");
    heed_dict *usable = entries && check_saved_kind(o, entries) ? usable_entries(o, entries, used) : NULL;
    heed_dict *draft = usable ? dict_of(o, usable) : NULL;
    const heed_dict_load_options rest = {.allow_missing = true}; /* the current rates and schedule, if skipped */
    bool ok = draft && heed_dict_load(draft, usable, &rest) == HEED_OK && check_saved_numbers(o, draft) &&
              (!o->partial || restrict_draft(o, draft));
    if (ok && !used.check_only)
        install(o, draft);
    heed_dict_free(draft);
    heed_dict_free(usable);
    heed_dict_free(entries);
    return ok ? HEED_OK : heed_error_code();
}
