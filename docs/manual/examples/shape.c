/* shape.c - examples of heed/ops/shape.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_reshape(void)
{
    /* [heed_reshape] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 6, 1);
    heed_tensor *rows = heed_reshape(x, HEED_SHAPE(2, -1));
    heed_print(rows, stdout);
    /* -> tensor([[0., 1., 2.],
     *            [3., 4., 5.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_transpose(void)
{
    /* [heed_transpose] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_tensor *t = heed_transpose(x, 0, 1);
    heed_print(t, stdout);
    /* -> tensor([[1., 4.],
     *            [2., 5.],
     *            [3., 6.]], shape=(3, 2), dtype=f32) */
    printf("%d\n", heed_shares_storage(t, x)); /* a view: they share memory */
    /* -> 1 */
    /* [] */
}

static void example_permute(void)
{
    /* [heed_permute] */
    heed_tensor *image = heed_zeros(HEED_F32, HEED_SHAPE(28, 32, 3)); /* height, width, colour */
    heed_tensor *planes = heed_permute(image, HEED_AXES(2, 0, 1));
    printf("%s\n", heed_shape_text(heed_shape_of(planes)).s); /* -> (3, 28, 32) */
    /* [] */
}

static void example_movedim(void)
{
    /* [heed_movedim] */
    heed_tensor *images = heed_zeros(HEED_F32, HEED_SHAPE(8, 28, 32, 3)); /* batch, height, width, colour */
    heed_tensor *planes = heed_movedim(images, HEED_AXES(-1), HEED_AXES(1));
    printf("%s\n", heed_shape_text(heed_shape_of(planes)).s); /* -> (8, 3, 28, 32) */
    /* [] */
}

static void example_squeeze(void)
{
    /* [heed_squeeze] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(4, 1, 3));
    heed_tensor *y = heed_squeeze(x, 1);
    printf("%s\n", heed_shape_text(heed_shape_of(y)).s); /* -> (4, 3) */
    /* [] */
}

static void example_unsqueeze(void)
{
    /* [heed_unsqueeze] */
    heed_tensor *x = heed_arange(HEED_F32, 1, 4, 1);
    heed_tensor *table = heed_mul(heed_unsqueeze(x, 1), heed_unsqueeze(x, 0)); /* (3, 1) times (1, 3) */
    heed_print(table, stdout);
    /* -> tensor([[1., 2., 3.],
     *            [2., 4., 6.],
     *            [3., 6., 9.]], shape=(3, 3), dtype=f32) */
    /* [] */
}

static void example_expand(void)
{
    /* [heed_expand] */
    heed_tensor *x = heed_set_requires_grad(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 1, 2), true);
    heed_tensor *wide = heed_expand(x, HEED_SHAPE(2, 3));
    heed_backward(heed_sum(wide));
    heed_print(wide, stdout);
    /* -> tensor([[1., 1., 1.],
     *            [2., 2., 2.]], shape=(2, 3), dtype=f32, requires_grad=True) */
    heed_print(heed_grad_of(x), stdout);
    /* -> tensor([[3.],
     *            [3.]], shape=(2, 1), dtype=f32) */
    /* [] */
}

static void example_slice(void)
{
    /* [heed_slice] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 10, 1);
    heed_print(heed_slice(x, 0, 2, 5, 1), stdout); /* x[2:5] */
    /* -> tensor([2., 3., 4.], shape=(3), dtype=f32) */
    heed_print(heed_slice(x, 0, -3, HEED_END, 1), stdout); /* x[-3:] */
    /* -> tensor([7., 8., 9.], shape=(3), dtype=f32) */
    heed_print(heed_slice(x, 0, 0, HEED_END, 4), stdout); /* x[::4] */
    /* -> tensor([0., 4., 8.], shape=(3), dtype=f32) */
    /* [] */
}

static void example_narrow(void)
{
    /* [heed_narrow] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 10, 1);
    heed_print(heed_narrow(x, 0, 2, 3), stdout);  /* -> tensor([2., 3., 4.], shape=(3), dtype=f32) */
    heed_print(heed_narrow(x, 0, -2, 2), stdout); /* -> tensor([8., 9.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_unslice(void)
{
    /* [heed_unslice] */
    heed_tensor *x = heed_arange(HEED_F32, 1, 4, 1);
    heed_print(heed_unslice(x, 0, 1, 1, 5), stdout); /* padded by one on both sides */
    /* -> tensor([0., 1., 2., 3., 0.], shape=(5), dtype=f32) */
    heed_print(heed_unslice(x, 0, 0, 2, 6), stdout); /* spread out: every second element */
    /* -> tensor([1., 0., 2., 0., 3., 0.], shape=(6), dtype=f32) */
    /* [] */
}

