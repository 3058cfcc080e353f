/* tests/core/test_hooks.c - tests when hooks run, as soon as a gradient is complete, and when
 * their users are freed.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

enum { MAX_CALLS = 8 };

/* The hooks that have run, in order. */
typedef struct order {
    int n;
    char names[MAX_CALLS];
    double grads[MAX_CALLS];
} order;

typedef struct recorder {
    order *order;
    char name;
} recorder;

static heed_tensor *note(heed_tensor *g, void *user)
{
    const recorder *p = user;
    p->order->grads[p->order->n] = heed_item(g);
    p->order->names[p->order->n++] = p->name;
    return g;
}

static void check_order(const order *o, const char *names, const double *grads)
{
    ck_assert_str_eq(o->names, names);
    for (int i = 0; i < o->n; i++)
        ck_assert_msg(o->grads[i] == grads[i], "%c got %g, not %g", names[i], o->grads[i], grads[i]);
}

static heed_tensor *leaf(double x)
{
    heed_tensor *t = heed_full(HEED_F64, HEED_SCALAR, x);
    heed_set_requires_grad(t, true);
    return t;
}

/* y = ((a b) c) b: the gradient of b is complete only after the first product, c's long before. */
START_TEST(a_leaf_as_soon_as_its_gradient_is_whole)
{
    order o = {0};
    heed_tensor *a = leaf(2.0), *b = leaf(3.0), *c = leaf(5.0);
    recorder at_a = {&o, 'a'}, at_b = {&o, 'b'}, at_c = {&o, 'c'}, at_first = {&o, 'p'};
    heed_add_hook(a, note, &at_a);
    heed_add_hook(b, note, &at_b);
    heed_add_hook(c, note, &at_c);
    heed_tensor *first = heed_mul(a, b), *y = heed_mul(heed_mul(first, c), b);
    heed_add_hook(first, note, &at_first);
    heed_backward_with(y, &(heed_backward_options){.retain_graph = true});
    check_order(&o, "cpab", (double[]){18.0, 15.0, 45.0, 60.0});

    o = (order){0};
    heed_tensor *grads[1];
    heed_grad(HEED_TENSORS(y), HEED_TENSORS(c), grads, NULL); /* stops at c */
    check_order(&o, "c", (double[]){18.0});
}
END_TEST

START_TEST(a_leaf_that_is_the_output)
{
    order o = {0};
    heed_tensor *a = leaf(2.0);
    recorder at_a = {&o, 'a'};
    heed_add_hook(a, note, &at_a);
    heed_backward(a);
    heed_tensor *grads[1];
    heed_grad((heed_tensor *[]){a, heed_mul_scalar(a, 4.0)}, 2, HEED_TENSORS(a), grads,
              NULL); /* a is an output and also leads to one */
    check_order(&o, "aa", (double[]){1.0, 5.0});
}
END_TEST

static heed_tensor *pass_on(heed_tensor *g, void *user)
{
    (void)user;
    return g;
}

static void count_free(void *user)
{
    ++*(int *)user;
}

/* Adds hooks with a free function, more than the first block of hooks holds. */
static void add_freed_hooks(heed_tensor *t, int64_t *ids, int n, int *freed)
{
    for (int i = 0; i < n; i++) {
        ids[i] = heed_add_hook(t, pass_on, freed);
        ck_assert_int_eq(heed_set_hook_free(t, ids[i], count_free), HEED_OK);
    }
}

START_TEST(the_users_are_freed_once)
{
    enum { HOOKS = 9 };
    int64_t ids[HOOKS];
    int of_leaf = 0, of_graph = 0;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *a = leaf(2.0), *product = heed_mul(a, a), *y = heed_mul(product, a);
    add_freed_hooks(a, ids, HOOKS, &of_leaf);
    heed_remove_hook(a, ids[0]);
    ck_assert_int_eq(of_leaf, 1);
    heed_set_hook_free(a, ids[1], NULL);
    heed_remove_hook(a, ids[1]);
    ck_assert_int_eq(of_leaf, 1);
    add_freed_hooks(product, ids, HOOKS, &of_graph);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(of_leaf == 1 && of_graph == 0);
    heed_scope_end(scope);
    ck_assert_int_eq(of_leaf, HOOKS - 1);
    ck_assert_int_eq(of_graph, HOOKS);
}
END_TEST

typedef struct once {
    heed_tensor *tensor;
    int64_t id;
    int calls, freed;
} once;

static void once_free(void *user)
{
    ((once *)user)->freed++;
}

static heed_tensor *remove_itself(heed_tensor *g, void *user)
{
    once *h = user;
    h->calls++;
    ck_assert_int_eq(heed_remove_hook(h->tensor, h->id), HEED_OK);
    return g;
}

START_TEST(a_hook_that_removes_itself_is_freed)
{
    once h = {.tensor = leaf(2.0)};
    h.id = heed_add_hook(h.tensor, remove_itself, &h);
    heed_set_hook_free(h.tensor, h.id, once_free);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(heed_backward(heed_square(h.tensor)), HEED_OK);
    ck_assert(h.calls == 1 && h.freed == 1);
}
END_TEST

HEED_TEST_MAIN("hooks", a_leaf_as_soon_as_its_gradient_is_whole, a_leaf_that_is_the_output, the_users_are_freed_once,
               a_hook_that_removes_itself_is_freed)
