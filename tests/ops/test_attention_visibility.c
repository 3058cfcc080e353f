/* tests/ops/test_attention_visibility.c - masks, biases, windows, slopes, relative biases, offsets and shared heads of
 * dot-product attention, at sizes of several blocks: the fused op against the composed one, the same bits for
 * equivalent options, and hidden keys without effect. tests/ops/attention/dot_product_attention.c has small sizes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/parallel.h>

#include "check_heed.h"

enum { Q, K, V, BIAS, SLOPES, RELATIVE, INPUTS };

typedef struct setting {
    heed_dtype dtype;
    int64_t heads, kv_heads, queries, keys, d, e;
    bool inner, causal, mask, bias, slopes, relative, lens;
    heed_shape pairs; /* of mask and bias */
    int64_t window, offset;
    double scale, dropout;
} setting;

typedef struct outcome {
    heed_tensor *y, *dx[INPUTS];
} outcome;

enum { BATCH = 2, REACH = 60 };

static heed_shape shape_of(const setting *s, int64_t heads, int64_t rows, int64_t width)
{
    return s->inner ? HEED_SHAPE(BATCH, rows, heads, width) : HEED_SHAPE(BATCH, heads, rows, width);
}

/* A third of the pairs are hidden, and all pairs of some rows and blocks. */
static heed_tensor *mask_of(const heed_shape *shape)
{
    heed_tensor *mask = heed_empty(HEED_BOOL, *shape);
    bool *out = heed_mutable_bool(mask);
    const int64_t n = heed_numel(mask), keys = shape->dims[shape->rank - 1];
    for (int64_t at = 0; at < n; at++) {
        const int64_t i = at / keys, j = at % keys;
        out[at] = (i * 31 + j * 17) % 3 != 0 && i % 29 != 5 && !(i % 64 < 32 && j >= 112 && j < 224);
    }
    return mask;
}

static void draw(const setting *s, heed_tensor *in[INPUTS])
{
    const heed_shape shapes[INPUTS] = {shape_of(s, s->heads, s->queries, s->d),
                                       shape_of(s, s->kv_heads, s->keys, s->d),
                                       shape_of(s, s->kv_heads, s->keys, s->e),
                                       s->bias ? s->pairs : HEED_SHAPE(1),
                                       HEED_SHAPE(s->heads),
                                       HEED_SHAPE(s->heads, 2 * REACH + 1)};
    heed_manual_seed(1);
    for (int i = 0; i < INPUTS; i++)
        in[i] = heed_set_requires_grad(heed_randn(s->dtype, shapes[i]), true);
}

static heed_attention_options options_of(const setting *s, heed_tensor *const in[INPUTS])
{
    heed_attention_options o = {.heads_inner = s->inner,
                                .causal = s->causal,
                                .window = s->window,
                                .query_offset = s->offset,
                                .scale = s->scale,
                                .dropout = s->dropout};
    o.mask = s->mask ? mask_of(&s->pairs) : NULL;
    o.bias = s->bias ? in[BIAS] : NULL;
    o.slopes = s->slopes ? in[SLOPES] : NULL;
    o.relative_bias = s->relative ? in[RELATIVE] : NULL;
    o.valid_lens = s->lens ? HEED_TENSOR(HEED_I64, HEED_SHAPE(BATCH), (double)s->keys - 3, (double)s->keys / 2) : NULL;
    return o;
}

static bool is_used(const setting *s, int i)
{
    return i < BIAS || (i == BIAS && s->bias) || (i == SLOPES && s->slopes) || (i == RELATIVE && s->relative);
}

static outcome differentiate(const setting *s, heed_tensor *const in[INPUTS], heed_tensor *y, bool graph)
{
    outcome o = {.y = y};
    ck_assert_msg(y != NULL, "%s", heed_error_message());
    heed_tensor *g = heed_cos(heed_reshape(heed_arange(s->dtype, 0, (double)heed_numel(y), 1), heed_shape_of(y)));
    heed_grad_options of = {.grad_outputs = &g, .create_graph = graph, .allow_unused = true};
    ck_assert_msg(heed_grad(&y, 1, in, INPUTS, o.dx, &of) == HEED_OK, "%s", heed_error_message());
    for (int i = 0; i < INPUTS; i++)
        ck_assert_msg(!o.dx[i] == !is_used(s, i), "input %d", i);
    return o;
}

static outcome run_with(const setting *s, heed_tensor *const in[INPUTS], const heed_attention_options *given,
                        bool with_weights, bool graph)
{
    heed_attention_options o = *given;
    heed_tensor *weights = NULL;
    o.generator = heed_generator_new(3);
    heed_tensor *y = heed_dot_product_attention(in[Q], in[K], in[V], &o, with_weights ? &weights : NULL);
    heed_generator_free(o.generator);
    return differentiate(s, in, y, graph);
}

