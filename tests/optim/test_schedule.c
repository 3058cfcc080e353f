/* tests/optim/test_schedule.c - tests learning-rate schedules against PyTorch's
 * (tests/reference/schedule_reference.py).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "optimizer_of.h"
#include "schedules.h"

/* -- Rates -------------------------------------------------------------------------------------------------------- */

static heed_schedule *chained(heed_optimizer *o)
{
    return heed_schedule_new_chained(
        o, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.1, 1.0, 6), heed_schedule_new_step(NULL, 1, 0.8)));
}

static heed_schedule *chained_three(heed_optimizer *o)
{
    return heed_schedule_new_chained(o, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.5, 1.0, 4),
                                                       heed_schedule_new_step(NULL, 5, 0.3),
                                                       heed_schedule_new_cosine(NULL, 30, 0.0)));
}

static heed_schedule *warm_up_then_cosine(heed_optimizer *o)
{
    return heed_schedule_new_sequential(
        o, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.01, 1.0, 5), heed_schedule_new_cosine(NULL, 15, 0.001)),
        (const int64_t[]){5});
}

static heed_schedule *sequential_three(heed_optimizer *o)
{
    return heed_schedule_new_sequential(o,
                                        HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.5, 1.0, 4),
                                                       heed_schedule_new_step(NULL, 1, 0.7),
                                                       heed_schedule_new_step(NULL, 2, 0.1)),
                                        (const int64_t[]){6, 13});
}

static heed_schedule *one_cycle(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(o, SCHEDULE_STEPS + 1, NULL);
}

static heed_schedule *one_cycle_linear(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(o, SCHEDULE_STEPS + 1,
                                       &(heed_one_cycle_options){.pct_start = 0.5, .linear = true, .div_factor = 4.0});
}

static heed_schedule *one_cycle_down(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(o, SCHEDULE_STEPS + 1,
                                       &(heed_one_cycle_options){.pct_start = 0.01, .final_div_factor = 100.0});
}

static heed_schedule *one_cycle_up(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(o, SCHEDULE_STEPS + 1,
                                       &(heed_one_cycle_options){.pct_start = 0.97, .linear = true});
}

static heed_schedule *one_cycle_three(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(
        o, SCHEDULE_STEPS + 1, &(heed_one_cycle_options){.pct_start = 0.4, .three_phase = true, .div_factor = 10.0});
}

static heed_schedule *one_cycle_three_linear(heed_optimizer *o)
{
    return heed_schedule_new_one_cycle(
        o, SCHEDULE_STEPS + 1,
        &(heed_one_cycle_options){.three_phase = true, .linear = true, .final_div_factor = 10.0});
}

static const struct schedule_case {
    heed_schedule *(*make)(heed_optimizer *o);
    const double (*rates)[SCHEDULE_GROUPS];
} cases[] = {
    {step, schedule_step},
    {exponential, schedule_exponential},
    {growing, schedule_growing},
    {cosine, schedule_cosine},
    {cosine_waves, schedule_cosine_waves},
    {linear, schedule_linear},
    {linear_down, schedule_linear_down},
    {multi_step, schedule_multi_step},
    {longer_restarts, schedule_longer_restarts},
    {lambda, schedule_lambda},
    {restarts_after_warm_up, schedule_restarts_after_warm_up},
    {chained, schedule_chained},
    {chained_three, schedule_chained_three},
    {warm_up_then_cosine, schedule_warm_up_then_cosine},
    {sequential_three, schedule_sequential_three},
    {one_cycle, schedule_one_cycle},
    {one_cycle_linear, schedule_one_cycle_linear},
    {one_cycle_down, schedule_one_cycle_down},
    {one_cycle_up, schedule_one_cycle_up},
    {one_cycle_three, schedule_one_cycle_three},
    {one_cycle_three_linear, schedule_one_cycle_three_linear},
};
#define CASES ((int)(sizeof cases / sizeof cases[0]))

