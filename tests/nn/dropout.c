/* tests/nn/dropout.c - the cases of heed_nn_dropout.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 3, 4)",
        .args = {ARG(p, 0.5)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "nothing dropped",
        .in = {INPUT(x, 3)},
    },
    {
        .name = "all dropped",
        .args = {ARG(p, 1)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "(64, 50)",
        .args = {ARG(p, 0.25)},
        .in = {INPUT(x, 64, 50)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "above 1",
        .args = {ARG(p, 1.5)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_dropout_new: dropout is 1.5: must be",
    },
    {
        .name = "NaN",
        .args = {ARG(p, NAN)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_dropout_new: dropout is nan: must be",
    },
    {0},
};

const layer_cases heed_cases_nn_dropout = {cases, errors};
