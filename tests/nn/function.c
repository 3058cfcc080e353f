/* tests/nn/function.c - the cases of heed_nn_function.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "tanh",
        .args = {ARG_TEXT(name, "tanh"), ARG_FUNCTION(function, heed_tanh)},
        .in = {INPUT(x, 2, 3)},
    },
    {
        .name = "square",
        .args = {ARG_TEXT(name, "square"), ARG_FUNCTION(function, heed_square)},
        .in = {INPUT(x, 4)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no name",
        .args = {ARG_FUNCTION(function, heed_relu)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_function_new: the name is NULL",
    },
    {
        .name = "no function",
        .args = {ARG_TEXT(name, "relu")},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_function_new: the function is NULL",
    },
    {0},
};

const layer_cases heed_cases_nn_function = {cases, errors};
