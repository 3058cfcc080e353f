/* core/pool.c - one pool of workers for all threads of the program that share a job. They block all signals, which stay
 * the host's, and are detached: asleep, they hold nothing that the process needs to end. */

#include "core/pool.h"
#include "core/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Who waits looks so long before it sleeps: about what it takes to be woken up, and little for whoever else could use
 * the processor. */
#define SPIN_NANOSECONDS 10000

/* Kernels take little, and many stacks of the usual size would use up what address space a limit leaves. */
#define STACK_BYTES (256 * 1024)

/* In the frame of the thread that shares it. Under the pool's lock but for `busy`, which its owner waits to be 0. */
typedef struct shared_job {
    heed__job_fn *fn;
    void *job;
    int threads, joined; /* its owner among them */
    atomic_int busy;     /* workers in fn */
    bool open;           /* to more of them */
    struct shared_job *next;
} shared_job;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    shared_job *jobs;
    atomic_int places; /* that workers may take in them */
    int workers, spinning, asleep;
    bool refused; /* a worker could not be started, and no other is tried: the system has told its limit */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* -- Fork: a child has no workers, and starts its own when it needs them ----------------------------------------- */

static void before_fork(void)
{
    pthread_mutex_lock(&pool.lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&pool.lock);
}

static void in_child(void)
{
    pool.jobs = NULL;
    atomic_store(&pool.places, 0);
    pool.workers = pool.spinning = pool.asleep = 0;
    pthread_cond_init(&pool.work, NULL); /* who slept on them is gone */
    pthread_cond_init(&pool.done, NULL);
    pthread_mutex_unlock(&pool.lock);
}

__attribute__((constructor)) static void at_load(void)
{
    (void)pthread_atfork(before_fork, in_parent, in_child);
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

/* Looks at *count for a while; whether it has come to be 0, or not to be. */
static bool spin_until(atomic_int *count, bool zero)
{
    enum { LOOKS = 16 }; /* between two at the clock */
    const int64_t end = heed__nanoseconds() + SPIN_NANOSECONDS;
    do
        for (int i = 0; i < LOOKS; i++) {
            if ((atomic_load_explicit(count, memory_order_acquire) == 0) == zero)
                return true;
            pause_briefly();
        }
    while (heed__nanoseconds() < end);
    return false;
}

/* -- Workers, which hold the lock but while they spin, sleep and work --------------------------------------------- */

/* As soon as any call of fn is done, since then no piece is left. */
static void close_job(shared_job *job)
{
    if (!job->open)
        return;
    shared_job **at = &pool.jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    atomic_fetch_sub(&pool.places, job->threads - job->joined);
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
        const bool offered = spin_until(&pool.places, false);
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
        atomic_fetch_sub(&pool.places, 1);
        atomic_fetch_add(&job->busy, 1);
        pthread_mutex_unlock(&pool.lock);
        job->fn(slot, job->job);
        pthread_mutex_lock(&pool.lock);
        close_job(job);
        if (atomic_fetch_sub(&job->busy, 1) == 1) /* from here on the job may be gone */
            pthread_cond_broadcast(&pool.done);
    }
    return NULL;
}

/* On a stack of the default size where STACK_BYTES cannot hold the host's thread-local data. */
static bool start_worker(void)
{
    pthread_attr_t small;
    if (pthread_attr_init(&small) != 0)
        return false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int failed = pthread_create(&thread, &small, work, NULL);
    if (failed == EINVAL)
        failed = pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return failed == 0 && pthread_detach(thread) == 0;
}

/* -- Owners ------------------------------------------------------------------------------------------------------- */

static void offer(shared_job *job)
{
    pthread_mutex_lock(&pool.lock);
    while (!pool.refused && pool.workers < job->threads - 1) {
        pool.refused = !start_worker();
        pool.workers += !pool.refused;
    }
    job->open = true;
    job->next = pool.jobs;
    pool.jobs = job;
    int wake = job->threads - 1 - pool.spinning;
    if (wake > pool.asleep)
        wake = pool.asleep;
    atomic_fetch_add(&pool.places, job->threads - 1);
    pthread_mutex_unlock(&pool.lock);
    for (; wake > 0; wake--)
        pthread_cond_signal(&pool.work);
}

static void withdraw(shared_job *job)
{
    pthread_mutex_lock(&pool.lock);
    close_job(job);
    pthread_mutex_unlock(&pool.lock);
}

/* A host that cancels the thread does so after it: workers use what lies in its frame. */
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
    withdraw(&shared);
    wait_for_workers(&shared);
}
