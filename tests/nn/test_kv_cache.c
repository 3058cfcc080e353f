/* tests/nn/test_kv_cache.c - tests that prediction with a cache gives the same numbers as the whole sequence at
 * once.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

enum { B = 2, T = 7, S = 5, VOCAB = 6, H = 8 };

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

static const int64_t chunk_sizes[] = {1, 1, 3, 2}; /* chunk sizes that add up to T steps */

static heed_tensor *next_chunk(heed_tensor *x, int i, int64_t *from)
{
    heed_tensor *y = heed_slice(x, 1, *from, *from + chunk_sizes[i], 1);
    *from += chunk_sizes[i];
    return y;
}

static heed_nn_transformer_decoder *make_decoder(bool pre_norm, heed_dtype dtype)
{
    heed_manual_seed(3);
    heed_nn_transformer_options o = {.pre_norm = pre_norm, .dtype = dtype};
    return heed_nn_transformer_decoder_new(VOCAB, H, 2, 16, 2, &o);
}

/* Variants of self-attention. */
static const heed_nn_multi_head_attention_options variants[] = {
    {.rope = true},
    {.alibi = true, .kv_heads = 1},
    {.window = 2, .qk_norm = true, .head_dim = 3},
    {.rope = true, .alibi = true, .window = 3, .kv_heads = 1},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

static heed_tensor *some_tokens(void)
{
    return heed_randint(0, VOCAB, HEED_SHAPE(B, T));
}

/* Runs chunks of one step and of several. */
static void check_decoder(heed_nn_transformer_decoder *net, int64_t capacity)
{
    const heed_dtype dtype = heed_dtype_of(net->embedding->weight);
    const double tolerance = dtype == HEED_F32 ? 1e-6 : 1e-14;
    heed_kv_cache *cache = heed_kv_cache_new(&(heed_kv_cache_options){.capacity = capacity});
    heed_tensor *memory = made(dtype, HEED_SHAPE(B, S, H), 1, 1.0), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(B), 5, 2);
    heed_tensor *tokens = some_tokens(), *own, *weights, *own_part, *weights_part;
    heed_tensor *all = heed_nn_transformer_decoder_forward(net, tokens, memory, NULL, lens, &own, &weights);
    int64_t from = 0;
    for (int p = 0; p < 4; p++) {
        const int64_t first = from;
        ck_assert_int_eq(heed_kv_cache_length(cache), from);
        heed_tensor *y = heed_nn_transformer_decoder_forward_with(
            net, next_chunk(tokens, p, &from), p ? NULL : memory,
            &(heed_nn_attention_call){
                .memory_lens = p ? NULL : lens, .cache = cache, .weights = &own_part, .memory_weights = &weights_part});
        ck_assert(difference(y, heed_slice(all, 1, first, from, 1)) <= tolerance);
        ck_assert(!heed_requires_grad(y));
        heed_tensor *seen = heed_slice(heed_slice(own, 3, first, from, 1), 4, 0, from, 1);
        ck_assert(difference(own_part, seen) <= tolerance);
        ck_assert(difference(weights_part, heed_slice(weights, 3, first, from, 1)) <= tolerance);
    }
    heed_kv_cache_free(cache);
}

