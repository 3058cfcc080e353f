/* tests/promises/misuse/test_misuse_every_optimizer.c - every function of heed/optim.h with hostile arguments of
 * every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"
#include "optimizer_of.h"

static heed_tensor *new_parameter(void)
{
    return heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
}

/* A list of parameters, or NULL. */
static heed_module *draw_list(void)
{
    heed_tensor *parameters[] = {new_parameter(), one_in(2) ? any_tensor() : new_parameter()};
    const bool present = !one_in(4);
    int n = any_int();
    if (present && (one_in(2) || n > 2))
        n = 1 + one_in(3);
    heed_module *list = heed_nn_parameter_list_new(present ? parameters : NULL, n);
    ck_assert((list != NULL) == (heed_error_code() == HEED_OK));
    judge_error("nn_parameter_list_new");
    return list;
}

static double rate(void)
{
    return one_in(2) ? 0.5 : any_real();
}

static heed_optim_sgd_options any_sgd(void)
{
    return (heed_optim_sgd_options){rate(), rate(), rate(), rate(), any_flag(), any_flag(), {0}};
}

static heed_optim_adam_options any_adam(void)
{
    return (heed_optim_adam_options){rate(), rate(), rate(), any_flag(), rate(), rate(), any_flag(), any_flag(), {0}};
}

static heed_optim_rmsprop_options any_rmsprop(void)
{
    return (heed_optim_rmsprop_options){rate(), rate(), rate(), rate(), rate(), any_flag(), any_flag(), {0}};
}

static heed_optim_adagrad_options any_adagrad(void)
{
    return (heed_optim_adagrad_options){rate(), rate(), rate(), rate(), rate(), any_flag(), {0}};
}

static heed_optim_lion_options any_lion(void)
{
    return (heed_optim_lion_options){rate(), rate(), rate(), rate(), any_flag(), {0}};
}

static void judge_optimizer(const char *call, heed_optimizer *o)
{
    ck_assert_msg((o != NULL) == (heed_error_code() == HEED_OK), "%s: %s", call, heed_error_message());
    judge_error(call);
    heed_optimizer_free(o);
}

#define MADE(call) judge_optimizer(#call, call)
#define GIVEN(options) (one_in(8) ? NULL : &(options))

static void optimizers(void)
{
    heed_optim_sgd_options sgd = any_sgd();
    heed_optim_adam_options adam = any_adam();
    heed_module *m = heed_module_new("mine", sizeof *m), *some = one_in(4) ? NULL : m;
    if (any_flag())
        ck_assert_ptr_nonnull(heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2))));
    MADE(heed_optim_sgd(some, GIVEN(sgd)));
    MADE(heed_optim_adam(some, GIVEN(adam)));
    MADE(heed_optim_adamw(some, GIVEN(adam)));
    heed_module *list = draw_list();
    MADE(heed_optim_sgd(list, GIVEN(sgd)));
    MADE(heed_optim_adam(list, GIVEN(adam)));
    MADE(heed_optim_adamw(list, GIVEN(adam)));
    double norm;
    STATUS(heed_optim_clip_grad_norm_(some, any_real(), one_in(3) ? NULL : &norm));
    VALUE(heed_optim_grad_norm(some));
    STATUS(heed_optim_clip_grad_value_(some, any_real()));
    STATUS(heed_optim_clip_grad_norm_(list, any_real(), one_in(3) ? NULL : &norm));
    VALUE(heed_optim_grad_norm(list));
    STATUS(heed_optim_clip_grad_value_(list, any_real()));
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

static heed_optim_muon_options any_muon(void)
{
    return (heed_optim_muon_options){rate(), rate(), rate(), any_int(), any_flag(), any_flag(), {0}};
}

/* A weight that may not be a matrix. */
static void muon(void)
{
    heed_optim_muon_options options = any_muon();
    heed_module *m = heed_module_new("mine", sizeof *m);
    ck_assert_ptr_nonnull(heed_module_parameter(
        m, "w", heed_ones(HEED_F32, one_in(4) ? HEED_SHAPE(any_flag()) : HEED_SHAPE(any_flag(), 2))));
    heed_tensor *v = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), true);
    heed_optimizer *o = muon_of(&v, 1, NULL);
    MADE(heed_optim_muon(one_in(4) ? NULL : m, GIVEN(options)));
    heed_module *list = draw_list();
    MADE(heed_optim_muon(list, GIVEN(options)));
    STATUS(heed_optim_muon_add_group(one_in(4) ? NULL : o, any_flag() ? m : list, GIVEN(options)));
    ck_assert_int_eq(heed_set_grad(v, heed_full(HEED_F64, HEED_SHAPE(2, 3), any_real())), HEED_OK);
    STATUS(heed_optimizer_step(o));
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

