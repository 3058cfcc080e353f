/* attention.c - examples of heed/ops/attention.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

static void example_dot_product_attention(void)
{
    /* [heed_dot_product_attention] */
    heed_tensor *q = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 2), 1, 0, 0, 1);
    heed_tensor *k = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 2), 5, 0, 0, 5, 9, 9);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 3, 1), 10, 20, NAN);
    heed_tensor *lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 2); /* the third key is padding */
    heed_tensor *weights;
    heed_print(heed_dot_product_attention(q, k, v, &(heed_attention_options){.valid_lens = lengths}, &weights), stdout);
    /* -> tensor([[[10.2832],
     *             [19.7168]]], shape=(1, 2, 1), dtype=f32) */
    heed_print(weights, stdout);
    /* -> tensor([[[0.9717, 0.0283, 0.0000],
     *             [0.0283, 0.9717, 0.0000]]], shape=(1, 2, 3), dtype=f32) */
    heed_attention_options cached = {.causal = true, .window = 2, .query_offset = 1}; /* 2 queries after 1 key */
    heed_print(heed_dot_product_attention(q, k, k, &cached, NULL), stdout);
    /* -> tensor([[[4.8584, 0.1416],
     *             [8.4977, 8.7768]]], shape=(1, 2, 2), dtype=f32) */
    /* [] */
}

static void example_additive_attention(void)
{
    /* [heed_additive_attention] */
    heed_tensor *q = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1, 2), 1, 0);
    heed_tensor *k = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 3), 1, 0, 0, 0, 0, 1);
    heed_tensor *v = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 1), 10, 20);
    heed_tensor *W_q = heed_eye(HEED_F32, 4, 2), *W_k = heed_eye(HEED_F32, 4, 3); /* 4 hidden features */
    heed_tensor *w_v = heed_ones(HEED_F32, HEED_SHAPE(4));
    heed_tensor *weights;
    heed_print(heed_additive_attention(q, k, v, W_q, W_k, w_v, NULL, &weights), stdout);
    /* -> tensor([[[16.3626]]], shape=(1, 1, 1), dtype=f32) */
    heed_print(weights, stdout); /* -> tensor([[[0.3637, 0.6363]]], shape=(1, 1, 2), dtype=f32) */
    /* [] */
}

static void example_visible_keys(void)
{
    /* [heed_attention_visible_keys] */
    heed_attention_options options = {.causal = true, .valid_lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 4)};
    heed_tensor *visible = heed_attention_visible_keys(HEED_SHAPE(2, 3, 4), &options); /* 3 queries, 4 keys */
    heed_print(visible, stdout);
    /* -> tensor([[ True, False, False, False],
     *            [ True,  True,  True, False]], shape=(2, 4), dtype=bool) */
    heed_tensor *keys = heed_full(HEED_F32, HEED_SHAPE(2, 4, 1), NAN);
    keys = heed_masked_fill(keys, heed_unsqueeze(heed_logical_not(visible), 2), 0); /* hidden keys become 0 */
    /* [] */
    (void)keys;
}

static void example_rope(void)
{
    /* [heed_rope] */
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 2, 4), 1, 2, 3, 4, 1, 2, 3, 4); /* positions 0 and 1 */
    heed_print(heed_rope(x, NULL, NULL), stdout);
    /* -> tensor([[[ 1.0000,  2.0000,  3.0000,  4.0000],
     *             [-1.9841,  1.9599,  2.4624,  4.0198]]], shape=(1, 2, 4), dtype=f32) */
    heed_print(heed_rope(x, NULL, &(heed_rope_options){.offset = 7, .interleaved = true}), stdout);
    /* -> tensor([[[-0.5601,  2.1648,  2.7129,  4.2000],
     *             [-2.1242,  0.6984,  2.6707,  4.2270]]], shape=(1, 2, 4), dtype=f32) */
    /* [] */
}

static void example_kernel_regression(void)
{
    /* [heed_kernel_regression] */
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 1, 2, 3);
    heed_tensor *y = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 10, 20, 90);
    heed_tensor *w = heed_set_requires_grad(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 2), true); /* 1 / h */
    heed_tensor *at = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 0.5, 2);
    heed_print(heed_kernel_regression(at, x, y, w, NULL, NULL), stdout);
    /* -> tensor([ 5.1364, 26.3835], shape=(2), dtype=f64, requires_grad=True) */
    heed_kernel_regression_options others = {.leave_one_out = true}; /* predict every point from all other points */
    heed_backward(heed_mse_loss(heed_kernel_regression(x, x, y, w, &others, NULL), y, HEED_REDUCTION_MEAN));
    heed_print(heed_grad_of(w), stdout); /* -> tensor([-0.4027], shape=(1), dtype=f64) */
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    example_dot_product_attention();
    example_additive_attention();
    example_visible_keys();
    example_rope();
    example_kernel_regression();
    return 0;
}
