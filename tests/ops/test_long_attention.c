/* tests/ops/test_long_attention.c - long sums in attention, over keys and over queries: see long_sums.h. The blocks
 * that these sums need compute the same as ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from.h"
#include "long_sums.h"

/* -- Attention ----------------------------------------------------------------------------------------------------- */

/* Equal scores: the result is the mean of the values. */
static double error_of_attention(const terms *t, int64_t queries, int64_t keys, bool weights)
{
    heed_tensor *kept = NULL, *v = heed_slice(column(t->x), 1, 0, keys, 1);
    heed_tensor *y = heed_dot_product_attention(filled(HEED_SHAPE(1, queries, 3), 0), filled(HEED_SHAPE(1, keys, 3), 1),
                                                v, NULL, weights ? &kept : NULL);
    return off(first(y), keys == N ? t->sum / N : first(heed_mean(v)));
}

static double error_of_attention_values(const terms *t)
{
    return error_of_attention(t, 2, N, false);
}

static double error_of_one_query(const terms *t)
{
    return error_of_attention(t, 1, 65536, false);
}

static double error_of_one_query_of_many_keys(const terms *t)
{
    return error_of_attention(t, 1, N, false);
}

static double error_of_attention_with_weights(const terms *t)
{
    return error_of_attention(t, 2, N, true);
}

/* With two keys of 0 and the values 1 and -1: dk_0 = sum g q / 2, dv = sum g / 2. */
static double error_of_key_gradients(const terms *t, bool values)
{
    heed_tensor *q = filled(HEED_SHAPE(1, N, 1), 1), *k = leaf(filled(HEED_SHAPE(1, 2, 1), 0));
    heed_tensor *v = leaf(signs(HEED_SHAPE(1, 2, 1)));
    heed_tensor *y = heed_dot_product_attention(q, k, v, NULL, NULL);
    return off(first(gradient(y, column(t->x), values ? v : k)), t->sum / 2);
}

static double error_of_attention_dk(const terms *t)
{
    return error_of_key_gradients(t, false);
}

static double error_of_attention_dv(const terms *t)
{
    return error_of_key_gradients(t, true);
}

/* For values 1 and -1, and keys of the same sign: dq = sum |k| / N. */
static double error_of_query_gradients(const terms *t, int64_t queries, int64_t keys)
{
    heed_tensor *q = leaf(filled(HEED_SHAPE(1, queries, 1), 0)), *v = signs(HEED_SHAPE(1, keys, 1));
    heed_tensor *size = heed_slice(column(t->x), 1, 0, keys, 1), *k = heed_mul(v, size);
    heed_tensor *y = heed_dot_product_attention(q, k, v, NULL, NULL);
    return off(first(gradient(y, filled(HEED_SHAPE(1, queries, 1), 1), q)), first(heed_mean(size)));
}

static double error_of_attention_dq(const terms *t)
{
    return error_of_query_gradients(t, 2, N);
}

static double error_of_one_querys_dq(const terms *t)
{
    return error_of_query_gradients(t, 1, 65536);
}

/* One unit, of maps of 1. Values 1 and -1, scores tanh(0): dk_0 = sum g / 2. */
static double error_of_additive_keys(const terms *t)
{
    heed_tensor *one = filled(HEED_SHAPE(1, 1), 1), *k = leaf(filled(HEED_SHAPE(1, 2, 1), 0));
    heed_tensor *y = heed_additive_attention(filled(HEED_SHAPE(1, N, 1), 0), k, signs(HEED_SHAPE(1, 2, 1)), one, one,
                                             filled(HEED_SHAPE(1), 1), NULL, NULL);
    return off(first(gradient(y, column(t->x), k)), t->sum / 2);
}

/* Values 1 and -1, features of 0 and of 1, w_v = 0: dq = N / 2 terms of 1 / N each, dw = -1 / 2. */
static double error_of_additive_query(const terms *t, bool factor)
{
    (void)t;
    heed_tensor *one = filled(HEED_SHAPE(1, 1), 1), *q = leaf(filled(HEED_SHAPE(1, 1, 1), 0));
    heed_tensor *w = leaf(filled(HEED_SHAPE(1), factor ? 0 : 0.01)), *v = signs(HEED_SHAPE(1, N, 1));
    heed_tensor *k = heed_mul_scalar(heed_add_scalar(v, -1), 20);
    heed_tensor *y = heed_additive_attention(q, k, v, one, one, w, NULL, NULL);
    double share = 1 / (1 + exp(-0.01)), mean = 2 * share - 1;
    double exact = factor ? 0.5 : 0.01 * share * (1 - mean);
    return off(first(gradient(y, filled(HEED_SHAPE(1, 1, 1), 1), factor ? w : q)), exact);
}

static double error_of_additive_dq(const terms *t)
{
    return error_of_additive_query(t, false);
}

static double error_of_additive_dw(const terms *t)
{
    return error_of_additive_query(t, true);
}

/* -- Fused against composed ---------------------------------------------------------------------------------------- */

