/* tests/core/test_memory.c - tests of the allocator: size classes, cache, counters, a foreign allocator.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <stdint.h>

START_TEST(blocks_are_aligned_and_counted)
{
    size_t sizes[] = {0,   1,   63,   64,   65,   511,    512,     513,           575,
                      576, 577, 1024, 1025, 4097, 100000, 1 << 20, (1 << 20) + 1, 5 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        heed_memory_stats before = heed_memory_get_stats();
        char *block = heed_alloc(sizes[i]);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % HEED_ALIGNMENT, 0);
        memset(block, 0xa5, sizes[i]);
        heed_memory_stats during = heed_memory_get_stats();
        ck_assert_int_eq(during.live_objects, before.live_objects + 1);
        int64_t bytes = during.live_bytes - before.live_bytes;
        ck_assert_int_ge(bytes, (int64_t)sizes[i]);
        ck_assert_msg(bytes <= 64 || bytes <= (int64_t)(sizes[i] + sizes[i] / 8 + 64), "%zu costs %lld", sizes[i],
                      (long long)bytes);
        heed_free(block, sizes[i]);
        ck_assert_int_eq(heed_memory_get_stats().live_bytes, before.live_bytes);
    }
}
END_TEST

START_TEST(a_freed_block_is_found_again)
{
    size_t limit = heed_memory_set_cache_limit((size_t)1 << 20);
    void *block = heed_alloc(1000);
    heed_free(block, 1000);
    int64_t calls = heed_memory_get_stats().system_calls;
    ck_assert_int_gt(heed_memory_get_stats().cached_bytes, 0);
    void *again = heed_alloc(990);
    ck_assert_ptr_eq(again, block);
    ck_assert_int_eq(heed_memory_get_stats().system_calls, calls);
    heed_free(again, 990);
    heed_memory_set_cache_limit(heed_memory_set_cache_limit(0));
    ck_assert_int_eq(heed_memory_get_stats().cached_bytes, 0);
    heed_memory_set_cache_limit(limit);
}
END_TEST

START_TEST(the_cache_keeps_to_its_limit)
{
    size_t limit = heed_memory_set_cache_limit(0);
    heed_free(heed_alloc(100), 100);
    ck_assert_int_eq(heed_memory_get_stats().cached_bytes, 0);
    heed_memory_set_cache_limit(1024);
    heed_free(heed_alloc(4096), 4096);
    ck_assert_int_eq(heed_memory_get_stats().cached_bytes, 0);
    heed_free(heed_alloc(512), 512);
    ck_assert_int_eq(heed_memory_get_stats().cached_bytes, 512);
    ck_assert_uint_eq(heed_memory_set_cache_limit(0), 1024);
    ck_assert_int_eq(heed_memory_get_stats().cached_bytes, 0);
    heed_memory_set_cache_limit(limit);
}
END_TEST

START_TEST(impossible_sizes_are_errors)
{
    ck_assert_ptr_null(heed_alloc(SIZE_MAX));
    ck_assert_error(HEED_ERR_NOMEM, "alloc: cannot allocate");
    ck_assert_ptr_null(heed_calloc(SIZE_MAX / 2, 3));
    ck_assert_error(HEED_ERR_NOMEM, "times 3 bytes");
    unsigned char *zeros = heed_calloc(10, 10);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(zeros[i], 0);
    heed_free(zeros, 100);
    heed_free(NULL, 5);
}
END_TEST

START_TEST(peaks_are_remembered)
{
    heed_memory_reset_peak();
    heed_memory_stats before = heed_memory_get_stats();
    ck_assert_int_eq(before.peak_bytes, before.live_bytes);
    heed_free(heed_alloc(1 << 20), 1 << 20);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert_int_eq(after.peak_bytes, before.live_bytes + (1 << 20));
    ck_assert_int_eq(after.peak_objects, before.live_objects + 1);
}
END_TEST

typedef struct tally {
    int allocs, frees;
    int64_t bytes;
} tally;

static void *tally_alloc(size_t size, size_t alignment, void *user)
{
    tally *t = user;
    t->allocs++;
    t->bytes += (int64_t)size;
    return aligned_alloc(alignment, size);
}

static void tally_free(void *block, size_t size, void *user)
{
    tally *t = user;
    t->frees++;
    t->bytes -= (int64_t)size;
    free(block);
}

START_TEST(an_allocator_can_be_set)
{
    tally t = {0};
    heed_allocator allocator = {tally_alloc, tally_free, &t};
    ck_assert_int_eq(heed_set_allocator(&allocator), HEED_OK);
    heed_scope *scope = heed_scope_begin();
    heed_zeros(HEED_F32, HEED_SHAPE(10, 10));
    ck_assert_int_gt(t.allocs, 1);
    ck_assert_int_eq(heed_set_allocator(NULL), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "in use");
    heed_scope_end(scope);
    heed_thread_cleanup();
    ck_assert_int_eq(heed_set_allocator(NULL), HEED_OK);
    ck_assert_int_eq(t.allocs, t.frees);
    ck_assert_int_eq(t.bytes, 0);
    ck_assert_int_eq(heed_set_allocator(&(heed_allocator){tally_alloc, NULL, NULL}), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "free is NULL");
}
END_TEST

static void *make_garbage(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++)
        heed_mul(heed_ones(HEED_F32, HEED_SHAPE(100)), heed_ones(HEED_F32, HEED_SHAPE(100)));
    return NULL;
}

START_TEST(a_thread_frees_everything)
{
    heed_memory_stats before = heed_memory_get_stats();
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, make_garbage, NULL), 0);
    pthread_join(thread, NULL);
    heed_memory_stats after = heed_memory_get_stats();
    ck_assert_int_eq(after.live_objects, before.live_objects);
    ck_assert_int_eq(after.live_bytes, before.live_bytes);
    ck_assert_int_gt(after.system_calls, before.system_calls);
}
END_TEST

static void *free_elsewhere(void *block)
{
    heed_free(block, 1000);
    return NULL;
}

START_TEST(a_block_may_be_freed_by_a_different_thread)
{
    heed_memory_stats before = heed_memory_get_stats();
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, free_elsewhere, heed_alloc(1000)), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(heed_memory_get_stats().live_bytes, before.live_bytes);
}
END_TEST

HEED_TEST_MAIN("memory", blocks_are_aligned_and_counted, a_freed_block_is_found_again, the_cache_keeps_to_its_limit,
               impossible_sizes_are_errors, peaks_are_remembered, an_allocator_can_be_set, a_thread_frees_everything,
               a_block_may_be_freed_by_a_different_thread)
