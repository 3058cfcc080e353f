/* conv.c - examples of heed/ops/conv.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_conv(void)
{
    /* [heed_conv] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 6), 0, 0, 1, 1, 1, 0);
    heed_tensor *step = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2), -1, 1);
    heed_print(heed_conv(line, step, NULL, NULL), stdout); /* finds rising and falling steps */
    /* -> tensor([[[ 0.,  1.,  0.,  0., -1.]]], shape=(1, 1, 5), dtype=f32) */
    heed_print(heed_conv(line, step, NULL, &(heed_conv_options){.stride = HEED_SHAPE(2)}), stdout);
    /* -> tensor([[[ 0.,  0., -1.]]], shape=(1, 1, 3), dtype=f32) */
    heed_tensor *plane = heed_reshape(heed_arange(HEED_F32, 0, 9, 1), HEED_SHAPE(1, 1, 3, 3));
    heed_tensor *w = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2, 2), 0, 1, 2, 3);
    heed_print(heed_conv(plane, w, NULL, NULL), stdout);
    /* -> tensor([[[[19., 25.],
     *              [37., 43.]]]], shape=(1, 1, 2, 2), dtype=f32) */
    heed_tensor *y = heed_conv(plane, w, NULL, &(heed_conv_options){.padding = HEED_SHAPE(1), .stride = HEED_SHAPE(2)});
    heed_print(y, stdout);
    /* -> tensor([[[[ 0.,  8.],
     *              [21., 43.]]]], shape=(1, 1, 2, 2), dtype=f32) */
    /* [] */
}

static void example_conv_transpose(void)
{
    /* [heed_conv_transpose] */
    heed_tensor *line = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 3), 1, 2, 3);
    heed_tensor *w = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2), 1, 10);
    heed_print(heed_conv_transpose(line, w, NULL, NULL), stdout);
    /* -> tensor([[[ 1., 12., 23., 30.]]], shape=(1, 1, 4), dtype=f32) */
    heed_print(heed_conv_transpose(line, w, NULL, &(heed_conv_transpose_options){.stride = HEED_SHAPE(2)}), stdout);
    /* -> tensor([[[ 1., 10.,  2., 20.,  3., 30.]]], shape=(1, 1, 6), dtype=f32) */
    heed_tensor *plane = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2, 2), 0, 1, 2, 3);
    heed_tensor *larger = heed_conv_transpose(plane, heed_ones(HEED_F32, HEED_SHAPE(1, 1, 2, 2)), NULL,
                                              &(heed_conv_transpose_options){.stride = HEED_SHAPE(2)});
    heed_print(larger, stdout); /* every number, twice as high and wide */
    /* -> tensor([[[[0., 0., 1., 1.],
     *              [0., 0., 1., 1.],
     *              [2., 2., 3., 3.],
     *              [2., 2., 3., 3.]]]], shape=(1, 1, 4, 4), dtype=f32) */
    /* [] */
}

static void example_unfold(void)
{
    /* [heed_unfold] */
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 6, 1), HEED_SHAPE(1, 1, 2, 3));
    heed_tensor *columns = heed_unfold(x, HEED_SHAPE(2), NULL);
    heed_print(columns, stdout); /* two windows of 2 x 2 */
    /* -> tensor([[[0., 1.],
     *             [1., 2.],
     *             [3., 4.],
     *             [4., 5.]]], shape=(1, 4, 2), dtype=f32) */
    heed_tensor *w = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 4), 1, 1, 1, 1);
    heed_print(heed_matmul(w, columns), stdout); /* a convolution as a matrix product */
    /* -> tensor([[[ 8., 12.]]], shape=(1, 1, 2), dtype=f32) */
    /* [] */
}

static void example_fold(void)
{
    /* [heed_fold] */
    heed_tensor *ones = heed_ones(HEED_F32, HEED_SHAPE(1, 4, 4));
    heed_print(heed_fold(ones, HEED_SHAPE(3), HEED_SHAPE(2), NULL), stdout); /* number of windows per position */
    /* -> tensor([[[[1., 2., 1.],
     *              [2., 4., 2.],
     *              [1., 2., 1.]]]], shape=(1, 1, 3, 3), dtype=f32) */
    heed_tensor *apart = heed_fold(ones, HEED_SHAPE(4), HEED_SHAPE(2), &(heed_unfold_options){.stride = HEED_SHAPE(2)});
    printf("%g\n", heed_item(heed_max(apart)));
    /* -> 1 */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_conv();
    example_conv_transpose();
    example_unfold();
    example_fold();
    return 0;
}
