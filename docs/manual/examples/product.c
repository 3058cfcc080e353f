/* product.c - examples of heed/ops/product.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_bmm(void)
{
    /* [heed_bmm] */
    heed_tensor *a = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1, 2), 1, 2, 3, 4);
    heed_tensor *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2, 1), 10, 100, 10, 100);
    heed_print(heed_bmm(a, b), stdout);
    /* -> tensor([[[210.]],
     *
     *            [[430.]]], shape=(2, 1, 1), dtype=f32) */
    /* [] */
}

static void example_bmm_t(void)
{
    /* [heed_bmm_t] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 3), 1, 2, 3, 4, 5, 6);
    heed_print(heed_bmm_t(x, false, x, true), stdout); /* x x^T */
    /* -> tensor([[[14., 32.],
     *             [32., 77.]]], shape=(1, 2, 2), dtype=f32) */
    heed_print(heed_bmm_t(x, true, x, false), stdout); /* x^T x */
    /* -> tensor([[[17., 22., 27.],
     *             [22., 29., 36.],
     *             [27., 36., 45.]]], shape=(1, 3, 3), dtype=f32) */
    /* [] */
}

static void example_matmul(void)
{
    /* [heed_matmul] */
    heed_tensor *a = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, 3, 4), true);
    heed_tensor *v = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 10, 1);
    heed_tensor *y = heed_matmul(a, v); /* (2, 2) x (2) -> (2) */
    heed_backward(heed_sum(y));
    heed_print(y, stdout); /* -> tensor([12., 34.], shape=(2), dtype=f64, requires_grad=True) */
    heed_print(heed_grad_of(a), stdout);
    /* -> tensor([[10.,  1.],
     *            [10.,  1.]], shape=(2, 2), dtype=f64) */
    /* [] */
}

static void example_linear(void)
{
    /* [heed_linear] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 0, 0, 0, 1, 1);
    heed_tensor *w = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6); /* (out, in) */
    heed_tensor *b = HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 0.5, 0);
    heed_print(heed_linear(x, w, b), stdout);
    /* -> tensor([[ 1.5000,  4.0000],
     *            [ 5.5000, 11.0000]], shape=(2, 2), dtype=f32) */
    /* [] */
}

static void example_linear_activated(void)
{
    /* [heed_linear_activated] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2), 1, -1);
    heed_tensor *w = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 2, 3, 1, 0, 0);
    heed_print(heed_linear_activated(x, w, NULL, heed_relu), stdout); /* in one pass */
    /* -> tensor([[0., 2., 0.]], shape=(1, 3), dtype=f32) */
    heed_print(heed_linear_activated(x, w, NULL, heed_softplus), stdout); /* any function from a tensor to a tensor */
    /* -> tensor([[0.3133, 2.1269, 0.6931]], shape=(1, 3), dtype=f32) */
    /* [] */
}

static void example_einsum(void)
{
    /* [heed_einsum] */
    heed_tensor *q = heed_ones(HEED_F32, HEED_SHAPE(2, 3, 4)), *k = heed_ones(HEED_F32, HEED_SHAPE(2, 5, 4));
    heed_tensor *scores = heed_einsum("bqd,bkd->bqk", HEED_TENSORS(q, k));
    printf("%s\n", heed_shape_text(heed_shape_of(scores)).s); /* -> (2, 3, 5) */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, 2, 3, 4);
    printf("%g\n", heed_item(heed_einsum("ii", HEED_TENSORS(x)))); /* -> 5 */
    heed_print(heed_einsum("ij,kj->ik", HEED_TENSORS(x, x)), stdout);
    /* -> tensor([[ 5., 11.],
     *            [11., 25.]], shape=(2, 2), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_bmm();
    example_bmm_t();
    example_matmul();
    example_linear();
    example_linear_activated();
    example_einsum();
    return 0;
}
