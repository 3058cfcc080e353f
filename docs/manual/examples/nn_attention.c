/* nn_attention.c - examples of heed/nn/attention.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_additive_new(void)
{
    /* [heed_nn_additive_attention_new] */
    heed_nn_additive_attention_options options = {.dropout = 0.1};
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(2, 20, 8, &options); /* keys, queries, hidden */
    printf("W_k %s, ", heed_shape_text(heed_shape_of(net->W_k->weight)).s);
    printf("W_q %s, ", heed_shape_text(heed_shape_of(net->W_q->weight)).s);
    printf("w_v %s\n", heed_shape_text(heed_shape_of(net->w_v->weight)).s); /* -> W_k (8, 2), W_q (8, 20), w_v (1, 8) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_additive_forward(void)
{
    /* [heed_nn_additive_attention_forward] */
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(2, 20, 8, NULL);
    heed_tensor *queries = heed_randn(HEED_F32, HEED_SHAPE(1, 1, 20)), *keys = heed_ones(HEED_F32, HEED_SHAPE(1, 4, 2));
    heed_tensor *values = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4, 1), 1, 2, 3, 1000);
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3), *weights; /* the fourth key is padding */
    heed_tensor *y = heed_nn_additive_attention_forward(net, queries, keys, values, lens, &weights);
    heed_print(weights, stdout);
    /* -> tensor([[[0.3333, 0.3333, 0.3333, 0.0000]]], shape=(1, 1, 4), dtype=f32,
     *           requires_grad=True) */
    printf("%.4f\n", heed_item(y)); /* -> 2.0000 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_additive_forward_with(void)
{
    /* [heed_nn_additive_attention_forward_with] */
    heed_nn_additive_attention *net = heed_nn_additive_attention_new(2, 20, 8, NULL);
    heed_tensor *queries = heed_randn(HEED_F32, HEED_SHAPE(1, 1, 20)), *keys = heed_ones(HEED_F32, HEED_SHAPE(1, 4, 2));
    heed_tensor *values = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4, 1), 1, 1000, 3, 1000);
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(4), 1, 0, 1, 0); /* for all queries */
    heed_tensor *y =
        heed_nn_additive_attention_forward_with(net, queries, keys, values, &(heed_nn_attention_call){.mask = mask});
    printf("%.4f\n", heed_item(y)); /* -> 2.0000 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_dot_product_new(void)
{
    /* [heed_nn_dot_product_attention_new] */
    heed_nn_dot_product_attention *net =
        heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.causal = true, .dropout = 0.1});
    printf("%lld parameters, dropout %g\n", (long long)heed_module_parameter_count(&net->base), net->dropout);
    /* -> 0 parameters, dropout 0.1 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_dot_product_forward(void)
{
    /* [heed_nn_dot_product_attention_forward] */
    heed_nn_dot_product_attention *net =
        heed_nn_dot_product_attention_new(&(heed_nn_dot_product_attention_options){.causal = true});
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(1, 3, 4)), *weights; /* equal scores */
    heed_tensor *values = heed_reshape(heed_arange(HEED_F32, 0, 3, 1), HEED_SHAPE(1, 3, 1));
    heed_print(heed_nn_dot_product_attention_forward(net, x, x, values, NULL, &weights), stdout);
    /* -> tensor([[[0.0000],
     *             [0.5000],
     *             [1.0000]]], shape=(1, 3, 1), dtype=f32) */
    heed_print(weights, stdout);
    /* -> tensor([[[1.0000, 0.0000, 0.0000],
     *             [0.5000, 0.5000, 0.0000],
     *             [0.3333, 0.3333, 0.3333]]], shape=(1, 3, 3), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_dot_product_forward_with(void)
{
    /* [heed_nn_dot_product_attention_forward_with] */
    heed_nn_dot_product_attention *net = heed_nn_dot_product_attention_new(NULL);
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(1, 2, 4)), *weights; /* equal scores */
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 2), 1, 0, 1, 1);
    heed_tensor *bias = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), log(3), 0); /* the first key counts three times */
    heed_nn_attention_call call = {.mask = mask, .bias = bias, .weights = &weights};
    heed_nn_dot_product_attention_forward_with(net, x, x, x, &call);
    heed_print(weights, stdout);
    /* -> tensor([[[1.0000, 0.0000],
     *             [0.7500, 0.2500]]], shape=(1, 2, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_multi_head_new(void)
{
    /* [heed_nn_multi_head_attention_new] */
    heed_nn_multi_head_attention *self = heed_nn_multi_head_attention_new(64, 8, NULL);
    printf("%s\n", heed_shape_text(heed_shape_of(self->in_proj_weight)).s); /* -> (192, 64) */

    heed_nn_multi_head_attention_options sizes = {.query_size = 32, .key_size = 48, .value_size = 48};
    heed_nn_multi_head_attention *cross = heed_nn_multi_head_attention_new(64, 8, &sizes);
    printf("%s\n", heed_shape_text(heed_shape_of(cross->k_proj_weight)).s); /* -> (64, 48) */
    heed_module_free(&self->base);
    heed_module_free(&cross->base);
    /* [] */
}

