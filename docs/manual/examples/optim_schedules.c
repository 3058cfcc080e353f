/* optim_schedules.c - examples of heed/optim.h: learning-rate schedules. docs/manual/README.md says what the marks
 * mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static heed_optimizer *make_sgd(double lr)
{
    heed_nn_linear *net = heed_nn_linear_new(1, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = lr});
    heed_module_free(&net->base); /* the optimizer retains the parameters */
    return sgd;
}

static void example_step(void)
{
    heed_optimizer *sgd = make_sgd(0.1);
    /* [heed_schedule_new_step] */
    heed_schedule *schedule = heed_schedule_new_step(sgd, 30, 0.1);
    for (int epoch = 0; epoch < 90; epoch++) {
        if (epoch % 30 == 0)
            printf("%g ", heed_optimizer_lr(sgd, 0)); /* -> 0.1 0.01 0.001 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_cosine(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_cosine] */
    heed_schedule *schedule = heed_schedule_new_cosine(sgd, 4, 0.0);
    for (int epoch = 0; epoch <= 4; epoch++) {
        printf("%.4f ", heed_optimizer_lr(sgd, 0)); /* -> 1.0000 0.8536 0.5000 0.1464 0.0000 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_multi_step(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_multi_step] */
    const int64_t milestones[] = {2, 3};
    heed_schedule *schedule = heed_schedule_new_multi_step(sgd, milestones, 2, 0.1);
    for (int epoch = 0; epoch < 5; epoch++) {
        printf("%g ", heed_optimizer_lr(sgd, 0)); /* -> 1 1 0.1 0.01 0.01 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_restarts(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_cosine_restarts] */
    heed_schedule *schedule = heed_schedule_new_cosine_restarts(sgd, 2, 2, 0.0); /* cycles of 2, 4, 8, ... epochs */
    for (int epoch = 0; epoch <= 6; epoch++) {
        printf("%.4f ", heed_optimizer_lr(sgd, 0)); /* -> 1.0000 0.5000 1.0000 0.8536 0.5000 0.1464 1.0000 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

/* [heed_schedule_new_lambda] */
static double inverse(int64_t t, void *user)
{
    return 1.0 / (1.0 + *(double *)user * (double)t);
}
/* [] */

static void example_lambda(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_lambda] */
    double slope = 0.5;
    heed_schedule *schedule = heed_schedule_new_lambda(sgd, inverse, &slope);
    for (int step = 0; step < 4; step++) {
        printf("%.3f ", heed_optimizer_lr(sgd, 0)); /* -> 1.000 0.667 0.500 0.400 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_linear(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_linear] */
    heed_schedule *schedule = heed_schedule_new_linear(sgd, 0.0, 1.0, 4); /* warm-up in 4 steps */
    for (int step = 0; step < 6; step++) {
        printf("%g ", heed_optimizer_lr(sgd, 0)); /* -> 0 0.25 0.5 0.75 1 1 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_chained(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_chained] */
    heed_schedule *schedule = heed_schedule_new_chained(
        sgd, HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.25, 1.0, 3), heed_schedule_new_step(NULL, 1, 0.5)));
    for (int epoch = 0; epoch < 5; epoch++) {
        printf("%g ", heed_optimizer_lr(sgd, 0)); /* -> 0.25 0.25 0.1875 0.125 0.0625 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule); /* also frees the chained schedules */
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_sequential(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_sequential] */
    const int64_t milestones[] = {4}; /* 4 steps of warm-up, then a cosine to 0 */
    heed_schedule *parts[] = {heed_schedule_new_linear(NULL, 0.0, 1.0, 4), heed_schedule_new_cosine(NULL, 4, 0.0)};
    heed_schedule *schedule = heed_schedule_new_sequential(sgd, parts, 2, milestones);
    for (int step = 0; step <= 8; step++) {
        printf("%.2f ", heed_optimizer_lr(sgd, 0)); /* -> 0.00 0.25 0.50 0.75 1.00 0.85 0.50 0.15 0.00 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_one_cycle(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_one_cycle] */
    const int64_t steps = 10; /* total number of batches */
    heed_schedule *schedule = heed_schedule_new_one_cycle(sgd, steps, &(heed_one_cycle_options){.pct_start = 0.5});
    for (int step = 0; step < steps; step++) {
        printf("%.2f ", heed_optimizer_lr(sgd, 0)); /* -> 0.04 0.18 0.52 0.86 1.00 0.90 0.65 0.35 0.10 0.00 */
        heed_schedule_step(schedule);
    }
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_plateau(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_new_plateau heed_schedule_step_metric] */
    heed_schedule *plateau = heed_schedule_new_plateau(sgd, &(heed_plateau_options){.factor = 0.5, .patience = 1});
    const double losses[] = {3, 2, 2, 2, 1.5, 1.5, 1.5}; /* on the validation data, per epoch */
    for (int epoch = 0; epoch < 7; epoch++) {
        heed_schedule_step_metric(plateau, losses[epoch]);
        printf("%g ", heed_optimizer_lr(sgd, 0)); /* -> 1 1 1 0.5 0.5 0.5 0.25 */
    }
    heed_schedule_free(plateau);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_count(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_step heed_schedule_steps heed_schedule_set_steps] */
    heed_schedule *schedule = heed_schedule_new_step(sgd, 1, 0.5);
    heed_schedule_step(schedule);
    heed_schedule_step(schedule);
    printf("t = %lld, lr %g\n", (long long)heed_schedule_steps(schedule), heed_optimizer_lr(sgd, 0));
    /* -> t = 2, lr 0.25 */
    heed_schedule_set_steps(schedule, 10);
    printf("t = %lld, lr %g\n", (long long)heed_schedule_steps(schedule), heed_optimizer_lr(sgd, 0));
    /* -> t = 10, lr 0.000976562 */
    heed_schedule_free(schedule);
    /* [] */
    heed_optimizer_free(sgd);
}

static void example_free(void)
{
    heed_optimizer *sgd = make_sgd(1.0);
    /* [heed_schedule_free] */
    heed_schedule *schedule = heed_schedule_new_step(sgd, 1, 0.5);
    heed_schedule_step(schedule);
    heed_schedule_free(schedule); /* the current learning rate stays; a new schedule may follow */
    schedule = heed_schedule_new_linear(sgd, 1.0, 0.0, 10);
    printf("%g\n", heed_optimizer_lr(sgd, 0)); /* -> 1 */
    heed_schedule_free(schedule);
    heed_optimizer_free(sgd);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_step();
    example_cosine();
    example_multi_step();
    example_restarts();
    example_lambda();
    example_linear();
    example_chained();
    example_sequential();
    example_one_cycle();
    example_plateau();
    example_count();
    example_free();
    return 0;
}
