/* tests/nn/test_kv_padding.c - tests that texts of unequal lengths, continued together with a cache, give the same
 * numbers as every text alone.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

enum { TEXTS = 3, T = 6, VOCAB = 11, H = 8, S = 4, MORE = 5 };

static const int64_t padding_of[TEXTS] = {4, 0, 1};

static heed_tensor *padding(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(TEXTS), 4, 0, 1);
}

/* The tokens in the padding must not matter. */
static heed_tensor *prompts(int64_t pad)
{
    heed_manual_seed(9);
    heed_tensor *tokens = heed_randint(0, VOCAB, HEED_SHAPE(TEXTS, T));
    for (int64_t i = 0; i < TEXTS; i++)
        for (int64_t t = 0; t < padding_of[i]; t++)
            heed_set_(tokens, HEED_INDEX(i, t), (double)pad);
    return tokens;
}

/* Returns text i of x (TEXTS, T, ...) from its first step on, or from a later one: (1, steps, ...). */
static heed_tensor *single(heed_tensor *x, int64_t i, int64_t from)
{
    from = from > padding_of[i] ? from : padding_of[i];
    return heed_slice(heed_slice(x, 0, i, i + 1, 1), 1, from, HEED_END, 1);
}

static void check_near(heed_tensor *a, heed_tensor *b, double tolerance, const char *name)
{
    ck_assert_msg(a && b, "%s: %s", name, heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    const double most = heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
    ck_assert_msg(most <= tolerance, "%s: %g", name, most);
}

/* Compares tokens. */
static void check_same(heed_tensor *a, heed_tensor *b)
{
    check_near(heed_to_dtype(a, HEED_F64), heed_to_dtype(b, HEED_F64), 0.0, "tokens");
}

static const struct {
    const char *name;
    heed_nn_decoder_options options;
} models[] = {
    {"learned positions", {.max_len = T + MORE}},
    {"RoPE", {.rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 1}},
    {"window", {.rope = true, .window = 3}},
    {"ALiBi", {.alibi = true}},
    {"ALiBi, RoPE and a window", {.alibi = true, .rope = true, .window = 3, .kv_heads = 1}},
};

enum { MODELS = sizeof models / sizeof models[0] };

/* Makes the weights as large as a trained model's, so that a wrong position is noticed. */
static heed_status enlarge(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) == 2 ? heed_nn_init_normal_(visit->tensor, 0.0, 0.5) : HEED_OK;
}

static heed_nn_decoder *make(int i, heed_dtype dtype)
{
    heed_nn_decoder_options o = models[i].options;
    o.dtype = dtype;
    heed_manual_seed(2);
    heed_nn_decoder *net = heed_nn_decoder_new(VOCAB, H, 2, 12, 2, &o);
    ck_assert_msg(net && heed_module_walk(&net->base, enlarge, NULL) == HEED_OK, "%s", heed_error_message());
    heed_module_eval(&net->base);
    return net;
}

