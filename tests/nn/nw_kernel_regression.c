/* tests/nn/nw_kernel_regression.c - the cases of heed_nn_nw_kernel_regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "one width",
        .in = {INPUT(queries, 3), INPUT(keys, 4), INPUT(values, 4)},
    },
    {
        .name = "a width for each component, weights",
        .args = {ARG(dim, 2)},
        .in = {INPUT(queries, 3, 2), INPUT(keys, 4, 2), INPUT(values, 4, 2)},
        .requested = "weights",
    },
    {
        .name = "keys for each query",
        .args = {ARG(log_width, true), ARG(width, 0.5)},
        .in = {INPUT(queries, 2), INPUT(keys, 2, 3), INPUT(values, 2, 3)},
    },
    {
        .name = "leave one out",
        .args = {ARG(leave_one_out, true), ARG(width, 0.75)},
        .in = {INPUT(queries, 4), INPUT(keys, 4), INPUT(values, 4, 2)},
    },
    {
        .name = "epanechnikov, fixed",
        .args = {ARG(kernel, HEED_NW_EPANECHNIKOV), ARG(non_parametric, true), ARG(width, 3)},
        .in = {INPUT(queries, 3), INPUT(keys, 4), INPUT(values, 4)},
    },
    {
        .name = "triangular, weights",
        .args = {ARG(kernel, HEED_NW_TRIANGULAR), ARG(width, 2), ARG(leave_one_out, true)},
        .in = {INPUT(queries, 3), INPUT(keys, 3), INPUT(values, 3)},
        .requested = "weights",
    },
    {
        .name = "(50) (49)",
        .in = {INPUT(queries, 50), INPUT(keys, 49), INPUT(values, 49)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "a negative width",
        .args = {ARG(width, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_nw_kernel_regression_new: ",
    },
    {
        .name = "no kernel",
        .args = {ARG(kernel, 8)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_nw_kernel_regression_new: ",
    },
    {
        .name = "no values",
        .in = {INPUT(queries, 3), INPUT(keys, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_nw_kernel_regression_forward: ",
    },
    {0},
};

const layer_cases heed_cases_nn_nw_kernel_regression = {cases, errors};
