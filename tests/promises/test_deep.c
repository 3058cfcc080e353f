/* tests/promises/test_deep.c - very deep and very wide graphs under a small stack: forward, backward and freeing do not
 * recurse.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <time.h>

#define STEPS 1000000

static heed_tensor *leaf(double value)
{
    return heed_set_requires_grad(heed_full(HEED_F64, HEED_SCALAR, value), true);
}

/* A chain of STEPS ops; every result is released when the next is made, so only the graph holds it. */
static heed_tensor *chain(heed_tensor *x)
{
    heed_tensor *y = heed_retain(x);
    for (int i = 0; i < STEPS; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *next = heed_retain(heed_add_scalar(y, 1.0));
        heed_release(y);
        y = next;
        heed_scope_end(scope);
    }
    return y;
}

static void deep_graphs(void)
{
    heed_tensor *x = leaf(0.5), *y = chain(x);
    ck_assert(heed_item(y) == STEPS + 0.5);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(heed_item(heed_grad_of(x)) == 1.0);
    heed_release(y);
    heed_release(chain(x)); /* freed without a pass */
}

static void *on_small_stack(void *unused)
{
    (void)unused;
    deep_graphs();
    return NULL;
}

START_TEST(a_million_ops_on_a_small_stack)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, &attributes, on_small_stack, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}
END_TEST

START_TEST(doubling_sixty_four_times)
{
    struct timespec start, end;
    ck_assert_int_eq(clock_gettime(CLOCK_MONOTONIC, &start), 0);
    heed_tensor *x = leaf(1.0), *y = x;
    for (int i = 0; i < 64; i++)
        y = heed_add(y, y);
    ck_assert(heed_item(y) == 0x1p64);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(heed_item(heed_grad_of(x)) == 0x1p64);
    ck_assert_int_eq(clock_gettime(CLOCK_MONOTONIC, &end), 0);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    ck_assert_msg(seconds < 1.0, "%g s", seconds); /* the number of paths is 2^64 */
}
END_TEST

/* A gradient that is itself a deep graph, freed with and without a backward pass through it. */
START_TEST(a_deep_gradient)
{
    enum { DEPTH = 100000 };
    heed_tensor *x = leaf(0.5), *y = heed_retain(x);
    for (int i = 0; i < DEPTH; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *next = heed_retain(heed_sin(y));
        heed_release(y);
        y = next;
        heed_scope_end(scope);
    }
    heed_tensor *g = NULL, *h = NULL;
    ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &g, &(heed_grad_options){.create_graph = true}), HEED_OK);
    ck_assert_int_eq(heed_grad(&g, 1, &x, 1, &h, NULL), HEED_OK);
    ck_assert(isfinite(heed_item(g)) && isfinite(heed_item(h)) && heed_item(h) < 0.0);
    heed_release(y);
}
END_TEST

START_TEST(one_leaf_a_million_times)
{
    heed_tensor *x = leaf(2.0), *y = heed_retain(heed_zeros(HEED_F64, HEED_SCALAR));
    for (int i = 0; i < STEPS; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *next = heed_retain(heed_add(y, x));
        heed_release(y);
        y = next;
        heed_scope_end(scope);
    }
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(heed_item(heed_grad_of(x)) == STEPS);
    heed_release(y);
}
END_TEST

START_TEST(a_hundred_thousand_leaves)
{
    enum { N = 100000 };
    heed_tensor **leaves = malloc(N * sizeof(heed_tensor *)), *y = heed_zeros(HEED_F64, HEED_SCALAR);
    for (int i = 0; i < N; i++) {
        leaves[i] = leaf(1.0);
        y = heed_add(y, heed_mul_scalar(leaves[i], i));
    }
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    for (int i = 0; i < N; i += 997)
        ck_assert(heed_item(heed_grad_of(leaves[i])) == i);
    free(leaves);
}
END_TEST

/* .grad of .grad of .grad ...: releasing the first frees all of them. */
START_TEST(a_long_list_of_gradients)
{
    const int64_t before = heed_memory_get_stats().live_objects;
    heed_scope *outer = heed_scope_begin();
    heed_tensor *first = heed_retain(leaf(0.0)), *last = first;
    heed_scope_end(outer);
    for (int i = 0; i < STEPS; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *next = leaf(i);
        heed_set_grad(last, next);
        last = next;
        heed_scope_end(scope);
    }
    ck_assert_int_ge(heed_memory_get_stats().live_objects, before + STEPS);
    heed_release(first);
    ck_assert_int_eq(heed_memory_get_stats().live_objects, before);
}
END_TEST

HEED_TEST_MAIN("deep", a_million_ops_on_a_small_stack, doubling_sixty_four_times, a_deep_gradient,
               one_leaf_a_million_times, a_hundred_thousand_leaves, a_long_list_of_gradients)
