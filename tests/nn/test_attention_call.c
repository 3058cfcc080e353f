/* tests/nn/test_attention_call.c - tests which optional arguments the layers with attention accept, and masks and
 * biases together with a cache.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

typedef heed_nn_attention_call attention_call;
typedef heed_nn_transformer_options transformer_options;

enum { B = 2, T = 6, S = 4, H = 8, HEADS = 2, FFN = 5, VOCAB = 7 };

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

static heed_tensor *some_tokens(void)
{
    heed_manual_seed(4);
    return heed_randint(0, VOCAB, HEED_SHAPE(B, T));
}

/* bool (rows, columns): about a third of all elements are false, but none on the diagonal. */
static heed_tensor *some_mask(int64_t rows, int64_t columns)
{
    heed_tensor *mask = heed_full(HEED_BOOL, HEED_SHAPE(rows, columns), 1.0);
    for (int64_t i = 0; i < rows * columns; i++)
        if (i / columns != i % columns && i % 3 == 0)
            heed_set_(mask, HEED_INDEX(i / columns, i % columns), 0.0);
    return mask;
}

/* -- Unsupported fields -------------------------------------------------------------------------------------------- */

enum { ADDITIVE, DOT_PRODUCT, MULTI_HEAD, ENCODER_BLOCK, DECODER_BLOCK, ENCODER, DECODER, MODEL, WHOLE, LAYERS };

/* "c" in accepts: a cache, "m": a memory, "e": an encoder */
static const struct {
    const char *name, *accepts;
} layers[LAYERS] = {
    {"nn_additive_attention", ""},
    {"nn_dot_product_attention", ""},
    {"nn_multi_head_attention", "c"},
    {"nn_transformer_encoder_block", "c"},
    {"nn_transformer_decoder_block", "cm"},
    {"nn_transformer_encoder", ""},
    {"nn_transformer_decoder", "cm"},
    {"nn_decoder", "c"},
    {"nn_transformer", "me"},
};

static heed_module *make_layer(int layer)
{
    switch (layer) {
    case ADDITIVE:
        return (heed_module *)heed_nn_additive_attention_new(H, H, 3, NULL);
    case DOT_PRODUCT:
        return (heed_module *)heed_nn_dot_product_attention_new(NULL);
    case MULTI_HEAD:
        return (heed_module *)heed_nn_multi_head_attention_new(H, HEADS, NULL);
    case ENCODER_BLOCK:
        return (heed_module *)heed_nn_transformer_encoder_block_new(H, HEADS, FFN, NULL);
    case DECODER_BLOCK:
        return (heed_module *)heed_nn_transformer_decoder_block_new(H, HEADS, FFN, NULL);
    case ENCODER:
        return (heed_module *)heed_nn_transformer_encoder_new(0, H, HEADS, FFN, 1, NULL);
    case DECODER:
        return (heed_module *)heed_nn_transformer_decoder_new(0, H, HEADS, FFN, 1, NULL);
    case MODEL:
        return (heed_module *)heed_nn_decoder_new(VOCAB, H, HEADS, FFN, 1, NULL);
    default:
        return (heed_module *)heed_nn_transformer_new(0, 0, H, HEADS, FFN, 1, NULL);
    }
}

static heed_tensor *run_layer(int layer, void *net, heed_tensor *x, const attention_call *call)
{
    switch (layer) {
    case ADDITIVE:
        return heed_nn_additive_attention_forward_with(net, x, x, x, call);
    case DOT_PRODUCT:
        return heed_nn_dot_product_attention_forward_with(net, x, x, x, call);
    case MULTI_HEAD:
        return heed_nn_multi_head_attention_forward_with(net, x, x, x, call);
    case ENCODER_BLOCK:
        return heed_nn_transformer_encoder_block_forward_with(net, x, call);
    case DECODER_BLOCK:
        return heed_nn_transformer_decoder_block_forward_with(net, x, x, call);
    case ENCODER:
        return heed_nn_transformer_encoder_forward_with(net, x, call);
    case DECODER:
        return heed_nn_transformer_decoder_forward_with(net, x, x, call);
    case MODEL:
        return heed_nn_decoder_forward_with(net, some_tokens(), call);
    default:
        return heed_nn_transformer_forward_with(net, x, x, call);
    }
}

