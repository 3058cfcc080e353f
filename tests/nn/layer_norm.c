/* tests/nn/layer_norm.c - the cases of heed_nn_layer_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "the last axis",
        .args = {ARG_SHAPE(shape, 4)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "two axes",
        .args = {ARG_SHAPE(shape, 3, 4), ARG(eps, 0.25)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "no bias",
        .args = {ARG_SHAPE(shape, 4), ARG(no_bias, true)},
        .in = {INPUT(x, 3, 4)},
    },
    {
        .name = "not affine",
        .args = {ARG_SHAPE(shape, 5), ARG(no_affine, true)},
        .in = {INPUT(x, 5)},
    },
    {
        .name = "nothing",
        .args = {ARG_SHAPE(shape, 3)},
        .in = {INPUT(x, 0, 3)},
        .max_order = -1,
    },
    {
        .name = "(64, 50)",
        .args = {ARG_SHAPE(shape, 50)},
        .in = {INPUT(x, 64, 50)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no axes",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_layer_norm_new: shape has rank 0: must be",
    },
    {
        .name = "negative eps",
        .args = {ARG_SHAPE(shape, 2), ARG(eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_layer_norm_new: eps is -1",
    },
    {
        .name = "an empty axis",
        .args = {ARG_SHAPE(shape, 2, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "is 0",
    },
    {
        .name = "x of another shape",
        .args = {ARG_SHAPE(shape, 3, 2)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_layer_norm_forward: layer_norm: x (2, 4) does not end in the axes (3, 2)",
    },
    {0},
};

const layer_cases heed_cases_nn_layer_norm = {cases, errors};
