/* tests/optim/schedules.h - an optimizer with two rates, and schedules with one rule each, for the tests of
 * schedules.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SCHEDULES_H
#define SCHEDULES_H

#include "check_heed.h"

#include "optimizer_of.h"
#include "reference/schedule_reference.h"

static inline heed_tensor *leaf(void)
{
    return heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true);
}

/* Makes two groups with the rates schedule_rates. */
static inline heed_optimizer *make_optimizer(void)
{
    heed_tensor *p = leaf(), *q = leaf();
    heed_optimizer *sgd = sgd_of(&p, 1, &(heed_optim_sgd_options){.lr = schedule_rates[0]});
    ck_assert_int_eq(sgd_add(sgd, &q, 1, &(heed_optim_sgd_options){.lr = schedule_rates[1]}), HEED_OK);
    return sgd;
}

static inline heed_schedule *step(heed_optimizer *o)
{
    return heed_schedule_new_step(o, 3, 0.5);
}

static inline heed_schedule *exponential(heed_optimizer *o)
{
    return heed_schedule_new_step(o, 1, 0.9);
}

static inline heed_schedule *growing(heed_optimizer *o)
{
    return heed_schedule_new_step(o, 1, 1.25);
}

static inline heed_schedule *cosine(heed_optimizer *o)
{
    return heed_schedule_new_cosine(o, 20, 0.0);
}

static inline heed_schedule *cosine_waves(heed_optimizer *o)
{
    return heed_schedule_new_cosine(o, 7, 0.03);
}

static inline heed_schedule *multi_step(heed_optimizer *o)
{
    return heed_schedule_new_multi_step(o, (const int64_t[]){0, 5, 5, 11}, 4, 0.5);
}

static inline heed_schedule *longer_restarts(heed_optimizer *o)
{
    return heed_schedule_new_cosine_restarts(o, 3, 2, 0.005);
}

static inline double inverse_time(int64_t t, void *user)
{
    return 1.0 / (1.0 + *(const double *)user * (double)t);
}

static inline heed_schedule *lambda(heed_optimizer *o)
{
    static double slope = 0.3;
    return heed_schedule_new_lambda(o, inverse_time, &slope);
}

static inline heed_schedule *restarts_after_warm_up(heed_optimizer *o)
{
    return heed_schedule_new_sequential(
        o,
        HEED_SCHEDULES(heed_schedule_new_linear(NULL, 0.1, 1.0, 4), heed_schedule_new_cosine_restarts(NULL, 7, 1, 0.0)),
        (const int64_t[]){4});
}

static inline heed_schedule *linear(heed_optimizer *o)
{
    return heed_schedule_new_linear(o, 0.25, 1.0, 5);
}

static inline heed_schedule *linear_down(heed_optimizer *o)
{
    return heed_schedule_new_linear(o, 1.0, 0.1, 15);
}

#endif
