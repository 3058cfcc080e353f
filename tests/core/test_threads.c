/* tests/core/test_threads.c - tests of several threads at once: shared tensors, graphs over shared leaves, equal bits
 * for any number of threads, and a child after fork.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8

static void in_threads(void *(*fn)(void *), void *argument)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fn, argument), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        ck_assert_msg(!failed, "%s", (const char *)failed);
    }
}

/* HEED_ROUNDS raises the number of rounds (scripts/torture). */
static long rounds(long usual)
{
    const char *text = getenv("HEED_ROUNDS");
    return text ? strtol(text, NULL, 10) : usual;
}

static void *retain_and_release(void *t)
{
    for (long i = rounds(100000); i > 0; i--) {
        heed_retain(t);
        heed_release(t);
    }
    return NULL;
}

START_TEST(owners_are_counted_by_all)
{
    heed_tensor *t = heed_retain(heed_ones(HEED_F32, HEED_SHAPE(3)));
    in_threads(retain_and_release, t);
    ck_assert(heed_item(heed_sum(t)) == 3.0);
    heed_release(t);
}
END_TEST

/* d/dw sum tanh(w)^2 = 2 tanh(w) (1 - tanh(w)^2), computed many times with the same w. */
static void *gradient_of_shared(void *w)
{
    heed_tensor *leaf = w;
    for (int i = 0; i < 300; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = heed_sum(heed_square(heed_tanh(leaf))), *g = NULL;
        if (heed_grad(&loss, 1, &leaf, 1, &g, NULL) != HEED_OK)
            return "heed_grad failed";
        double t = tanh(heed_get(leaf, HEED_INDEX(5)));
        if (!(fabs(heed_get(g, HEED_INDEX(5)) - 2.0 * t * (1.0 - t * t)) < 1e-14))
            return "a wrong gradient";
        heed_scope_end(scope);
    }
    return NULL;
}

START_TEST(graphs_over_shared_leaves)
{
    heed_tensor *w = heed_set_requires_grad(heed_linspace(HEED_F64, -2, 2, 17), true);
    in_threads(gradient_of_shared, w);
    ck_assert_ptr_null(heed_grad_of(w));
}
END_TEST

static void *fail_on_its_own(void *unused)
{
    (void)unused;
    if (heed_error_code() != HEED_OK || heed_add(NULL, NULL))
        return "an error came from elsewhere";
    heed_error_clear();
    return heed_grad_enabled() ? NULL : "recording was off";
}

START_TEST(errors_and_modes_belong_to_a_thread)
{
    heed_scope *quiet = heed_no_grad_begin();
    heed_fail(HEED_ERR_IO, "test", "mine");
    in_threads(fail_on_its_own, NULL);
    ck_assert_error(HEED_ERR_IO, "test: mine");
    heed_scope_end(quiet);
}
END_TEST

/* Kernel regression of 613 points in the plane, leaving out the point itself: the result and the gradients of all
 * inputs. */
static heed_tensor *large_regression(void)
{
    heed_tensor *in[4] = {heed_randn(HEED_F32, HEED_SHAPE(613, 2)), NULL, heed_randn(HEED_F32, HEED_SHAPE(613, 3)),
                          heed_ones(HEED_F32, HEED_SHAPE(2))};
    in[1] = heed_clone(in[0]);
    for (int i = 0; i < 4; i++)
        heed_set_requires_grad(in[i], true);
    heed_kernel_regression_options options = {.leave_one_out = true};
    heed_tensor *f = heed_kernel_regression(in[0], in[1], in[2], in[3], &options, NULL),
                *parts[5] = {heed_reshape(f, HEED_SHAPE(-1))};
    heed_backward(heed_sum(heed_square(f)));
    for (int i = 0; i < 4; i++)
        parts[i + 1] = heed_reshape(heed_grad_of(in[i]), HEED_SHAPE(-1));
    return heed_concat(parts, 5, 0);
}

/* A computation large enough for threads: elementwise ops, reductions along every axis, softmax, layer norm, products,
 * gradients, kernel regression. */
static heed_tensor *large(void)
{
    heed_manual_seed(7);
    heed_tensor *x = heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(3, 211, 257)), true);
    heed_tensor *w = heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(3, 257, 63)), true);
    heed_tensor *factor = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(257)), true);
    heed_tensor *a = heed_masked_softmax(x, HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 257, 0, 100));
    heed_tensor *norm = heed_layer_norm(heed_add(x, a), HEED_SHAPE(257), factor, NULL, 1e-5);
    heed_tensor *y = heed_softmax(heed_bmm(heed_tanh(norm), w), 1);
    heed_tensor *z =
        heed_add(heed_sum_axes(heed_mul(y, y), HEED_AXES(0, 1), false), heed_mean_axes(w, HEED_AXES(1), false));
    heed_backward(heed_sum(heed_square(z)));
    heed_tensor *parts[] = {heed_reshape(z, HEED_SHAPE(-1)), heed_reshape(heed_grad_of(x), HEED_SHAPE(-1)),
                            heed_reshape(heed_grad_of(w), HEED_SHAPE(-1)), heed_grad_of(factor), large_regression()};
    return heed_concat(parts, 5, 0);
}

