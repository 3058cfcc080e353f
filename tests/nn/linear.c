/* tests/nn/linear.c - the cases of heed_nn_linear.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 3, 4)",
        .args = {ARG(in, 4), ARG(out, 2)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "no bias",
        .args = {ARG(in, 3), ARG(out, 1), ARG(no_bias, true)},
        .in = {INPUT(x, 5, 3)},
    },
    {
        .name = "relu",
        .args = {ARG(in, 3), ARG(out, 4), ARG_FUNCTION(activation, heed_relu)},
        .in = {INPUT(x, 3)},
    },
    {
        .name = "gelu",
        .args = {ARG(in, 1), ARG(out, 1), ARG_FUNCTION(activation, heed_gelu)},
        .in = {INPUT(x, 2, 1)},
    },
    {
        .name = "tanh of nothing",
        .args = {ARG(in, 2), ARG(out, 3), ARG_FUNCTION(activation, heed_tanh)},
        .in = {INPUT(x, 0, 2)},
        .max_order = -1,
    },
    {
        .name = "(64, 50)",
        .args = {ARG(in, 50), ARG(out, 30)},
        .in = {INPUT(x, 64, 50)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no inputs",
        .args = {ARG(in, 0), ARG(out, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_linear_new: in is 0",
    },
    {
        .name = "negative outputs",
        .args = {ARG(in, 1), ARG(out, -3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_linear_new: out is -3",
    },
    {
        .name = "i64",
        .args = {ARG(in, 1), ARG(out, 1), ARG(dtype, HEED_I64)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_linear_new: dtype is i64: must be",
    },
    {
        .name = "no x",
        .args = {ARG(in, 3), ARG(out, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_linear_forward: x is NULL",
    },
    {
        .name = "x of another size",
        .args = {ARG(in, 3), ARG(out, 2)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_linear_forward: linear: x (2, 4) has 4 features, w (2, 3) takes 3",
    },
    {0},
};

const layer_cases heed_cases_nn_linear = {cases, errors};
