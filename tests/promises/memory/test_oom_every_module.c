/* tests/promises/memory/test_oom_every_module.c - functions of modules and optimizers without memory, called
 * directly. test_nn_oom.c sweeps layers; the tests of optimizers sweep their steps.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "oom_inputs.h"
#include "optimizer_of.h"

/* If the scope's list is full, a returned gradient makes it grow. */
static bool grad_of(double *value)
{
    for (int i = 0; i < 200; i++)
        if (!heed_grad_of(oom.w))
            return false;
    return oom_take(heed_grad_of(oom.w), value);
}

static bool modules(double *value)
{
    heed_module *m = heed_module_new("mine", sizeof *m), *child = heed_module_new("child", sizeof *child);
    heed_tensor *w = m ? heed_module_parameter(m, "w", heed_clone(oom.plain)) : NULL;
    bool ok = child && w && heed_module_buffer(m, "b", oom.one) && heed_module_child(m, "c", child);
    ok = ok && heed_module_set_requires_grad(m, "w*", false) == 1 && heed_module_copy_state(m, m) == HEED_OK;
    *value = ok ? (double)heed_module_parameter_numel(m) : 0.0;
    if (!ok)
        (void)heed_module_free(child); /* refused if it has become a child */
    (void)heed_module_free(m);
    return ok;
}

/* A failed call leaves the module as it was. */
static bool parametrize(heed_module *m, const char *name, bool spectral)
{
    const int64_t before = heed_module_parameter_numel(m);
    const bool ok = (spectral ? heed_nn_spectral_norm(m, name, NULL) : heed_nn_weight_norm(m, name, NULL)) == HEED_OK;
    ck_assert(ok || heed_module_parameter_numel(m) == before);
    return ok;
}

static bool parametrizations(double *value)
{
    heed_module *m = heed_module_new("mine", sizeof *m);
    heed_tensor *a = m ? heed_module_parameter(m, "a", heed_clone(oom.plain)) : NULL;
    heed_tensor *b = a ? heed_module_parameter(m, "b", heed_clone(oom.plain)) : NULL;
    heed_manual_seed(1); /* for the vectors of spectral norm */
    bool ok = b && parametrize(m, "a", false) && parametrize(m, "b", true);
    ok = ok && oom_take(heed_sum(heed_mul(a, heed_detach(b))), value);
    ok = ok && heed_nn_remove_parametrization(m, "a") == HEED_OK && heed_module_find(m, "b") == b;
    ok = ok && heed_set_compute(a, NULL, NULL) == HEED_OK && oom_take(heed_sum(a), value);
    (void)heed_module_free(m);
    return ok;
}

/* More members than a linear search handles, and texts set again. */
static bool many(double *value)
{
    char name[8];
    heed_module *m = heed_module_new("mine", sizeof *m);
    bool ok = m != NULL;
    for (int i = 0; ok && i < 40; i++) {
        (void)snprintf(name, sizeof name, "b%d", i);
        ok = heed_module_buffer(m, name, oom.one) != NULL;
    }
    heed_dict *state = ok ? heed_module_state(m) : NULL;
    ok =
        state && heed_dict_set_text(state, "kind", "a") == HEED_OK && heed_dict_set_text(state, "kind", "b") == HEED_OK;
    *value = ok ? (double)heed_dict_size(state) : 0.0;
    heed_dict_free(state);
    (void)heed_module_free(m);
    return ok;
}

/* -- Optimizers ---------------------------------------------------------------------------------------------------- */

/* NULL instead of a gradient would remove the existing one. */
static bool set_grad(heed_tensor *t, heed_tensor *like)
{
    heed_tensor *gradient = t ? heed_clone(like) : NULL;
    return gradient && heed_set_grad(t, gradient) == HEED_OK;
}

/* A module with two parameters that have gradients. */
static heed_module *new_module(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m);
    heed_tensor *a = m ? heed_module_parameter(m, "a", heed_clone(oom.plain)) : NULL;
    heed_tensor *b = a ? heed_module_parameter(m, "b", heed_clone(oom.row)) : NULL;
    if (b && set_grad(a, oom.plain) && set_grad(b, oom.row))
        return m;
    (void)heed_module_free(m);
    return NULL;
}

/* One step; a failed one leaves every parameter unchanged. Takes ownership of both. */
static bool take_step(heed_module *m, heed_optimizer *o, double *value)
{
    heed_tensor *a = m ? heed_retain(heed_module_find(m, "a")) : NULL;
    double before = a ? heed_get(a, HEED_INDEX(0, 0)) : 0.0;
    bool ok = o && heed_optimizer_step(o) == HEED_OK;
    ck_assert(ok || !a || heed_get(a, HEED_INDEX(0, 0)) == before);
    ok = ok && oom_take(a, value);
    heed_release(a);
    heed_optimizer_free(o);
    (void)heed_module_free(m);
    return ok;
}

