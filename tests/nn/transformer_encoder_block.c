/* tests/nn/transformer_encoder_block.c - the cases of heed_nn_transformer_encoder_block.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "post-norm",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 2, 4)},
    },
    {
        .name = "pre-norm, causal",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(causal, true),
                 ARG(no_bias, true), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(x, 1, 3, 2)},
    },
    {
        .name = "dropout, lengths, weights",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(dropout, 0.25), ARG(eps, 0.125)},
        .in = {INPUT(x, 2, 3, 4), LENGTHS(valid_lens, 3, 1)},
        .requested = "weights",
    },
    {
        .name = "gated",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(gated, true)},
        .in = {INPUT(x, 1, 2, 4)},
    },
    {
        .name = "RoPE, a window, keys and values of fewer heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(causal, true), ARG(attention, true),
                 ARG(attention.rope, true), ARG(attention.window, 2), ARG(attention.kv_heads, 1)},
        .in = {INPUT(x, 1, 3, 4)},
    },
    {
        .name = "ALiBi, heads of their own size, norms, biases but the last",
        .args = {ARG(hidden_size, 3), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(eps, 1),
                 ARG(attention, true), ARG(attention.alibi, true), ARG(attention.head_dim, 2),
                 ARG(attention.qk_norm, true), ARG(attention.qk_norm_eps, 1), ARG(attention.no_out_bias, true)},
        .in = {INPUT(x, 2, 3, 3), LENGTHS(valid_lens, 3, 1)},
        .requested = "weights",
    },
    {
        .name = "(4, 20, 32)",
        .args = {ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64)},
        .in = {INPUT(x, 4, 20, 32)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no hidden units",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_block_new: ffn_size is 0",
    },
    {
        .name = "3 heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 3), ARG(ffn_size, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "multiple of num_heads, 3",
    },
    {
        .name = "keys and values of too many heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(attention, true),
                 ARG(attention.kv_heads, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text =
            "nn_transformer_encoder_block_new: nn_multi_head_attention_new: kv_heads is 3: must divide num_heads, 2",
    },
    {
        .name = "queries of another size",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(attention, true),
                 ARG(attention.query_size, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_block_new: attention->query_size is set: must be 0, because the block sets it",
    },
    {
        .name = "x of rank 2",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_transformer_encoder_block_forward: x is (2, 4): must be (any, any, 2)",
    },
    {
        .name = "lengths of another batch",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 4, 2), LENGTHS(valid_lens, 1, 1, 1, 1)},
        .status = HEED_ERR_SHAPE,
        .text = "valid_lens is (4): must be (2) or (2, 4)",
    },
    {0},
};

const layer_cases heed_cases_nn_transformer_encoder_block = {cases, errors};
