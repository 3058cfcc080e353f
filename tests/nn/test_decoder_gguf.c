/* tests/nn/test_decoder_gguf.c - tests that decoders from GGUF files generate the tokens of llama.cpp, and errors for
 * files that do not fit.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

#include <stdio.h>

#include "from_memory.h"
#include "reference/gguf_models_reference.h"

#define MODELS HEED_SOURCE_DIR "/tests/reference/gguf_models/"

enum { N_MODELS = sizeof gguf_models / sizeof *gguf_models };

static heed_dict *read_model(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, MODELS "%s.gguf", name);
    heed_dict *dict = heed_io_gguf_read(path, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    return dict;
}

static heed_nn_decoder *load(const char *name, heed_dtype dtype)
{
    heed_dict *from = read_model(name);
    heed_nn_decoder *net = heed_nn_decoder_from_gguf(from, dtype);
    ck_assert_msg(net != NULL, "%s: %s", name, heed_error_message());
    heed_dict_free(from);
    return net;
}

static heed_tensor *prompt(void)
{
    heed_tensor *t = heed_empty(HEED_I64, HEED_SHAPE(1, GGUF_PROMPT));
    memcpy(heed_mutable_i64(t), gguf_prompt, sizeof gguf_prompt);
    return t;
}

/* -- Tokens of llama.cpp ------------------------------------------------------------------------------------------- */

/* Compares ln p of every generated token with llama.cpp's, which rounds the inputs of products to the type of the
 * weights. */
static void check_log_p(heed_nn_decoder *net, heed_tensor *tokens, const struct gguf_model *m)
{
    heed_tensor *all = heed_concat(HEED_TENSORS(prompt(), tokens), 1);
    heed_tensor *logits = heed_detach(heed_nn_decoder_forward(net, all, NULL));
    heed_tensor *p = heed_log_softmax(heed_slice(logits, 1, GGUF_PROMPT - 1, GGUF_PROMPT + GGUF_TOKENS - 1, 1), -1);
    p = heed_to_dtype(heed_gather(p, 2, heed_unsqueeze(tokens, 2)), HEED_F64);
    for (int i = 0; i < GGUF_TOKENS; i++) {
        const double given = heed_get(p, HEED_INDEX(0, i, 0));
        ck_assert_msg(fabs(given - m->log_p[i]) <= 0.03, "%s: ln p of token %d is %g, llama.cpp's %g", m->name, i,
                      given, m->log_p[i]);
    }
}

START_TEST(tokens_of_llama_cpp)
{
    for (int i = 0; i < 2 * N_MODELS; i++) {
        const struct gguf_model *m = &gguf_models[i / 2];
        heed_nn_decoder *net = load(m->name, i % 2 ? HEED_F64 : 0);
        ck_assert_int_eq(heed_dtype_of(net->embedding->weight), i % 2 ? HEED_F64 : HEED_F32);
        heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
        heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &context, prompt(), GGUF_TOKENS, -1, NULL);
        ck_assert_msg(tokens != NULL, "%s", heed_error_message());
        for (int t = 0; t < GGUF_TOKENS; t++)
            ck_assert_msg(heed_data_i64(tokens)[t] == m->tokens[t], "%s: token %d is %d, llama.cpp's %d", m->name, t,
                          (int)heed_data_i64(tokens)[t], (int)m->tokens[t]);
        check_log_p(net, tokens, m);
        heed_kv_cache_free(context.cache);
        heed_module_free(&net->base);
    }
}
END_TEST

/* -- Files that do not fit ----------------------------------------------------------------------------------------- */

/* Returns a copy of the dict without the tensor or key `name`, which may be NULL. */
static heed_dict *copy_without(const heed_dict *from, const char *name)
{
    heed_dict *copy = heed_dict_new();
    for (int64_t i = 0; i < heed_dict_size(from); i++)
        if (!name || strcmp(heed_dict_name(from, i), name) != 0)
            ck_assert_int_eq(heed_dict_set(copy, heed_dict_name(from, i), heed_dict_at(from, i)), HEED_OK);
    for (int64_t i = 0; i < heed_dict_text_count(from); i++) {
        const char *key = heed_dict_text_key(from, i);
        if (!name || strcmp(key, name) != 0)
            ck_assert_int_eq(heed_dict_set_text(copy, key, heed_dict_text(from, key)), HEED_OK);
    }
    return copy;
}

static void check_refused(const heed_dict *from, heed_status code, const char *text)
{
    ck_assert_ptr_null(heed_nn_decoder_from_gguf(from, 0));
    ck_assert_error(code, text);
}