START_TEST(follows_pytorch)
{
    for (int i = 0; i < CASES; i++) {
        heed_optimizer *o = make_optimizer();
        heed_schedule *s = cases[i].make(o);
        ck_assert_msg(s != NULL, "case %d: %s", i, heed_error_message());
        for (int t = 0; t <= SCHEDULE_STEPS; t++) {
            ck_assert_int_eq(heed_schedule_steps(s), t);
            for (int k = 0; k < SCHEDULE_GROUPS; k++)
                ck_assert_near(heed_optimizer_lr(o, k), cases[i].rates[t][k], 1e-12 * cases[i].rates[t][k] + 1e-17);
            ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
        }
        ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
        heed_optimizer_free(o);
    }
}
END_TEST

/* Setting any t directly gives the same bits as counting up to it. */
START_TEST(set_steps_resumes_exactly)
{
    for (int i = 0; i < CASES; i++) {
        heed_optimizer *walked = make_optimizer(), *jumped = make_optimizer();
        heed_schedule *slow = cases[i].make(walked), *fast = cases[i].make(jumped);
        for (int t = 0; t <= 60; t++) {
            ck_assert_int_eq(heed_schedule_set_steps(fast, 60 - t), HEED_OK);
            ck_assert_int_eq(heed_schedule_set_steps(fast, t), HEED_OK);
            ck_assert_int_eq(heed_schedule_steps(fast), t);
            for (int k = 0; k < SCHEDULE_GROUPS; k++)
                ck_assert_double_eq(heed_optimizer_lr(jumped, k), heed_optimizer_lr(walked, k));
            ck_assert_int_eq(heed_schedule_step(slow), HEED_OK);
        }
        heed_schedule_free(slow);
        heed_schedule_free(fast);
        heed_optimizer_free(walked);
        heed_optimizer_free(jumped);
    }
}
END_TEST

START_TEST(far_away)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = cosine(o);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX / 40 * 40), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), schedule_rates[0]);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX / 40 * 40 - 20), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.0);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    ck_assert_int_eq(heed_schedule_step(s), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_step");
    ck_assert_int_eq(heed_schedule_steps(s), INT64_MAX);
    heed_schedule_free(s);
    s = heed_schedule_new_cosine(o, INT64_MAX, 0.05);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.05);
    heed_schedule_free(s);
    s = sequential_three(o);
    ck_assert_int_eq(heed_schedule_set_steps(s, INT64_MAX), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.0);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

/* If a schedule would make any rate infinite, it is refused for all groups. */
START_TEST(rates_stay_finite)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = heed_schedule_new_step(o, 1, 1e200);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
    ck_assert_int_eq(heed_schedule_step(s), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_step: step 2 makes the learning rate of group 0 inf");
    ck_assert_int_eq(heed_schedule_steps(s), 1);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.1 * 1e200);
    ck_assert_int_eq(heed_schedule_set_steps(s, 7), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_set_steps: step 7");
    for (int i = 0; i < heed_optimizer_groups(o); i++)
        ck_assert_int_eq(heed_optimizer_set_lr(o, i, 0.0), HEED_OK);
    ck_assert_int_eq(heed_schedule_step(s), HEED_OK); /* a rate of 0 stays 0 with any factor */
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.0);
    heed_schedule_free(s);
    ck_assert_int_eq(heed_optimizer_set_lr(o, 0, 1e300), HEED_OK);
    ck_assert_ptr_null(heed_schedule_new_linear(o, 1e300, 1.0, 5));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_linear: step 0");
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 1e300);
    ck_assert_ptr_null(heed_schedule_new_chained(o, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 1e300, 1.0, 5))));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_chained: step 0");
    s = step(o);
    ck_assert_ptr_nonnull(s);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

/* The factor lies between its ends, and intermediate results do not overflow. */
START_TEST(large_linear_factors)
{
    heed_tensor *p = leaf();
    heed_optimizer *o = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = 1e-300});
    heed_schedule *s = heed_schedule_new_linear(o, 0.0, 1e308, 100);
    ck_assert_int_eq(heed_schedule_set_steps(s, 75), HEED_OK);
    ck_assert_near(heed_optimizer_lr(o, 0), 0.75e8, 1e-4);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

