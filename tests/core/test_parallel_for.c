/* tests/core/test_parallel_for.c - heed_parallel_for: results, random numbers and errors do not depend on the number of
 * threads, and the calling thread's settings hold in all calls.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CALLS = 40 };

static heed_status square(int64_t i, void *user)
{
    heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(3), (double)i);
    ((double *)user)[i] = heed_item(heed_sum(heed_square(x)));
    return heed_error_code();
}

START_TEST(every_call_runs_once)
{
    for (int threads = 1; threads <= 4; threads++) {
        double results[CALLS] = {0};
        heed_set_num_threads(threads);
        ck_assert_int_eq(heed_parallel_for(CALLS, square, results), HEED_OK);
        for (int i = 0; i < CALLS; i++)
            ck_assert_double_eq(results[i], 3.0 * i * i);
    }
    ck_assert_int_eq(heed_parallel_for(0, square, NULL), HEED_OK);
}
END_TEST

/* -- Random numbers ------------------------------------------------------------------------------------------------ */

static heed_status draw(int64_t i, void *user)
{
    double *results = user;
    results[2 * i] = heed_item(heed_rand(HEED_F64, HEED_SCALAR));
    results[2 * i + 1] = heed_item(heed_rand(HEED_F64, HEED_SCALAR));
    return heed_error_code();
}

