/* core/pool.h - the library's own threads: started when there is first work for them, asleep when there is none. */
#ifndef HEED_CORE_POOL_H
#define HEED_CORE_POOL_H

/* Takes pieces of a job until none is left, so that any number of calls at once do all of it. */
typedef void heed__job_fn(int slot, void *job);

/* Calls fn(0, job) in the calling thread and meanwhile fn(1, job), fn(2, job) ... in workers, of which up to threads -
 * 1 help. Returns when no call runs any more. A worker that has not begun by the time the caller's call returns is not
 * waited for, nor is one that cannot be started. */
void heed__share(int threads, heed__job_fn *fn, void *job);

#endif