static void example_select(void)
{
    /* [heed_select] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_print(heed_select(x, 0, 1), stdout); /* the second row */
    /* -> tensor([4., 5., 6.], shape=(3), dtype=f32) */
    heed_print(heed_select(x, 1, -1), stdout); /* the last column */
    /* -> tensor([3., 6.], shape=(2), dtype=f32) */
    /* [] */
}

static void example_concat(void)
{
    /* [heed_concat] */
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(2, 1)), *y = heed_ones(HEED_F32, HEED_SHAPE(2, 2));
    heed_tensor *row = heed_concat(HEED_TENSORS(x, y), 1);
    heed_print(row, stdout);
    /* -> tensor([[0., 1., 1.],
     *            [0., 1., 1.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_stack(void)
{
    /* [heed_stack] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 3, 1), *y = heed_arange(HEED_F32, 10, 13, 1);
    heed_print(heed_stack(HEED_TENSORS(x, y), 0), stdout);
    /* -> tensor([[ 0.,  1.,  2.],
     *            [10., 11., 12.]], shape=(2, 3), dtype=f32) */
    heed_print(heed_stack(HEED_TENSORS(x, y), -1), stdout);
    /* -> tensor([[ 0., 10.],
     *            [ 1., 11.],
     *            [ 2., 12.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_meshgrid_xy(void)
{
    /* [heed_meshgrid_xy] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 3, 1), *y = heed_arange(HEED_F32, 0, 2, 1), *grids[2];
    if (heed_meshgrid_xy(HEED_TENSORS(x, y), grids) == HEED_OK)
        heed_print(heed_add(grids[0], heed_mul_scalar(grids[1], 10)), stdout); /* x + 10 y, a row per y */
    /* -> tensor([[ 0.,  1.,  2.],
     *            [10., 11., 12.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_repeat_interleave(void)
{
    /* [heed_repeat_interleave heed_tile] */
    heed_tensor *x = heed_arange(HEED_F32, 1, 4, 1);
    heed_print(heed_repeat_interleave(x, 0, 2), stdout); /* -> tensor([1., 1., 2., 2., 3., 3.], shape=(6), dtype=f32) */
    heed_print(heed_tile(x, HEED_SHAPE(2)), stdout);     /* -> tensor([1., 2., 3., 1., 2., 3.], shape=(6), dtype=f32) */
    heed_print(heed_tile(x, HEED_SHAPE(2, 1)), stdout);
    /* -> tensor([[1., 2., 3.],
     *            [1., 2., 3.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_flip(void)
{
    /* [heed_flip] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_print(heed_flip(x, HEED_AXES(-1)), stdout);
    /* -> tensor([[3., 2., 1.],
     *            [6., 5., 4.]], shape=(2, 3), dtype=f32) */
    heed_print(heed_flip(x, HEED_AXES(0, 1)), stdout);
    /* -> tensor([[6., 5., 4.],
     *            [3., 2., 1.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

static void example_diagonal(void)
{
    /* [heed_diagonal heed_diag] */
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 9, 1), HEED_SHAPE(3, 3));
    heed_print(heed_diagonal(x, 0, 0, 1), stdout); /* -> tensor([0., 4., 8.], shape=(3), dtype=f32) */
    heed_tensor *above = heed_diag(x, 1);
    heed_fill_(above, -1); /* a view: writes to x */
    heed_print(x, stdout);
    /* -> tensor([[ 0., -1.,  2.],
     *            [ 3.,  4., -1.],
     *            [ 6.,  7.,  8.]], shape=(3, 3), dtype=f32) */
    heed_print(heed_diag(heed_ones(HEED_F32, HEED_SHAPE(2)), 0), stdout); /* a vector becomes a matrix */
    /* -> tensor([[1., 0.],
     *            [0., 1.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_triangles(void)
{
    /* [heed_tril heed_triu] */
    heed_tensor *x = heed_add_scalar(heed_reshape(heed_arange(HEED_F32, 0, 9, 1), HEED_SHAPE(3, 3)), 1);
    heed_print(heed_triu(x, 0), stdout);
    /* -> tensor([[1., 2., 3.],
     *            [0., 5., 6.],
     *            [0., 0., 9.]], shape=(3, 3), dtype=f32) */
    heed_tensor *causal = heed_tril(heed_ones(HEED_BOOL, HEED_SHAPE(3, 3)), 0); /* keys visible to every query */
    heed_print(causal, stdout);
    /* -> tensor([[ True, False, False],
     *            [ True,  True, False],
     *            [ True,  True,  True]], shape=(3, 3), dtype=bool) */
    /* [] */
}