static heed_optim_lbfgs_options any_lbfgs(void)
{
    const int most = one_in(2) ? 3 : any_int();
    return (heed_optim_lbfgs_options){rate(),     most, one_in(2) ? 9 : any_int(), rate(), rate(), any_int(),
                                      any_flag(), {0}};
}

/* A loss of the leaf, of a different tensor, or NULL. */
static heed_tensor *any_loss(void *leaf)
{
    return one_in(8) ? any_tensor() : one_in(8) ? NULL : heed_sum(heed_exp(leaf));
}

static void closures(void)
{
    heed_optim_lbfgs_options options = any_lbfgs();
    heed_module *m = heed_module_new("mine", sizeof *m);
    heed_tensor *w = heed_module_parameter(m, "w", heed_full(HEED_F64, HEED_SHAPE(2), any_real()));
    MADE(heed_optim_lbfgs(one_in(4) ? NULL : m, GIVEN(options)));
    heed_module *list = draw_list();
    MADE(heed_optim_lbfgs(list, GIVEN(options)));
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    options.max_iter = options.max_iter > 3 ? 3 : options.max_iter;
    heed_optimizer *o = one_in(4) ? heed_optim_adam(m, NULL) : heed_optim_lbfgs(m, GIVEN(options));
    heed_error_clear();
    double loss;
    for (int i = 0; i < 2; i++)
        STATUS(heed_optimizer_step_closure(o, one_in(8) ? NULL : any_loss, one_in(8) ? NULL : w,
                                           one_in(2) ? &loss : NULL));
    STATUS(heed_optimizer_step(o));
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

/* Calls the functions of the other optimizers, and adds a group. */
static void more_optimizers(void)
{
    heed_optim_rmsprop_options rmsprop = any_rmsprop();
    heed_optim_adagrad_options adagrad = any_adagrad();
    heed_optim_lion_options lion = any_lion();
    heed_module *m = heed_module_new("mine", sizeof *m), *some = one_in(4) ? NULL : m;
    heed_tensor *w = heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2)));
    MADE(heed_optim_rmsprop(some, GIVEN(rmsprop)));
    MADE(heed_optim_adagrad(some, GIVEN(adagrad)));
    MADE(heed_optim_lion(some, GIVEN(lion)));
    heed_module *list = draw_list();
    MADE(heed_optim_rmsprop(list, GIVEN(rmsprop)));
    MADE(heed_optim_adagrad(list, GIVEN(adagrad)));
    MADE(heed_optim_lion(list, GIVEN(lion)));
    heed_optimizer *of[] = {heed_optim_rmsprop(m, NULL), heed_optim_adagrad(m, NULL), heed_optim_lion(m, NULL), NULL};
    heed_optimizer *o = ANY_OF(of);
    STATUS(heed_optim_rmsprop_add_group(one_in(2) ? o : of[0], list, GIVEN(rmsprop)));
    STATUS(heed_optim_adagrad_add_group(one_in(2) ? o : of[1], list, GIVEN(adagrad)));
    STATUS(heed_optim_lion_add_group(one_in(2) ? o : of[2], list, GIVEN(lion)));
    ck_assert_int_eq(heed_set_grad(w, one_in(4) ? NULL : heed_full(HEED_F32, HEED_SHAPE(2), any_real())), HEED_OK);
    STATUS(heed_optimizer_step(o));
    for (int i = 0; i < COUNT_OF(of); i++)
        heed_optimizer_free(of[i]);
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

static void groups(void)
{
    heed_optim_sgd_options sgd = any_sgd();
    heed_optim_adam_options adam = any_adam();
    heed_tensor *w = new_parameter();
    heed_optimizer *of[] = {sgd_of(&w, 1, &(heed_optim_sgd_options){.lr = 1}), adam_of(&w, 1, NULL),
                            adamw_of(&w, 1, NULL), NULL};
    heed_optimizer *o = ANY_OF(of);
    heed_module *list = draw_list();
    STATUS(heed_optim_sgd_add_group(one_in(2) ? o : of[0], list, GIVEN(sgd)));
    STATUS(heed_optim_adam_add_group(one_in(2) ? o : of[1], list, GIVEN(adam)));
    STATUS(heed_optim_adamw_add_group(one_in(2) ? o : of[2], list, GIVEN(adam)));
    VALUE(heed_optimizer_groups(o));
    VALUE(heed_optimizer_lr(o, one_in(2) ? 0 : any_int()));
    STATUS(heed_optimizer_set_lr(o, one_in(2) ? 0 : any_int(), any_real()));
    heed_optimizer_options options = {rate(), one_in(2) ? 0.0 : rate(), any_flag(), {0}};
    VALUE(heed_optimizer_set_options(o, list, one_in(2) ? "*" : any_text(), GIVEN(options)));
    ck_assert_int_eq(heed_set_grad(w, one_in(4) ? NULL : heed_full(HEED_F64, HEED_SHAPE(2), any_real())), HEED_OK);
    STATUS(heed_optimizer_step(o));
    STATUS(heed_optimizer_zero_grad(o));
    ck_assert_int_eq(heed_module_free(list), HEED_OK);
    for (int i = 0; i < COUNT_OF(of); i++)
        heed_optimizer_free(of[i]);
}