START_TEST(missing_entries)
{
    static const struct {
        const char *model, *name, *text;
    } cases[] = {
        {"llama", "general.architecture", "nn_decoder_from_gguf: key \"general.architecture\" is missing"},
        {"llama", "llama.embedding_length", "nn_decoder_from_gguf: key \"llama.embedding_length\" is missing"},
        {"qwen2", "qwen2.block_count", "key \"qwen2.block_count\" is missing"},
        {"qwen3", "qwen3.feed_forward_length", "key \"qwen3.feed_forward_length\" is missing"},
        {"llama", "llama.attention.head_count", "key \"llama.attention.head_count\" is missing"},
        {"llama", "llama.attention.layer_norm_rms_epsilon",
         "key \"llama.attention.layer_norm_rms_epsilon\" is missing"},
        {"llama", "token_embd.weight", "nn_decoder_from_gguf: tensor \"token_embd.weight\" is missing"},
        {"llama", "blk.0.ffn_up.weight", "tensor \"blk.0.ffn_up.weight\" is missing"},
        {"llama", "blk.1.attn_q.weight", "tensor \"blk.1.attn_q.weight\" is missing"},
        {"llama", "blk.1.ffn_norm.weight", "nn_decoder_from_gguf: dict_load: 1 missing: blk.1.ffn_norm.weight"},
        {"qwen2", "blk.1.attn_k.bias", "1 missing: blk.1.attn_k.bias"},
        {"qwen3", "blk.0.attn_q_norm.weight", "1 missing: blk.0.attn_q_norm.weight"},
        {"llama", "output_norm.weight", "1 missing: output_norm.weight"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heed_dict *whole = read_model(cases[i].model), *from = copy_without(whole, cases[i].name);
        check_refused(from, HEED_ERR_ARGUMENT, cases[i].text);
        heed_dict_free(from);
        heed_dict_free(whole);
    }
    check_refused(NULL, HEED_ERR_ARGUMENT, "nn_decoder_from_gguf: the dict is NULL");
}
END_TEST

START_TEST(refused_keys)
{
    static const struct {
        const char *model, *key, *text;
        heed_status code;
        const char *message;
    } cases[] = {
        {"llama", "general.architecture", "gemma3", HEED_ERR_UNSUPPORTED,
         "nn_decoder_from_gguf: key \"general.architecture\" is \"gemma3\": must be llama, qwen2 or qwen3"},
        {"llama", "llama.block_count", "two", HEED_ERR_ARGUMENT,
         "key \"llama.block_count\" is \"two\": must be a whole number above 0"},
        {"llama", "llama.block_count", "0", HEED_ERR_ARGUMENT, "is \"0\": must be a whole number above 0"},
        {"llama", "llama.block_count", "1.5", HEED_ERR_ARGUMENT, "is \"1.5\": must be a whole number above 0"},
        {"llama", "llama.block_count", "-2", HEED_ERR_ARGUMENT, "is \"-2\": must be a whole number above 0"},
        {"llama", "llama.block_count", "18446744073709551615", HEED_ERR_ARGUMENT, "must be a whole number above 0"},
        {"llama", "llama.block_count", "1", HEED_ERR_ARGUMENT, "unexpected: blk.1.attn_norm.weight"},
        {"llama", "llama.block_count", "3", HEED_ERR_ARGUMENT, "tensor \"blk.2.attn_q.weight\" is missing"},
        {"llama", "llama.embedding_length", "1000000000000", HEED_ERR_SHAPE,
         "tensor \"token_embd.weight\" is (64, 32): must be (any, 1000000000000), as the keys of llama say"},
        {"llama", "llama.attention.head_count", "8", HEED_ERR_SHAPE,
         "tensor \"blk.0.attn_q.weight\" is (32, 32): must be (64, 32)"},
        {"qwen3", "qwen3.attention.head_count_kv", "4", HEED_ERR_SHAPE,
         "tensor \"blk.0.attn_k.weight\" is (32, 32): must be (64, 32)"},
        {"llama", "llama.feed_forward_length", "33", HEED_ERR_SHAPE,
         "tensor \"blk.0.ffn_up.weight\" is (32, 32): must be (33, 32)"},
        {"llama", "llama.attention.layer_norm_rms_epsilon", "nan", HEED_ERR_ARGUMENT,
         "key \"llama.attention.layer_norm_rms_epsilon\" is \"nan\": must be a number above 0"},
        {"llama", "llama.attention.layer_norm_rms_epsilon", "0", HEED_ERR_ARGUMENT,
         "is \"0\": must be a number above 0"},
        {"llama", "llama.rope.freq_base", "true", HEED_ERR_ARGUMENT,
         "key \"llama.rope.freq_base\" is \"true\": must be a number above 0"},
        {"llama", "llama.rope.dimension_count", "4", HEED_ERR_UNSUPPORTED,
         "key \"llama.rope.dimension_count\" is 4, but the size of a key is 8: must be equal"},
        {"llama", "llama.attention.value_length", "16", HEED_ERR_UNSUPPORTED,
         "key \"llama.attention.value_length\" is 16, but the size of a key is 8: must be equal"},
        {"llama", "llama.rope.scaling.type", "longrope", HEED_ERR_UNSUPPORTED,
         "key \"llama.rope.scaling.type\" is \"longrope\": must be \"none\", \"linear\" or \"yarn\""},
        {"llama", "llama.rope.scaling.attn_factor", "1.25", HEED_ERR_UNSUPPORTED,
         "key \"llama.rope.scaling.attn_factor\" is 1.25: only 1 is supported without yarn"},
        {"qwen2", "qwen2.rope.scaling.yarn_ext_factor", "0.5", HEED_ERR_UNSUPPORTED,
         "key \"qwen2.rope.scaling.yarn_ext_factor\" is 0.5: only 1 is supported"},
        {"llama", "llama.expert_count", "8", HEED_ERR_UNSUPPORTED,
         "key \"llama.expert_count\" is 8: only 0 is supported"},
        {"llama", "llama.logit_scale", "2", HEED_ERR_UNSUPPORTED, "key \"llama.logit_scale\" is not supported"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heed_dict *from = read_model(cases[i].model);
        ck_assert_int_eq(heed_dict_set_text(from, cases[i].key, cases[i].text), HEED_OK);
        check_refused(from, cases[i].code, cases[i].message);
        heed_dict_free(from);
    }
}
END_TEST

START_TEST(refused_tensors)
{
    const struct {
        const char *model, *name;
        heed_dtype dtype;
        heed_shape shape;
        heed_status code;
        const char *text;
    } cases[] = {
        {"llama", "rope_freqs.weight", HEED_F32, HEED_SHAPE(3), HEED_ERR_SHAPE,
         "nn_decoder_from_gguf: tensor \"rope_freqs.weight\" is f32 (3): must be f32 (4)"},
        {"llama", "rope_freqs.weight", HEED_I64, HEED_SHAPE(4), HEED_ERR_SHAPE, "is i64 (4): must be f32 (4)"},
        {"llama", "rope_freqs.weight", HEED_F32, HEED_SHAPE(4), HEED_ERR_ARGUMENT,
         "tensor \"rope_freqs.weight\" has a number that is not above 0"},
        {"qwen2", "rope_freqs.weight", HEED_F32, HEED_SHAPE(4), HEED_ERR_UNSUPPORTED,
         "tensor \"rope_freqs.weight\" is not supported with architecture qwen2"},
        {"llama", "token_embd.weight", HEED_F32, HEED_SHAPE(32), HEED_ERR_SHAPE,
         "tensor \"token_embd.weight\" is (32): must be (any, 32)"},
        {"llama", "token_embd.weight", HEED_F32, HEED_SHAPE(0, 32), HEED_ERR_ARGUMENT,
         "nn_decoder_from_gguf: nn_decoder_new: vocab_size is 0"},
        {"llama", "blk.1.ffn_down.weight", HEED_F32, HEED_SHAPE(32, 31), HEED_ERR_ARGUMENT,
         "blk.1.ffn_down.weight is f32 (32, 31): must be f32 (32, 32)"},
        {"qwen3", "blk.1.attn_v.weight", HEED_I64, HEED_SHAPE(32, 32), HEED_ERR_ARGUMENT,
         "blk.1.attn_v.weight is i64 (32, 32): must be f32 (32, 32)"},
        {"llama", "blk.0.attn_output.bias", HEED_F32, HEED_SHAPE(32), HEED_ERR_ARGUMENT,
         "1 unexpected: blk.0.attn_output.bias"},
        {"llama", "output.weight", HEED_F32, HEED_SHAPE(63, 32), HEED_ERR_ARGUMENT, "output.weight is f32 (63, 32)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heed_dict *from = read_model(cases[i].model);
        ck_assert_int_eq(heed_dict_set(from, cases[i].name, heed_zeros(cases[i].dtype, cases[i].shape)), HEED_OK);
        check_refused(from, cases[i].code, cases[i].text);
        heed_dict_free(from);
    }
}
END_TEST

/* -- Keys that change the decoder ---------------------------------------------------------------------------------- */

static heed_nn_decoder *load_with(const char *model, const char *key, const char *text)
{
    heed_dict *from = read_model(model);
    ck_assert_int_eq(heed_dict_set_text(from, key, text), HEED_OK);
    heed_nn_decoder *net = heed_nn_decoder_from_gguf(from, 0);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    heed_dict_free(from);
    return net;
}

/* Checks the frequency of pair 1 of a model with base 1000 and heads of 16 numbers. */
static void check_frequency(heed_nn_decoder *net, double factor)
{
    const heed_tensor *f = net->attention->rope_frequencies;
    const double expected = pow(1000.0, -1.0 / 8.0) / factor;
    ck_assert(f ? fabs(heed_get(f, HEED_INDEX(1)) - expected) <= 1e-15 : factor == 1.0);
    heed_module_free(&net->base);
}

START_TEST(optional_keys)
{
    heed_nn_decoder *net = load_with("mistral", "llama.attention.sliding_window", "3");
    ck_assert_int_eq(net->attention->window, 3);
    ck_assert(net->attention->rope_interleaved && net->dense);
    check_frequency(net, 2.5);
    check_frequency(load_with("mistral", "llama.rope.scaling.factor", "4"), 4.0);
    check_frequency(load_with("mistral", "llama.rope.scaling.type", "none"), 1.0);
    heed_dict *whole = read_model("mistral"), *from = copy_without(whole, "llama.rope.scaling.factor");
    heed_dict_set_text(from, "llama.rope.scale_linear", "2"); /* the key of older files */
    net = heed_nn_decoder_from_gguf(from, 0);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    check_frequency(net, 2.0);
    heed_dict_free(from);
    heed_dict_free(whole);
    net = load_with("qwen2", "qwen2.rope.scaling.attn_factor", "2");
    ck_assert(fabs(net->attention->rope_attention_factor - 2.0 * (0.1 * log(4.0) + 1.0)) <= 1e-15);
    ck_assert(!net->attention->rope_interleaved && !net->dense && net->attention->rope_scaling == HEED_ROPE_YARN);
    heed_module_free(&net->base);
    net = load_with("qwen2", "qwen2.rope.scaling.original_context_length", "64");
    ck_assert_int_eq(net->attention->rope_original_len, 64);
    heed_module_free(&net->base);
    whole = read_model("qwen2");
    from = copy_without(whole, "qwen2.rope.scaling.original_context_length");
    net = heed_nn_decoder_from_gguf(from, 0);
    ck_assert(net && net->attention->rope_original_len == 256); /* the context length */
    heed_module_free(&net->base);
    heed_dict *neither = copy_without(from, "qwen2.context_length");
    check_refused(
        neither, HEED_ERR_ARGUMENT,
        "key \"qwen2.rope.scaling.original_context_length\" is missing, but \"qwen2.rope.scaling.type\" is yarn");
    heed_dict_free(neither);
    heed_dict_free(from);
    heed_dict_free(whole);
}
END_TEST

/* -- Damaged files ------------------------------------------------------------------------------------------------- */

static void check_damaged(const uint8_t *bytes, size_t size)
{
    heed_dict *from = gguf_from_memory(bytes, size, NULL);
    heed_nn_decoder *net = from ? heed_nn_decoder_from_gguf(from, 0) : NULL;
    if (!net)
        ck_assert_msg(strncmp(heed_error_message(), from ? "nn_decoder_from_gguf: " : "io_gguf_read: ", 14) == 0, "%s",
                      heed_error_message());
    heed_error_clear();
    heed_module_free(net ? &net->base : NULL);
    heed_dict_free(from);
}

/* Cuts a file in its header, and flips one bit of every byte of the header. */
START_TEST(damaged_headers)
{
    enum { SIZE = 1 << 16, HEADER = 4096 };
    static uint8_t bytes[SIZE];
    FILE *file = fopen(MODELS "qwen2.gguf", "rb");
    const size_t size = fread(bytes, 1, SIZE, file);
    ck_assert(size > HEADER && size < SIZE);
    ck_assert_int_eq(fclose(file), 0);
    heed_memory_reset_peak();
    for (size_t at = 0; at < HEADER; at++) {
        if (at % 16 == 0)
            check_damaged(bytes, at);
        const uint8_t bit = (uint8_t)(1u << at % 7);
        bytes[at] ^= bit;
        check_damaged(bytes, size);
        bytes[at] ^= bit;
    }
    ck_assert_int_le(heed_memory_get_stats().peak_bytes, 4 << 20);
}
END_TEST

HEED_TEST_MAIN("decoders of GGUF files", tokens_of_llama_cpp, missing_entries, refused_keys, refused_tensors,
               optional_keys, damaged_headers)
