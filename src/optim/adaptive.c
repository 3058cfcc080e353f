/* optim/adaptive.c - Adam, AdamW, RMSprop, Adagrad and Lion; heed/optim/rules.h states the rules.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "optim/updates.h"

/* -- Adam and AdamW: weight decay is added to the gradient in Adam and shrinks the parameter in AdamW -------------- */

static heed__adam_rule adam_rule_of(const heed__group *group, const heed__slot *slot)
{
    const heed_optim_adam_options *o = &group->settings.options.adam;
    double t = (double)slot->updates;
    return (heed__adam_rule){.beta1 = o->beta1,
                             .one_minus_beta1 = 1.0 - o->beta1,
                             .beta2 = o->beta2,
                             .one_minus_beta2 = 1.0 - o->beta2,
                             .shrink = 1.0,
                             .rate = group->lr / (1.0 - pow(o->beta1, t)),
                             .root = sqrt(1.0 - pow(o->beta2, t)),
                             .eps = o->eps,
                             .maximize = o->maximize};
}

static void update_adam(const heed__group *group, heed__slot *slot)
{
    heed__adam_rule rule = adam_rule_of(group, slot);
    rule.decay = group->settings.options.adam.weight_decay;
    heed__update_adam(&rule, slot);
}

static void update_adamw(const heed__group *group, heed__slot *slot)
{
    heed__adam_rule rule = adam_rule_of(group, slot);
    rule.shrink = 1.0 - group->lr * group->settings.options.adam.weight_decay;
    heed__update_adam(&rule, slot);
}

static void adam_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_adam_options *o = &settings->options.adam;
    const double options[] = {o->beta1, o->beta2, o->eps, o->weight_decay, o->amsgrad, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_adam_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_adam_options o = options ? *(const heed_optim_adam_options *)options : (heed_optim_adam_options){0};
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "beta1", o.beta1) ||
        !heed__optim_check_weight(where, "beta2", o.beta2) || !heed__optim_check(where, "eps", o.eps) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    if (o.no_momentum && o.beta1 != 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "beta1 is %g: must be 0 with no_momentum", o.beta1);
    o.lr = o.lr != 0.0 ? o.lr : 1e-3;
    o.beta1 = o.no_momentum || o.beta1 != 0.0 ? o.beta1 : 0.9;
    o.beta2 = o.beta2 != 0.0 ? o.beta2 : 0.999;
    o.eps = o.eps != 0.0 ? o.eps : 1e-8;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = o.amsgrad ? 7 : 3, .options.adam = o};
    return true;
}

#define ADAM_BUFFERS                                                                                                   \
    {                                                                                                                  \
        "exp_avg", "exp_avg_sq", "max_exp_avg_sq"                                                                      \
    }

static const heed__optimizer_kind adam_kind = {
    .name = "optim_adam",
    .add_name = "optim_adam_add_group",
    .state_name = "adam",
    .buffer_name = ADAM_BUFFERS,
    .read = read_adam_options,
    .numbers = adam_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.adam.weight_decay),
    .update = update_adam,
};

static const heed__optimizer_kind adamw_kind = {
    .name = "optim_adamw",
    .add_name = "optim_adamw_add_group",
    .state_name = "adamw",
    .buffer_name = ADAM_BUFFERS,
    .read = read_adam_options,
    .numbers = adam_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.adam.weight_decay),
    .update = update_adamw,
};

heed_optimizer *heed_optim_adam(heed_module *module, const heed_optim_adam_options *options)
{
    return heed__optimizer_new(&adam_kind, module, options);
}

heed_status heed_optim_adam_add_group(heed_optimizer *optimizer, heed_module *module,
                                      const heed_optim_adam_options *options)
{
    return heed__optimizer_add_group(optimizer, &adam_kind, module, options);
}

heed_optimizer *heed_optim_adamw(heed_module *module, const heed_optim_adam_options *options)
{
    return heed__optimizer_new(&adamw_kind, module, options);
}

heed_status heed_optim_adamw_add_group(heed_optimizer *optimizer, heed_module *module,
                                       const heed_optim_adam_options *options)
{
    return heed__optimizer_add_group(optimizer, &adamw_kind, module, options);
}

/* -- RMSprop: plain, centered and with momentum -------------------------------------------------------------------- */

static void update_rmsprop(const heed__group *group, heed__slot *slot)
{
    const heed_optim_rmsprop_options *o = &group->settings.options.rmsprop;
    const heed__rmsprop_rule rule = {group->lr, o->alpha, o->eps, o->weight_decay, o->momentum, o->maximize};
    heed__update_rmsprop(&rule, slot);
}

static void rmsprop_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_rmsprop_options *o = &settings->options.rmsprop;
    const double options[] = {o->alpha, o->eps, o->weight_decay, o->momentum, o->centered, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_rmsprop_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_rmsprop_options o = {0};
    if (options)
        o = *(const heed_optim_rmsprop_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "alpha", o.alpha) ||
        !heed__optim_check(where, "eps", o.eps) || !heed__optim_check(where, "weight_decay", o.weight_decay) ||
        !heed__optim_check(where, "momentum", o.momentum))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-2;
    o.alpha = o.alpha != 0.0 ? o.alpha : 0.99;
    o.eps = o.eps != 0.0 ? o.eps : 1e-8;
    unsigned buffers = 1U << HEED_RMSPROP_SQUARES;
    buffers |= (o.momentum != 0.0 ? 1U << HEED_RMSPROP_MOMENTUM : 0U) | (o.centered ? 1U << HEED_RMSPROP_MEANS : 0U);
    *settings = (heed__group_settings){.lr = o.lr, .buffers = buffers, .options.rmsprop = o};
    return true;
}

