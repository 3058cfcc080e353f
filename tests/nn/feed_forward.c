/* tests/nn/feed_forward.c - the cases of heed_nn_feed_forward. */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "relu",
        .args = {ARG(d, 4), ARG(hiddens, 3)},
        .in = {INPUT(x, 2, 3, 4)},
    },
    {
        .name = "gelu, no bias",
        .args = {ARG(d, 2), ARG(hiddens, 3), ARG_FUNCTION(activation, heed_gelu), ARG(no_bias, true)},
        .in = {INPUT(x, 3, 2)},
    },
    {
        .name = "dropout",
        .args = {ARG(d, 3), ARG(hiddens, 5), ARG(dropout, 0.5), ARG_FUNCTION(activation, heed_tanh)},
        .in = {INPUT(x, 4, 3)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no hidden units",
        .args = {ARG(d, 1), ARG(hiddens, 0)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_feed_forward_new: hiddens is 0",
    },
    {
        .name = "x of another size",
        .args = {ARG(d, 3), ARG(hiddens, 5)},
        .in = {INPUT(x, 2, 4)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_feed_forward_forward: linear_activated: x (2, 4) has 4 features, w (5, 3) takes 3",
    },
    {0},
};

const layer_cases heed_cases_nn_feed_forward = {cases, errors};
