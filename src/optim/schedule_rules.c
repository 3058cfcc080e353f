/* optim/schedule_rules.c - learning-rate schedules with a single rule; heed/optim.h states the formulas. */

#include <inttypes.h>
#include <math.h>

#include "optim/optimizer.h"
#include "optim/schedule.h"

#define PI 3.14159265358979323846

static bool check_length(const char *where, const char *name, int64_t length)
{
    if (length >= 1)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be 1 or more", name, length);
}

static double step_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t times = t / s->length;
    return lr == 0.0 ? 0.0 : lr * pow(s->a, (double)times); /* avoids 0 times an infinite power */
}

heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size, double gamma)
{
    if (!check_length("schedule_new_step", "step_size", step_size) ||
        !heed__optim_check("schedule_new_step", "gamma", gamma))
        return NULL;
    return heed__schedule_new("schedule_new_step", &(heed_schedule){.rule = step_rule, .length = step_size, .a = gamma},
                              optimizer);
}

heed_schedule *heed_schedule_new_exponential(heed_optimizer *optimizer, double gamma)
{
    if (!heed__optim_check("schedule_new_exponential", "gamma", gamma))
        return NULL;
    return heed__schedule_new("schedule_new_exponential", &(heed_schedule){.rule = step_rule, .length = 1, .a = gamma},
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
    if (!check_length("schedule_new_cosine", "t_max", t_max) ||
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
        !heed__optim_check("schedule_new_linear", "end", end) || !check_length("schedule_new_linear", "total", total))
        return NULL;
    heed_schedule draft = {.rule = linear_rule, .length = total, .a = start, .b = end};
    return heed__schedule_new("schedule_new_linear", &draft, optimizer);
}

/* -- One cycle ---------------------------------------------------------------------------------------------------- */

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
    if (!check_length(where, "total", total) || !heed__optim_check(where, "pct_start", o.pct_start) ||
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