/* Checks that the layer accepts the call if `accepts` contains `needs`, and otherwise reports the field and sets the
 * requested weights to NULL. */
static void check_field(int layer, heed_module *net, attention_call call, char needs, const char *field)
{
    char message[200];
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(B, T, H), 0, 1.0), *weights = x;
    call.weights = &weights;
    heed_tensor *y = run_layer(layer, net, x, &call);
    if (strchr(layers[layer].accepts, needs)) {
        ck_assert_msg(y && weights != x, "%s: %s", layers[layer].name, heed_error_message());
        return;
    }
    ck_assert_msg(!y && !weights, "%s: %s", layers[layer].name, field);
    (void)snprintf(message, sizeof message, "%s_forward_with: call->%s is given: must be NULL for this layer",
                   layers[layer].name, field);
    ck_assert_error(HEED_ERR_ARGUMENT, message);
}

START_TEST(unsupported_fields)
{
    heed_tensor *lens = heed_full(HEED_I64, HEED_SHAPE(B), 3), *out;
    heed_tensor *mask = some_mask(T, T), *bias = heed_zeros(HEED_F32, HEED_SHAPE(T, T));
    for (int layer = 0; layer < LAYERS; layer++) {
        heed_module *net = make_layer(layer);
        heed_kv_cache *cache = heed_kv_cache_new(NULL);
        check_field(layer, net, (attention_call){.cache = cache}, 'c', "cache");
        check_field(layer, net, (attention_call){.memory_lens = lens}, 'm', "memory_lens");
        check_field(layer, net, (attention_call){.memory_mask = mask}, 'm', "memory_mask");
        check_field(layer, net, (attention_call){.memory_bias = bias}, 'm', "memory_bias");
        check_field(layer, net, (attention_call){.memory_weights = &out}, 'm', "memory_weights");
        check_field(layer, net, (attention_call){.encoder_mask = mask}, 'e', "encoder_mask");
        check_field(layer, net, (attention_call){.encoder_bias = bias}, 'e', "encoder_bias");
        check_field(layer, net, (attention_call){.encoder_weights = &out}, 'e', "encoder_weights");
        heed_kv_cache_free(cache);
        heed_module_free(net);
    }
}
END_TEST

/* Lengths have an effect in every layer, but only multi-head attention accepts them with a cache. */
START_TEST(lengths_in_every_layer)
{
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(B, T, H), 0, 1.0), *lens = heed_full(HEED_I64, HEED_SHAPE(B), 3);
    heed_tensor *mask = heed_compare_scalar(heed_arange(HEED_F32, 0, T, 1), HEED_COMPARE_LT, 3);
    for (int layer = 0; layer < LAYERS; layer++) {
        heed_module *net = make_layer(layer);
        heed_tensor *y = run_layer(layer, net, x, &(attention_call){.valid_lens = lens});
        ck_assert(difference(y, run_layer(layer, net, x, &(attention_call){.mask = mask})) == 0.0);
        ck_assert(difference(y, run_layer(layer, net, x, NULL)) > 1e-4);
        if (strchr(layers[layer].accepts, 'c') && layer != MULTI_HEAD) {
            heed_kv_cache *cache = heed_kv_cache_new(NULL);
            const attention_call both = {.valid_lens = lens, .cache = cache};
            ck_assert_ptr_null(run_layer(layer, net, x, &both));
            ck_assert_error(HEED_ERR_ARGUMENT, "_forward_with: call->valid_lens is given: must be NULL with a cache");
            heed_kv_cache_free(cache);
        }
        heed_module_free(net);
    }
}
END_TEST

