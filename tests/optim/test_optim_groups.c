/* tests/optim/test_optim_groups.c - tests parameter groups with their own options and rates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "optimizer_of.h"

#define SIZE 5

static const double first[SIZE] = {1.5, 0.25, -0.75, 3.0, -2.0};

static heed_tensor *start(void)
{
    return heed_set_requires_grad(heed_from_values(HEED_F64, HEED_SHAPE(SIZE), first, SIZE), true);
}

static void step_on(heed_optimizer *o, heed_tensor *const *list, int n)
{
    ck_assert_int_eq(heed_optimizer_zero_grad(o), HEED_OK);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(heed_backward(heed_sum(heed_exp(list[i]))), HEED_OK);
    ck_assert_int_eq(heed_optimizer_step(o), HEED_OK);
}

static void check_equal(heed_tensor *a, heed_tensor *b)
{
    for (int i = 0; i < SIZE; i++)
        ck_assert_double_eq(heed_get(a, HEED_INDEX(i)), heed_get(b, HEED_INDEX(i)));
}

/* Ten steps of one optimizer with two groups give the same bits as two optimizers with one group each. Frees all of
 * them. */
static void check_groups(heed_optimizer *both, heed_tensor *const *grouped, heed_optimizer *const *separate,
                         heed_tensor *const *separate_parameters)
{
    ck_assert_int_eq(heed_optimizer_groups(both), 2);
    for (int step = 0; step < 10; step++) {
        step_on(both, grouped, 2);
        for (int k = 0; k < 2; k++)
            step_on(separate[k], &separate_parameters[k], 1);
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_double_ne(heed_get(grouped[k], HEED_INDEX(0)), first[0]);
        check_equal(grouped[k], separate_parameters[k]);
        ck_assert_double_eq(heed_optimizer_lr(both, k), heed_optimizer_lr(separate[k], 0));
        heed_optimizer_free(separate[k]);
    }
    ck_assert_double_ne(heed_get(separate_parameters[0], HEED_INDEX(0)),
                        heed_get(separate_parameters[1], HEED_INDEX(0)));
    heed_optimizer_free(both);
}

START_TEST(sgd_groups_are_like_optimizers_of_their_own)
{
    static const heed_optim_sgd_options options[] = {{.lr = 0.1, .weight_decay = 0.3},
                                                     {.lr = 0.02, .momentum = 0.9, .nesterov = true}};
    heed_tensor *grouped[] = {start(), start()}, *separate_parameters[] = {start(), start()};
    heed_optimizer *both = sgd_of(&grouped[0], 1, &options[0]);
    ck_assert_int_eq(sgd_add(both, &grouped[1], 1, &options[1]), HEED_OK);
    heed_optimizer *separate[] = {sgd_of(&separate_parameters[0], 1, &options[0]),
                                  sgd_of(&separate_parameters[1], 1, &options[1])};
    check_groups(both, grouped, separate, separate_parameters);
}
END_TEST

START_TEST(adam_groups_are_like_optimizers_of_their_own)
{
    static const heed_optim_adam_options options[] = {{.lr = 0.1, .weight_decay = 0.3, .amsgrad = true},
                                                      {.beta1 = 0.5}};
    heed_tensor *grouped[] = {start(), start()}, *separate_parameters[] = {start(), start()};
    heed_optimizer *both = adam_of(&grouped[0], 1, &options[0]);
    ck_assert_int_eq(adam_add(both, &grouped[1], 1, &options[1]), HEED_OK);
    heed_optimizer *separate[] = {adam_of(&separate_parameters[0], 1, &options[0]),
                                  adam_of(&separate_parameters[1], 1, &options[1])};
    check_groups(both, grouped, separate, separate_parameters);
}
END_TEST

/* A common use: no decay for biases and norms. */
START_TEST(adamw_groups_are_like_optimizers_of_their_own)
{
    static const heed_optim_adam_options decayed = {.lr = 0.01, .weight_decay = 0.1};
    heed_tensor *grouped[] = {start(), start()}, *separate_parameters[] = {start(), start()};
    heed_optimizer *both = adamw_of(&grouped[0], 1, &decayed);
    ck_assert_int_eq(adamw_add(both, &grouped[1], 1, NULL), HEED_OK);
    heed_optimizer *separate[] = {adamw_of(&separate_parameters[0], 1, &decayed),
                                  adamw_of(&separate_parameters[1], 1, NULL)};
    check_groups(both, grouped, separate, separate_parameters);
}
END_TEST

