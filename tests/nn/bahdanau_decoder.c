/* tests/nn/bahdanau_decoder.c - the cases of heed_nn_bahdanau_decoder.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 2)",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 1), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 2, 2), INPUT(memory, 2, 3, 2), INPUT(state, 1, 2, 2)},
    },
    {
        .name = "two layers, dropout, lengths, weights",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2), ARG(num_layers, 2), ARG(dropout, 0.25)},
        .in = {WHOLE(tokens, 3, 2, 3), INPUT(memory, 2, 3, 2), LENGTHS(valid_lens, 3, 1), INPUT(state, 2, 2, 2)},
        .requested = "weights",
    },
    {
        .name = "no tokens",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 2, 0), INPUT(memory, 2, 3, 2), INPUT(state, 1, 2, 2)},
        .requested = "weights",
        .max_order = -1,
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no embedding",
        .args = {ARG(vocab_size, 1), ARG(embed_size, 0), ARG(hidden_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_bahdanau_decoder_new: embed_size is 0",
    },
    {
        .name = "too large",
        .args = {ARG(vocab_size, 1), ARG(embed_size, 0x1p62), ARG(hidden_size, 0x1p62)},
        .status = HEED_ERR_ARGUMENT,
        .text = "the sum must be below 2^63",
    },
    {
        .name = "no state",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 4, 2), INPUT(memory, 4, 5, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_bahdanau_decoder_forward: the state is NULL",
    },
    {
        .name = "a state that begins as NULL",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 4, 2), INPUT(memory, 4, 5, 2)},
        .requested = "state",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_bahdanau_decoder_forward: the state is NULL",
    },
    {
        .name = "no memory",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 4, 2), INPUT(state, 1, 4, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_bahdanau_decoder_forward: memory is NULL",
    },
    {
        .name = "lengths of rank 2",
        .args = {ARG(vocab_size, 3), ARG(embed_size, 2), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 4, 2), INPUT(memory, 4, 5, 2), WHOLE(valid_lens, 3, 4, 2), INPUT(state, 1, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_bahdanau_decoder_forward: valid_lens is (4, 2): must be (4)",
    },
    {
        .name = "a token outside",
        .args = {ARG(vocab_size, 1), ARG(embed_size, 1), ARG(hidden_size, 2)},
        .in = {WHOLE(tokens, 3, 2, 3), INPUT(memory, 2, 3, 2), INPUT(state, 1, 2, 2)},
        .status = HEED_ERR_INDEX,
        .text = "nn_bahdanau_decoder_forward: bahdanau_decoder.embedding: embedding: index 2 at",
    },
    {0},
};

const layer_cases heed_cases_nn_bahdanau_decoder = {cases, errors};
