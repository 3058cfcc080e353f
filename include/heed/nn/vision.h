/* heed/nn/vision.h - networks for pictures. What heed/nn.h says of all layers holds here; convolutions and pooling are
 * in heed/nn/conv.h.
 */
#ifndef HEED_NN_VISION_H
#define HEED_NN_VISION_H

#include <heed/nn/conv.h>
#include <heed/nn/transformer.h>

HEED_BEGIN_DECLS

/* What heed_nn_vision_transformer_new may be told. */
typedef struct heed_nn_vision_transformer_options {
    int64_t hidden_size;      /* h, 1 or more: there is no default */
    int64_t num_layers;       /* 1 to 2^20: there is no default */
    int64_t num_heads;        /* divides h, or head_dim is given; 0: h / 64, rounded down, and 1 at least */
    int64_t ffn_size;         /* 0: 4 h */
    double dropout;           /* in the blocks: of weights, of the activation's result and of what is added; 0: none */
    double eps;               /* of the layer norms; 0: 1e-5 */
    double embedding_dropout; /* of what goes into the first block; 0: none */
    heed_activation activation; /* in the blocks; NULL: heed_gelu, or heed_silu where they are gated */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    bool gated;                 /* the feed-forwards are gated, as heed_nn_feed_forward_new says */
    const heed_nn_multi_head_attention_options *attention; /* what attentions are told besides, as in the blocks */
    HEED_RESERVED;
} heed_nn_vision_transformer_options;

/* Attention over the patches of a picture. */
typedef struct heed_nn_vision_transformer {
    heed_module base;           /* the module */
    heed_shape image_size;      /* (C, H, W) */
    heed_nn_conv2d *patches;    /* a vector of h for each patch */
    heed_tensor *class_token;   /* (1, 1, h), what stands before the patches */
    heed_tensor *positions;     /* (1, 1 + n, h), added to token and patches */
    heed_nn_sequential *blocks; /* num_layers of heed_nn_transformer_encoder_block, pre-norm */
    heed_nn_layer_norm *norm;   /* of the last block's results */
    heed_nn_linear *head;       /* from h to the classes */
    double embedding_dropout;   /* while training */
} heed_nn_vision_transformer;

/* A Vision Transformer for pictures of image_size (C, H, W), cut into n patches of patch_size, one number or two, which
 * must divide H and W. Parameters "class_token", zeros, "positions", N(0, 0.02^2), "patches.weight" (h, C, height,
 * width), "patches.bias" (h), "blocks.0. ..." as heed_nn_transformer_encoder_block_new names them, "norm. ...",
 * "head.weight" (num_classes, h), "head.bias". NULL on failure: HEED_ERR_ARGUMENT for NULL options, unless image_size
 * has three numbers of at least 1 and patches tile it, for a size below 1, a dropout outside [0, 1], too many layers,
 * and as heed_nn_transformer_encoder_block_new; HEED_ERR_SHAPE for more elements than can be counted; HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. To what goes by distances the patches are a row, one line of the picture after another, behind the
 * token. A. Dosovitskiy et al.: An Image is Worth 16x16 Words (ICLR 2021); the book: ViT. */
HEED_API HEED_NODISCARD heed_nn_vision_transformer *
heed_nn_vision_transformer_new(heed_shape image_size, heed_shape patch_size, int64_t num_classes,
                               const heed_nn_vision_transformer_options *options);

/* The classes' logits: x (B, C, H, W) -> (B, num_classes). With t the class token and e the vectors of the n patches,
 *     z = dropout([t, e_1, ..., e_n] + positions),   z = block(z) for each,   y = head(norm(z_0))
 * NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, what the activation fails with,
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_vision_transformer_forward(heed_nn_vision_transformer *net, heed_tensor *x);

HEED_END_DECLS

#endif
