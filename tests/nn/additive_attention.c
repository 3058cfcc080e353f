/* tests/nn/additive_attention.c - the cases of heed_nn_additive_attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "all keys",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2)},
    },
    {
        .name = "lengths",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2), LENGTHS(valid_lens, 3, 1)},
    },
    {
        .name = "a length for each query, and weights",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2), WHOLE(valid_lens, 4, 2, 2)},
        .requested = "weights",
    },
    {
        .name = "dropout",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3), ARG(dropout, 0.5)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2), LENGTHS(valid_lens, 2, 0)},
    },
    {
        .name = "dropout, and weights",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3), ARG(dropout, 0.5)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2)},
        .requested = "weights",
    },
    {
        .name = "(4, 20, 16)",
        .args = {ARG(key_size, 16), ARG(query_size, 16), ARG(hidden_size, 24)},
        .in = {INPUT(queries, 4, 20, 16), INPUT(keys, 4, 20, 16), INPUT(values, 4, 20, 16)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "keys of no size",
        .args = {ARG(key_size, 0), ARG(query_size, 1), ARG(hidden_size, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_additive_attention_new: key_size is 0",
    },
    {
        .name = "dropout below 0",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3), ARG(dropout, -1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_additive_attention_new: dropout is -1: must be",
    },
    {
        .name = "no keys",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(queries, 2, 2, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_additive_attention_forward: keys is NULL",
    },
    {
        .name = "lengths of another batch",
        .args = {ARG(key_size, 3), ARG(query_size, 2), ARG(hidden_size, 3)},
        .in = {INPUT(queries, 2, 2, 2), INPUT(keys, 2, 3, 3), INPUT(values, 2, 3, 2), LENGTHS(valid_lens, 3, 1, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_additive_attention_forward: ",
    },
    {0},
};

const layer_cases heed_cases_nn_additive_attention = {cases, errors};