/* The cache has to grow. */
START_TEST(decoder_as_without_cache)
{
    for (int i = 0; i < 4; i++) {
        heed_nn_transformer_decoder *net = make_decoder(i / 2, i % 2 ? HEED_F64 : HEED_F32);
        check_decoder(net, 1 + i);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(variants_of_decoder_as_without_cache)
{
    for (int i = 0; i < 2 * VARIANTS; i++) {
        const heed_nn_transformer_options o = {
            .no_positions = i < VARIANTS, .max_len = T, .dtype = HEED_F64, .attention = &variants[i % VARIANTS]};
        heed_nn_transformer_decoder *net = heed_nn_transformer_decoder_new(VOCAB, H, 2, 16, 2, &o);
        check_decoder(net, 2);
        heed_module_free(&net->base);
    }
}
END_TEST

/* Runs a model without encoder: a stack of causal blocks. */
static void check_blocks(const heed_nn_multi_head_attention_options *attention)
{
    const heed_nn_transformer_options o = {.causal = true, .pre_norm = true, .attention = attention};
    heed_nn_transformer_encoder_block *net[2];
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(B, T, H), 0, 1.0), *all = x;
    for (int i = 0; i < 2; i++)
        net[i] = heed_nn_transformer_encoder_block_new(H, 2, 16, &o);
    for (int i = 0; i < 2; i++)
        all = heed_nn_transformer_encoder_block_forward(net[i], all, NULL, NULL);
    int64_t from = 0;
    for (int p = 0; p < 4; p++) {
        const int64_t first = from;
        heed_tensor *y = next_chunk(x, p, &from);
        for (int i = 0; i < 2; i++)
            y = heed_nn_transformer_encoder_block_forward_with(net[i], y, &(heed_nn_attention_call){.cache = cache});
        ck_assert(difference(y, heed_slice(all, 1, first, from, 1)) <= 2e-6);
    }
    for (int i = 0; i < 2; i++)
        heed_module_free(&net[i]->base);
    heed_kv_cache_free(cache);
}

START_TEST(blocks_as_without_cache)
{
    check_blocks(NULL);
    for (int i = 0; i < VARIANTS; i++)
        check_blocks(&variants[i]);
}
END_TEST

START_TEST(positions_start_at_a_step)
{
    heed_nn_positional_encoding *net =
        heed_nn_positional_encoding_new(4, &(heed_nn_positional_encoding_options){.max_len = 5});
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(1, 5, 4), 0, 1.0), *all = heed_nn_positional_encoding_forward(net, x);
    heed_tensor *y = heed_add(heed_slice(x, 1, 2, 5, 1), heed_slice(net->P, 0, 2, 5, 1));
    ck_assert(difference(y, heed_slice(all, 1, 2, 5, 1)) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* Rows are reordered, and one is duplicated; every row continues the sequence that it was copied from. */
START_TEST(selected_rows_continue)
{
    heed_nn_transformer_decoder *net = make_decoder(true, HEED_F64);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *memory = made(HEED_F64, HEED_SHAPE(B, S, H), 1, 1.0),
                *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(B), 1, 4);
    heed_tensor *tokens = some_tokens(), *rows = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 1, 0, 1);
    heed_tensor *head = heed_slice(tokens, 1, 0, 4, 1), *next = HEED_TENSOR(HEED_I64, HEED_SHAPE(3, 1), 2, 0, 5);
    ck_assert_int_eq(heed_kv_cache_select(cache, rows), HEED_OK); /* selects rows of an empty cache */
    ck_assert_ptr_nonnull(heed_nn_transformer_decoder_forward_with(
        net, head, memory, &(heed_nn_attention_call){.memory_lens = lens, .cache = cache}));
    ck_assert_int_eq(heed_kv_cache_select(cache, rows), HEED_OK);
    heed_tensor *y = heed_nn_transformer_decoder_forward_with(
        net, next, memory, &(heed_nn_attention_call){.memory_lens = lens, .cache = cache});
    heed_tensor *both[] = {heed_index_select(head, 0, rows), next};
    heed_tensor *all =
        heed_nn_transformer_decoder_forward(net, heed_concat(both, 2, 1), heed_index_select(memory, 0, rows), NULL,
                                            heed_index_select(lens, 0, rows), NULL, NULL);
    ck_assert(difference(y, heed_slice(all, 1, 4, 5, 1)) <= 1e-14);
    ck_assert_int_eq(heed_kv_cache_select(cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3)), HEED_ERR_INDEX);
    ck_assert_error(HEED_ERR_INDEX, "kv_cache_select: ");
    ck_assert_int_eq(heed_kv_cache_length(cache), 5);
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(cleared_cache_is_fresh)
{
    heed_nn_transformer_decoder *net = make_decoder(false, HEED_F64);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *tokens = some_tokens(), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(B), 1, 4);
    for (int i = 0; i < 3; i++) { /* the last call has fewer rows and a longer memory */
        heed_tensor *memory = made(HEED_F64, HEED_SHAPE(i < 2 ? B : 1, S + i, H), i, 1.0);
        heed_tensor *x = i < 2 ? tokens : heed_slice(tokens, 0, 0, 1, 1), *of = i == 1 ? lens : NULL;
        heed_tensor *y = heed_nn_transformer_decoder_forward_with(
            net, x, memory, &(heed_nn_attention_call){.memory_lens = of, .cache = cache});
        ck_assert(difference(y, heed_nn_transformer_decoder_forward(net, x, memory, NULL, of, NULL, NULL)) <= 1e-14);
        ck_assert_int_eq(heed_kv_cache_clear(cache), HEED_OK);
        ck_assert_int_eq(heed_kv_cache_length(cache), 0);
    }
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

/* -- Failures ------------------------------------------------------------------------------------------------------ */

/* The second block fails after the first has appended to the cache; a failing step must leave the cache unchanged. */
static heed_tensor *fails_sometimes(heed_tensor *x)
{
    static int calls;
    return ++calls == 4 ? NULL : heed_relu(x);
}

/* A module at the address of a freed module does not find the keys of the freed one. */
START_TEST(keys_of_a_freed_module_are_not_found)
{
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *memory = made(HEED_F64, HEED_SHAPE(B, S, H), 1, 1.0), *tokens = some_tokens();
    for (int i = 0; i < 3; i++) {
        heed_nn_transformer_decoder *net = make_decoder(false, HEED_F64);
        heed_tensor *y =
            heed_nn_transformer_decoder_forward_with(net, tokens, memory, &(heed_nn_attention_call){.cache = cache});
        ck_assert(difference(y, heed_nn_transformer_decoder_forward(net, tokens, memory, NULL, NULL, NULL, NULL)) <=
                  1e-14);
        if (i == 1)
            ck_assert_int_eq(heed_kv_cache_clear(cache), HEED_OK);
        else
            ck_assert_int_eq(heed_kv_cache_length(cache), T);
        heed_module_free(&net->base);
    }
    heed_kv_cache_free(cache);
}
END_TEST

