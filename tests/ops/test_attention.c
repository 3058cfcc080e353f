/* tests/ops/test_attention.c - the attention functions: the chapter's numbers, and properties for any numbers.
 * test_attention_masks.c tests masks, tests/ops/attention derivatives.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"

#define F64(shape, ...) HEED_TENSOR(HEED_F64, shape, __VA_ARGS__)

static heed_tensor *lens_of(heed_shape shape, const int64_t *values)
{
    return heed_from_array(HEED_I64, shape, values, heed_shape_numel(shape));
}

static void expect_values(heed_tensor *t, const double *expected, double tolerance)
{
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    heed_tensor *values = heed_contiguous(heed_to_dtype(t, HEED_F64));
    for (int64_t i = 0; i < heed_numel(t); i++)
        ck_assert_near(heed_data_f64(values)[i], expected[i], tolerance * (1 + fabs(expected[i])));
}

static void expect_equal(heed_tensor *a, heed_tensor *b, double tolerance)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    expect_values(a, heed_data_f64(heed_contiguous(heed_to_dtype(b, HEED_F64))), tolerance);
}

/* -- The chapter's numbers ----------------------------------------------------------------------------------------- */

/* Kernel regression on one number: -(q - k)^2 / 2 is q k - k^2 / 2 plus a term that does not depend on the key, so
 * it is the dot product of (q, 1) and (k, -k^2 / 2). */
static heed_tensor *regress(heed_tensor *q, heed_tensor **weights)
{
    heed_tensor *k = F64(HEED_SHAPE(1, 3, 1), 51, 56, 58), *v = F64(HEED_SHAPE(1, 3, 1), 40, 43, 48);
    heed_tensor *keys = heed_concat((heed_tensor *[]){k, heed_mul_scalar(heed_square(k), -0.5)}, 2, 2);
    heed_tensor *ones = heed_ones(HEED_F64, heed_shape_of(q));
    heed_tensor *queries = heed_concat((heed_tensor *[]){q, ones}, 2, 2);
    return heed_dot_product_attention(queries, keys, v, &(heed_attention_options){.scale = 1}, weights);
}

START_TEST(one_dimensional_sample)
{
    heed_tensor *q = heed_set_requires_grad(F64(HEED_SHAPE(1, 3, 1), 57, 53, 60), true), *weights = NULL, *dq = NULL;
    heed_tensor *f = regress(q, &weights);
    expect_values(f, (const double[]){45.499999930947524, 40.2277723245, 47.9876368842}, 3e-11);
    static const double at_57[] = {1.2554995621091991e-08, 0.4999999937225022, 0.4999999937225022};
    expect_values(heed_slice(weights, 1, 0, 1, 1), at_57, 1e-12);
    ck_assert_near(heed_get(weights, HEED_INDEX(0, 0, 0)) / at_57[0], 1, 1e-12);
    heed_tensor *sum = heed_sum(f);
    ck_assert_int_eq(heed_grad(&sum, 1, &q, 1, &dq, NULL), HEED_OK);
    ck_assert_near(heed_get(dq, HEED_INDEX(0, 0, 0)), 2.500000382927365, 1e-10);
}
END_TEST

START_TEST(two_dimensional_sample)
{
    heed_tensor *q = F64(HEED_SHAPE(1, 2, 2), 57, 83, 55, 76), *k = F64(HEED_SHAPE(1, 3, 2), 51, 70, 56, 82, 56, 82);
    heed_tensor *v = F64(HEED_SHAPE(1, 3, 2), 40, 155, 43, 159, 48, 162), *weights = NULL;
    expect_values(heed_bmm_t(q, false, k, true), (const double[]){8717, 9998, 9998, 8125, 9312, 9312}, 0);
    for (int f32 = 0; f32 < 2; f32++) {
        heed_dtype dtype = f32 ? HEED_F32 : HEED_F64;
        heed_tensor *y = heed_dot_product_attention(heed_to_dtype(q, dtype), heed_to_dtype(k, dtype),
                                                    heed_to_dtype(v, dtype), NULL, &weights);
        expect_values(y, (const double[]){45.5, 160.5, 45.5, 160.5}, 1e-15);
        expect_values(weights, (const double[]){0, 0.5, 0.5, 0, 0.5, 0.5}, 1e-15);
    }
}
END_TEST

