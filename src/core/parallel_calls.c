/* core/parallel_calls.c - heed_parallel_for: calls of a function of the program, in several threads at a time.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/parallel.h>

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/mark.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "core/thread.h"

/* In a call, own[k] replaces the buffer shared[k] of a module. */
struct heed__own_buffers {
    heed_tensor *const *shared, *const *own;
    int n;
};

/* All calls of one heed_parallel_for, and the state of the calling thread that they inherit. */
typedef struct calls {
    heed_parallel_fn fn;
    void *user;
    const char *entered, *site;
    const heed_module *module;
    bool not_recording;
    heed_precision precision;
    heed__stream_position stream; /* from which the calls' generators are derived */
    atomic_int_fast64_t failed;   /* the lowest index of a call that has failed, or INT64_MAX */
    pthread_mutex_t lock;         /* guards `errors` */
    heed__errors errors;          /* of that call */
} calls;

/* The state of a thread that a call replaces. */
typedef struct saved_state {
    heed__generator_choice generator;
    struct heed__draws *draws;
    struct heed__own_buffers *own_buffers;
    const char *site;
    const heed_module *module;
    bool not_recording;
    heed_precision precision;
    int threads;
    heed__errors errors;
} saved_state;

static void begin_state(const calls *c, heed_generator *generator, struct heed__own_buffers *own, saved_state *saved)
{
    heed__thread_state *self = heed__thread();
    saved->generator = self->generator;
    saved->draws = self->draws;
    saved->own_buffers = self->own_buffers;
    saved->site = self->site;
    saved->module = self->module;
    saved->not_recording = self->not_recording;
    saved->precision = self->precision;
    saved->threads = heed_num_threads();
    heed__errors_begin(&saved->errors, c->entered);
    self->generator = (heed__generator_choice){generator, generator->mark};
    self->draws = NULL;
    self->own_buffers = own;
    self->site = c->site;
    self->module = c->module;
    self->not_recording = c->not_recording;
    self->precision = c->precision;
    (void)heed_set_num_threads(1); /* the other threads have calls of their own */
}

static void end_state(const saved_state *saved, heed__errors *errors)
{
    heed__thread_state *self = heed__thread();
    heed__errors_end(&saved->errors, errors);
    self->generator = saved->generator;
    self->draws = saved->draws;
    self->own_buffers = saved->own_buffers;
    self->site = saved->site;
    self->module = saved->module;
    self->not_recording = saved->not_recording;
    self->precision = saved->precision;
    (void)heed_set_num_threads(saved->threads);
}

/* Calls fn in a scope. On failure an error is pending. */
static void call_in_scope(const calls *c, int64_t i)
{
    heed__thread_state *self = heed__thread();
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return;
    const heed_callback before = heed__callback_begin(self, "fn");
    const heed_status status = c->fn(i, c->user);
    const bool ok = heed__callback_end(self, before);
    (void)heed_scope_end(scope);
    const bool known = status >= HEED_OK && status <= HEED_ERR_FORMAT;
    if (ok && status != HEED_OK)
        heed_fail(known ? status : HEED_ERR_STATE, "parallel_for", "fn returned %s, %d, for %" PRId64,
                  heed_status_name(status), (int)status, i);
}

/* Keeps the error of the call with the lowest index. */
static void keep_error(calls *c, int64_t i, const heed__errors *errors)
{
    pthread_mutex_lock(&c->lock);
    if (i < atomic_load(&c->failed)) {
        atomic_store(&c->failed, i);
        c->errors = *errors;
    }
    pthread_mutex_unlock(&c->lock);
}

/* Runs call i. After a failure only calls with lower indices run, so that the first failing call determines
 * the error for any number of threads. */
static void run_call(calls *c, int64_t i)
{
    if (i > atomic_load(&c->failed))
        return;
    struct heed__own_buffers own = {.n = 0};
    heed_generator generator = {.mark = HEED_MARK(HEED_GENERATOR, 0)};
    atomic_init(&generator.seed, heed__mix_bits(c->stream.seed + heed__mix_bits(c->stream.position + 1)));
    atomic_init(&generator.position, (uint64_t)i << 40);
    saved_state saved;
    heed__errors errors;
    begin_state(c, &generator, &own, &saved);
    call_in_scope(c, i);
    end_state(&saved, &errors);
    generator.mark = 0;
    if (errors.status != HEED_OK)
        keep_error(c, i, &errors);
}

static void run_calls(int64_t begin, int64_t end, void *context)
{
    for (int64_t i = begin; i < end; i++)
        run_call(context, i);
}

heed_status heed_parallel_for(int64_t n, heed_parallel_fn fn, void *user)
{
    static const char where[] = "parallel_for";
    HEED_ENTER(where);
    if (n < 0 || n > HEED_PARALLEL_MAX)
        return heed_fail(HEED_ERR_ARGUMENT, where, "n is %" PRId64 ": must be 0 to 2^24", n);
    if (!fn)
        return heed_fail(HEED_ERR_ARGUMENT, where, "fn is NULL");
    const heed__thread_state *self = heed__thread();
    calls c = {.fn = fn,
               .user = user,
               .entered = heed__entered(),
               .site = self->site,
               .module = self->module,
               .not_recording = self->not_recording,
               .precision = self->precision,
               .lock = PTHREAD_MUTEX_INITIALIZER};
    atomic_init(&c.failed, INT64_MAX);
    if (!heed__generator_reserve(where, heed__generator_current(), 1, &c.stream))
        return heed_error_code();
    heed__parallel_for(n, 1, INT_MAX, run_calls, &c);
    if (atomic_load(&c.failed) < INT64_MAX)
        heed__fail_with(&c.errors);
    pthread_mutex_destroy(&c.lock);
    return atomic_load(&c.failed) < INT64_MAX ? c.errors.status : HEED_OK;
}

/* -- Buffers ------------------------------------------------------------------------------------------------------- */

heed_status heed_parallel_own_buffers(heed_tensor *const *buffers, heed_tensor *const *own, int n)
{
    static const char where[] = "parallel_own_buffers";
    struct heed__own_buffers *list = heed__thread()->own_buffers;
    if (!list)
        return heed_fail(HEED_ERR_STATE, where, "no call of heed_parallel_for is running");
    if (n < 0 || (n > 0 && (!buffers || !own)))
        return n < 0 ? heed_fail(HEED_ERR_ARGUMENT, where, "n is %d: must be 0 or more", n)
                     : heed_fail(HEED_ERR_ARGUMENT, where, "the list of %s is NULL", buffers ? "copies" : "buffers");
    for (int k = 0; k < n; k++)
        if (!heed__check_tensor(where, buffers[k]) || !heed__check_tensor(where, own[k]))
            return heed_error_code();
    *list = (struct heed__own_buffers){buffers, own, n};
    return HEED_OK;
}

heed_tensor *heed_parallel_buffer(heed_tensor *buffer)
{
    static const char where[] = "parallel_buffer";
    const struct heed__own_buffers *list = heed__thread()->own_buffers;
    if (!heed__check_tensor(where, buffer))
        return NULL;
    for (int k = 0; list && k < list->n; k++)
        if (list->shared[k] == buffer)
            return list->own[k];
    return list ? heed_fail_null(HEED_ERR_STATE, where,
                                 "calls that run at the same time would write the same buffer of a module (in "
                                 "heed_data_parallel_gradients, set .module of the team's options)")
                : buffer;
}
