/* nn/vision_transformer.c - attention over the patches of an image. A class token precedes the patches, and the head
 * reads the class token's final state.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/nn/vision.h>

#include "nn/layer.h"

typedef heed_nn_vision_transformer transformer;
typedef heed_nn_vision_transformer_options transformer_options;

static const char where_new[] = "nn_vision_transformer_new";
static const char where_forward[] = "nn_vision_transformer_forward";

enum { HEAD_SIZE = 64 };

#define MAX_LAYERS (1 << 20)
#define POSITIONS_STD 0.02

static heed_tensor *forward_vision_transformer(heed_module *m, heed_tensor *x)
{
    return heed_nn_vision_transformer_forward((transformer *)m, x);
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static transformer_options vision_defaults(const transformer_options *options)
{
    transformer_options o = options ? *options : (transformer_options){0};
    if (o.num_heads == 0)
        o.num_heads = o.hidden_size < HEAD_SIZE ? 1 : o.hidden_size / HEAD_SIZE;
    if (o.ffn_size == 0)
        o.ffn_size = o.hidden_size < 1 || o.hidden_size > INT64_MAX / 4 ? INT64_MAX : 4 * o.hidden_size;
    if (!o.activation)
        o.activation = o.gated ? heed_silu : heed_gelu;
    return o;
}

static bool check_vision_sizes(const transformer_options *o, int64_t num_classes)
{
    if (!heed__layer_check_size(where_new, "hidden_size", o->hidden_size) ||
        !heed__layer_check_size(where_new, "num_layers", o->num_layers) ||
        !heed__layer_check_size(where_new, "num_classes", num_classes) ||
        !heed__layer_check_dropout(where_new, o->embedding_dropout) || !heed__layer_check_dtype(where_new, o->dtype))
        return false;
    return o->num_layers <= MAX_LAYERS ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_new, "num_layers is %" PRId64 ": must be at most %d", o->num_layers,
                           MAX_LAYERS);
}

/* Checks the sizes and sets *patches to the number of patches. */
static bool check_image(const heed_shape *image, const heed_shape *patch, int64_t *patches)
{
    if (image->rank != 3)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                               "image_size has %d numbers: must be channels, height, width", image->rank);
    if (!heed__layer_check_numbers(where_new, "image_size", 3, image, 1) ||
        !heed__layer_check_kernel(where_new, "patch_size", 2, patch))
        return false;
    const int64_t height = patch->dims[0], width = patch->dims[patch->rank - 1];
    if (image->dims[1] % height != 0 || image->dims[2] % width != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                               "image_size is %s: height and width must be multiples of the patches' %" PRId64
                               " x %" PRId64,
                               heed_shape_text(*image).s, height, width);
    if (__builtin_mul_overflow(image->dims[1] / height, image->dims[2] / width, patches) || *patches == INT64_MAX)
        return heed_fail_false(HEED_ERR_SHAPE, where_new, "image_size is %s: must have fewer than 2^63 - 1 patches",
                               heed_shape_text(*image).s);
    return true;
}

static bool add_patch_embedding(transformer *net, const heed_shape *patch, int64_t patches,
                                const transformer_options *o)
{
    heed_module *m = &net->base;
    const heed_shape kernel = HEED_SHAPE(patch->dims[0], patch->dims[patch->rank - 1]);
    const heed_nn_conv_options conv = {.stride = kernel, .dtype = o->dtype};
    const heed_shape one = HEED_SHAPE(1, 1, o->hidden_size), all = HEED_SHAPE(1, patches + 1, o->hidden_size);
    net->class_token = heed__layer_constant(m, "class_token", o->dtype, one, 0.0);
    if (net->class_token)
        net->positions = heed__layer_constant(m, "positions", o->dtype, all, 0.0);
    if (!net->positions || heed_nn_init_normal_(net->positions, 0.0, POSITIONS_STD) != HEED_OK)
        return false;
    const int64_t channels = net->image_size.dims[0];
    net->patches = heed__layer_child(m, "patches", heed_nn_conv_new(channels, o->hidden_size, kernel, &conv));
    return net->patches != NULL;
}

static bool add_blocks(transformer *net, const transformer_options *o)
{
    const heed_nn_transformer_options options = {.dropout = o->dropout,
                                                 .eps = o->eps,
                                                 .activation = o->activation,
                                                 .pre_norm = true,
                                                 .gated = o->gated,
                                                 .dtype = o->dtype,
                                                 .attention = o->attention};
    net->blocks = heed__layer_child(&net->base, "blocks", heed_nn_sequential_new(NULL, 0));
    for (int64_t i = 0; net->blocks && i < o->num_layers; i++) {
        void *block = heed_nn_transformer_encoder_block_new(o->hidden_size, o->num_heads, o->ffn_size, &options);
        if (!block || heed_nn_sequential_add(net->blocks, block) != HEED_OK)
            return false;
    }
    return net->blocks != NULL;
}

static bool add_head(transformer *net, int64_t num_classes, const transformer_options *o)
{
    const heed_nn_layer_norm_options norm = {.eps = o->eps, .dtype = o->dtype};
    const heed_nn_linear_options head = {.dtype = o->dtype};
    net->norm = heed__layer_child(&net->base, "norm", heed_nn_layer_norm_new(HEED_SHAPE(o->hidden_size), &norm));
    if (net->norm)
        net->head = heed__layer_child(&net->base, "head", heed_nn_linear_new(o->hidden_size, num_classes, &head));
    return net->head != NULL;
}

transformer *heed_nn_vision_transformer_new(heed_shape image_size, heed_shape patch_size, int64_t num_classes,
                                            const transformer_options *options)
{
    HEED_ENTER(where_new);
    const transformer_options o = vision_defaults(options);
    int64_t patches = 0;
    if (!check_vision_sizes(&o, num_classes) || !check_image(&image_size, &patch_size, &patches))
        return NULL;
    transformer *net = heed_module_new("vision_transformer", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_vision_transformer;
    net->image_size = image_size;
    net->embedding_dropout = o.embedding_dropout;
    return heed__layer_finish(net, add_patch_embedding(net, &patch_size, patches, &o) && add_blocks(net, &o) &&
                                       add_head(net, num_classes, &o));
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

/* Returns the class token and the patches, with their positions: (B, 1 + n, h). */
static heed_tensor *embed_patches(transformer *net, heed_tensor *x)
{
    const int64_t batch = heed_dim(x, 0), n = heed_dim(net->positions, 1) - 1, h = heed_dim(net->positions, 2);
    heed_tensor *patches = heed_reshape(heed_nn_conv_forward(net->patches, x), HEED_SHAPE(batch, h, n));
    heed_tensor *token = heed_expand(net->class_token, HEED_SHAPE(batch, 1, h));
    heed_tensor *all = heed_concat(HEED_TENSORS(token, heed_transpose(patches, 1, 2)), 1);
    return heed_dropout(heed_add(all, net->positions), net->embedding_dropout, net->base.training);
}

heed_tensor *heed_nn_vision_transformer_forward(transformer *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (!heed__layer_check_given(where_forward, net, "x", x))
        return NULL;
    const int64_t *image = net->image_size.dims;
    if (!heed__layer_check_tensor(where_forward, "x", x, heed_dtype_of(net->class_token),
                                  HEED_SHAPE(-1, image[0], image[1], image[2])))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *all = heed_nn_sequential_forward(net->blocks, embed_patches(net, x));
    heed_tensor *first = heed_nn_layer_norm_forward(net->norm, heed_select(all, 1, 0));
    return heed_scope_return(scope, heed_nn_linear_forward(net->head, first));
}
