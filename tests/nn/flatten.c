/* tests/nn/flatten.c - the cases of heed_nn_flatten.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "all but the first",
        .args = {ARG(start_axis, 1), ARG(end_axis, -1)},
        .in = {INPUT(x, 2, 3, 2)},
    },
    {
        .name = "the first two",
        .args = {ARG(start_axis, 0), ARG(end_axis, 1)},
        .in = {INPUT(x, 2, 3, 2)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "axes not there",
        .args = {ARG(start_axis, 1), ARG(end_axis, 3)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_flatten_forward: flatten: there is no axis 3",
    },
    {0},
};

const layer_cases heed_cases_nn_flatten = {cases, errors};
