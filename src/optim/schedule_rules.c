/* optim/schedule_rules.c - the rules of learning-rate schedules; heed/optim/schedules.h states their formulas.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "optim/optimizer.h"
#include "optim/schedule.h"

#define PI 3.14159265358979323846

static double step_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t times = t / s->length;
    return lr == 0.0 ? 0.0 : lr * pow(s->a, (double)times); /* avoids 0 times an infinite power */
}

heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size, double gamma)
{
    if (!heed__schedule_check_count("schedule_new_step", "step_size", step_size, 1) ||
        !heed__optim_check("schedule_new_step", "gamma", gamma))
        return NULL;
    return heed__schedule_new("schedule_new_step", &(heed_schedule){.rule = step_rule, .length = step_size, .a = gamma},
                              optimizer);
}

/* Uses a weighted mean, which is exact at both ends. Reduces t to one descent, which the ascent mirrors, so that cos
 * stays accurate for a large t. */
static double cosine_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t down = t % s->length;
    if (t / s->length % 2 == 1)
        down = s->length - down;
    double weight = 0.5 * (1.0 + cos(PI * ((double)down / (double)s->length)));
    return weight * lr + (1.0 - weight) * s->a;
}

heed_schedule *heed_schedule_new_cosine(heed_optimizer *optimizer, int64_t t_max, double eta_min)
{
    if (!heed__schedule_check_count("schedule_new_cosine", "t_max", t_max, 1) ||
        !heed__optim_check("schedule_new_cosine", "eta_min", eta_min))
        return NULL;
    return heed__schedule_new("schedule_new_cosine",
                              &(heed_schedule){.rule = cosine_rule, .length = t_max, .a = eta_min}, optimizer);
}

/* Uses a weighted mean, which is exact at both ends. */
static double linear_rule(const heed_schedule *s, double lr, int64_t t)
{
    double weight = t < s->length ? (double)t / (double)s->length : 1.0;
    return lr * ((1.0 - weight) * s->a + weight * s->b);
}

heed_schedule *heed_schedule_new_linear(heed_optimizer *optimizer, double start, double end, int64_t total)
{
    if (!heed__optim_check("schedule_new_linear", "start", start) ||
        !heed__optim_check("schedule_new_linear", "end", end) ||
        !heed__schedule_check_count("schedule_new_linear", "total", total, 1))
        return NULL;
    heed_schedule draft = {.rule = linear_rule, .length = total, .a = start, .b = end};
    return heed__schedule_new("schedule_new_linear", &draft, optimizer);
}

/* Counts the milestones that t has reached. */
static double multi_step_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t times = 0;
    while (times < s->length && s->milestones[times] <= t)
        times++;
    return lr == 0.0 ? 0.0 : lr * pow(s->a, (double)times);
}

static bool check_milestones(const char *where, const int64_t *milestones, int n)
{
    if (n < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d: must be 0 or more", n);
    if (n > 0 && !milestones)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "milestones is NULL");
    for (int i = 0; i < n; i++)
        if (!heed__schedule_check_count(where, "a milestone", milestones[i], i > 0 ? milestones[i - 1] : 0))
            return false;
    return true;
}

heed_schedule *heed_schedule_new_multi_step(heed_optimizer *optimizer, const int64_t *milestones, int n, double gamma)
{
    static const char where[] = "schedule_new_multi_step";
    HEED_ENTER(where);
    if (!check_milestones(where, milestones, n) || !heed__optim_check(where, "gamma", gamma))
        return NULL;
    heed_schedule draft = {.rule = multi_step_rule, .length = n, .a = gamma};
    if (n > 0 && !(draft.milestones = heed_alloc((size_t)n * sizeof *milestones)))
        return NULL;
    if (n > 0)
        memcpy(draft.milestones, milestones, (size_t)n * sizeof *milestones);
    return heed__schedule_new(where, &draft, optimizer);
}

