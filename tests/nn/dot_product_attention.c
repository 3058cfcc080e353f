/* tests/nn/dot_product_attention.c - the cases of heed_nn_dot_product_attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "all keys",
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 3), INPUT(values, 2, 4, 2)},
    },
    {
        .name = "lengths",
        .args = {ARG(scale, 0.5)},
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 3), INPUT(values, 2, 4, 2), LENGTHS(valid_lens, 3, 1)},
    },
    {
        .name = "lengths, and weights",
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 3), INPUT(values, 2, 4, 2), WHOLE(valid_lens, 5, 2, 2)},
        .requested = "weights",
    },
    {
        .name = "causal, heads",
        .args = {ARG(causal, true)},
        .in = {INPUT(queries, 2, 2, 3, 2), INPUT(keys, 2, 2, 3, 2), INPUT(values, 2, 2, 3, 2)},
    },
    {
        .name = "dropout",
        .args = {ARG(dropout, 0.5)},
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 3), INPUT(values, 2, 4, 2)},
    },
    {
        .name = "dropout, causal, and weights",
        .args = {ARG(dropout, 0.5), ARG(causal, true)},
        .in = {INPUT(queries, 2, 3, 2), INPUT(keys, 2, 3, 2), INPUT(values, 2, 3, 2)},
        .requested = "weights",
    },
    {
        .name = "(4, 20, 16)",
        .args = {ARG(causal, true)},
        .in = {INPUT(queries, 4, 20, 16), INPUT(keys, 4, 20, 16), INPUT(values, 4, 20, 16)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "dropout above 1",
        .args = {ARG(dropout, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_dot_product_attention_new: dropout is 2: must be",
    },
    {
        .name = "no values",
        .in = {INPUT(queries, 2, 2, 3), INPUT(keys, 2, 4, 3)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_dot_product_attention_forward: values is NULL",
    },
    {0},
};

const layer_cases heed_cases_nn_dot_product_attention = {cases, errors};
