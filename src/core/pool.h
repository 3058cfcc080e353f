/* core/pool.h - the library's worker threads: started when first needed, asleep when idle. */
#ifndef HEED_CORE_POOL_H
#define HEED_CORE_POOL_H

/* Processes pieces of a job until all are taken, so that any number of concurrent calls complete the job. */
typedef void heed__job_fn(int slot, void *job);

/* Calls fn(0, job) in the calling thread and, at the same time, fn(1, job), fn(2, job) ... in up to threads - 1
 * workers. Returns when all calls have returned. Does not wait for workers that fail to start, or that begin only after
 * the caller's call has returned. */
void heed__share(int threads, heed__job_fn *fn, void *job);

#endif
