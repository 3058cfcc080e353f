/* tests/nn/test_decoder_hub.c - tests that decoders read from files of the Hugging Face Hub give the numbers of
 * tests/parity/decoders.py, also step by step with a cache.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

#include <stdio.h>

#define HUB HEED_SOURCE_DIR "/tests/parity/data/hub/"
#define LLAMA_LIKE .rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 2
#define SCALING(kind, factor, length)                                                                                  \
    .rope_scaling = HEED_ROPE_##kind, .rope_factor = factor, .rope_original_len = length

enum { VOCAB = 11, FFN = 12 };

typedef struct hub_model {
    const char *name;
    int64_t size, heads, layers;
    heed_nn_decoder_options options;
} hub_model;

enum { GPT2, LLAMA, MISTRAL, QWEN2, LLAMA31, LINEAR, NEMO, QWEN3, DYNAMIC, YARN, MODELS };

static const hub_model models[MODELS] = {
    {"gpt2", 8, 2, 2, {.max_len = 10, .tied = true}},
    {"llama", 16, 4, 2, {LLAMA_LIKE, .rope_base = 500000}},
    {"mistral", 16, 4, 1, {LLAMA_LIKE, .window = 3}},
    {"qwen2", 16, 4, 1, {LLAMA_LIKE, .qkv_bias = true, .tied = true, .rope_base = 1e6, .eps = 1e-6}},
    {"llama31", 16, 4, 1, {LLAMA_LIKE, .rope_base = 500000, SCALING(LLAMA3, 8, 64)}},
    {"linear", 16, 4, 1, {LLAMA_LIKE, SCALING(LINEAR, 4, 0)}},
    {"nemo", 16, 4, 1, {LLAMA_LIKE, .head_dim = 8, .rope_base = 1e6}},
    {"qwen3", 16, 4, 1, {LLAMA_LIKE, .head_dim = 8, .qk_norm = true, .tied = true, .rope_base = 1e6, .eps = 1e-6}},
    {"dynamic", 16, 4, 1, {LLAMA_LIKE, SCALING(DYNAMIC, 2, 6)}},
    {"yarn", 16, 4, 1, {LLAMA_LIKE, .head_dim = 8, SCALING(YARN, 4, 96)}},
};

static heed_nn_decoder *make(const hub_model *m, heed_dtype dtype)
{
    heed_nn_decoder_options o = m->options;
    o.dtype = dtype;
    heed_nn_decoder *net = heed_nn_decoder_new(VOCAB, m->size, m->heads, FFN, m->layers, &o);
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    heed_module_eval(&net->base);
    return net;
}

static heed_dict *read_file(const hub_model *m, const char *file)
{
    char path[256];
    (void)snprintf(path, sizeof path, HUB "%s/%s", m->name, file);
    heed_dict *dict = heed_io_safetensors_read(path, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    return dict;
}

static heed_dict *read_model(int i)
{
    return read_file(&models[i], i == LLAMA ? "model.safetensors.index.json" : "model.safetensors");
}

static heed_nn_decoder *load(int i, heed_dtype dtype)
{
    heed_nn_decoder *net = make(&models[i], dtype);
    heed_dict *from = read_model(i);
    ck_assert_msg(heed_nn_decoder_load(net, from) == HEED_OK, "%s: %s", models[i].name, heed_error_message());
    heed_dict_free(from);
    return net;
}

static void check_near(heed_tensor *a, heed_tensor *b, double tolerance, const char *name)
{
    ck_assert_msg(a && b, "%s: %s", name, heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    heed_tensor *difference = heed_sub(heed_to_dtype(heed_detach(a), HEED_F64), heed_to_dtype(b, HEED_F64));
    const double most = heed_item(heed_max(heed_abs(difference)));
    ck_assert_msg(most <= tolerance, "%s: %g", name, most);
}

START_TEST(logits_and_greedy_tokens)
{
    for (int i = 0; i < 2 * MODELS; i++) {
        const hub_model *m = &models[i / 2];
        const heed_dtype dtype = i % 2 ? HEED_F64 : HEED_F32;
        heed_nn_decoder *net = load(i / 2, dtype);
        heed_dict *expected = read_file(m, "expected.safetensors");
        heed_tensor *prompt = heed_dict_get(expected, "prompt"), *greedy = heed_dict_get(expected, "greedy");
        check_near(heed_nn_decoder_forward(net, prompt, NULL), heed_dict_get(expected, "logits"),
                   dtype == HEED_F32 ? 1e-5 : 1e-12, m->name);
        heed_nn_decoder_context context = {net, heed_kv_cache_new(&(heed_kv_cache_options){.capacity = 3})};
        heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &context, prompt, heed_dim(greedy, 1), -1, NULL);
        check_near(tokens, greedy, 0.0, m->name);
        heed_kv_cache_free(context.cache);
        heed_dict_free(expected);
        heed_module_free(&net->base);
    }
}
END_TEST

/* Compares the sequence up to the end of every chunk with chunks and a cache, including all weights. With dynamic
 * scaling the end matters. */
