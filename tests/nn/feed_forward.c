/* tests/nn/feed_forward.c - the cases of heed_nn_feed_forward.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "relu",
        .args = {ARG(hidden_size, 4), ARG(ffn_size, 3)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "gelu, no bias",
        .args = {ARG(hidden_size, 2), ARG(ffn_size, 3), ARG_FUNCTION(activation, heed_gelu), ARG(no_bias, true)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "dropout",
        .args = {ARG(hidden_size, 3), ARG(ffn_size, 5), ARG(dropout, 0.5), ARG_FUNCTION(activation, heed_tanh)},
        .in = {INPUT(x, 4, 3)},
    },
    {
        .name = "SwiGLU",
        .args = {ARG(hidden_size, 4), ARG(ffn_size, 3), ARG(gated, true), ARG(no_bias, true)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "GLU, dropout",
        .args = {ARG(hidden_size, 3), ARG(ffn_size, 5), ARG(gated, true), ARG(dropout, 0.5),
                 ARG_FUNCTION(activation, heed_sigmoid)},
        .in = {INPUT(x, 4, 3)},
    },
    {
        .name = "(4, 20, 32), gated",
        .args = {ARG(hidden_size, 32), ARG(ffn_size, 64), ARG(gated, true)},
        .in = {INPUT(x, 4, 20, 32)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no hidden units",
        .args = {ARG(hidden_size, 1), ARG(ffn_size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_feed_forward_new: ffn_size is 0",
    },
    {
        .name = "x of another size",
        .args = {ARG(hidden_size, 3), ARG(ffn_size, 5)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_feed_forward_forward: linear_activated: x (2, 4) has 4 features, w (5, 3) takes 3",
    },
    {
        .name = "x of another size, gated",
        .args = {ARG(hidden_size, 3), ARG(ffn_size, 5), ARG(gated, true)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_feed_forward_forward: linear: x (2, 4) has 4 features, w (5, 3) takes 3",
    },
    {0},
};

const layer_cases heed_cases_nn_feed_forward = {cases, errors};
