/* tests/core/test_debug.c - tests that debug mode reports every use of freed memory, with the line of the use and the
 * line that made the tensor, and tests the notices of debug mode.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include "check_heed.h"

#include <pthread.h>

/* -- Notices -- */

static char notices[4096];

static void note(const char *message, void *user)
{
    ++*(int *)user;
    strncat(notices, message, sizeof notices - strlen(notices) - 2);
    strcat(notices, "\n");
}

static int n_notices;

static void begin(void)
{
    n_notices = 0;
    notices[0] = '\0';
    ck_assert(!heed_set_debug(true));
    ck_assert(heed_set_debug(true));
    heed_set_notice_handler(note, &n_notices);
}

static void end(void)
{
    heed_set_notice_handler(NULL, NULL);
    ck_assert(heed_set_debug(false));
    ck_assert(!heed_set_debug(false));
}

/* Checks that the pending error is "FILE:line: rest", with the file for %1$s in rest; clears it. */
static void check_error(int line, const char *format, int first, int second, int third)
{
    char expected[2 * HEED_ERROR_MESSAGE_MAX], rest[HEED_ERROR_MESSAGE_MAX];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(rest, sizeof rest, format, __FILE__, first, __FILE__, second, __FILE__, third);
#pragma GCC diagnostic pop
    snprintf(expected, sizeof expected, "%s:%d: %s", __FILE__, line, rest);
    ck_assert_str_eq(heed_error_message(), expected);
    ck_assert_int_eq(heed_error_code(), HEED_ERR_STATE);
    heed_error_clear();
}

/* -- Dead tensors -- */

START_TEST(the_error_says_where_the_tensor_was_made_and_its_scope_ended)
{
    begin();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(8));
    const int line = __LINE__ + 1;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = heed_add(x, x);
    heed_scope_end(scope);
    for (int i = 0; i < 100; i++) /* its block is not reused */
        heed_add(x, x);
    ck_assert_ptr_null(heed_tanh(y));
    check_error(__LINE__ - 1,
                "tanh: argument 1 was freed: f32 (8), made by add at %s:%d; its scope, begun at %s:%d, ended at %s:%d",
                line + 1, line, line + 2);
    ck_assert(isnan(heed_item(y)));
    check_error(__LINE__ - 1,
                "item: the tensor was freed: f32 (8), made by add at %s:%d; its scope, begun at %s:%d, ended at %s:%d",
                line + 1, line, line + 2);
    end();
}
END_TEST

START_TEST(or_where_it_was_released)
{
    begin();
    heed_scope *scope = heed_scope_begin();
    const int made = __LINE__ + 2;

    heed_tensor *kept = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(8)));
    heed_scope_return(scope, NULL);
    heed_release(kept);
    heed_release(kept);
    char expected[HEED_ERROR_MESSAGE_MAX];
    snprintf(
        expected, sizeof expected,
        "%s:%d: release: the tensor was freed: f32 (8), made by ones at %s:%d; its scope, begun at %s:%d, ended at "
        "%s:%d; freed at %s:%d",
        __FILE__, made + 3, __FILE__, made, __FILE__, made - 3, __FILE__, made + 1, __FILE__, made + 2);
    ck_assert_str_eq(heed_error_message(), expected);
    heed_error_clear();
    ck_assert_ptr_null(heed_retain(kept));
    ck_assert_error(HEED_ERR_STATE, "retain: the tensor was freed");
    end();
}
END_TEST

START_TEST(a_tensor_whose_elements_live_on)
{
    begin();
    const int line = __LINE__ + 1;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F64, HEED_SHAPE(2, 3));
    heed_tensor *view = heed_scope_return(scope, heed_detach(t));
    ck_assert_int_eq(heed_rank(t), 0);
    check_error(
        line + 3,
        "rank: the tensor was freed: f64 (2, 3), made by ones at %s:%d; its scope, begun at %s:%d, ended at %s:%d",
        line + 1, line, line + 2);
    ck_assert_double_eq(heed_item(heed_sum(view)), 6.0);
    end();
}
END_TEST

START_TEST(a_borrowed_tensor_released)
{
    begin();
    const int line = __LINE__ + 1;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_release(t);
    char expected[HEED_ERROR_MESSAGE_MAX];
    snprintf(expected, sizeof expected,
             "%s:%d: release: the tensor is borrowed from the scope begun at %s:%d, which will release it: "
             "heed_release needs heed_retain first (f32 (8), made by ones at %s:%d; freed at %s:%d)",
             __FILE__, line + 2, __FILE__, line, __FILE__, line + 1, __FILE__, line + 2);
    ck_assert_str_eq(heed_error_message(), expected);
    heed_error_clear();
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK); /* reported once */
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    end();
}
END_TEST

static void *release_in_thread(void *t)
{
    heed_release(t);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    return NULL;
}

START_TEST(a_tensor_freed_by_a_different_thread)
{
    begin();
    heed_scope *scope = heed_scope_begin();
    heed_tensor *kept = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(8)));
    heed_scope_end(scope);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, release_in_thread, kept), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_ptr_null(heed_exp(kept));
    ck_assert_error(HEED_ERR_STATE, "exp: argument 1 was freed: f32 (8), made by ones at ");
    end();
}
END_TEST

static void *begin_and_use(void *unused)
{
    (void)unused;
    for (int i = 0; i < 300; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *x = heed_set_requires_grad(heed_rand(HEED_F32, HEED_SHAPE(3, i % 7)), true);
        ck_assert_int_eq(heed_backward(heed_sum(heed_tanh(heed_mul(x, x)))), HEED_OK);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert_ptr_null(heed_tanh(x));
        ck_assert_error(HEED_ERR_STATE, "tanh: argument 1 was freed: f32 (3, ");
    }
    return NULL;
}

