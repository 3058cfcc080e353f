/* core/parallel.h - parallel loops over fixed blocks of work, with the same result for any number of threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_PARALLEL_H
#define HEED_CORE_PARALLEL_H

#include <stdint.h>

#include <heed/parallel.h>

/* Returns n / size, rounded up. */
static inline int64_t heed__ceil_div(int64_t n, int64_t size)
{
    return n / size + (n % size != 0);
}

/* Processes the items begin .. end - 1. */
typedef void heed__range_fn(int64_t begin, int64_t end, void *context);

/* Runs fn over 0 .. n - 1, split into ranges of `grain` items that depend only on n and grain. `cost` is the
 * approximate number of element operations per item; loops below a threshold run in the calling thread. Ranges run in
 * any order, so fn must write to separate memory for every item. Partial results belong into an array indexed by begin
 * / grain and are combined afterwards. */
void heed__parallel_for(int64_t n, int64_t grain, int64_t cost, heed__range_fn *fn, void *context);

/* Like heed__parallel_for, with `bytes` of scratch memory that no concurrent call shares. Returns false after heed_fail
 * (HEED_ERR_NOMEM). */
typedef void heed__scratch_fn(int64_t begin, int64_t end, char *scratch, void *context);
bool heed__parallel_for_scratch(const char *where, int64_t n, int64_t grain, int64_t cost, int64_t bytes,
                                heed__scratch_fn *fn, void *context);

#endif
