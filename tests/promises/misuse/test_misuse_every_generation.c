/* tests/promises/misuse/test_misuse_every_generation.c - caches, the forwards that take a cache or masks, and every
 * function of heed/generate.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse_draw.h"

/* Separate modules, so that errors begin with the function and not with a path. */
static struct {
    heed_nn_additive_attention *additive;
    heed_nn_dot_product_attention *dot_product;
    heed_nn_multi_head_attention *attention;
    heed_nn_transformer_encoder_block *encoder_block;
    heed_nn_transformer_decoder_block *decoder_block;
    heed_nn_transformer_decoder *decoder;
    heed_nn_transformer_encoder *encoder;
    heed_nn_transformer *transformer;
    heed_nn_decoder *model;
} net;

static heed_kv_cache *cache;

static heed_kv_cache *any_cache(void)
{
    return one_in(6) ? NULL : cache;
}

/* Usually a valid tensor. */
static heed_tensor *any_states(void)
{
    return one_in(2) ? any_tensor()
                     : heed_ones(HEED_F32, HEED_SHAPE(one_in(4) ? 1 : 2, (int64_t)(misuse_random() % 3), 4));
}

static heed_tensor *any_tokens(void)
{
    return one_in(2)
               ? any_tensor()
               : heed_randint(0, one_in(4) ? 9 : 5, HEED_SHAPE(one_in(4) ? 1 : 2, 1 + (int64_t)(misuse_random() % 2)));
}

static heed_tensor *any_lens(void)
{
    return one_in(2) ? NULL : one_in(2) ? any_tensor() : heed_randint(-1, 3, HEED_SHAPE(2));
}

static heed_tensor **out_of(heed_tensor **out)
{
    return any_flag() ? out : NULL;
}

static void caches(void)
{
    heed_kv_cache_options options = {.capacity = any_count()};
    heed_kv_cache *fresh = heed_kv_cache_new(one_in(4) ? NULL : &options);
    ck_assert((fresh != NULL) == (heed_error_code() == HEED_OK));
    judge_error("kv_cache_new");
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(1, 1, 4));
    if (fresh)
        STATUS(heed_kv_cache_pad(fresh, any_lens()));
    STATUS(heed_kv_cache_pad(any_cache(), any_tensor()));
    if (fresh)
        POINTER(heed_nn_transformer_encoder_block_forward_with(net.encoder_block, x,
                                                               &(heed_nn_attention_call){.cache = fresh}));
    heed_kv_cache_free(fresh);
    heed_kv_cache_free(NULL);
    VALUE(heed_kv_cache_length(any_cache()));
    STATUS(heed_kv_cache_select(any_cache(), any_tensor()));
    if (one_in(4))
        STATUS(heed_kv_cache_clear(any_cache()));
}