START_TEST(a_late_group_counts_its_own_steps)
{
    heed_tensor *list[] = {start(), start()}, *separate_parameters = start();
    heed_optimizer *both = adam_of(list, 1, NULL), *separate = adam_of(&separate_parameters, 1, NULL);
    step_on(both, list, 1);
    step_on(both, list, 1);
    ck_assert_int_eq(adam_add(both, &list[1], 1, NULL), HEED_OK);
    step_on(both, list, 2);
    step_on(separate, &separate_parameters, 1);
    check_equal(list[1], separate_parameters);
    heed_optimizer_free(both);
    heed_optimizer_free(separate);
}
END_TEST

START_TEST(rates_are_set_for_one_group)
{
    heed_tensor *list[] = {start(), start()};
    heed_optimizer *sgd = sgd_of(list, 1, &(heed_optim_sgd_options){.lr = 0.5});
    ck_assert_int_eq(sgd_add(sgd, &list[1], 1, &(heed_optim_sgd_options){.lr = 0.25}), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.5);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 0.25);
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 1, 0.0), HEED_OK);
    heed_set_grad(list[0], heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    heed_set_grad(list[1], heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    ck_assert_double_eq(heed_get(list[0], HEED_INDEX(0)), 1.0);
    ck_assert_double_eq(heed_get(list[1], HEED_INDEX(0)), 1.5);
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 0, 1.0), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 1.0);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 0.0);
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 1, -2.0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer_set_lr: lr is -2");
    static const int outside[] = {-1, 2, 1 << 30};
    for (int i = 0; i < 3; i++) {
        ck_assert_double_nan(heed_optimizer_lr(sgd, outside[i]));
        ck_assert_error(HEED_ERR_INDEX, "outside the optimizer's 2 groups");
        ck_assert_int_eq(heed_optimizer_set_lr(sgd, outside[i], 0.1), HEED_ERR_INDEX);
        ck_assert_error(HEED_ERR_INDEX, "outside the optimizer's 2 groups");
    }
    heed_optimizer_free(sgd);
}
END_TEST