static int unused;

static double any_factor(int64_t t, void *user)
{
    (void)t;
    (void)user;
    if (one_in(8))
        heed_fail(HEED_ERR_IO, "any_factor", "no factor");
    return any_real();
}

static heed_schedule *any_group(heed_optimizer *o)
{
    heed_one_cycle_options cycle = {any_real(), any_real(), any_real(), any_flag(), any_flag(), {0}};
    const int64_t milestones[] = {any_count(), any_count()};
    switch (misuse_random() % 8) {
    case 0:
        return heed_schedule_new_step(o, any_count(), any_real());
    case 1:
        return heed_schedule_new_cosine(o, any_count(), any_real());
    case 2:
        return heed_schedule_new_linear(o, any_real(), any_real(), any_count());
    case 3:
        return heed_schedule_new_one_cycle(o, any_count(), GIVEN(cycle));
    case 4:
        return heed_schedule_new_multi_step(o, one_in(4) ? NULL : milestones, any_int() % 3, any_real());
    case 5:
        return heed_schedule_new_cosine_restarts(o, any_count(), any_count(), any_real());
    case 6:
        return heed_schedule_new_lambda(o, one_in(8) ? NULL : any_factor, any_flag() ? NULL : &unused);
    default:
        return heed_schedule_new_step(o, 2, 0.5);
    }
}

static void use_schedule(heed_schedule *s)
{
    ck_assert((s != NULL) == (heed_error_code() == HEED_OK));
    judge_error("schedule");
    STATUS(heed_schedule_step(s));
    VALUE(heed_schedule_steps(s));
    STATUS(heed_schedule_set_steps(s, any_count()));
    STATUS(heed_schedule_step_metric(s, any_real()));
    STATUS(heed_schedule_free(s));
}

static void schedules(void)
{
    heed_tensor *w = new_parameter();
    heed_optimizer *adam = adam_of(&w, 1, NULL), *o = one_in(4) ? NULL : adam;
    use_schedule(any_group(o));
    heed_plateau_options plateau = {any_real(), any_count(), any_flag(), any_flag(), any_real(),
                                    any_flag(), any_count(), any_real(), any_real(), {0}};
    use_schedule(heed_schedule_new_plateau(o, GIVEN(plateau)));
    heed_schedule *parts[2] = {any_group(NULL), any_group(NULL)};
    heed_error_clear();
    int64_t milestones[] = {any_count(), any_count()};
    int n = (int)(misuse_random() % 23) - 20, kept = n < 0 ? 0 : n;
    bool in_sequence = any_flag();
    use_schedule(in_sequence ? heed_schedule_new_sequential(o, parts, n, one_in(4) ? NULL : milestones)
                             : heed_schedule_new_chained(o, parts, n));
    for (int i = kept; i < 2; i++)
        ck_assert_int_eq(heed_schedule_free(parts[i]), HEED_OK);
    use_schedule(heed_schedule_new_chained(o, NULL, any_int()));
    use_schedule(heed_schedule_new_multi_step(o, NULL, any_int(), any_real()));
    use_schedule(heed_schedule_new_sequential(o, NULL, any_int(), one_in(4) ? NULL : milestones));
    heed_optimizer_free(adam);
}

static void averages(void)
{
    heed_module *m = heed_module_new("mine", sizeof *m);
    if (any_flag())
        ck_assert_ptr_nonnull(heed_module_parameter(m, "w", heed_ones(HEED_F32, HEED_SHAPE(2))));
    heed_average_options options = {any_real(), any_flag(), {0}};
    heed_average *a = heed_average_new(one_in(4) ? NULL : m, GIVEN(options));
    ck_assert((a != NULL) == (heed_error_code() == HEED_OK));
    judge_error("average_new");
    for (int i = 0; i < 4; i++) {
        if (any_flag())
            STATUS(heed_average_swap(a));
        STATUS(heed_average_update(a));
        heed_dict *state = heed_average_state(a);
        ck_assert((state != NULL) == (heed_error_code() == HEED_OK));
        judge_error("average_state");
        heed_dict_free(state);
    }
    heed_average_free(a);
    ck_assert_int_eq(heed_module_free(m), HEED_OK);
}

ROUNDS_OF(optimizers)
ROUNDS_OF(more_optimizers)
ROUNDS_OF(muon)
ROUNDS_OF(closures)
ROUNDS_OF(groups)
ROUNDS_OF(averages)
ROUNDS_OF(schedules)

MISUSE_MAIN("every optimizer misused", rounds_of_optimizers, rounds_of_more_optimizers, rounds_of_muon,
            rounds_of_closures, rounds_of_groups, rounds_of_averages, rounds_of_schedules)