START_TEST(the_same_bits_for_any_number_of_threads)
{
    const int counts[] = {1, 2, 3, 4, 7, 8, 16};
    heed_tensor *first = NULL;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ck_assert_int_eq(heed_set_num_threads(counts[i]), HEED_OK);
        heed_tensor *result = large();
        first = first ? first : result;
        ck_assert_int_eq(
            memcmp(heed_data_f32(first), heed_data_f32(result), (size_t)heed_numel(result) * sizeof(float)), 0);
    }
}
END_TEST

START_TEST(numbers_of_threads)
{
    ck_assert_int_eq(heed_set_num_threads(0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "set_num_threads: n is 0: must be 1 to 256");
    ck_assert_int_eq(heed_set_num_threads(257), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "257");
    ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
    ck_assert_int_eq(heed_num_threads(), 1);
}
END_TEST

START_TEST(a_child_computes_after_fork)
{
    heed_set_num_threads(4);
    heed_tensor *expected = large();
    pid_t child = fork();
    if (child == 0) {
        heed_tensor *result = large();
        bool same = result && memcmp(heed_data_f32(expected), heed_data_f32(result),
                                     (size_t)heed_numel(result) * sizeof(float)) == 0;
        _exit(same ? 0 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

static void *long_chain(void *result)
{
    heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, 2), true), *y = x;
    for (int i = 0; i < 1000; i++)
        y = heed_add_scalar(y, 1);
    heed_tensor **pair = result;
    pair[0] = heed_retain(x);
    pair[1] = heed_retain(y);
    return NULL;
}

/* Computes y^3 from a different thread's y = x + 1000, in a thread that has not recorded before. */
static void *continue_chain(void *given)
{
    heed_tensor **pair = given;
    heed_tensor *cube = heed_mul(heed_square(pair[1]), pair[1]);
    if (heed_backward(cube) != HEED_OK || heed_item(heed_grad_of(pair[0])) != 3.0 * 1002 * 1002)
        return "a wrong gradient";
    return NULL;
}

START_TEST(a_graph_continues_in_a_different_thread)
{
    heed_tensor *pair[2];
    void *(*const steps[])(void *) = {long_chain, continue_chain};
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        void *failed = NULL;
        ck_assert_int_eq(pthread_create(&thread, NULL, steps[i], pair), 0);
        ck_assert_int_eq(pthread_join(thread, &failed), 0);
        ck_assert_msg(!failed, "%s", (const char *)failed);
    }
    heed_release(pair[0]);
    heed_release(pair[1]);
}
END_TEST

static heed_tensor *of_another_thread[2]; /* x = 2, and y = (x + n - 1)^2, after n ops */

static void *chain_of(void *n)
{
    heed_tensor *x = heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, 2), true), *y = x;
    for (int i = 1; i < *(const int *)n; i++)
        y = heed_add_scalar(y, 1);
    of_another_thread[0] = heed_retain(x);
    of_another_thread[1] = heed_retain(heed_square(y));
    return NULL;
}

static heed_tensor *y_of(int n)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, chain_of, &n), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    return of_another_thread[1];
}

/* Backward follows the order of recording: y comes before its use, even if both threads have recorded the same number
 * of ops (OPS + 2, more than the tests before this one). y is used twice, and the second use is reached first. */
START_TEST(a_thread_that_has_recorded_as_much)
{
    enum { OPS = 10000 };
    heed_tensor *x = NULL, *y = NULL, *before = heed_neg(y_of(OPS));
    ck_assert_ptr_nonnull(before);
    heed_release(of_another_thread[0]);
    heed_release(of_another_thread[1]);
    y = y_of(OPS + 2);
    x = of_another_thread[0];
    heed_tensor *late = heed_mul_scalar(heed_mul_scalar(y, 3), 2), *soon = heed_mul_scalar(y, 5);
    ck_assert_int_eq(heed_backward(heed_add(late, soon)), HEED_OK);
    ck_assert(heed_item(heed_grad_of(x)) == 11.0 * 2 * (2 + OPS + 1));
    heed_release(x);
    heed_release(y);
}
END_TEST

HEED_TEST_MAIN("threads", owners_are_counted_by_all, graphs_over_shared_leaves, errors_and_modes_belong_to_a_thread,
               the_same_bits_for_any_number_of_threads, numbers_of_threads, a_child_computes_after_fork,
               a_graph_continues_in_a_different_thread, a_thread_that_has_recorded_as_much)
