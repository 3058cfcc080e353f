/* tests/nn/conv_transpose.c - the cases of heed_nn_conv_transpose.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define CONV "conv_transpose"
#include "conv_errors.h"

static const layer_case cases[] = {
    {
        .name = "3",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 3, 3)},
        .in = {INPUT(x, 2, 2, 4, 3)},
    },
    {
        .name = "no bias, stride, padding",
        .args = {ARG(in, 1), ARG(out, 2), ARG_SHAPE(kernel_size, 2, 2), ARG(no_bias, true), ARG_SHAPE(stride, 2),
                 ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 1, 1, 3, 4)},
    },
    {
        .name = "groups, dilation",
        .args = {ARG(in, 4), ARG(out, 2), ARG_SHAPE(kernel_size, 2, 2), ARG(groups, 2), ARG_SHAPE(dilation, 2)},
        .in = {INPUT(x, 1, 4, 3, 3)},
    },
    {
        .name = "output padding",
        .args = {ARG(in, 1), ARG(out, 2), ARG_SHAPE(kernel_size, 2, 2), ARG_SHAPE(stride, 3),
                 ARG_SHAPE(output_padding, 1)},
        .in = {INPUT(x, 2, 1, 2, 2)},
    },
    {
        .name = "nothing",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 1, 1)},
        .in = {INPUT(x, 0, 2, 2, 2)},
        .max_order = -1,
    },
    {
        .name = "larger",
        .args = {ARG(in, 6), ARG(out, 9), ARG_SHAPE(kernel_size, 3, 3), ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 8, 6, 11, 13)},
    },
    {
        .name = "line, 3",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 3)},
        .in = {INPUT(x, 2, 2, 4)},
    },
    {
        .name = "line, no bias, stride, padding",
        .args = {ARG(in, 1), ARG(out, 2), ARG_SHAPE(kernel_size, 2), ARG(no_bias, true), ARG_SHAPE(stride, 2),
                 ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 1, 1, 3)},
    },
    {
        .name = "line, groups, dilation",
        .args = {ARG(in, 4), ARG(out, 2), ARG_SHAPE(kernel_size, 2), ARG(groups, 2), ARG_SHAPE(dilation, 2)},
        .in = {INPUT(x, 1, 4, 3)},
    },
    {
        .name = "line, output padding",
        .args = {ARG(in, 1), ARG(out, 2), ARG_SHAPE(kernel_size, 2), ARG_SHAPE(stride, 3),
                 ARG_SHAPE(output_padding, 1)},
        .in = {INPUT(x, 2, 1, 2)},
    },
    {
        .name = "line, nothing",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 1)},
        .in = {INPUT(x, 0, 2, 2)},
        .max_order = -1,
    },
    {
        .name = "line, larger",
        .args = {ARG(in, 6), ARG(out, 9), ARG_SHAPE(kernel_size, 3), ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 8, 6, 11)},
    },
    {0},
};

const layer_cases heed_cases_nn_conv_transpose = {cases, errors};
