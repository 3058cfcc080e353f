/* optim/schedule_rules.c - learning-rate schedules of one rule; the formulas are in heed/optim.h. */

#include <inttypes.h>
#include <math.h>

#include "optim/optimizer.h"
#include "optim/schedule.h"

static bool check_length(const char *where, const char *name, int64_t length)
{
    if (length >= 1)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be 1 or more", name, length);
}

static double step_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t times = t / s->length;
    return lr == 0.0 ? 0.0 : lr * pow(s->a, (double)times); /* the power may be infinite */
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

/* As a weighted mean, which is exact at both ends. The way up is the way down mirrored, so t may be large. */
static double cosine_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t down = t % s->length;
    if (t / s->length % 2 == 1)
        down = s->length - down;
    double weight = 0.5 * (1.0 + cos(3.14159265358979323846 * ((double)down / (double)s->length)));
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

/* A weighted mean, too. */
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