/* In chunks of four steps, where one text has not begun yet, and of two; also the rows and columns of the weights. */
START_TEST(logits_equal_single_texts)
{
    for (int i = 0; i < 2 * MODELS; i++) {
        const heed_dtype dtype = i % 2 ? HEED_F64 : HEED_F32;
        const char *name = models[i / 2].name;
        heed_nn_decoder *net = make(i / 2, dtype);
        heed_kv_cache *cache = heed_kv_cache_new(NULL);
        heed_tensor *tokens = prompts(7), *weights, *own;
        ck_assert_int_eq(heed_kv_cache_pad(cache, padding()), HEED_OK);
        heed_tensor *first = heed_nn_decoder_forward_with(net, heed_slice(tokens, 1, 0, 4, 1),
                                                          &(heed_nn_attention_call){.cache = cache});
        heed_tensor *last = heed_nn_decoder_forward_with(
            net, heed_slice(tokens, 1, 4, T, 1), &(heed_nn_attention_call){.cache = cache, .weights = &weights});
        heed_tensor *all = heed_concat(HEED_TENSORS(first, last), 1);
        for (int64_t text = 0; text < TEXTS; text++) {
            const int64_t from = padding_of[text];
            heed_tensor *expected = heed_nn_decoder_forward(net, single(tokens, text, 0), &own);
            check_near(single(all, text, 0), expected, dtype == HEED_F32 ? 2e-6 : 1e-13, name);
            heed_tensor *rows = heed_slice(weights, 1, text, text + 1, 1);
            check_near(heed_slice(rows, 4, from, HEED_END, 1), heed_slice(heed_detach(own), 3, -2, HEED_END, 1), 1e-6,
                       name);
            ck_assert(from == 0 || heed_item(heed_max(heed_slice(rows, 4, 0, from, 1))) == 0.0);
        }
        heed_kv_cache_free(cache);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(texts_equal_single_texts)
{
    for (int i = 0; i < MODELS; i++) {
        heed_nn_decoder *net = make(i, HEED_F32);
        heed_nn_decoder_context context = {net, heed_kv_cache_new(&(heed_kv_cache_options){.capacity = 2})};
        heed_tensor *tokens = prompts(0);
        heed_kv_cache_pad(context.cache, padding());
        heed_tensor *together = heed_generate(heed_nn_decoder_step, &context, tokens, MORE, -1, NULL);
        for (int64_t t = 0; t < TEXTS; t++) {
            heed_kv_cache_clear(context.cache); /* also clears the padding */
            heed_tensor *expected = heed_generate(heed_nn_decoder_step, &context, single(tokens, t, 0), MORE, -1, NULL);
            check_same(heed_slice(together, 0, t, t + 1, 1), expected);
        }
        heed_kv_cache_free(context.cache);
        heed_module_free(&net->base);
    }
}
END_TEST

/* Beam search has more cache rows than prompts; the rows carry their padding along. */
START_TEST(beams_equal_single_texts)
{
    heed_nn_decoder *net = make(0, HEED_F64);
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *tokens = prompts(5), *scores, *own;
    heed_kv_cache_pad(context.cache, padding());
    heed_tensor *best = heed_beam_search(heed_nn_decoder_step, &context, tokens, MORE, -1, NULL, &scores);
    for (int64_t t = 0; t < TEXTS; t++) {
        heed_kv_cache_clear(context.cache);
        heed_tensor *expected =
            heed_beam_search(heed_nn_decoder_step, &context, single(tokens, t, 0), MORE, -1, NULL, &own);
        check_same(heed_slice(best, 0, t, t + 1, 1), expected);
        check_near(heed_slice(scores, 0, t, t + 1, 1), own, 1e-12, "scores");
    }
    heed_kv_cache_free(context.cache);
    heed_module_free(&net->base);
}
END_TEST

/* Tests the whole Transformer with a source. The source of every text has a different length. */
START_TEST(transformers_equal_single_texts)
{
    static const heed_nn_multi_head_attention_options options = {
        .rope = true, .alibi = true, .window = 4, .kv_heads = 1};
    for (int i = 0; i < 4; i++) {
        const heed_dtype dtype = i % 2 ? HEED_F64 : HEED_F32;
        const heed_nn_transformer_options o = {
            .dtype = dtype, .no_positions = i > 1, .attention = i > 1 ? &options : NULL};
        heed_manual_seed(4);
        heed_nn_transformer *net = heed_nn_transformer_new(VOCAB, VOCAB, H, 2, 12, 2, &o);
        heed_tensor *src = heed_randint(0, VOCAB, HEED_SHAPE(TEXTS, S)), *tgt = prompts(3);
        heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(TEXTS), 2, 4, 1);
        heed_tensor *memory = heed_nn_transformer_encoder_forward(net->encoder, src, lens, NULL);
        heed_kv_cache *cache = heed_kv_cache_new(NULL);
        heed_kv_cache_pad(cache, padding());
        heed_tensor *first =
            heed_nn_transformer_decoder_forward_with(net->decoder, heed_slice(tgt, 1, 0, 5, 1), memory,
                                                     &(heed_nn_attention_call){.memory_lens = lens, .cache = cache});
        heed_tensor *last = heed_nn_transformer_decoder_forward_with(net->decoder, heed_slice(tgt, 1, 5, T, 1), NULL,
                                                                     &(heed_nn_attention_call){.cache = cache});
        heed_tensor *all = heed_concat(HEED_TENSORS(first, last), 1);
        for (int64_t t = 0; t < TEXTS; t++) {
            heed_tensor *expected =
                heed_nn_transformer_forward(net, heed_slice(src, 0, t, t + 1, 1), single(tgt, t, 0),
                                            heed_slice(lens, 0, t, t + 1, 1), NULL, NULL, NULL, NULL);
            check_near(single(all, t, 0), expected, dtype == HEED_F32 ? 2e-6 : 1e-14, "transformer");
        }
        heed_kv_cache_free(cache);
        heed_module_free(&net->base);
    }
}
END_TEST

/* A decoder block and a causal encoder block, applied to x with NaN in the padding. */
START_TEST(blocks_do_not_read_padding)
{
    heed_nn_transformer_decoder_block *net = heed_nn_transformer_decoder_block_new(H, 2, 12, NULL);
    heed_nn_transformer_encoder_block *own =
        heed_nn_transformer_encoder_block_new(H, 2, 12, &(heed_nn_transformer_options){.causal = true});
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(TEXTS, T, H), 0, 1.0),
                *memory = made(HEED_F32, HEED_SHAPE(1, S, H), 1, 1.0);
    heed_tensor *begun = heed_compare(heed_unsqueeze(heed_arange(HEED_F64, 0, T, 1), 1), HEED_COMPARE_GE,
                                      heed_reshape(heed_to_dtype(padding(), HEED_F64), HEED_SHAPE(TEXTS, 1, 1)));
    heed_tensor *nan_padded = heed_where(begun, x, heed_full(HEED_F32, HEED_SCALAR, (double)NAN));
    heed_kv_cache_pad(cache, padding());
    heed_tensor *all = heed_nn_transformer_decoder_block_forward_with(
        net, nan_padded, heed_expand(memory, HEED_SHAPE(TEXTS, S, H)), &(heed_nn_attention_call){.cache = cache});
    heed_tensor *others =
        heed_nn_transformer_encoder_block_forward_with(own, nan_padded, &(heed_nn_attention_call){.cache = cache});
    for (int64_t t = 0; t < TEXTS; t++) {
        heed_tensor *text_steps = single(x, t, 0);
        check_near(single(all, t, 0),
                   heed_nn_transformer_decoder_block_forward(net, text_steps, memory, NULL, NULL, NULL, NULL), 1e-6,
                   "decoder");
        check_near(single(others, t, 0), heed_nn_transformer_encoder_block_forward(own, text_steps, NULL, NULL), 1e-6,
                   "encoder");
    }
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
    heed_module_free(&own->base);
}
END_TEST

