/* nn_norm.c - examples of heed/nn/norm.h. docs/manual/README.md says what the marks mean. */
#include <heed/heed.h>

static void example_batch_norm1d(void)
{
    /* [heed_nn_batch_norm1d_new heed_nn_batch_norm1d_forward] */
    heed_nn_batch_norm1d *norm = heed_nn_batch_norm1d_new(2, &(heed_nn_batch_norm_options){.momentum = 0.5});
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 20, 3, 40);
    heed_print(heed_detach(heed_nn_batch_norm1d_forward(norm, x)), stdout);
    /* -> tensor([[-1.0000, -1.0000],
     *            [ 1.0000,  1.0000]], shape=(2, 2), dtype=f32) */
    heed_print(norm->running_mean, stdout); /* halfway from 0 to 2 and 30 */
    /* -> tensor([ 1., 15.], shape=(2), dtype=f32) */
    heed_print(norm->running_var, stdout); /* halfway from 1 to 2 and 200 */
    /* -> tensor([  1.5000, 100.5000], shape=(2), dtype=f32) */
    heed_module_eval(&norm->base);
    heed_print(heed_detach(heed_nn_batch_norm1d_forward(norm, heed_zeros(HEED_F32, HEED_SHAPE(1, 2)))), stdout);
    /* -> tensor([[-0.8165, -1.4963]], shape=(1, 2), dtype=f32) */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_batch_norm2d(void)
{
    /* [heed_nn_batch_norm2d_new heed_nn_batch_norm2d_forward] */
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_conv2d_new(3, 16, HEED_SHAPE(3), &(heed_nn_conv_options){.no_bias = true}),
                     heed_nn_batch_norm2d_new(16, NULL), heed_nn_function_new("relu", heed_relu)));
    heed_tensor *y = heed_nn_sequential_forward(net, heed_rand(HEED_F32, HEED_SHAPE(8, 3, 10, 10)));
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s);                                    /* -> (8, 16, 8, 8) */
    printf("%g batch\n", heed_item(heed_module_find(&net->base, "1.num_batches_tracked"))); /* -> 1 batch */
    heed_module_free(&net->base);
    /* [] */
}

static void example_group_norm(void)
{
    /* [heed_nn_group_norm_new heed_nn_group_norm_forward] */
    heed_nn_group_norm *norm = heed_nn_group_norm_new(2, 4, &(heed_nn_group_norm_options){.no_affine = true});
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4), 1, 3, 10, 30);
    heed_print(heed_nn_group_norm_forward(norm, x), stdout);
    /* -> tensor([[-1.0000,  1.0000, -1.0000,  1.0000]], shape=(1, 4), dtype=f32) */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_instance_norm1d(void)
{
    /* [heed_nn_instance_norm1d_new heed_nn_instance_norm1d_forward] */
    heed_nn_instance_norm1d *norm = heed_nn_instance_norm1d_new(2, NULL);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 4), 1, 2, 3, 4, 400, 300, 200, 100);
    heed_print(heed_nn_instance_norm1d_forward(norm, x), stdout);
    /* -> tensor([[[-1.3416, -0.4472,  0.4472,  1.3416],
     *             [ 1.3416,  0.4472, -0.4472, -1.3416]]], shape=(1, 2, 4), dtype=f32) */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_instance_norm2d(void)
{
    /* [heed_nn_instance_norm2d_new heed_nn_instance_norm2d_forward] */
    heed_nn_instance_norm2d *norm = heed_nn_instance_norm2d_new(1, &(heed_nn_instance_norm_options){.affine = true});
    printf("%lld parameters\n", (long long)heed_module_parameter_count(&norm->base)); /* -> 2 parameters */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2, 2), 1, 5, 1, 5);
    heed_print(heed_detach(heed_nn_instance_norm2d_forward(norm, x)), stdout);
    /* -> tensor([[[[-1.0000,  1.0000],
     *              [-1.0000,  1.0000]]]], shape=(1, 1, 2, 2), dtype=f32) */
    heed_module_free(&norm->base);
    /* [] */
}

static void example_rms_norm(void)
{
    /* [heed_nn_rms_norm_new heed_nn_rms_norm_forward] */
    heed_nn_rms_norm *norm = heed_nn_rms_norm_new(HEED_SHAPE(2), NULL);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 3, 4, 30, -40);
    heed_print(heed_detach(heed_nn_rms_norm_forward(norm, x)), stdout);
    /* -> tensor([[ 0.8485,  1.1314],
     *            [ 0.8485, -1.1314]], shape=(2, 2), dtype=f32) */
    heed_module_free(&norm->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_batch_norm1d();
    example_batch_norm2d();
    example_group_norm();
    example_instance_norm1d();
    example_instance_norm2d();
    example_rms_norm();
    return 0;
}
