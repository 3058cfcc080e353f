/* optim/schedule.h - declarations shared by the schedules. A schedule has a rule, a plateau or a list of parts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_SCHEDULE_H
#define HEED_OPTIM_SCHEDULE_H

#include <heed/optim.h>

/* Options of a plateau, with defaults filled in, and its state. */
typedef struct heed__plateau {
    heed_plateau_options options;
    double best;
    int64_t bad_metrics;   /* number of consecutive metrics without improvement */
    int64_t cooldown_left; /* remaining metrics of the cooldown, which do not count as bad */
} heed__plateau;

struct heed_schedule {
    /* Transforms the rate lr into the rate at step t. NULL if the schedule has parts or is a plateau. */
    double (*rule)(const heed_schedule *s, double lr, int64_t t);
    int64_t length; /* step_size, t_max, t_0, total or the number of milestones */
    int64_t factor; /* t_mult */
    double a, b;    /* gamma; eta_min; or start and end, depending on the rule */

    int64_t *milestones;             /* owned: `length` steps of a multi-step schedule; else NULL */
    heed_schedule_function function; /* of the user; NULL for other rules */
    void *user;

    heed_one_cycle_options cycle; /* options of a one-cycle schedule */
    heed__plateau *plateau;       /* owned; only for a plateau schedule, whose rule is NULL; else NULL */

    heed_schedule *first; /* the first part; NULL for a single rule */
    bool in_sequence;     /* parts apply one after the other, not all at once */
    int64_t start;        /* for a part of a sequence: the step of the sequence at which the part begins; else 0 */
    heed_schedule *next;  /* for a part: the next part */
    heed_schedule *parent;

    heed_optimizer *optimizer; /* NULL for a part, and after the optimizer is freed */
    int64_t t;
    uint64_t mark;
};

/* Returns a new schedule with the fields of `draft`, attached to `optimizer`, which may be NULL. Takes ownership of
 * the draft's parts, plateau and milestones, and frees them on failure. NULL after heed_fail. */
heed_schedule *heed__schedule_new(const char *where, heed_schedule *draft, heed_optimizer *optimizer);

/* Returns count >= minimum, or false after heed_fail. */
bool heed__schedule_check_count(const char *where, const char *name, int64_t count, int64_t minimum);

/* Sets *lr to the rate at step t of a group of o whose own rate is `base`. Returns false for a negative, infinite or
 * NaN rate; a user's function may then have left an error. */
bool heed__schedule_group_rate(const heed_schedule *s, heed_optimizer *o, double base, int64_t t, double *lr);

/* Returns the rate into which s transforms lr at step t >= 0. */
double heed__schedule_rate(const heed_schedule *s, double lr, int64_t t);

#endif
