/* tests/nn/upsample.c - the cases of heed_nn_upsample.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

#define LINEAR HEED_INTERPOLATE_LINEAR
#define BILINEAR HEED_INTERPOLATE_BILINEAR

static const layer_case cases[] = {
    {
        .name = "nearest line",
        .args = {ARG(scale_factor, 2)},
        .in = {INPUT(x, 2, 1, 3)},
    },
    {
        .name = "linear",
        .args = {ARG_SHAPE(size, 5), ARG(mode, LINEAR)},
        .in = {INPUT(x, 1, 2, 3)},
    },
    {
        .name = "bilinear, two factors",
        .args = {ARG(scale_factor, 2), ARG(scale_factor_w, 0.5), ARG(mode, BILINEAR), ARG(align_corners, true)},
        .in = {INPUT(x, 1, 1, 2, 5)},
    },
    {
        .name = "larger",
        .args = {ARG_SHAPE(size, 13, 7), ARG(mode, BILINEAR)},
        .in = {INPUT(x, 8, 6, 11, 13)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no size",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: size is (), scale_factor is 0: give either one or the other",
    },
    {
        .name = "size and factor",
        .args = {ARG_SHAPE(size, 2), ARG(scale_factor, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: size is (2), scale_factor is 2: give either one or the other",
    },
    {
        .name = "size 0",
        .args = {ARG_SHAPE(size, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: size is 0",
    },
    {
        .name = "factor -1",
        .args = {ARG(scale_factor, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: scale_factor is -1: must be above 0 and finite",
    },
    {
        .name = "factor of the width",
        .args = {ARG(scale_factor, 1), ARG(scale_factor_w, -2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: scale_factor is -2: must be above 0 and finite",
    },
    {
        .name = "mode",
        .args = {ARG(scale_factor, 2), ARG(mode, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: mode is 3: must be one of HEED_INTERPOLATE_*",
    },
    {
        .name = "corners",
        .args = {ARG(scale_factor, 2), ARG(align_corners, true)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_new: align_corners is true: must be false in mode nearest",
    },
    {
        .name = "no x",
        .args = {ARG(scale_factor, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_upsample_forward: x is NULL",
    },
    {
        .name = "bilinear line",
        .args = {ARG(scale_factor, 2), ARG(mode, BILINEAR)},
        .in = {INPUT(x, 2, 1, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_upsample_forward: interpolate: x is (2, 1, 4): must be (B, C, H, W) in mode bilinear",
    },
    {0},
};

const layer_cases heed_cases_nn_upsample = {cases, errors};
