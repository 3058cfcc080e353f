/* core/pool.h - the library's worker threads: started when first needed, asleep when idle.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_POOL_H
#define HEED_CORE_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* Processes pieces of a job until all are taken, so that any number of concurrent calls complete the job. */
typedef void heed__job_fn(int slot, void *job);

/* Calls fn(0, job) in the calling thread and, at the same time, fn(1, job), fn(2, job) ... in up to threads - 1
 * workers. Returns when all calls have returned. Does not wait for workers that fail to start, or that begin only after
 * the caller's call has returned. */
void heed__share(int threads, heed__job_fn *fn, void *job);

/* -- Backoff ------------------------------------------------------------------------------------------------------- */

/* Decides whether loops are shared with the pool, by the recent gain. Next to a busy process, a worker may lose its
 * processor for milliseconds in the middle of a range, and the thread that shares the work waits for it. Sharing then
 * pauses, and the pause doubles after every unsuccessful retry.
 *
 * All times are in nanoseconds. Initialised to zero. */
typedef struct heed__pool_backoff {
    int64_t balance; /* time gained since the last pause */
    int64_t resume;  /* end of the current or last pause */
    int64_t pause;   /* length of that pause */
} heed__pool_backoff;

enum {
    HEED_BACKOFF_LOSS = 1000000, /* loss that starts a pause */
    HEED_BACKOFF_MAX_GAIN =
        4000000, /* limit of the balance, since older gains tell little; reaching it resets the pause
                                 * length */
    HEED_BACKOFF_FIRST_PAUSE = 50000000,
    HEED_BACKOFF_LAST_PAUSE = 1600000000
};

static inline bool heed__pool_backoff_allows(const heed__pool_backoff *p, int64_t now)
{
    return now >= p->resume;
}

/* `gain`: how much longer the work would have taken in one thread. */
static inline void heed__pool_backoff_record(heed__pool_backoff *p, int64_t now, int64_t gain)
{
    p->balance += gain;
    if (p->balance >= HEED_BACKOFF_MAX_GAIN) {
        p->balance = HEED_BACKOFF_MAX_GAIN;
        p->pause = 0;
    } else if (p->balance <= -HEED_BACKOFF_LOSS) {
        p->pause = p->pause == 0                            ? HEED_BACKOFF_FIRST_PAUSE
                   : 2 * p->pause < HEED_BACKOFF_LAST_PAUSE ? 2 * p->pause
                                                            : HEED_BACKOFF_LAST_PAUSE;
        p->resume = now + p->pause;
        p->balance = 0;
    }
}

#endif