/* Equal keys get equal weights, for any parameters. */
static heed_tensor *toy_values(void)
{
    heed_tensor *rows = heed_reshape(heed_arange(HEED_F64, 0, 40, 1), HEED_SHAPE(1, 10, 4));
    return heed_tile(rows, HEED_SHAPE(2, 1, 1));
}

START_TEST(toys)
{
    static const double expected[] = {2, 3, 4, 5, 10, 11, 12, 13};
    static const double expected_weights[] = {0.5,    0.5,    0,      0,      0,      0,      0, 0, 0, 0,
                                              1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 0, 0, 0, 0};
    heed_manual_seed(1);
    heed_tensor *keys = heed_ones(HEED_F64, HEED_SHAPE(2, 10, 2)), *weights = NULL;
    heed_attention_options options = {.valid_lens = lens_of(HEED_SHAPE(2), (const int64_t[]){2, 6})};
    heed_tensor *y = heed_additive_attention(
        heed_randn(HEED_F64, HEED_SHAPE(2, 1, 20)), keys, toy_values(), heed_randn(HEED_F64, HEED_SHAPE(8, 20)),
        heed_randn(HEED_F64, HEED_SHAPE(8, 2)), heed_randn(HEED_F64, HEED_SHAPE(1, 8)), &options, &weights);
    expect_values(y, expected, 1e-14);
    expect_values(weights, expected_weights, 1e-14);
    y = heed_dot_product_attention(heed_randn(HEED_F64, HEED_SHAPE(2, 1, 2)), keys, toy_values(), &options, &weights);
    expect_values(y, expected, 1e-14);
    expect_values(weights, expected_weights, 1e-14);
}
END_TEST

/* A tensor of f(i, j, k), with trailing sizes of 1 left out by `rank`. */
static heed_tensor *made_of(double (*f)(int64_t i, int64_t j, int64_t k), heed_shape shape)
{
    heed_tensor *t = heed_empty(HEED_F64, shape);
    double *out = heed_mutable_f64(t);
    int64_t columns = shape.rank > 1 ? shape.dims[1] : 1, depth = shape.rank > 2 ? shape.dims[2] : 1;
    for (int64_t at = 0; at < heed_numel(t); at++)
        out[at] = f(at / (columns * depth), at / depth % columns, at % depth);
    return heed_set_requires_grad(t, true);
}

static double of_q(int64_t b, int64_t t, int64_t j)
{
    (void)t;
    return sin(.3 * (double)(20 * b + j));
}

static double of_k(int64_t b, int64_t t, int64_t j)
{
    return cos(.7 * (double)(20 * b + 2 * t + j));
}

static double of_W_k(int64_t i, int64_t j, int64_t unused)
{
    (void)unused;
    return .1 * (double)(i + 1) * (j % 2 ? -1 : 1);
}

static double of_W_q(int64_t i, int64_t j, int64_t unused)
{
    (void)unused;
    return .05 * cos((double)(i + j));
}

static double of_w_v(int64_t i, int64_t unused, int64_t unused_too)
{
    (void)unused;
    (void)unused_too;
    return ((double)i - 3.5) / 4;
}

static double norm(heed_tensor *t)
{
    return sqrt(heed_item(heed_sum(heed_square(t))));
}