static outcome run(const setting *s, heed_tensor *const in[INPUTS], bool with_weights, bool graph)
{
    const heed_attention_options o = options_of(s, in);
    return run_with(s, in, &o, with_weights, graph);
}

/* The largest difference, over 1 + |b|. */
static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    heed_tensor *x = heed_to_dtype(a, HEED_F64), *y = heed_to_dtype(b, HEED_F64);
    return heed_item(heed_max(heed_div(heed_abs(heed_sub(x, y)), heed_add_scalar(heed_abs(y), 1))));
}

static void expect_near(const setting *s, const outcome *a, const outcome *b, double tolerance, const char *what)
{
    static const char *const names[] = {"y", "dq", "dk", "dv", "dbias", "dslopes", "drelative"};
    for (int i = -1; i < INPUTS; i++) {
        if (i >= 0 && !is_used(s, i))
            continue;
        const double d = i < 0 ? difference(a->y, b->y) : difference(a->dx[i], b->dx[i]);
        ck_assert_msg(d <= tolerance, "%s: %s differs by %g: %s, H %d, Q %d, K %d, mask %d, bias %d, window %d", what,
                      names[i + 1], d, heed_dtype_name(s->dtype), (int)s->heads, (int)s->queries, (int)s->keys, s->mask,
                      s->bias, (int)s->window);
    }
}

static void compare(setting s)
{
    for (int dtype = 0; dtype < 2; dtype++) {
        heed_scope *scope = heed_scope_begin();
        s.dtype = dtype ? HEED_F64 : HEED_F32;
        const double tolerance = dtype ? 1e-12 : 1e-4;
        heed_tensor *in[INPUTS];
        draw(&s, in);
        outcome fused = run(&s, in, false, false), composed = run(&s, in, true, false),
                graph = run(&s, in, false, true);
        expect_near(&s, &fused, &composed, tolerance, "fused and composed");
        expect_near(&s, &fused, &graph, tolerance, "fused and composed gradient");
        heed_scope_end(scope);
    }
}

/* -- As one op and as several -------------------------------------------------------------------------------------- */

#define SIZES .heads = 2, .kv_heads = 2, .queries = 150, .keys = 260, .d = 5, .e = 7
#define MANY .heads = 2, .kv_heads = 1, .queries = 1100, .keys = 1200, .d = 2, .e = 3
#define FEW .heads = 2, .kv_heads = 2, .queries = 7, .keys = 20, .d = 2, .e = 3
#define ONE .heads = 4, .kv_heads = 2, .queries = 1, .keys = 300, .d = 5, .e = 3

START_TEST(masks)
{
    compare((setting){SIZES, .mask = true, .pairs = HEED_SHAPE(150, 260)});
    compare((setting){SIZES, .mask = true, .pairs = HEED_SHAPE(BATCH, 1, 150, 260), .causal = true, .dropout = 0.3});
    compare((setting){SIZES, .mask = true, .pairs = HEED_SHAPE(BATCH, 2, 1, 260), .lens = true, .inner = true});
    compare((setting){SIZES, .mask = true, .pairs = HEED_SHAPE(150, 1), .scale = -1.5});
}
END_TEST

START_TEST(biases)
{
    compare((setting){SIZES, .bias = true, .pairs = HEED_SHAPE(150, 260)});
    compare((setting){SIZES, .bias = true, .pairs = HEED_SHAPE(2, 150, 260), .causal = true, .dropout = 0.3});
    compare((setting){SIZES, .bias = true, .mask = true, .pairs = HEED_SHAPE(BATCH, 1, 150, 260), .inner = true});
    compare((setting){SIZES, .bias = true, .pairs = HEED_SHAPE(BATCH, 2, 1, 260), .lens = true, .scale = 1.5});
    compare((setting){SIZES, .bias = true, .pairs = HEED_SHAPE(150, 1)});
}
END_TEST

START_TEST(windows_and_slopes)
{
    compare((setting){SIZES, .window = 40, .causal = true});
    compare((setting){SIZES, .window = 113, .lens = true});
    compare((setting){SIZES, .window = 20, .causal = true, .offset = 110, .slopes = true});
    compare((setting){SIZES, .causal = true, .offset = 110, .dropout = 0.3});
    compare((setting){SIZES, .slopes = true, .scale = 1.5, .bias = true, .pairs = HEED_SHAPE(150, 260)});
    compare((setting){MANY, .causal = true, .window = 300, .offset = 100});
}
END_TEST

