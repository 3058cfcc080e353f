/* tests/ops/test_numeric_rules.c - special numbers as scores that become weights, in f32 and f64, forward, backward
 * and second backward. test_numeric_edges.c tests other ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "numeric_rules.h"

#define INF ((double)INFINITY)
#define NONE ((double)NAN)

/* -- From scores to weights ---------------------------------------------------------------------------------------- */

/* (4, 4): a unit matrix, with NaN in the rows past the length. */
static heed_tensor *values_of(heed_dtype dtype, const rule *r)
{
    heed_tensor *row = heed_reshape(heed_arange(HEED_I64, 0, WIDTH, 1), HEED_SHAPE(WIDTH, 1));
    heed_tensor *valid = heed_compare(row, HEED_COMPARE_LT, rule_lens(r));
    return heed_where(valid, heed_eye(dtype, WIDTH, WIDTH), heed_full(dtype, HEED_SCALAR, NONE));
}

static heed_tensor *by_softmax(heed_tensor *x, const rule *r)
{
    (void)r;
    return heed_softmax(x, 0);
}

static heed_tensor *by_softmax_in_columns(heed_tensor *x, const rule *r)
{
    (void)r;
    return heed_softmax(heed_unsqueeze(x, 1), 0);
}

static heed_tensor *by_masked_softmax(heed_tensor *x, const rule *r)
{
    return heed_masked_softmax(heed_reshape(x, HEED_SHAPE(1, 1, WIDTH)), rule_lens(r));
}

static heed_tensor *by_masked_softmax_of_rows(heed_tensor *x, const rule *r)
{
    return heed_masked_softmax(heed_reshape(x, HEED_SHAPE(1, 1, WIDTH)), heed_reshape(rule_lens(r), HEED_SHAPE(1, 1)));
}

static heed_tensor *by_masked_softmax_unmasked(heed_tensor *x, const rule *r)
{
    (void)r;
    return heed_masked_softmax(heed_reshape(x, HEED_SHAPE(1, 1, WIDTH)), NULL);
}

/* q = 1 and k = x, so that the scores are x; the values are a unit matrix, so that the result is the weights. */
static heed_tensor *dot_product(heed_tensor *x, const rule *r, heed_tensor **weights, bool heads)
{
    heed_dtype dtype = heed_dtype_of(x);
    heed_tensor *q = heed_ones(dtype, HEED_SHAPE(1, 1, 1)), *v = heed_unsqueeze(values_of(dtype, r), 0);
    heed_tensor *k = heed_reshape(x, HEED_SHAPE(1, WIDTH, 1));
    heed_attention_options options = {.valid_lens = rule_lens(r), .scale = 1};
    if (heads)
        return heed_dot_product_attention(heed_unsqueeze(q, 1), heed_unsqueeze(k, 1), heed_unsqueeze(v, 1), &options,
                                          weights);
    return heed_dot_product_attention(q, k, v, &options, weights);
}

static heed_tensor *by_dot_product(heed_tensor *x, const rule *r)
{
    return dot_product(x, r, NULL, false);
}

static heed_tensor *by_dot_product_with_heads(heed_tensor *x, const rule *r)
{
    return dot_product(x, r, NULL, true);
}

static heed_tensor *by_weights_of_dot_product(heed_tensor *x, const rule *r)
{
    heed_tensor *weights = NULL;
    return dot_product(x, r, &weights, false) ? weights : NULL;
}

static const subject of_scores[] = {
    {.name = "softmax", .run = by_softmax, .unmasked = true},
    {.name = "softmax of a column", .run = by_softmax_in_columns, .unmasked = true},
    {.name = "masked_softmax", .run = by_masked_softmax},
    {.name = "masked_softmax of rows", .run = by_masked_softmax_of_rows},
    {.name = "masked_softmax without lengths", .run = by_masked_softmax_unmasked, .unmasked = true},
    {.name = "dot_product_attention", .run = by_dot_product, .mixes = true},
    {.name = "dot_product_attention with heads", .run = by_dot_product_with_heads, .mixes = true},
    {.name = "weights of dot_product_attention", .run = by_weights_of_dot_product}};