START_TEST(cached_as_whole)
{
    static const int64_t ends[] = {0, 1, 5, 6, 9};
    heed_manual_seed(6);
    for (int i = 0; i < 2 * MODELS; i++) {
        const heed_dtype dtype = i % 2 ? HEED_F64 : HEED_F32;
        const double tolerance = dtype == HEED_F32 ? 1e-6 : 1e-14;
        heed_nn_decoder *net = make(&models[i / 2], dtype);
        heed_kv_cache *cache = heed_kv_cache_new(&(heed_kv_cache_options){.capacity = 2});
        heed_tensor *tokens = heed_randint(0, VOCAB, HEED_SHAPE(2, 9)), *weights, *weights_part;
        for (int p = 0; p < 4; p++) {
            const int64_t from = ends[p], to = ends[p + 1];
            heed_tensor *all = heed_nn_decoder_forward(net, heed_slice(tokens, 1, 0, to, 1), &weights);
            heed_tensor *logits_part =
                heed_nn_decoder_forward_with(net, heed_slice(tokens, 1, from, to, 1),
                                             &(heed_nn_attention_call){.cache = cache, .weights = &weights_part});
            check_near(logits_part, heed_slice(heed_detach(all), 1, from, to, 1), tolerance, models[i / 2].name);
            heed_tensor *rows = heed_slice(heed_detach(weights), 3, from, to, 1);
            check_near(weights_part, heed_slice(rows, 4, 0, to, 1), tolerance, models[i / 2].name);
        }
        heed_kv_cache_free(cache);
        heed_module_free(&net->base);
    }
}
END_TEST

/* Beam search reorders the cache's rows; the beams' scores must equal their sequences' scores. */
START_TEST(beams)
{
    heed_nn_decoder *net = load(MISTRAL, HEED_F64);
    heed_tensor *prompt = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 3, 1), *scores;
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *best = heed_beam_search(heed_nn_decoder_step, &context, prompt, 5, -1, NULL, &scores);
    ck_assert_msg(best != NULL, "%s", heed_error_message());
    heed_tensor *rows = heed_select(best, 0, 0), *begin = heed_expand(prompt, HEED_SHAPE(4, 2));
    heed_tensor *whole = heed_concat(HEED_TENSORS(begin, rows), 1);
    heed_tensor *logits = heed_detach(heed_nn_decoder_forward(net, heed_slice(whole, 1, 0, 6, 1), NULL));
    heed_tensor *p = heed_log_softmax(heed_slice(logits, 1, 1, 6, 1), -1);
    heed_tensor *sums = heed_sum_axes(heed_squeeze(heed_gather(p, 2, heed_unsqueeze(rows, 2)), 2), HEED_AXES(1), false);
    check_near(heed_unsqueeze(sums, 0), scores, 1e-12, "scores");
    heed_kv_cache_free(context.cache);
    heed_module_free(&net->base);
}
END_TEST

/* -- Files that do not fit ----------------------------------------------------------------------------------------- */

/* Loading fails with this text and leaves the parameters unchanged. */
static void check_load_fails(heed_nn_decoder *net, const heed_dict *from, const char *text)
{
    heed_tensor *prompt = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 3), 2, 0, 1);
    heed_tensor *before = heed_detach(heed_nn_decoder_forward(net, prompt, NULL));
    ck_assert_int_eq(heed_nn_decoder_load(net, from), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
    check_near(heed_nn_decoder_forward(net, prompt, NULL), before, 0.0, text);
}

static void check_file_fails(int of, const hub_model *m, const char *text)
{
    heed_nn_decoder *net = make(m, HEED_F32);
    heed_dict *from = read_model(of);
    check_load_fails(net, from, text);
    heed_dict_free(from);
    heed_module_free(&net->base);
}