/* Alone; with a bias per batch element, per head, and for all; for chunks of keys, and for long sums. */
START_TEST(relative_biases)
{
    compare((setting){SIZES, .relative = true});
    compare((setting){SIZES, .relative = true, .causal = true, .offset = 110, .dropout = 0.3, .inner = true});
    compare((setting){SIZES, .relative = true, .bias = true, .pairs = HEED_SHAPE(BATCH, 2, 150, 260), .lens = true});
    compare((setting){SIZES, .relative = true, .bias = true, .pairs = HEED_SHAPE(2, 150, 260), .mask = true});
    compare((setting){SIZES, .relative = true, .bias = true, .pairs = HEED_SHAPE(150, 260), .scale = 1.5});
    compare((setting){SIZES, .relative = true, .slopes = true, .window = 100});
    compare((setting){MANY, .causal = true, .offset = 100, .relative = true});
}
END_TEST

/* One query with a cache, and few queries and keys: in both cases the kernel computes one query at a time. */
START_TEST(by_query)
{
    for (int window = 0; window < 30; window += 13) {
        compare((setting){ONE, .causal = true, .offset = 280, .window = window, .mask = true, .bias = true,
                          .relative = true, .pairs = HEED_SHAPE(BATCH, 4, 1, 300)});
        compare((setting){FEW, .window = window, .slopes = true, .relative = true, .bias = true,
                          .pairs = HEED_SHAPE(2, 7, 20), .scale = 1.5, .dropout = 0.3});
    }
}
END_TEST

/* -- Equivalent options: the same bits ----------------------------------------------------------------------------- */

START_TEST(shared_heads_are_repeated_ones)
{
    for (int i = 0; i < 8; i++) {
        heed_scope *scope = heed_scope_begin();
        const setting s = {.dtype = i & 1 ? HEED_F32 : HEED_F64,
                           .heads = 6,
                           .kv_heads = 2,
                           .queries = i & 4 ? 3 : 150,
                           .keys = i & 4 ? 4 : 260,
                           .d = 5,
                           .e = 7,
                           .inner = i & 2,
                           .causal = true};
        heed_tensor *in[INPUTS], *all[INPUTS];
        draw(&s, in);
        for (int weights = 0; weights < 2; weights++) {
            const heed_attention_options o = options_of(&s, in);
            for (int n = 0; n < INPUTS; n++)
                all[n] = n == K || n == V ? heed_repeat_interleave(in[n], s.inner ? 2 : 1, 3) : in[n];
            heed_tensor *w = NULL;
            heed_tensor *y = heed_dot_product_attention(all[Q], all[K], all[V], &o, weights ? &w : NULL);
            outcome repeated = differentiate(&s, in, y, false), shared = run(&s, in, weights, false);
            expect_near(&s, &shared, &repeated, 0, "shared and repeated heads");
        }
        heed_scope_end(scope);
    }
}
END_TEST

static heed_tensor *bias_of_mask(heed_dtype dtype, heed_tensor *mask)
{
    return heed_where(mask, heed_zeros(dtype, HEED_SCALAR), heed_full(dtype, HEED_SCALAR, -(double)INFINITY));
}

START_TEST(a_mask_is_a_bias_of_infinities)
{
    heed_scope *scope = heed_scope_begin();
    for (int i = 0; i < 4; i++) {
        const setting s = {SIZES, .dtype = i & 1 ? HEED_F32 : HEED_F64, .mask = true, .pairs = HEED_SHAPE(150, 260)};
        heed_tensor *in[INPUTS];
        draw(&s, in);
        heed_attention_options o = options_of(&s, in);
        outcome masked = run_with(&s, in, &o, i & 2, false);
        o.bias = bias_of_mask(s.dtype, o.mask);
        o.mask = NULL;
        outcome biased = run_with(&s, in, &o, i & 2, false);
        expect_near(&s, &masked, &biased, 0, "mask and bias");
    }
    heed_scope_end(scope);
}
END_TEST

/* The last rows of a full pass equal a chunk of queries with a cache of the keys before it. */
START_TEST(a_chunk_with_a_cache)
{
    heed_scope *scope = heed_scope_begin();
    for (int window = 0; window < 60; window += 50) {
        const setting s = {.dtype = HEED_F64,
                           .heads = 2,
                           .kv_heads = 1,
                           .queries = 260,
                           .keys = 260,
                           .d = 5,
                           .e = 7,
                           .causal = true,
                           .window = window,
                           .slopes = true,
                           .relative = true};
        heed_tensor *in[INPUTS];
        draw(&s, in);
        const heed_attention_options of_all = options_of(&s, in);
        heed_tensor *whole = heed_dot_product_attention(in[Q], in[K], in[V], &of_all, NULL);
        for (int64_t first = 0; first < 260; first += 37) {
            heed_attention_options o = of_all;
            o.query_offset = first;
            const int64_t end = first + 37 < 260 ? first + 37 : 260;
            heed_tensor *chunk =
                heed_dot_product_attention(heed_slice(in[Q], 2, first, end, 1), heed_slice(in[K], 2, 0, end, 1),
                                           heed_slice(in[V], 2, 0, end, 1), &o, NULL);
            ck_assert_double_le(difference(chunk, heed_slice(whole, 2, first, end, 1)), 1e-13);
        }
    }
    heed_scope_end(scope);
}
END_TEST

