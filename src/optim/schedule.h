/* optim/schedule.h - a schedule: one rule, or a list of parts. */
#ifndef HEED_OPTIM_SCHEDULE_H
#define HEED_OPTIM_SCHEDULE_H

#include <heed/optim.h>

struct heed_schedule {
    /* The rate at step t of a schedule without parts, from the rate it works on. */
    double (*rule)(const heed_schedule *s, double lr, int64_t t);
    int64_t length; /* step_size, t_max or total, */
    double a, b;    /* gamma; eta_min; start and end: as the rule reads them */

    heed_schedule *first; /* the parts; NULL when it is one rule */
    bool in_sequence;     /* the parts come one after another, not all at once */
    int64_t start;        /* of a part in a sequence: the sequence's t where it begins; else 0 */
    heed_schedule *next;  /* of a part: the one after it */
    heed_schedule *parent;

    heed_optimizer *optimizer; /* NULL for a part, and after the optimizer was freed */
    int64_t t;                 /* -1 once it is freed */
};

/* s is a schedule: neither NULL nor freed. False after heed_fail. */
bool heed__schedule_check(const char *where, const heed_schedule *s);

/* A copy of `draft` on the heap, which works on `optimizer` unless that is NULL. Takes the draft's parts over, also on
 * failure, when they are freed. NULL after heed_fail. */
heed_schedule *heed__schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer);

/* Frees the parts of s. */
void heed__schedule_free_parts(heed_schedule *s);

/* The rate that s makes of lr at step t >= 0. */
double heed__schedule_rate(const heed_schedule *s, double lr, int64_t t);

#endif
