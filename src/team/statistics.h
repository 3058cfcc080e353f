/* team/statistics.h - a module's buffers that forward passes update, such as the running statistics of batch norm.
 *
 * Every shard's pass starts with the buffers as they were at the beginning of the step. The changes it makes are
 * summed along with the gradients, and at the end of the step the buffers change by the mean over the
 * shards. */
#ifndef HEED_TEAM_STATISTICS_H
#define HEED_TEAM_STATISTICS_H

#include <heed/module.h>

typedef struct heed__statistic {
    heed_tensor *buffer; /* retained: contiguous, not bool */
    heed_tensor *begin;  /* retained: the value at the beginning of the step */
} heed__statistic;

typedef struct heed__statistics {
    heed__statistic *list;
    int n, capacity;
    int64_t length; /* number of elements of all buffers */
} heed__statistics;

/* Collects the module's buffers; NULL gives an empty list. Returns false after heed_fail. heed__statistics_free must be
 * called in either case. */
bool heed__statistics_make(heed__statistics *s, heed_module *module);
void heed__statistics_free(heed__statistics *s);

/* Saves the current buffers. This function and the next two do not allocate. */
void heed__statistics_begin(const heed__statistics *s);

/* Restores the saved buffers. */
void heed__statistics_restore(const heed__statistics *s);

/* Sets the buffers to the saved ones plus sums[k] / n. */
void heed__statistics_apply(const heed__statistics *s, const double *sums, double n);

/* Writes the change of each of the `length` elements since heed__statistics_begin. */
void heed__statistics_changes(const heed__statistics *s, double *changes);

#endif
