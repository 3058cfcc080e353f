/* tests/ops/test_additive_attention.c - additive attention, which does not materialize the features, against the ops
 * of the book, which do: values, weights and gradients; memory; and the same bits for any number of threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"

enum { INPUTS = 6, RESULTS = INPUTS + 2 };

typedef struct sizes {
    int64_t B, Q, K, dq, dk, e, h;
} sizes;

enum { ALL_KEYS, LENGTHS, LENGTHS_BY_ROW, MASKS };

typedef struct setting {
    sizes size;
    int mask;
    bool causal;
    double dropout;
    bool row; /* w_v is (1, h) */
} setting;

/* q, k, v, W_q, W_k, w_v: the same numbers, representable in f32, in both dtypes. */
static void draw(const setting *s, heed_dtype dtype, heed_tensor *in[INPUTS])
{
    const sizes *n = &s->size;
    const heed_shape shapes[INPUTS] = {HEED_SHAPE(n->B, n->Q, n->dq), HEED_SHAPE(n->B, n->K, n->dk),
                                       HEED_SHAPE(n->B, n->K, n->e),  HEED_SHAPE(n->h, n->dq),
                                       HEED_SHAPE(n->h, n->dk),       s->row ? HEED_SHAPE(1, n->h) : HEED_SHAPE(n->h)};
    heed_manual_seed(3);
    for (int i = 0; i < INPUTS; i++)
        in[i] = heed_set_requires_grad(heed_to_dtype(heed_randn(HEED_F32, shapes[i]), dtype), true);
}

static heed_tensor *lens_of(const setting *s)
{
    if (s->mask == ALL_KEYS)
        return NULL;
    int64_t rows = s->mask == LENGTHS_BY_ROW ? s->size.Q : 1;
    heed_tensor *lens = heed_empty(HEED_I64, HEED_SHAPE(s->size.B, rows));
    int64_t *out = heed_mutable_i64(lens);
    for (int64_t i = 0; i < s->size.B * rows; i++)
        out[i] = (13 * i + 5) % (s->size.K + 1);
    return s->mask == LENGTHS_BY_ROW ? lens : heed_reshape(lens, HEED_SHAPE(s->size.B));
}

/* (B, Q): with causal a length per row. */
static heed_tensor *lens_of_rows(const setting *s, heed_tensor *lens)
{
    if (!s->causal)
        return lens;
    heed_tensor *each = heed_empty(HEED_I64, HEED_SHAPE(s->size.B, s->size.Q));
    int64_t *out = heed_mutable_i64(each), keys = s->size.K;
    for (int64_t b = 0; b < s->size.B; b++)
        for (int64_t i = 0; i < s->size.Q; i++) {
            int64_t valid = !lens                  ? keys
                            : heed_rank(lens) == 1 ? heed_data_i64(lens)[b]
                                                   : heed_data_i64(lens)[b * s->size.Q + i];
            out[b * s->size.Q + i] = valid < i + 1 ? valid : i + 1;
        }
    return each;
}

/* -- The two ------------------------------------------------------------------------------------------------------- */

typedef heed_tensor *attention_fn(const setting *s, heed_tensor *const *in, heed_tensor **weights);

static heed_tensor *attend(const setting *s, heed_tensor *const *in, heed_tensor **weights)
{
    heed_generator *g = heed_generator_new(4);
    heed_attention_options options = {
        .valid_lens = lens_of(s), .causal = s->causal, .dropout = s->dropout, .generator = g};
    heed_tensor *y = heed_additive_attention(in[0], in[1], in[2], in[3], in[4], in[5], &options, weights);
    heed_generator_free(g);
    return y;
}

static heed_tensor *attend_by_features(const setting *s, heed_tensor *const *in, heed_tensor **weights)
{
    heed_tensor *of_q = heed_unsqueeze(heed_linear(in[0], in[3], NULL), 2);
    heed_tensor *of_k = heed_unsqueeze(heed_linear(in[1], in[4], NULL), 1);
    heed_tensor *w_v = heed_reshape(in[5], HEED_SHAPE(1, s->size.h));
    heed_tensor *scores = heed_squeeze(heed_linear(heed_tanh(heed_add(of_q, of_k)), w_v, NULL), -1);
    *weights = heed_masked_softmax(scores, lens_of_rows(s, lens_of(s)));
    heed_generator *g = heed_generator_new(4);
    heed_tensor *y = heed_bmm(FROM(g, heed_dropout(*weights, s->dropout, true)), in[2]);
    heed_generator_free(g);
    return y;
}

/* The result, the weights, and the gradients of all inputs. */
static void run(const setting *s, attention_fn *attention, heed_dtype dtype, heed_tensor *results[RESULTS])
{
    heed_tensor *in[INPUTS];
    draw(s, dtype, in);
    results[0] = attention(s, in, &results[1]);
    ck_assert_msg(results[0] != NULL, "%s", heed_error_message());
    heed_tensor *ones = heed_sin(heed_arange(dtype, 1, (double)heed_numel(results[0]) + 1, 1));
    heed_tensor *g = heed_reshape(ones, heed_shape_of(results[0]));
    heed_grad_options options = {.grad_outputs = &g};
    ck_assert_msg(heed_grad(&results[0], 1, in, INPUTS, &results[2], &options) == HEED_OK, "%s", heed_error_message());
}

