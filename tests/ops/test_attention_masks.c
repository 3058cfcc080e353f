/* tests/ops/test_attention_masks.c - masked elements do not affect a row: NaN or infinity there reaches neither its
 * result nor any gradient that passes through it, of the first and the second order.
 *
 * A test puts a bad number at one position, determines the rows that see it, and compares with a clean run: all
 * results that do not involve such a row have the same bits.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

enum { B = 2, Q = 4, K = 5, D = 3, E = 2, H = 4, INPUTS = 6 };

static const int64_t lens[B][Q] = {{2, 0, 4, 4}, {1, 5, 3, 0}};

typedef struct attention {
    int n_inputs;
    heed_tensor *(*run)(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights);
} attention;

static heed_tensor *run_dot_product(heed_tensor *const *in, const heed_attention_options *options,
                                    heed_tensor **weights)
{
    return heed_dot_product_attention(in[0], in[1], in[2], options, weights);
}

/* The same in two heads of the same lengths. */
static heed_tensor *run_heads(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights)
{
    heed_tensor *twice[3], *pair[2];
    for (int i = 0; i < 3; i++)
        twice[i] = heed_stack((heed_tensor *[]){in[i], in[i]}, 2, 1);
    heed_tensor *y = heed_dot_product_attention(twice[0], twice[1], twice[2], options, weights);
    *weights = heed_select(*weights, 1, 1);
    for (int i = 0; i < 2; i++)
        pair[i] = heed_select(y, 1, i);
    return heed_mul_scalar(heed_add(pair[0], pair[1]), 0.5);
}

static heed_tensor *run_additive(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights)
{
    return heed_additive_attention(in[0], in[1], in[2], in[3], in[4], in[5], options, weights);
}

static const attention attentions[] = {{3, run_dot_product}, {3, run_heads}, {6, run_additive}};

/* -- A run --------------------------------------------------------------------------------------------------------- */

enum { QUERY, KEY, VALUE, GRADIENT, CLEAN };

typedef struct setting {
    const attention *of;
    heed_dtype dtype;
    int damaged; /* the bad one: a query, key, value, or a row's incoming gradient */
    int64_t batch, at;
    double value;
    bool by_batch; /* the first row's length for all rows of a batch element */
    bool causal;
    double dropout;
} setting;

static int64_t length(const setting *s, int64_t b, int64_t i)
{
    int64_t n = lens[b][s->by_batch ? 0 : i];
    return s->causal && i + 1 < n ? i + 1 : n;
}

/* Whether row i of batch element b sees the bad number. */
static bool meets(const setting *s, int64_t b, int64_t i)
{
    if (s->damaged == CLEAN || b != s->batch)
        return false;
    return s->damaged == KEY || s->damaged == VALUE ? s->at < length(s, b, i) : s->at == i && length(s, b, i) > 0;
}

static bool key_meets(const setting *s, int64_t b, int64_t j)
{
    bool any = false;
    for (int64_t i = 0; i < Q; i++)
        any = any || (meets(s, b, i) && j < length(s, b, i));
    return any;
}

static bool any_meets(const setting *s)
{
    bool any = false;
    for (int64_t b = 0; b < B; b++)
        for (int64_t i = 0; i < Q; i++)
            any = any || meets(s, b, i);
    return any;
}

/* bool (B, Q, 1) or (B, K, 1): true for rows that do not see it. */
static heed_tensor *untouched(const setting *s, bool keys)
{
    heed_tensor *mask = heed_empty(HEED_BOOL, HEED_SHAPE(B, keys ? K : Q, 1));
    bool *out = heed_mutable_bool(mask);
    for (int64_t b = 0; b < B; b++)
        for (int64_t i = 0; i < (keys ? K : Q); i++)
            *out++ = !(keys ? key_meets(s, b, i) : meets(s, b, i));
    return mask;
}

static void make_inputs(const setting *s, heed_tensor *in[INPUTS])
{
    const heed_shape shapes[INPUTS] = {HEED_SHAPE(B, Q, D), HEED_SHAPE(B, K, D), HEED_SHAPE(B, K, E),
                                       HEED_SHAPE(H, D),    HEED_SHAPE(H, D),    HEED_SHAPE(H)};
    heed_manual_seed(11);
    for (int i = 0; i < s->of->n_inputs; i++)
        in[i] = heed_randn(s->dtype, shapes[i]);
    if (s->damaged <= VALUE)
        for (int64_t d = 0; d < heed_dim(in[s->damaged], 2); d++)
            ck_assert_int_eq(heed_set_(in[s->damaged], HEED_INDEX(s->batch, s->at, d), s->value), HEED_OK);
    for (int i = 0; i < s->of->n_inputs; i++)
        ck_assert_ptr_nonnull(heed_set_requires_grad(in[i], true));
}

