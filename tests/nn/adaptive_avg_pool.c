/* tests/nn/adaptive_avg_pool.c - the cases of heed_nn_adaptive_avg_pool.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "one",
        .args = {ARG_SHAPE(output_size, 1, 1)},
        .in = {INPUT(x, 2, 3, 2, 3)},
    },
    {
        .name = "2 x 3",
        .args = {ARG_SHAPE(output_size, 2, 3)},
        .in = {INPUT(x, 1, 5, 4)},
    },
    {
        .name = "larger",
        .args = {ARG_SHAPE(output_size, 3, 3)},
        .in = {INPUT(x, 8, 6, 11, 13)},
    },
    {
        .name = "line",
        .args = {ARG_SHAPE(output_size, 3)},
        .in = {INPUT(x, 2, 2, 7)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no size",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_adaptive_avg_pool_new: output_size is (): must have at least one number",
    },
    {
        .name = "empty",
        .args = {ARG_SHAPE(output_size, 2, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_adaptive_avg_pool_new: output_size is 0",
    },
    {
        .name = "no x",
        .args = {ARG_SHAPE(output_size, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_adaptive_avg_pool_forward: x is NULL",
    },
    {
        .name = "empty planes",
        .args = {ARG_SHAPE(output_size, 1, 1)},
        .in = {INPUT(x, 2, 0)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_adaptive_avg_pool_forward: adaptive_avg_pool: the planes of x (2, 0) are empty",
    },
    {0},
};

const layer_cases heed_cases_nn_adaptive_avg_pool = {cases, errors};
