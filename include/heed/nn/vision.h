/* heed/nn/vision.h - networks for images. The rules in heed/nn.h hold here too; convolutions and pooling are in
 * heed/nn/conv.h.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_VISION_H
#define HEED_NN_VISION_H

#include <heed/nn/conv.h>
#include <heed/nn/transformer.h>

HEED_BEGIN_DECLS

/* Options of heed_nn_vision_transformer_new. */
typedef struct heed_nn_vision_transformer_options {
    int64_t hidden_size;        /* h, 1 or more; required */
    int64_t num_layers;         /* 1 to 2^20; required */
    int64_t num_heads;          /* divides h, unless head_dim is given; 0: h / 64, rounded down, at least 1 */
    int64_t ffn_size;           /* 0: 4 h */
    double dropout;             /* in the blocks: of attention weights, activations, residual terms; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    double embedding_dropout;   /* of the input of the first block; 0: no dropout */
    heed_activation activation; /* in the blocks; NULL: heed_gelu, or heed_silu if gated */
    heed_dtype dtype;           /* of the parameters and x; 0: f32 */
    bool gated;                 /* the feed-forwards are gated, as in heed_nn_feed_forward_new */
    const heed_nn_multi_head_attention_options *attention; /* further options of self-attention, as in the options of
                                                              blocks */
    HEED_RESERVED;
} heed_nn_vision_transformer_options;

/* A Vision Transformer: attention over the patches of an image. */
typedef struct heed_nn_vision_transformer {
    heed_module base;           /* the module */
    heed_shape image_size;      /* (C, H, W) */
    heed_nn_conv *patches;      /* maps every patch to a vector of size h */
    heed_tensor *class_token;   /* (1, 1, h), precedes the patches */
    heed_tensor *positions;     /* (1, 1 + n, h), added to token and patches */
    heed_nn_sequential *blocks; /* num_layers of heed_nn_transformer_encoder_block, pre-norm */
    heed_nn_layer_norm *norm;   /* applied to the results of the last block */
    heed_nn_linear *head;       /* from h to the classes */
    double embedding_dropout;   /* while training */
} heed_nn_vision_transformer;

/* Makes a Vision Transformer, ViT of the book Dive into Deep Learning, for images of image_size (C, H, W) in n patches.
 *
 * patch_size, one number or two, must divide both height and width. The parameters are "class_token", which begins as
 * 0, "positions", drawn from N(0, 0.02^2), "patches.weight" (h, C, height, width), "patches.bias" (h), "blocks.0. ..."
 * as in heed_nn_transformer_encoder_block_new, "norm. ...", "head.weight" (num_classes, h) and "head.bias". Options
 * that depend on positions (RoPE, ALiBi, relative positions) see the sequence of the token and the patches, row by row.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL options, unless image_size consists of three numbers of at least 1, for patches
 * that do not divide the image, for a size below 1, a dropout outside [0, 1], too many layers, and as
 * heed_nn_transformer_encoder_block_new; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM.
 * Reference: A. Dosovitskiy et al.: An Image is Worth 16x16 Words (ICLR 2021). */
HEED_API HEED_NODISCARD heed_nn_vision_transformer *
heed_nn_vision_transformer_new(heed_shape image_size, heed_shape patch_size, int64_t num_classes,
                               const heed_nn_vision_transformer_options *options);

/* Computes the logits of the classes: x (B, C, H, W) -> (B, num_classes). With t the class token and e the vectors of
 * the n patches,
 *     z = dropout([t, e_1, ..., e_n] + positions),   z = block(z) for every block,   y = head(norm(z_0))
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; the errors of the activation; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_vision_transformer_forward(heed_nn_vision_transformer *net, heed_tensor *x);

HEED_END_DECLS

#endif
