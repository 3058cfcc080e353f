/* tests/promises/memory/test_oom_every_generation.c - caches, prediction with them, drawing and beam search without
 * memory, called directly.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "oom_inputs.h"

/* A failure leaves the cache unchanged. */
static bool kept(const heed_kv_cache *cache, int64_t before, bool ok)
{
    ck_assert(ok || heed_kv_cache_length(cache) == before);
    return ok;
}

static bool attention(double *value)
{
    heed_manual_seed(5);
    heed_kv_cache *cache = heed_kv_cache_new(&(heed_kv_cache_options){.capacity = 3});
    heed_nn_multi_head_attention *net = cache ? heed_nn_multi_head_attention_new(4, 2, NULL) : NULL;
    heed_tensor *x = oom.two, *weights = NULL, *rows = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 0, 1);
    bool ok = net && rows;
    for (int i = 0; ok && i < 2; i++) /* the second time it must grow */
        ok = kept(cache, 3 * (int64_t)i,
                  oom_take(heed_nn_multi_head_attention_forward_with(
                               net, x, x, x, &(heed_nn_attention_call){.cache = cache, .weights = &weights}),
                           value) &&
                      oom_take(weights, value));
    ok = ok && heed_kv_cache_select(cache, rows) == HEED_OK && heed_kv_cache_clear(cache) == HEED_OK;
    heed_kv_cache_free(cache);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

/* The positions of both kinds of decoder, and the mask of their attention, for texts with padding at the start. */
static bool padded(double *value)
{
    heed_manual_seed(5);
    heed_kv_cache *caches[] = {heed_kv_cache_new(NULL), heed_kv_cache_new(NULL)};
    heed_nn_decoder *model = caches[0] && caches[1] ? heed_nn_decoder_new(4, 4, 2, 3, 1, NULL) : NULL;
    heed_nn_transformer_decoder *net = model ? heed_nn_transformer_decoder_new(4, 4, 2, 3, 1, NULL) : NULL;
    heed_tensor *tokens = net ? HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 0, 1, 2, 3, 2, 1) : NULL;
    heed_tensor *padding = tokens ? HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0) : NULL;
    bool ok =
        padding && heed_kv_cache_pad(caches[0], padding) == HEED_OK &&
        heed_kv_cache_pad(caches[1], padding) == HEED_OK &&
        heed_kv_cache_select(caches[0], HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 0)) == HEED_OK &&
        oom_take(heed_nn_decoder_forward_with(model, tokens, &(heed_nn_attention_call){.cache = caches[0]}), value) &&
        oom_take(heed_nn_transformer_decoder_forward_with(net, tokens, oom.two,
                                                          &(heed_nn_attention_call){.cache = caches[1]}),
                 value);
    for (int i = 0; i < 2; i++)
        heed_kv_cache_free(caches[i]);
    (void)heed_module_free(model ? &model->base : NULL);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

/* Masked positions are excluded from the gradients of the maps. */
static bool masked(double *value)
{
    heed_manual_seed(5);
    const heed_nn_multi_head_attention_options options = {.rope = true, .alibi = true, .kv_heads = 1, .window = 2};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, &options);
    heed_tensor *x = net ? heed_clone(oom.two) : NULL, *weights = NULL;
    heed_tensor *mask = x ? HEED_TENSOR(HEED_BOOL, HEED_SHAPE(1, 3), 1, 0, 1) : NULL;
    heed_tensor *bias = mask ? heed_zeros(HEED_F32, HEED_SHAPE(3, 3)) : NULL;
    heed_nn_attention_call call = {.valid_lens = oom.lengths, .mask = mask, .bias = bias, .weights = &weights};
    heed_tensor *y = bias ? heed_nn_multi_head_attention_forward_with(net, x, oom.two, oom.two, &call) : NULL;
    bool ok = oom_take(y, value) && oom_take(weights, value);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static bool masked_attentions(double *value)
{
    heed_manual_seed(5);
    heed_nn_additive_attention *additive = heed_nn_additive_attention_new(4, 4, 3, NULL);
    heed_nn_dot_product_attention *dot = additive ? heed_nn_dot_product_attention_new(NULL) : NULL;
    heed_tensor *x = oom.two, *weights = NULL;
    heed_tensor *mask = dot ? HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1) : NULL;
    heed_tensor *bias = mask ? heed_zeros(HEED_F32, HEED_SHAPE(3, 3)) : NULL;
    heed_nn_attention_call call = {.valid_lens = oom.lengths, .mask = mask, .bias = bias, .weights = &weights};
    bool ok = bias && oom_take(heed_nn_additive_attention_forward_with(additive, x, x, x, &call), value) &&
              oom_take(weights, value) &&
              oom_take(heed_nn_dot_product_attention_forward_with(dot, x, x, x, &call), value) &&
              oom_take(weights, value);
    (void)heed_module_free(additive ? &additive->base : NULL);
    (void)heed_module_free(dot ? &dot->base : NULL);
    return ok;
}

