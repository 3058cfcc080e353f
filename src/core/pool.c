/* core/pool.c - a pool of workers that all threads of the program share. Workers block signals, which the host's
 * threads handle, and are detached: sleeping workers do not keep the process from ending.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/pool.h"
#include "system/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* How long a waiting thread polls before it sleeps: about the time of a wake-up, and short enough not to disturb other
 * users of the processor. */
#define SPIN_NANOSECONDS 10000
#define RETRY_NANOSECONDS 1000000000 /* after a worker could not be started */

/* Lies in the stack frame of the thread that shares it. Guarded by the pool's lock, except `busy`: the owner waits
 * until it is 0. */
typedef struct shared_job {
    heed__job_fn *fn;
    void *job;
    int threads, joined; /* maximum and current number of threads, including the owner */
    atomic_int busy;     /* workers in fn */
    bool open;           /* more workers may join */
    struct shared_job *next;
} shared_job;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    shared_job *jobs;
    atomic_int open_slots; /* number of workers that may still join these jobs */
    int workers, spinning, asleep;
    int64_t refused_until; /* when to retry starting one */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* -- Fork: a child has no workers and starts its own when it needs them ------------------------------------------ */

/* Threads that held the lock or slept do not exist in the child. The fork does not take the parent's lock, which would
 * require a fixed order with the locks of the host's own fork handlers. */
static void pool_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.jobs = NULL;
    atomic_store(&pool.open_slots, 0);
    pool.workers = pool.spinning = pool.asleep = 0;
    pool.refused_until = 0;
}

__attribute__((constructor)) static void pool_at_load(void)
{
    (void)heed__at_fork(NULL, NULL, pool_in_child);
}

/* -- Waiting ------------------------------------------------------------------------------------------------------ */

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Polls *count until it is 0 (or, if `zero` is false, until it is not 0). Returns false on timeout. */
static bool spin_until(atomic_int *count, bool zero)
{
    enum { POLLS = 16 }; /* between two reads of the clock */
    const int64_t end = heed__nanoseconds() + SPIN_NANOSECONDS;
    do
        for (int i = 0; i < POLLS; i++) {
            if ((atomic_load_explicit(count, memory_order_acquire) == 0) == zero)
                return true;
            pause_briefly();
        }
    while (heed__nanoseconds() < end);
    return false;
}

/* -- Workers, which hold the lock except while they poll, sleep and work ------------------------------------------ */

/* Lets no more workers join the job. Called when the first call of fn has returned, because fn returns only when no
 * piece of work is left to take. */
static void close_job(shared_job *job)
{
    if (!job->open)
        return;
    shared_job **at = &pool.jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    atomic_fetch_sub(&pool.open_slots, job->threads - job->joined);
    job->open = false;
}

static shared_job *open_job(void)
{
    shared_job *job = pool.jobs;
    while (job && job->joined == job->threads)
        job = job->next;
    return job;
}

static shared_job *wait_for_job(void)
{
    shared_job *job;
    while (!(job = open_job())) {
        pool.spinning++;
        pthread_mutex_unlock(&pool.lock);
        const bool offered = spin_until(&pool.open_slots, false);
        pthread_mutex_lock(&pool.lock);
        pool.spinning--;
        if (!offered && !open_job()) {
            pool.asleep++;
            pthread_cond_wait(&pool.work, &pool.lock);
            pool.asleep--;
        }
    }
    return job;
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        shared_job *job = wait_for_job();
        const int slot = job->joined++;
        atomic_fetch_sub(&pool.open_slots, 1);
        atomic_fetch_add(&job->busy, 1);
        pthread_mutex_unlock(&pool.lock);
        job->fn(slot, job->job);
        pthread_mutex_lock(&pool.lock);
        close_job(job);
        if (atomic_fetch_sub(&job->busy, 1) == 1) /* the owner may free the job from here on */
            pthread_cond_broadcast(&pool.done);
    }
    return NULL;
}

/* -- Owners ------------------------------------------------------------------------------------------------------- */

static void start_workers(int count)
{
    if (pool.workers >= count || (pool.refused_until > 0 && heed__nanoseconds() < pool.refused_until))
        return;
    while (pool.workers < count && heed__start_thread(work, NULL, true))
        pool.workers++;
    pool.refused_until = pool.workers < count ? heed__nanoseconds() + RETRY_NANOSECONDS : 0;
}

static void offer(shared_job *job)
{
    const int open_slots = job->threads - 1;
    pthread_mutex_lock(&pool.lock);
    start_workers(open_slots);
    job->open = true;
    job->next = pool.jobs;
    pool.jobs = job;
    int wake = atomic_fetch_add(&pool.open_slots, open_slots) + open_slots - pool.spinning;
    const bool all = wake >= pool.asleep;
    pthread_mutex_unlock(&pool.lock);
    if (all)
        pthread_cond_broadcast(&pool.work);
    for (; wake > 0 && !all; wake--)
        pthread_cond_signal(&pool.work);
}

/* Waits until no worker runs the job. The job is on this thread's stack, so if the program cancels the thread, this
 * takes effect only after the wait. */
static void wait_for_workers(shared_job *job)
{
    if (spin_until(&job->busy, true))
        return;
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&pool.lock);
    while (atomic_load(&job->busy) > 0)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    pthread_setcancelstate(cancellation, &cancellation);
}

void heed__share(int threads, heed__job_fn *fn, void *job)
{
    shared_job shared = {.fn = fn, .job = job, .threads = threads, .joined = 1};
    offer(&shared);
    fn(0, job);
    pthread_mutex_lock(&pool.lock);
    close_job(&shared);
    pthread_mutex_unlock(&pool.lock);
    wait_for_workers(&shared);
}
