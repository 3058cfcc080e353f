/* tests/nn/lstm.c - the cases of heed_nn_lstm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(3, 2, 2)",
        .args = {ARG(input_size, 2), ARG(hidden_size, 2)},
        .in = {INPUT(x, 3, 2, 2)},
    },
    {
        .name = "two layers, states",
        .args = {ARG(input_size, 2), ARG(hidden_size, 2), ARG(num_layers, 2)},
        .in = {INPUT(x, 3, 1, 2), INPUT(h, 2, 1, 2), INPUT(c, 2, 1, 2)},
    },
    {
        .name = "no bias, h alone",
        .args = {ARG(input_size, 1), ARG(hidden_size, 2), ARG(no_bias, true)},
        .in = {INPUT(x, 2, 2, 1), INPUT(h, 1, 2, 2)},
    },
    {
        .name = "c alone, which is NULL",
        .args = {ARG(input_size, 1), ARG(hidden_size, 2)},
        .in = {INPUT(x, 2, 2, 1)},
        .requested = "c",
    },
    {
        .name = "batch first, dropout",
        .args = {ARG(input_size, 4), ARG(hidden_size, 2), ARG(num_layers, 2), ARG(dropout, 0.5),
                 ARG(batch_first, true)},
        .in = {INPUT(x, 2, 3, 4), INPUT(h, 2, 2, 2), INPUT(c, 2, 2, 2)},
    },
    {
        .name = "no steps",
        .args = {ARG(input_size, 3), ARG(hidden_size, 2)},
        .in = {INPUT(x, 0, 2, 3), INPUT(h, 1, 2, 2), INPUT(c, 1, 2, 2)},
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
        .in = {INPUT(x, 3, 2, 2), LENGTHS(valid_lens, 1, 3), INPUT(h, 4, 2, 2), INPUT(c, 4, 2, 2)},
    },
    {
        .name = "both directions, batch first, length 0",
        .args = {ARG(input_size, 1), ARG(hidden_size, 2), ARG(bidirectional, true), ARG(batch_first, true)},
        .in = {INPUT(x, 3, 2, 1), LENGTHS(valid_lens, 2, 0, 1)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "fewer layers than none",
        .args = {ARG(input_size, 1), ARG(hidden_size, 1), ARG(num_layers, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_lstm_new: num_layers is -1",
    },
    {
        .name = "too large",
        .args = {ARG(input_size, 1), ARG(hidden_size, 0x1p62)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_lstm_new: hidden_size is 4611686018427387904: 4 times this must be below 2^63",
    },
    {
        .name = "x of another size",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 5, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_lstm_forward: x is (4, 5, 3): must be (any, any, 2)",
    },
    {
        .name = "h of another shape",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 5, 2), INPUT(h, 4, 2), INPUT(c, 1, 5, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_lstm_forward: h is (4, 2): must be (1, 5, 3)",
    },
    {
        .name = "c of another shape",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 5, 2), INPUT(h, 1, 5, 3), INPUT(c, 1, 5, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_lstm_forward: c is (1, 5, 2): must be (1, 5, 3)",
    },
    {
        .name = "c of whole numbers",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 5, 2), WHOLE(c, 2, 1, 5, 3)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_lstm_forward: c is i64: must be f32",
    },
    {
        .name = "a length too many",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 2, 2), LENGTHS(valid_lens, 1, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_lstm_forward: valid_lens is (3): must be (2)",
    },
    {
        .name = "longer than there are steps",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(x, 4, 2, 2), LENGTHS(valid_lens, 5, 4)},
        .status = HEED_ERR_INDEX,
        .text = "nn_lstm_forward: valid length 5 at (0) is outside 0 .. 4",
    },
    {
        .name = "the state of one direction",
        .args = {ARG(input_size, 2), ARG(hidden_size, 3), ARG(bidirectional, true)},
        .in = {INPUT(x, 4, 5, 2), INPUT(h, 1, 5, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "must be (2, 5, 3)",
    },
    {0},
};

const layer_cases heed_cases_nn_lstm = {cases, errors};
