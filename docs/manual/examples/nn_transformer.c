/* nn_transformer.c - examples of heed/nn/transformer.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_positional_encoding_new(void)
{
    /* [heed_nn_positional_encoding_new] */
    heed_nn_positional_encoding *net =
        heed_nn_positional_encoding_new(4, &(heed_nn_positional_encoding_options){.max_len = 3});
    heed_print(net->P, stdout);
    /* -> tensor([[ 0.0000,  1.0000,  0.0000,  1.0000],
     *            [ 0.8415,  0.5403,  0.0100,  0.9999],
     *            [ 0.9093, -0.4161,  0.0200,  0.9998]], shape=(3, 4), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_positional_encoding_forward(void)
{
    /* [heed_nn_positional_encoding_forward] */
    heed_nn_positional_encoding *net = heed_nn_positional_encoding_new(2, NULL);
    heed_tensor *x = heed_full(HEED_F32, HEED_SHAPE(1, 3, 2), 10.0); /* three steps of a sequence */
    heed_print(heed_nn_positional_encoding_forward(net, x), stdout);
    /* -> tensor([[[10.0000, 11.0000],
     *             [10.8415, 10.5403],
     *             [10.9093,  9.5839]]], shape=(1, 3, 2), dtype=f32) */
    heed_tensor *third = heed_slice(x, 1, 2, 3, 1); /* step 2 alone, in prediction with a cache */
    heed_print(heed_add(third, heed_slice(net->P, 0, 2, 3, 1)), stdout);
    /* -> tensor([[[10.9093,  9.5839]]], shape=(1, 1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_feed_forward_new(void)
{
    /* [heed_nn_feed_forward_new] */
    heed_nn_feed_forward_options options = {.activation = heed_gelu, .dropout = 0.1};
    heed_nn_feed_forward *net = heed_nn_feed_forward_new(64, 256, &options);
    printf("%s, ", heed_shape_text(heed_shape_of(net->linear1->weight)).s);
    printf("%s\n", heed_shape_text(heed_shape_of(net->linear2->weight)).s); /* -> (256, 64), (64, 256) */
    heed_module_free(&net->base);
    /* SwiGLU with about the same number of weights */
    net = heed_nn_feed_forward_new(64, 171, &(heed_nn_feed_forward_options){.gated = true, .no_bias = true});
    printf("%s, ", heed_shape_text(heed_shape_of(net->gate->weight)).s);
    printf("%s, ", heed_shape_text(heed_shape_of(net->linear1->weight)).s);
    printf("%s\n", heed_shape_text(heed_shape_of(net->linear2->weight)).s); /* -> (171, 64), (171, 64), (64, 171) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_feed_forward_forward(void)
{
    /* [heed_nn_feed_forward_forward] */
    heed_nn_feed_forward *net = heed_nn_feed_forward_new(4, 16, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4));
    heed_tensor *y = heed_nn_feed_forward_forward(net, x);
    bool alike = heed_get(y, HEED_INDEX(0, 0, 0)) == heed_get(y, HEED_INDEX(1, 2, 0));
    printf("%s, positions %s\n", heed_shape_text(heed_shape_of(y)).s, alike ? "alike" : "different");
    /* -> (2, 3, 4), positions alike */
    heed_module_free(&net->base);
    /* [] */
}

static void example_block_new(void)
{
    /* [heed_nn_transformer_encoder_block_new] */
    heed_nn_sequential *gpt = heed_nn_sequential_new(NULL, 0);
    heed_nn_transformer_options options = {.dropout = 0.1, .activation = heed_gelu, .pre_norm = true, .causal = true};
    for (int i = 0; i < 6; i++)
        heed_nn_sequential_add(gpt, heed_nn_transformer_encoder_block_new(64, 8, 256, &options));
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&gpt->base)); /* -> 299904 parameters */
    heed_module_free(&gpt->base);
    /* [] */
}

