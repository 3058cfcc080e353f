/* nn_norm.c - examples of heed/nn/norm.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_batch_norm(void)
{
    /* [heed_nn_batch_norm_new heed_nn_batch_norm_forward] */
    heed_nn_batch_norm *norm = heed_nn_batch_norm_new(2, &(heed_nn_batch_norm_options){.momentum = 0.5});
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 20, 3, 40);
    heed_print(heed_detach(heed_nn_batch_norm_forward(norm, x)), stdout);
    /* -> tensor([[-1.0000, -1.0000],
     *            [ 1.0000,  1.0000]], shape=(2, 2), dtype=f32) */
    heed_print(norm->running_mean, stdout); /* halfway from 0 to 2 and 30 */
    /* -> tensor([ 1., 15.], shape=(2), dtype=f32) */
    heed_print(norm->running_var, stdout); /* halfway from 1 to 2 and 200 */
    /* -> tensor([  1.5000, 100.5000], shape=(2), dtype=f32) */
    heed_module_eval(&norm->base);
    heed_print(heed_detach(heed_nn_batch_norm_forward(norm, heed_zeros(HEED_F32, HEED_SHAPE(1, 2)))), stdout);
    /* -> tensor([[-0.8165, -1.4963]], shape=(1, 2), dtype=f32) */
    heed_module_free(&norm->base);
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

static void example_instance_norm(void)
{
    /* [heed_nn_instance_norm_new heed_nn_instance_norm_forward] */
    heed_nn_instance_norm *norm = heed_nn_instance_norm_new(2, NULL);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 4), 1, 2, 3, 4, 400, 300, 200, 100);
    heed_print(heed_nn_instance_norm_forward(norm, x), stdout);
    /* -> tensor([[[-1.3416, -0.4472,  0.4472,  1.3416],
     *             [ 1.3416,  0.4472, -0.4472, -1.3416]]], shape=(1, 2, 4), dtype=f32) */
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
    example_batch_norm();
    example_group_norm();
    example_instance_norm();
    example_rms_norm();
    return 0;
}
