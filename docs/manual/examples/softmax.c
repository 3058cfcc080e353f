/* softmax.c - examples of heed/ops/softmax.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_softmax(void)
{
    /* [heed_softmax] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 2, 3, 1000, 1000, -INFINITY);
    heed_tensor *y = heed_softmax(heed_set_requires_grad(x, true), -1);
    heed_print(y, stdout);
    /* -> tensor([[0.0900, 0.2447, 0.6652],
     *            [0.5000, 0.5000, 0.0000]], shape=(2, 3), dtype=f64, requires_grad=True) */
    heed_backward(heed_sum(heed_select(y, 1, 2))); /* the gradient of the last column */
    heed_print(heed_grad_of(x), stdout);
    /* -> tensor([[-0.0599, -0.1628,  0.2227],
     *            [ 0.0000,  0.0000,  0.0000]], shape=(2, 3), dtype=f64) */
    /* [] */
}

static void example_log_softmax(void)
{
    /* [heed_log_softmax] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 0, 1000);
    heed_print(heed_log_softmax(x, 0), stdout);       /* -> tensor([-1000., -1000.,     0.], shape=(3), dtype=f64) */
    heed_print(heed_log(heed_softmax(x, 0)), stdout); /* -> tensor([-inf, -inf, 0.], shape=(3), dtype=f64) */
    /* [] */
}

static void example_logsumexp(void)
{
    /* [heed_logsumexp] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 0, 0, 100, 100);
    heed_tensor *y = heed_logsumexp(x, 1, false); /* ln 2 and 100 + ln 2, although e^100 overflows f32 */
    heed_print(y, stdout);                        /* -> tensor([  0.6931, 100.6931], shape=(2), dtype=f32) */
    /* [] */
}

static void example_masked_softmax(void)
{
    /* [heed_masked_softmax] */
    heed_tensor *scores = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1, 3), 1, 1, NAN, 1, 2, 3);
    heed_tensor *lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3);
    heed_print(heed_masked_softmax(scores, lengths), stdout);
    /* -> tensor([[[0.5000, 0.5000, 0.0000]],
     *
     *            [[0.0900, 0.2447, 0.6652]]], shape=(2, 1, 3), dtype=f32) */
    heed_tensor *mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), true, false, true); /* the same for all rows */
    heed_print(heed_masked_softmax(heed_select(scores, 0, 1), mask), stdout);
    /* -> tensor([[0.1192, 0.0000, 0.8808]], shape=(1, 3), dtype=f32) */
    /* [] */
}

static void example_sequence_mask(void)
{
    /* [heed_sequence_mask] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    heed_tensor *lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 2);
    heed_print(heed_sequence_mask(x, lengths, -1), stdout);
    /* -> tensor([[ 1., -1., -1.],
     *            [ 4.,  5., -1.]], shape=(2, 3), dtype=f32) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_softmax();
    example_log_softmax();
    example_logsumexp();
    example_masked_softmax();
    example_sequence_mask();
    return 0;
}
