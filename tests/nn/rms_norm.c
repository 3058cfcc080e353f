/* tests/nn/rms_norm.c - the cases of heed_nn_rms_norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "the last axis",
        .args = {ARG_SHAPE(shape, 4)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "two axes",
        .args = {ARG_SHAPE(shape, 3, 4), ARG(eps, 0.25)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "not affine",
        .args = {ARG_SHAPE(shape, 5), ARG(no_affine, true)},
        .in = {INPUT(x, 5)},
    },
    {
        .name = "(64, 50)",
        .args = {ARG_SHAPE(shape, 50)},
        .in = {INPUT(x, 64, 50)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no axes",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_rms_norm_new: shape has rank 0: must be",
    },
    {
        .name = "negative eps",
        .args = {ARG_SHAPE(shape, 2), ARG(eps, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_rms_norm_new: eps is -1",
    },
    {
        .name = "x of another shape",
        .args = {ARG_SHAPE(shape, 3, 2)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_rms_norm_forward: rms_norm: x (2, 4) does not end in the axes (3, 2)",
    },
    {0},
};

const layer_cases heed_cases_nn_rms_norm = {cases, errors};
