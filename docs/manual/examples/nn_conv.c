/* nn_conv.c - examples of heed/nn/conv.h. docs/manual/README.md says what the marks mean. */

#include <heed/heed.h>

/* The shape of y. */
static void show(heed_tensor *y)
{
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s);
}

static void example_conv1d(void)
{
    /* [heed_nn_conv1d_new heed_nn_conv1d_forward] */
    heed_nn_conv_options options = {.same = true};
    heed_nn_conv1d *net = heed_nn_conv1d_new(3, 4, HEED_SHAPE(3), &options);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8));
    show(heed_nn_conv1d_forward(net, x)); /* -> (16, 4, 8) */
    show(net->weight);                    /* -> (4, 3, 3) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_conv2d(void)
{
    /* [heed_nn_conv2d_new heed_nn_conv2d_forward] */
    heed_nn_conv_options options = {.same = true};
    heed_nn_conv2d *net = heed_nn_conv2d_new(3, 4, HEED_SHAPE(3), &options);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8, 8));
    show(heed_nn_conv2d_forward(net, x)); /* -> (16, 4, 8, 8) */
    show(net->weight);                    /* -> (4, 3, 3, 3) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_conv_transpose1d(void)
{
    /* [heed_nn_conv_transpose1d_new heed_nn_conv_transpose1d_forward] */
    heed_nn_conv_transpose_options options = {.stride = HEED_SHAPE(2)};
    heed_nn_conv_transpose1d *net = heed_nn_conv_transpose1d_new(3, 4, HEED_SHAPE(2), &options);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8));
    show(heed_nn_conv_transpose1d_forward(net, x)); /* -> (16, 4, 16) */
    show(net->weight);                              /* -> (3, 4, 2) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_conv_transpose2d(void)
{
    /* [heed_nn_conv_transpose2d_new heed_nn_conv_transpose2d_forward] */
    heed_nn_conv_transpose_options options = {.stride = HEED_SHAPE(2)};
    heed_nn_conv_transpose2d *net = heed_nn_conv_transpose2d_new(3, 4, HEED_SHAPE(2), &options);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(16, 3, 8, 8));
    show(heed_nn_conv_transpose2d_forward(net, x)); /* -> (16, 4, 16, 16) */
    show(net->weight);                              /* -> (3, 4, 2, 2) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_max_pool2d(void)
{
    /* [heed_nn_max_pool2d_new heed_nn_max_pool2d_forward] */
    heed_nn_max_pool2d *net = heed_nn_max_pool2d_new(HEED_SHAPE(2), NULL);
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_max_pool2d_forward(net, x), stdout);
    /* -> tensor([[[[5., 7.]]]], shape=(1, 1, 1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_avg_pool2d(void)
{
    /* [heed_nn_avg_pool2d_new heed_nn_avg_pool2d_forward] */
    heed_nn_avg_pool2d *net = heed_nn_avg_pool2d_new(HEED_SHAPE(2), NULL);
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_avg_pool2d_forward(net, x), stdout);
    /* -> tensor([[[[2.5000, 4.5000]]]], shape=(1, 1, 1, 2), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_adaptive_avg_pool2d(void)
{
    /* [heed_nn_adaptive_avg_pool2d_new heed_nn_adaptive_avg_pool2d_forward] */
    heed_nn_adaptive_avg_pool2d *net = heed_nn_adaptive_avg_pool2d_new(HEED_SHAPE(1));
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 1, 2, 4));
    heed_print(heed_nn_adaptive_avg_pool2d_forward(net, x), stdout);
    /* -> tensor([[[[3.5000]]]], shape=(1, 1, 1, 1), dtype=f32) */
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_conv1d();
    example_conv2d();
    example_conv_transpose1d();
    example_conv_transpose2d();
    example_max_pool2d();
    example_avg_pool2d();
    example_adaptive_avg_pool2d();
    return 0;
}