START_TEST(padding_errors)
{
    heed_nn_decoder *net = make(0, HEED_F32);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    ck_assert_int_eq(heed_kv_cache_pad(NULL, padding()), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "kv_cache_pad: cache is NULL");
    ck_assert_int_eq(heed_kv_cache_pad(cache, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "kv_cache_pad: padding is NULL");
    ck_assert_int_eq(heed_kv_cache_pad(cache, heed_zeros(HEED_F32, HEED_SHAPE(2))), HEED_ERR_DTYPE);
    ck_assert_error(HEED_ERR_DTYPE, "kv_cache_pad: padding is");
    ck_assert_int_eq(heed_kv_cache_pad(cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, -1)), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "kv_cache_pad: padding -1 of sequence 1: must be 0 or more");
    heed_kv_cache_pad(cache, padding());
    ck_assert_ptr_null(heed_nn_decoder_forward_with(net, heed_zeros(HEED_I64, HEED_SHAPE(1, 2)),
                                                    &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_SHAPE,
                    "nn_decoder_forward_with: tokens is (1, 2): must have 3 sequences, as the padding of the cache");
    ck_assert_int_eq(heed_kv_cache_select(cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3)), HEED_ERR_INDEX);
    ck_assert_error(HEED_ERR_INDEX, "kv_cache_select: ");
    ck_assert_ptr_nonnull(heed_nn_decoder_forward_with(net, prompts(1), &(heed_nn_attention_call){.cache = cache}));
    ck_assert_int_eq(heed_kv_cache_pad(cache, padding()), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "kv_cache_pad: the cache has 6 steps: must be empty");
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("padding in a cache", logits_equal_single_texts, texts_equal_single_texts, beams_equal_single_texts,
               transformers_equal_single_texts, blocks_do_not_read_padding, padding_errors)
