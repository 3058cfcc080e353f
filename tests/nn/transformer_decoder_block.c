/* tests/nn/transformer_decoder_block.c - the cases of heed_nn_transformer_decoder_block.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "post-norm",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 2, 4), INPUT(memory, 2, 3, 4)},
    },
    {
        .name = "pre-norm, not causal",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(not_causal, true),
                 ARG(no_bias, true), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(x, 1, 3, 4), INPUT(memory, 1, 2, 4)},
    },
    {
        .name = "dropout, lengths, weights of self-attention",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(dropout, 0.25), ARG(eps, 0.125)},
        .in = {INPUT(x, 2, 3, 4), INPUT(memory, 2, 2, 4), LENGTHS(valid_lens, 3, 1), LENGTHS(memory_lens, 1, 2)},
        .requested = "self_weights",
    },
    {
        .name = "lengths of the memory, weights",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(pre_norm, true)},
        .in = {INPUT(x, 2, 2, 4), INPUT(memory, 2, 3, 4), LENGTHS(memory_lens, 3, 1)},
        .requested = "weights",
    },
    {
        .name = "gated",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 1), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(gated, true)},
        .in = {INPUT(x, 1, 2, 4), INPUT(memory, 1, 2, 4)},
    },
    {
        .name = "RoPE, a window, keys and values of fewer heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(attention, true),
                 ARG(attention.rope, true), ARG(attention.window, 2), ARG(attention.kv_heads, 1)},
        .in = {INPUT(x, 1, 3, 4), INPUT(memory, 1, 2, 4)},
        .requested = "weights",
    },
    {
        .name = "ALiBi, heads of their own size, norms, biases but the last",
        .args = {ARG(hidden_size, 3), ARG(num_heads, 2), ARG(ffn_size, 3), ARG(pre_norm, true), ARG(eps, 1),
                 ARG(attention, true), ARG(attention.alibi, true), ARG(attention.head_dim, 2),
                 ARG(attention.qk_norm, true), ARG(attention.qk_norm_eps, 1), ARG(attention.no_out_bias, true)},
        .in = {INPUT(x, 1, 3, 3), INPUT(memory, 1, 2, 3)},
        .requested = "self_weights",
    },
    {
        .name = "(4, 20, 32), memory of 12",
        .args = {ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64)},
        .in = {INPUT(x, 4, 20, 32), INPUT(memory, 4, 12, 32)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no heads",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 0), ARG(ffn_size, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_block_new: num_heads is 0",
    },
    {
        .name = "a window below 0",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(attention, true),
                 ARG(attention.window, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_block_new: nn_multi_head_attention_new: window is -1: must be 0 or more",
    },
    {
        .name = "attention without biases",
        .args = {ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(attention, true),
                 ARG(attention.no_bias, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_block_new: attention->no_bias is set: must be 0, because the block sets it",
    },
    {
        .name = "no memory",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 3, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_block_forward: memory is NULL",
    },
    {
        .name = "memory of another batch",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 3, 2), INPUT(memory, 1, 3, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_transformer_decoder_block_forward: memory is (1, 3, 2): must be (2, any, 2)",
    },
    {
        .name = "a length of the memory past its end",
        .args = {ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 3, 2), INPUT(memory, 2, 2, 2), LENGTHS(memory_lens, 2, 3)},
        .status = HEED_ERR_INDEX,
        .text = "nn_transformer_decoder_block_forward: ",
    },
    {0},
};

const layer_cases heed_cases_nn_transformer_decoder_block = {cases, errors};