static void example_split(void)
{
    /* [heed_split] */
    heed_tensor *qkv = heed_zeros(HEED_F32, HEED_SHAPE(2, 7, 12)), *parts[3];
    if (heed_split(qkv, -1, NULL, parts, 3) == HEED_OK)
        printf("%s\n", heed_shape_text(heed_shape_of(parts[2])).s); /* -> (2, 7, 4) */
    const int64_t sizes[] = {8, 2, 2};
    if (heed_split(qkv, -1, sizes, parts, 3) == HEED_OK)
        printf("%s\n", heed_shape_text(heed_shape_of(parts[0])).s); /* -> (2, 7, 8) */
    /* [] */
}

static void example_meshgrid(void)
{
    /* [heed_meshgrid] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 3, 1), *y = heed_arange(HEED_F32, 0, 2, 1), *grids[2];
    if (heed_meshgrid(HEED_TENSORS(x, y), grids) == HEED_OK)
        heed_print(heed_add(grids[0], heed_mul_scalar(grids[1], 10)), stdout); /* x + 10 y */
    /* -> tensor([[ 0., 10.],
     *            [ 1., 11.],
     *            [ 2., 12.]], shape=(3, 2), dtype=f32) */
    /* [] */
}

static void example_roll(void)
{
    /* [heed_roll] */
    heed_tensor *x = heed_arange(HEED_F32, 0, 5, 1);
    heed_print(heed_roll(x, 0, 1), stdout); /* -> tensor([4., 0., 1., 2., 3.], shape=(5), dtype=f32) */
    heed_print(heed_sub(x, heed_roll(x, 0, 1)), stdout);
    /* -> tensor([-4.,  1.,  1.,  1.,  1.], shape=(5), dtype=f32) */
    /* [] */
}

static void example_pad(void)
{
    /* [heed_pad] */
    heed_tensor *x = heed_arange(HEED_F32, 1, 4, 1);
    heed_print(heed_pad(x, HEED_SHAPE(1, 2), HEED_PAD_CONSTANT, 0), stdout);
    /* -> tensor([0., 1., 2., 3., 0., 0.], shape=(6), dtype=f32) */
    heed_print(heed_pad(x, HEED_SHAPE(2, 2), HEED_PAD_REFLECT, 0), stdout);
    /* -> tensor([3., 2., 1., 2., 3., 2., 1.], shape=(7), dtype=f32) */
    heed_print(heed_pad(x, HEED_SHAPE(2, 2), HEED_PAD_REPLICATE, 0), stdout);
    /* -> tensor([1., 1., 1., 2., 3., 3., 3.], shape=(7), dtype=f32) */
    heed_print(heed_pad(x, HEED_SHAPE(2, 2), HEED_PAD_CIRCULAR, 0), stdout);
    /* -> tensor([2., 3., 1., 2., 3., 1., 2.], shape=(7), dtype=f32) */
    heed_tensor *image = heed_zeros(HEED_F32, HEED_SHAPE(3, 28, 28)); /* colour, height, width */
    heed_tensor *padded = heed_pad(image, HEED_SHAPE(2, 2, 1, 1), HEED_PAD_CONSTANT, 0);
    printf("%s\n", heed_shape_text(heed_shape_of(padded)).s); /* -> (3, 30, 32) */
    /* [] */
}

static void example_flatten(void)
{
    /* [heed_flatten] */
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4));
    printf("%s\n", heed_shape_text(heed_shape_of(heed_flatten(x, 1, -1))).s); /* -> (2, 12) */
    printf("%s\n", heed_shape_text(heed_shape_of(heed_flatten(x, 0, 1))).s);  /* -> (6, 4) */
    printf("%s\n", heed_shape_text(heed_shape_of(heed_flatten(x, 0, -1))).s); /* -> (24) */
    /* [] */
}

static void example_pixel_shuffle(void)
{
    /* [heed_pixel_shuffle heed_pixel_unshuffle] */
    heed_tensor *x =
        heed_reshape(heed_arange(HEED_I64, 0, 8, 1), HEED_SHAPE(4, 1, 2)); /* 4 channels, planes of 1 x 2 */
    heed_tensor *y = heed_pixel_shuffle(x, 2);
    heed_print(y, stdout);
    /* -> tensor([[[0, 2, 1, 3],
     *             [4, 6, 5, 7]]], shape=(1, 2, 4), dtype=i64) */
    printf("%s\n", heed_shape_text(heed_shape_of(heed_pixel_unshuffle(y, 2))).s); /* -> (4, 1, 2) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_reshape();
    example_transpose();
    example_permute();
    example_movedim();
    example_squeeze();
    example_unsqueeze();
    example_expand();
    example_slice();
    example_narrow();
    example_unslice();
    example_select();
    example_concat();
    example_stack();
    example_repeat_interleave();
    example_flip();
    example_diagonal();
    example_triangles();
    example_split();
    example_meshgrid();
    example_meshgrid_xy();
    example_roll();
    example_pad();
    example_flatten();
    example_pixel_shuffle();
    return 0;
}