typedef struct outcome {
    heed_tensor *y, *weights, *first[INPUTS], *second[INPUTS];
} outcome;

static heed_tensor *sum_of_squares_where(heed_tensor *mask, heed_tensor *t)
{
    return heed_sum(heed_square(heed_where(mask, t, heed_zeros(heed_dtype_of(t), HEED_SCALAR))));
}

/* Runs the function, its backward pass, and a second backward pass from the squares of the first gradients, without the
 * rows that `bad` damages. */
static outcome run(const setting *s, const setting *bad)
{
    outcome o = {.y = NULL};
    heed_tensor *in[INPUTS];
    make_inputs(s, in);
    heed_tensor *valid = heed_from_array(HEED_I64, HEED_SHAPE(B, Q), lens, B * Q);
    heed_generator *generator = heed_generator_new(5);
    heed_attention_options options = {.valid_lens = s->by_batch ? heed_select(valid, 1, 0) : valid,
                                      .causal = s->causal,
                                      .dropout = s->dropout,
                                      .generator = generator};
    o.y = s->of->run(in, &options, &o.weights);
    heed_generator_free(generator);
    ck_assert_msg(o.y != NULL, "%s", heed_error_message());

    heed_tensor *g = heed_randn(s->dtype, HEED_SHAPE(B, Q, E));
    for (int64_t e = 0; s->damaged == GRADIENT && e < E; e++)
        ck_assert_int_eq(heed_set_(g, HEED_INDEX(s->batch, s->at, e), s->value), HEED_OK);
    int n = s->of->n_inputs;
    heed_grad_options both = {.grad_outputs = &g, .create_graph = true};
    ck_assert_msg(heed_grad(&o.y, 1, in, n, o.first, &both) == HEED_OK, "%s", heed_error_message());
    heed_tensor *objective = heed_add(sum_of_squares_where(untouched(bad, false), o.first[0]),
                                      heed_add(sum_of_squares_where(untouched(bad, true), o.first[1]),
                                               sum_of_squares_where(untouched(bad, true), o.first[2])));
    heed_grad_options unused = {.allow_unused = true};
    ck_assert_msg(heed_grad(&objective, 1, in, n, o.second, &unused) == HEED_OK, "%s", heed_error_message());
    return o;
}

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

/* Checks that row i of batch element b has the same bits in `got` and in `clean`. With `zero` all its elements must be
 * 0. */
static void expect_same_row(const char *damaged, heed_tensor *got, heed_tensor *clean, int64_t b, int64_t i, bool zero)
{
    for (int64_t d = 0; d < heed_dim(got, -1); d++) {
        double x = heed_get(got, HEED_INDEX(b, i, d)), y = heed_get(clean, HEED_INDEX(b, i, d));
        ck_assert_msg(x == y, "%s[%d][%d][%d] is %.17g, clean %.17g", damaged, (int)b, (int)i, (int)d, x, y);
        ck_assert_msg(!zero || x == 0, "%s[%d][%d][%d] is %.17g, not 0", damaged, (int)b, (int)i, (int)d, x);
    }
}

static void expect_same_rows(const char *damaged, const setting *s, heed_tensor *got, heed_tensor *clean, bool keys)
{
    for (int64_t b = 0; b < B; b++)
        for (int64_t i = 0; i < (keys ? K : Q); i++) {
            bool visible = !keys && length(s, b, i) > 0;
            for (int64_t row = 0; keys && row < Q; row++)
                visible = visible || i < length(s, b, row);
            if (keys ? !key_meets(s, b, i) : !meets(s, b, i))
                expect_same_row(damaged, got, clean, b, i, !visible);
        }
}

static void expect_same(const char *damaged, heed_tensor *got, heed_tensor *clean)
{
    heed_shape flat = HEED_SHAPE(heed_numel(got), 1, 1);
    heed_tensor *a = heed_reshape(got, flat), *b = heed_reshape(clean, flat);
    for (int64_t i = 0; i < heed_numel(got); i++)
        expect_same_row(damaged, a, b, i, 0, false);
}

