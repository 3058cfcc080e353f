/* tests/optim/test_schedule_plateau.c - tests rates that fall when a metric stops improving, against PyTorch's
 * (tests/reference/plateau_reference.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "optimizer_of.h"
#include "reference/plateau_reference.h"
#include "states.h"

#define CASES ((int)(sizeof plateau_cases / sizeof plateau_cases[0]))

/* Makes two groups; the second one's rate is ten times as high. */
static heed_optimizer *make_optimizer(void)
{
    heed_tensor *p = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    heed_tensor *q = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = PLATEAU_RATE});
    ck_assert_int_eq(sgd_add(sgd, &q, 1, &(heed_optim_sgd_options){.lr = 10.0 * PLATEAU_RATE}), HEED_OK);
    return sgd;
}

START_TEST(follows_pytorch)
{
    for (int i = 0; i < CASES; i++) {
        heed_optimizer *o = make_optimizer();
        heed_schedule *s = heed_schedule_new_plateau(o, &plateau_cases[i].options);
        ck_assert_msg(s != NULL, "%s: %s", plateau_cases[i].name, heed_error_message());
        ck_assert_double_eq(heed_optimizer_lr(o, 0), PLATEAU_RATE);
        for (int t = 0; t < PLATEAU_METRICS; t++) {
            ck_assert_int_eq(heed_schedule_step_metric(s, plateau_metrics[t]), HEED_OK);
            ck_assert_int_eq(heed_schedule_steps(s), t + 1);
            ck_assert_msg(fabs(heed_optimizer_lr(o, 0) - plateau_cases[i].rates[t]) <= 1e-15, "%s, %d: %.17g",
                          plateau_cases[i].name, t, heed_optimizer_lr(o, 0));
        }
        heed_schedule_free(s);
        heed_optimizer_free(o);
    }
}
END_TEST

/* All groups fall by the same factor, from their own rates, to the same minimum. */
START_TEST(groups)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s =
        heed_schedule_new_plateau(o, &(heed_plateau_options){.factor = 0.25, .no_patience = true, .min_lr = 0.0625});
    for (int i = 0; i < 3; i++)
        heed_schedule_step_metric(s, 1.0);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.0625);
    ck_assert_double_eq(heed_optimizer_lr(o, 1), 0.0625);
    heed_schedule_free(s);
    ck_assert_double_eq(heed_optimizer_lr(o, 1), 0.0625); /* unchanged */
    heed_optimizer_free(o);
}
END_TEST

/* Half of the metrics, then a save, then the other half: the rates equal those of a run that was never saved. */
START_TEST(resumes_from_its_state)
{
    for (int i = 0; i < CASES; i++)
        for (int cut = 0; cut <= PLATEAU_METRICS; cut += 3) {
            heed_optimizer *a = make_optimizer(), *b = make_optimizer();
            heed_schedule *s = heed_schedule_new_plateau(a, &plateau_cases[i].options);
            heed_schedule *r = heed_schedule_new_plateau(b, &plateau_cases[i].options);
            for (int t = 0; t < cut; t++)
                heed_schedule_step_metric(s, plateau_metrics[t]);
            for (int t = 0; t < 5; t++)
                heed_schedule_step_metric(r, -100.0 * t);
            heed_dict *state = heed_optimizer_state(a);
            ck_assert_msg(heed_optimizer_load_state(b, state, NULL) == HEED_OK, "%s", heed_error_message());
            heed_dict_free(state);
            ck_assert_int_eq(heed_schedule_steps(r), cut);
            for (int t = cut; t < PLATEAU_METRICS; t++) {
                heed_schedule_step_metric(r, plateau_metrics[t]);
                ck_assert(fabs(heed_optimizer_lr(b, 0) - plateau_cases[i].rates[t]) <= 1e-15);
            }
            heed_schedule_free(s);
            heed_schedule_free(r);
            heed_optimizer_free(a);
            heed_optimizer_free(b);
        }
}
END_TEST

