/* heed/optim/schedules.h - learning-rate schedules.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_SCHEDULES_H
#define HEED_OPTIM_SCHEDULES_H

#include <heed/optim/base.h>

HEED_BEGIN_DECLS

/* -- Schedules --------------------------------------------------------------------------------------------------------
 * A schedule sets the learning rate of every group as a function of the group's own rate, lr in this file, and of a
 * number of steps t, which starts at 0 and increases by 1 with every heed_schedule_step. The rate at t = 0 is set at
 * once. A group that is added later has its scheduled rate from the beginning; in PyTorch it has its own rate until the
 * next step. An optimizer has at most one schedule. A schedule that is made with a NULL optimizer can only be a part of
 * a schedule by heed_schedule_new_chained or heed_schedule_new_sequential. A schedule may be freed before or after its
 * optimizer; the current rates stay.
 *
 * Constructors return NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, or if a rate would not be
 * finite; HEED_ERR_STATE for an optimizer that has a schedule already (chain the two); HEED_ERR_NOMEM. */

/* A learning-rate schedule. Freed by heed_schedule_free. */
typedef struct heed_schedule heed_schedule;

/* Makes a schedule that falls in steps: lr gamma^floor(t / step_size), with step_size >= 1 and gamma >= 0. With
 * step_size 1 it falls exponentially, lr gamma^t, as PyTorch's ExponentialLR.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.StepLR, torch.optim.lr_scheduler.ExponentialLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size,
                                                              double gamma);

/* Makes a schedule that follows a cosine: eta_min + (lr - eta_min) (1 + cos(pi t / t_max)) / 2, with t_max >= 1 and
 * eta_min >= 0. It rises again after t_max.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * Reference: I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
 * torch: torch.optim.lr_scheduler.CosineAnnealingLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_cosine(heed_optimizer *optimizer, int64_t t_max,
                                                                double eta_min);

/* Makes a linear schedule, for warm-up: lr (start + (end - start) min(t, total) / total), with start, end >= 0 and
 * total >= 1.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.LinearLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_linear(heed_optimizer *optimizer, double start, double end,
                                                                int64_t total);

/* Makes a schedule that falls at given steps: lr gamma^k, where k is the number of milestones at or before t. The n
 * milestones are copied; they are 0 or more and do not decrease, and equal ones count twice. gamma >= 0.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range and for NULL milestones unless n is 0; HEED_ERR_STATE for an
 * optimizer that has a schedule already; HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.MultiStepLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_multi_step(heed_optimizer *optimizer,
                                                                    const int64_t *milestones, int n, double gamma);

/* Makes a cosine schedule with warm restarts: eta_min + (lr - eta_min) (1 + cos(pi c / T)) / 2, where c counts the
 * steps since the last restart and T is the length of the current cycle. The first cycle has t_0 >= 1 steps, and every
 * further one t_mult >= 1 times the length of the previous one. eta_min >= 0.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * Reference: I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
 * torch: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_cosine_restarts(heed_optimizer *optimizer, int64_t t_0,
                                                                         int64_t t_mult, double eta_min);

/* The function of heed_schedule_new_lambda. It returns the factor of the rates at step t >= 0: 0 or more, and the same
 * number in every call with the same t. It is called as heed/scope.h describes for user functions, and must not change
 * or free its own optimizer or schedule; these calls fail with HEED_ERR_STATE. */
typedef double (*heed_schedule_function)(int64_t t, void *user);

/* Makes a schedule of a function of the step: lr function(t, user). A checkpoint stores t, but not the function.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL function, and if a rate is negative, infinite or NaN; HEED_ERR_STATE for an
 * optimizer that has a schedule already; HEED_ERR_NOMEM; the error of the function, if it leaves one.
 * torch: torch.optim.lr_scheduler.LambdaLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_lambda(heed_optimizer *optimizer,
                                                                heed_schedule_function function, void *user);

/* Options of heed_schedule_new_one_cycle; NULL: all 0. */
typedef struct heed_one_cycle_options {
    double pct_start;        /* share of the cycle in which the rate rises, in [0, 1]; 0: 0.3 */
    double div_factor;       /* the first rate is lr / div_factor, above 0; 0: 25 */
    double final_div_factor; /* the last rate is the first rate / final_div_factor, above 0; 0: 1e4 */
    bool linear;             /* straight lines instead of cosines */
    bool three_phase;        /* falls to the first rate in the same number of steps as the rise, then to the last rate;
                                requires pct_start <= 1/2 */
    HEED_RESERVED;
} heed_one_cycle_options;

