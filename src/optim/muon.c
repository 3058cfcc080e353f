/* optim/muon.c - Muon; heed/optim/rules.h states the rule.
 *
 * The orthogonalised momentum needs matrix products, which allocate memory. It is therefore computed from a copy of the
 * momentum before anything changes. The update is then one pass over the parameter and its buffer.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "optim/clip.h"
#include "optim/updates.h"

/* Returns a X + b A X + c A A X with A = X X^T. This maps every singular value s of X to a s + b s^3 + c s^5, which is
 * closer to 1. */
static heed_tensor *towards_orthogonal(heed_tensor *x)
{
    static const double a = 3.4445, b = -4.7750, c = 2.0315;
    heed_tensor *gram = heed_matmul(x, heed_transpose(x, 0, 1));
    heed_tensor *mix = heed_add(heed_mul_scalar(gram, b), heed_mul_scalar(heed_matmul(gram, gram), c));
    return heed_add(heed_mul_scalar(x, a), heed_matmul(mix, x));
}

/* Moves the singular values of x towards 1 in `steps` iterations. First divides x by its norm, so that no singular
 * value exceeds 1. Transposes a tall x, so that the iterations use the smaller one of the two Gram matrices. */
static heed_tensor *orthogonalised(heed_tensor *x, int64_t steps)
{
    const bool tall = heed_dim(x, 0) > heed_dim(x, 1);
    const double norm = heed__norm_of(x);
    x = heed__scaled(tall ? heed_transpose(x, 0, 1) : x, 1.0 / (norm + 1e-7));
    for (int64_t i = 0; x && i < steps; i++)
        x = towards_orthogonal(x);
    return heed_contiguous(tall ? heed_transpose(x, 0, 1) : x);
}

/* Returns from + weight (to - from). */
static heed_tensor *move_towards(heed_tensor *from, heed_tensor *to, double weight)
{
    return heed_add(from, heed_mul_scalar(heed_sub(to, from), weight));
}

static heed_tensor *orthogonal_direction(const heed__group *group, const heed__slot *slot)
{
    const heed_optim_muon_options *o = &group->settings.options.muon;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *g = o->maximize ? heed_mul_scalar(slot->grad, -1.0) : slot->grad;
    heed_tensor *x = move_towards(slot->buffer[0], g, 1.0 - o->momentum);
    if (!o->no_nesterov)
        x = move_towards(g, x, o->momentum);
    return heed_scope_return(scope, x ? orthogonalised(x, o->steps) : NULL);
}

static void update_muon(const heed__group *group, heed__slot *slot)
{
    const heed_optim_muon_options *o = &group->settings.options.muon;
    const double ratio = (double)heed_dim(slot->target, 0) / (double)heed_dim(slot->target, 1);
    const heed__muon_rule rule = {.rate = group->lr * sqrt(fmax(1.0, ratio)),
                                  .shrink = 1.0 - group->lr * o->weight_decay,
                                  .take = 1.0 - o->momentum,
                                  .maximize = o->maximize};
    heed__update_muon(&rule, slot);
}

static void muon_numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_muon_options *o = &settings->options.muon;
    const double options[] = {o->momentum, o->weight_decay, (double)o->steps, o->no_nesterov, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_muon_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_muon_options o = {0};
    if (options)
        o = *(const heed_optim_muon_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "momentum", o.momentum) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    if (o.steps < 0 || o.steps > 100)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "steps is %d: must be 0 to 100", o.steps);
    o.lr = o.lr != 0.0 ? o.lr : 0.02;
    o.momentum = o.momentum != 0.0 ? o.momentum : 0.95;
    o.steps = o.steps != 0 ? o.steps : 5;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = 1U, .options.muon = o};
    return true;
}

/* `user` is the address of the calling function's name. */
static heed_status check_matrix(const heed_module_visit *visit, void *user)
{
    if (visit->is_buffer || !heed_requires_grad(visit->tensor) || heed_rank(visit->tensor) == 2)
        return HEED_OK;
    return heed_fail(HEED_ERR_SHAPE, *(const char **)user,
                     "\"%s\" is %s: must be a matrix; use a second optimizer for biases and other vectors, such as "
                     "heed_optim_adamw",
                     visit->name, heed_shape_text(heed_shape_of(visit->tensor)).s);
}

/* Returns HEED_OK if all parameters to train are matrices, or if the module is NULL, which the caller rejects later. */
static heed_status check_matrices(const char *where, heed_module *module)
{
    return module ? heed_module_walk(module, check_matrix, &where) : HEED_OK;
}

static const heed__optimizer_kind muon_kind = {
    .name = "optim_muon",
    .add_name = "optim_muon_add_group",
    .state_name = "muon",
    .buffer_name = {"momentum_buffer"},
    .whole = true,
    .read = read_muon_options,
    .numbers = muon_numbers,
    .weight_decay_at = offsetof(heed__group_settings, options.muon.weight_decay),
    .direction = orthogonal_direction,
    .update = update_muon,
};

heed_optimizer *heed_optim_muon(heed_module *module, const heed_optim_muon_options *options)
{
    HEED_ENTER(muon_kind.name);
    if (check_matrices(muon_kind.name, module) != HEED_OK)
        return NULL;
    return heed__optimizer_new(&muon_kind, module, options);
}

heed_status heed_optim_muon_add_group(heed_optimizer *optimizer, heed_module *module,
                                      const heed_optim_muon_options *options)
{
    HEED_ENTER(muon_kind.add_name);
    if (check_matrices(muon_kind.add_name, module) != HEED_OK)
        return heed_error_code();
    return heed__optimizer_add_group(optimizer, &muon_kind, module, options);
}
