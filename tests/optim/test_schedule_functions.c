/* tests/optim/test_schedule_functions.c - tests schedules by milestones, with restarts and by a function of the step:
 * resuming, long runs, functions that misbehave. tests/optim/test_schedule.c compares their rates with PyTorch's.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "fail_alloc.h"
#include "schedules.h"

/* -- Resuming ------------------------------------------------------------------------------------------------------ */

static heed_schedule *(*const makers[])(heed_optimizer *) = {multi_step, longer_restarts, lambda,
                                                             restarts_after_warm_up};
#define MAKERS ((int)(sizeof makers / sizeof makers[0]))

/* A checkpoint after 8 steps, loaded into new objects, continues with the same rates. */
START_TEST(checkpoints_resume)
{
    const char path[] = "schedule_functions.safetensors";
    for (int i = 0; i < MAKERS; i++) {
        heed_optimizer *a = make_optimizer(), *b = make_optimizer();
        heed_schedule *slow = makers[i](a), *resumed = makers[i](b);
        for (int t = 0; t < 8; t++)
            ck_assert_int_eq(heed_schedule_step(slow), HEED_OK);
        heed_nn_linear *net = heed_nn_linear_new(2, 2, NULL);
        heed_checkpoint from = {.module = &net->base, .optimizer = a}, to = {.module = &net->base, .optimizer = b};
        ck_assert_int_eq(heed_checkpoint_save(path, &from, NULL), HEED_OK);
        ck_assert_int_eq(heed_checkpoint_load(path, &to), HEED_OK);
        ck_assert_int_eq(remove(path), 0);
        for (int t = 8; t < 20; t++) {
            ck_assert_int_eq(heed_schedule_steps(resumed), t);
            for (int k = 0; k < SCHEDULE_GROUPS; k++)
                ck_assert_double_eq(heed_optimizer_lr(b, k), heed_optimizer_lr(a, k));
            ck_assert_int_eq(heed_schedule_step(slow), HEED_OK);
            ck_assert_int_eq(heed_schedule_step(resumed), HEED_OK);
        }
        ck_assert_int_eq(heed_module_free(&net->base), HEED_OK);
        heed_schedule_free(slow);
        heed_schedule_free(resumed);
        heed_optimizer_free(a);
        heed_optimizer_free(b);
    }
}
END_TEST

/* -- Long runs ----------------------------------------------------------------------------------------------------- */

/* Lengths 3, 3 m, 3 m^2, ... leave the range of int64_t. */
START_TEST(far_restarts)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = heed_schedule_new_cosine_restarts(o, 3, 2, 0.0);
    ck_assert_int_eq(heed_schedule_set_steps(s, 3 * ((INT64_C(1) << 40) - 1)), HEED_OK); /* the 41st cycle begins */
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0]);
    ck_assert_int_eq(heed_schedule_set_steps(s, 3 * ((INT64_C(1) << 40) - 1) + 3 * (INT64_C(1) << 39)), HEED_OK);
    ck_assert_near(heed_optimizer_lr(o, 0), schedule_rates[0] / 2, 1e-15);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    heed_schedule_free(s);
    s = heed_schedule_new_cosine_restarts(o, 2, INT64_MAX, 0.0);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK); /* the middle of a cycle of 2 (2^63 - 1) steps */
    ck_assert_near(heed_optimizer_lr(o, 0), schedule_rates[0] / 2, 1e-15);
    heed_schedule_free(s);
    s = heed_schedule_new_cosine_restarts(o, INT64_MAX, 1, 0.01);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0]);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

/* The milestones are copied, and may be missing. */
START_TEST(milestones)
{
    heed_optimizer *o = make_optimizer();
    int64_t list[] = {1, INT64_MAX};
    heed_schedule *s = heed_schedule_new_multi_step(o, list, 2, 0.5);
    list[0] = 0;
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0]);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0] / 2);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0] / 4);
    heed_schedule_free(s);
    s = heed_schedule_new_multi_step(o, NULL, 0, 0.5);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0]);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

/* -- Functions that misbehave -------------------------------------------------------------------------------------- */

/* The wrong action of a function at step 2, and the objects that it uses. */
typedef struct misuse {
    int kind;
    heed_optimizer *optimizer;
    heed_schedule *schedule;
    heed_module *module;
} misuse;

static double misbehave(int64_t t, void *user)
{
    misuse *m = user;
    static const double factors[] = {-1, (double)NAN, (double)INFINITY};
    if (t != 2)
        return 0.5;
    if (m->kind < 3)
        return factors[m->kind];
    if (m->kind == 3)
        heed_optimizer_free(m->optimizer);
    else if (m->kind == 4)
        (void)heed_schedule_free(m->schedule);
    else if (m->kind == 5)
        (void)heed_schedule_step(m->schedule);
    else if (m->kind == 6)
        (void)heed_optimizer_step(m->optimizer);
    else if (m->kind == 7)
        (void)heed_optimizer_set_options(m->optimizer, m->module, "*", NULL);
    else if (m->kind == 8)
        (void)heed_optim_sgd_add_group(m->optimizer, m->module, &(heed_optim_sgd_options){.lr = 1});
    else
        heed_fail(HEED_ERR_IO, "my_rate", "no file of rates");
    return 0.5;
}

