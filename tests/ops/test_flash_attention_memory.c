/* tests/ops/test_flash_attention_memory.c - fused dot-product attention needs memory for O(Q d) numbers with any
 * kind of mask: far below the Q K of the weights, and twice as much for twice the number of queries and keys.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

enum { LONG = 1024, WIDE = 16, HEADS = 2, REACH = 100 };
enum { Q, K, V, SLOPES, RELATIVE, INPUTS };

/* Masks and biases are per head, unless they are per batch element, over a head's keys, or NULL. */
enum { NONE, PAIRS, BY_BATCH, BY_HEAD, KEYS };

typedef struct setting {
    const char *name;
    int mask, bias;
    bool causal, lens, slopes, relative, inner;
    int64_t window, offset, kv_heads; /* kv_heads 0: no axis of heads */
    double dropout;
} setting;

/* Bytes in addition to those in use before. */
typedef struct taken {
    int64_t forward, kept, all;
} taken;

static heed_shape shape_of(const setting *s, int64_t heads, int64_t rows)
{
    if (s->kv_heads == 0)
        return HEED_SHAPE(1, rows, WIDE);
    return s->inner ? HEED_SHAPE(1, rows, heads, WIDE) : HEED_SHAPE(1, heads, rows, WIDE);
}

static heed_shape pairs_of(int kind, int64_t rows)
{
    return kind == KEYS       ? HEED_SHAPE(rows)
           : kind == BY_BATCH ? HEED_SHAPE(1, 1, rows, rows)
           : kind == BY_HEAD  ? HEED_SHAPE(HEADS, rows, rows)
                              : HEED_SHAPE(rows, rows);
}

/* A third of the pairs are hidden, and every fifth key if the mask is shared by all queries. */
static heed_tensor *visible_mask(int kind, int64_t rows)
{
    if (kind == NONE)
        return NULL;
    heed_tensor *mask = heed_empty(HEED_BOOL, pairs_of(kind, rows));
    bool *out = heed_mutable_bool(mask);
    for (int64_t at = 0; at < heed_numel(mask); at++)
        out[at] = kind == KEYS ? at % 5 != 0 : (at / rows * 31 + at % rows * 17) % 3 != 0;
    return mask;
}

static heed_attention_options options_of(const setting *s, int64_t rows, heed_tensor *const in[INPUTS])
{
    heed_attention_options o = {.causal = s->causal,
                                .heads_inner = s->inner,
                                .window = s->window,
                                .query_offset = s->offset,
                                .dropout = s->dropout};
    o.mask = visible_mask(s->mask, rows);
    o.bias = s->bias ? heed_randn(HEED_F32, pairs_of(s->bias, rows)) : NULL;
    o.slopes = s->slopes ? in[SLOPES] : NULL;
    o.relative_bias = s->relative ? in[RELATIVE] : NULL;
    o.valid_lens = s->lens ? HEED_TENSOR(HEED_I64, HEED_SHAPE(1), (double)rows - 100) : NULL;
    return o;
}

/* The bytes that forward needs, that it leaves, and that it needs with the gradients by all inputs. */
static taken measure(const setting *s, int64_t rows)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *in[INPUTS], *dx[INPUTS];
    const int64_t heads = s->kv_heads > 0 ? HEADS : 1;
    const heed_shape by_distance[] = {HEED_SHAPE(heads), HEED_SHAPE(heads, 2 * REACH + 1)};
    for (int i = 0; i < INPUTS; i++) {
        const heed_shape shape = i < SLOPES ? shape_of(s, i == Q ? HEADS : s->kv_heads, rows) : by_distance[i - SLOPES];
        in[i] = heed_set_requires_grad(heed_randn(HEED_F32, shape), true);
    }
    heed_tensor *g = heed_ones(HEED_F32, shape_of(s, HEADS, rows));
    const heed_attention_options o = options_of(s, rows, in);
    const int64_t before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    heed_tensor *y = heed_dot_product_attention(in[Q], in[K], in[V], &o, NULL);
    ck_assert_msg(y != NULL, "%s: %s", s->name, heed_error_message());
    taken t = {.forward = heed_memory_get_stats().peak_bytes - before,
               .kept = heed_memory_get_stats().live_bytes - before};
    heed_grad_options of = {.grad_outputs = &g, .allow_unused = true};
    ck_assert_msg(heed_grad(&y, 1, in, INPUTS, dx, &of) == HEED_OK, "%s: %s", s->name, heed_error_message());
    t.all = heed_memory_get_stats().peak_bytes - before;
    heed_scope_end(scope);
    return t;
}

