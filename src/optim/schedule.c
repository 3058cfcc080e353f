/* optim/schedule.c - the base of all learning-rate schedules: creation, step counts and rates. */

#include "optim/schedule.h"

#include <inttypes.h>
#include <math.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "optim/optimizer.h"

HEED_MARK_OUTLIVES_FREE(heed_schedule);

/* Returns the part of s that applies first at step t. In a sequence only the active part applies. In a chain all parts
 * apply, and every part transforms the rate of the previous one. Parts nest to any depth, so heed__schedule_rate
 * descends and ascends by links instead of recursion. */
static const heed_schedule *part_at(const heed_schedule *s, int64_t t)
{
    const heed_schedule *part = s->first;
    while (s->in_sequence && part->next && part->next->start <= t)
        part = part->next;
    return part;
}

double heed__schedule_rate(const heed_schedule *s, double lr, int64_t t)
{
    const heed_schedule *at = s;
    for (;;) {
        while (at->first) {
            at = part_at(at, t);
            t -= at->start;
        }
        lr = at->rule(at, lr, t);
        while (at != s && (at->parent->in_sequence || !at->next)) {
            t += at->start;
            at = at->parent;
        }
        if (at == s)
            return lr;
        at = at->next;
    }
}

/* Moves the schedule to step t and sets the rates of all groups. Checks all rates before it sets the first one. */
static heed_status set_steps(heed_schedule *s, const char *where, int64_t t)
{
    heed_optimizer *o = s->optimizer;
    if (s->plateau)
        return heed_fail(HEED_ERR_STATE, where, "the schedule depends on a metric: use heed_schedule_step_metric");
    for (int i = 0; i < o->n_groups; i++) {
        double lr = heed__schedule_rate(s, o->groups[i]->settings.lr, t);
        if (!isfinite(lr))
            return heed_fail(HEED_ERR_ARGUMENT, where,
                             "step %" PRId64 " makes the learning rate of group %d %g: must be finite", t, i, lr);
    }
    for (int i = 0; i < o->n_groups; i++)
        o->groups[i]->lr = heed__schedule_rate(s, o->groups[i]->settings.lr, t);
    s->t = t;
    return HEED_OK;
}

/* -- Creating and freeing ----------------------------------------------------------------------------------- */

static bool attach(const char *where, heed_schedule *s, heed_optimizer *optimizer)
{
    s->optimizer = optimizer;
    if (optimizer && !s->plateau && set_steps(s, where, 0) != HEED_OK) {
        s->optimizer = NULL;
        return false;
    }
    if (optimizer)
        optimizer->schedule = s;
    return true;
}

bool heed__schedule_check(const char *where, const heed_schedule *s)
{
    if (!s)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the schedule is NULL");
    return heed__is_marked(s->mark, HEED_SCHEDULE) || heed_fail_freed(where, "the schedule", s);
}

heed_schedule *heed__schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer)
{
    HEED_ENTER(where);
    heed_schedule *s = NULL;
    const bool ok = !optimizer || heed__optimizer_check(where, optimizer);
    if (ok && optimizer && optimizer->schedule)
        heed_fail(HEED_ERR_STATE, where,
                  "the optimizer already has a schedule: combine the two with heed_schedule_new_chained");
    else if (ok)
        s = heed_alloc(sizeof *s);
    if (!s) {
        heed__schedule_free_parts(draft);
        heed_free(draft->plateau, sizeof *draft->plateau);
        return NULL;
    }
    *s = *draft;
    s->mark = HEED_MARK(HEED_SCHEDULE, 0);
    for (heed_schedule *part = s->first; part; part = part->next)
        part->parent = s;
    if (attach(where, s, optimizer))
        return s;
    (void)heed_schedule_free(s);
    return NULL;
}

static void free_one(heed_schedule *s)
{
    heed_free(s->plateau, sizeof *s->plateau);
    s->mark = 0;
    heed_free(s, sizeof *s);
}

/* Repeatedly descends to a schedule without parts, frees it and continues with its parent's remaining parts, until s
 * has no parts. Uses no recursion. */
void heed__schedule_free_parts(heed_schedule *s)
{
    heed_schedule *at = s;
    for (;;) {
        while (at->first)
            at = at->first;
        if (at == s)
            return;
        heed_schedule *parent = at->parent;
        parent->first = at->next;
        free_one(at);
        at = parent;
    }
}

heed_status heed_schedule_free(heed_schedule *s)
{
    if (!s)
        return HEED_OK;
    if (!heed__schedule_check("schedule_free", s))
        return heed_error_code();
    if (s->parent)
        return heed_fail(HEED_ERR_STATE, "schedule_free",
                         "the schedule is part of a different schedule, which frees it");
    if (s->optimizer)
        s->optimizer->schedule = NULL;
    heed__schedule_free_parts(s);
    free_one(s);
    return HEED_OK;
}

/* -- Steps -------------------------------------------------------------------------------------------------- */

bool heed__schedule_check_attached(const char *where, const heed_schedule *s)
{
    if (!heed__schedule_check(where, s))
        return false;
    return s->optimizer || heed_fail_false(HEED_ERR_STATE, where, "the schedule has no optimizer%s",
                                           s->parent ? ": it is part of a different schedule" : "");
}

int64_t heed__schedule_next(const char *where, const heed_schedule *s)
{
    if (s->t < INT64_MAX)
        return s->t + 1;
    heed_fail(HEED_ERR_STATE, where, "the maximum of %" PRId64 " steps is reached", s->t);
    return -1;
}

heed_status heed_schedule_step(heed_schedule *s)
{
    if (!heed__schedule_check_attached("schedule_step", s))
        return heed_error_code();
    int64_t t = heed__schedule_next("schedule_step", s);
    return t < 0 ? HEED_ERR_STATE : set_steps(s, "schedule_step", t);
}

int64_t heed_schedule_steps(const heed_schedule *s)
{
    return heed__schedule_check("schedule_steps", s) ? s->t : -1;
}

heed_status heed_schedule_set_steps(heed_schedule *s, int64_t t)
{
    if (!heed__schedule_check_attached("schedule_set_steps", s))
        return heed_error_code();
    if (t < 0)
        return heed_fail(HEED_ERR_ARGUMENT, "schedule_set_steps", "t is %" PRId64 ": must be 0 or more", t);
    return set_steps(s, "schedule_set_steps", t);
}