/* Rows that see a bad number are bad, the others are unchanged. */
static void compare(const setting *s, const outcome *got, const outcome *clean)
{
    expect_same_rows("y", s, got->y, clean->y, false);
    expect_same_rows("weights", s, got->weights, clean->weights, false);
    heed_tensor *const *firsts[] = {got->first, got->second}, *const * clean_ones[] = {clean->first, clean->second};
    for (int order = 0; order < 2; order++) {
        heed_tensor *const *g = firsts[order], *const *c = clean_ones[order];
        expect_same_rows(order ? "ddq" : "dq", s, g[0], c[0], false);
        expect_same_rows(order ? "ddk" : "dk", s, g[1], c[1], true);
        expect_same_rows(order ? "ddv" : "dv", s, g[2], c[2], true);
        for (int i = 3; i < s->of->n_inputs && !any_meets(s); i++)
            expect_same(order ? "second derivative of a map" : "gradient of a map", g[i], c[i]);
    }
    heed_tensor *shows = s->damaged == VALUE ? got->y : got->weights; /* dropout may drop a NaN weight */
    for (int64_t b = 0; b < B && s->damaged != GRADIENT; b++)
        for (int64_t i = 0; i < Q; i++)
            if (meets(s, b, i))
                ck_assert_msg(!isfinite(heed_get(shows, HEED_INDEX(b, i, 0))), "row %d %d hides it", (int)b, (int)i);
}

static void check(const setting *s)
{
    heed_scope *scope = heed_scope_begin();
    setting clean = *s;
    clean.damaged = CLEAN;
    outcome got = run(s, s), expected = run(&clean, s);
    compare(s, &got, &expected);
    heed_scope_end(scope);
}

/* At every position. */
static void check_positions(setting s)
{
    for (int of = 0; of < 3; of++)
        for (s.batch = 0; s.batch < B; s.batch++)
            for (s.at = 0; s.at < (s.damaged == KEY || s.damaged == VALUE ? K : Q); s.at++) {
                s.of = &attentions[of];
                check(&s);
            }
}

static const double bad_numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};

START_TEST(bad_values)
{
    for (int i = 0; i < 3; i++)
        check_positions((setting){.dtype = HEED_F64, .damaged = VALUE, .value = bad_numbers[i]});
    check_positions((setting){.dtype = HEED_F32, .damaged = VALUE, .value = (double)NAN});
    check_positions((setting){.dtype = HEED_F32, .damaged = VALUE, .value = (double)NAN, .by_batch = true});
    check_positions((setting){.dtype = HEED_F64, .damaged = VALUE, .value = (double)NAN, .causal = true});
    check_positions((setting){.dtype = HEED_F64, .damaged = VALUE, .value = (double)NAN, .dropout = 0.3});
}
END_TEST

/* Without infinite keys: their score may be -inf, which is a weight of 0. */
START_TEST(bad_keys)
{
    check_positions((setting){.dtype = HEED_F64, .damaged = KEY, .value = (double)NAN});
    check_positions((setting){.dtype = HEED_F32, .damaged = KEY, .value = (double)NAN});
    check_positions((setting){.dtype = HEED_F32, .damaged = KEY, .value = (double)NAN, .by_batch = true});
    check_positions((setting){.dtype = HEED_F64, .damaged = KEY, .value = (double)NAN, .causal = true});
    check_positions((setting){.dtype = HEED_F64, .damaged = KEY, .value = (double)NAN, .dropout = 0.3});
}
END_TEST

START_TEST(bad_queries)
{
    check_positions((setting){.dtype = HEED_F64, .damaged = QUERY, .value = (double)NAN});
    check_positions((setting){.dtype = HEED_F32, .damaged = QUERY, .value = (double)NAN});
    check_positions((setting){.dtype = HEED_F64, .damaged = QUERY, .value = (double)NAN, .by_batch = true});
    check_positions((setting){.dtype = HEED_F32, .damaged = QUERY, .value = (double)NAN, .causal = true});
    check_positions((setting){.dtype = HEED_F64, .damaged = QUERY, .value = (double)NAN, .dropout = 0.3});
}
END_TEST

START_TEST(bad_gradients)
{
    for (int i = 0; i < 3; i++)
        check_positions((setting){.dtype = HEED_F64, .damaged = GRADIENT, .value = bad_numbers[i]});
    check_positions((setting){.dtype = HEED_F32, .damaged = GRADIENT, .value = (double)NAN, .by_batch = true});
    check_positions((setting){.dtype = HEED_F32, .damaged = GRADIENT, .value = (double)NAN, .causal = true});
}
END_TEST

HEED_TEST_MAIN("attention masks", bad_values, bad_keys, bad_queries, bad_gradients)
