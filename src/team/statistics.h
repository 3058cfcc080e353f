/* team/statistics.h - a module's buffers that forward passes update, such as the running statistics of batch norm.
 *
 * Every shard's forward pass starts with the values that the buffers had at the beginning of the step. The changes that
 * the passes make are summed along with the gradients. At the end of the step the buffers change by the mean of these
 * changes over the shards. */
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

/* Sets every element k of the buffers to its saved value plus sums[k] / n. */
void heed__statistics_apply(const heed__statistics *s, const double *sums, double n);

/* Writes the changes since heed__statistics_begin of all `length` elements to `changes`. */
void heed__statistics_changes(const heed__statistics *s, double *changes);

#endif