START_TEST(additive_not_uniform)
{
    enum { AT_Q, AT_K, AT_W_Q, AT_W_V, LEAVES };
    heed_tensor *q = made_of(of_q, HEED_SHAPE(2, 1, 20)), *k = made_of(of_k, HEED_SHAPE(2, 10, 2));
    heed_tensor *W_q = made_of(of_W_q, HEED_SHAPE(8, 20)), *W_k = made_of(of_W_k, HEED_SHAPE(8, 2));
    heed_tensor *w_v = made_of(of_w_v, HEED_SHAPE(8)), *g[LEAVES];
    heed_tensor *y = heed_additive_attention(
        q, k, toy_values(), W_q, W_k, w_v,
        &(heed_attention_options){.valid_lens = lens_of(HEED_SHAPE(2), (const int64_t[]){2, 6})}, NULL);
    for (int64_t e = 0; e < 4; e++) {
        ck_assert_near(heed_get(y, HEED_INDEX(0, 0, e)), 2.396697438016 + (double)e, 1e-12);
        ck_assert_near(heed_get(y, HEED_INDEX(1, 0, e)), 10.232029972060 + (double)e, 1e-12);
    }
    heed_tensor *loss = heed_mul_scalar(heed_sum(heed_square(y)), 0.5);
    ck_assert_near(heed_item(loss), 310.649556377483, 1e-11);
    ck_assert_int_eq(heed_grad(&loss, 1, (heed_tensor *[]){q, k, W_q, w_v}, LEAVES, g, NULL), HEED_OK);
    static const double dw_v[] = {.71491422,  1.43722734, 2.22899136, 3.11685547,
                                  4.02930078, 4.88365383, 5.70751025, 6.70479011};
    for (int64_t i = 0; i < 8; i++)
        ck_assert_near(heed_get(g[AT_W_V], HEED_INDEX(i)), dw_v[i], 1e-8);
    ck_assert_near(norm(g[AT_Q]), 1.769467707440, 1e-12);
    ck_assert_near(norm(g[AT_K]), 209.939596622408, 1e-11);
    ck_assert_near(norm(g[AT_W_Q]), 19.347955220539, 1e-12);
}
END_TEST

/* -- Properties for any numbers ------------------------------------------------------------------------------------ */

enum { DOT, ADDITIVE, KINDS };

typedef struct inputs {
    heed_tensor *q, *k, *v; /* (3, 4, 5), (3, 6, 5), (3, 6, 2) */
    heed_tensor *W_q, *W_k, *w_v;
} inputs;

static inputs draw(heed_dtype dtype)
{
    heed_manual_seed(2);
    return (inputs){.q = heed_randn(dtype, HEED_SHAPE(3, 4, 5)),
                    .k = heed_randn(dtype, HEED_SHAPE(3, 6, 5)),
                    .v = heed_randn(dtype, HEED_SHAPE(3, 6, 2)),
                    .W_q = heed_randn(dtype, HEED_SHAPE(7, 5)),
                    .W_k = heed_randn(dtype, HEED_SHAPE(7, 5)),
                    .w_v = heed_randn(dtype, HEED_SHAPE(7))};
}

static heed_tensor *attend(int kind, const inputs *x, const heed_attention_options *options, heed_tensor **weights)
{
    return kind == DOT ? heed_dot_product_attention(x->q, x->k, x->v, options, weights)
                       : heed_additive_attention(x->q, x->k, x->v, x->W_q, x->W_k, x->w_v, options, weights);
}

START_TEST(order_of_keys)
{
    inputs x = draw(HEED_F64), moved = x;
    heed_tensor *order = heed_permutation(6);
    moved.k = heed_index_select(x.k, 1, order);
    moved.v = heed_index_select(x.v, 1, order);
    for (int kind = 0; kind < KINDS; kind++)
        expect_equal(attend(kind, &moved, NULL, NULL), attend(kind, &x, NULL, NULL), 1e-13);
}
END_TEST

START_TEST(order_of_queries_and_batches)
{
    inputs x = draw(HEED_F64), moved = x, turned = x;
    heed_tensor *queries = heed_permutation(4), *batches = heed_permutation(3);
    moved.q = heed_index_select(x.q, 1, queries);
    turned.q = heed_index_select(x.q, 0, batches);
    turned.k = heed_index_select(x.k, 0, batches);
    turned.v = heed_index_select(x.v, 0, batches);
    for (int kind = 0; kind < KINDS; kind++) {
        heed_tensor *y = attend(kind, &x, NULL, NULL);
        expect_equal(attend(kind, &moved, NULL, NULL), heed_index_select(y, 1, queries), 1e-14);
        expect_equal(attend(kind, &turned, NULL, NULL), heed_index_select(y, 0, batches), 1e-14);
    }
}
END_TEST