START_TEST(any_number_of_threads)
{
    heed_scope *scope = heed_scope_begin();
    const setting s = {SIZES,          .dtype = HEED_F32, .mask = true,  .bias = true,
                       .slopes = true, .relative = true,  .window = 200, .pairs = HEED_SHAPE(2, 150, 260)};
    heed_tensor *in[INPUTS];
    draw(&s, in);
    const int before = heed_num_threads();
    heed_set_num_threads(1);
    outcome one = run(&s, in, false, false);
    heed_set_num_threads(3);
    outcome three = run(&s, in, false, false);
    heed_set_num_threads(before);
    expect_near(&s, &one, &three, 0, "1 and 3 threads");
    heed_scope_end(scope);
}
END_TEST

/* -- Hidden keys --------------------------------------------------------------------------------------------------- */

static const int64_t hidden_keys[] = {0, 3, 113, 200, 259};
enum { HIDDEN = sizeof hidden_keys / sizeof hidden_keys[0] };

static heed_tensor *mask_of_hidden(int64_t keys)
{
    heed_tensor *mask = heed_ones(HEED_BOOL, HEED_SHAPE(keys));
    for (int n = 0; n < HIDDEN; n++)
        if (hidden_keys[n] < keys)
            heed_mutable_bool(mask)[hidden_keys[n]] = false;
    return mask;
}

/* Keys, values and biases that a mask or a bias hides may have any numbers; so may rows of queries that see no key. */
static void spoil(const setting *s, heed_tensor *const in[INPUTS], double value)
{
    heed_scope *scope = heed_no_grad_begin();
    for (int n = 0; n < HIDDEN; n++)
        for (int i = K; i <= V && hidden_keys[n] < s->keys; i++)
            heed_fill_(heed_select(in[i], 2, hidden_keys[n]), value);
    heed_fill_(heed_select(in[Q], 2, 5), value);
    heed_scope_end(scope);
}

static void check_hidden(const setting *s, bool by_bias, bool weights, bool graph)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *in[INPUTS], *bad[INPUTS];
    draw(s, in);
    draw(s, bad);
    spoil(s, in, 0);
    spoil(s, bad, weights ? (double)NAN : (double)INFINITY);
    heed_tensor *rows = heed_ones(HEED_BOOL, HEED_SHAPE(s->queries, 1));
    heed_mutable_bool(rows)[5] = false;
    heed_tensor *mask = heed_logical_and(rows, mask_of_hidden(s->keys));
    const heed_attention_options o = {.mask = by_bias ? NULL : mask,
                                      .bias = by_bias ? bias_of_mask(s->dtype, mask) : NULL,
                                      .window = s->window,
                                      .causal = s->causal,
                                      .dropout = s->dropout};
    outcome clean = run_with(s, in, &o, weights, graph), got = run_with(s, bad, &o, weights, graph);
    expect_near(s, &got, &clean, 0, "what is hidden");
    for (int i = K; i <= V; i++)
        ck_assert(heed_item(heed_max(heed_abs(heed_select(got.dx[i], 2, hidden_keys[1])))) == 0);
    ck_assert(heed_item(heed_max(heed_abs(heed_select(got.dx[Q], 2, 5)))) == 0);
    heed_scope_end(scope);
}

START_TEST(hidden)
{
    for (int i = 0; i < 32; i++) {
        setting s = {SIZES, .dtype = i & 1 ? HEED_F32 : HEED_F64, .window = i & 16 ? 30 : 0, .causal = i & 16};
        s.queries = i & 4 ? 10 : s.queries;
        s.keys = i & 4 ? 6 : s.keys;
        check_hidden(&s, i & 2, i & 8, false);
        if (i < 4)
            check_hidden(&s, i & 2, false, true);
    }
}
END_TEST

HEED_TEST_MAIN("attention_visibility", masks, biases, windows_and_slopes, relative_biases, by_query,
               shared_heads_are_repeated_ones, a_mask_is_a_bias_of_infinities, a_chunk_with_a_cache,
               any_number_of_threads, hidden)
