/* tests/fail_alloc.h - an allocator that fails on demand, and the loop that makes every allocation fail. Programs
 * that include this file record which function's allocation it refuses (tests/promises/calls).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H

#include "calls.h"
#include "check_heed.h"
#include "sites.h"

static struct {
    long count;   /* allocations since the arming */
    long fail_at; /* the one that fails; 0: none */
    bool from_then_on;
    size_t cache_limit;
    uint64_t (*inputs)(void); /* a hash of what the program must not change when it fails; may be NULL */
    bool strict;              /* the program must not get through when an allocation fails */
} fail_alloc;

static void *fail_alloc_alloc(size_t size, size_t alignment, void *user)
{
    (void)user;
    fail_alloc.count++;
    bool fails = fail_alloc.fail_at > 0 && (fail_alloc.count == fail_alloc.fail_at ||
                                            (fail_alloc.from_then_on && fail_alloc.count > fail_alloc.fail_at));
    if (fails)
        call_refused(allocation_site());
    return fails ? NULL : aligned_alloc(alignment, size);
}

static void fail_alloc_free(void *block, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(block);
}

/* Nothing may be in use, and nothing is cached from here on, so that every allocation of the library is seen. */
static inline void fail_alloc_install(void)
{
    fail_alloc.cache_limit = heed_memory_set_cache_limit(0);
    fail_alloc.fail_at = 0;
    ck_assert_int_eq(heed_set_allocator(&(heed_allocator){fail_alloc_alloc, fail_alloc_free, NULL}), HEED_OK);
}

static inline void fail_alloc_uninstall(void)
{
    heed_thread_cleanup();
    ck_assert_int_eq(heed_set_allocator(NULL), HEED_OK);
    heed_memory_set_cache_limit(fail_alloc.cache_limit);
    fail_alloc.inputs = NULL; /* which may be gone in the next test */
}

/* Runs `program` with allocation k failing for k = 1, 2, ... until it gets through. */
static inline void fail_alloc_pass(bool (*program)(double *value), double expected, bool from_then_on)
{
    for (long k = 1;; k++) {
        heed_thread_cleanup();
        heed_memory_stats before = heed_memory_get_stats();
        uint64_t inputs = fail_alloc.inputs ? fail_alloc.inputs() : 0;
        fail_alloc.count = 0;
        fail_alloc.from_then_on = from_then_on;
        fail_alloc.fail_at = k;
        double value = 0.0;
        bool done = program(&value);
        fail_alloc.fail_at = 0;
        bool failed = fail_alloc.count >= k;
        ck_assert_msg(failed ? heed_error_code() == HEED_ERR_NOMEM : done, "allocation %ld: %s", k,
                      heed_error_message());
        ck_assert_msg(!failed || !done || !fail_alloc.strict, "allocation %ld: its failure is no failure", k);
        heed_error_clear();
        heed_thread_cleanup();
        heed_memory_stats after = heed_memory_get_stats();
        ck_assert_msg(after.live_objects == before.live_objects && after.live_bytes == before.live_bytes,
                      "allocation %ld leaks", k);
        ck_assert_msg(!failed || !fail_alloc.inputs || fail_alloc.inputs() == inputs,
                      "allocation %ld: a failure changed the inputs", k);
        double again = 0.0;
        ck_assert_msg(program(&again), "after allocation %ld: %s", k, heed_error_message());
        ck_assert_msg(memcmp(&again, &expected, sizeof again) == 0, "after allocation %ld: %.17g, not %.17g", k, again,
                      expected);
        heed_thread_cleanup();
        if (!failed)
            return;
        ck_assert_msg(k < 100000, "never gets through");
    }
}

static inline void fail_alloc_sweep(bool (*program)(double *value))
{
    double expected = 0.0;
    ck_assert_msg(program(&expected), "%s", heed_error_message());
    fail_alloc_pass(program, expected, false);
    fail_alloc_pass(program, expected, true);
}

#endif
