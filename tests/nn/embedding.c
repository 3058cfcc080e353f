/* tests/nn/embedding.c - the cases of heed_nn_embedding.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "(2, 3)",
        .args = {ARG(count, 4), ARG(dim, 2)},
        .in = {WHOLE(indices, 4, 2, 3)},
    },
    {
        .name = "one row",
        .args = {ARG(count, 1), ARG(dim, 3)},
        .in = {WHOLE(indices, 1, 5)},
    },
    {
        .name = "padding, which is not looked up",
        .args = {ARG(count, 4), ARG(dim, 2), ARG(has_padding_idx, true), ARG(padding_idx, -1)},
        .in = {WHOLE(indices, 3, 2, 3)},
    },
    {
        .name = "nothing",
        .args = {ARG(count, 2), ARG(dim, 1)},
        .in = {WHOLE(indices, 2, 0)},
        .max_order = -1,
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no rows",
        .args = {ARG(count, 0), ARG(dim, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_embedding_new: count is 0",
    },
    {
        .name = "no columns",
        .args = {ARG(count, 1), ARG(dim, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_embedding_new: dim is 0",
    },
    {
        .name = "padding 3",
        .args = {ARG(count, 3), ARG(dim, 1), ARG(has_padding_idx, true), ARG(padding_idx, 3)},
        .status = HEED_ERR_INDEX,
        .text = "nn_embedding_new: padding_idx is 3: must be in -count .. count - 1",
    },
    {
        .name = "padding -4",
        .args = {ARG(count, 3), ARG(dim, 1), ARG(has_padding_idx, true), ARG(padding_idx, -4)},
        .status = HEED_ERR_INDEX,
        .text = "nn_embedding_new: padding_idx is -4",
    },
    {
        .name = "padding without its flag",
        .args = {ARG(count, 3), ARG(dim, 1), ARG(padding_idx, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_embedding_new: padding_idx is 1 and has_padding_idx is false",
    },
    {
        .name = "indices of floats",
        .args = {ARG(count, 3), ARG(dim, 2)},
        .in = {INPUT(indices, 2)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_embedding_forward: embedding: ",
    },
    {
        .name = "an index outside",
        .args = {ARG(count, 3), ARG(dim, 2)},
        .in = {LENGTHS(indices, 3)},
        .status = HEED_ERR_INDEX,
        .text = "nn_embedding_forward: embedding: index 3 at (0) is outside",
    },
    {0},
};

const layer_cases heed_cases_nn_embedding = {cases, errors};
