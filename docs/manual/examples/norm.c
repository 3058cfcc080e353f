/* norm.c - examples of heed/ops/norm.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_layer_norm(void)
{
    /* [heed_layer_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), 1, 2, 3, 4, 10, 20, 30, 40);
    heed_print(heed_layer_norm(x, HEED_SHAPE(4), NULL, NULL, 1e-5), stdout);
    /* -> tensor([[-1.3416, -0.4472,  0.4472,  1.3416],
     *            [-1.3416, -0.4472,  0.4472,  1.3416]], shape=(2, 4), dtype=f32) */
    heed_tensor *scale = heed_full(HEED_F32, HEED_SHAPE(4), 10), *shift = heed_full(HEED_F32, HEED_SHAPE(4), 100);
    heed_print(heed_layer_norm(x, HEED_SHAPE(4), scale, shift, 1e-5), stdout);
    /* -> tensor([[ 86.5836,  95.5279, 104.4721, 113.4164],
     *            [ 86.5836,  95.5279, 104.4721, 113.4164]], shape=(2, 4), dtype=f32) */
    /* [] */
}

static void example_rms_norm(void)
{
    /* [heed_rms_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 3, 4, 30, -40);
    heed_print(heed_rms_norm(x, HEED_SHAPE(2), NULL, 1e-6), stdout);
    /* -> tensor([[ 0.8485,  1.1314],
     *            [ 0.8485, -1.1314]], shape=(2, 2), dtype=f32) */
    heed_print(heed_rms_norm(x, HEED_SHAPE(2), heed_full(HEED_F32, HEED_SHAPE(2), 10), 1e-6), stdout);
    /* -> tensor([[  8.4853,  11.3137],
     *            [  8.4853, -11.3137]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_batch_norm(void)
{
    /* [heed_batch_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 2, 3), *statistics;
    heed_print(heed_batch_norm(x, NULL, NULL, NULL, NULL, 0, &statistics), stdout); /* every column by itself */
    /* -> tensor([[-1., -1.],
     *            [ 1.,  1.]], shape=(2, 2), dtype=f32) */
    heed_print(heed_layer_norm(x, HEED_SHAPE(2), NULL, NULL, 0), stdout); /* every row by itself */
    /* -> tensor([[-1.,  1.],
     *            [-1.,  1.]], shape=(2, 2), dtype=f32) */
    heed_print(statistics, stdout); /* means and variances */
    /* -> tensor([[1.5000, 2.5000],
     *            [0.2500, 0.2500]], shape=(2, 2), dtype=f32) */
    heed_tensor *mean = heed_select(statistics, 0, 0), *variance = heed_select(statistics, 0, 1);
    heed_tensor *other = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 4, 5);
    heed_print(heed_batch_norm(other, mean, variance, NULL, NULL, 0, NULL), stdout);
    /* -> tensor([[5., 5.]], shape=(1, 2), dtype=f32) */
    /* [] */
}

static void example_group_norm(void)
{
    /* [heed_group_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4), 1, 3, 10, 30);
    heed_print(heed_group_norm(x, 2, NULL, NULL, 0), stdout);
    /* -> tensor([[-1.,  1., -1.,  1.]], shape=(1, 4), dtype=f32) */
    heed_tensor *weight = HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 2, 3, 4);
    heed_print(heed_group_norm(x, 2, weight, heed_full(HEED_F32, HEED_SHAPE(4), 10), 0), stdout);
    /* -> tensor([[ 9., 12.,  7., 14.]], shape=(1, 4), dtype=f32) */
    /* [] */
}

static void example_instance_norm(void)
{
    /* [heed_instance_norm] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 4), 1, 2, 3, 4, 400, 300, 200, 100);
    heed_print(heed_instance_norm(x, NULL, NULL, 1e-5), stdout);
    /* -> tensor([[[-1.3416, -0.4472,  0.4472,  1.3416],
     *             [ 1.3416,  0.4472, -0.4472, -1.3416]]], shape=(1, 2, 4), dtype=f32) */
    heed_print(heed_instance_norm(x, NULL, HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 10, 20), 1e-5), stdout);
    /* -> tensor([[[ 8.6584,  9.5528, 10.4472, 11.3416],
     *             [21.3416, 20.4472, 19.5528, 18.6584]]], shape=(1, 2, 4), dtype=f32) */
    /* [] */
}

static void example_dropout(void)
{
    /* [heed_dropout] */
    heed_manual_seed(1);
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F32, HEED_SHAPE(8)), true);
    heed_tensor *y = heed_dropout(x, 0.5, true);
    heed_backward(heed_sum(y));
    heed_print(y, stdout);
    /* -> tensor([0., 0., 0., 0., 2., 2., 0., 0.], shape=(8), dtype=f32,
     *           requires_grad=True) */
    heed_print(heed_grad_of(x), stdout); /* -> tensor([0., 0., 0., 0., 2., 2., 0., 0.], shape=(8), dtype=f32) */
    printf("%d\n", heed_dropout(x, 0.5, false) == x); /* not training */
    /* -> 1 */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_layer_norm();
    example_rms_norm();
    example_batch_norm();
    example_group_norm();
    example_instance_norm();
    example_dropout();
    return 0;
}
