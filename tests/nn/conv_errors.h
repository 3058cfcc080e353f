/* tests/nn/conv_errors.h - cases of invalid arguments, for all convolution layers. Define CONV, the function's name,
 * before including this file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case errors[] = {
    {
        .name = "no channels",
        .args = {ARG(in, 0), ARG(out, 1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: in is 0",
    },
    {
        .name = "negative channels",
        .args = {ARG(in, 1), ARG(out, -1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: out is -1",
    },
    {
        .name = "no kernel",
        .args = {ARG(in, 1), ARG(out, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: kernel_size is (): must have at least one number",
    },
    {
        .name = "empty kernel",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: kernel_size is 0",
    },
    {
        .name = "three numbers",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: kernel_size has 3 numbers: must be at most 2",
    },
    {
        .name = "stride",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG_SHAPE(stride, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: stride is 0",
    },
    {
        .name = "two strides on a line",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG_SHAPE(stride, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: stride has 2 numbers: must be at most 1",
    },
    {
        .name = "padding",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG_SHAPE(padding, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: padding is -1",
    },
    {
        .name = "groups",
        .args = {ARG(in, 3), ARG(out, 2), ARG_SHAPE(kernel_size, 1), ARG(groups, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_new: groups is 2: must be 1 or more and divide in 3 and out 2",
    },
    {
        .name = "i64",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG(dtype, HEED_I64)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_" CONV "_new: dtype is i64",
    },
    {
        .name = "no x",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_" CONV "_forward: x is NULL",
    },
    {
        .name = "other channels",
        .args = {ARG(in, 3), ARG(out, 2), ARG_SHAPE(kernel_size, 1)},
        .in = {INPUT(x, 2, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_" CONV "_forward: " CONV ": w ",
    },
    {
        .name = "planes for a kernel of one axis",
        .args = {ARG(in, 3), ARG(out, 2), ARG_SHAPE(kernel_size, 1)},
        .in = {INPUT(x, 2, 3, 2, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_" CONV "_forward: " CONV ": x is (2, 3, 2, 2) and w is ",
    },
    {0},
};
