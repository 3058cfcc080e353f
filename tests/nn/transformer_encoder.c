/* tests/nn/transformer_encoder.c - the cases of heed_nn_transformer_encoder.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "two layers",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 2),
                 ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 3, 2, 2)},
    },
    {
        .name = "pre-norm, dropout, lengths, weights",
        .args = {ARG(vocab_size, 4), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 16), ARG(num_layers, 1),
                 ARG(pre_norm, true), ARG(dropout, 0.25), ARG(eps, 1), ARG(max_len, 3),
                 ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 4, 2, 3), LENGTHS(valid_lens, 3, 1)},
        .requested = "weights",
    },
    {
        .name = "embedded, no final norm, no biases",
        .args = {ARG(vocab_size, 0), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(no_final_norm, true), ARG(no_bias, true), ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(tokens, 2, 2, 2)},
    },
    {
        .name = "RoPE, no other positions, dropout",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(dropout, 0.25), ARG(eps, 1), ARG(max_len, 1), ARG(no_positions, true), ARG(attention, true),
                 ARG(attention.rope, true), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 3, 2, 3)},
        .requested = "weights",
    },
    {
        .name = "(4, 12) of 32",
        .args = {ARG(vocab_size, 20), ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64), ARG(num_layers, 2)},
        .in = {WHOLE(tokens, 20, 4, 12)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no layers",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_new: num_layers is 0",
    },
    {
        .name = "too many layers",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 4097)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_new: 4097 layers: must be at most 4096",
    },
    {
        .name = "a vocabulary of less than nothing",
        .args = {ARG(vocab_size, -1), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_new: vocab_size is -1: must be 0 or more",
    },
    {
        .name = "attention that is causal",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(attention, true), ARG(attention.causal, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_encoder_new: nn_transformer_encoder_block_new: attention->causal is set: must be 0, "
                "because "
                "the block sets it",
    },
    {
        .name = "longer than max_len",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(max_len, 2)},
        .in = {WHOLE(tokens, 3, 1, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "x has 3 steps: must be at most max_len, 2",
    },
    {
        .name = "numbers instead of tokens",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1)},
        .in = {INPUT(tokens, 2, 3)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_transformer_encoder_forward: tokens is",
    },
    {0},
};

const layer_cases heed_cases_nn_transformer_encoder = {cases, errors};
