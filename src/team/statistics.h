/* team/statistics.h - a module's buffers, such as the running statistics of batch norm, which forward passes move.
 *
 * Each shard's pass begins with the buffers as the step did. What it has changed them by travels with the notes of the
 * shard's gradients, and at the end of the step they change by the mean of that.
 */
#ifndef HEED_TEAM_STATISTICS_H
#define HEED_TEAM_STATISTICS_H

#include <heed/module.h>

typedef struct heed__statistic {
    heed_tensor *buffer; /* retained: contiguous, not of bool */
    heed_tensor *begin;  /* retained: what it was as the step began */
} heed__statistic;

typedef struct heed__statistics {
    heed__statistic *list;
    int n, room;
    int64_t length; /* elements of all of them */
} heed__statistics;

/* Of the module's buffers; none for NULL. False after heed_fail. heed__statistics_free is due in either case. */
bool heed__statistics_make(heed__statistics *s, heed_module *module);
void heed__statistics_free(heed__statistics *s);

/* The three below ask for no memory. Remembers the buffers as they are; */
void heed__statistics_begin(const heed__statistics *s);

/* makes them what they were then; */
void heed__statistics_restore(const heed__statistics *s);

/* and moves them by sums[k] / n from there. */
void heed__statistics_move(const heed__statistics *s, const double *sums, double n);

/* Writes by how much each of the `length` elements has changed. */
void heed__statistics_changes(const heed__statistics *s, double *changes);

#endif
