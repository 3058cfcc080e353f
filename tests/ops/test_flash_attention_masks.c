/* tests/ops/test_flash_attention_masks.c - masked elements do not affect a row, in fused dot-product attention, at
 * sizes of several blocks: a bad number is put at one position, and all results that do not involve a row that sees
 * it have the same bits as in a clean run. test_attention_masks.c tests second derivatives, and attention with
 * weights.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

enum { B = 2, Q = 150, K = 260, D = 3, E = 18 };

/* The bad one: a query, key, value, or a row's incoming gradient; all of it or one element. */
enum { QUERY, KEY, VALUE, GRADIENT, CLEAN };

typedef struct setting {
    heed_dtype dtype;
    int damaged;
    int64_t at, element; /* element -1: the whole row */
    double value;
    bool causal;
    double dropout;
    int64_t (*length)(int64_t b, int64_t i);
} setting;

static int64_t scattered(int64_t b, int64_t i)
{
    return (i * 89 + b * 31) % (K + 1);
}

/* In blocks of 32 rows, so that whole blocks are skipped. */
static int64_t in_steps(int64_t b, int64_t i)
{
    return (i / 32 + b) % 5 * 65;
}

static int64_t all(int64_t b, int64_t i)
{
    (void)b;
    (void)i;
    return K;
}

static int64_t length_of(const setting *s, int64_t b, int64_t i)
{
    int64_t n = s->length(b, i);
    return s->causal && i + 1 < n ? i + 1 : n;
}

/* Returns true if row i of batch element b sees the bad number, which is in batch element 1. */
static bool meets(const setting *s, int64_t b, int64_t i)
{
    if (s->damaged == CLEAN || b != 1)
        return false;
    return s->damaged == KEY || s->damaged == VALUE ? s->at < length_of(s, b, i) : s->at == i && length_of(s, b, i) > 0;
}

typedef struct outcome {
    heed_tensor *y, *dx[3];
} outcome;

static void spoil(const setting *s, heed_tensor *t)
{
    for (int64_t d = 0; d < heed_dim(t, 2); d++)
        if (s->element < 0 || s->element == d)
            heed_set_(t, HEED_INDEX(1, s->at, d), s->value);
}

static outcome run(const setting *s)
{
    outcome o;
    const heed_shape shapes[] = {HEED_SHAPE(B, Q, D), HEED_SHAPE(B, K, D), HEED_SHAPE(B, K, E), HEED_SHAPE(B, Q, E)};
    heed_tensor *in[4], *lens = heed_empty(HEED_I64, HEED_SHAPE(B, Q));
    heed_manual_seed(5);
    for (int i = 0; i < 4; i++) {
        in[i] = heed_randn(s->dtype, shapes[i]);
        if (s->damaged == i)
            spoil(s, in[i]);
        heed_set_requires_grad(in[i], i < 3);
    }
    for (int64_t i = 0; i < B * Q; i++)
        heed_mutable_i64(lens)[i] = s->length(i / Q, i % Q);
    heed_generator *generator = heed_generator_new(5);
    heed_attention_options options = {
        .valid_lens = lens, .causal = s->causal, .dropout = s->dropout, .generator = generator};
    o.y = heed_dot_product_attention(in[0], in[1], in[2], &options, NULL);
    heed_generator_free(generator);
    heed_grad_options of = {.grad_outputs = &in[GRADIENT]};
    ck_assert_msg(o.y && heed_grad(&o.y, 1, in, 3, o.dx, &of) == HEED_OK, "%s", heed_error_message());
    return o;
}

static double at(heed_tensor *t, int64_t b, int64_t i, int64_t d)
{
    int64_t offset = (b * heed_dim(t, 1) + i) * heed_dim(t, 2) + d;
    return heed_dtype_of(t) == HEED_F32 ? (double)heed_data_f32(t)[offset] : heed_data_f64(t)[offset];
}

static void expect_same(const setting *s, const char *damaged, heed_tensor *got, heed_tensor *clean, int64_t b,
                        int64_t i)
{
    for (int64_t d = 0; d < heed_dim(got, 2); d++)
        if (at(got, b, i, d) != at(clean, b, i, d))
            ck_abort_msg("%s[%d][%d][%d] is %.17g, clean %.17g: what %d, at %d, causal %d", damaged, (int)b, (int)i,
                         (int)d, at(got, b, i, d), at(clean, b, i, d), s->damaged, (int)s->at, s->causal);
}

static bool key_meets(const setting *s, int64_t b, int64_t j)
{
    bool any = false;
    for (int64_t i = 0; i < Q && !any; i++)
        any = j < length_of(s, b, i) && meets(s, b, i);
    return any;
}

static void compare(const setting *s, const outcome *got, const outcome *clean)
{
    for (int64_t b = 0; b < B; b++) {
        for (int64_t i = 0; i < Q; i++) {
            if (!meets(s, b, i) || s->damaged == GRADIENT)
                expect_same(s, "y", got->y, clean->y, b, i);
            else
                ck_assert_msg(s->dropout > 0 || !isfinite(at(got->y, b, i, s->element < 0 ? 0 : s->element)),
                              "row %d hides what is at %d", (int)i, (int)s->at);
            if (!meets(s, b, i))
                expect_same(s, "dq", got->dx[0], clean->dx[0], b, i);
        }
        for (int64_t j = 0; j < K; j++)
            if (!key_meets(s, b, j)) {
                expect_same(s, "dk", got->dx[1], clean->dx[1], b, j);
                expect_same(s, "dv", got->dx[2], clean->dx[2], b, j);
            }
    }
}

static void check(setting s, int damaged, double value, int64_t element)
{
    static const int64_t positions[] = {0, 1, 15, 31, 64, 111, 112, 149, 200, 259};
    heed_scope *scope = heed_scope_begin();
    s.damaged = CLEAN;
    outcome clean = run(&s);
    s.damaged = damaged;
    s.value = value;
    s.element = element;
    for (int i = 0; i < 10; i++) {
        s.at = positions[i];
        if (s.at >= Q && (damaged == QUERY || damaged == GRADIENT))
            break;
        outcome got = run(&s);
        compare(&s, &got, &clean);
    }
    heed_scope_end(scope);
}

/* A NaN key, or a non-finite value, query or gradient. An infinite key may give a score of -inf, which is a
 * weight of 0. */
static void check_kinds(setting s)
{
    for (int d = 0; d < 2; d++) {
        s.dtype = d ? HEED_F64 : HEED_F32;
        for (int damaged = QUERY; damaged <= GRADIENT; damaged++)
            check(s, damaged, (double)NAN, -1);
        check(s, VALUE, (double)INFINITY, 17);
        check(s, VALUE, -(double)INFINITY, 0);
        check(s, GRADIENT, (double)INFINITY, 17);
    }
}

START_TEST(lengths_of_rows)
{
    check_kinds((setting){.length = scattered});
}
END_TEST

START_TEST(steps)
{
    check_kinds((setting){.length = in_steps});
}
END_TEST

START_TEST(causal)
{
    check_kinds((setting){.length = all, .causal = true});
}
END_TEST

START_TEST(causal_and_lengths)
{
    check_kinds((setting){.length = in_steps, .causal = true, .dropout = 0.3});
}
END_TEST

HEED_TEST_MAIN("flash attention masks", lengths_of_rows, steps, causal, causal_and_lengths)