/* dx = y (g - sum(g y)) */
static const rule rules_of_scores[] = {
    RULE("plain", ROW(0, 0, 0, 0), 4, ROW(0.25, 0.25, 0.25, 0.25), ROW(-0.75, -0.25, 0.25, 0.75)),
    RULE("masked NaN and inf", ROW(2, 2, NONE, INF), 2, ROW(0.5, 0.5, 0, 0), ROW(-0.5, 0.5, 0, 0)),
    RULE("masked -inf and 3e38", ROW(2, 2, -INF, 3e38), 2, ROW(0.5, 0.5, 0, 0), ROW(-0.5, 0.5, 0, 0)),
    RULE("one valid among NaN", ROW(-7, NONE, NONE, NONE), 1, ROW(1, 0, 0, 0), ROW(0, 0, 0, 0)),
    RULE("length 0", ROW(1, 2, 3, 4), 0, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)),
    RULE("length 0 of NaN", ROW(NONE, INF, -INF, NONE), 0, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)),
    RULE("all -1e7", ROW(-1e7, -1e7, -1e7, -1e7), 4, ROW(0.25, 0.25, 0.25, 0.25), ROW(-0.75, -0.25, 0.25, 0.75)),
    RULE("-1e7 beside masked 0", ROW(-1e7, -1e7, 0, 0), 2, ROW(0.5, 0.5, 0, 0), ROW(-0.5, 0.5, 0, 0)),
    RULE("to 3e38", ROW(3e38, -3e38, 3e38, 0), 4, ROW(0.5, 0, 0.5, 0), ROW(-1, 0, 1, 0)),
    RULE("all -3e38", ROW(-3e38, -3e38, -3e38, 3e38), 3, ROW(1. / 3, 1. / 3, 1. / 3, 0), ROW(-2. / 3, 0, 2. / 3, 0)),
    F64_RULE("to 1.7e308", ROW(1.7e308, -1.7e308, 1.7e308, 0), 4, ROW(0.5, 0, 0.5, 0), ROW(-1, 0, 1, 0)),
    RULE("some -inf", ROW(-INF, 0, -INF, 0), 4, ROW(0, 0.5, 0, 0.5), ROW(0, -1, 0, 1)),
    RULE("one not -inf", ROW(-INF, -INF, 5, NONE), 3, ROW(0, 0, 1, 0), ROW(0, 0, 0, 0)),
    RULE("valid NaN", ROW(0, NONE, 1, 2), 4, ROW(NONE, NONE, NONE, NONE), ROW(NONE, NONE, NONE, NONE)),
    RULE("valid NaN beside masked", ROW(0, 1, NONE, 2), 3, ROW(NONE, NONE, NONE, 0), ROW(NONE, NONE, NONE, 0)),
    RULE("valid NaN first, -inf", ROW(NONE, -INF, 1, 2), 2, ROW(NONE, NONE, 0, 0), ROW(NONE, NONE, 0, 0)),
    RULE("valid +inf", ROW(0, 1, INF, 2), 4, ROW(NONE, NONE, NONE, NONE), ROW(NONE, NONE, NONE, NONE)),
    RULE("valid +inf beside masked", ROW(INF, 0, 1, 2), 2, ROW(NONE, NONE, 0, 0), ROW(NONE, NONE, 0, 0)),
};

START_TEST(scores)
{
    CHECK_RULES(rules_of_scores, of_scores);
}
END_TEST

/* To the bit. */
START_TEST(far_scores_are_as_near_ones)
{
    for (int d = 0; d < 2; d++) {
        heed_tensor *near = heed_zeros(float_dtypes[d], HEED_SHAPE(2, 3, 7)),
                    *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 7, 3);
        heed_tensor *a = heed_masked_softmax(near, lens);
        heed_tensor *b = heed_masked_softmax(heed_add_scalar(near, -1e7), lens);
        heed_tensor *same = heed_min(heed_to_dtype(heed_compare(a, HEED_COMPARE_EQ, b), HEED_F32));
        ck_assert(heed_item(same) == 1);
    }
}
END_TEST

/* -- Invalid lengths ---------------------------------------------------------------------------------------------- */

static const rule bad_lengths[] = {{.name = "-1", .x = {0}, .length = -1},
                                   {.name = "5 of 4", .x = {0}, .length = WIDTH + 1},
                                   {.name = "-2^63", .x = {0}, .length = INT64_MIN},
                                   {.name = "2^63 - 1", .x = {0}, .length = INT64_MAX}};

START_TEST(lengths_outside_fail)
{
    for (size_t i = 0; i < sizeof bad_lengths / sizeof bad_lengths[0]; i++)
        for (size_t s = 0; s < sizeof of_scores / sizeof of_scores[0]; s++)
            for (int d = 0; d < 2 && !of_scores[s].unmasked; d++) {
                char length[32];
                (void)snprintf(length, sizeof length, "length %lld ", (long long)bad_lengths[i].length);
                heed_tensor *x = heed_zeros(float_dtypes[d], HEED_SHAPE(WIDTH));
                ck_assert_ptr_null(of_scores[s].run(x, &bad_lengths[i]));
                ck_assert_error(HEED_ERR_INDEX, length);
            }
}
END_TEST

/* -- From keys to weights, through tanh ---------------------------------------------------------------------------- */

