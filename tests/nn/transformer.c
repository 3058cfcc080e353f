/* tests/nn/transformer.c - the cases of heed_nn_transformer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "as small as can be",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 4),
                 ARG(num_layers, 2), ARG(decoder_layers, 1), ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(src, 2, 2, 3), WHOLE(tgt, 3, 2, 2), LENGTHS(src_lens, 3, 1)},
        .requested = "encoder_weights",
    },
    {
        .name = "embedded, pre-norm, lengths of both, weights",
        .args = {ARG(src_vocab, 0), ARG(tgt_vocab, 0), ARG(hidden_size, 2), ARG(num_heads, 2), ARG(ffn_size, 16),
                 ARG(num_layers, 1), ARG(pre_norm, true), ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(src, 2, 2, 2), INPUT(tgt, 2, 2, 2), LENGTHS(src_lens, 1, 2), LENGTHS(tgt_lens, 2, 1)},
        .requested = "weights",
    },
    {
        .name = "weights of self-attention",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 2), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 1),
                 ARG(num_layers, 1), ARG(tied, true), ARG(eps, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(src, 2, 1, 2), WHOLE(tgt, 2, 1, 2)},
        .requested = "self_weights",
    },
    {
        .name = "gated",
        .args = {ARG(src_vocab, 0), ARG(tgt_vocab, 0), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 3),
                 ARG(num_layers, 1), ARG(pre_norm, true), ARG(eps, 1), ARG(gated, true)},
        .in = {INPUT(src, 1, 2, 2), INPUT(tgt, 1, 2, 2)},
        .max_order = 1,
    },
    {
        .name = "RoPE, ALiBi and a window, no other positions",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 2), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2),
                 ARG(num_layers, 1), ARG(eps, 1), ARG(no_positions, true), ARG(attention, true),
                 ARG(attention.rope, true), ARG(attention.alibi, true), ARG(attention.window, 2),
                 ARG_FUNCTION(activation, heed_gelu)},
        .in = {WHOLE(src, 2, 1, 3), WHOLE(tgt, 2, 1, 3)},
        .max_order = 1,
    },
    {
        .name = "(4, 12) to (4, 10), 32",
        .args = {ARG(src_vocab, 20), ARG(tgt_vocab, 16), ARG(hidden_size, 32), ARG(num_heads, 4), ARG(ffn_size, 64),
                 ARG(num_layers, 1)},
        .in = {WHOLE(src, 20, 4, 12), WHOLE(tgt, 16, 4, 10)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "heads that do not divide",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 3), ARG(hidden_size, 3), ARG(num_heads, 2), ARG(ffn_size, 2),
                 ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_new: ",
    },
    {
        .name = "attention of another type",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2),
                 ARG(num_layers, 1), ARG(attention, true), ARG(attention.dtype, HEED_F64)},
        .status = HEED_ERR_ARGUMENT,
        .text = "attention->dtype is set: must be 0",
    },
    {
        .name = "no target",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2),
                 ARG(num_layers, 1)},
        .in = {WHOLE(src, 2, 2, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_transformer_forward: tgt is NULL",
    },
    {
        .name = "a length past the source's end",
        .args = {ARG(src_vocab, 2), ARG(tgt_vocab, 3), ARG(hidden_size, 2), ARG(num_heads, 1), ARG(ffn_size, 2),
                 ARG(num_layers, 1)},
        .in = {WHOLE(src, 2, 2, 3), WHOLE(tgt, 3, 2, 2), LENGTHS(src_lens, 3, 4)},
        .status = HEED_ERR_INDEX,
        .text = "nn_transformer_forward: ",
    },
    {0},
};

const layer_cases heed_cases_nn_transformer = {cases, errors};
