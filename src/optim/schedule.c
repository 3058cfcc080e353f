/* optim/schedule.c - learning-rate schedules: rules, plateaus, chains and sequences, their steps and rates.
 * heed/optim/schedules.h states the formulas. */

#include "optim/schedule.h"

#include <inttypes.h>
#include <math.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "optim/optimizer.h"

#define PI 3.14159265358979323846

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

static void free_one(heed_schedule *s)
{
    heed_free(s->plateau, sizeof *s->plateau);
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

/* Returns a new schedule with the fields of `draft`, attached to `optimizer` unless that is NULL. Takes ownership of
 * the draft's parts and plateau, and frees them on failure. NULL after heed_fail. */
static heed_schedule *schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer)
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
        free_parts(draft);
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

heed_status heed_schedule_free(heed_schedule *s)
{
    if (!s)
        return HEED_OK;
    if (!check_schedule("schedule_free", s))
        return heed_error_code();
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

/* -- Rules --------------------------------------------------------------------------------------------------------- */

static bool check_count(const char *where, const char *name, int64_t count, int64_t minimum)
{
    return count >= minimum || heed_fail_false(HEED_ERR_ARGUMENT, where,
                                               "%s is %" PRId64 ": must be %" PRId64 " or more", name, count, minimum);
}

static double step_rule(const heed_schedule *s, double lr, int64_t t)
{
    int64_t times = t / s->length;
    return lr == 0.0 ? 0.0 : lr * pow(s->a, (double)times); /* avoids 0 times an infinite power */
}

heed_schedule *heed_schedule_new_step(heed_optimizer *optimizer, int64_t step_size, double gamma)
{
    if (!check_count("schedule_new_step", "step_size", step_size, 1) ||
        !heed__optim_check("schedule_new_step", "gamma", gamma))
        return NULL;
    return schedule_new("schedule_new_step", &(heed_schedule){.rule = step_rule, .length = step_size, .a = gamma},
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
    if (!check_count("schedule_new_cosine", "t_max", t_max, 1) ||
        !heed__optim_check("schedule_new_cosine", "eta_min", eta_min))
        return NULL;
    return schedule_new("schedule_new_cosine", &(heed_schedule){.rule = cosine_rule, .length = t_max, .a = eta_min},
                        optimizer);
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
        !heed__optim_check("schedule_new_linear", "end", end) || !check_count("schedule_new_linear", "total", total, 1))
        return NULL;
    heed_schedule draft = {.rule = linear_rule, .length = total, .a = start, .b = end};
    return schedule_new("schedule_new_linear", &draft, optimizer);
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
    if (!check_count(where, "total", total, 1) || !heed__optim_check(where, "pct_start", o.pct_start) ||
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
    return schedule_new(where, &draft, optimizer);
}

/* -- Plateau ------------------------------------------------------------------------------------------------------- */

static bool read_plateau_options(const char *where, heed_plateau_options *o)
{
    if (!heed__optim_check_weight(where, "factor", o->factor) || !check_count(where, "patience", o->patience, 0) ||
        !heed__optim_check(where, "threshold", o->threshold) || !check_count(where, "cooldown", o->cooldown, 0) ||
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
    return schedule_new(where, &(heed_schedule){.plateau = plateau}, optimizer);
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
        return schedule_new("schedule_new_chained", &draft, optimizer);
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
        return schedule_new("schedule_new_sequential", &draft, optimizer);
    free_parts(&draft);
    return NULL;
}
