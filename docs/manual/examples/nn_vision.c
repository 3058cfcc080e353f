/* nn_vision.c - examples of heed/nn/vision.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_new(void)
{
    /* [heed_nn_vision_transformer_new] */
    heed_nn_vision_transformer *net = heed_nn_vision_transformer_new(
        HEED_SHAPE(1, 28, 28), HEED_SHAPE(4), 10,
        &(heed_nn_vision_transformer_options){.hidden_size = 64, .num_heads = 4, .ffn_size = 128, .num_layers = 2});
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&net->base)); /* -> 72074 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_forward(void)
{
    /* [heed_nn_vision_transformer_forward] */
    heed_nn_vision_transformer *net =
        heed_nn_vision_transformer_new(HEED_SHAPE(3, 32, 32), HEED_SHAPE(8), 100,
                                       &(heed_nn_vision_transformer_options){.hidden_size = 64, .num_layers = 1});
    heed_tensor *pictures = heed_rand(HEED_F32, HEED_SHAPE(2, 3, 32, 32));
    heed_tensor *logits = heed_nn_vision_transformer_forward(net, pictures);
    printf("%s\n", heed_shape_text(heed_shape_of(logits)).s); /* -> (2, 100) */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_new();
    example_forward();
    return 0;
}
