/* tests/core/test_scope.c - tests of ownership: scopes, retain and release, early returns.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>

static int64_t live(void)
{
    return heed_memory_get_stats().live_objects;
}

START_TEST(a_scope_releases_what_was_made_in_it)
{
    heed_tensor *outside = heed_ones(HEED_F32, HEED_SHAPE(4));
    int64_t before = live();
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = outside;
    for (int i = 0; i < 100; i++)
        x = heed_add(x, outside);
    ck_assert_int_gt(live(), before + 100);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_le(live(), before);
    ck_assert(heed_get(outside, HEED_INDEX(3)) == 1.0);
}
END_TEST

START_TEST(retain_keeps_past_the_scope)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *kept = heed_retain(heed_full(HEED_F64, HEED_SHAPE(2), 7.0));
    heed_scope_end(scope);
    ck_assert(heed_get(kept, HEED_INDEX(1)) == 7.0);
    heed_release(kept);
    ck_assert_ptr_null(heed_retain(NULL));
    heed_release(NULL);
}
END_TEST

START_TEST(scope_return_hands_to_the_parent)
{
    heed_scope *outer = heed_scope_begin();
    heed_scope *inner = heed_scope_begin();
    heed_tensor *t = heed_scope_return(inner, heed_full(HEED_F64, HEED_SCALAR, 3.0));
    ck_assert(heed_item(t) == 3.0);
    heed_retain(t);
    heed_scope_end(outer);
    ck_assert(heed_item(t) == 3.0);
    heed_release(t);
    ck_assert_ptr_null(heed_scope_return(heed_scope_begin(), NULL));
    ck_assert_int_eq(heed_error_code(), HEED_OK);
}
END_TEST

START_TEST(ending_a_scope_ends_those_inside)
{
    int64_t before = live();
    heed_scope *outer = heed_scope_begin();
    ck_assert_ptr_nonnull(heed_no_grad_begin());
    heed_scope *lost = heed_scope_begin();
    heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert(!heed_grad_enabled());
    heed_scope_end(outer);
    ck_assert(heed_grad_enabled());
    ck_assert_int_le(live(), before + 1); /* the thread's list of borrowed tensors */
    ck_assert_int_eq(heed_scope_end(lost), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "scope_end: the scope is not open in this thread");
    ck_assert_int_eq(heed_scope_end(NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "scope_end: the scope is NULL");
}
END_TEST

static void *end_foreign(void *scope)
{
    ck_assert_int_eq(heed_scope_end(scope), HEED_ERR_STATE);
    ck_assert_ptr_null(heed_scope_return(scope, NULL));
    heed_error_clear();
    return NULL;
}

START_TEST(a_scope_belongs_to_its_thread)
{
    heed_scope *scope = heed_scope_begin();
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, end_foreign, scope), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}
END_TEST

START_TEST(the_root_scope_is_emptied_by_cleanup)
{
    for (int i = 0; i < 1000; i++)
        heed_ones(HEED_F32, HEED_SHAPE(10));
    ck_assert(heed_set_grad_enabled(false));
    ck_assert_ptr_nonnull(heed_scope_begin());
    heed_ones(HEED_F32, HEED_SHAPE(10));
    heed_thread_cleanup();
    ck_assert(heed_grad_enabled());
    ck_assert_int_eq(live(), heed_test_before.live_objects);
    ck_assert_ptr_nonnull(heed_ones(HEED_F32, HEED_SHAPE(10)));
}
END_TEST

/* Twenty results of 8,000 bytes that backward does not read: only the last one stays, owned by the caller. */
START_TEST(a_graph_keeps_only_what_backward_reads)
{
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1000)), true), *y = x;
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_scope *scope = heed_scope_begin();
    for (int i = 0; i < 20; i++)
        y = heed_add_scalar(y, 1);
    y = heed_scope_return(scope, y);
    ck_assert_int_lt(heed_memory_get_stats().live_bytes - before, 2 * 8000);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
}
END_TEST

HEED_TEST_MAIN("scope", a_scope_releases_what_was_made_in_it, retain_keeps_past_the_scope,
               scope_return_hands_to_the_parent, ending_a_scope_ends_those_inside, a_scope_belongs_to_its_thread,
               the_root_scope_is_emptied_by_cleanup, a_graph_keeps_only_what_backward_reads)
