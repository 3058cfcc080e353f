/* optim/schedule.h - a schedule: one rule, or a list of parts. */
#ifndef HEED_OPTIM_SCHEDULE_H
#define HEED_OPTIM_SCHEDULE_H

#include <heed/optim.h>

/* What a plateau was told, its defaults filled in, and what it has seen. */
typedef struct heed__plateau {
    heed_plateau_options options;
    double best;
    int64_t bad;  /* metrics in a row that were no better */
    int64_t rest; /* metrics still to come that are not counted among these */
} heed__plateau;

struct heed_schedule {
    /* The rate at step t of a schedule without parts, from the rate it works on. */
    double (*rule)(const heed_schedule *s, double lr, int64_t t);
    int64_t length; /* step_size, t_max or total, */
    double a, b;    /* gamma; eta_min; start and end: as the rule reads them */

    heed_one_cycle_options cycle; /* of one cycle */
    heed__plateau *plateau;       /* of a plateau, which has no rule: owned; else NULL */

    heed_schedule *first; /* the parts; NULL when it is one rule */
    bool in_sequence;     /* the parts come one after another, not all at once */
    int64_t start;        /* of a part in a sequence: the sequence's t where it begins; else 0 */
    heed_schedule *next;  /* of a part: the one after it */
    heed_schedule *parent;

    heed_optimizer *optimizer; /* NULL for a part, and after the optimizer was freed */
    int64_t t;
    uint64_t mark;
};

/* s is a schedule: neither NULL nor freed. False after heed_fail. */
bool heed__schedule_check(const char *where, const heed_schedule *s);

/* A copy of `draft` on the heap, which works on `optimizer` unless that is NULL. Takes the draft's parts and its
 * plateau over, also on failure, when they are freed. NULL after heed_fail. */
heed_schedule *heed__schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer);

/* A schedule that counts on its own: it has an optimizer. False after heed_fail. */
bool heed__schedule_check_attached(const char *where, const heed_schedule *s);

/* t + 1; -1 after heed_fail when that is too large. */
int64_t heed__schedule_next(const char *where, const heed_schedule *s);

/* Frees the parts of s. */
void heed__schedule_free_parts(heed_schedule *s);

/* The rate that s makes of lr at step t >= 0. */
double heed__schedule_rate(const heed_schedule *s, double lr, int64_t t);

#endif
