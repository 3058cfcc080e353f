/* tests/nn/conv2d.c - the cases of heed_nn_conv2d. */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "3",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 3)},
        .in = {INPUT(x, 2, 2, 4, 3)},
    },
    {
        .name = "no bias, stride, padding",
        .args = {ARG(in, 1), ARG(out, 2), ARG_SHAPE(kernel_size, 2), ARG(no_bias, true), ARG_SHAPE(stride, 2),
                 ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 1, 1, 3, 4)},
    },
    {
        .name = "groups, dilation",
        .args = {ARG(in, 4), ARG(out, 2), ARG_SHAPE(kernel_size, 2), ARG(groups, 2), ARG_SHAPE(dilation, 2)},
        .in = {INPUT(x, 1, 4, 3, 3)},
    },
    {
        .name = "same",
        .args = {ARG(in, 2), ARG(out, 2), ARG_SHAPE(kernel_size, 2, 3), ARG(same, true)},
        .in = {INPUT(x, 1, 2, 3, 2)},
    },
    {
        .name = "nothing",
        .args = {ARG(in, 2), ARG(out, 3), ARG_SHAPE(kernel_size, 1)},
        .in = {INPUT(x, 0, 2, 2, 2)},
        .max_order = -1,
    },
    {
        .name = "larger",
        .args = {ARG(in, 6), ARG(out, 9), ARG_SHAPE(kernel_size, 3), ARG_SHAPE(padding, 1)},
        .in = {INPUT(x, 8, 6, 11, 13)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no channels",
        .args = {ARG(in, 0), ARG(out, 1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: in is 0",
    },
    {
        .name = "negative channels",
        .args = {ARG(in, 1), ARG(out, -1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: out is -1",
    },
    {
        .name = "no kernel",
        .args = {ARG(in, 1), ARG(out, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: kernel_size has no numbers",
    },
    {
        .name = "empty kernel",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: kernel_size is 0",
    },
    {
        .name = "three numbers",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1, 1, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: kernel_size has 3 numbers: must be at most 2",
    },
    {
        .name = "stride",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG_SHAPE(stride, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: stride is 0",
    },
    {
        .name = "padding",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG_SHAPE(padding, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: padding is -1",
    },
    {
        .name = "groups",
        .args = {ARG(in, 3), ARG(out, 2), ARG_SHAPE(kernel_size, 1), ARG(groups, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_new: groups is 2: must be 1 or more and divide in 3 and out 2",
    },
    {
        .name = "i64",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1), ARG(dtype, HEED_I64)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_conv2d_new: dtype is i64",
    },
    {
        .name = "no x",
        .args = {ARG(in, 1), ARG(out, 1), ARG_SHAPE(kernel_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_conv2d_forward: x is NULL",
    },
    {
        .name = "other channels",
        .args = {ARG(in, 3), ARG(out, 2), ARG_SHAPE(kernel_size, 1)},
        .in = {INPUT(x, 2, 4, 2, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_conv2d_forward: conv2d: w ",
    },
    {0},
};

const layer_cases heed_cases_nn_conv2d = {cases, errors};
