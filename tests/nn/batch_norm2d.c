/* tests/nn/batch_norm2d.c - the cases of heed_nn_batch_norm2d. */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "planes",
        .args = {ARG(num_features, 3)},
        .in = {INPUT(x, 2, 3, 2, 2)},
    },
    {
        .name = "one image",
        .args = {ARG(num_features, 2), ARG(no_affine, true)},
        .in = {INPUT(x, 1, 2, 1, 3)},
    },
    {
        .name = "(4, 8, 5, 5)",
        .args = {ARG(num_features, 8)},
        .in = {INPUT(x, 4, 8, 5, 5)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no features",
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_batch_norm2d_new: num_features is 0",
    },
    {
        .name = "rows",
        .args = {ARG(num_features, 2)},
        .in = {INPUT(x, 3, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_batch_norm2d_forward: x is (3, 2): must be (any, 2, any, any)",
    },
    {0},
};

const layer_cases heed_cases_nn_batch_norm2d = {cases, errors};
