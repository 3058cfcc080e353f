/* tests/nn/rnn.c - the cases of heed_nn_rnn.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static heed_tensor *nothing(heed_tensor *x)
{
    (void)x;
    return NULL;
}

static const layer_case cases[] = {
    {
        .name = "(3, 2, 2)",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 3, 2, 2)},
    },
    {
        .name = "relu, two layers, state",
        .args = {ARG_FUNCTION(activation, heed_relu), ARG(input_size, 2), ARG(hidden_size, 2), ARG(num_layers, 2)},
        .in = {INPUT(x, 3, 1, 2), INPUT(state, 2, 1, 2)},
    },
    {
        .name = "no bias, a state that is NULL",
        .args = {ARG(input_size, 1), ARG(hidden_size, 2), ARG(no_bias, true)},
        .in = {INPUT(x, 2, 2, 1)},
        .requested = "state",
    },
    {
        .name = "sin, batch first, dropout",
        .args = {ARG_FUNCTION(activation, heed_sin), ARG(input_size, 4), ARG(hidden_size, 2), ARG(num_layers, 2),
                 ARG(dropout, 0.5), ARG(batch_first, true)},
        .in = {INPUT(x, 2, 3, 4), INPUT(state, 2, 2, 2)},
    },
    {
        .name = "no steps",
        .args = {ARG(input_size, 3), ARG(hidden_size, 2)},
        .in = {INPUT(x, 0, 2, 3), INPUT(state, 1, 2, 2)},
        .max_order = -1,
    },
    {
        .name = "(10, 4, 8)",
        .args = {ARG(input_size, 8), ARG(hidden_size, 16)},
        .in = {INPUT(x, 10, 4, 8)},
    },
    {
        .name = "both directions, two layers, lengths",
        .args = {ARG(input_size, 2), ARG(hidden_size, 2), ARG(num_layers, 2), ARG(bidirectional, true)},
        .in = {INPUT(x, 3, 2, 2), LENGTHS(valid_lens, 1, 3), INPUT(state, 4, 2, 2)},
    },
    {
        .name = "both directions, batch first, length 0",
        .args = {ARG(input_size, 1), ARG(hidden_size, 2), ARG(bidirectional, true), ARG(batch_first, true),
                 ARG_FUNCTION(activation, heed_sin)},
        .in = {INPUT(x, 3, 2, 1), LENGTHS(valid_lens, 2, 0, 1)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "too many layers of two directions",
        .args = {ARG(input_size, 1), ARG(hidden_size, 1), ARG(num_layers, 524289), ARG(bidirectional, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_rnn_new: num_layers is 524289: must be 0 to 524288, where 0 means 1",
    },
    {
        .name = "too many layers",
        .args = {ARG(input_size, 1), ARG(hidden_size, 1), ARG(num_layers, 1048577)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_rnn_new: num_layers is 1048577: must be 0 to 1048576, where 0 means 1",
    },
    {
        .name = "no inputs",
        .args = {ARG(hidden_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_rnn_new: input_size is 0",
    },
    {
        .name = "an activation that gives nothing",
        .args = {ARG_FUNCTION(activation, nothing), ARG(input_size, 1), ARG(hidden_size, 1)},
        .in = {INPUT(x, 1, 1, 1)},
        .status = HEED_ERR_STATE,
        .text = "nn_rnn_forward: the activation returned NULL",
    },
    {
        .name = "x of rank 2",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_rnn_forward: x is (4, 2): must be (any, any, 2)",
    },
    {
        .name = "a state of another shape",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 5, 2), INPUT(state, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_rnn_forward: the state is (4, 2): must be (1, 5, 3)",
    },
    {
        .name = "a length too many",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 2, 2), LENGTHS(valid_lens, 1, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_rnn_forward: valid_lens is (3): must be (2)",
    },
    {
        .name = "longer than there are steps",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 2, 2), LENGTHS(valid_lens, 5, 4)},
        .status = HEED_ERR_INDEX,
        .text = "nn_rnn_forward: valid length 5 at (0) is outside 0 .. 4",
    },
    {
        .name = "the state of one direction",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3), ARG(bidirectional, true)},
        .in = {INPUT(x, 4, 5, 2), INPUT(state, 1, 5, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "must be (2, 5, 3)",
    },
    {0},
};

const layer_cases heed_cases_nn_rnn = {cases, errors};
