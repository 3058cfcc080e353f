/* optim/sgd.c - stochastic gradient descent with momentum; heed/optim.h states the rule.
 *
 * I. Sutskever, J. Martens, G. Dahl, G. Hinton: On the importance of initialization and momentum in deep learning (ICML
 * 2013), in PyTorch's form.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "optim/updates.h"

static void update_sgd(const heed__group *group, heed__slot *slot)
{
    const heed_optim_sgd_options *o = &group->settings.options.sgd;
    bool first = slot->updates == 1; /* the first update sets b = d */
    const heed__sgd_rule rule = {.lr = group->lr,
                                 .weight_decay = o->weight_decay,
                                 .momentum = o->momentum,
                                 .keep = first ? 0.0 : o->momentum,
                                 .take = first ? 1.0 : 1.0 - o->dampening,
                                 .maximize = o->maximize,
                                 .nesterov = o->nesterov};
    heed__update_sgd(&rule, slot);
}

static void sgd_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_sgd_options *o = &settings->options.sgd;
    const double options[] = {o->momentum, o->dampening, o->weight_decay, o->nesterov, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_sgd_options(const char *where, const void *options, heed__group_settings *settings)
{
    const heed_optim_sgd_options *o = options;
    if (!o)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "options is NULL: must set lr");
    if (!heed__optim_check_positive(where, "lr", o->lr) || !heed__optim_check(where, "momentum", o->momentum) ||
        !heed__optim_check(where, "dampening", o->dampening) ||
        !heed__optim_check(where, "weight_decay", o->weight_decay))
        return false;
    if (o->nesterov && (o->momentum == 0.0 || o->dampening != 0.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "momentum is %g, dampening is %g: nesterov requires momentum above 0 and dampening 0",
                               o->momentum, o->dampening);
    *settings = (heed__group_settings){.lr = o->lr, .buffers = o->momentum != 0.0, .options.sgd = *o};
    return true;
}

static const heed__optimizer_kind sgd_kind = {
    .name = "optim_sgd",
    .add_name = "optim_sgd_add_group",
    .state_name = "sgd",
    .buffer_name = {"momentum_buffer"},
    .read = read_sgd_options,
    .numbers = sgd_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.sgd.weight_decay),
    .update = update_sgd,
};

heed_optimizer *heed_optim_sgd(heed_module *module, const heed_optim_sgd_options *options)
{
    return heed__optimizer_new(&sgd_kind, module, options);
}

heed_status heed_optim_sgd_add_group(heed_optimizer *optimizer, heed_module *module,
                                     const heed_optim_sgd_options *options)
{
    return heed__optimizer_add_group(optimizer, &sgd_kind, module, options);
}