static double largest(heed_tensor *t)
{
    return heed_numel(t) == 0 ? 0 : heed_item(heed_to_dtype(heed_max(heed_abs(t)), HEED_F64));
}

/* Differences relative to the largest element. */
static void compare(const setting *s, heed_dtype dtype, double tolerance)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *got[RESULTS], *expected[RESULTS];
    run(s, attend, dtype, got);
    run(s, attend_by_features, HEED_F64, expected);
    for (int i = 0; i < RESULTS; i++) {
        ck_assert(heed_shape_equal(heed_shape_of(got[i]), heed_shape_of(expected[i])));
        double scale = 1 + largest(expected[i]);
        double off = largest(heed_sub(heed_to_dtype(got[i], HEED_F64), expected[i])) / scale;
        ck_assert_msg(off <= tolerance, "%s, (%d, %d, %d), h %d, mask %d, causal %d: result %d is off by %g",
                      heed_dtype_name(dtype), (int)s->size.B, (int)s->size.Q, (int)s->size.K, (int)s->size.h, s->mask,
                      s->causal, i, off);
    }
    heed_scope_end(scope);
}

static void compare_masks(setting s)
{
    for (s.mask = 0; s.mask < MASKS; s.mask++)
        for (int causal = 0; causal < 2; causal++) {
            s.causal = causal;
            compare(&s, HEED_F64, 1e-12);
            compare(&s, HEED_F32, 2e-5);
        }
}

START_TEST(odd_sizes)
{
    static const sizes all[] = {{1, 1, 1, 1, 1, 1, 1},    {2, 1, 10, 20, 2, 4, 8},   {2, 7, 17, 3, 5, 1, 13},
                                {1, 17, 7, 4, 1, 3, 31},  {3, 13, 23, 2, 7, 5, 37},  {1, 33, 65, 3, 2, 1, 5},
                                {2, 67, 11, 1, 3, 2, 19}, {1, 131, 129, 2, 3, 1, 3}, {5, 2, 3, 4, 4, 2, 40}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        compare_masks((setting){.size = all[i], .row = i % 2});
}
END_TEST

START_TEST(any_number_of_hidden_units)
{
    for (int64_t h = 1; h <= 40; h++)
        for (int mask = 0; mask < MASKS; mask++)
            compare(&(setting){.size = {2, 3, 7, 2, 3, 2, h}, .mask = mask}, HEED_F32, 2e-5);
}
END_TEST

START_TEST(with_dropout)
{
    compare_masks((setting){.size = {2, 7, 17, 3, 5, 2, 13}, .dropout = 0.4});
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

START_TEST(no_features)
{
    setting s = {.size = {4, 96, 96, 16, 16, 16, 64}, .mask = LENGTHS};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *results[RESULTS];
    int64_t features = 4 * 96 * 96 * 64 * (int64_t)sizeof(float), before = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    run(&s, attend, HEED_F32, results);
    int64_t most = heed_memory_get_stats().peak_bytes - before;
    ck_assert_msg(most < features / 4, "%lld bytes, features are %lld", (long long)most, (long long)features);
    heed_scope_end(scope);
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* With few hidden units and batch elements, gradients are also split by rows. */
START_TEST(any_number_of_threads)
{
    static const setting settings[] = {{.size = {1, 401, 150, 3, 3, 2, 24}, .mask = ALL_KEYS},
                                       {.size = {1, 307, 151, 3, 3, 2, 70}, .causal = true},
                                       {.size = {5, 67, 131, 3, 3, 2, 40}, .mask = LENGTHS_BY_ROW}};
    static const int threads[] = {2, 3, 7};
    int before = heed_num_threads();
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        heed_tensor *one[RESULTS], *many[RESULTS];
        heed_set_num_threads(1);
        run(&settings[i], attend, HEED_F32, one);
        compare(&settings[i], HEED_F32, 2e-5);
        for (int t = 0; t < 3; t++) {
            heed_set_num_threads(threads[t]);
            run(&settings[i], attend, HEED_F32, many);
            for (int r = 0; r < RESULTS; r++)
                ck_assert_msg(memcmp(heed_data_f32(heed_contiguous(one[r])), heed_data_f32(heed_contiguous(many[r])),
                                     (size_t)heed_numel(one[r]) * sizeof(float)) == 0,
                              "setting %d, %d threads: result %d differs", (int)i, threads[t], r);
        }
    }
    heed_set_num_threads(before);
}
END_TEST

HEED_TEST_MAIN("additive attention", odd_sizes, any_number_of_hidden_units, with_dropout, no_features,
               any_number_of_threads)