static void example_block_forward(void)
{
    /* [heed_nn_transformer_encoder_block_forward] */
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(64, 8, 256, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(2, 10, 64)), *weights;
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 10, 6); /* the second sequence is padded */
    heed_tensor *y = heed_nn_transformer_encoder_block_forward(net, x, lens, &weights);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (2, 10, 64), weights (2, 8, 10, 10) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_block_forward_with(void)
{
    /* [heed_nn_transformer_encoder_block_forward_with] */
    heed_nn_transformer_encoder_block *net = heed_nn_transformer_encoder_block_new(64, 8, 256, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(2, 3, 64)), *weights;
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3, 3), 1, 1, 0, 1, 1, 1, 0, 1, 1); /* only neighbours */
    heed_nn_attention_call call = {.mask = mask, .weights = &weights};
    heed_nn_transformer_encoder_block_forward_with(net, x, &call);
    heed_tensor *head = heed_select(heed_select(heed_detach(weights), 0, 0), 0, 0);
    printf("%g, %g\n", heed_get(head, HEED_INDEX(0, 2)), heed_get(head, HEED_INDEX(2, 0))); /* -> 0, 0 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_decoder_block_new(void)
{
    /* [heed_nn_transformer_decoder_block_new] */
    heed_nn_transformer_decoder_block *net = heed_nn_transformer_decoder_block_new(64, 8, 256, NULL);
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&net->base)); /* -> 66752 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_decoder_block_forward(void)
{
    /* [heed_nn_transformer_decoder_block_forward] */
    heed_nn_transformer_decoder_block *net = heed_nn_transformer_decoder_block_new(64, 8, 256, NULL);
    heed_tensor *memory = heed_randn(HEED_F32, HEED_SHAPE(2, 10, 64)); /* results of an encoder for 10 and 6 steps */
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 10, 6), *x = heed_randn(HEED_F32, HEED_SHAPE(2, 4, 64));
    heed_tensor *weights, *y = heed_nn_transformer_decoder_block_forward(net, x, memory, NULL, lens, NULL, &weights);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (2, 4, 64), weights (2, 8, 4, 10) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_decoder_block_forward_with(void)
{
    /* [heed_nn_transformer_decoder_block_forward_with] */
    heed_nn_transformer_decoder_block *net = heed_nn_transformer_decoder_block_new(64, 8, 256, NULL);
    heed_tensor *memory = heed_randn(HEED_F32, HEED_SHAPE(2, 3, 64)), *x = heed_randn(HEED_F32, HEED_SHAPE(2, 1, 64));
    heed_tensor *even = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1); /* positions of the memory */
    heed_nn_attention_call call = {.cache = heed_kv_cache_new(NULL), .memory_mask = even};
    for (int i = 0; i < 5; i++) /* the first step computes keys and values of the memory */
        x = heed_nn_transformer_decoder_block_forward_with(net, x, memory, &call);
    printf("%lld steps\n", (long long)heed_kv_cache_length(call.cache)); /* -> 5 steps */
    heed_kv_cache_free(call.cache);
    heed_module_free(&net->base);
    /* [] */
}

