/* tests/ops/test_relative_bias.c - slopes and relative biases of attention with many batch elements, or
 * none, and with large numbers added to scores.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/parallel.h>

#include "check_heed.h"

/* A slope times a distance that overflows leaves the key visible, and so does the sum of two biases. */
START_TEST(terms_that_overflow)
{
    heed_tensor *q = heed_zeros(HEED_F32, HEED_SHAPE(1, 1, 2)), *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 1), 7);
    heed_tensor *low = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1), -3e38),
                *slope = HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 3e38);
    const heed_attention_options all[] = {{.slopes = slope, .query_offset = 5},
                                          {.slopes = slope, .query_offset = 5, .bias = low},
                                          {.relative_bias = low, .bias = low},
                                          {.relative_bias = low, .slopes = slope, .query_offset = 5, .bias = low}};
    for (int i = 0; i < 8; i++) {
        heed_tensor *attention_weights,
            *y = heed_dot_product_attention(q, q, v, &all[i / 2], i % 2 ? &attention_weights : NULL);
        ck_assert_msg(y && heed_item(y) == 7.0, "%d: %s", i, heed_error_message());
    }
}
END_TEST

/* Missing pairs need no memory, for any number of keys. */
START_TEST(no_pairs)
{
    const int64_t many = (int64_t)1 << 40;
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(0, many, 2)), *one = heed_zeros(HEED_F64, HEED_SHAPE(0, 1, 2)),
                *dx[2];
    for (int weights = 0; weights < 2; weights++) {
        heed_tensor *in[] = {heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1)), true),
                             heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1, 3)), true)};
        const heed_attention_options o = {.slopes = in[0], .relative_bias = in[1]};
        heed_tensor *w, *y = heed_sum(heed_dot_product_attention(one, x, x, &o, weights ? &w : NULL));
        ck_assert_msg(heed_grad(&y, 1, in, 2, dx, NULL) == HEED_OK, "%s", heed_error_message());
        ck_assert(heed_item(heed_sum(heed_abs(dx[1]))) == 0 && heed_item(dx[0]) == 0);
    }
}
END_TEST

/* Query 0 does not see key 2, at distance 2, nor its value. */
START_TEST(hidden_by_distance)
{
    heed_tensor *q = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1, 2, 1)), true), *dq;
    heed_tensor *k = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 1), 1, 2, NAN);
    heed_tensor *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 3, 1), 1, 3, INFINITY);
    const heed_attention_options o = {.relative_bias =
                                          HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), 0, 0, 0, -1, -(double)INFINITY)};
    for (int i = 0; i < 4; i++) {
        heed_tensor *w, *y = heed_dot_product_attention(q, k, v, &o, i % 2 ? &w : NULL);
        heed_tensor *first = heed_sum(heed_select(y, 1, 0));
        heed_grad_options of = {.create_graph = i / 2};
        ck_assert_msg(heed_grad(&first, 1, &q, 1, &dq, &of) == HEED_OK, "%s", heed_error_message());
        ck_assert_double_eq_tol(heed_item(first), 2, 1e-14);
        ck_assert_double_eq_tol(heed_get(dq, HEED_INDEX(0, 0, 0)), 0.5, 1e-14);
    }
}
END_TEST

enum { MANY = 37, STEPS = 40, REACH = 3 };
enum { Q, K, V, TABLE, BIAS, INPUTS };

static heed_tensor *result_of(heed_tensor *const in[INPUTS], bool weights)
{
    const heed_attention_options o = {.relative_bias = in[TABLE], .bias = in[BIAS], .causal = true};
    heed_tensor *attention_weights;
    return heed_sum(
        heed_square(heed_dot_product_attention(in[Q], in[K], in[V], &o, weights ? &attention_weights : NULL)));
}

static double difference(heed_tensor *a, heed_tensor *b)
{
    return heed_item(heed_max(heed_abs(heed_sub(heed_to_dtype(a, HEED_F64), heed_to_dtype(b, HEED_F64)))));
}

/* One head and many batch elements, so all elements add to the same row of the table's gradient. The bits are the same
 * for one thread and for three. The bias is NULL, one per batch element, or one for all. */
START_TEST(many_batch_elements)
{
    const heed_shape bias = _i == 1 ? HEED_SHAPE(MANY, STEPS, STEPS) : HEED_SHAPE(1, STEPS, STEPS);
    const int threads = heed_num_threads();
    heed_tensor *in[INPUTS] = {NULL}, *dx[3][INPUTS];
    heed_manual_seed(1);
    for (int i = 0; i < (_i == 0 ? BIAS : INPUTS); i++) {
        const heed_shape shape = i < TABLE    ? HEED_SHAPE(MANY, STEPS, 2)
                                 : i == TABLE ? HEED_SHAPE(1, 2 * REACH + 1)
                                              : bias;
        in[i] = heed_set_requires_grad(heed_randn(HEED_F32, shape), true);
    }
    for (int run = 0; run < 3; run++) {
        heed_set_num_threads(run == 1 ? 3 : 1);
        heed_tensor *y = result_of(in, run == 2);
        ck_assert_msg(heed_grad(&y, 1, in, _i == 0 ? BIAS : INPUTS, dx[run], NULL) == HEED_OK, "%s",
                      heed_error_message());
    }
    for (int i = 0; i < (_i == 0 ? BIAS : INPUTS); i++) {
        ck_assert(difference(dx[0][i], dx[1][i]) == 0);
        ck_assert_double_le(difference(dx[0][i], dx[2][i]), 1e-4);
    }
    heed_set_num_threads(threads);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("attention by distance");
    tcase_add_test(tcase, terms_that_overflow);
    tcase_add_test(tcase, no_pairs);
    tcase_add_test(tcase, hidden_by_distance);
    tcase_add_loop_test(tcase, many_batch_elements, 0, 3);
    return heed_run_case("attention by distance", tcase);
}
