/* optim/schedule_parts.c - chained and sequential schedules. */

#include <inttypes.h>

#include "optim/optimizer.h"
#include "optim/schedule.h"

/* Appends a part to `draft` at **end. Returns false after heed_fail if the part is invalid: NULL, freed, already part
 * of a schedule, or with an optimizer. A part with an optimizer is detached from the optimizer and still appended, so
 * that it is freed together with the other parts. */
static bool append_part(const char *where, heed_schedule *draft, heed_schedule ***end, int i, heed_schedule *part)
{
    if (part && !heed__schedule_check(where, part))
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
    heed__schedule_free_parts(&draft);
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
    heed__schedule_free_parts(&draft);
    return NULL;
}
