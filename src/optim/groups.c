/* optim/groups.c - moves parameters whose paths match a pattern to groups with their own options.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/memory.h>

#include "optim/optimizer.h"

static const char where[] = "optimizer_set_options";

/* The parameters to move. */
typedef struct choice {
    const heed_optimizer *optimizer;
    heed__parameter_list list;
} choice;

static heed_status choose(const heed_module_visit *visit, void *user)
{
    choice *c = user;
    if (!heed__parameters_contain(&c->optimizer->parameters, visit->tensor) ||
        heed__parameters_contain(&c->list, visit->tensor))
        return HEED_OK;
    if (!heed__parameters_reserve(&c->list, where, 1))
        return heed_error_code();
    heed__parameters_push(&c->list, visit->tensor);
    return HEED_OK;
}

/* Returns a group of the listed slots of `from`, or of the other slots. It shares their tensors. Returns NULL
 * with *ok for an empty group, and without *ok after heed_fail. */
static heed__group *part_of(const heed__group *from, const heed__parameter_list *list, bool chosen, bool *ok)
{
    int n = 0;
    for (int i = 0; i < from->n; i++)
        n += heed__parameters_contain(list, from->slots[i].parameter) == chosen;
    heed__group *part = n > 0 && *ok ? heed__group_new(n) : NULL;
    *ok = *ok && (n == 0 || part);
    if (!part)
        return NULL;
    part->settings = from->settings;
    part->lr = from->lr;
    for (int i = 0; i < from->n; i++)
        if (heed__parameters_contain(list, from->slots[i].parameter) == chosen)
            part->slots[part->n++] = from->slots[i];
    return part;
}

static bool change_options(heed_optimizer *o, heed__group *group, const heed_optimizer_options *options)
{
    double *decay = (double *)(void *)((char *)&group->settings + o->kind->weight_decay_at);
    if (options->no_decay || options->weight_decay > 0.0)
        *decay = options->weight_decay;
    if (options->lr > 0.0)
        group->settings.lr = options->lr;
    return options->lr <= 0.0 || heed__optimizer_find_rate(o, where, options->lr, &group->lr);
}

/* Fills `groups`, of capacity 2 o->n_groups, with the groups after the change, and moves empty places to the end.
 * Returns their number, or 0 after heed_fail. */
static int split_groups(heed_optimizer *o, const heed__parameter_list *list, heed__group **groups,
                        const heed_optimizer_options *options)
{
    const int n = o->n_groups;
    bool ok = true;
    for (int i = 0; i < n; i++) {
        heed__group *rest = part_of(o->groups[i], list, false, &ok), *moved = part_of(o->groups[i], list, true, &ok);
        ok = ok && (!moved || change_options(o, moved, options));
        groups[i] = rest ? rest : moved;
        groups[n + i] = rest ? moved : NULL;
    }
    int used = 0;
    for (int i = 0; i < 2 * n; i++) {
        heed__group *group = groups[i];
        groups[i] = NULL;
        groups[used] = group;
        used += group != NULL;
    }
    return ok ? used : 0;
}

/* Replaces the optimizer's groups. `parameters` has capacity for all parameters. Cannot fail. */
static void install_groups(heed_optimizer *o, heed__group **groups, int n, heed__parameter_list *parameters)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < groups[i]->n; k++)
            heed__parameters_push(parameters, groups[i]->slots[k].parameter);
    for (int i = 0; i < o->n_groups; i++)
        heed__group_free(o->groups[i], o->groups[i]->n);
    heed_free(o->groups, (size_t)o->capacity * sizeof *groups);
    heed__parameters_free(&o->parameters);
    o->parameters = *parameters;
    o->capacity = 2 * o->n_groups;
    o->groups = groups;
    o->n_groups = n;
}

static bool move_parameters(heed_optimizer *o, const heed__parameter_list *list, const heed_optimizer_options *options)
{
    const size_t capacity = 2 * (size_t)o->n_groups;
    heed__parameter_list parameters = {0};
    heed__group **groups = heed_calloc(capacity, sizeof *groups);
    const int n = groups && heed__parameters_reserve(&parameters, where, o->parameters.n)
                      ? split_groups(o, list, groups, options)
                      : 0;
    if (n > 0) {
        install_groups(o, groups, n, &parameters);
        return true;
    }
    for (size_t i = 0; groups && i < capacity && groups[i]; i++)
        heed__group_free(groups[i], groups[i]->n);
    heed_free(groups, capacity * sizeof *groups);
    heed__parameters_free(&parameters);
    return false;
}

static bool check_group_options(const heed_optimizer *o, const heed_optimizer_options *options)
{
    if (!heed__optim_check(where, "lr", options->lr) ||
        !heed__optim_check(where, "weight_decay", options->weight_decay))
        return false;
    if (options->no_decay && options->weight_decay > 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "weight_decay is %g: must be 0 with no_decay",
                               options->weight_decay);
    if (o->kind->weight_decay_at == 0)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "heed_%s has only one group", o->kind->name);
    return !o->partial || heed_fail_false(HEED_ERR_STATE, where, "the optimizer's state is spread over processes");
}

int64_t heed_optimizer_set_options(heed_optimizer *o, heed_module *module, const char *pattern,
                                   const heed_optimizer_options *options)
{
    HEED_ENTER(where);
    const heed_optimizer_options used = options ? *options : (heed_optimizer_options){.lr = 0.0};
    if (!heed__optimizer_check_idle(where, o) || !check_group_options(o, &used))
        return 0;
    choice c = {.optimizer = o};
    const int64_t matched = heed_module_walk_matching(module, pattern, choose, &c);
    int64_t moved = 0;
    if (matched > 0 && c.list.n == 0)
        heed_fail(HEED_ERR_ARGUMENT, where, "\"%.64s\" matches parameters of the %s, but none of the optimizer",
                  pattern, module->type);
    else if (matched > 0 && move_parameters(o, &c.list, &used))
        moved = c.list.n;
    heed__parameters_free(&c.list);
    return moved;
}