static const heed__optimizer_kind rmsprop_kind = {
    .name = "optim_rmsprop",
    .add_name = "optim_rmsprop_add_group",
    .state_name = "rmsprop",
    .buffer_name = {[HEED_RMSPROP_SQUARES] = "square_avg",
                    [HEED_RMSPROP_MOMENTUM] = "momentum_buffer",
                    [HEED_RMSPROP_MEANS] = "grad_avg"},
    .read = read_rmsprop_options,
    .numbers = rmsprop_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.rmsprop.weight_decay),
    .update = update_rmsprop,
};

heed_optimizer *heed_optim_rmsprop(heed_module *module, const heed_optim_rmsprop_options *options)
{
    return heed__optimizer_new(&rmsprop_kind, module, options);
}

heed_status heed_optim_rmsprop_add_group(heed_optimizer *optimizer, heed_module *module,
                                         const heed_optim_rmsprop_options *options)
{
    return heed__optimizer_add_group(optimizer, &rmsprop_kind, module, options);
}

/* -- Adagrad ------------------------------------------------------------------------------------------------------- */

static void update_adagrad(const heed__group *group, heed__slot *slot)
{
    const heed_optim_adagrad_options *o = &group->settings.options.adagrad;
    const heed__adagrad_rule rule = {.rate = group->lr / (1.0 + (double)(slot->updates - 1) * o->lr_decay),
                                     .eps = o->eps,
                                     .decay = o->weight_decay,
                                     .maximize = o->maximize};
    heed__update_adagrad(&rule, slot);
}

static void adagrad_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_adagrad_options *o = &settings->options.adagrad;
    const double options[] = {o->lr_decay, o->weight_decay, o->initial_accumulator_value, o->eps, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_adagrad_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_adagrad_options o = {0};
    if (options)
        o = *(const heed_optim_adagrad_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check(where, "lr_decay", o.lr_decay) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay) ||
        !heed__optim_check(where, "initial_accumulator_value", o.initial_accumulator_value) ||
        !heed__optim_check(where, "eps", o.eps))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-2;
    o.eps = o.eps != 0.0 ? o.eps : 1e-10;
    *settings =
        (heed__group_settings){.lr = o.lr, .buffers = 1U, .fill = o.initial_accumulator_value, .options.adagrad = o};
    return true;
}

static const heed__optimizer_kind adagrad_kind = {
    .name = "optim_adagrad",
    .add_name = "optim_adagrad_add_group",
    .state_name = "adagrad",
    .buffer_name = {"sum"},
    .read = read_adagrad_options,
    .numbers = adagrad_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.adagrad.weight_decay),
    .update = update_adagrad,
};

heed_optimizer *heed_optim_adagrad(heed_module *module, const heed_optim_adagrad_options *options)
{
    return heed__optimizer_new(&adagrad_kind, module, options);
}

heed_status heed_optim_adagrad_add_group(heed_optimizer *optimizer, heed_module *module,
                                         const heed_optim_adagrad_options *options)
{
    return heed__optimizer_add_group(optimizer, &adagrad_kind, module, options);
}

/* -- Lion ---------------------------------------------------------------------------------------------------------- */

static void update_lion(const heed__group *group, heed__slot *slot)
{
    const heed_optim_lion_options *o = &group->settings.options.lion;
    const heed__lion_rule rule = {group->lr, 1.0 - group->lr * o->weight_decay, o->beta1, o->beta2, o->maximize};
    heed__update_lion(&rule, slot);
}

static void lion_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_lion_options *o = &settings->options.lion;
    const double options[] = {o->beta1, o->beta2, o->weight_decay, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_lion_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_lion_options o = {0};
    if (options)
        o = *(const heed_optim_lion_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "beta1", o.beta1) ||
        !heed__optim_check_weight(where, "beta2", o.beta2) || !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-4;
    o.beta1 = o.beta1 != 0.0 ? o.beta1 : 0.9;
    o.beta2 = o.beta2 != 0.0 ? o.beta2 : 0.99;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = 1U, .options.lion = o};
    return true;
}

static const heed__optimizer_kind lion_kind = {
    .name = "optim_lion",
    .add_name = "optim_lion_add_group",
    .state_name = "lion",
    .buffer_name = {"exp_avg"},
    .read = read_lion_options,
    .numbers = lion_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.lion.weight_decay),
    .update = update_lion,
};

heed_optimizer *heed_optim_lion(heed_module *module, const heed_optim_lion_options *options)
{
    return heed__optimizer_new(&lion_kind, module, options);
}

heed_status heed_optim_lion_add_group(heed_optimizer *optimizer, heed_module *module,
                                      const heed_optim_lion_options *options)
{
    return heed__optimizer_add_group(optimizer, &lion_kind, module, options);
}
