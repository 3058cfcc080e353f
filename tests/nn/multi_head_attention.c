/* tests/nn/multi_head_attention.c - the cases of heed_nn_multi_head_attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "self-attention of two heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(causal, true)},
        .in = {INPUT(queries, 2, 3, 4), INPUT(keys, 2, 3, 4), INPUT(values, 2, 3, 4)},
    },
    {
        .name = "lengths, and weights",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(no_bias, true)},
        .in = {INPUT(queries, 2, 2, 4), INPUT(keys, 2, 3, 4), INPUT(values, 2, 3, 4), LENGTHS(valid_lens, 2, 3)},
        .requested = "weights",
    },
    {
        .name = "other sizes",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 2), ARG(query_size, 3), ARG(key_size, 1), ARG(value_size, 4)},
        .in = {INPUT(queries, 1, 2, 3), INPUT(keys, 1, 3, 1), INPUT(values, 1, 3, 4)},
    },
    {
        .name = "dropout",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(dropout, 0.5)},
        .in = {INPUT(queries, 1, 2, 4), INPUT(keys, 1, 3, 4), INPUT(values, 1, 3, 4)},
    },
    {
        .name = "grouped queries, turned by their positions",
        .args = {ARG(hidden_size, 8), ARG(num_heads, 4), ARG(kv_heads, 2), ARG(rope, true), ARG(rope_base, 100),
                 ARG(no_out_bias, true), ARG(causal, true)},
        .in = {INPUT(queries, 1, 3, 8), INPUT(keys, 1, 3, 8), INPUT(values, 1, 3, 8)},
    },
    {
        .name = "part of each head turned, in pairs",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(rope, true), ARG(rope_dims, 2),
                 ARG(rope_interleaved, true)},
        .in = {INPUT(queries, 1, 2, 4), INPUT(keys, 1, 3, 4), INPUT(values, 1, 3, 4)},
    },
    {
        .name = "ALiBi of 3 heads, a window, lengths, other sizes",
        .args = {ARG(hidden_size, 3), ARG(num_heads, 3), ARG(kv_heads, 1), ARG(key_size, 2), ARG(alibi, true),
                 ARG(window, 2)},
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 2), INPUT(values, 2, 4, 3), LENGTHS(valid_lens, 2, 3)},
        .requested = "weights",
    },
    {
        .name = "a bias of distances up to 2",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(kv_heads, 1), ARG(relative_positions, 2),
                 ARG(causal, true)},
        .in = {INPUT(queries, 2, 3, 4), INPUT(keys, 2, 4, 4), INPUT(values, 2, 4, 4)},
        .requested = "weights",
    },
    {
        .name = "heads of their own size, normed, turned by stretched positions",
        .args = {ARG(hidden_size, 3), ARG(num_heads, 2), ARG(kv_heads, 1), ARG(head_dim, 4), ARG(value_size, 2),
                 ARG(qk_norm, true), ARG(qk_norm_eps, 0.5), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_LINEAR),
                 ARG(rope_factor, 4)},
        .in = {INPUT(queries, 1, 2, 3), INPUT(keys, 1, 3, 3), INPUT(values, 1, 3, 2)},
    },
    {
        .name = "slow pairs stretched",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_LLAMA3),
                 ARG(rope_factor, 8), ARG(rope_original_len, 40), ARG(rope_low_freq_factor, 0.5),
                 ARG(rope_high_freq_factor, 8)},
        .in = {INPUT(queries, 1, 2, 4), INPUT(keys, 1, 3, 4), INPUT(values, 1, 3, 4)},
    },
    {
        .name = "the base of longer sequences",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_DYNAMIC),
                 ARG(rope_factor, 2), ARG(rope_original_len, 2)},
        .in = {INPUT(queries, 1, 2, 4), INPUT(keys, 1, 3, 4), INPUT(values, 1, 3, 4)},
    },
    {
        .name = "YaRN",
        .args = {ARG(hidden_size, 6), ARG(num_heads, 1), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_YARN),
                 ARG(rope_dims, 4), ARG(rope_factor, 4), ARG(rope_original_len, 90), ARG(rope_low_freq_factor, 2),
                 ARG(rope_high_freq_factor, 8), ARG(rope_attention_factor, 1.5), ARG(rope_no_truncate, true)},
        .in = {INPUT(queries, 1, 2, 6), INPUT(keys, 1, 3, 6), INPUT(values, 1, 3, 6)},
    },
    {
        .name = "(4, 20, 16)",
        .args = {ARG(hidden_size, 16), ARG(num_heads, 4)},
        .in = {INPUT(queries, 4, 20, 16), INPUT(keys, 4, 20, 16), INPUT(values, 4, 20, 16)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "3 heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "multiple of num_heads, 3",
    },
    {
        .name = "no heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: num_heads is 0",
    },
    {
        .name = "3 heads of keys",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 4), ARG(kv_heads, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: kv_heads is 3: must divide num_heads, 4",
    },
    {
        .name = "a window below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(window, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: window is -1",
    },
    {
        .name = "relative positions below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(relative_positions, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: relative_positions is -1: must be in 0 .. 2^32",
    },
    {
        .name = "heads that cannot be turned",
        .args = {ARG(hidden_size, 3), ARG(num_heads, 1), ARG(rope, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_dims is 3: must be even and at most head_dim, 3",
    },
    {
        .name = "more than a head turned",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_dims, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_dims is 4: must be even and at most head_dim, 2",
    },
    {
        .name = "a base below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope_base, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_base is -1",
    },
    {
        .name = "heads of less than nothing",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(head_dim, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: head_dim is -1",
    },
    {
        .name = "heads of too much",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1 << 30), ARG(head_dim, 0x1p33)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: num_heads is 1073741824, head_dim is 8589934592: the product must be "
                "below 2^63 / 3",
    },
    {
        .name = "a factor below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope_factor, -2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_factor is -2: must be finite and 0 or more",
    },
    {
        .name = "a length below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope_original_len, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_original_len is -1: must be finite and 0 or more",
    },
    {
        .name = "low above high",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_LLAMA3),
                 ARG(rope_original_len, 8), ARG(rope_low_freq_factor, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_low_freq_factor is 4: must be below rope_high_freq_factor, 4",
    },
    {
        .name = "slow above fast",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_YARN),
                 ARG(rope_original_len, 8), ARG(rope_low_freq_factor, 32)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_low_freq_factor is 32: must be below rope_high_freq_factor, 32",
    },
    {
        .name = "an unknown scaling",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, 17)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_scaling must be one of HEED_ROPE_*, not 17",
    },
    {
        .name = "a factor without scaling",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_factor, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_factor is 2, but rope_scaling HEED_ROPE_UNSCALED does not use it",
    },
    {
        .name = "a length that linear scaling ignores",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_LINEAR),
                 ARG(rope_original_len, 8)},
        .status = HEED_ERR_ARGUMENT,
        .text =
            "nn_multi_head_attention_new: rope_original_len is 8, but rope_scaling HEED_ROPE_LINEAR does not use it",
    },
    {
        .name = "no length of the training texts",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_DYNAMIC)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_original_len is 0: must be above 0 with rope_scaling "
                "HEED_ROPE_DYNAMIC",
    },
    {
        .name = "a base of YaRN without a logarithm",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(rope, true), ARG(rope_scaling, HEED_ROPE_YARN),
                 ARG(rope_original_len, 8), ARG(rope_base, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_new: rope_base is 1: must be above 1 with rope_scaling HEED_ROPE_YARN",
    },
    {
        .name = "eps of the norms below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(qk_norm, true), ARG(qk_norm_eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "eps is -1",
    },
    {
        .name = "no queries",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_multi_head_attention_forward: queries is NULL",
    },
    {0},
};

const layer_cases heed_cases_nn_multi_head_attention = {cases, errors};