START_TEST(many_threads_at_once)
{
    begin();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, begin_and_use, NULL), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    end();
}
END_TEST

/* -- Blocks -- */

START_TEST(writes_to_a_freed_block)
{
    begin();
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope_end(scope);
    *(volatile int64_t *)(void *)t = 1; /* the only bytes that no sanitizer protects */
    heed_set_debug(false);
    ck_assert_error(HEED_ERR_STATE, "debug: a freed block was written to, at byte 0: f32 (8), made by ones at ");
    ck_assert_int_eq(n_notices, 0);
    heed_set_debug(true);
    end();
}
END_TEST

START_TEST(blocks_leave_in_their_order_and_are_looked_at)
{
    begin();
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope_end(scope);
    *(volatile int64_t *)(void *)t = 1;
    heed_fail(HEED_ERR_STATE, "test", "pending"); /* with an error pending, it is reported by a notice */
    void *blocks[5];
    for (int i = 0; i < 5; i++)
        blocks[i] = heed_alloc((size_t)60 << 20);
    for (int i = 0; i < 5; i++)
        heed_free(blocks[i], (size_t)60 << 20);
    ck_assert_error(HEED_ERR_STATE, "test: pending");
    ck_assert_int_eq(n_notices, 1);
    ck_assert_msg(strstr(notices, "a freed block was written to, at byte 0: f32 (8), made by ones at ") == notices,
                  "%s", notices);
    end();
}
END_TEST

/* One large block does not evict the other freed blocks. */
START_TEST(large_blocks_are_not_kept_aside)
{
    heed_set_debug(true);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *small = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope_end(scope);
    heed_free(heed_alloc((size_t)300 << 20), (size_t)300 << 20);
    ck_assert_int_eq(heed_numel(small), 0);
    ck_assert_error(HEED_ERR_STATE, "made by ones");
    heed_set_debug(false);
}
END_TEST

START_TEST(a_block_freed_twice_or_with_a_different_size)
{
    begin();
    void *block = heed_alloc(100);
    heed_memory_stats before = heed_memory_get_stats();
    heed_free(block, 1000);
    ck_assert_error(HEED_ERR_ARGUMENT, "free: a block of 128 bytes is freed with a size of 1024");
    ck_assert_int_eq(heed_memory_get_stats().live_bytes, before.live_bytes);
    heed_free(block, 100);
    heed_free(block, 100);
    ck_assert_error(HEED_ERR_STATE, "free: the block was freed already: a block of 128 bytes, made by alloc at ");
    ck_assert_int_eq(heed_memory_get_stats().live_objects, before.live_objects - 1);
    end();
}
END_TEST

START_TEST(blocks_from_before_and_after_debug_mode)
{
    heed_tensor *before = heed_ones(HEED_F32, HEED_SHAPE(8));
    begin();
    heed_tensor *during = heed_add(before, before);
    end();
    heed_tensor *after = heed_add(before, during);
    ck_assert_double_eq(heed_item(heed_sum(after)), 24.0);
    begin();
    heed_thread_cleanup();
    end();
}
END_TEST

/* -- The program's own structs -- */

START_TEST(authors_of_types_have_the_same)
{
    begin();
    const int made = __LINE__ + 1;
    void *block = heed_alloc(64);
    heed_free(block, 64);
    ck_assert(!heed_fail_freed("my_type_run", "the type", block));
    char expected[HEED_ERROR_MESSAGE_MAX];
    snprintf(expected, sizeof expected,
             "%s:%d: my_type_run: the type was freed: a block of 64 bytes, made by alloc at %s:%d; freed at %s:%d",
             __FILE__, made + 2, __FILE__, made, __FILE__, made + 1);
    ck_assert_str_eq(heed_error_message(), expected);
    heed_error_clear();
    end();
}
END_TEST

/* -- A scope forgotten in a loop -- */

START_TEST(a_growing_root_scope_is_reported_once)
{
    begin();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(8)), *y = x;
    const int line = __LINE__ + 2;
    for (int i = 0; i < 2000; i++)
        y = heed_mul_scalar(x, 2.0);
    ck_assert_double_eq(heed_item(heed_sum(y)), 16.0);
    ck_assert_int_eq(n_notices, 1);
    char expected[512];
    snprintf(expected, sizeof expected,
             "the root scope holds 1024 tensors (327.7 kB) and is growing: 1023 of them come from %s:%d; is there a "
             "loop without "
             "heed_scope_begin and heed_scope_end?\n",
             __FILE__, line);
    ck_assert_str_eq(notices, expected);
    end();
}
END_TEST

START_TEST(scopes_that_hold_many_tensors_are_not)
{
    begin();
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(8));
    heed_scope *scope = heed_scope_begin();
    for (int i = 0; i < 5000; i++)
        heed_mul_scalar(x, 2.0);
    heed_scope_end(scope);
    ck_assert_int_eq(n_notices, 0);
    end();
}
END_TEST

HEED_TEST_MAIN("debug", the_error_says_where_the_tensor_was_made_and_its_scope_ended, or_where_it_was_released,
               a_tensor_whose_elements_live_on, a_borrowed_tensor_released, a_tensor_freed_by_a_different_thread,
               many_threads_at_once, writes_to_a_freed_block, blocks_leave_in_their_order_and_are_looked_at,
               large_blocks_are_not_kept_aside, a_block_freed_twice_or_with_a_different_size,
               blocks_from_before_and_after_debug_mode, authors_of_types_have_the_same,
               a_growing_root_scope_is_reported_once, scopes_that_hold_many_tensors_are_not)
