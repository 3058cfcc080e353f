/* tests/core/test_thread_end.c - tests of threads that use the library while they end: in a destructor of
 * thread-specific data that sets its own data again, so that it runs in as many rounds as the C library allows, even
 * after the library's own destructor.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <limits.h>
#include <pthread.h>

/* ThreadSanitizer discards a thread's state in the last round, so no code may run there, not even the library's own
 * destructor. Threads on Windows have 256 rounds. */
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS < 4 ? PTHREAD_DESTRUCTOR_ITERATIONS : 4)
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef LAST_ROUND
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 2)
#endif
#endif

enum { THREADS = 50, ROUNDS = LAST_ROUND };

static pthread_key_t key; /* created after the library's own key */

typedef struct visit {
    bool used_before; /* by the thread's function */
    int first;        /* destructor round that first uses the library */
    int rounds;
} visit;

static void use_heed(bool leave_some)
{
    heed_scope *scope = heed_scope_begin();
    ck_assert_ptr_nonnull(heed_add(heed_ones(HEED_F32, HEED_SHAPE(100)), heed_ones(HEED_F32, HEED_SHAPE(100))));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    if (leave_some)
        ck_assert_ptr_nonnull(heed_ones(HEED_F32, HEED_SHAPE(100)));
}

/* Tensors left in the root scope are freed in the next round; after the last round they would stay. */
static void at_end(void *data)
{
    visit *v = data;
    if (!v) /* threads on Windows call destructors even if the value was set to NULL */
        return;
    if (++v->rounds >= v->first)
        use_heed(v->rounds < ROUNDS);
    ck_assert_int_eq(pthread_setspecific(key, v->rounds < ROUNDS ? v : NULL), 0);
}

static void *run(void *data)
{
    const visit *v = data;
    if (v->used_before)
        use_heed(true);
    ck_assert_int_eq(pthread_setspecific(key, v), 0);
    return NULL;
}

/* Runs threads one after the other, so that they get the same address, and then several threads at once. */
static void end_threads(bool used_before, int first)
{
    visit visits[2 * THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < 2 * THREADS; i++)
        visits[i] = (visit){.used_before = used_before, .first = first};
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_create(&threads[0], NULL, run, &visits[i]), 0);
        ck_assert_int_eq(pthread_join(threads[0], NULL), 0);
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &visits[THREADS + i]), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2 * THREADS; i++)
        ck_assert_int_eq(visits[i].rounds, ROUNDS);
}

static void check(bool used_before, int first)
{
    heed_free(heed_alloc(1), 1); /* creates the library's key first, so its destructor also runs first */
    ck_assert_int_eq(pthread_key_create(&key, at_end), 0);
    heed_memory_stats before = heed_memory_get_stats();
    end_threads(used_before, first);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert_int_eq(after.live_objects, before.live_objects);
    ck_assert_int_eq(after.live_bytes, before.live_bytes);
    heed_memory_reset_peak();
    ck_assert_int_eq(heed_memory_get_stats().peak_bytes, after.live_bytes);
    ck_assert_int_eq(pthread_key_delete(key), 0);
}

START_TEST(threads_that_used_it_before)
{
    check(true, 1);
}
END_TEST

START_TEST(threads_that_begin_while_they_end)
{
    for (int first = 1; first < ROUNDS; first++)
        check(false, first);
}
END_TEST

/* The library gets no notice when these threads end. */
START_TEST(threads_that_begin_in_their_last_round)
{
    check(false, ROUNDS);
}
END_TEST

HEED_TEST_MAIN("thread_end", threads_that_used_it_before, threads_that_begin_while_they_end,
               threads_that_begin_in_their_last_round)