static void example_transformer_new(void)
{
    /* [heed_nn_transformer_new] */
    heed_nn_multi_head_attention_options rope = {.rope = true}; /* instead of adding positions */
    heed_nn_transformer_options options = {.dropout = 0.1, .pre_norm = true, .no_positions = true, .attention = &rope};
    heed_nn_transformer *net = heed_nn_transformer_new(1000, 1200, 64, 4, 256, 2, &options);
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&net->base)); /* -> 452528 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_transformer_forward(void)
{
    /* [heed_nn_transformer_forward] */
    heed_nn_transformer *net = heed_nn_transformer_new(1000, 1200, 64, 4, 256, 2, NULL);
    heed_tensor *src = heed_randint(0, 1000, HEED_SHAPE(8, 10)), *tgt = heed_randint(0, 1200, HEED_SHAPE(8, 12));
    heed_tensor *weights, *lens = heed_full(HEED_I64, HEED_SHAPE(8), 7);
    heed_tensor *logits = heed_nn_transformer_forward(net, src, tgt, lens, NULL, NULL, NULL, &weights);
    heed_tensor *loss = heed_cross_entropy(heed_slice(logits, 1, 0, -1, 1), heed_slice(tgt, 1, 1, HEED_END, 1), NULL);
    heed_backward(loss);
    printf("%s, ", heed_shape_text(heed_shape_of(logits)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (8, 12, 1200), weights (2, 8, 4, 12, 10) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_transformer_forward_with(void)
{
    /* [heed_nn_transformer_forward_with] */
    heed_nn_transformer *net = heed_nn_transformer_new(1000, 1200, 64, 4, 256, 2, NULL);
    heed_tensor *src = heed_randint(0, 1000, HEED_SHAPE(8, 3)), *tgt = heed_randint(0, 1200, HEED_SHAPE(8, 5));
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1), *weights; /* all but the second word */
    heed_nn_attention_call call = {.encoder_mask = mask, .memory_mask = mask, .memory_weights = &weights};
    heed_nn_transformer_forward_with(net, src, tgt, &call);
    printf("%s, ", heed_shape_text(heed_shape_of(weights)).s);
    printf("on word 1: %g\n", heed_item(heed_sum(heed_select(weights, -1, 1)))); /* -> (2, 8, 4, 5, 3), on word 1: 0 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_encoder_forward_with(void)
{
    /* [heed_nn_transformer_encoder_forward_with] */
    heed_nn_transformer_encoder *net = heed_nn_transformer_encoder_new(1000, 64, 4, 256, 2, NULL);
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1), *weights; /* all but the second word */
    heed_nn_attention_call call = {.mask = mask, .weights = &weights};
    heed_nn_transformer_encoder_forward_with(net, heed_randint(0, 1000, HEED_SHAPE(8, 3)), &call);
    printf("on word 1: %g\n", heed_item(heed_sum(heed_select(weights, -1, 1)))); /* -> on word 1: 0 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_encoder(void)
{
    /* [heed_nn_transformer_encoder_new heed_nn_transformer_encoder_forward] */
    heed_nn_transformer_encoder *net = heed_nn_transformer_encoder_new(1000, 64, 4, 256, 2, NULL);
    heed_tensor *weights, *tokens = heed_randint(0, 1000, HEED_SHAPE(8, 10));
    heed_tensor *y = heed_nn_transformer_encoder_forward(net, tokens, NULL, &weights);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (8, 10, 64), weights (2, 8, 4, 10, 10) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_decoder(void)
{
    /* [heed_nn_transformer_decoder_new heed_nn_transformer_decoder_forward] */
    heed_nn_transformer_decoder *net =
        heed_nn_transformer_decoder_new(1200, 64, 4, 256, 2, &(heed_nn_transformer_options){.tied = true});
    heed_tensor *memory = heed_randn(HEED_F32, HEED_SHAPE(8, 10, 64)),
                *tokens = heed_randint(0, 1200, HEED_SHAPE(8, 12));
    heed_tensor *logits = heed_nn_transformer_decoder_forward(net, tokens, memory, NULL, NULL, NULL, NULL);
    printf("%s\n", heed_shape_text(heed_shape_of(logits)).s); /* -> (8, 12, 1200) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_decoder_forward_with(void)
{
    /* [heed_nn_transformer_decoder_forward_with] */
    heed_nn_transformer_decoder *net = heed_nn_transformer_decoder_new(1200, 64, 4, 256, 2, NULL);
    heed_tensor *memory = heed_randn(HEED_F32, HEED_SHAPE(8, 10, 64)), *tokens = heed_zeros(HEED_I64, HEED_SHAPE(8, 1));
    heed_nn_attention_call call = {.cache = heed_kv_cache_new(NULL)};
    for (int i = 0; i < 20; i++) {
        heed_tensor *logits = heed_nn_transformer_decoder_forward_with(net, tokens, memory, &call);
        tokens = heed_sample(heed_select(logits, 1, -1), &(heed_sample_options){.temperature = 0.8});
        tokens = heed_unsqueeze(tokens, 1);
    }
    printf("%lld steps\n", (long long)heed_kv_cache_length(call.cache)); /* -> 20 steps */
    heed_kv_cache_free(call.cache);
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_positional_encoding_new();
    example_positional_encoding_forward();
    example_feed_forward_new();
    example_feed_forward_forward();
    example_block_new();
    example_block_forward();
    example_block_forward_with();
    example_decoder_block_new();
    example_decoder_block_forward();
    example_decoder_block_forward_with();
    example_transformer_new();
    example_transformer_forward();
    example_transformer_forward_with();
    example_encoder_forward_with();
    example_encoder();
    example_decoder();
    example_decoder_forward_with();
    return 0;
}