static bool sgd(double *value)
{
    heed_module *m = new_module();
    return take_step(m, m ? heed_optim_sgd(m, &(heed_optim_sgd_options){.lr = 0.5, .momentum = 0.5}) : NULL, value);
}

static bool adam(double *value)
{
    heed_module *m = new_module();
    return take_step(m, m ? heed_optim_adam(m, &(heed_optim_adam_options){.amsgrad = true}) : NULL, value);
}

static bool adamw(double *value)
{
    heed_module *m = new_module();
    return take_step(m, m ? heed_optim_adamw(m, NULL) : NULL, value);
}

static bool rmsprop(double *value)
{
    heed_module *m = new_module();
    heed_optim_rmsprop_options options = {.momentum = 0.5, .centered = true};
    return take_step(m, m ? heed_optim_rmsprop(m, &options) : NULL, value);
}

static bool adagrad(double *value)
{
    heed_module *m = new_module();
    return take_step(m, m ? heed_optim_adagrad(m, NULL) : NULL, value);
}

static bool lion(double *value)
{
    heed_module *m = new_module();
    return take_step(m, m ? heed_optim_lion(m, NULL) : NULL, value);
}

static bool muon(double *value)
{
    heed_module *m = new_module();
    heed_tensor *a = m ? heed_module_find(m, "a") : NULL;
    return take_step(m, a ? muon_of(&a, 1, NULL) : NULL, value);
}

static bool muon_of_a_module(double *value)
{
    heed_module *m = heed_module_new("matrix", sizeof *m);
    heed_tensor *a = m ? heed_module_parameter(m, "a", heed_clone(oom.plain)) : NULL;
    return take_step(m, a && set_grad(a, oom.plain) ? heed_optim_muon(m, NULL) : NULL, value);
}

static heed_tensor *loss_of(void *w)
{
    return heed_sum(heed_square(w));
}

static bool lbfgs(double *value)
{
    heed_module *m = new_module();
    heed_tensor *a = m ? heed_module_find(m, "a") : NULL;
    heed_optimizer *all = m ? heed_optim_lbfgs(m, NULL) : NULL;
    heed_optimizer *o = all ? lbfgs_of(&a, 1, NULL) : NULL;
    bool ok = o && heed_optimizer_step_closure(o, loss_of, a, value) == HEED_OK;
    heed_optimizer_free(o);
    heed_optimizer_free(all);
    (void)heed_module_free(m);
    return ok;
}

/* An optimizer keeps its groups if adding one fails. */
static heed_optimizer *with_group(heed_optimizer *o, heed_status added)
{
    ck_assert(!o || heed_optimizer_groups(o) == (added == HEED_OK ? 2 : 1));
    return added == HEED_OK ? o : (heed_optimizer_free(o), NULL);
}

static bool sgd_groups(double *value)
{
    heed_optim_sgd_options options = {.lr = 0.5};
    heed_optimizer *o = sgd_of(&oom.v, 1, &options);
    o = o ? with_group(o, sgd_add(o, &oom.batch, 1, &options)) : NULL;
    *value = o ? heed_optimizer_lr(o, 1) : 0.0;
    heed_optimizer_free(o);
    return o != NULL;
}

static bool adam_groups(double *value)
{
    heed_optimizer *o = adam_of(&oom.v, 1, NULL), *w = adamw_of(&oom.v, 1, NULL);
    o = o ? with_group(o, adam_add(o, &oom.batch, 1, NULL)) : NULL;
    w = w ? with_group(w, adamw_add(w, &oom.batch, 1, NULL)) : NULL;
    bool ok = o && w;
    *value = ok ? heed_optimizer_lr(o, 1) : 0.0;
    heed_optimizer_free(o);
    heed_optimizer_free(w);
    return ok;
}

static bool other_groups(double *value)
{
    heed_optimizer *r = rmsprop_of(&oom.v, 1, NULL), *a = adagrad_of(&oom.v, 1, NULL);
    heed_optimizer *l = lion_of(&oom.v, 1, NULL);
    r = r ? with_group(r, rmsprop_add(r, &oom.batch, 1, NULL)) : NULL;
    a = a ? with_group(a, adagrad_add(a, &oom.batch, 1, NULL)) : NULL;
    l = l ? with_group(l, lion_add(l, &oom.batch, 1, NULL)) : NULL;
    heed_tensor *matrix = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2, 2)), true);
    heed_optimizer *u = muon_of(&oom.w, 1, NULL);
    u = u ? with_group(u, muon_add(u, &matrix, 1, NULL)) : NULL;
    bool ok = r && a && l && u;
    heed_optimizer_free(u);
    *value = ok ? heed_optimizer_lr(l, 1) : 0.0;
    heed_optimizer_free(r);
    heed_optimizer_free(a);
    heed_optimizer_free(l);
    return ok;
}

