/* bench/inference.c - see inference.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "inference.h"

#include "networks.h"

enum { MLP, LENET, BLOCK, WIDTH = 128, HEADS = 4, STEPS = 64 };

/* relu, because the nodes of the exported GELU are not the ones that onnxruntime fuses. */
static heed_module *block_new(void)
{
    const heed_nn_transformer_options options = {.pre_norm = true, .activation = heed_relu};
    return &heed_nn_transformer_encoder_block_new(WIDTH, HEADS, 4 * WIDTH, &options)->base;
}

/* sizes: MLP, LENET or BLOCK, and the batch. */
inference inference_new(const bench_case *c)
{
    const int64_t kind = c->sizes[0], batch = c->sizes[1];
    inference i;
    if (kind == BLOCK)
        i = (inference){block_new(), heed_randn(HEED_F32, HEED_SHAPE(batch, STEPS, WIDTH))};
    else if (kind == LENET)
        i = (inference){&bench_lenet_new()->base, heed_rand(HEED_F32, HEED_SHAPE(batch, 1, IMAGE_SIDE, IMAGE_SIDE))};
    else
        i = (inference){&bench_mlp_new()->base, heed_rand(HEED_F32, HEED_SHAPE(batch, IMAGE_PIXELS))};
    heed_module_eval(i.net);
    return i;
}

const bench_entry bench_w15[] = {
    {"W15", "mlp 784-256-10 batch1", inference_run, SIZES(MLP, 1)},
    {"W15", "mlp 784-256-10 batch16", inference_run, SIZES(MLP, 16)},
    {"W15", "mlp 784-256-10 batch256", inference_run, SIZES(MLP, 256)},
    {"W15", "lenet batch1", inference_run, SIZES(LENET, 1)},
    {"W15", "lenet batch16", inference_run, SIZES(LENET, 16)},
    {"W15", "lenet batch256", inference_run, SIZES(LENET, 256)},
    {"W15", "block d128 h4 T64 batch1", inference_run, SIZES(BLOCK, 1)},
    {"W15", "block d128 h4 T64 batch16", inference_run, SIZES(BLOCK, 16)},
    {"W15", "block d128 h4 T64 batch256", inference_run, SIZES(BLOCK, 256), .heavy = true},
    {0},
};