START_TEST(states_that_do_not_match)
{
    heed_optimizer *o = make_optimizer(), *other = make_optimizer();
    heed_schedule *s = heed_schedule_new_plateau(o, NULL), *steps = heed_schedule_new_step(other, 1, 0.5);
    heed_schedule_step_metric(s, 3.0);
    heed_dict *state = heed_optimizer_state(o), *without = heed_optimizer_state(other);
    check_refused(o, state, "schedule.best", heed_full(HEED_F64, HEED_SCALAR, (double)NAN), "schedule.best is NaN");
    check_refused(o, state, "schedule.bad", heed_full(HEED_I64, HEED_SCALAR, -1), "schedule.bad is -1");
    check_refused(o, state, "schedule.rest", heed_full(HEED_I64, HEED_SCALAR, -1), "schedule.rest is -1");
    ck_assert_int_eq(heed_optimizer_load_state(o, without, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "missing: schedule.best schedule.bad schedule.rest");
    ck_assert_int_eq(heed_optimizer_load_state(other, state, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "unexpected: schedule.best schedule.bad schedule.rest");
    ck_assert_int_eq(heed_optimizer_load_state(o, state, NULL), HEED_OK);
    ck_assert_int_eq(heed_schedule_steps(s), 1);
    heed_dict_free(state);
    heed_dict_free(without);
    heed_schedule_free(s);
    heed_schedule_free(steps);
    heed_optimizer_free(o);
    heed_optimizer_free(other);
}
END_TEST

/* A plateau schedule steps by metrics, the others by step counts. */
START_TEST(metrics_and_step_counts_do_not_mix)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = heed_schedule_new_plateau(o, NULL);
    ck_assert_int_eq(heed_schedule_step(s), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_step: the schedule depends on a metric: use heed_schedule_step_metric");
    ck_assert_int_eq(heed_schedule_set_steps(s, 3), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_set_steps: the schedule depends on a metric");
    ck_assert_int_eq(heed_schedule_steps(s), 0);
    ck_assert_ptr_null(heed_schedule_new_plateau(o, NULL));
    ck_assert_error(HEED_ERR_STATE, "schedule_new_plateau: the optimizer already has a schedule");
    heed_schedule_free(s);
    s = heed_schedule_new_step(o, 1, 0.5);
    ck_assert_int_eq(heed_schedule_step_metric(s, 1.0), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_step_metric: the schedule depends on steps: use heed_schedule_step");
    heed_schedule_free(s);
    s = heed_schedule_new_plateau(o, NULL);
    heed_optimizer_free(o);
    ck_assert_int_eq(heed_schedule_step_metric(s, 1.0), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_step_metric: the schedule has no optimizer");
    heed_schedule_free(s);
    ck_assert_int_eq(heed_schedule_step_metric(NULL, 1.0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_step_metric: the schedule is NULL");
}
END_TEST

/* A schedule with an optimizer cannot be a component: a plateau passed as one is freed with the others. */
START_TEST(plateau_cannot_be_a_part)
{
    heed_optimizer *o = make_optimizer();
    ck_assert_ptr_null(heed_schedule_new_chained(NULL, HEED_SCHEDULES(heed_schedule_new_plateau(o, NULL))));
    ck_assert_error(HEED_ERR_ARGUMENT, "part 0 has an optimizer");
    heed_schedule *s = heed_schedule_new_plateau(o, NULL);
    ck_assert_ptr_nonnull(s);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

START_TEST(options_are_checked)
{
    static const struct {
        heed_plateau_options options;
        const char *text;
    } wrong[] = {
        {{.factor = 1.0}, "factor is 1: must be in [0, 1)"},
        {{.factor = -0.5}, "factor is -0.5"},
        {{.patience = -1}, "patience is -1: must be 0 or more"},
        {{.patience = 3, .no_patience = true}, "patience is 3: must be 0 with no_patience"},
        {{.threshold = -1.0}, "threshold is -1"},
        {{.cooldown = -2}, "cooldown is -2: must be 0 or more"},
        {{.min_lr = HUGE_VAL}, "min_lr is inf"},
        {{.eps = -1.0}, "eps is -1"},
    };
    heed_optimizer *o = make_optimizer();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_ptr_null(heed_schedule_new_plateau(o, &wrong[i].options));
        ck_assert_msg(strncmp(heed_error_message(), "schedule_new_plateau: ", 22) == 0, "%s", heed_error_message());
        ck_assert_error(HEED_ERR_ARGUMENT, wrong[i].text);
    }
    ck_assert_ptr_null(heed_schedule_new_plateau(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_plateau: the optimizer is NULL");
    heed_optimizer_free(o);
}
END_TEST

static bool make_and_save(double *value)
{
    heed_tensor *p = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
    heed_optimizer *o = p ? adam_of(&p, 1, NULL) : NULL;
    heed_schedule *s = o ? heed_schedule_new_plateau(o, NULL) : NULL;
    heed_dict *state = s && heed_schedule_step_metric(s, 5.0) == HEED_OK ? heed_optimizer_state(o) : NULL;
    bool done = state && heed_optimizer_load_state(o, state, NULL) == HEED_OK;
    *value = done ? heed_item(heed_dict_get(state, "schedule.best")) : 0.0;
    heed_dict_free(state);
    heed_schedule_free(s);
    heed_optimizer_free(o);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    heed_thread_cleanup();
    fail_alloc_sweep(make_and_save);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("schedule plateau", follows_pytorch, groups, resumes_from_its_state, states_that_do_not_match,
               metrics_and_step_counts_do_not_mix, plateau_cannot_be_a_part, options_are_checked, out_of_memory)
