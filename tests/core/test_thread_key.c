/* tests/core/test_thread_key.c - tests a thread whose end cannot be noticed because the C library cannot store its key.
 * This is a separate program because it replaces a function of the C library that sanitizers need as well.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "check_heed.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

static _Thread_local bool setspecific_fails;

/* Replaces the C library's function; fails on demand. */
int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (setspecific_fails)
        return ENOMEM;
    int (*real)(pthread_key_t, const void *);
    void *symbol = dlsym(RTLD_NEXT, "pthread_setspecific");
    memcpy(&real, &symbol, sizeof real);
    return real(key, value);
}

static void *fail_to_register(void *block)
{
    setspecific_fails = true;
    ck_assert_ptr_null(heed_alloc(100));
    ck_assert_error(HEED_ERR_NOMEM, "alloc: cannot allocate 100 bytes");
    ck_assert_uint_eq(heed_memory_set_cache_limit(0), 0);
    heed_free(block, 1000);
    setspecific_fails = false;
    return NULL;
}

/* The system cannot register the thread for a notice of its end: the thread gets no memory but may free memory. */
START_TEST(a_thread_that_cannot_be_registered)
{
    heed_memory_stats before = heed_memory_get_stats();
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_to_register, heed_alloc(1000)), 0);
    pthread_join(thread, NULL);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert_int_eq(after.live_objects, before.live_objects);
    ck_assert_int_eq(after.live_bytes, before.live_bytes);
}
END_TEST

HEED_TEST_MAIN("thread_key", a_thread_that_cannot_be_registered)
