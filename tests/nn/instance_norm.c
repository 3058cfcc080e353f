/* tests/nn/instance_norm.c - the cases of heed_nn_instance_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "plain",
        .args = {ARG(num_features, 3)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "affine",
        .args = {ARG(num_features, 2), ARG(affine, true), ARG(eps, 0.25)},
        .in = {INPUT(x, 1, 2, 5)},
    },
    {
        .name = "larger",
        .args = {ARG(num_features, 8), ARG(affine, true)},
        .in = {INPUT(x, 4, 8, 20)},
    },
    {
        .name = "planes",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 2, 2, 3)},
    },
    {
        .name = "planes, affine",
        .args = {ARG(num_features, 2), ARG(affine, true), ARG(eps, 0.25)},
        .in = {INPUT(x, 1, 2, 1, 3)},
    },
    {
        .name = "planes, larger",
        .args = {ARG(num_features, 8), ARG(affine, true)},
        .in = {INPUT(x, 4, 8, 5, 5)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no features",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_instance_norm_new: num_features is 0",
    },
    {
        .name = "negative eps",
        .args = {ARG(num_features, 2), ARG(eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "eps is -1",
    },
    {
        .name = "other channels",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 3, 3, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_instance_norm_forward: x is (2, 3, 3, 3): must be (any, 2, any, any)",
    },
    {
        .name = "three axes",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 2, 2, 2, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_instance_norm_forward: x is (2, 2, 2, 2, 2): must be (any, 2, any, any)",
    },
    {
        .name = "another rank",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_instance_norm_forward: x is (2, 3): must be (any, 2, any",
    },
    {
        .name = "one number per plane",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 3, 2, 1, 1)},
        .status = HEED_ERR_SHAPE,
        .text = "has one element per channel",
    },
    {
        .name = "one number",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 3, 2, 1)},
        .status = HEED_ERR_SHAPE,
        .text = "has one element per channel",
    },
    {0},
};

const layer_cases heed_cases_nn_instance_norm = {cases, errors};
