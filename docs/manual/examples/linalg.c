/* linalg.c - examples of heed/ops/linalg.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

static void example_cholesky(void)
{
    /* [heed_cholesky] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 4, 2, 2, 10);
    heed_print(heed_cholesky(a, false), stdout);
    /* -> tensor([[2., 0.],
     *            [1., 3.]], shape=(2, 2), dtype=f64) */
    heed_print(heed_cholesky(a, true), stdout);
    /* -> tensor([[2., 1.],
     *            [0., 3.]], shape=(2, 2), dtype=f64) */
    /* [] */
}

static void example_solve_triangular(void)
{
    /* [heed_solve_triangular] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 2, 0, 1, 4), *b = heed_ones(HEED_F64, HEED_SHAPE(2, 1));
    heed_print(heed_solve_triangular(a, b, NULL), stdout); /* a x = b */
    /* -> tensor([[0.5000],
     *            [0.1250]], shape=(2, 1), dtype=f64) */
    heed_triangular_options options = {.transpose = true};
    heed_print(heed_solve_triangular(a, b, &options), stdout); /* a^T x = b */
    /* -> tensor([[0.3750],
     *            [0.2500]], shape=(2, 1), dtype=f64) */
    /* [] */
}

static void example_solve(void)
{
    /* [heed_solve] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 2, 1, 1);
    heed_tensor *b = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 4, 5), true);
    heed_tensor *x = heed_solve(a, b);
    heed_print(x, stdout); /* -> tensor([3., 2.], shape=(2), dtype=f64, requires_grad=True) */
    heed_backward(heed_sum(x));
    heed_print(heed_grad_of(b), stdout); /* -> tensor([0., 1.], shape=(2), dtype=f64) */
    /* [] */
}

static void example_inverse(void)
{
    /* [heed_inverse] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2, 2), 0, 2, 4, 0, 1, 1, 0, 1); /* two matrices */
    heed_tensor *x = heed_inverse(a);
    heed_print(x, stdout);
    /* -> tensor([[[ 0.0000,  0.2500],
     *             [ 0.5000,  0.0000]],
     *
     *            [[ 1.0000, -1.0000],
     *             [ 0.0000,  1.0000]]], shape=(2, 2, 2), dtype=f64) */
    heed_print(heed_bmm(a, x), stdout);
    /* -> tensor([[[1., 0.],
     *             [0., 1.]],
     *
     *            [[1., 0.],
     *             [0., 1.]]], shape=(2, 2, 2), dtype=f64) */
    /* [] */
}

static void example_logdet(void)
{
    /* [heed_logdet] */
    heed_tensor *a = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 2, 0, 1, 4), true);
    heed_tensor *y = heed_logdet(a);
    heed_print(y, stdout); /* ln 8 */
    /* -> tensor(2.0794, shape=(), dtype=f64, requires_grad=True) */
    heed_backward(y);
    heed_print(heed_grad_of(a), stdout);
    /* -> tensor([[ 0.5000, -0.1250],
     *            [ 0.0000,  0.2500]], shape=(2, 2), dtype=f64) */
    /* [] */
}

static void example_slogdet(void)
{
    /* [heed_slogdet] */
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2, 2), 0, 2, 4, 0, 1, 2, 2, 4), *sign;
    heed_print(heed_slogdet(a, &sign), stdout); /* of the determinants -8 and 0 */
    /* -> tensor([2.0794,   -inf], shape=(2), dtype=f64) */
    heed_print(sign, stdout);
    /* -> tensor([-1.,  0.], shape=(2), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_cholesky();
    example_solve_triangular();
    example_solve();
    example_inverse();
    example_logdet();
    example_slogdet();
    return 0;
}