/* -- With a cache -------------------------------------------------------------------------------------------------- */

/* Rows from .. to - 1 of a mask or bias (T, T), for all keys up to `to`. */
static heed_tensor *rows(heed_tensor *t, int64_t from, int64_t to)
{
    return heed_slice(heed_slice(t, 0, from, to, 1), 1, 0, to, 1);
}

/* Every layer gives the same numbers in chunks with a cache as at once. */
START_TEST(masks_and_biases_with_a_cache)
{
    const transformer_options causal = {.causal = true, .dtype = HEED_F64};
    heed_nn_transformer_encoder_block *block = heed_nn_transformer_encoder_block_new(H, HEADS, FFN, &causal);
    heed_nn_transformer_decoder *decoder = heed_nn_transformer_decoder_new(0, H, HEADS, FFN, 2, &causal);
    heed_nn_decoder *model =
        heed_nn_decoder_new(VOCAB, H, HEADS, FFN, 2, &(heed_nn_decoder_options){.rope = true, .dtype = HEED_F64});
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(B, T, H), 0, 1.0), *memory = made(HEED_F64, HEED_SHAPE(B, S, H), 1, 1.0);
    heed_tensor *tokens = some_tokens(), *mask = some_mask(T, T), *bias = made(HEED_F64, HEED_SHAPE(T, T), 2, 1.0);
    heed_tensor *memory_mask = some_mask(1, S), *memory_bias = made(HEED_F64, HEED_SHAPE(1, S), 3, 1.0);
    const attention_call all = {.mask = mask, .bias = bias};
    const attention_call with_memory = {
        .mask = mask, .bias = bias, .memory_mask = memory_mask, .memory_bias = memory_bias};
    heed_tensor *y[] = {heed_nn_transformer_encoder_block_forward_with(block, x, &all),
                        heed_nn_transformer_decoder_forward_with(decoder, x, memory, &with_memory),
                        heed_nn_decoder_forward_with(model, tokens, &all)};
    ck_assert(difference(y[0], heed_nn_transformer_encoder_block_forward(block, x, NULL, NULL)) > 1e-3);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    for (int64_t t = 0; t < T; t += 2) {
        heed_tensor *chunk = heed_slice(x, 1, t, t + 2, 1);
        const attention_call own = {.mask = rows(mask, t, t + 2), .bias = rows(bias, t, t + 2), .cache = cache};
        attention_call both = own;
        both.memory_mask = memory_mask;
        both.memory_bias = memory_bias;
        heed_tensor *z[] = {heed_nn_transformer_encoder_block_forward_with(block, chunk, &own),
                            heed_nn_transformer_decoder_forward_with(decoder, chunk, t == 0 ? memory : NULL, &both),
                            heed_nn_decoder_forward_with(model, heed_slice(tokens, 1, t, t + 2, 1), &own)};
        for (int i = 0; i < 3; i++)
            ck_assert(difference(heed_slice(heed_detach(y[i]), 1, t, t + 2, 1), z[i]) <= 1e-13);
    }
    heed_kv_cache_free(cache);
    heed_module_free(&block->base);
    heed_module_free(&decoder->base);
    heed_module_free(&model->base);
}
END_TEST

