/* tests/promises/test_fork.c - fork after threaded work, 100 times: every child computes the same bits within two
 * seconds, and the parent continues with its threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 100
#define SECONDS 2

/* Enough work for several threads: elementwise, a product, a reduction, gradients. */
static uint64_t work(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = heed_set_requires_grad(heed_linspace(HEED_F32, -1, 1, 600 * 1000), true);
    heed_tensor *y = heed_bmm(heed_reshape(heed_tanh(x), HEED_SHAPE(10, 300, 200)),
                              heed_reshape(heed_slice(x, 0, 0, 20000, 1), HEED_SHAPE(10, 200, 10)));
    heed_tensor *g = NULL, *loss = heed_sum(heed_square(y));
    uint64_t hash = 0;
    if (heed_grad(&loss, 1, &x, 1, &g, NULL) == HEED_OK) {
        const float *values = heed_data_f32(heed_contiguous(g));
        for (int64_t i = 0; i < heed_numel(g); i++) {
            uint32_t bits;
            memcpy(&bits, &values[i], sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        }
    }
    heed_scope_end(scope);
    return hash;
}

/* An alarm ends a child that hangs. */
static pid_t start_child(uint64_t expected)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        bool same = work() == expected && work() == expected;
        heed_thread_cleanup();
        _exit(same ? 0 : 1);
    }
    return child;
}

static bool ended_well(pid_t child)
{
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(a_hundred_children)
{
    ck_assert_int_eq(heed_set_num_threads(4), HEED_OK);
    uint64_t expected = work();
    ck_assert(expected != 0);
    int good = 0;
    for (int i = 0; i < CHILDREN; i++) {
        good += ended_well(start_child(expected));
        if (i % 10 == 0)
            ck_assert(work() == expected);
    }
    ck_assert_int_eq(good, CHILDREN);
}
END_TEST

static void *fork_here(void *expected)
{
    heed_set_num_threads(3);
    bool same = work() == *(uint64_t *)expected;
    return same && ended_well(start_child(*(uint64_t *)expected)) ? NULL : "failed";
}

/* From a thread other than the first, while others work. */
START_TEST(children_of_threads)
{
    enum { THREADS = 4 };
    uint64_t expected = work();
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fork_here, &expected), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
    }
}
END_TEST

/* A child of a child. */
START_TEST(grandchildren)
{
    uint64_t expected = work();
    pid_t child = fork();
    if (child == 0) {
        alarm(3 * SECONDS);
        _exit(work() == expected && ended_well(start_child(expected)) ? 0 : 1);
    }
    ck_assert(ended_well(child));
}
END_TEST

static pthread_barrier_t meeting;

static void *hold_a_block(void *unused)
{
    (void)unused;
    void *block = heed_alloc(1000);
    pthread_barrier_wait(&meeting);
    pthread_barrier_wait(&meeting);
    heed_free(block, 1000);
    return NULL;
}

/* Objects that the other thread holds at the fork are never freed in the child. */
START_TEST(a_child_counts_what_threads_held)
{
    ck_assert_int_eq(pthread_barrier_init(&meeting, NULL, 2), 0);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, hold_a_block, NULL), 0);
    pthread_barrier_wait(&meeting);
    heed_memory_stats before = heed_memory_get_stats();
    pid_t child = fork();
    if (child == 0) {
        heed_memory_stats after = heed_memory_get_stats();
        _exit(after.live_objects == before.live_objects && after.live_bytes == before.live_bytes ? 0 : 1);
    }
    ck_assert(ended_well(child));
    pthread_barrier_wait(&meeting);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&meeting);
}
END_TEST

static void *wait_for_release(void *gate)
{
    heed_ones(HEED_F32, HEED_SHAPE(10));
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

static void *use_memory(void *unused)
{
    (void)unused;
    heed_ones(HEED_F32, HEED_SHAPE(10));
    heed_memory_get_stats();
    return NULL;
}

/* The child has one thread, and starts new threads to replace the others. */
START_TEST(a_child_counts_on_after_fork)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t other;
    heed_tensor *mine = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(10)));
    pthread_mutex_lock(&gate);
    ck_assert_int_eq(pthread_create(&other, NULL, wait_for_release, &gate), 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        pthread_t thread;
        for (int i = 0; i < 3; i++)
            if (pthread_create(&thread, NULL, use_memory, NULL) != 0 || pthread_join(thread, NULL) != 0)
                _exit(1);
        _exit(heed_memory_get_stats().live_objects > 0 ? 0 : 2);
    }
    ck_assert(ended_well(child));
    pthread_mutex_unlock(&gate);
    pthread_join(other, NULL);
    heed_release(mine);
}
END_TEST

HEED_TEST_MAIN("fork", a_hundred_children, children_of_threads, grandchildren, a_child_counts_what_threads_held,
               a_child_counts_on_after_fork)
