/* tests/nn/positional_encoding.c - the cases of heed_nn_positional_encoding.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 3, 4)",
        .args = {ARG(hidden_size, 4)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "odd, all steps",
        .args = {ARG(hidden_size, 5), ARG(max_len, 3)},
        .in = {INPUT(x, 1, 3, 5)},
    },
    {
        .name = "dropout",
        .args = {ARG(hidden_size, 2), ARG(dropout, 0.25)},
        .in = {INPUT(x, 2, 4, 2)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no size",
        .args = {ARG(hidden_size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_positional_encoding_new: hidden_size is 0",
    },
    {
        .name = "too many steps",
        .args = {ARG(hidden_size, 2), ARG(max_len, 3)},
        .in = {INPUT(x, 1, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_positional_encoding_forward: ",
    },
    {0},
};

const layer_cases heed_cases_nn_positional_encoding = {cases, errors};
