/* tests/nn/max_pool.c - the cases of heed_nn_max_pool.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "2 x 2",
        .args = {ARG_SHAPE(kernel_size, 2, 2)},
        .in = {INPUT(x, 2, 1, 4, 5)},
    },
    {
        .name = "options",
        .args = {ARG_SHAPE(kernel_size, 3, 2), ARG_SHAPE(stride, 2, 1), ARG_SHAPE(padding, 1), ARG(ceil_mode, true),
                 ARG_SHAPE(dilation, 1, 2)},
        .in = {INPUT(x, 1, 5, 6)},
    },
    {
        .name = "larger",
        .args = {ARG_SHAPE(kernel_size, 2, 2)},
        .in = {INPUT(x, 8, 6, 11, 13)},
    },
    {
        .name = "line",
        .args = {ARG_SHAPE(kernel_size, 2)},
        .in = {INPUT(x, 2, 1, 5)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no kernel",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_max_pool_new: kernel_size is (): must have at least one number",
    },
    {
        .name = "empty kernel",
        .args = {ARG_SHAPE(kernel_size, 0, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_max_pool_new: kernel_size is 0",
    },
    {
        .name = "stride",
        .args = {ARG_SHAPE(kernel_size, 1, 1), ARG_SHAPE(stride, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_max_pool_new: stride is 0",
    },
    {
        .name = "two strides on a line",
        .args = {ARG_SHAPE(kernel_size, 1), ARG_SHAPE(stride, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_max_pool_new: stride has 2 numbers: must be at most 1",
    },
    {
        .name = "no x",
        .args = {ARG_SHAPE(kernel_size, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_max_pool_forward: x is NULL",
    },
    {
        .name = "too small",
        .args = {ARG_SHAPE(kernel_size, 3, 3)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_max_pool_forward: max_pool: a kernel (3, 3)",
    },
    {0},
};

const layer_cases heed_cases_nn_max_pool = {cases, errors};