/* Finds the cycle of step t. The next length may exceed int64_t, but then t is below it. */
static double cosine_restarts_rule(const heed_schedule *s, double lr, int64_t t)
{
    double length = (double)s->length;
    if (s->factor == 1)
        t %= s->length;
    for (int64_t cycle = s->length; s->factor > 1 && t >= cycle;) {
        t -= cycle;
        length = (double)cycle * (double)s->factor;
        if (__builtin_mul_overflow(cycle, s->factor, &cycle))
            break;
    }
    const double weight = 0.5 * (1.0 + cos(PI * ((double)t / length)));
    return weight * lr + (1.0 - weight) * s->a;
}

heed_schedule *heed_schedule_new_cosine_restarts(heed_optimizer *optimizer, int64_t t_0, int64_t t_mult, double eta_min)
{
    static const char where[] = "schedule_new_cosine_restarts";
    if (!heed__schedule_check_count(where, "t_0", t_0, 1) || !heed__schedule_check_count(where, "t_mult", t_mult, 1) ||
        !heed__optim_check(where, "eta_min", eta_min))
        return NULL;
    heed_schedule draft = {.rule = cosine_restarts_rule, .length = t_0, .factor = t_mult, .a = eta_min};
    return heed__schedule_new(where, &draft, optimizer);
}

/* Returns NaN after an error of the function. */
static double lambda_rule(const heed_schedule *s, double lr, int64_t t)
{
    heed_callback call = heed_callback_begin("the function of schedule_new_lambda");
    const double factor = s->function(t, s->user);
    return heed_callback_end(&call) ? lr * factor : (double)NAN;
}

heed_schedule *heed_schedule_new_lambda(heed_optimizer *optimizer, heed_schedule_function function, void *user)
{
    static const char where[] = "schedule_new_lambda";
    if (optimizer && !heed__optimizer_check(where, optimizer))
        return NULL;
    if (!function)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the function is NULL");
    heed_schedule draft = {.rule = lambda_rule, .function = function, .user = user};
    return heed__schedule_new(where, &draft, optimizer);
}

/* -- One cycle ----------------------------------------------------------------------------------------------------- */

/* Finds the phase of step t and interpolates between the factors at its beginning and at its end. Every phase begins at
 * the factor and the step at which the previous phase ends. */
static double one_cycle_rule(const heed_schedule *s, double lr, int64_t t)
{
    const heed_one_cycle_options *o = &s->cycle;
    const double first = 1.0 / o->div_factor, total = (double)s->length, up = o->pct_start * total;
    const double last = first / o->final_div_factor, factors[] = {first, 1.0, o->three_phase ? first : last, last};
    const double ends[] = {up - 1.0, o->three_phase ? 2.0 * up - 2.0 : total - 1.0, total - 1.0};
    const double now = t < s->length ? (double)t : total - 1.0;
    double begin = 0.0;
    int phase = 0;
    for (; now > ends[phase]; phase++)
        begin = ends[phase];
    const double part = ends[phase] > begin ? (now - begin) / (ends[phase] - begin) : 1.0;
    const double weight = o->linear ? 1.0 - part : 0.5 * (1.0 + cos(PI * part));
    return lr * (weight * factors[phase] + (1.0 - weight) * factors[phase + 1]);
}

heed_schedule *heed_schedule_new_one_cycle(heed_optimizer *optimizer, int64_t total,
                                           const heed_one_cycle_options *options)
{
    static const char where[] = "schedule_new_one_cycle";
    heed_one_cycle_options o = {0};
    if (options)
        o = *options;
    if (!heed__schedule_check_count(where, "total", total, 1) || !heed__optim_check(where, "pct_start", o.pct_start) ||
        !heed__optim_check(where, "div_factor", o.div_factor) ||
        !heed__optim_check(where, "final_div_factor", o.final_div_factor))
        return NULL;
    const double maximum = o.three_phase ? 0.5 : 1.0;
    if (o.pct_start > maximum)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "pct_start is %g: must be at most %g%s", o.pct_start, maximum,
                              o.three_phase ? " with three_phase" : "");
    o.pct_start = o.pct_start > 0.0 ? o.pct_start : 0.3;
    o.div_factor = o.div_factor > 0.0 ? o.div_factor : 25.0;
    o.final_div_factor = o.final_div_factor > 0.0 ? o.final_div_factor : 1e4;
    heed_schedule draft = {.rule = one_cycle_rule, .length = total, .cycle = o};
    return heed__schedule_new(where, &draft, optimizer);
}
