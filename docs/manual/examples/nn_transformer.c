/* nn_transformer.c - examples of heed/nn/transformer.h. docs/manual/README.md says what the marks mean. */
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
    heed_nn_transformer_encoder_block_options options = {
        .dropout = 0.1, .activation = heed_gelu, .pre_norm = true, .causal = true};
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
    heed_tensor *memory = heed_randn(HEED_F32, HEED_SHAPE(2, 10, 64)); /* an encoder's results, of 10 and of 6 steps */
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 10, 6), *x = heed_randn(HEED_F32, HEED_SHAPE(2, 4, 64));
    heed_tensor *weights, *y = heed_nn_transformer_decoder_block_forward(net, x, memory, NULL, lens, NULL, &weights);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (2, 4, 64), weights (2, 8, 4, 10) */
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
    example_decoder_block_new();
    example_decoder_block_forward();
    return 0;
}
