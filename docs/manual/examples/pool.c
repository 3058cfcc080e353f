/* pool.c - examples of heed/ops/pool.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_max_pool(void)
{
    /* [heed_max_pool] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), *indices;
    heed_print(heed_max_pool(line, HEED_SHAPE(2), NULL, &indices), stdout);
    /* -> tensor([[3., 2.]], shape=(1, 2), dtype=f32) */
    heed_print(indices, stdout);
    /* -> tensor([[1, 2]], shape=(1, 2), dtype=i64) */
    heed_print(heed_max_pool(line, HEED_SHAPE(2), &(heed_max_pool_options){.ceil_mode = true}, NULL), stdout);
    /* -> tensor([[3., 2., 9.]], shape=(1, 3), dtype=f32) */
    heed_tensor *plane = heed_reshape(heed_arange(HEED_F32, 0, 16, 1), HEED_SHAPE(1, 1, 4, 4));
    heed_print(heed_max_pool(plane, HEED_SHAPE(2, 2), NULL, NULL), stdout);
    /* -> tensor([[[[ 5.,  7.],
     *              [13., 15.]]]], shape=(1, 1, 2, 2), dtype=f32) */
    heed_max_pool_options one_by_one = {.stride = HEED_SHAPE(1)};
    heed_print(heed_max_pool(plane, HEED_SHAPE(3, 3), &one_by_one, NULL), stdout);
    /* -> tensor([[[[10., 11.],
     *              [14., 15.]]]], shape=(1, 1, 2, 2), dtype=f32) */
    /* [] */
}

static void example_avg_pool(void)
{
    /* [heed_avg_pool] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4), 1, 3, 5, 7);
    heed_print(heed_avg_pool(line, HEED_SHAPE(2), NULL), stdout); /* -> tensor([[2., 6.]], shape=(1, 2), dtype=f32) */
    heed_avg_pool_options o = {.stride = HEED_SHAPE(1), .padding = HEED_SHAPE(1), .exclude_pad = true};
    heed_print(heed_avg_pool(line, HEED_SHAPE(3), &o), stdout);
    /* -> tensor([[2., 3., 5., 6.]], shape=(1, 4), dtype=f32) */
    heed_tensor *plane = heed_reshape(heed_arange(HEED_F32, 0, 16, 1), HEED_SHAPE(1, 1, 4, 4));
    heed_print(heed_avg_pool(plane, HEED_SHAPE(2, 2), NULL), stdout);
    /* -> tensor([[[[ 2.5000,  4.5000],
     *              [10.5000, 12.5000]]]], shape=(1, 1, 2, 2), dtype=f32) */
    heed_print(heed_avg_pool(plane, HEED_SHAPE(1, 4), NULL), stdout); /* the mean of every row */
    /* -> tensor([[[[ 1.5000],
     *              [ 5.5000],
     *              [ 9.5000],
     *              [13.5000]]]], shape=(1, 1, 4, 1), dtype=f32) */
    /* [] */
}

static void example_adaptive_max_pool(void)
{
    /* [heed_adaptive_max_pool] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), *indices;
    heed_print(heed_adaptive_max_pool(line, HEED_SHAPE(2), NULL), stdout); /* the maxima of 1 3 2 and of 2 0 9 */
    /* -> tensor([[3., 9.]], shape=(1, 2), dtype=f32) */
    heed_tensor *plane = heed_reshape(heed_arange(HEED_F32, 0, 6, 1), HEED_SHAPE(1, 2, 3));
    heed_print(heed_adaptive_max_pool(plane, HEED_SHAPE(1, 3), &indices), stdout);
    /* -> tensor([[[3., 4., 5.]]], shape=(1, 1, 3), dtype=f32) */
    heed_print(indices, stdout);
    /* -> tensor([[[3, 4, 5]]], shape=(1, 1, 3), dtype=i64) */
    /* [] */
}

static void example_adaptive_avg_pool(void)
{
    /* [heed_adaptive_avg_pool] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 6), 1, 3, 5, 7, 9, 11);
    heed_print(heed_adaptive_avg_pool(line, HEED_SHAPE(3)), stdout);
    /* -> tensor([[ 2.,  6., 10.]], shape=(1, 3), dtype=f32) */
    heed_tensor *planes = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(1, 2, 2, 2));
    heed_tensor *means = heed_adaptive_avg_pool(planes, HEED_SHAPE(1, 1)); /* of every plane, for any size */
    heed_print(heed_reshape(means, HEED_SHAPE(1, 2)), stdout);
    /* -> tensor([[1.5000, 5.5000]], shape=(1, 2), dtype=f32) */
    /* [] */
}

static void example_interpolate(void)
{
    /* [heed_interpolate] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 3), 0, 2, 8);
    heed_print(heed_interpolate(line, &(heed_interpolate_options){.scale_factor = 2}), stdout);
    /* -> tensor([[[0., 0., 2., 2., 8., 8.]]], shape=(1, 1, 6), dtype=f32) */
    heed_interpolate_options o = {.size = HEED_SHAPE(5), .mode = HEED_INTERPOLATE_LINEAR, .align_corners = true};
    heed_print(heed_interpolate(line, &o), stdout);
    /* -> tensor([[[0., 1., 2., 5., 8.]]], shape=(1, 1, 5), dtype=f32) */
    heed_tensor *plane = heed_reshape(heed_arange(HEED_F32, 0, 4, 1), HEED_SHAPE(1, 1, 2, 2));
    o = (heed_interpolate_options){.size = HEED_SHAPE(2, 4), .mode = HEED_INTERPOLATE_BILINEAR};
    heed_print(heed_interpolate(plane, &o), stdout);
    /* -> tensor([[[[0.0000, 0.2500, 0.7500, 1.0000],
     *              [2.0000, 2.2500, 2.7500, 3.0000]]]], shape=(1, 1, 2, 4), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_max_pool();
    example_avg_pool();
    example_adaptive_max_pool();
    example_adaptive_avg_pool();
    example_interpolate();
    return 0;
}