static const struct {
    heed_status status;
    const char *text;
} expected[] = {
    {HEED_ERR_ARGUMENT, "schedule_step: step 2 makes the learning rate of group 0 -0.1: must be finite and 0 or more"},
    {HEED_ERR_ARGUMENT, "step 2 makes the learning rate of group 0 nan"},
    {HEED_ERR_ARGUMENT, "step 2 makes the learning rate of group 0 inf"},
    {HEED_ERR_STATE, "optimizer_free: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_STATE, "schedule_free: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_STATE, "schedule_step: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_STATE, "optimizer_step: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_STATE, "optimizer_set_options: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_STATE, "optim_sgd_add_group: must not be called from the function of the optimizer's schedule"},
    {HEED_ERR_IO, "my_rate: no file of rates"},
};

START_TEST(a_function_that_fails_changes_nothing)
{
    for (int kind = 0; kind < (int)(sizeof expected / sizeof expected[0]); kind++) {
        heed_tensor *w = leaf();
        misuse m = {.kind = kind, .optimizer = make_optimizer(), .module = heed_nn_parameter_list_new(&w, 1)};
        m.schedule = heed_schedule_new_lambda(m.optimizer, misbehave, &m);
        ck_assert_int_eq(heed_schedule_step(m.schedule), HEED_OK);
        ck_assert_int_eq(heed_schedule_step(m.schedule), expected[kind].status);
        ck_assert_error(expected[kind].status, expected[kind].text);
        ck_assert_int_eq(heed_schedule_steps(m.schedule), 1);
        ck_assert_double_eq(heed_optimizer_lr(m.optimizer, 0), 0.5 * schedule_rates[0]);
        ck_assert_int_eq(heed_schedule_set_steps(m.schedule, 3), HEED_OK);
        ck_assert_int_eq(heed_schedule_free(m.schedule), HEED_OK);
        heed_optimizer_free(m.optimizer);
        ck_assert_int_eq(heed_module_free(m.module), HEED_OK);
    }
}
END_TEST

/* A function that makes a second schedule of its optimizer while the first one is attached. */
static double make_second(int64_t t, void *user)
{
    (void)t;
    (void)heed_schedule_new_step(user, 1, 0.5);
    return 1.0;
}

START_TEST(a_second_schedule_is_refused)
{
    heed_optimizer *o = make_optimizer();
    ck_assert_ptr_null(heed_schedule_new_lambda(o, make_second, o));
    ck_assert_error(HEED_ERR_STATE, "schedule_new_step: must not be called from the function");
    heed_schedule *s = step(o);
    ck_assert_ptr_nonnull(s);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

START_TEST(numbers_are_checked)
{
    static const struct {
        int64_t list[2];
        int n;
        const char *text;
    } bad[] = {{{-1, 2}, 2, "a milestone is -1: must be 0 or more"},
               {{5, 4}, 2, "a milestone is 4: must be 5 or more"},
               {{0, 0}, -1, "n is -1: must be 0 or more"}};
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(heed_schedule_new_multi_step(NULL, bad[i].list, bad[i].n, 0.5));
        ck_assert_error(HEED_ERR_ARGUMENT, bad[i].text);
    }
    ck_assert_ptr_null(heed_schedule_new_multi_step(NULL, NULL, 1, 0.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_multi_step: milestones is NULL");
    ck_assert_ptr_null(heed_schedule_new_multi_step(NULL, NULL, 0, -0.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_multi_step: gamma is -0.5");
    ck_assert_ptr_null(heed_schedule_new_cosine_restarts(NULL, 0, 1, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_cosine_restarts: t_0 is 0: must be 1 or more");
    ck_assert_ptr_null(heed_schedule_new_cosine_restarts(NULL, 1, 0, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "t_mult is 0: must be 1 or more");
    ck_assert_ptr_null(heed_schedule_new_cosine_restarts(NULL, 1, 1, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "eta_min is -1");
    ck_assert_ptr_null(heed_schedule_new_lambda(NULL, NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_lambda: the function is NULL");
}
END_TEST

static bool program(double *value)
{
    heed_tensor *p = leaf();
    heed_optimizer *o = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 1});
    heed_schedule *s =
        o ? heed_schedule_new_chained(o, HEED_SCHEDULES(multi_step(NULL), longer_restarts(NULL), lambda(NULL))) : NULL;
    const bool done = s && heed_schedule_step(s) == HEED_OK;
    *value = done ? heed_optimizer_lr(o, 0) : 0.0;
    heed_optimizer_free(o);
    (void)heed_schedule_free(s);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("schedules by functions", checkpoints_resume, far_restarts, milestones,
               a_function_that_fails_changes_nothing, a_second_schedule_is_refused, numbers_are_checked, out_of_memory)
