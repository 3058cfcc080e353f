/* tests/nn/transformer_decoder.c - the cases of heed_nn_transformer_decoder.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "two layers",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 12), ARG(num_layers, 2),
                 ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 3, 2, 2), INPUT(memory, 2, 3, 2)},
    },
    {
        .name = "pre-norm, tied, dropout, lengths, weights",
        .args = {ARG(vocab_size, 4), ARG(hidden_size, 4), ARG(num_heads, 2), ARG(ffn_size, 6), ARG(num_layers, 1),
                 ARG(pre_norm, true), ARG(tied, true), ARG(dropout, 0.25), ARG(eps, 1),
                 ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 4, 2, 3), INPUT(memory, 2, 2, 4), LENGTHS(valid_lens, 3, 1), LENGTHS(memory_lens, 1, 2)},
        .requested = "weights",
    },
    {
        .name = "embedded, no final norm, weights of self-attention",
        .args = {ARG(vocab_size, 0), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(no_final_norm, true), ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(tokens, 2, 2, 2), INPUT(memory, 2, 1, 2)},
        .requested = "self_weights",
    },
    {
        .name = "ALiBi, no other positions, keys and values of fewer heads",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 2), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(eps, 1), ARG(max_len, 1), ARG(no_positions, true), ARG(attention, true),
                 ARG(attention.alibi, true), ARG(attention.kv_heads, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(tokens, 3, 2, 3), INPUT(memory, 2, 2, 2)},
        .requested = "weights",
    },
    {
        .name = "(4, 12) of 32, memory of 8",
        .args = {ARG(vocab_size, 20), ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64), ARG(num_layers, 2)},
        .in = {WHOLE(tokens, 20, 4, 12), INPUT(memory, 4, 8, 32)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no memory",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1)},
        .in = {WHOLE(tokens, 3, 2, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_forward: memory is NULL",
    },
    {
        .name = "attention of another dropout",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1),
                 ARG(attention, true), ARG(attention.dropout, 0.5)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_decoder_new: nn_transformer_decoder_block_new: attention->dropout is set: must be 0",
    },
    {
        .name = "memory of another size",
        .args = {ARG(vocab_size, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2), ARG(num_layers, 1)},
        .in = {WHOLE(tokens, 3, 2, 2), INPUT(memory, 2, 3, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "memory is (2, 3, 4): must be (2, any, 2)",
    },
    {0},
};

const layer_cases heed_cases_nn_transformer_decoder = {cases, errors};
