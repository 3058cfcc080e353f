/* tests/inspect/test_multiply_adds.c - tests the multiply-add counts of ops with products, forward and backward.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

typedef struct counts {
    const char *name;
    int64_t forward, backward;
} counts;

static void add_up(const heed_event *event, void *user)
{
    counts *c = user;
    if (strcmp(event->name, c->name) != 0)
        return;
    *(event->kind == HEED_EVENT_FORWARD ? &c->forward : &c->backward) += event->multiply_adds;
}

/* Checks the counts of the ops of this name while y is computed, and in its backward pass. */
#define ck_assert_counts(name_, forward_, backward_, expression)                                                       \
    do {                                                                                                               \
        counts c = {.name = (name_)};                                                                                  \
        int64_t id = heed_add_observer(&(heed_observer){.ended = add_up, .user = &c});                                 \
        heed_tensor *y = (expression);                                                                                 \
        ck_assert_msg(y != NULL, "%s", heed_error_message());                                                          \
        ck_assert_int_eq(c.forward, (forward_));                                                                       \
        ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);                                                         \
        ck_assert_int_eq(c.backward, (backward_));                                                                     \
        heed_remove_observer(id);                                                                                      \
    } while (0)

static heed_tensor *leaf(heed_shape shape)
{
    return heed_set_requires_grad(heed_rand(HEED_F32, shape), true);
}

static heed_tensor *plain(heed_shape shape)
{
    return heed_rand(HEED_F32, shape);
}

START_TEST(maps)
{
    const int64_t one = INT64_C(4) * 5 * 3 * 2;
    heed_tensor *w = leaf(HEED_SHAPE(2, 3));
    ck_assert_counts("linear", one, 2 * one, heed_linear(leaf(HEED_SHAPE(4, 5, 3)), w, NULL));
    ck_assert_counts("linear", one, one, heed_linear(plain(HEED_SHAPE(4, 5, 3)), w, leaf(HEED_SHAPE(2))));
    ck_assert_counts("linear_activated", one, 2 * one,
                     heed_linear_activated(leaf(HEED_SHAPE(4, 5, 3)), w, NULL, heed_relu));
    ck_assert_counts("linear", 0, 0, heed_linear(leaf(HEED_SHAPE(0, 3)), w, NULL));
}
END_TEST

START_TEST(batches)
{
    const int64_t one = INT64_C(4) * 5 * 3 * 2;
    heed_tensor *a = leaf(HEED_SHAPE(4, 5, 3)), *b = leaf(HEED_SHAPE(4, 2, 3));
    counts c = {.name = "bmm"};
    int64_t id = heed_add_observer(&(heed_observer){.ended = add_up, .user = &c});
    heed_tensor *y = heed_bmm_t(a, false, b, true);
    ck_assert_int_eq(c.forward, one);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK);
    ck_assert_int_eq(c.forward, 3 * one); /* the gradient rule consists of bmm */
    ck_assert_int_eq(c.backward, 0);
    heed_remove_observer(id);
}
END_TEST

START_TEST(attention)
{
    const int64_t pairs = INT64_C(2) * 4 * 5, d = 3, e = 7;
    heed_tensor *q = leaf(HEED_SHAPE(2, 4, 3)), *k = leaf(HEED_SHAPE(2, 5, 3)), *v = leaf(HEED_SHAPE(2, 5, 7));
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 5, 2), *weights;
    const heed_attention_options masked = {.valid_lens = lens};
    ck_assert_counts("dot_product_attention", pairs * (d + e), pairs * (3 * d + 2 * e),
                     heed_dot_product_attention(q, k, v, NULL, NULL));
    ck_assert_counts("dot_product_attention", pairs * (d + e), pairs * (d + e),
                     heed_dot_product_attention(heed_detach(q), heed_detach(k), v, &masked, NULL));
    ck_assert_counts("dot_product_attention", pairs * (d + e), pairs * (2 * d + e),
                     heed_dot_product_attention(q, heed_detach(k), heed_detach(v), NULL, NULL));
    counts c = {.name = "masked_bmm"};
    int64_t id = heed_add_observer(&(heed_observer){.ended = add_up, .user = &c});
    ck_assert_ptr_nonnull(heed_dot_product_attention(q, k, v, &masked, &weights));
    ck_assert_int_eq(c.forward, pairs * (d + e));
    heed_remove_observer(id);
}
END_TEST

START_TEST(additive_attention)
{
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(3, 4, 6, NULL);
    heed_tensor *q = leaf(HEED_SHAPE(2, 4, 4)), *k = leaf(HEED_SHAPE(2, 5, 3));
    const int64_t one = INT64_C(2) * 4 * 5 * 6;
    ck_assert_counts("additive_scores", one, 3 * one, heed_nn_additive_attention_forward(net, q, k, k, NULL, NULL));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(regression)
{
    heed_tensor *q = plain(HEED_SHAPE(9)), *k = plain(HEED_SHAPE(5)), *v = plain(HEED_SHAPE(5)),
                *w = leaf(HEED_SHAPE(1));
    const int64_t pairs = INT64_C(9) * 5;
    ck_assert_counts("kernel_regression", 3 * pairs, 0, heed_kernel_regression(q, k, v, w, NULL, NULL));
    ck_assert_counts(
        "kernel_regression", 2 * pairs, 6 * pairs,
        heed_kernel_regression(leaf(HEED_SHAPE(9)), leaf(HEED_SHAPE(5)), leaf(HEED_SHAPE(5)), w, NULL, NULL));
}
END_TEST

HEED_TEST_MAIN("multiply_adds", maps, batches, attention, additive_attention, regression)