/* A mask hides keys in addition to the padding of the cache. */
START_TEST(masks_with_padding)
{
    const heed_nn_multi_head_attention_options o = {.causal = true, .dtype = HEED_F64};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(H, HEADS, &o);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(B, T, H), 0, 1.0), *mask = some_mask(T, T), *weights;
    heed_kv_cache_pad(cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(B), 2, 0));
    const attention_call call = {.mask = mask, .cache = cache, .weights = &weights};
    heed_tensor *y = heed_nn_multi_head_attention_forward_with(net, x, x, x, &call);
    heed_tensor *begun = heed_reshape(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(B, T), 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
                                      HEED_SHAPE(B, 1, 1, T));
    const attention_call both = {.mask = heed_logical_and(mask, begun)};
    ck_assert(difference(y, heed_nn_multi_head_attention_forward_with(net, x, x, x, &both)) <= 1e-14);
    heed_kv_cache_clear(cache);
    heed_kv_cache_pad(cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(B), 2, 0));
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(
        net, x, x, x, &(attention_call){.mask = some_mask(T, S), .cache = cache, .weights = &weights}));
    ck_assert_error(HEED_ERR_SHAPE, "mask is (6, 4): must broadcast to (2, 2, 6, 6)");
    ck_assert_ptr_null(weights);
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(
        net, x, x, x, &(attention_call){.mask = heed_zeros(HEED_F64, HEED_SHAPE(T, T)), .cache = cache}));
    ck_assert_error(HEED_ERR_DTYPE, "mask");
    ck_assert_int_eq(heed_kv_cache_length(cache), 0);
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

/* Positions continue after the cached steps. */
START_TEST(steps_after_max_len)
{
    heed_nn_transformer_decoder *net =
        heed_nn_transformer_decoder_new(VOCAB, H, HEADS, FFN, 1, &(transformer_options){.max_len = 5});
    heed_tensor *tokens = some_tokens(), *memory = made(HEED_F32, HEED_SHAPE(B, S, H), 1, 1.0);
    const attention_call call = {.cache = heed_kv_cache_new(NULL)};
    ck_assert_ptr_nonnull(heed_nn_transformer_decoder_forward_with(net, heed_slice(tokens, 1, 0, 3, 1), memory, &call));
    ck_assert_ptr_null(heed_nn_transformer_decoder_forward_with(net, heed_slice(tokens, 1, 3, T, 1), NULL, &call));
    ck_assert_error(HEED_ERR_SHAPE, "x has 3 steps, after 3 cached steps: must be at most max_len, 5, in all");
    ck_assert_int_eq(heed_kv_cache_length(call.cache), 3);
    heed_kv_cache_free(call.cache);
    heed_module_free(&net->base);
}
END_TEST

/* -- Causal stacks ------------------------------------------------------------------------------------------------- */

/* The options causal and not_causal replace the mask of a whole encoder and decoder, or are replaced by it. */
START_TEST(causal_options_of_stacks)
{
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(B, T, H), 0, 1.0), *memory = made(HEED_F64, HEED_SHAPE(B, S, H), 1, 1.0);
    heed_tensor *past = heed_compare_scalar(heed_tril(heed_ones(HEED_F64, HEED_SHAPE(T, T)), 0), HEED_COMPARE_NE, 0.0);
    heed_tensor *y[2], *z[2];
    for (int set = 0; set < 2; set++) {
        const transformer_options o = {.causal = set, .not_causal = set, .dtype = HEED_F64};
        heed_manual_seed(5);
        heed_nn_transformer *net = heed_nn_transformer_new(0, 0, H, HEADS, FFN, 2, &o);
        const attention_call encoding = {.mask = set ? NULL : past}, decoding = {.mask = set ? past : NULL};
        y[set] = heed_nn_transformer_encoder_forward_with(net->encoder, x, &encoding);
        z[set] = heed_nn_transformer_decoder_forward_with(net->decoder, x, memory, &decoding);
        heed_tensor *all = heed_nn_transformer_decoder_forward(net->decoder, x, memory, NULL, NULL, NULL, NULL);
        ck_assert((difference(all, z[set]) > 1e-3) == (set == 1));
        heed_module_free(&net->base);
    }
    ck_assert(difference(y[0], y[1]) <= 1e-14);
    ck_assert(difference(z[0], z[1]) <= 1e-14);
}
END_TEST

HEED_TEST_MAIN("attention_call", unsupported_fields, lengths_in_every_layer, masks_and_biases_with_a_cache,
               masks_with_padding, steps_after_max_len, causal_options_of_stacks)