static bool masked_blocks(double *value)
{
    heed_manual_seed(5);
    heed_nn_transformer_encoder_block *encoder = heed_nn_transformer_encoder_block_new(4, 2, 3, NULL);
    heed_nn_transformer_decoder_block *decoder = encoder ? heed_nn_transformer_decoder_block_new(4, 2, 3, NULL) : NULL;
    heed_tensor *x = oom.two, *own = NULL, *weights = NULL;
    heed_tensor *mask = decoder ? HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1) : NULL;
    heed_tensor *bias = mask ? heed_zeros(HEED_F32, HEED_SHAPE(3, 3)) : NULL;
    const heed_nn_attention_call encoding = {.valid_lens = oom.lengths, .mask = mask, .bias = bias};
    const heed_nn_attention_call decoding = {.mask = mask,
                                             .bias = bias,
                                             .weights = &own,
                                             .memory_lens = oom.lengths,
                                             .memory_mask = mask,
                                             .memory_bias = bias,
                                             .memory_weights = &weights};
    x = bias ? heed_nn_transformer_encoder_block_forward_with(encoder, x, &encoding) : NULL;
    bool ok = x && oom_take(heed_nn_transformer_decoder_block_forward_with(decoder, x, x, &decoding), value) &&
              oom_take(own, value) && oom_take(weights, value);
    (void)heed_module_free(encoder ? &encoder->base : NULL);
    (void)heed_module_free(decoder ? &decoder->base : NULL);
    return ok;
}

static bool encoder_block(double *value)
{
    heed_manual_seed(5);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_nn_transformer_encoder_block *net = cache ? heed_nn_transformer_encoder_block_new(4, 2, 3, NULL) : NULL;
    const heed_nn_attention_call call = {.cache = cache};
    bool ok = net && oom_take(heed_nn_transformer_encoder_block_forward_with(net, oom.two, &call), value);
    heed_kv_cache_free(cache);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static bool decoder_block(double *value)
{
    heed_manual_seed(5);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_nn_transformer_decoder_block *net = cache ? heed_nn_transformer_decoder_block_new(4, 2, 3, NULL) : NULL;
    const heed_nn_attention_call call = {.cache = cache, .memory_lens = oom.lengths};
    bool ok = net && oom_take(heed_nn_transformer_decoder_block_forward_with(net, oom.two, oom.two, &call), value);
    heed_kv_cache_free(cache);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static bool predict(heed_nn_transformer_decoder *net, heed_kv_cache *cache, double *value)
{
    heed_tensor *own = NULL, *weights = NULL, *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 3);
    const heed_nn_attention_call begin = {
        .cache = cache, .weights = &own, .memory_lens = oom.lengths, .memory_weights = &weights};
    const heed_nn_attention_call next = {.cache = cache};
    bool ok = tokens &&
              kept(cache, 0, oom_take(heed_nn_transformer_decoder_forward_with(net, tokens, oom.two, &begin), value));
    return ok && oom_take(own, value) && oom_take(weights, value) &&
           kept(cache, 2, oom_take(heed_nn_transformer_decoder_forward_with(net, tokens, NULL, &next), value));
}

static bool decoder(double *value)
{
    heed_manual_seed(5);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_nn_transformer_decoder *net = cache ? heed_nn_transformer_decoder_new(4, 4, 2, 3, 1, NULL) : NULL;
    bool ok = net && predict(net, cache, value);
    heed_kv_cache_free(cache);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

static bool predict_context(heed_nn_decoder_context *context, double *value)
{
    heed_tensor *weights = NULL, *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 3);
    const heed_nn_attention_call call = {.cache = context->cache, .weights = &weights};
    return tokens &&
           kept(context->cache, 0, oom_take(heed_nn_decoder_forward_with(context->net, tokens, &call), value)) &&
           oom_take(weights, value) &&
           kept(context->cache, 2, oom_take(heed_nn_decoder_step(tokens, NULL, context), value));
}

static bool model(double *value)
{
    heed_manual_seed(5);
    const heed_nn_decoder_options options = {.rope = true, .rms_norm = true, .gated = true, .no_bias = true};
    heed_nn_decoder_context context = {.cache = heed_kv_cache_new(NULL)};
    context.net = context.cache ? heed_nn_decoder_new(4, 4, 2, 3, 1, &options) : NULL;
    bool ok = context.net && predict_context(&context, value);
    heed_kv_cache_free(context.cache);
    (void)heed_module_free(context.net ? &context.net->base : NULL);
    return ok;
}

static bool masked_model(double *value)
{
    heed_manual_seed(5);
    heed_nn_decoder *net = heed_nn_decoder_new(4, 4, 2, 3, 1, &(heed_nn_decoder_options){.alibi = true});
    heed_tensor *weights = NULL, *tokens = net ? HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 3) : NULL;
    heed_tensor *mask = tokens ? HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 0) : NULL;
    heed_tensor *bias = mask ? heed_zeros(HEED_F32, HEED_SHAPE(2, 2)) : NULL;
    const heed_nn_attention_call call = {.mask = mask, .bias = bias, .weights = &weights};
    bool ok = bias && oom_take(heed_nn_decoder_forward_with(net, tokens, &call), value) && oom_take(weights, value);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