static void expect_below(const setting *s, const char *what, int64_t bytes, int64_t most)
{
    ck_assert_msg(bytes < most, "%s: %s takes %lld bytes, not below %lld", s->name, what, (long long)bytes,
                  (long long)most);
}

/* A few times Q d, and the working memory of a thread; relative biases need some rows of Q + K numbers per head. The
 * limit doubles with the length; a copy of a mask, with a byte per pair, would need 3 LONG^2 more, and numbers four
 * times that. */
static void check(const setting *s)
{
    const int64_t heads = s->kv_heads > 0 ? HEADS : 1, margin = 400 * 1024;
    const int64_t row_bytes = heads * LONG * WIDE * (int64_t)sizeof(float);
    const int64_t by_distance = s->slopes || s->relative ? heads * 2 * LONG * 24 * (int64_t)sizeof(float) : 0;
    const int64_t forward = 2 * row_bytes + by_distance, kept = row_bytes * 3 / 2 + by_distance;
    const int64_t backward = 12 * row_bytes + by_distance;
    const taken one = measure(s, LONG), two = measure(s, 2 * LONG);
    expect_below(s, "forward", one.forward, forward + margin);
    expect_below(s, "what forward keeps", one.kept, kept);
    expect_below(s, "backward", one.all, backward + margin);
    expect_below(s, "more of forward", two.forward - one.forward, forward);
    expect_below(s, "more of what forward keeps", two.kept - one.kept, kept);
    expect_below(s, "more of backward", two.all - one.all, backward);
    ck_assert_int_lt(backward, 3 * (int64_t)LONG * LONG);
}

static const setting settings[] = {
    {.name = "all"},
    {.name = "causal, dropout", .causal = true, .dropout = 0.1},
    {.name = "lengths", .lens = true},
    {.name = "mask", .mask = PAIRS},
    {.name = "mask, dropout", .mask = PAIRS, .dropout = 0.1, .causal = true},
    {.name = "mask of the batch", .mask = BY_BATCH, .kv_heads = HEADS},
    {.name = "mask of a head", .mask = BY_HEAD, .kv_heads = HEADS},
    {.name = "mask of keys", .mask = KEYS},
    {.name = "bias", .bias = PAIRS},
    {.name = "bias of the batch", .bias = BY_BATCH, .kv_heads = HEADS},
    {.name = "bias of a head", .bias = BY_HEAD, .kv_heads = HEADS},
    {.name = "bias of keys", .bias = KEYS, .lens = true},
    {.name = "mask and bias", .mask = PAIRS, .bias = PAIRS, .causal = true},
    {.name = "window", .window = 100},
    {.name = "causal window", .window = 100, .causal = true},
    {.name = "slopes", .slopes = true},
    {.name = "slopes of heads, offset", .slopes = true, .causal = true, .offset = 10, .kv_heads = HEADS},
    {.name = "relative bias", .relative = true},
    {.name = "relative bias of heads, bias", .relative = true, .bias = BY_HEAD, .kv_heads = HEADS},
    {.name = "one head of keys", .kv_heads = 1},
    {.name = "heads inside", .kv_heads = HEADS, .inner = true},
    {.name = "all of it",
     .mask = BY_BATCH,
     .bias = BY_HEAD,
     .causal = true,
     .lens = true,
     .slopes = true,
     .relative = true,
     .inner = true,
     .window = 300,
     .offset = 10,
     .kv_heads = 1,
     .dropout = 0.1},
};

START_TEST(linear)
{
    const int threads = heed_num_threads();
    heed_manual_seed(1);
    heed_set_num_threads(1);
    check(&settings[_i]);
    heed_set_num_threads(threads);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("memory");
    tcase_add_loop_test(tcase, linear, 0, (int)(sizeof settings / sizeof settings[0]));
    return heed_run_case("flash attention, memory", tcase);
}
