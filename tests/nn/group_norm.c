/* tests/nn/group_norm.c - the cases of heed_nn_group_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "two groups",
        .args = {ARG(num_groups, 2), ARG(num_channels, 4)},
        .in = {INPUT(x, 2, 4, 3)},
    },
    {
        .name = "rows",
        .args = {ARG(num_groups, 1), ARG(num_channels, 3), ARG(eps, 0.25)},
        .in = {INPUT(x, 2, 3)},
    },
    {
        .name = "not affine",
        .args = {ARG(num_groups, 2), ARG(num_channels, 2), ARG(no_affine, true)},
        .in = {INPUT(x, 2, 2, 2, 2)},
    },
    {
        .name = "(8, 16, 5)",
        .args = {ARG(num_groups, 4), ARG(num_channels, 16)},
        .in = {INPUT(x, 8, 16, 5)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no groups",
        .args = {ARG(num_channels, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_group_norm_new: num_groups is 0",
    },
    {
        .name = "no channels",
        .args = {ARG(num_groups, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_group_norm_new: num_channels is 0",
    },
    {
        .name = "three of four",
        .args = {ARG(num_groups, 3), ARG(num_channels, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_group_norm_new: num_channels is 4: must be a multiple of num_groups, 3",
    },
    {
        .name = "negative eps",
        .args = {ARG(num_groups, 1), ARG(num_channels, 4), ARG(eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "eps is -1",
    },
    {
        .name = "other channels",
        .args = {ARG(num_groups, 1), ARG(num_channels, 4)},
        .in = {INPUT(x, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_group_norm_forward: x is (4, 2): must be (B, 4, ...)",
    },
    {
        .name = "one axis",
        .args = {ARG(num_groups, 1), ARG(num_channels, 4)},
        .in = {INPUT(x, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_group_norm_forward: x is (4)",
    },
    {0},
};

const layer_cases heed_cases_nn_group_norm = {cases, errors};