/* Makes a one-cycle schedule, which rises to lr and falls far below its start, once, in `total` >= 1 steps of one batch
 * each. It goes from lr / div_factor at t = 0 to lr at t = pct_start total - 1, and to lr / (div_factor
 * final_div_factor) at t = total - 1, where it stays. The momentum does not change, as with PyTorch's
 * cycle_momentum=False.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a number out of its range; HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * Reference: L. N. Smith, N. Topin: Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates
 * (2018).
 * torch: torch.optim.lr_scheduler.OneCycleLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_one_cycle(heed_optimizer *optimizer, int64_t total,
                                                                   const heed_one_cycle_options *options);

/* Adds 1 to t, and sets the rates of all groups. Call it after every epoch or after every step, depending on the unit
 * in which you gave the schedule's numbers. After a failure t and all rates are unchanged.
 *
 * Errors: HEED_ERR_STATE for a part of another schedule, for a schedule of heed_schedule_new_plateau, after the
 * optimizer was freed, after 2^63 - 1 steps, and in the function of its schedule; HEED_ERR_ARGUMENT for NULL, and
 * if a rate would be negative, infinite or NaN; the error of the schedule's function, if it leaves one.
 * torch: torch.optim.lr_scheduler.StepLR.step */
HEED_API heed_status heed_schedule_step(heed_schedule *schedule);

/* Frees a schedule with its parts; the current rates stay. NULL is ignored.
 *
 * Errors: HEED_ERR_STATE for a part of another schedule, and in the function of its schedule; the schedule is then
 * not freed. */
HEED_API heed_status heed_schedule_free(heed_schedule *schedule);

/* -- Schedules by a metric ----------------------------------------------------------------------------------------- */

/* Options of heed_schedule_new_plateau; NULL: all 0. */
typedef struct heed_plateau_options {
    double factor;    /* factor of a reduction, in (0, 1); 0: 0.1 */
    int64_t patience; /* allowed number of metrics in a row without improvement, 0 or more; 0: 10 */
    bool no_patience; /* patience = 0 */
    bool max;         /* larger is better, as for an accuracy; otherwise smaller, as for a loss */
    double threshold; /* minimum improvement: 0 or more; 0: 1e-4 */
    bool absolute;    /* a metric must be better than best -+ threshold; if false, than best (1 -+ threshold) */
    int64_t cooldown; /* number of metrics after a reduction that `patience` does not count; 0 or more */
    double min_lr;    /* lower limit of the rates; 0 or more */
    double eps;       /* a rate that would fall by at most this does not change: 0 or more; 0: 1e-8 */
    HEED_RESERVED;
} heed_plateau_options;

/* Makes a schedule that reduces the rates when a metric stops improving. The rates become max(factor lr, min_lr), where
 * lr is the current rate, if more than `patience` metrics in a row, passed to heed_schedule_step_metric, were not
 * better than the best metric by `threshold`. Until then the rates do not change. It is not a function of t:
 * heed_schedule_step and heed_schedule_set_steps fail, and it cannot be a part. A checkpoint stores its state.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a NULL optimizer and a number out of its range; HEED_ERR_STATE for an optimizer that
 * has a schedule already; HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.ReduceLROnPlateau */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_plateau(heed_optimizer *optimizer,
                                                                 const heed_plateau_options *options);

/* Passes a metric to a schedule of heed_schedule_new_plateau, such as the validation loss after an epoch, and adds 1 to
 * t. NaN is never better. After a failure the schedule is unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE for a schedule of a different kind, after the optimizer was freed,
 * and after 2^63 - 1 steps.
 * torch: torch.optim.lr_scheduler.ReduceLROnPlateau.step */
HEED_API heed_status heed_schedule_step_metric(heed_schedule *schedule, double metric);

/* -- Expert calls -------------------------------------------------------------------------------------------------- */

/* HEED_SCHEDULES(a, b) stands for two arguments, a list of schedules and its length. */
#define HEED_SCHEDULES(...) HEED_LIST(heed_schedule *, __VA_ARGS__)

/* Combines several schedules that act at the same time: the rate that one part computes is the lr of the next part. It
 * owns its parts, which are made with a NULL optimizer, and frees them on failure too, so constructors may be written
 * in the list. PyTorch's rates differ if one of the parts is a cosine with eta_min > 0, or a cosine past its t_max.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT if the list is empty, or if a part is NULL, given twice, has an optimizer, or is part of
 * another schedule (only that part is not freed); HEED_ERR_STATE for an optimizer that has a schedule already;
 * HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.ChainedScheduler */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_chained(heed_optimizer *optimizer, heed_schedule *const *parts,
                                                                 int n);

/* Combines several schedules one after another: part i starts at t = milestones[i - 1], where its own t is 0. The n - 1
 * milestones must be positive and increasing; NULL if n is 1. It owns its parts, as heed_schedule_new_chained does.
 *
 * Returns NULL on failure.
 * Errors: as heed_schedule_new_chained, and HEED_ERR_ARGUMENT for invalid milestones.
 * torch: torch.optim.lr_scheduler.SequentialLR */
HEED_API HEED_NODISCARD heed_schedule *
heed_schedule_new_sequential(heed_optimizer *optimizer, heed_schedule *const *parts, int n, const int64_t *milestones);

/* Returns t, the number of steps so far, which a checkpoint stores. Returns -1 on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_schedule_steps(const heed_schedule *schedule);

/* Sets t, and the rates with it, as if there had been t steps. After a failure t and all rates are unchanged.
 *
 * Errors: as heed_schedule_step, and HEED_ERR_ARGUMENT for t < 0. */
HEED_API heed_status heed_schedule_set_steps(heed_schedule *schedule, int64_t t);

HEED_END_DECLS

#endif