START_TEST(failed_step_changes_nothing)
{
    heed_nn_transformer_options o = {.activation = fails_sometimes, .dtype = HEED_F64};
    heed_nn_transformer_decoder *net = heed_nn_transformer_decoder_new(VOCAB, H, 2, 16, 2, &o);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *memory = made(HEED_F64, HEED_SHAPE(B, S, H), 1, 1.0), *tokens = some_tokens(), *weights;
    ck_assert_ptr_nonnull(heed_nn_transformer_decoder_forward_with(net, heed_slice(tokens, 1, 0, 3, 1), memory,
                                                                   &(heed_nn_attention_call){.cache = cache}));
    heed_tensor *last = heed_slice(tokens, 1, 3, T, 1);
    ck_assert_ptr_null(heed_nn_transformer_decoder_forward_with(
        net, last, NULL, &(heed_nn_attention_call){.cache = cache, .memory_weights = &weights}));
    ck_assert_error(HEED_ERR_STATE, "nn_transformer_decoder_forward_with: transformer_decoder.layers.1: ");
    ck_assert_ptr_null(weights);
    ck_assert_int_eq(heed_kv_cache_length(cache), 3);
    heed_tensor *y =
        heed_nn_transformer_decoder_forward_with(net, last, NULL, &(heed_nn_attention_call){.cache = cache});
    heed_tensor *all = heed_nn_transformer_decoder_forward(net, tokens, memory, NULL, NULL, NULL, NULL);
    ck_assert(difference(y, heed_slice(all, 1, 3, T, 1)) <= 1e-14);
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(errors_of_attention)
{
    heed_nn_multi_head_attention_options o = {.causal = true};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(4, 2, NULL);
    heed_nn_multi_head_attention *causal = heed_nn_multi_head_attention_new(4, 2, &o);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *x = made(HEED_F32, HEED_SHAPE(2, 3, 4), 0, 1.0), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 3);
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, x, NULL, NULL, &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_STATE, "the cache is empty and keys is NULL");
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, x, x, NULL, &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_ARGUMENT, "values is NULL, but keys is given");
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(
        causal, x, x, x, &(heed_nn_attention_call){.valid_lens = lens, .cache = cache}));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "nn_multi_head_attention_forward_with: valid_lens must be NULL with a cache and causal attention");
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(
        net, x, NULL, NULL, &(heed_nn_attention_call){.valid_lens = lens, .cache = cache}));
    ck_assert_error(HEED_ERR_ARGUMENT, "valid_lens must be NULL with a cache and without keys");
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(net, x, heed_slice(x, 0, 0, 1, 1), x,
                                                                 &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_SHAPE, "queries (2, 3, 4), keys (1, 3, 4), values (2, 3, 4): must be");
    ck_assert_ptr_nonnull(heed_nn_multi_head_attention_forward_with(
        net, x, x, x, &(heed_nn_attention_call){.valid_lens = lens, .cache = cache}));
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, x, x, x, &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_STATE, "the cache has 3 keys: with valid_lens, all keys must be appended in one call");
    ck_assert_ptr_null(heed_nn_multi_head_attention_forward_with(net, heed_slice(x, 0, 0, 1, 1), NULL, NULL,
                                                                 &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_SHAPE, "queries is (1, 3, 4): must have 2 sequences, as the cache");
    ck_assert_ptr_null(heed_kv_cache_new(&(heed_kv_cache_options){.capacity = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "kv_cache_new: capacity is -1");
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
    heed_module_free(&causal->base);
}
END_TEST

START_TEST(different_batch_size_fails_and_changes_nothing)
{
    heed_nn_multi_head_attention_options o = {.causal = true};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(H, 2, &o);
    heed_module_eval(&net->base);
    heed_kv_cache *cache = heed_kv_cache_new(NULL);
    heed_tensor *one = heed_rand(HEED_F32, HEED_SHAPE(1, 2, H)), *three = heed_rand(HEED_F32, HEED_SHAPE(3, 2, H));
    ck_assert_ptr_nonnull(
        heed_nn_multi_head_attention_forward_with(net, one, one, one, &(heed_nn_attention_call){.cache = cache}));
    ck_assert_ptr_null(
        heed_nn_multi_head_attention_forward_with(net, three, three, three, &(heed_nn_attention_call){.cache = cache}));
    ck_assert_error(HEED_ERR_SHAPE, "keys and values have 3 sequences: must have 1, as the cache");
    ck_assert_ptr_nonnull(
        heed_nn_multi_head_attention_forward_with(net, one, one, one, &(heed_nn_attention_call){.cache = cache}));
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("kv_cache", different_batch_size_fails_and_changes_nothing, decoder_as_without_cache,
               variants_of_decoder_as_without_cache, blocks_as_without_cache, positions_start_at_a_step,
               selected_rows_continue, cleared_cache_is_fresh, keys_of_a_freed_module_are_not_found,
               failed_step_changes_nothing, errors_of_attention)
