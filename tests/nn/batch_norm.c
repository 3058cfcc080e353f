/* tests/nn/batch_norm.c - the cases of heed_nn_batch_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "rows",
        .args = {ARG(num_features, 3)},
        .in = {INPUT(x, 4, 3)},
    },
    {
        .name = "rows of lines",
        .args = {ARG(num_features, 2), ARG(eps, 0.25)},
        .in = {INPUT(x, 2, 2, 3)},
    },
    {
        .name = "cumulative",
        .args = {ARG(num_features, 2), ARG(cumulative, true)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "not affine, momentum",
        .args = {ARG(num_features, 2), ARG(no_affine, true), ARG(momentum, 0.5)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "nothing kept",
        .args = {ARG(num_features, 2), ARG(no_affine, true), ARG(no_running_stats, true)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "nothing",
        .args = {ARG(num_features, 3)},
        .in = {INPUT(x, 0, 3)},
        .max_order = -1,
    },
    {
        .name = "(64, 50)",
        .args = {ARG(num_features, 50)},
        .in = {INPUT(x, 64, 50)},
    },
    {
        .name = "planes",
        .args = {ARG(num_features, 3)},
        .in = {INPUT(x, 2, 3, 2, 2)},
    },
    {
        .name = "one image",
        .args = {ARG(num_features, 2), ARG(no_affine, true)},
        .in = {INPUT(x, 1, 2, 1, 3)},
    },
    {
        .name = "(4, 8, 5, 5)",
        .args = {ARG(num_features, 8)},
        .in = {INPUT(x, 4, 8, 5, 5)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no features",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_batch_norm_new: num_features is 0: must be 1 or more",
    },
    {
        .name = "negative eps",
        .args = {ARG(num_features, 2), ARG(eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_batch_norm_new: eps is -1",
    },
    {
        .name = "momentum above 1",
        .args = {ARG(num_features, 2), ARG(momentum, 1.5)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_batch_norm_new: momentum is 1.5: must be in [0, 1]",
    },
    {
        .name = "momentum, cumulative",
        .args = {ARG(num_features, 2), ARG(momentum, 0.5), ARG(cumulative, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "must be 0 with cumulative",
    },
    {
        .name = "three axes",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 2, 2, 2, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_batch_norm_forward: x is (2, 2, 2, 2, 2): must be (any, 2, any, any)",
    },
    {
        .name = "one axis",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_batch_norm_forward: x is (2): must be (any, 2)",
    },
    {
        .name = "other channels",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_batch_norm_forward: x is (2, 3): must be (any, 2)",
    },
    {
        .name = "one number",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 1, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_batch_norm_forward: batch_norm: x (1, 2) has one element per channel",
    },
    {0},
};

const layer_cases heed_cases_nn_batch_norm = {cases, errors};
