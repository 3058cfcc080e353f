/* tests/core/test_pool_starts.c - tests of jobs with fewer workers than requested, because threads fail to start or are
 * busy. This is a separate program because it replaces a function of the C library that sanitizers need as well.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "pool_job.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#include <sys/wait.h>
#include <unistd.h>

static atomic_int may_start = 1000; /* threads that may start before pthread_create fails */

/* Replaces the C library's function; fails on demand. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument)
{
    if (atomic_fetch_sub(&may_start, 1) <= 0)
        return EAGAIN;
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&real, &symbol, sizeof real);
    return real(thread, attributes, fn, argument);
}

static void hold_worker(int slot, void *held)
{
    atomic_bool *h = held;
    if (slot > 0)
        atomic_store(h, true);
    for (int i = 0; slot > 0 ? i < 300 : !atomic_load(h); i++)
        sleep_for(1000);
}

static void *hold_the_only_worker(void *held)
{
    heed__share(2, hold_worker, held);
    return NULL;
}

/* The only worker is busy with a different thread's job for 300 ms. The test runs in a new process, which has a single
 * worker. */
START_TEST(late_threads_are_not_waited_for)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        pthread_t other;
        atomic_bool held = false;
        atomic_store(&may_start, 2);
        pthread_create(&other, NULL, hold_the_only_worker, &held);
        while (!atomic_load(&held))
            sleep_for(100);
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        const int helped = run_chunks(4, 0);
        clock_gettime(CLOCK_MONOTONIC, &end);
        const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        pthread_join(other, NULL);
        _exit(helped == 1 && seconds < 0.2 ? 0 : 1);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* Threads can start again: in a child at once, in the parent a second later. */
static bool more_later(void)
{
    atomic_store(&may_start, 1000);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(all_take_part(4, 4) ? 0 : 1);
    }
    int status;
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
    return waitpid(child, &status, 0) == child && status == 0 && all_take_part(8, 8);
}

/* No or too few threads can be started; the library then does not try again at once. */
START_TEST(threads_that_cannot_be_started)
{
    for (int allowed = 0; allowed < 3; allowed++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            atomic_store(&may_start, allowed);
            bool right = all_take_part(8, 1 + allowed) && atomic_load(&may_start) == -1;
            right = right && all_take_part(8, 1 + allowed) && atomic_load(&may_start) == -1;
            _exit(right && more_later() ? 0 : 1);
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_msg(status == 0, "%d threads may be started: status %d", allowed, status);
    }
}
END_TEST

HEED_TEST_MAIN("pool_starts", late_threads_are_not_waited_for, threads_that_cannot_be_started)