/* Scores w_v tanh(x). */
static heed_tensor *additive(heed_tensor *x, const rule *r, heed_tensor **weights)
{
    heed_dtype dtype = heed_dtype_of(x);
    heed_tensor *one = heed_ones(dtype, HEED_SHAPE(1, 1)), *w_v = heed_full(dtype, HEED_SHAPE(1), r->factor);
    heed_tensor *q = heed_zeros(dtype, HEED_SHAPE(1, 1, 1)), *v = heed_unsqueeze(values_of(dtype, r), 0);
    heed_attention_options options = {.valid_lens = rule_lens(r)};
    return heed_additive_attention(q, heed_reshape(x, HEED_SHAPE(1, WIDTH, 1)), v, one, one, w_v, &options, weights);
}

static heed_tensor *by_additive(heed_tensor *x, const rule *r)
{
    return additive(x, r, NULL);
}

static heed_tensor *by_weights_of_additive(heed_tensor *x, const rule *r)
{
    heed_tensor *weights = NULL;
    return additive(x, r, &weights) ? weights : NULL;
}

static const subject of_keys[] = {{.name = "additive_attention", .run = by_additive, .mixes = true},
                                  {.name = "weights of additive_attention", .run = by_weights_of_additive}};

/* dx = w_v (1 - tanh(x)^2) y (g - sum(g y)) */
static const rule rules_of_keys[] = {
    KEY_RULE("plain", 2, ROW(0, 0, 0, 0), 4, ROW(0.25, 0.25, 0.25, 0.25), ROW(-1.5, -0.5, 0.5, 1.5)),
    KEY_RULE("masked NaN and inf", 1, ROW(0, 0, NONE, INF), 2, ROW(0.5, 0.5, 0, 0), ROW(-0.5, 0.5, 0, 0)),
    KEY_RULE("length 0 of NaN", 1, ROW(NONE, INF, NONE, 0), 0, ROW(0, 0, 0, 0), ROW(0, 0, 0, 0)),
    KEY_RULE("tanh(inf) and tanh(-inf)", 1e4, ROW(INF, -INF, INF, -INF), 4, ROW(0.5, 0, 0.5, 0), ROW(0, 0, 0, 0)),
    KEY_RULE("all -1e7", -1e7, ROW(INF, INF, 50, 50), 4, ROW(0.25, 0.25, 0.25, 0.25), ROW(0, 0, 0, 0)),
    KEY_RULE("to 3e38", 3e38, ROW(50, -50, 50, -50), 4, ROW(0.5, 0, 0.5, 0), ROW(0, 0, 0, 0)),
    KEY_RULE("valid NaN", 1, ROW(0, NONE, 1, 2), 3, ROW(NONE, NONE, NONE, 0), ROW(NONE, NONE, NONE, 0)),
    KEY_RULE("valid +inf", INF, ROW(1, 2, 3, 4), 2, ROW(NONE, NONE, 0, 0), ROW(NONE, NONE, 0, 0)),
};

START_TEST(keys)
{
    CHECK_RULES(rules_of_keys, of_keys);
}
END_TEST

/* -- NaN that comes from above ------------------------------------------------------------------------------------- */

/* Gradients of sum over a dx, a = 1, by x and by g, with NaN in g at masked elements. */
static void check_gradient_of_masked(heed_dtype dtype)
{
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 2, 3), 2, 2, NONE, INF, 1, 1), true);
    heed_tensor *g = heed_set_requires_grad(HEED_TENSOR(dtype, HEED_SHAPE(1, 2, 3), 1, 3, NONE, NONE, INF, -INF), true);
    heed_tensor *y = heed_masked_softmax(x, HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 2, 0)), *dx = NULL;
    for (int composed = 0; composed < 2; composed++) {
        heed_grad_options options = {.grad_outputs = &g, .retain_graph = true, .create_graph = composed};
        ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &dx, &options), HEED_OK);
        for (int i = 0; i < 6; i++)
            ck_assert_double_eq(heed_get(dx, HEED_INDEX(0, i / 3, i % 3)), i == 0 ? -0.5 : i == 1 ? 0.5 : 0);
    }
    heed_tensor *first = heed_select(heed_reshape(dx, HEED_SHAPE(6)), 0, 0), *second[2], *by[2] = {x, g};
    ck_assert_int_eq(heed_grad(&first, 1, by, 2, second, NULL), HEED_OK);
    for (int i = 0; i < 6; i++) { /* dx_0 = y_0 y_1 (g_0 - g_1), and y_0 = y_1 */
        ck_assert_double_eq(heed_get(second[0], HEED_INDEX(0, i / 3, i % 3)), 0);
        ck_assert_double_eq(heed_get(second[1], HEED_INDEX(0, i / 3, i % 3)), i == 0 ? 0.25 : i == 1 ? -0.25 : 0);
    }
}

START_TEST(gradients_of_masked_positions)
{
    check_gradient_of_masked(HEED_F32);
    check_gradient_of_masked(HEED_F64);
}
END_TEST

HEED_TEST_MAIN("numeric rules of scores", scores, far_scores_are_as_near_ones, lengths_outside_fail, keys,
               gradients_of_masked_positions)