static void draw_all(int threads, double results[4 * CALLS])
{
    heed_set_num_threads(threads);
    heed_manual_seed(7);
    ck_assert_int_eq(heed_parallel_for(CALLS, draw, results), HEED_OK);
    ck_assert_int_eq(heed_parallel_for(CALLS, draw, results + 2 * CALLS), HEED_OK);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

START_TEST(random_numbers_depend_on_the_seed_and_the_index)
{
    double expected[4 * CALLS], results[4 * CALLS];
    draw_all(1, expected);
    for (int threads = 2; threads <= 4; threads++) {
        draw_all(threads, results);
        ck_assert_mem_eq(results, expected, sizeof expected);
    }
    qsort(expected, 4 * CALLS, sizeof expected[0], by_value);
    for (int k = 1; k < 4 * CALLS; k++)
        ck_assert_msg(expected[k - 1] != expected[k], "two draws are the same number");
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static atomic_int handled;

static void count_errors(heed_status status, const char *message, void *user)
{
    (void)status, (void)message, (void)user;
    atomic_fetch_add(&handled, 1);
}

/* All calls from 5 on fail. */
static heed_status fail_late(int64_t i, void *user)
{
    ((int *)user)[i]++;
    if (i < 5)
        return HEED_OK;
    heed_matmul(heed_ones(HEED_F32, HEED_SHAPE(2, i)), heed_ones(HEED_F32, HEED_SHAPE(3, 2)));
    return heed_error_code();
}

START_TEST(the_error_is_that_of_the_lowest_index)
{
    heed_set_error_handler(count_errors, NULL);
    for (int threads = 1; threads <= 4; threads++) {
        int ran[CALLS] = {0};
        atomic_store(&handled, 0);
        heed_set_num_threads(threads);
        ck_assert_int_eq(heed_parallel_for(CALLS, fail_late, ran), HEED_ERR_SHAPE);
        ck_assert_int_eq(heed_error_code(), HEED_ERR_SHAPE);
        ck_assert_ptr_nonnull(strstr(heed_error_message(), "parallel_for: matmul: "));
        ck_assert_ptr_nonnull(strstr(heed_error_message(), "(2, 5)"));
        ck_assert_int_eq(atomic_load(&handled), 1);
        for (int i = 0; i <= 5; i++)
            ck_assert_int_eq(ran[i], 1);
        heed_error_clear();
    }
    heed_set_error_handler(NULL, NULL);
}
END_TEST

static heed_status code_alone(int64_t i, void *user)
{
    (void)user;
    return i == 3 ? HEED_ERR_IO : HEED_OK;
}

static heed_status forgotten_error(int64_t i, void *user)
{
    (void)user;
    if (i == 2)
        heed_fail(HEED_ERR_STATE, "my_call", "call %" PRId64 " failed", i);
    return HEED_OK;
}

static void check_error(heed_status status, heed_status expected, const char *message)
{
    ck_assert_int_eq(status, expected);
    ck_assert_int_eq(heed_error_code(), expected);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

START_TEST(failures_without_a_code_or_an_error_count)
{
    check_error(heed_parallel_for(CALLS, code_alone, NULL), HEED_ERR_IO,
                "parallel_for: fn returned HEED_ERR_IO, 8, for 3");
    check_error(heed_parallel_for(CALLS, forgotten_error, NULL), HEED_ERR_STATE,
                "parallel_for: my_call: call 2 failed");
    check_error(heed_parallel_for(-1, code_alone, NULL), HEED_ERR_ARGUMENT, "parallel_for: n is -1: must be 0 to 2^24");
    check_error(heed_parallel_for(HEED_PARALLEL_MAX + 1, code_alone, NULL), HEED_ERR_ARGUMENT,
                "parallel_for: n is 16777217: must be 0 to 2^24");
    check_error(heed_parallel_for(1, NULL, NULL), HEED_ERR_ARGUMENT, "parallel_for: fn is NULL");
}
END_TEST

START_TEST(a_pending_error_stays_pending)
{
    double results[CALLS];
    int ran[CALLS] = {0};
    heed_fail(HEED_ERR_IO, "earlier", "an earlier error");
    ck_assert_int_eq(heed_parallel_for(CALLS, square, results), HEED_OK);
    ck_assert_double_eq(results[CALLS - 1], 3.0 * (CALLS - 1) * (CALLS - 1));
    ck_assert_int_eq(heed_parallel_for(CALLS, fail_late, ran), HEED_ERR_SHAPE);
    check_error(heed_error_code(), HEED_ERR_IO, "earlier: an earlier error");
}
END_TEST

/* -- Settings ------------------------------------------------------------------------------------------------------ */

static heed_status check_settings(int64_t i, void *user)
{
    (void)i;
    const bool recording = *(bool *)user;
    if (heed_grad_enabled() != recording || heed_matmul_precision() != HEED_PRECISION_MEDIUM || heed_num_threads() != 1)
        return heed_fail(HEED_ERR_STATE, "check_settings", "settings are not inherited");
    heed_set_grad_enabled(!recording);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
    return HEED_OK;
}

START_TEST(settings_are_inherited_and_restored)
{
    for (int threads = 1; threads <= 4; threads++) {
        heed_set_num_threads(threads);
        heed_set_matmul_precision(HEED_PRECISION_MEDIUM);
        for (int recording = 0; recording < 2; recording++) {
            bool enabled = recording;
            heed_set_grad_enabled(enabled);
            ck_assert_int_eq(heed_parallel_for(CALLS, check_settings, &enabled), HEED_OK);
            ck_assert(heed_grad_enabled() == enabled);
            ck_assert_int_eq(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
            ck_assert_int_eq(heed_num_threads(), threads);
        }
        heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
        heed_set_grad_enabled(true);
    }
}
END_TEST

static heed_status nest(int64_t i, void *user)
{
    double *results = user, inner[CALLS];
    heed_status status = heed_parallel_for(CALLS, square, inner);
    results[i] = 0.0;
    for (int k = 0; k < CALLS; k++)
        results[i] += inner[k];
    return status;
}

START_TEST(calls_nest)
{
    double results[CALLS];
    heed_set_num_threads(4);
    ck_assert_int_eq(heed_parallel_for(CALLS, nest, results), HEED_OK);
    for (int i = 0; i < CALLS; i++)
        ck_assert_double_eq(results[i], 3.0 * (CALLS - 1) * CALLS * (2 * CALLS - 1) / 6.0);
}
END_TEST

static heed_status differentiate(int64_t i, void *user)
{
    heed_tensor *const *shared = user;
    heed_tensor *loss = heed_mul_scalar(heed_sum(heed_square(shared[0])), (double)i), *grad;
    if (heed_grad(&loss, 1, shared, 1, &grad, NULL) != HEED_OK)
        return heed_error_code();
    return heed_get(grad, HEED_INDEX(1)) == 4.0 * (double)i
               ? HEED_OK
               : heed_fail(HEED_ERR_STATE, "differentiate", "wrong gradient of call %" PRId64, i);
}

START_TEST(calls_differentiate_with_respect_to_shared_tensors)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *w = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1.0, 2.0), true);
    for (int threads = 1; threads <= 4; threads++) {
        heed_set_num_threads(threads);
        ck_assert_int_eq(heed_parallel_for(CALLS, differentiate, &w), HEED_OK);
    }
    heed_scope_end(scope);
}
END_TEST

/* -- Buffers ------------------------------------------------------------------------------------------------------- */

static heed_status use_buffer(int64_t i, void *user)
{
    heed_tensor *shared = user, *own = heed_full(HEED_F32, HEED_SCALAR, (double)i);
    if (i == 7)
        return heed_parallel_buffer(shared) ? HEED_OK : heed_error_code();
    if (heed_parallel_own_buffers(&shared, &own, 1) != HEED_OK)
        return heed_error_code();
    return heed_parallel_buffer(shared) == own ? HEED_OK : HEED_ERR_STATE;
}

START_TEST(a_call_has_copies_of_buffers)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *buffer = heed_zeros(HEED_F32, HEED_SCALAR);
    heed_set_num_threads(3);
    ck_assert_int_eq(heed_parallel_for(7, use_buffer, buffer), HEED_OK);
    check_error(heed_parallel_for(9, use_buffer, buffer), HEED_ERR_STATE,
                "parallel_for: parallel_buffer: calls that run at the same time would write the same buffer of a "
                "module (in heed_data_parallel_gradients, set .module of the team's options)");
    ck_assert_ptr_eq(heed_parallel_buffer(buffer), buffer);
    check_error(heed_parallel_own_buffers(&buffer, &buffer, 1), HEED_ERR_STATE,
                "parallel_own_buffers: no call of heed_parallel_for is running");
    heed_scope_end(scope);
}
END_TEST

HEED_TEST_MAIN("parallel for", every_call_runs_once, random_numbers_depend_on_the_seed_and_the_index,
               the_error_is_that_of_the_lowest_index, failures_without_a_code_or_an_error_count,
               a_pending_error_stays_pending, settings_are_inherited_and_restored, calls_nest,
               calls_differentiate_with_respect_to_shared_tensors, a_call_has_copies_of_buffers)