START_TEST(the_end_of_a_warm_up_is_exact)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = heed_schedule_new_linear(o, 0.7, 0.1, 7);
    heed_schedule_set_steps(s, 7);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.1 * schedule_rates[0]);
    heed_schedule_set_steps(s, 700);
    ck_assert_double_eq(heed_optimizer_lr(o, 0), 0.1 * schedule_rates[0]);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

/* A cycle of any length, however it is split, has the given end points, and no rate exceeds lr. */
START_TEST(short_cycles)
{
    heed_optimizer *o = make_optimizer();
    for (int total = 1; total <= 12; total++)
        for (int i = 1; i <= 20; i++) {
            heed_one_cycle_options options = {.pct_start = i / 20.0, .three_phase = i <= 10, .linear = i % 2};
            heed_schedule *s = heed_schedule_new_one_cycle(o, total, &options);
            ck_assert_msg(s != NULL, "%d, %d: %s", total, i, heed_error_message());
            for (int t = 0; t <= total + 1; t++) {
                ck_assert(heed_optimizer_lr(o, 0) > 0.0 && heed_optimizer_lr(o, 0) <= schedule_rates[0]);
                ck_assert_int_eq(heed_schedule_step(s), HEED_OK);
            }
            if (i < 20)
                ck_assert_near(heed_optimizer_lr(o, 0), schedule_rates[0] / 25e4, 1e-18);
            heed_schedule_free(s);
        }
    heed_optimizer_free(o);
}
END_TEST

/* -- Optimizer and schedule ---------------------------------------------------------------------------------------- */

START_TEST(the_step_uses_the_rate_in_force)
{
    heed_tensor *list[] = {leaf(), leaf()};
    heed_optimizer *sgd = sgd_of(&list[0], 1, &(heed_optim_sgd_options){.lr = 0.5});
    heed_schedule *s = heed_schedule_new_step(sgd, 1, 0.5);
    heed_set_grad(list[0], heed_ones(HEED_F64, HEED_SHAPE(1)));
    heed_set_grad(list[1], heed_ones(HEED_F64, HEED_SHAPE(1)));
    heed_schedule_step(s);
    heed_optimizer_step(sgd);
    ck_assert_double_eq(heed_item(list[0]), 0.75);
    /* A group added later gets the rate that the schedule derives from the group's own rate, as if added at the
     * start. */
    ck_assert_int_eq(sgd_add(sgd, &list[1], 1, &(heed_optim_sgd_options){.lr = 1.0}), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 0.5);
    heed_schedule_step(s);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.125);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 0.25);
    /* A rate set by the program takes effect, and the schedule continues from it. */
    ck_assert_int_eq(heed_optimizer_set_lr(sgd, 1, 8.0), HEED_OK);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 8.0);
    heed_schedule_step(s);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.0625);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 1.0);
    heed_schedule_free(s);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 1.0);
    /* The next schedule starts from the groups' own rates again. */
    s = heed_schedule_new_linear(sgd, 0.5, 1.0, 2);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 0), 0.25);
    ck_assert_double_eq(heed_optimizer_lr(sgd, 1), 4.0);
    heed_schedule_free(s);
    heed_optimizer_free(sgd);
}
END_TEST

/* With zero gradients Adam's step is 0, so only the decay remains. */
START_TEST(decoupled_decay_uses_the_rate_in_force)
{
    heed_tensor *p = leaf();
    heed_optimizer *adamw = adamw_of(&p, 1, &(heed_optim_adam_options){.lr = 0.5, .weight_decay = 0.25});
    heed_schedule *s = heed_schedule_new_step(adamw, 1, 0.5);
    heed_set_grad(p, heed_zeros(HEED_F64, HEED_SHAPE(1)));
    heed_schedule_step(s);
    ck_assert_int_eq(heed_optimizer_step(adamw), HEED_OK);
    ck_assert_double_eq(heed_item(p), 1.0 - 0.25 * 0.25);
    heed_schedule_free(s);
    heed_optimizer_free(adamw);
}
END_TEST

