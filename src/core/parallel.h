/* core/parallel.h - work cut into fixed blocks, done by one thread or several with the same result. */
#ifndef HEED_CORE_PARALLEL_H
#define HEED_CORE_PARALLEL_H

#include <stdint.h>

#include <heed/parallel.h>

/* How many pieces of that size n needs. */
static inline int64_t heed__ceil_div(int64_t n, int64_t size)
{
    return n / size + (n % size != 0);
}

/* Does the items begin .. end - 1. */
typedef void heed__range_fn(int64_t begin, int64_t end, void *context);

/* Runs fn over 0 .. n - 1, cut into ranges of `grain` items by n and grain alone. `cost` is the rough number of element
 * operations of one item: work below a cut-off stays in the calling thread. Ranges run in any order, so fn must write
 * to places of its own per item; partial results to be combined belong into an array indexed by begin / grain. */
void heed__parallel_for(int64_t n, int64_t grain, int64_t cost, heed__range_fn *fn, void *context);

/* The same, where fn needs `bytes` of memory that nobody else uses meanwhile. False after heed_fail
 * (HEED_ERR_NOMEM). */
typedef void heed__scratch_fn(int64_t begin, int64_t end, char *scratch, void *context);
bool heed__parallel_for_scratch(const char *where, int64_t n, int64_t grain, int64_t cost, int64_t bytes,
                                heed__scratch_fn *fn, void *context);

#endif