START_TEST(mismatches_are_listed)
{
    hub_model m = models[LLAMA];
    m.options.qkv_bias = true;
    check_file_fails(LLAMA, &m, "nn_decoder_load: dict_load: 6 missing: model.layers.0.self_attn.q_proj.bias");
    m = models[QWEN2];
    m.options.qkv_bias = false;
    check_file_fails(QWEN2, &m, "3 unexpected: model.layers.0.self_attn.q_proj.bias");
    m = models[QWEN2];
    m.options.tied = false;
    check_file_fails(QWEN2, &m,
                     "nn_decoder_load: 1 missing: lm_head.weight: the file's output map is its embedding, "
                     "\"model.embed_tokens.weight\": make the decoder with .tied");
    m = models[LLAMA];
    m.options.tied = true; /* but the file has a separate output map */
    check_file_fails(LLAMA, &m,
                     "nn_decoder_load: 1 unexpected: lm_head.weight: the file's output map differs from its embedding, "
                     "\"model.embed_tokens.weight\": make the decoder without .tied");
    m = models[MISTRAL];
    m.options.kv_heads = 4;
    check_file_fails(MISTRAL, &m, "model.layers.0.self_attn.k_proj.weight is f32 (8, 16): must be f32 (16, 16)");
    m = models[NEMO];
    m.options.head_dim = 0;
    check_file_fails(NEMO, &m, "model.layers.0.self_attn.q_proj.weight is f32 (32, 16): must be f32 (16, 16)");
    m = models[QWEN3];
    m.options.qk_norm = false;
    check_file_fails(QWEN3, &m, "2 unexpected: model.layers.0.self_attn.q_norm.weight");
    m = models[MISTRAL];
    m.options.rope = false;
    check_file_fails(MISTRAL, &m, "1 missing: positions.weight");
    m = models[GPT2];
    m.options.tied = false; /* the file also stores the embedding as output map */
    heed_nn_decoder *net = make(&m, HEED_F32);
    heed_dict *from = read_model(GPT2);
    ck_assert_int_eq(heed_nn_decoder_load(net, from), HEED_OK);
    heed_dict_set(from, "transformer.h.0.attn.c_proj.weight", heed_zeros(HEED_F32, HEED_SHAPE(8, 9)));
    check_load_fails(net, from, "transformer.h.0.attn.c_proj.weight is f32 (8, 9): must be f32 (8, 8)");
    ck_assert_int_eq(heed_nn_decoder_load(NULL, from), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_load: the module is NULL");
    heed_dict_free(from);
    ck_assert_int_eq(heed_nn_decoder_load(net, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_load: the dict to load from is NULL");
    heed_module_free(&net->base);
}
END_TEST

/* The first published checkpoints of both models have no prefix. */
START_TEST(names_without_a_prefix)
{
    static const char *const prefixes[2] = {"transformer.", "model."};
    for (int i = 0; i < MODELS; i++) {
        heed_dict *from = read_model(i), *unprefixed = heed_dict_new();
        for (int64_t j = 0; j < heed_dict_size(from); j++) {
            const char *name = heed_dict_name(from, j);
            const char *prefix = prefixes[i != GPT2];
            const size_t length = strlen(prefix);
            heed_dict_set(unprefixed, name + (strncmp(name, prefix, length) == 0 ? length : 0), heed_dict_at(from, j));
        }
        heed_nn_decoder *net = make(&models[i], HEED_F32);
        (void)heed_fail(HEED_ERR_STATE, "test", "an error that nobody has cleared is no reason to fail");
        ck_assert_msg(heed_nn_decoder_load(net, unprefixed) == HEED_OK, "%s", heed_error_message());
        heed_error_clear();
        heed_dict_free(from);
        heed_dict_free(unprefixed);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(failing_steps)
{
    heed_nn_decoder *net = make(&models[GPT2], HEED_F32);
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *tokens = heed_zeros(HEED_I64, HEED_SHAPE(1, 8)), *weights;
    ck_assert_ptr_null(heed_nn_decoder_step(tokens, NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_step: user is NULL: must be a heed_nn_decoder_context");
    ck_assert_ptr_null(heed_nn_decoder_step(tokens, NULL, &(heed_nn_decoder_context){net, NULL}));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_step: cache is NULL");
    ck_assert_ptr_null(heed_nn_decoder_step(heed_zeros(HEED_I64, HEED_SHAPE(1, 0)), NULL, &context));
    ck_assert_error(HEED_ERR_SHAPE, "nn_decoder_step: tokens is (1, 0): must have at least one step");
    ck_assert_ptr_nonnull(heed_nn_decoder_step(tokens, NULL, &context));
    ck_assert_ptr_null(heed_nn_decoder_forward_with(
        net, tokens, &(heed_nn_attention_call){.cache = context.cache, .weights = &weights}));
    ck_assert_error(HEED_ERR_SHAPE,
                    "nn_decoder_forward_with: tokens is (1, 8), after 8 cached steps: must be at most 10");
    ck_assert_int_eq(heed_kv_cache_length(context.cache), 8);
    heed_kv_cache_free(context.cache);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(fresh_parameters)
{
    heed_manual_seed(1);
    heed_nn_decoder *net = heed_nn_decoder_new(500, 64, 4, 256, 8, &(heed_nn_decoder_options){.max_len = 50});
    static const struct {
        const char *name;
        double std;
    } drawn[] = {{"embedding.weight", 0.02},
                 {"positions.weight", 0.02},
                 {"dense.weight", 0.02},
                 {"layers.3.self_attn.in_proj_weight", 0.02},
                 {"layers.3.linear1.weight", 0.02},
                 {"layers.3.self_attn.out_proj.weight", 0.005},
                 {"layers.3.linear2.weight", 0.005},
                 {"layers.3.linear1.bias", 0.0},
                 {"layers.3.self_attn.out_proj.bias", 0.0}};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        heed_tensor *t = heed_detach(heed_module_find(&net->base, drawn[i].name));
        const double std = sqrt(heed_item(heed_mean(heed_square(t))));
        ck_assert_msg(fabs(std - drawn[i].std) <= 0.05 * drawn[i].std, "%s: %g", drawn[i].name, std);
    }
    ck_assert(heed_item(heed_min(heed_detach(heed_module_find(&net->base, "norm.weight")))) == 1.0);
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("decoders of the Hub", logits_and_greedy_tokens, cached_as_whole, beams, mismatches_are_listed,
               names_without_a_prefix, failing_steps, fresh_parameters)
