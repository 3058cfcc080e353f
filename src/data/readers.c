/* data/readers.c - threads that read the batches of a loader ahead.
 *
 * The loader requests batches in their order, and takes them in this order. A free thread reads the first batch that no
 * thread has begun, so the order does not depend on the number of threads. If no thread can be started, the loader's
 * thread reads every batch when it takes it. After a fork the threads are missing in the child, which starts its own;
 * batches that they were reading are read again.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "data/readers.h"

#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/precision.h>
#include <heed/scope.h>

#include "system/system.h"

#define BATCHES_PER_THREAD 2

static const char where[] = "loader_next"; /* the function that takes batches */

typedef enum request_state { REQUEST_WAITING, REQUEST_RUNNING, REQUEST_DONE } request_state;

/* A requested batch. While it is running, only its thread uses the fields below `state`. */
typedef struct request {
    heed_tensor *numbers; /* retained */
    int64_t epoch;
    uint64_t seed, position;
    fenv_t mode; /* the loader's thread: mode of floating-point arithmetic, and precision of products */
    heed_precision precision;
    request_state state;
    bool reported; /* the error was returned */
    heed_status status;
    heed_tensor *batch[HEED_DATASET_MAX]; /* retained; NULL after an error */
    char message[HEED_ERROR_MESSAGE_MAX];
} request;

struct heed__readers {
    const heed_dataset *dataset;
    int tensors, threads, alive; /* tensors per batch; maximum and present number of threads */
    bool started, stopping;
    uint64_t forks;            /* value of monitor.forks when the threads were started */
    heed_generator *generator; /* for batches that the loader's thread reads; NULL before its first use */
    int first, count, capacity;
    request *requests; /* a ring: `count` requests from `first` on */
};

/* One lock for all readers, because a thread uses it after it has ended its work for readers that may then be freed. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    uint64_t forks; /* number of forks between the first process and this one */
} monitor = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* -- Fork ---------------------------------------------------------------------------------------------------------- */

static void readers_in_child(void)
{
    pthread_mutex_init(&monitor.lock, NULL);
    pthread_cond_init(&monitor.work, NULL);
    pthread_cond_init(&monitor.done, NULL);
    monitor.forks++;
}

__attribute__((constructor)) static void readers_at_load(void)
{
    (void)heed__at_fork(NULL, NULL, readers_in_child);
}

static request *request_at(const heed__readers *r, int i)
{
    return &r->requests[(r->first + i) % r->capacity];
}

/* In a child of the process that started the threads, requests their unfinished batches again. The threads' own tensors
 * are never freed in the child. */
static void notice_fork(heed__readers *r)
{
    if (r->forks == monitor.forks)
        return;
    for (int i = 0; i < r->count; i++)
        if (request_at(r, i)->state == REQUEST_RUNNING) {
            memset(request_at(r, i)->batch, 0, sizeof request_at(r, i)->batch);
            request_at(r, i)->state = REQUEST_WAITING;
        }
    r->alive = 0;
    r->started = false;
    r->forks = monitor.forks;
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

/* Reads a batch, borrowed from the innermost scope. Creates *generator if it is NULL. */
static heed_status read_request(const heed__readers *r, const request *q, heed_generator **generator,
                                heed_tensor **batch)
{
    if (!*generator)
        *generator = heed_generator_new(0);
    if (!*generator || heed_generator_set_state(*generator, q->seed, q->position) != HEED_OK)
        return heed_error_code();
    heed_generator *outer = heed_generator_use(*generator);
    if (!outer)
        return heed_error_code();
    const heed_status status = heed_dataset_take_epoch(r->dataset, q->numbers, q->epoch, batch);
    heed_generator_use(outer);
    return status;
}

/* Reads a batch in a thread of the readers, in the mode of the loader's thread, and stores the result or the error. */
static void run_request(const heed__readers *r, request *q, heed_generator **generator)
{
    HEED_ENTER(where);
    heed_tensor *batch[HEED_DATASET_MAX];
    (void)fesetenv(&q->mode);
    (void)heed_set_matmul_precision(q->precision);
    heed_scope *scope = heed_no_grad_begin();
    q->status = scope ? read_request(r, q, generator, batch) : heed_error_code();
    for (int i = 0; q->status == HEED_OK && i < r->tensors; i++)
        q->batch[i] = heed_retain(batch[i]);
    if (scope)
        (void)heed_scope_end(scope);
    if (q->status != HEED_OK)
        (void)snprintf(q->message, sizeof q->message, "%s", heed_error_message());
    heed_error_clear();
}

/* Returns the first batch that no thread has begun, or NULL. */
static request *waiting_request(const heed__readers *r)
{
    for (int i = 0; i < r->count; i++)
        if (request_at(r, i)->state == REQUEST_WAITING)
            return request_at(r, i);
    return NULL;
}

/* A thread of the readers. Frees its resources before it reports its end. */
static void *read_batches(void *readers)
{
    heed__readers *r = readers;
    heed_generator *generator = NULL;
    pthread_mutex_lock(&monitor.lock);
    while (!r->stopping) {
        request *q = waiting_request(r);
        if (!q) {
            pthread_cond_wait(&monitor.work, &monitor.lock);
            continue;
        }
        q->state = REQUEST_RUNNING;
        pthread_mutex_unlock(&monitor.lock);
        run_request(r, q, &generator);
        pthread_mutex_lock(&monitor.lock);
        q->state = REQUEST_DONE;
        pthread_cond_broadcast(&monitor.done);
    }
    pthread_mutex_unlock(&monitor.lock);
    heed_generator_free(generator);
    heed_thread_cleanup();
    pthread_mutex_lock(&monitor.lock);
    r->alive--;
    pthread_cond_broadcast(&monitor.done);
    pthread_mutex_unlock(&monitor.lock);
    return NULL;
}

/* -- The loader's thread ------------------------------------------------------------------------------------------- */

/* Waits until a thread of the readers has finished a batch or its work. The caller holds the lock. */
static void wait_for_readers(void)
{
    pthread_cond_wait(&monitor.done, &monitor.lock);
}

/* Locks the monitor. If the program cancels the thread, this takes effect only after unlock_monitor. */
static int lock_monitor(void)
{
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&monitor.lock);
    return cancellation;
}