#define HUB HEED_SOURCE_DIR "/tests/parity/data/hub/"

/* With a prompt that a loaded model answers; all of the parameters, or none, are written. */
static bool loaded(double *value)
{
    heed_manual_seed(5);
    const heed_nn_decoder_options options = {
        .rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 2, .rope_base = 500000};
    heed_dict *from = heed_io_safetensors_read(HUB "llama/model.safetensors.index.json", NULL);
    heed_nn_decoder *net = from ? heed_nn_decoder_new(11, 16, 4, 12, 2, &options) : NULL;
    heed_tensor *tokens = net ? HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 3, 1) : NULL;
    bool ok = tokens && heed_nn_decoder_load(net, from) == HEED_OK &&
              oom_take(heed_nn_decoder_forward(net, tokens, NULL), value);
    (void)heed_module_free(net ? &net->base : NULL);
    heed_dict_free(from);
    return ok;
}

/* A model from a GGUF file, with scaled RoPE. */
static bool from_gguf(double *value)
{
    heed_dict *from = heed_io_gguf_read(HEED_SOURCE_DIR "/tests/reference/gguf_models/llama.gguf", NULL);
    heed_nn_decoder *net = from ? heed_nn_decoder_from_gguf(from, 0) : NULL;
    heed_tensor *tokens = net ? HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 3, 1) : NULL;
    const bool ok = tokens && oom_take(heed_nn_decoder_forward(net, tokens, NULL), value);
    (void)heed_module_free(net ? &net->base : NULL);
    heed_dict_free(from);
    return ok;
}

/* A whole Transformer, too large for the sweeps over the cases of tests/nn. */
static bool transformer(double *value)
{
    heed_manual_seed(5);
    heed_nn_transformer *net = heed_nn_transformer_new(3, 3, 4, 2, 3, 1, NULL);
    heed_tensor *weights[3] = {NULL}, *src = net ? HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 2) : NULL;
    bool ok =
        src &&
        oom_take(heed_nn_transformer_forward(net, src, src, NULL, NULL, &weights[0], &weights[1], &weights[2]), value);
    for (int i = 0; ok && i < 3; i++)
        ok = oom_take(weights[i], value);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

/* Its halves as well. */
static bool masked_transformer(double *value)
{
    heed_manual_seed(5);
    heed_nn_transformer *net = heed_nn_transformer_new(0, 0, 4, 2, 3, 1, NULL);
    heed_tensor *x = oom.two, *memory = NULL, *weights = NULL;
    heed_tensor *mask = net ? HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1) : NULL;
    const heed_nn_attention_call whole = {.mask = mask, .memory_weights = &weights, .encoder_mask = mask};
    const heed_nn_attention_call encoding = {.mask = mask, .weights = &weights}, decoding = {.mask = mask};
    bool ok = mask && oom_take(heed_nn_transformer_forward_with(net, x, x, &whole), value) && oom_take(weights, value);
    memory = ok ? heed_nn_transformer_encoder_forward_with(net->encoder, x, &encoding) : NULL;
    ok = memory && oom_take(weights, value) &&
         oom_take(heed_nn_transformer_decoder_forward_with(net->decoder, x, memory, &decoding), value);
    (void)heed_module_free(net ? &net->base : NULL);
    return ok;
}

/* The logits of a sequence depend on its last token alone. */
static heed_tensor *step(heed_tensor *last, heed_tensor *rows, void *user)
{
    (void)rows;
    (void)user;
    heed_tensor *x = heed_to_dtype(heed_slice(last, 1, -1, HEED_END, 1), HEED_F64);
    return x ? heed_mul(x, heed_arange(HEED_F64, -1.0, 3.0, 1.0)) : NULL;
}

static bool drawing(double *value)
{
    heed_generator *g = heed_generator_new(1);
    heed_sample_options options = {.temperature = 0.5, .top_k = 3, .top_p = 0.9, .generator = g, .min_p = 0.1};
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 3);
    bool ok = g && tokens && oom_take(heed_sample(oom.plain, &options), value);
    options.repetition_penalty = 2.0;
    options.history = tokens;
    ok = ok && oom_take(heed_generate(step, NULL, tokens, 3, 3, &options), value);
    heed_generator_free(g);
    return ok;
}

static bool searching(double *value)
{
    heed_tensor *scores = NULL, *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 0, 1, 2, 3);
    const heed_beam_search_options options = {.repetition_penalty = 2.0, .history = tokens};
    return tokens && oom_take(heed_beam_search(step, NULL, tokens, 3, 3, &options, &scores), value) &&
           oom_take(scores, value);
}

OOM_MAIN("oom_every_generation", OOM(attention), OOM(padded), OOM(masked), OOM(masked_attentions), OOM(masked_blocks),
         OOM(encoder_block), OOM(decoder_block), OOM(decoder), OOM(model), OOM(masked_model), OOM(loaded),
         OOM(from_gguf), OOM(transformer), OOM(masked_transformer), OOM(drawing), OOM(searching))