static void example_multi_head_forward(void)
{
    /* [heed_nn_multi_head_attention_forward] */
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(64, 8, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(2, 10, 64)), *weights;
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 10, 6); /* the second sequence is padded */
    heed_tensor *y = heed_nn_multi_head_attention_forward(net, x, x, x, lens, &weights);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s);
    /* -> (2, 10, 64), weights (2, 8, 10, 10) */
    printf("on padding: %g\n", heed_item(heed_sum(heed_slice(heed_select(weights, 0, 1), -1, 6, 10, 1))));
    /* -> on padding: 0 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_multi_head_forward_with(void)
{
    /* [heed_nn_multi_head_attention_forward_with] */
    const heed_nn_multi_head_attention_options grouped = {.kv_heads = 2, .rope = true};
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(64, 8, &grouped);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(2, 4, 64)), *weights;
    heed_tensor *pairs = heed_reshape(heed_arange(HEED_F32, 0, 16, 1), HEED_SHAPE(4, 4));
    heed_tensor *mask = heed_compare_scalar(pairs, HEED_COMPARE_LT, 6); /* (4, 4), for all sequences and heads */
    heed_nn_attention_call call = {.mask = mask, .weights = &weights};
    heed_nn_multi_head_attention_forward_with(net, x, x, x, &call);
    heed_tensor *first = heed_select(heed_select(heed_detach(weights), 0, 0), 0, 0); /* first sequence, first head */
    heed_print(heed_sum_axes(first, HEED_AXES(1), false), stdout);
    /* -> tensor([1.0000, 1.0000, 0.0000, 0.0000], shape=(4), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_kv_cache_new(void)
{
    /* [heed_kv_cache_new heed_kv_cache_free heed_kv_cache_length] */
    heed_nn_multi_head_attention *net =
        heed_nn_multi_head_attention_new(16, 4, &(heed_nn_multi_head_attention_options){.causal = true});
    heed_kv_cache *cache = heed_kv_cache_new(&(heed_kv_cache_options){.capacity = 100});
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(2, 1, 16));
    heed_nn_attention_call call = {.cache = cache};
    for (int t = 0; t < 3; t++) /* every step attends to itself and to earlier steps */
        x = heed_nn_multi_head_attention_forward_with(net, x, x, x, &call);
    printf("%lld steps\n", (long long)heed_kv_cache_length(cache)); /* -> 3 steps */
    heed_kv_cache_free(cache);
    heed_module_free(&net->base);
    /* [] */
}

static void example_kv_cache_select(void)
{
    /* [heed_kv_cache_select heed_kv_cache_clear] */
    heed_nn_multi_head_attention *net = heed_nn_multi_head_attention_new(16, 4, NULL);
    heed_nn_attention_call call = {.cache = heed_kv_cache_new(NULL)};
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(1, 5, 16)), *y = heed_randn(HEED_F32, HEED_SHAPE(3, 1, 16));
    heed_nn_multi_head_attention_forward_with(net, x, x, x, &call);
    heed_kv_cache_select(call.cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 0, 0)); /* three continuations */
    y = heed_nn_multi_head_attention_forward_with(net, y, y, y, &call);
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s); /* -> (3, 1, 16) */
    heed_kv_cache_clear(call.cache);                     /* for new sequences */
    heed_kv_cache_free(call.cache);
    heed_module_free(&net->base);
    /* [] */
}

static void example_kv_cache_pad(void)
{
    /* [heed_kv_cache_pad] */
    heed_nn_decoder *net = heed_nn_decoder_new(7, 8, 2, 16, 1, &(heed_nn_decoder_options){.rope = true});
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *prompts = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 4), 0, 0, 5, 2, /* 5 2, after two padding tokens */
                                       3, 1, 4, 1);
    heed_kv_cache_pad(context.cache, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0));
    heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &context, prompts, 5, -1, NULL); /* row by row */
    printf("%s\n", heed_shape_text(heed_shape_of(tokens)).s);                                  /* -> (2, 5) */
    heed_kv_cache_free(context.cache);
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_additive_new();
    example_additive_forward();
    example_additive_forward_with();
    example_dot_product_new();
    example_dot_product_forward();
    example_dot_product_forward_with();
    example_multi_head_new();
    example_multi_head_forward();
    example_multi_head_forward_with();
    example_kv_cache_new();
    example_kv_cache_select();
    example_kv_cache_pad();
    return 0;
}