static void unlock_monitor(int cancellation)
{
    pthread_mutex_unlock(&monitor.lock);
    pthread_setcancelstate(cancellation, &cancellation);
}

heed__readers *heed__readers_new(const heed_dataset *dataset, int threads)
{
    heed__readers *r = heed_alloc(sizeof *r);
    if (!r)
        return NULL;
    *r = (heed__readers){.dataset = dataset,
                         .tensors = heed_dataset_tensors(dataset),
                         .threads = threads,
                         .forks = monitor.forks,
                         .capacity = BATCHES_PER_THREAD * threads};
    r->requests = heed_calloc((size_t)r->capacity, sizeof *r->requests);
    if (r->requests)
        return r;
    heed_free(r, sizeof *r);
    return NULL;
}

/* Removes the first request, which is not running. */
static void remove_request(heed__readers *r)
{
    const int cancellation = lock_monitor();
    const request old = *request_at(r, 0);
    r->first = (r->first + 1) % r->capacity;
    r->count--;
    unlock_monitor(cancellation);
    heed_release(old.numbers);
    for (int i = 0; i < r->tensors; i++)
        heed_release(old.batch[i]);
}

void heed__readers_drop(heed__readers *r)
{
    notice_fork(r);
    const int cancellation = lock_monitor();
    for (int i = 0; i < r->count; i++) {
        request *q = request_at(r, i);
        if (q->state == REQUEST_WAITING)
            q->state = REQUEST_DONE;
        while (q->state == REQUEST_RUNNING)
            wait_for_readers();
    }
    unlock_monitor(cancellation);
    while (r->count > 0)
        remove_request(r);
}

void heed__readers_free(heed__readers *r)
{
    if (!r)
        return;
    heed__readers_drop(r);
    const int cancellation = lock_monitor();
    r->stopping = true;
    pthread_cond_broadcast(&monitor.work);
    while (r->alive > 0)
        wait_for_readers();
    unlock_monitor(cancellation);
    heed_generator_free(r->generator);
    heed_free(r->requests, (size_t)r->capacity * sizeof *r->requests);
    heed_free(r, sizeof *r);
}

bool heed__readers_have_space(heed__readers *r)
{
    notice_fork(r);
    return r->count < r->capacity;
}

void heed__readers_request(heed__readers *r, heed_tensor *numbers, int64_t epoch, uint64_t seed, uint64_t position)
{
    request q = {.numbers = heed_retain(numbers), .epoch = epoch, .seed = seed, .position = position};
    (void)fegetenv(&q.mode);
    q.precision = heed_matmul_precision();
    const int cancellation = lock_monitor();
    *request_at(r, r->count++) = q;
    pthread_cond_broadcast(&monitor.work);
    unlock_monitor(cancellation);
}

/* Passes a finished batch to the innermost scope, or returns its error. The message already begins with the name of the
 * function. */
static heed_status move_batch(const heed__readers *r, request *q, heed_tensor **batch)
{
    const size_t name = strlen(where);
    if (q->status != HEED_OK) {
        const bool named = strncmp(q->message, where, name) == 0 && strncmp(q->message + name, ": ", 2) == 0;
        q->reported = true;
        return heed_fail(q->status, where, "%s", q->message + (named ? name + 2 : 0));
    }
    for (int i = 0; i < r->tensors; i++)
        if (!(batch[i] = heed_detach(q->batch[i]))) {
            memset(batch, 0, (size_t)r->tensors * sizeof *batch);
            return heed_error_code();
        }
    return HEED_OK;
}

/* Starts the threads unless they have been started. The caller holds the lock. */
static void start_readers(heed__readers *r)
{
    for (int i = 0; !r->started && i < r->threads; i++)
        r->alive += heed__start_thread(read_batches, r, false);
    r->started = true;
}

heed_status heed__readers_take(heed__readers *r, heed_tensor **batch)
{
    notice_fork(r);
    const int cancellation = lock_monitor();
    start_readers(r);
    request *q = request_at(r, 0);
    if (q->reported) {
        q->reported = false;
        q->state = REQUEST_WAITING;
        pthread_cond_broadcast(&monitor.work);
    }
    while (r->alive > 0 && q->state != REQUEST_DONE)
        wait_for_readers();
    const bool done = q->state == REQUEST_DONE;
    unlock_monitor(cancellation);
    const heed_status status = done ? move_batch(r, q, batch) : read_request(r, q, &r->generator, batch);
    if (status == HEED_OK)
        remove_request(r);
    return status;
}
