/* optim/schedule.c - learning-rate schedules: their steps and rates, plateaus, chains and sequences.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

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

/* Returns false after heed_fail if a function of the optimizer's schedule is running. The schedule and the optimizer
 * must not change during that call. */
static bool check_not_scheduling(const char *where, const heed_optimizer *o)
{
    if (!heed__optimizer_check(where, o))
        return false;
    return !o->scheduling ||
           heed_fail_false(HEED_ERR_STATE, where, "must not be called from the function of the optimizer's schedule");
}

bool heed__schedule_group_rate(const heed_schedule *s, heed_optimizer *o, double base, int64_t t, double *lr)
{
    o->scheduling = true;
    *lr = heed__schedule_rate(s, base, t);
    o->scheduling = false;
    return *lr >= 0.0 && isfinite(*lr);
}

/* Moves the schedule to step t and sets the rates of all groups. Computes all rates before it sets the first one. */
static heed_status set_steps(heed_schedule *s, const char *where, int64_t t)
{
    HEED_ENTER(where);
    heed_optimizer *o = s->optimizer;
    if (s->plateau)
        return heed_fail(HEED_ERR_STATE, where, "the schedule depends on a metric: use heed_schedule_step_metric");
    if (!check_not_scheduling(where, o))
        return HEED_ERR_STATE;
    for (int i = 0; i < o->n_groups; i++) {
        double *lr = &o->groups[i]->next_lr;
        if (!heed__schedule_group_rate(s, o, o->groups[i]->settings.lr, t, lr)) {
            heed_fail(HEED_ERR_ARGUMENT, where, /* keeps an error of a user's function */
                      "step %" PRId64 " makes the learning rate of group %d %g: must be finite and 0 or more", t, i,
                      *lr);
            return heed_error_code();
        }
    }
    for (int i = 0; i < o->n_groups; i++)
        o->groups[i]->lr = o->groups[i]->next_lr;
    s->t = t;
    return HEED_OK;
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

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

/* Returns true if s is neither NULL nor freed; false after heed_fail. */
static bool check_schedule(const char *where, const heed_schedule *s)
{
    if (!s)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the schedule is NULL");
    return heed__is_marked(s->mark, HEED_SCHEDULE) || heed_fail_freed(where, "the schedule", s);
}

static void free_owned(heed_schedule *s)
{
    heed_free(s->plateau, sizeof *s->plateau);
    heed_free(s->milestones, (size_t)s->length * sizeof *s->milestones);
}

static void free_one(heed_schedule *s)
{
    free_owned(s);
    s->mark = 0;
    heed_free(s, sizeof *s);
}

/* Frees the parts of s: repeatedly descends to a schedule without parts, frees it and continues with its parent's
 * remaining parts, until s has no parts. Uses no recursion. */
static void free_parts(heed_schedule *s)
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

heed_schedule *heed__schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer)
{
    HEED_ENTER(where);
    heed_schedule *s = NULL;
    const bool ok = !optimizer || check_not_scheduling(where, optimizer);
    if (ok && optimizer && optimizer->schedule)
        heed_fail(HEED_ERR_STATE, where,
                  "the optimizer already has a schedule: combine the two with heed_schedule_new_chained");
    else if (ok)
        s = heed_alloc(sizeof *s);
    if (!s) {
        free_parts(draft);
        free_owned(draft);
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

heed_status heed_schedule_free(heed_schedule *s)
{
    if (!s)
        return HEED_OK;
    if (!check_schedule("schedule_free", s))
        return heed_error_code();
    if (s->optimizer && !check_not_scheduling("schedule_free", s->optimizer))
        return HEED_ERR_STATE;
    if (s->parent)
        return heed_fail(HEED_ERR_STATE, "schedule_free",
                         "the schedule is part of a different schedule, which frees it");
    if (s->optimizer)
        s->optimizer->schedule = NULL;
    free_parts(s);
    free_one(s);
    return HEED_OK;
}

/* -- Steps --------------------------------------------------------------------------------------------------------- */

/* Checks that the schedule has an optimizer and therefore counts steps. Returns false after heed_fail. */
static bool check_attached(const char *where, const heed_schedule *s)
{
    if (!check_schedule(where, s))
        return false;
    return s->optimizer || heed_fail_false(HEED_ERR_STATE, where, "the schedule has no optimizer%s",
                                           s->parent ? ": it is part of a different schedule" : "");
}

/* Returns the next step, s->t + 1, or -1 after heed_fail on overflow. */
static int64_t next_step(const char *where, const heed_schedule *s)
{
    if (s->t < INT64_MAX)
        return s->t + 1;
    heed_fail(HEED_ERR_STATE, where, "the maximum of %" PRId64 " steps is reached", s->t);
    return -1;
}

heed_status heed_schedule_step(heed_schedule *s)
{
    if (!check_attached("schedule_step", s))
        return heed_error_code();
    int64_t t = next_step("schedule_step", s);
    return t < 0 ? HEED_ERR_STATE : set_steps(s, "schedule_step", t);
}

int64_t heed_schedule_steps(const heed_schedule *s)
{
    return check_schedule("schedule_steps", s) ? s->t : -1;
}

heed_status heed_schedule_set_steps(heed_schedule *s, int64_t t)
{
    if (!check_attached("schedule_set_steps", s))
        return heed_error_code();
    if (t < 0)
        return heed_fail(HEED_ERR_ARGUMENT, "schedule_set_steps", "t is %" PRId64 ": must be 0 or more", t);
    return set_steps(s, "schedule_set_steps", t);
}

bool heed__schedule_check_count(const char *where, const char *name, int64_t count, int64_t minimum)
{
    return count >= minimum || heed_fail_false(HEED_ERR_ARGUMENT, where,
                                               "%s is %" PRId64 ": must be %" PRId64 " or more", name, count, minimum);
}

/* -- Plateau ------------------------------------------------------------------------------------------------------- */

static bool read_plateau_options(const char *where, heed_plateau_options *o)
{
    if (!heed__optim_check_weight(where, "factor", o->factor) ||
        !heed__schedule_check_count(where, "patience", o->patience, 0) ||
        !heed__optim_check(where, "threshold", o->threshold) ||
        !heed__schedule_check_count(where, "cooldown", o->cooldown, 0) ||
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
    if (!heed__optimizer_check(where, optimizer) || !read_plateau_options(where, &o))
        return NULL;
    heed__plateau *plateau = heed_alloc(sizeof *plateau);
    if (!plateau)
        return NULL;
    *plateau = (heed__plateau){.options = o, .best = (double)(o.max ? -INFINITY : INFINITY)};
    return heed__schedule_new(where, &(heed_schedule){.plateau = plateau}, optimizer);
}

static bool is_better(const heed__plateau *p, double metric)
{
    const double threshold = p->options.max ? p->options.threshold : -p->options.threshold;
    double bar = p->best; /* initially infinite */
    if (isfinite(bar))
        bar = p->options.absolute ? bar + threshold : bar * (1.0 + threshold);
    return p->options.max ? metric > bar : metric < bar;
}

heed_status heed_schedule_step_metric(heed_schedule *s, double metric)
{
    static const char where[] = "schedule_step_metric";
    if (!check_attached(where, s))
        return heed_error_code();
    heed__plateau *p = s->plateau;
    if (!p)
        return heed_fail(HEED_ERR_STATE, where, "the schedule depends on steps: use heed_schedule_step");
    const int64_t t = next_step(where, s);
    if (t < 0)
        return HEED_ERR_STATE;
    s->t = t;
    const bool improved = is_better(p, metric);
    p->best = improved ? metric : p->best;
    p->bad_metrics = improved || p->cooldown_left > 0 ? 0 : p->bad_metrics + 1;
    p->cooldown_left -= p->cooldown_left > 0;
    if (p->bad_metrics <= p->options.patience)
        return HEED_OK;
    for (int i = 0; i < s->optimizer->n_groups; i++) {
        heed__group *group = s->optimizer->groups[i];
        const double lr = fmax(group->lr * p->options.factor, p->options.min_lr);
        if (group->lr - lr > p->options.eps)
            group->lr = lr;
    }
    p->cooldown_left = p->options.cooldown;
    p->bad_metrics = 0;
    return HEED_OK;
}

/* -- Chains and sequences ------------------------------------------------------------------------------------------ */

/* Appends a part to `draft` at **end. Returns false after heed_fail if the part is invalid: NULL, freed, already part
 * of a schedule, or with an optimizer. A part with an optimizer is detached from the optimizer and still appended, so
 * that it is freed together with the other parts. */
static bool append_part(const char *where, heed_schedule *draft, heed_schedule ***end, int i, heed_schedule *part)
{
    if (part && !check_schedule(where, part))
        return false;
    if (!part || part->parent)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "part %d is %s", i,
                               !part                   ? "NULL"
                               : part->parent == draft ? "given twice"
                                                       : "part of a different schedule");
    part->parent = draft;
    **end = part;
    *end = &part->next;
    if (!part->optimizer)
        return true;
    heed_fail(HEED_ERR_ARGUMENT, where, "part %d has an optimizer: create parts with a NULL optimizer", i);
    part->optimizer->schedule = NULL;
    part->optimizer = NULL;
    return false;
}

static bool append_parts(const char *where, heed_schedule *draft, heed_schedule *const *parts, int n)
{
    if (!parts)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "parts is NULL");
    if (n < 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d: must be 1 or more", n);
    bool ok = true;
    heed_schedule **end = &draft->first;
    for (int i = 0; i < n; i++)
        ok = append_part(where, draft, &end, i, parts[i]) && ok;
    return ok;
}

heed_schedule *heed_schedule_new_chained(heed_optimizer *optimizer, heed_schedule *const *parts, int n)
{
    heed_schedule draft = {0};
    if (append_parts("schedule_new_chained", &draft, parts, n))
        return heed__schedule_new("schedule_new_chained", &draft, optimizer);
    free_parts(&draft);
    return NULL;
}

/* Sets the start of part i to milestones[i - 1]. Returns false after heed_fail unless the milestones ascend. */
static bool set_starts(const char *where, heed_schedule *draft, const int64_t *milestones)
{
    int64_t last = 0;
    for (heed_schedule *part = draft->first->next; part; part = part->next) {
        if (!milestones)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "milestones is NULL");
        part->start = *milestones++;
        if (part->start <= last)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "milestone %" PRId64 " follows %" PRId64 ": must be above it", part->start, last);
        last = part->start;
    }
    return true;
}

heed_schedule *heed_schedule_new_sequential(heed_optimizer *optimizer, heed_schedule *const *parts, int n,
                                            const int64_t *milestones)
{
    heed_schedule draft = {.in_sequence = true};
    if (append_parts("schedule_new_sequential", &draft, parts, n) &&
        set_starts("schedule_new_sequential", &draft, milestones))
        return heed__schedule_new("schedule_new_sequential", &draft, optimizer);
    free_parts(&draft);
    return NULL;
}
