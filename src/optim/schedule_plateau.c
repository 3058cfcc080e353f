/* optim/schedule_plateau.c - rates that fall when a metric stops improving; heed/optim/schedules.h states the rule. */

#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>

#include "optim/optimizer.h"
#include "optim/schedule.h"

static bool check_count(const char *where, const char *name, int64_t count)
{
    if (count >= 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be 0 or more", name, count);
}

static bool read_options(const char *where, heed_plateau_options *o)
{
    if (!heed__optim_check_weight(where, "factor", o->factor) || !check_count(where, "patience", o->patience) ||
        !heed__optim_check(where, "threshold", o->threshold) || !check_count(where, "cooldown", o->cooldown) ||
        !heed__optim_check(where, "min_lr", o->min_lr) || !heed__optim_check(where, "eps", o->eps))
        return false;
    if (o->no_patience && o->patience > 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "patience is %" PRId64 ": must be 0 with no_patience",
                               o->patience);
    o->factor = o->factor > 0.0 ? o->factor : 0.1;
    o->patience = o->no_patience || o->patience > 0 ? o->patience : 10;
    o->threshold = o->threshold > 0.0 ? o->threshold : 1e-4;
    o->eps = o->eps > 0.0 ? o->eps : 1e-8;
    return true;
}

heed_schedule *heed_schedule_new_plateau(heed_optimizer *optimizer, const heed_plateau_options *options)
{
    static const char where[] = "schedule_new_plateau";
    HEED_ENTER(where);
    heed_plateau_options o = {0};
    if (options)
        o = *options;
    if (!heed__optimizer_check(where, optimizer) || !read_options(where, &o))
        return NULL;
    heed__plateau *plateau = heed_alloc(sizeof *plateau);
    if (!plateau)
        return NULL;
    *plateau = (heed__plateau){.options = o, .best = (double)(o.max ? -INFINITY : INFINITY)};
    return heed__schedule_new(where, &(heed_schedule){.plateau = plateau}, optimizer);
}

static bool better(const heed__plateau *p, double metric)
{
    const double threshold = p->options.max ? p->options.threshold : -p->options.threshold;
    double bar = p->best; /* initially infinite */
    if (isfinite(bar))
        bar = p->options.absolute ? bar + threshold : bar * (1.0 + threshold);
    return p->options.max ? metric > bar : metric < bar;
}

static void reduce(const heed_plateau_options *o, heed__group *group)
{
    const double lr = fmax(group->lr * o->factor, o->min_lr);
    if (group->lr - lr > o->eps)
        group->lr = lr;
}

heed_status heed_schedule_step_metric(heed_schedule *s, double metric)
{
    static const char where[] = "schedule_step_metric";
    if (!heed__schedule_check_attached(where, s))
        return heed_error_code();
    heed__plateau *p = s->plateau;
    if (!p)
        return heed_fail(HEED_ERR_STATE, where, "the schedule depends on steps: use heed_schedule_step");
    const int64_t t = heed__schedule_next(where, s);
    if (t < 0)
        return HEED_ERR_STATE;
    s->t = t;
    const bool improved = better(p, metric);
    p->best = improved ? metric : p->best;
    p->bad_metrics = improved || p->cooldown_left > 0 ? 0 : p->bad_metrics + 1;
    p->cooldown_left -= p->cooldown_left > 0;
    if (p->bad_metrics <= p->options.patience)
        return HEED_OK;
    for (int i = 0; i < s->optimizer->n_groups; i++)
        reduce(&p->options, s->optimizer->groups[i]);
    p->cooldown_left = p->options.cooldown;
    p->bad_metrics = 0;
    return HEED_OK;
}
