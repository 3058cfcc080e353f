/* heed/optim/schedules.h - learning-rate schedules. */
#ifndef HEED_OPTIM_SCHEDULES_H
#define HEED_OPTIM_SCHEDULES_H

#include <heed/optim/base.h>

HEED_BEGIN_DECLS

/* -- Schedules ------------------------------------------------------------------------------------------------------
 * A schedule sets the learning rate of each group as a function of the group's own rate, lr below, and of a count of
 * steps t, which starts at 0 and goes up by 1 with each heed_schedule_step; the rate at t = 0 is set at once. A group
 * that is added later has its scheduled rate from the beginning; PyTorch gives it its own rate until the next step. An
 * optimizer has one schedule at most. With a NULL optimizer a schedule is a part for heed_schedule_new_chained or
 * heed_schedule_new_sequential. It may be freed before its optimizer or after it; the rates in force stay. Constructors
 * return NULL with HEED_ERR_ARGUMENT for a number out of its range, or if a rate would not be finite; HEED_ERR_STATE
 * for an optimizer that has a schedule already: chain the two; HEED_ERR_NOMEM. */

/* A learning rate as a function of the steps taken. Freed by heed_schedule_free. */
typedef struct heed_schedule heed_schedule;

/* A rate that falls in steps: lr gamma^floor(t / step_size), with step_size >= 1 and gamma >= 0. NULL on failure:
 * HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that has a schedule already,
 * HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.StepLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size,
                                                              double gamma);

/* A rate that falls exponentially: lr gamma^t, with gamma >= 0. NULL on failure: HEED_ERR_ARGUMENT for a gamma out of
 * its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.ExponentialLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_exponential(heed_optimizer *optimizer, double gamma);

/* A rate that follows a cosine: eta_min + (lr - eta_min) (1 + cos(pi t / t_max)) / 2, up again after t_max, where
 * t_max >= 1, eta_min >= 0. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an
 * optimizer that has a schedule already, HEED_ERR_NOMEM.
 * I. Loshchilov, F. Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts (ICLR 2017).
 * torch: torch.optim.lr_scheduler.CosineAnnealingLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_cosine(heed_optimizer *optimizer, int64_t t_max,
                                                                double eta_min);

/* A rate on a straight line, for warm-up: lr (start + (end - start) min(t, total) / total); start, end >= 0,
 * total >= 1. NULL on failure: HEED_ERR_ARGUMENT for a number out of its range, HEED_ERR_STATE for an optimizer that
 * has a schedule already, HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.LinearLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_linear(heed_optimizer *optimizer, double start, double end,
                                                                int64_t total);

/* What heed_schedule_new_one_cycle is told; NULL: all of them 0. */
typedef struct heed_one_cycle_options {
    double pct_start;        /* how much of the cycle goes up, in [0, 1]; 0: 0.3 */
    double div_factor;       /* the first rate is lr / div_factor, above 0; 0: 25 */
    double final_div_factor; /* the last one is the first / final_div_factor, above 0; 0: 1e4 */
    bool linear;             /* on straight lines, not on cosines */
    bool three_phase;        /* down to the first rate in as many steps as up, then on to the last: pct_start <= 1/2 */
    HEED_RESERVED;
} heed_one_cycle_options;

/* A rate that goes up to lr and far down again, once, in `total` >= 1 steps, a step being a batch: from lr / div_factor
 * at t = 0 to lr at t = pct_start total - 1, and to lr / (div_factor final_div_factor) at t = total - 1, where it
 * stays. The momentum is left alone, as with PyTorch's cycle_momentum=False. NULL on failure: HEED_ERR_ARGUMENT for a
 * number out of its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * L. N. Smith, N. Topin: Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates (2018).
 * torch: torch.optim.lr_scheduler.OneCycleLR */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_one_cycle(heed_optimizer *optimizer, int64_t total,
                                                                   const heed_one_cycle_options *options);

/* What heed_schedule_new_plateau is told; NULL: all of them 0. */
typedef struct heed_plateau_options {
    double factor;    /* what rates are multiplied by, in (0, 1); 0: 0.1 */
    int64_t patience; /* metrics in a row that may be no better, 0 or more; 0: 10 */
    bool no_patience; /* patience = 0: none may */
    bool max;         /* better is more, as for an accuracy; not less, as for a loss */
    double threshold; /* by how much better: 0 or more; 0: 1e-4 */
    bool absolute;    /* better than best -+ threshold, not than best (1 -+ threshold) */
    int64_t cooldown; /* metrics after a reduction that are not counted as no better; 0 or more */
    double min_lr;    /* no rate falls below it; 0 or more */
    double eps;       /* a rate that would fall by no more is left alone: 0 or more; 0: 1e-8 */
    HEED_RESERVED;
} heed_plateau_options;

