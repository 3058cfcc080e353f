/* tests/nn/unflatten.c - the cases of heed_nn_unflatten.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "the last axis",
        .args = {ARG(axis, -1), ARG_SHAPE(sizes, 3, -1)},
        .in = {INPUT(x, 2, 6)},
    },
    {
        .name = "the first axis",
        .args = {ARG(axis, 0), ARG_SHAPE(sizes, 2, 1, 2)},
        .in = {INPUT(x, 4, 3)},
    },
    {
        .name = "no rows",
        .args = {ARG(axis, 1), ARG_SHAPE(sizes, -1, 2)},
        .in = {INPUT(x, 0, 4)},
        .max_order = -1,
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no sizes",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_unflatten_new: sizes is a list of 0 numbers: must have 1 to 8",
    },
    {
        .name = "size -2",
        .args = {ARG_SHAPE(sizes, 2, -2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_unflatten_new: sizes is (2, -2): must be 0 or more, and one may be -1",
    },
    {
        .name = "two sizes -1",
        .args = {ARG_SHAPE(sizes, -1, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_unflatten_new: sizes is (-1, -1): must be 0 or more, and one may be -1",
    },
    {
        .name = "no x",
        .args = {ARG_SHAPE(sizes, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_unflatten_forward: x is NULL",
    },
    {
        .name = "no such axis",
        .args = {ARG(axis, 2), ARG_SHAPE(sizes, 3)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: there is no axis 2 in x (2, 3)",
    },
    {
        .name = "another product",
        .args = {ARG(axis, 1), ARG_SHAPE(sizes, 2, 2)},
        .in = {INPUT(x, 0, 6)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: axis 1 of x (0, 6) does not split into (2, 2)",
    },
    {
        .name = "no multiple",
        .args = {ARG(axis, -1), ARG_SHAPE(sizes, 4, -1)},
        .in = {INPUT(x, 2, 6)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: axis -1 of x (2, 6) does not split into (4, -1)",
    },
    {
        .name = "0 and -1",
        .args = {ARG(axis, 1), ARG_SHAPE(sizes, 0, -1)},
        .in = {INPUT(x, 2, 0)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: axis 1 of x (2, 0) does not split into (0, -1)",
    },
    {
        .name = "overflow",
        .args = {ARG(axis, 1), ARG_SHAPE(sizes, INT64_C(1) << 62, 4)},
        .in = {INPUT(x, 2, 0)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: axis 1 of x (2, 0) does not split into (4611686018427387904, 4)",
    },
    {
        .name = "rank 9",
        .args = {ARG_SHAPE(sizes, 1, 1, 1, 1, 1, 1, 1, 2)},
        .in = {INPUT(x, 2, 3)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_unflatten_forward: axis 0 of x (2, 3) does not split into (1, 1, 1, 1, 1, 1, 1, 2)",
    },
    {0},
};

const layer_cases heed_cases_nn_unflatten = {cases, errors};
