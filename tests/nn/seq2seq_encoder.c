/* tests/nn/seq2seq_encoder.c - the cases of heed_nn_seq2seq_encoder.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 3)",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 2, 3)},
    },
    {
        .name = "two layers, dropout, state",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2), ARG(num_layers, 2), ARG(dropout, 0.5)},
        .in = {WHOLE(tokens, 3, 2, 3)},
        .requested = "state",
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no words",
        .args = {ARG(vocab_size, 0), ARG(embed_size, 1), ARG(hidden_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_seq2seq_encoder_new: vocab_size is 0",
    },
    {
        .name = "no tokens",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_seq2seq_encoder_forward: tokens is NULL",
    },
    {
        .name = "tokens of floats",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {INPUT(tokens, 1, 1)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_seq2seq_encoder_forward: tokens is f32",
    },
    {
        .name = "a token outside",
        .args = {ARG(vocab_size, 1), ARG(embed_size, 1), ARG(hidden_size, 1)},
        .in = {WHOLE(tokens, 3, 2, 3)},
        .status = HEED_ERR_INDEX,
        .text = "nn_seq2seq_encoder_forward: seq2seq_encoder.embedding: embedding: index 2 at (0, 1) is outside",
    },
    {0},
};

const layer_cases heed_cases_nn_seq2seq_encoder = {cases, errors};