/* Rates that fall when a metric gets no better: they become max(factor lr, min_lr), from the rate in force, when more
 * than `patience` metrics in a row, told by heed_schedule_step_metric, were no better than the best one by `threshold`.
 * Nothing is set before. It is no function of t: heed_schedule_step and heed_schedule_set_steps fail, and it is never a
 * part. A checkpoint stores what it has seen. NULL on failure: HEED_ERR_ARGUMENT for a NULL optimizer and a number out
 * of its range, HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * torch: torch.optim.lr_scheduler.ReduceLROnPlateau */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_plateau(heed_optimizer *optimizer,
                                                                 const heed_plateau_options *options);

/* Tells a schedule of heed_schedule_new_plateau the metric, such as the loss on other data after an epoch, and adds 1
 * to t. NaN is never better. HEED_ERR_ARGUMENT for NULL; HEED_ERR_STATE for another schedule, after the optimizer was
 * freed, and after 2^63 - 1 steps. After a failure nothing has changed.
 * torch: torch.optim.lr_scheduler.ReduceLROnPlateau.step */
HEED_API heed_status heed_schedule_step_metric(heed_schedule *schedule, double metric);

/* HEED_SCHEDULES(a, b) stands for two arguments, a list of schedules and its length. */
#define HEED_SCHEDULES(...) HEED_LIST(heed_schedule *, __VA_ARGS__)

/* Several schedules at once: each takes the rate that the one before it gives for its lr. Owns its parts, which are
 * made with a NULL optimizer, and frees them on failure too: constructors may be written in the list. NULL on failure:
 * HEED_ERR_ARGUMENT when there is no part, or one is NULL, given twice, has an optimizer, or is part of another
 * schedule (only that one is not freed); HEED_ERR_STATE for an optimizer that has a schedule already, HEED_ERR_NOMEM.
 * PyTorch's rates are different if among the parts there is a cosine with eta_min > 0, or one past its t_max.
 * torch: torch.optim.lr_scheduler.ChainedScheduler */
HEED_API HEED_NODISCARD heed_schedule *heed_schedule_new_chained(heed_optimizer *optimizer, heed_schedule *const *parts,
                                                                 int n);

/* Several schedules one after another: part i from t = milestones[i - 1] on, where its own t is 0. The n - 1
 * milestones must be positive and rising; NULL if n is 1. Owns its parts, and fails, as heed_schedule_new_chained;
 * HEED_ERR_ARGUMENT for other milestones.
 * torch: torch.optim.lr_scheduler.SequentialLR */
HEED_API HEED_NODISCARD heed_schedule *
heed_schedule_new_sequential(heed_optimizer *optimizer, heed_schedule *const *parts, int n, const int64_t *milestones);

/* Adds 1 to t, and sets the rates of all groups: after each epoch, or each step, whichever its numbers count.
 * HEED_ERR_STATE for a part, for a schedule of heed_schedule_new_plateau, after the optimizer was freed, and after
 * 2^63 - 1 steps; HEED_ERR_ARGUMENT for NULL, and if a rate would not be finite. After a failure t and all rates are
 * as they were.
 * torch: torch.optim.lr_scheduler.StepLR.step */
HEED_API heed_status heed_schedule_step(heed_schedule *schedule);

/* t, the steps so far, which a checkpoint stores. -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_schedule_steps(const heed_schedule *schedule);

/* Sets t, and the rates with it, as if there had been t steps. Fails as heed_schedule_step does, and with
 * HEED_ERR_ARGUMENT for t < 0. After a failure t and all rates are as they were. */
HEED_API heed_status heed_schedule_set_steps(heed_schedule *schedule, int64_t t);

/* Frees a schedule with its parts; the rates in force stay. NULL is ignored. HEED_ERR_STATE, and nothing happens,
 * for a part of another one. */
HEED_API heed_status heed_schedule_free(heed_schedule *schedule);

HEED_END_DECLS

#endif