/* A length of n selects the first n keys. */
START_TEST(lengths_cut_keys)
{
    inputs x = draw(HEED_F64);
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t n = 0; n <= 6; n++) {
            inputs cut = x;
            cut.k = heed_slice(x.k, 1, 0, n, 1);
            cut.v = heed_slice(x.v, 1, 0, n, 1);
            heed_tensor *y = attend(kind, &cut, NULL, NULL), *lens = heed_full(HEED_I64, HEED_SHAPE(3), (double)n);
            expect_equal(attend(kind, &x, &(heed_attention_options){.valid_lens = lens}, NULL), y, 1e-14);
            lens = heed_full(HEED_I64, HEED_SHAPE(3, 4), (double)n);
            expect_equal(attend(kind, &x, &(heed_attention_options){.valid_lens = lens}, NULL), y, 1e-14);
        }
}
END_TEST

/* Lengths may be a view. */
START_TEST(causal_is_a_length_per_row)
{
    inputs x = draw(HEED_F64);
    heed_tensor *up_to_4 = heed_expand(heed_arange(HEED_I64, 1, 5, 1), HEED_SHAPE(3, 4));
    heed_tensor *up_to_2 = heed_expand(lens_of(HEED_SHAPE(4), (const int64_t[]){1, 2, 2, 2}), HEED_SHAPE(3, 4));
    heed_tensor *of_2 = heed_full(HEED_I64, HEED_SHAPE(3), 2);
    for (int kind = 0; kind < KINDS; kind++) {
        expect_equal(attend(kind, &x, &(heed_attention_options){.causal = true}, NULL),
                     attend(kind, &x, &(heed_attention_options){.valid_lens = up_to_4}, NULL), 0);
        expect_equal(attend(kind, &x, &(heed_attention_options){.causal = true, .valid_lens = of_2}, NULL),
                     attend(kind, &x, &(heed_attention_options){.valid_lens = up_to_2}, NULL), 0);
    }
}
END_TEST

START_TEST(heads_are_separate)
{
    inputs x = draw(HEED_F64);
    heed_tensor *lens = lens_of(HEED_SHAPE(3, 4), (const int64_t[]){1, 2, 3, 4, 6, 5, 4, 3, 0, 6, 0, 1});
    heed_tensor *k2 = heed_sin(x.k), *v2 = heed_cos(x.v), *weights = NULL, *of_head[2] = {NULL};
    heed_attention_options options = {.valid_lens = lens};
    heed_tensor *y = heed_dot_product_attention(heed_stack((heed_tensor *[]){x.q, x.q}, 2, 1),
                                                heed_stack((heed_tensor *[]){x.k, k2}, 2, 1),
                                                heed_stack((heed_tensor *[]){x.v, v2}, 2, 1), &options, &weights);
    ck_assert(heed_shape_equal(heed_shape_of(weights), HEED_SHAPE(3, 2, 4, 6)));
    for (int64_t i = 0; i < 2; i++) {
        heed_tensor *head = heed_dot_product_attention(x.q, i ? k2 : x.k, i ? v2 : x.v, &options, &of_head[i]);
        expect_equal(heed_select(y, 1, i), head, 1e-15);
        expect_equal(heed_select(weights, 1, i), of_head[i], 1e-15);
    }
}
END_TEST

/* Scores up to the limits of f32, and very low scores that are all equal: a mask that replaced a score by -1e6 would
 * give the masked key all the weight. */
START_TEST(extreme_scores)
{
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(1, 1, 1)), *weights = NULL;
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 1, 2, 4);
    heed_attention_options options = {.causal = false};
    heed_dot_product_attention(q, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 3e38, -3e38, 3e38), v, &options, &weights);
    expect_values(weights, (const double[]){0.5, 0, 0.5}, 0);
    options.valid_lens = lens_of(HEED_SHAPE(1), (const int64_t[]){2});
    heed_dot_product_attention(q, heed_full(HEED_F32, HEED_SHAPE(1, 3, 1), -1e7), v, &options, &weights);
    expect_values(weights, (const double[]){0.5, 0.5, 0}, 0);
    heed_dot_product_attention(q, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), -(double)INFINITY, 1, 0), v, &options,
                               &weights);
    expect_values(weights, (const double[]){0, 1, 0}, 0);
}
END_TEST

