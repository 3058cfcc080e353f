/* tests/nn/residual.c - the cases of heed_nn_residual.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static int two(heed_dtype dtype, void **list)
{
    list[0] = heed_nn_linear_new(3, 3, &(heed_nn_linear_options){.dtype = dtype});
    list[1] = heed_nn_function_new("tanh", heed_tanh);
    return 2;
}

static int narrow(heed_dtype dtype, void **list)
{
    list[0] = heed_nn_linear_new(3, 1, &(heed_nn_linear_options){.dtype = dtype});
    return 1;
}

static const layer_case cases[] = {
    {
        .name = "linear, tanh",
        .args = {ARG_MODULES(modules, two)},
        .in = {INPUT(x, 2, 3)},
    },
    {
        .name = "nothing inside",
        .in = {INPUT(x, 2, 3)},
    },
    {
        .name = "(64, 3)",
        .args = {ARG_MODULES(modules, two)},
        .in = {INPUT(x, 64, 3)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "a list that is not there",
        .args = {ARG(n, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_residual_new: nn_sequential_new: modules is NULL",
    },
    {
        .name = "another shape",
        .args = {ARG_MODULES(modules, narrow)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_residual_forward: x is (2, 3), and the result of the modules is (2, 1): must have the same shape",
    },
    {0},
};

const layer_cases heed_cases_nn_residual = {cases, errors};