/* A submodule with its own rate, and the parameters that are left over. The optimizer outlives the modules. */
START_TEST(modules_are_groups)
{
    heed_module *top = heed_module_new("top", sizeof *top), *head = heed_module_new("head", sizeof *head);
    heed_tensor *w = heed_module_parameter(top, "w", heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    heed_tensor *v = heed_module_parameter(head, "v", heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    heed_tensor *frozen = heed_module_parameter(head, "frozen", heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    heed_module_buffer(head, "b", heed_ones(HEED_F64, HEED_SHAPE(SIZE)));
    heed_module_child(top, "head", head);
    heed_set_requires_grad(frozen, false);
    heed_optimizer *adam = adam_of(&w, 1, &(heed_optim_adam_options){.lr = 0.5});
    ck_assert_int_eq(heed_optim_adam_add_group(adam, top, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_adam_add_group: \"w\" is already in a group");
    ck_assert_int_eq(heed_optim_adam_add_group(adam, head, &(heed_optim_adam_options){.lr = 0.25}), HEED_OK);
    ck_assert_int_eq(heed_optim_adam_add_group(adam, top, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "\"w\" is already in a group");
    ck_assert_int_eq(heed_optimizer_parameter_count(adam), 2);
    heed_retain(w);
    heed_retain(v);
    heed_module_free(top);
    step_on(adam, (heed_tensor *[]){w, v}, 2);
    ck_assert_near(heed_get(w, HEED_INDEX(0)), 0.5, 1e-6);
    ck_assert_near(heed_get(v, HEED_INDEX(0)), 0.75, 1e-6);
    heed_optimizer_free(adam);
    heed_release(w);
    heed_release(v);
}
END_TEST

/* A tensor that is given twice is one parameter. */
START_TEST(tied_parameters_of_a_list)
{
    heed_tensor *w = start(), *once = start();
    heed_optimizer *tied = sgd_of(HEED_TENSORS(w, w), &(heed_optim_sgd_options){.lr = 0.5});
    heed_optimizer *plain = sgd_of(HEED_TENSORS(once), &(heed_optim_sgd_options){.lr = 0.5});
    ck_assert_int_eq(heed_optimizer_parameter_count(tied), 1);
    step_on(tied, &w, 1);
    step_on(plain, &once, 1);
    check_equal(w, once);
    heed_optimizer_free(tied);
    heed_optimizer_free(plain);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(failed_add_group_changes_nothing)
{
    const heed_optim_sgd_options options = {.lr = 0.1};
    heed_tensor *p = start(), *q = start(), *plain = heed_ones(HEED_F64, HEED_SHAPE(2));
    heed_tensor *strided = heed_set_requires_grad(heed_transpose(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), 0, 1), true);
    heed_optimizer *sgd = sgd_of(&p, 1, &options);
    heed_tensor *const lists[][2] = {{q, p}, {q, NULL}, {q, plain}, {q, strided}};
    static const struct {
        heed_status status;
        const char *text;
    } expected[] = {{HEED_ERR_ARGUMENT, "optim_sgd_add_group: \"1\" is already in a group"},
                    {HEED_ERR_ARGUMENT, "nn_parameter_list_new: tensor 1 is NULL"},
                    {HEED_ERR_STATE, "nn_parameter_list_new: \"1\" does not require a gradient"},
                    {HEED_ERR_UNSUPPORTED, "nn_parameter_list_new: \"1\" must be contiguous"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_int_eq(sgd_add(sgd, lists[i], 2, &options), expected[i].status);
        ck_assert_error(expected[i].status, expected[i].text);
    }
    ck_assert_int_eq(sgd_add(sgd, &q, 0, &options), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "no parameter requires a gradient");
    ck_assert_int_eq(heed_optim_sgd_add_group(sgd, NULL, &options), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_sgd_add_group: the module is NULL");
    ck_assert_int_eq(sgd_add(sgd, &q, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "options is NULL");
    ck_assert_int_eq(heed_optimizer_groups(sgd), 1);
    step_on(sgd, (heed_tensor *[]){p, q}, 2);
    check_equal(q, start());
    ck_assert_int_eq(sgd_add(sgd, &q, 1, &options), HEED_OK);
    heed_optimizer_free(sgd);
}
END_TEST

START_TEST(kinds_do_not_mix)
{
    heed_tensor *list[] = {start(), start(), start()}, *other = start();
    heed_optimizer *sgd = sgd_of(&list[0], 1, &(heed_optim_sgd_options){.lr = 0.1});
    heed_optimizer *adam = adam_of(&list[1], 1, NULL);
    heed_optimizer *adamw = adamw_of(&list[2], 1, NULL);
    ck_assert_int_eq(sgd_add(adam, &other, 1, &(heed_optim_sgd_options){.lr = 0.1}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_sgd_add_group: the optimizer was created by heed_optim_adam");
    ck_assert_int_eq(adam_add(sgd, &other, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optim_adam_add_group: the optimizer was created by heed_optim_sgd");
    ck_assert_int_eq(adam_add(adamw, &other, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "created by heed_optim_adamw");
    ck_assert_int_eq(adamw_add(adam, &other, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "created by heed_optim_adam");
    ck_assert_int_eq(adamw_add(NULL, &other, 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "optimizer is NULL");
    heed_optimizer_free(sgd);
    heed_optimizer_free(adam);
    heed_optimizer_free(adamw);
}
END_TEST

/* -- Many parameters ----------------------------------------------------------------------------------------------- */

/* One group of all parameters, one group per parameter, and a refused last group: none of them takes quadratic time. */
START_TEST(many_parameters)
{
    enum { MANY = 20000 };
    heed_tensor **list = malloc(MANY * sizeof *list);
    ck_assert_ptr_nonnull(list);
    for (int i = 0; i < MANY; i++) {
        list[i] = heed_set_requires_grad(heed_zeros(HEED_F32, HEED_SCALAR), true);
        ck_assert_int_eq(heed_set_grad(list[i], heed_full(HEED_F32, HEED_SCALAR, i)), HEED_OK);
    }
    heed_optimizer *sgd = sgd_of(list, MANY, &(heed_optim_sgd_options){.lr = 1.0});
    heed_optimizer *adam = adam_of(list, 1, NULL);
    for (int i = 1; i < MANY; i++)
        ck_assert_int_eq(adam_add(adam, &list[i], 1, NULL), HEED_OK);
    ck_assert_int_eq(heed_optimizer_groups(adam), MANY);
    ck_assert_int_eq(adam_add(adam, &list[MANY / 2], 1, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "already");
    ck_assert_int_eq(heed_optimizer_step(sgd), HEED_OK);
    for (int i = 1; i < MANY; i++)
        ck_assert_double_eq(heed_item(list[i]), -i);
    ck_assert_int_eq(heed_optimizer_step(adam), HEED_OK);
    ck_assert_near(heed_item(list[MANY - 1]), -(MANY - 1) - 1e-3, 2e-3);
    heed_optimizer_free(sgd);
    heed_optimizer_free(adam);
    free(list);
}
END_TEST

/* -- Out of memory ------------------------------------------------------------------------------------------------- */

static bool three_groups(double *value)
{
    heed_tensor *list[] = {start(), start(), start()};
    if (!list[0] || !list[1] || !list[2])
        return false;
    heed_optimizer *adam = adamw_of(list, 1, NULL);
    bool done = adam != NULL;
    for (int i = 1; done && i < 3; i++) {
        done = adamw_add(adam, &list[i], 1, &(heed_optim_adam_options){.lr = i}) == HEED_OK;
        ck_assert_int_eq(heed_optimizer_groups(adam), done ? i + 1 : i);
    }
    for (int i = 0; done && i < 3; i++)
        done = heed_set_grad(list[i], heed_ones(HEED_F64, HEED_SHAPE(SIZE))) == HEED_OK && heed_has_grad(list[i]);
    done = done && heed_optimizer_step(adam) == HEED_OK;
    if (done)
        *value = heed_get(list[2], HEED_INDEX(0));
    heed_optimizer_free(adam);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(three_groups);
    fail_alloc_uninstall();
}
END_TEST

/* A warm-up from 0.1 to 1 times the group's own rate in 9 steps: 0.1 + 0.9 t / 9. */
START_TEST(a_group_added_during_warm_up_has_its_scheduled_rate)
{
    heed_tensor *a = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true),
                *b = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(3)), true),
                *c = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(4)), true);
    heed_optimizer *o = sgd_of(&a, 1, &(heed_optim_sgd_options){.lr = 2.0});
    heed_schedule *warm_up = heed_schedule_new_linear(o, 0.1, 1.0, 9);
    for (int t = 0; t < 3; t++)
        ck_assert_int_eq(heed_schedule_step(warm_up), HEED_OK);
    ck_assert_int_eq(sgd_add(o, &b, 1, &(heed_optim_sgd_options){.lr = 5.0}), HEED_OK);
    ck_assert_near(heed_optimizer_lr(o, 0), 2.0 * 0.4, 1e-15);
    ck_assert_near(heed_optimizer_lr(o, 1), 5.0 * 0.4, 1e-15);
    ck_assert_int_eq(heed_schedule_step(warm_up), HEED_OK);
    ck_assert_near(heed_optimizer_lr(o, 1), 5.0 * 0.5, 1e-15);
    ck_assert_int_eq(heed_schedule_free(warm_up), HEED_OK);
    ck_assert_int_eq(sgd_add(o, &c, 1, &(heed_optim_sgd_options){.lr = 3.0}), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 2), 3.0);
    heed_optimizer_free(o);
}
END_TEST

HEED_TEST_MAIN("optimizer groups", sgd_groups_are_like_optimizers_of_their_own,
               adam_groups_are_like_optimizers_of_their_own, adamw_groups_are_like_optimizers_of_their_own,
               a_late_group_counts_its_own_steps, rates_are_set_for_one_group, modules_are_groups,
               tied_parameters_of_a_list, failed_add_group_changes_nothing, kinds_do_not_mix, many_parameters,
               out_of_memory, a_group_added_during_warm_up_has_its_scheduled_rate)