/* A call that fails leaves the length of the cache unchanged. */
#define KEEPS(call)                                                                                                    \
    do {                                                                                                               \
        const int64_t before = heed_kv_cache_length(cache);                                                            \
        const bool given = (call) != NULL;                                                                             \
        ck_assert(given || heed_kv_cache_length(cache) == before);                                                     \
        ck_assert_msg(given == (heed_error_code() == HEED_OK), "%s", #call);                                           \
        judge_error(#call);                                                                                            \
    } while (0)

static heed_tensor *written[3]; /* weights */
static heed_tensor *alike;      /* often drawn for several arguments */

/* Usually a valid tensor, sometimes the tensor of other arguments. */
static heed_tensor *any_input(heed_tensor *(*usual)(void))
{
    return one_in(8) ? alike : usual();
}

/* Returns a value for a field of a call. `valid` has a suitable dtype and shape. */
static heed_tensor *any_field(bool is_given, heed_tensor *valid)
{
    const uint64_t kind = misuse_random() % 6;
    return !is_given || kind == 0 ? NULL : kind < 3 ? valid : kind == 3 ? alike : any_tensor();
}

/* Sometimes with fields that the layer does not support. */
static heed_nn_attention_call any_call(bool has_cache, bool has_memory, bool has_encoder)
{
    const bool all = one_in(2), memory = has_memory || all, encoder = has_encoder || all;
    heed_tensor *lens = heed_randint(-1, 3, HEED_SHAPE(2)), *bias = heed_ones(HEED_F32, HEED_SHAPE(2, 1, 1, 1));
    heed_tensor *mask = heed_full(HEED_BOOL, HEED_SHAPE(1, 2, 1, 1), any_flag());
    alike = any_tensor();
    return (heed_nn_attention_call){
        .valid_lens = any_field(!has_cache || all, lens),
        .mask = any_field(true, mask),
        .bias = any_field(true, bias),
        .cache = has_cache || one_in(9) ? any_cache() : NULL,
        .weights = out_of(&written[0]),
        .memory_lens = any_field(memory, lens),
        .memory_mask = any_field(memory, mask),
        .memory_bias = any_field(memory, bias),
        .memory_weights = memory ? out_of(&written[1]) : NULL,
        .encoder_mask = any_field(encoder, mask),
        .encoder_bias = any_field(encoder, bias),
        .encoder_weights = encoder ? out_of(&written[2]) : NULL,
    };
}

static void calls(bool has_cache)
{
    heed_nn_attention_call call = any_call(has_cache, false, false);
    KEEPS(heed_nn_multi_head_attention_forward_with(one_in(9) ? NULL : net.attention, any_input(any_states),
                                                    any_input(any_states), any_input(any_states),
                                                    one_in(9) ? NULL : &call));
    call = any_call(has_cache, false, false);
    KEEPS(heed_nn_transformer_encoder_block_forward_with(one_in(9) ? NULL : net.encoder_block, any_input(any_states),
                                                         one_in(9) ? NULL : &call));
    call = any_call(has_cache, false, false);
    KEEPS(heed_nn_decoder_forward_with(one_in(9) ? NULL : net.model, any_input(any_tokens), one_in(9) ? NULL : &call));
    call = any_call(has_cache, true, false);
    KEEPS(heed_nn_transformer_decoder_block_forward_with(one_in(9) ? NULL : net.decoder_block, any_input(any_states),
                                                         any_input(any_states), one_in(9) ? NULL : &call));
    call = any_call(has_cache, true, false);
    KEEPS(heed_nn_transformer_decoder_forward_with(one_in(9) ? NULL : net.decoder, any_input(any_tokens),
                                                   any_input(any_states), one_in(9) ? NULL : &call));
}

static void cached(void)
{
    calls(true);
    heed_nn_decoder_context context = {one_in(9) ? NULL : net.model, any_cache()};
    heed_tensor *rows = one_in(4) ? any_tensor() : NULL;
    POINTER(heed_nn_decoder_step(any_tokens(), rows, one_in(9) ? NULL : &context));
    if (one_in(4))
        STATUS(heed_kv_cache_clear(cache));
}

static void masked(void)
{
    calls(false);
    heed_nn_attention_call call = any_call(false, false, false);
    POINTER(heed_nn_additive_attention_forward_with(one_in(9) ? NULL : net.additive, any_input(any_states),
                                                    any_input(any_states), any_input(any_states),
                                                    one_in(9) ? NULL : &call));
    call = any_call(false, false, false);
    POINTER(heed_nn_dot_product_attention_forward_with(one_in(9) ? NULL : net.dot_product, any_input(any_states),
                                                       any_input(any_states), any_input(any_states),
                                                       one_in(9) ? NULL : &call));
    call = any_call(false, false, false);
    POINTER(heed_nn_transformer_encoder_forward_with(one_in(9) ? NULL : net.encoder, any_input(any_tokens),
                                                     one_in(9) ? NULL : &call));
    call = any_call(false, true, true);
    POINTER(heed_nn_transformer_forward_with(one_in(9) ? NULL : net.transformer, any_input(any_tokens),
                                             any_input(any_tokens), one_in(9) ? NULL : &call));
}

/* Loads up to two tensors, which fit the model or do not, by names that models of the Hugging Face Hub use. */
static void loading(void)
{
    static const char *const names[] = {"wte.weight", "model.embed_tokens.weight", "lm_head.weight", "h.0.attn.bias"};
    heed_dict *from = heed_dict_new();
    for (int i = 0; i < 2; i++) {
        heed_tensor *t = one_in(3) ? any_tensor() : heed_ones(HEED_F32, HEED_SHAPE(5, 4));
        (void)heed_dict_set(from, names[misuse_random() % COUNT_OF(names)], t);
    }
    heed_error_clear();
    STATUS(heed_nn_decoder_load(one_in(9) ? NULL : net.model, one_in(9) ? NULL : from));
    heed_dict_free(from);
}

/* Makes a decoder from a file of which some entries are missing or wrong. */
static void from_gguf(void)
{
    static const char *const keys[][2] = {
        {"general.architecture", "llama"},   {"llama.embedding_length", "4"},
        {"llama.block_count", "1"},          {"llama.attention.head_count", "1"},
        {"llama.feed_forward_length", "4"},  {"llama.attention.layer_norm_rms_epsilon", "1e-05"},
        {"llama.rope.scaling.type", "yarn"}, {"llama.rope.scaling.original_context_length", "8"}};
    static const char *const texts[] = {"", "0", "-1", "1e999", "nan", "9007199254740992", "qwen2", "llama", ".", "1e"};
    static const char *const names[] = {"token_embd.weight",     "blk.0.attn_q.weight",     "blk.0.attn_k.weight",
                                        "blk.0.attn_v.weight",   "blk.0.ffn_gate.weight",   "blk.0.ffn_up.weight",
                                        "blk.0.ffn_down.weight", "blk.0.attn_output.weight"};
    static const char *const vectors[] = {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight",
                                          "rope_freqs.weight"};
    heed_dict *from = heed_dict_new();
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (!one_in(20))
            (void)heed_dict_set_text(from, keys[i][0], one_in(20) ? ANY_OF(texts) : keys[i][1]);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!one_in(20))
            (void)heed_dict_set(from, names[i], one_in(20) ? any_tensor() : heed_ones(HEED_F32, HEED_SHAPE(4, 4)));
    for (size_t i = 0; i < COUNT_OF(vectors); i++)
        if (!one_in(20))
            (void)heed_dict_set(from, vectors[i],
                                one_in(20) ? any_tensor() : heed_ones(HEED_F32, HEED_SHAPE(i < 3 ? 4 : 2)));
    heed_error_clear();
    heed_nn_decoder *made = NULL;
    POINTER(made = heed_nn_decoder_from_gguf(one_in(9) ? NULL : from, one_in(3) ? any_dtype() : 0));
    heed_module_free(made ? &made->base : NULL);
    heed_dict_free(from);
}

/* -- Generation ---------------------------------------------------------------------------------------------------- */

static heed_tensor *step(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    (void)rows;
    (void)user;
    return one_in(8) ? any_tensor() : heed_randn(HEED_F32, HEED_SHAPE(heed_dim(tokens, 0), one_in(8) ? 1 : 5));
}

static void sampling(void)
{
    heed_sample_options options = {.temperature = any_real(), .top_k = any_count(), .top_p = any_real()};
    options.min_p = one_in(2) ? any_real() : 0.1;
    options.repetition_penalty = one_in(2) ? any_real() : 1.5;
    options.history = one_in(2) ? any_tokens() : heed_ones(HEED_I64, HEED_SHAPE(2, misuse_random() % 4));
    heed_tensor *logits = one_in(2) ? any_tensor() : heed_randn(HEED_F64, HEED_SHAPE(2, 3));
    heed_sample_options *chosen = one_in(4) ? NULL : &options;
    POINTER(heed_sample(logits, chosen));
    POINTER(
        heed_generate(one_in(8) ? NULL : step, NULL, any_tokens(), one_in(3) ? any_count() : 3, any_count(), chosen));
}

static void searching(void)
{
    heed_beam_search_options options = {.beams = one_in(2) ? 3 : any_count(), .length_penalty = any_real()};
    options.repetition_penalty = one_in(2) ? any_real() : 1.5;
    options.history = one_in(2) ? any_tokens() : NULL;
    heed_tensor *scores;
    POINTER(heed_beam_search(one_in(8) ? NULL : step, NULL, any_tokens(), one_in(3) ? any_count() : 3, any_count(),
                             one_in(4) ? NULL : &options, out_of(&scores)));
}

/* Runs `body` with new layers that accept a cache or masks. */
static void with_net(void (*body)(void))
{
    net.additive = heed_nn_additive_attention_new(4, 4, 3, NULL);
    net.dot_product = heed_nn_dot_product_attention_new(NULL);
    net.attention = heed_nn_multi_head_attention_new(4, 2, NULL);
    net.encoder_block = heed_nn_transformer_encoder_block_new(4, 2, 3, NULL);
    net.decoder_block = heed_nn_transformer_decoder_block_new(4, 2, 3, NULL);
    net.decoder = heed_nn_transformer_decoder_new(5, 4, 2, 3, 1, &(heed_nn_transformer_options){.max_len = 9});
    net.encoder = heed_nn_transformer_encoder_new(5, 4, 2, 3, 1, &(heed_nn_transformer_options){.max_len = 9});
    net.transformer = heed_nn_transformer_new(5, 5, 4, 2, 3, 1, &(heed_nn_transformer_options){.max_len = 9});
    net.model = heed_nn_decoder_new(5, 4, 2, 3, 1, &(heed_nn_decoder_options){.max_len = 9});
    cache = heed_kv_cache_new(NULL);
    ck_assert(net.additive && net.dot_product && net.attention && net.encoder_block && net.decoder_block &&
              net.decoder && net.encoder && net.transformer && net.model && cache);
    in_rounds(body);
    heed_kv_cache_free(cache);
    heed_module *const all[] = {&net.additive->base,      &net.dot_product->base,   &net.attention->base,
                                &net.encoder_block->base, &net.decoder_block->base, &net.decoder->base,
                                &net.encoder->base,       &net.transformer->base,   &net.model->base};
    for (int i = 0; i < COUNT_OF(all); i++)
        ck_assert_int_eq(heed_module_free(all[i]), HEED_OK);
}

START_TEST(rounds_of_caches)
{
    with_net(caches);
}
END_TEST

START_TEST(rounds_of_cached)
{
    with_net(cached);
}
END_TEST

START_TEST(rounds_of_masked)
{
    with_net(masked);
}
END_TEST

START_TEST(rounds_of_loading)
{
    with_net(loading);
}
END_TEST

ROUNDS_OF(from_gguf)
ROUNDS_OF(sampling)
ROUNDS_OF(searching)

MISUSE_MAIN("every function of generation misused", rounds_of_caches, rounds_of_cached, rounds_of_masked,
            rounds_of_loading, rounds_of_from_gguf, rounds_of_sampling, rounds_of_searching)