static bool options_by_pattern(double *value)
{
    heed_module *m = new_module();
    heed_optimizer *o = m ? heed_optim_adam(m, NULL) : NULL;
    bool ok = o && heed_optimizer_set_options(o, m, "a", &(heed_optimizer_options){.lr = 0.5}) == 1;
    *value = ok ? heed_optimizer_lr(o, 1) : 0.0;
    heed_optimizer_free(o);
    (void)heed_module_free(m);
    return ok;
}

/* Clipping that fails leaves every gradient unchanged. */
static bool clip(double *value)
{
    heed_module *m = new_module();
    heed_tensor *a = m ? heed_module_find(m, "a") : NULL;
    heed_tensor *of_a = a ? heed_grad_of(a) : NULL;
    double before = of_a ? heed_get(of_a, HEED_INDEX(0, 0)) : 0.0, norm = 0;
    bool ok = of_a && !isnan(heed_optim_grad_norm(m)) && heed_optim_clip_grad_norm_(m, 0.25, &norm) == HEED_OK;
    ck_assert(ok || !of_a || heed_get(of_a, HEED_INDEX(0, 0)) == before);
    ok = ok && heed_optim_clip_grad_value_(m, 0.0625) == HEED_OK && oom_take(heed_grad_of(a), value);
    *value += norm;
    (void)heed_module_free(m);
    return ok;
}

static double half(int64_t t, void *user)
{
    (void)t;
    (void)user;
    return 0.5;
}

static bool schedules(double *value)
{
    heed_optimizer *o = adam_of(&oom.v, 1, NULL);
    heed_schedule *inner = heed_schedule_new_sequential(
        NULL, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.5, 1, 4), heed_schedule_new_cosine(NULL, 10, 0)),
        (int64_t[]){4});
    heed_schedule *s = heed_schedule_new_chained(
        o,
        HEED_SCHEDULES(inner, heed_schedule_new_step(NULL, 2, 0.5), heed_schedule_new_step(NULL, 1, 0.5),
                       heed_schedule_new_multi_step(NULL, (int64_t[]){1}, 1, 0.5),
                       heed_schedule_new_cosine_restarts(NULL, 3, 2, 0), heed_schedule_new_lambda(NULL, half, NULL)));
    bool ok = o && s && heed_schedule_step(s) == HEED_OK;
    (void)heed_schedule_free(s);
    s = ok ? heed_schedule_new_one_cycle(o, 10, NULL) : NULL;
    *value = s ? heed_optimizer_lr(o, 0) : 0.0;
    ok = heed_schedule_free(s) == HEED_OK && s;
    s = ok ? heed_schedule_new_plateau(o, NULL) : NULL;
    ok = s && heed_schedule_step_metric(s, 1.0) == HEED_OK;
    (void)heed_schedule_free(s);
    heed_optimizer_free(o);
    return ok;
}

/* Swapped twice, the module is unchanged, also if a swap or an update fails. */
static bool averages(double *value)
{
    heed_module *m = new_module();
    heed_average *average = m ? heed_average_new(m, &(heed_average_options){.decay = 0.5}) : NULL;
    heed_dict *state = NULL;
    bool ok = average && heed_average_update(average) == HEED_OK && heed_average_swap(average) == HEED_OK &&
              heed_average_swap(average) == HEED_OK && (state = heed_average_state(average));
    *value = ok ? heed_get(heed_dict_at(state, 1), HEED_INDEX(0, 0)) : 0.0;
    heed_dict_free(state);
    heed_average_free(average);
    (void)heed_module_free(m);
    return ok;
}

OOM_MAIN("oom_every_module", OOM(grad_of), OOM(modules), OOM(parametrizations), OOM(many), OOM(sgd), OOM(adam),
         OOM(adamw), OOM(rmsprop), OOM(adagrad), OOM(lion), OOM(muon), OOM(muon_of_a_module), OOM(lbfgs),
         OOM(sgd_groups), OOM(adam_groups), OOM(other_groups), OOM(options_by_pattern), OOM(clip), OOM(schedules),
         OOM(averages))