/* -- Dropout ------------------------------------------------------------------------------------------------------- */

START_TEST(dropout_of_weights)
{
    inputs x = draw(HEED_F64);
    heed_tensor *lens = lens_of(HEED_SHAPE(3), (const int64_t[]){6, 3, 4});
    for (int kind = 0; kind < KINDS; kind++) {
        heed_generator *g = heed_generator_new(3);
        heed_tensor *weights = NULL, *plain = NULL;
        heed_attention_options options = {.valid_lens = lens, .dropout = 0.4, .generator = g};
        heed_tensor *y = attend(kind, &x, &options, &weights);
        attend(kind, &x, &(heed_attention_options){.valid_lens = lens}, &plain);
        expect_equal(weights, plain, 0);
        heed_generator_set_state(g, 3, 0);
        expect_equal(y, heed_bmm(FROM(g, heed_dropout(plain, 0.4, true)), x.v), 0);
        heed_manual_seed(3);
        options.generator = NULL;
        expect_equal(attend(kind, &x, &options, &weights), y, 0);
        heed_generator_free(g);
    }
}
END_TEST

/* Without dropout the generator's position does not change. */
START_TEST(dropout_of_none)
{
    inputs x = draw(HEED_F64);
    heed_manual_seed(4);
    heed_tensor *expected = heed_rand(HEED_F64, HEED_SHAPE(3));
    for (int kind = 0; kind < KINDS; kind++) {
        heed_manual_seed(4);
        attend(kind, &x, NULL, NULL);
        expect_equal(heed_rand(HEED_F64, HEED_SHAPE(3)), expected, 0);
    }
}
END_TEST

/* -- Housekeeping -------------------------------------------------------------------------------------------------- */

/* Only the result, and the weights if requested, are left in the caller's scope. */
START_TEST(frees_everything)
{
    heed_scope *scope = heed_no_grad_begin();
    inputs x = draw(HEED_F64);
    heed_tensor *weights = NULL, *lens = heed_full(HEED_I64, HEED_SHAPE(3), 3);
    for (int kind = 0; kind < KINDS; kind++)
        for (int with_weights = 0; with_weights < 2; with_weights++) {
            heed_attention_options options = {.valid_lens = lens, .dropout = 0.5};
            int64_t before = heed_memory_get_stats().live_objects;
            ck_assert_ptr_nonnull(attend(kind, &x, &options, with_weights ? &weights : NULL));
            ck_assert_int_eq(heed_memory_get_stats().live_objects - before, with_weights ? 2 : 1);
        }
    heed_scope_end(scope);
}
END_TEST

START_TEST(failure_clears_the_weights)
{
    inputs x = draw(HEED_F64);
    heed_tensor *weights = x.q;
    heed_attention_options options = {.dropout = 2};
    for (int kind = 0; kind < KINDS; kind++) {
        weights = x.q;
        ck_assert_ptr_null(attend(kind, &x, &options, &weights));
        ck_assert_ptr_null(weights);
        ck_assert_error(HEED_ERR_ARGUMENT, "dropout 2");
    }
}
END_TEST

START_TEST(any_number_of_threads)
{
    heed_manual_seed(9);
    heed_tensor *q = heed_randn(HEED_F32, HEED_SHAPE(4, 2, 67, 16)), *k = heed_sin(q), *v = heed_cos(q);
    heed_attention_options options = {.causal = true, .valid_lens = heed_full(HEED_I64, HEED_SHAPE(4), 50)};
    int before = heed_num_threads();
    heed_set_num_threads(1);
    heed_tensor *one = heed_dot_product_attention(q, k, v, &options, NULL);
    heed_set_num_threads(3);
    expect_equal(heed_dot_product_attention(q, k, v, &options, NULL), one, 0);
    heed_set_num_threads(before);
}
END_TEST

HEED_TEST_MAIN("attention", one_dimensional_sample, two_dimensional_sample, toys, additive_not_uniform, order_of_keys,
               order_of_queries_and_batches, lengths_cut_keys, causal_is_a_length_per_row, heads_are_separate,
               extreme_scores, dropout_of_weights, dropout_of_none, frees_everything, failure_clears_the_weights,
               any_number_of_threads)
