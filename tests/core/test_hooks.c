/* tests/core/test_hooks.c - tests when hooks run: as soon as a gradient is complete. */

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

HEED_TEST_MAIN("hooks", a_leaf_as_soon_as_its_gradient_is_whole, a_leaf_that_is_the_output)