START_TEST(an_optimizer_has_one_schedule)
{
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = linear(o);
    double rate = heed_optimizer_lr(o, 0);
    ck_assert_ptr_null(exponential(o));
    ck_assert_error(HEED_ERR_STATE, "schedule_new_step: the optimizer already has a schedule");
    ck_assert_ptr_null(chained(o)); /* the component schedules are freed */
    ck_assert_error(HEED_ERR_STATE, "schedule_new_chained: the optimizer already has a schedule");
    ck_assert_double_eq(heed_optimizer_lr(o, 0), rate);
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
    s = exponential(o);
    ck_assert_ptr_nonnull(s);
    heed_optimizer_free(o); /* freed before its schedule */
    ck_assert_int_eq(heed_schedule_step(s), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "schedule_step: the schedule has no optimizer");
    ck_assert_int_eq(heed_schedule_free(s), HEED_OK);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(numbers_are_checked)
{
    static const double bad[] = {-0.5, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(heed_schedule_new_step(NULL, 3, bad[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_step: gamma is ");
        ck_assert_ptr_null(heed_schedule_new_cosine(NULL, 3, bad[i]));
        ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_cosine: eta_min is ");
        ck_assert_ptr_null(heed_schedule_new_linear(NULL, bad[i], 1.0, 3));
        ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_linear: start is ");
        ck_assert_ptr_null(heed_schedule_new_linear(NULL, 1.0, bad[i], 3));
        ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_linear: end is ");
    }
    ck_assert_ptr_null(heed_schedule_new_one_cycle(NULL, 0, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_new_one_cycle: total is 0");
    ck_assert_ptr_null(heed_schedule_new_one_cycle(NULL, 9, &(heed_one_cycle_options){.pct_start = 1.5}));
    ck_assert_error(HEED_ERR_ARGUMENT, "pct_start is 1.5: must be at most 1");
    ck_assert_ptr_null(
        heed_schedule_new_one_cycle(NULL, 9, &(heed_one_cycle_options){.pct_start = 0.75, .three_phase = true}));
    ck_assert_error(HEED_ERR_ARGUMENT, "pct_start is 0.75: must be at most 0.5 with three_phase");
    ck_assert_ptr_null(heed_schedule_new_one_cycle(NULL, 9, &(heed_one_cycle_options){.div_factor = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "div_factor is -1");
    ck_assert_ptr_null(heed_schedule_new_one_cycle(NULL, 9, &(heed_one_cycle_options){.final_div_factor = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "final_div_factor is -1");
    ck_assert_ptr_null(heed_schedule_new_step(NULL, 0, 0.5));
    ck_assert_error(HEED_ERR_ARGUMENT, "step_size is 0");
    ck_assert_ptr_null(heed_schedule_new_cosine(NULL, -1, 0.0));
    ck_assert_error(HEED_ERR_ARGUMENT, "t_max is -1");
    ck_assert_ptr_null(heed_schedule_new_linear(NULL, 0.0, 1.0, INT64_MIN));
    ck_assert_error(HEED_ERR_ARGUMENT, "total is -9223372036854775808");
    ck_assert_int_eq(heed_schedule_steps(NULL), -1);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_steps");
    ck_assert_int_eq(heed_schedule_step(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_step");
    ck_assert_int_eq(heed_schedule_set_steps(NULL, 1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "schedule_set_steps");
    heed_optimizer *o = make_optimizer();
    heed_schedule *s = step(o);
    ck_assert_int_eq(heed_schedule_set_steps(s, -1), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "t is -1");
    ck_assert_int_eq(heed_schedule_free(NULL), HEED_OK);
    heed_schedule_free(s);
    heed_optimizer_free(o);
}
END_TEST

HEED_TEST_MAIN("schedule", follows_pytorch, set_steps_resumes_exactly, far_away, rates_stay_finite,
               large_linear_factors, short_cycles, the_end_of_a_warm_up_is_exact, the_step_uses_the_rate_in_force,
               decoupled_decay_uses_the_rate_in_force, an_optimizer_has_one_schedule, numbers_are_checked)
