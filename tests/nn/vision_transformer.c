/* tests/nn/vision_transformer.c - the cases of heed_nn_vision_transformer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "cases.h"

static const layer_case cases[] = {
    {
        .name = "one layer",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 1), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(ffn_size, 3), ARG(num_layers, 1)},
        .in = {INPUT(x, 2, 1, 2, 2)},
    },
    {
        .name = "two layers, heads, another activation",
        .args = {ARG_SHAPE(image_size, 2, 2, 4), ARG_SHAPE(patch_size, 1, 2), ARG(num_classes, 3), ARG(hidden_size, 4),
                 ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 2), ARG_FUNCTION(activation, heed_tanh)},
        .in = {INPUT(x, 1, 2, 2, 4)},
    },
    {
        .name = "dropout",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 2), ARG(num_classes, 1), ARG(hidden_size, 2),
                 ARG(num_layers, 1), ARG(dropout, 0.25), ARG(embedding_dropout, 0.5), ARG(eps, 0.125)},
        .in = {INPUT(x, 2, 1, 2, 2)},
    },
    {
        .name = "gated",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 1), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(ffn_size, 3), ARG(num_layers, 1), ARG(gated, true)},
        .in = {INPUT(x, 1, 1, 2, 2)},
    },
    {
        .name = "RoPE, heads of their own size, norms of queries and keys",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 1), ARG(num_classes, 2), ARG(hidden_size, 3),
                 ARG(num_heads, 2), ARG(ffn_size, 3), ARG(num_layers, 1), ARG(eps, 1), ARG(attention, true),
                 ARG(attention.rope, true), ARG(attention.head_dim, 2), ARG(attention.qk_norm, true),
                 ARG(attention.qk_norm_eps, 1)},
        .in = {INPUT(x, 1, 1, 2, 2)},
    },
    {
        .name = "no picture",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 1), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .in = {INPUT(x, 0, 1, 2, 2)},
        .max_order = -1,
    },
    {
        .name = "larger",
        .args = {ARG_SHAPE(image_size, 3, 12, 8), ARG_SHAPE(patch_size, 4), ARG(num_classes, 10), ARG(hidden_size, 64),
                 ARG(num_layers, 2)},
        .in = {INPUT(x, 8, 3, 12, 8)},
    },
    {0},
};

static const layer_case errors[] = {
    {
        .name = "no channels",
        .args = {ARG_SHAPE(image_size, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: image_size has 2 numbers: must be channels, height, width",
    },
    {
        .name = "empty pictures",
        .args = {ARG_SHAPE(image_size, 1, 4, 0), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: image_size is 0",
    },
    {
        .name = "no patch",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG(num_classes, 2), ARG(hidden_size, 2), ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: patch_size is (): must have at least one number",
    },
    {
        .name = "a patch that does not fit",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2, 3), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: image_size is (1, 4, 4): height and width must be multiples of the "
                "patches' 2 x 3",
    },
    {
        .name = "more patches than can be counted",
        .args = {ARG_SHAPE(image_size, 1, INT64_MAX, INT64_MAX), ARG_SHAPE(patch_size, 1), ARG(num_classes, 2),
                 ARG(hidden_size, 2), ARG(num_layers, 1)},
        .status = HEED_ERR_SHAPE,
        .text = "must have fewer than 2^63 - 1 patches",
    },
    {
        .name = "no classes",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(hidden_size, 2), ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: num_classes is 0",
    },
    {
        .name = "no size",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: hidden_size is 0",
    },
    {
        .name = "no layers",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: num_layers is 0",
    },
    {
        .name = "too many layers",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, (1 << 20) + 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: num_layers is 1048577: must be at most 1048576",
    },
    {
        .name = "heads that do not divide",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 4),
                 ARG(num_heads, 3), ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "hidden_size is 4: must be a multiple of num_heads, 3",
    },
    {
        .name = "keys of another size",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 4),
                 ARG(num_layers, 1), ARG(attention, true), ARG(attention.key_size, 4)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: nn_transformer_encoder_block_new: attention->key_size is set: must be 0",
    },
    {
        .name = "dropout",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1), ARG(embedding_dropout, 2)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_new: dropout is 2",
    },
    {
        .name = "i64",
        .args = {ARG_SHAPE(image_size, 1, 4, 4), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1), ARG(dtype, HEED_I64)},
        .status = HEED_ERR_DTYPE,
        .text = "nn_vision_transformer_new: dtype is i64",
    },
    {
        .name = "no x",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .status = HEED_ERR_ARGUMENT,
        .text = "nn_vision_transformer_forward: x is NULL",
    },
    {
        .name = "a picture of another size",
        .args = {ARG_SHAPE(image_size, 1, 2, 2), ARG_SHAPE(patch_size, 2), ARG(num_classes, 2), ARG(hidden_size, 2),
                 ARG(num_layers, 1)},
        .in = {INPUT(x, 2, 1, 4, 2)},
        .status = HEED_ERR_SHAPE,
        .text = "nn_vision_transformer_forward: x is (2, 1, 4, 2): must be (any, 1, 2, 2)",
    },
    {0},
};

const layer_cases heed_cases_nn_vision_transformer = {cases, errors};
