/* nn_conv.c - examples of heed/nn/conv.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

/* The shape of y. */
static void show(heed_tensor *y)
{
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s);
}

static void example_conv(void)
{
    /* [heed_nn_conv_new heed_nn_conv_forward] */
    heed_nn_conv_options options = {.same = true};
    heed_nn_conv *lines = heed_nn_conv_new(3, 4, HEED_SHAPE(3), &options);
    show(heed_nn_conv_forward(lines, heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8)))); /* -> (16, 4, 8) */
    show(lines->weight);                                                          /* -> (4, 3, 3) */
    heed_nn_conv *planes = heed_nn_conv_new(3, 4, HEED_SHAPE(3, 3), &options);
    show(heed_nn_conv_forward(planes, heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8, 8)))); /* -> (16, 4, 8, 8) */
    show(planes->weight);                                                             /* -> (4, 3, 3, 3) */
    heed_module_free(&lines->base);
    heed_module_free(&planes->base);
    /* [] */
}

static void example_conv_transpose(void)
{
    /* [heed_nn_conv_transpose_new heed_nn_conv_transpose_forward] */
    heed_nn_conv_transpose_options options = {.stride = HEED_SHAPE(2)};
    heed_nn_conv_transpose *net = heed_nn_conv_transpose_new(3, 4, HEED_SHAPE(2, 2), &options);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8, 8));
    show(heed_nn_conv_transpose_forward(net, x)); /* -> (16, 4, 16, 16) */
    show(net->weight);                            /* -> (3, 4, 2, 2) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_max_pool(void)
{
    /* [heed_nn_max_pool_new heed_nn_max_pool_forward] */
    heed_nn_max_pool *net = heed_nn_max_pool_new(HEED_SHAPE(2, 2), NULL);
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_max_pool_forward(net, x), stdout);
    /* -> tensor([[[[5., 7.]]]], shape=(1, 1, 1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_avg_pool(void)
{
    /* [heed_nn_avg_pool_new heed_nn_avg_pool_forward] */
    heed_nn_avg_pool *net = heed_nn_avg_pool_new(HEED_SHAPE(2, 2), NULL);
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_avg_pool_forward(net, x), stdout);
    /* -> tensor([[[[2.5000, 4.5000]]]], shape=(1, 1, 1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_adaptive_avg_pool(void)
{
    /* [heed_nn_adaptive_avg_pool_new heed_nn_adaptive_avg_pool_forward] */
    heed_nn_adaptive_avg_pool *net = heed_nn_adaptive_avg_pool_new(HEED_SHAPE(1, 1));
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_adaptive_avg_pool_forward(net, x), stdout);
    /* -> tensor([[[[3.5000]]]], shape=(1, 1, 1, 1), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_adaptive_max_pool(void)
{
    /* [heed_nn_adaptive_max_pool_new heed_nn_adaptive_max_pool_forward] */
    heed_nn_adaptive_max_pool *net = heed_nn_adaptive_max_pool_new(HEED_SHAPE(2));
    heed_print(heed_nn_adaptive_max_pool_forward(net, HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9)), stdout);
    /* -> tensor([[3., 9.]], shape=(1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_upsample(void)
{
    /* [heed_nn_upsample_new heed_nn_upsample_forward] */
    heed_nn_upsample *net = heed_nn_upsample_new(&(heed_interpolate_options){.scale_factor = 2});
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 3, 1), HEED_SHAPE(1, 1, 1, 3));
    heed_print(heed_nn_upsample_forward(net, x), stdout);
    /* -> tensor([[[[0., 0., 1., 1., 2., 2.],
     *              [0., 0., 1., 1., 2., 2.]]]], shape=(1, 1, 2, 6), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_conv();
    example_conv_transpose();
    example_max_pool();
    example_avg_pool();
    example_adaptive_avg_pool();
    example_adaptive_max_pool();
    example_upsample();
    return 0;
}