enum { MANY = 4500, WIDTH = 9, VALUES = 5, UNITS = 37 };

typedef heed_tensor *attention_fn(heed_tensor *const *in, const heed_attention_options *o, heed_tensor **weights);

static heed_tensor *by_dots(heed_tensor *const *in, const heed_attention_options *o, heed_tensor **weights)
{
    return heed_dot_product_attention(in[0], in[1], in[2], o, weights);
}

static heed_tensor *by_tanh(heed_tensor *const *in, const heed_attention_options *o, heed_tensor **weights)
{
    return heed_additive_attention(in[0], in[1], in[2], in[3], in[4], in[5], o, weights);
}

/* Lengths 0 .. keys, in mixed order. */
static heed_tensor *lengths(int64_t queries, int64_t keys)
{
    heed_tensor *lens = heed_empty(HEED_I64, HEED_SHAPE(2, queries));
    for (int64_t i = 0; i < 2 * queries; i++)
        heed_mutable_i64(lens)[i] = i * 2654435761 % (keys + 1);
    return lens;
}

static void same(const heed_tensor *a, const heed_tensor *b, const char *what)
{
    for (int64_t i = 0; i < heed_numel(a); i++) {
        double x = heed_data_f64(a)[i], y = heed_data_f64(b)[i];
        if (!(fabs(x - y) <= 1e-12 * (1 + fabs(y))))
            ck_abort_msg("%s: element %d is %.17g, not %.17g", what, (int)i, x, y);
    }
}

static void check_composed(attention_fn *fn, int64_t queries, int64_t keys, heed_attention_options o)
{
    heed_scope *scope = heed_scope_begin();
    heed_generator *generator = heed_generator_new(11);
    const heed_shape shapes[] = {HEED_SHAPE(2, queries, WIDTH), HEED_SHAPE(2, keys, WIDTH), HEED_SHAPE(2, keys, VALUES),
                                 HEED_SHAPE(UNITS, WIDTH),      HEED_SHAPE(UNITS, WIDTH),   HEED_SHAPE(UNITS)};
    heed_tensor *in[6], *found[2][6], *y[2], *weights;
    const int count = fn == by_tanh ? 6 : 3;
    for (int i = 0; i < count; i++)
        in[i] = leaf(FROM(generator, heed_randn(HEED_F64, shapes[i])));
    heed_tensor *g = FROM(generator, heed_randn(HEED_F64, HEED_SHAPE(2, queries, VALUES)));
    for (int composed = 0; composed < 2; composed++) {
        heed_generator *drops = heed_generator_new(5);
        o.generator = drops;
        y[composed] = heed_sum(heed_mul(fn(in, &o, composed ? &weights : NULL), g));
        heed_grad_options how = {.create_graph = composed};
        ck_assert_msg(heed_grad(&y[composed], 1, in, count, found[composed], &how) == HEED_OK, "%s",
                      heed_error_message());
        heed_generator_free(drops);
    }
    same(y[0], y[1], "result");
    for (int i = 0; i < count; i++)
        same(found[0][i], found[1][i], "gradient");
    heed_generator_free(generator);
    heed_scope_end(scope);
}

START_TEST(blocks_are_what_ops_compute)
{
    static const int64_t sizes[][2] = {{1, MANY}, {40, MANY}, {MANY, 40}};
    for (int i = 0; i < 3; i++) {
        const int64_t queries = sizes[i][0], keys = sizes[i][1];
        check_composed(by_dots, queries, keys, (heed_attention_options){.scale = 0.5});
        check_composed(by_dots, queries, keys, (heed_attention_options){.causal = true, .dropout = 0.3});
        check_composed(by_dots, queries, keys,
                       (heed_attention_options){.valid_lens = lengths(queries, keys), .dropout = 0.2});
    }
    check_composed(by_tanh, 6, MANY, (heed_attention_options){.valid_lens = lengths(6, MANY)});
    check_composed(by_tanh, MANY, 6, (heed_attention_options){.valid_lens = lengths(MANY, 6)});
}
END_TEST

/* -- All of them --------------------------------------------------------------------------------------------------- */

static const long_sum sums[] = {
    {"attention", error_of_attention_values},
    {"attention, one query", error_of_one_query},
    {"attention, one query of more keys", error_of_one_query_of_many_keys},
    {"attention with weights", error_of_attention_with_weights},
    {"attention dk", error_of_attention_dk},
    {"attention dv", error_of_attention_dv},
    {"attention dq", error_of_attention_dq},
    {"attention dq, one query", error_of_one_querys_dq},
    {"additive_attention dk", error_of_additive_keys},
    {"additive_attention dq", error_of_additive_dq},
    {"additive_attention dw_v", error_of_additive_dw},
};

START_TEST(long_sums_keep_their_digits)
{
    check_long_sums(sums, sizeof sums / sizeof sums[0]);
}
END_TEST

HEED_TEST_MAIN("long sums of attention", long_sums_keep_their_digits, blocks_are_what_ops_compute)
