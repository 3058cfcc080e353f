/* tests/core/test_observers.c - tests that observers cannot disturb the observed computation and may be added and
 * removed while threads compute.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "event_log.h"

#include <pthread.h>

/* -- Actions of observers ------------------------------------------------------------------------------------------ */

static void compute(const heed_event *event, void *user)
{
    ++*(int *)user;
    heed_tensor *y = event->kind == HEED_EVENT_FORWARD && event->outputs ? heed_exp(event->outputs[0]) : NULL;
    ck_assert(!y || !heed_requires_grad(y));
    (void)heed_set_grad_enabled(true);
}

START_TEST(their_own_ops_have_no_events)
{
    int calls = 0;
    int64_t id = heed_add_observer(&(heed_observer){.ended = compute, .user = &calls});
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    ck_assert(heed_requires_grad(heed_tanh(x)) && heed_grad_enabled());
    calls = 0;
    heed_scope *quiet = heed_no_grad_begin();
    heed_memory_stats before = heed_memory_get_stats();
    heed_tensor *y = heed_tanh(x);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert(!heed_requires_grad(y) && !heed_grad_enabled());
    ck_assert_int_eq(after.live_objects - before.live_objects, 1);
    ck_assert_int_eq(calls, 1);
    heed_scope_end(quiet);
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
}
END_TEST

static void refuse(const heed_event *event, void *user)
{
    if (strcmp(event->name, user) == 0)
        heed_fail(HEED_ERR_STATE, "observer", "no %s%s", event->name,
                  event->kind == HEED_EVENT_BACKWARD ? " back" : "");
}

START_TEST(their_errors_fail_the_op)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(2)), true);
    for (int began = 0; began < 2; began++) {
        heed_observer observer = {.user = "tanh"};
        *(began ? &observer.began : &observer.ended) = refuse;
        heed_tensor *y = heed_tanh(x);
        int64_t id = heed_add_observer(&observer);
        ck_assert_ptr_null(heed_tanh(x));
        ck_assert_error(HEED_ERR_STATE, "observer: no tanh");
        ck_assert_ptr_nonnull(heed_exp(x));
        ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_ERR_STATE);
        ck_assert_error(HEED_ERR_STATE, "backward: observer: no tanh back");
        ck_assert(!heed_has_grad(x));
        heed_remove_observer(id);
    }
}
END_TEST

static void close_a_scope(const heed_event *event, void *user)
{
    (void)event;
    ck_assert_int_eq(heed_scope_end(user), HEED_ERR_STATE);
}

static void remove_itself(const heed_event *event, void *user)
{
    (void)event;
    ck_assert_int_eq(heed_remove_observer(*(int64_t *)user), HEED_ERR_STATE);
}

START_TEST(they_cannot_close_scopes_or_go)
{
    heed_scope *scope = heed_scope_begin();
    int64_t id = heed_add_observer(&(heed_observer){.ended = close_a_scope, .user = scope});
    ck_assert_ptr_null(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_STATE, "an observer");
    heed_remove_observer(id);
    heed_scope_end(scope);
    id = heed_add_observer(&(heed_observer){.ended = remove_itself, .user = &id});
    ck_assert_ptr_null(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_error(HEED_ERR_STATE, "remove_observer: called from an observer's function");
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
}
END_TEST

START_TEST(the_number_of_observers_is_limited)
{
    int64_t ids[HEED_MAX_OBSERVERS];
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        ids[i] = watch();
    ck_assert_int_eq(heed_add_observer(&(heed_observer){.ended = note_ended}), 0);
    ck_assert_error(HEED_ERR_STATE, "add_observer: the maximum of 16 observers is registered already");
    ck_assert_ptr_nonnull(heed_exp(heed_ones(HEED_F32, HEED_SCALAR)));
    ck_assert_int_eq(log_.n, 2 * HEED_MAX_OBSERVERS);
    for (int i = 0; i < HEED_MAX_OBSERVERS; i++)
        ck_assert_int_eq(heed_remove_observer(ids[i]), HEED_OK);
    ck_assert_int_eq(heed_remove_observer(ids[0]), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "remove_observer: there is no observer");
    ck_assert_int_eq(heed_add_observer(&(heed_observer){.user = ids}), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "add_observer: .began and .ended are NULL");
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

static atomic_bool stop;

static void *apply_ops(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop)) {
        heed_scope *scope = heed_scope_begin();
        ck_assert_ptr_nonnull(heed_exp(heed_ones(HEED_F32, HEED_SHAPE(3))));
        heed_scope_end(scope);
    }
    return NULL;
}

static void count_in(const heed_event *event, void *user)
{
    (void)event;
    atomic_int *alive = user;
    ck_assert_int_eq(atomic_load(alive), 1);
}

START_TEST(they_come_and_go_while_threads_compute)
{
    pthread_t threads[3];
    atomic_store(&stop, false);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, apply_ops, NULL);
    for (int i = 0; i < 300; i++) {
        atomic_int *alive = malloc(sizeof *alive);
        atomic_init(alive, 1);
        int64_t id = heed_add_observer(&(heed_observer){.began = count_in, .ended = count_in, .user = alive});
        ck_assert_int_gt(id, 0);
        sched_yield();
        ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
        atomic_store(alive, 0);
        free(alive);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(tasks_of_the_librarys_threads_have_events)
{
    const int threads = heed_num_threads();
    heed_set_num_threads(2);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1 << 22));
    int64_t id = watch();
    int tasks = 0;
    for (int run = 0; run < 200 && tasks == 0; run++) { /* a worker may not arrive in time */
        heed_scope *scope = heed_scope_begin();
        atomic_store(&log_.n, 0);
        ck_assert_ptr_nonnull(heed_exp(x));
        for (int i = 0; i < log_.n; i++)
            tasks += log_.events[i].kind == HEED_EVENT_TASK && strcmp(log_.events[i].name, "exp") == 0;
        heed_scope_end(scope);
    }
    heed_remove_observer(id);
    heed_set_num_threads(threads);
    ck_assert_int_gt(tasks, 0);
}
END_TEST

HEED_TEST_MAIN("observers", their_own_ops_have_no_events, their_errors_fail_the_op, they_cannot_close_scopes_or_go,
               the_number_of_observers_is_limited, they_come_and_go_while_threads_compute,
               tasks_of_the_librarys_threads_have_events)
