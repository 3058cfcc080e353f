/* nn/dot_product_attention.c - scaled dot-product attention as a module: DotProductAttention of Dive into Deep
 * Learning. */

#include <math.h>

#include <heed/ops.h>

#include "nn/layer.h"

typedef heed_nn_dot_product_attention dot_product;

static const char where_new[] = "nn_dot_product_attention_new";
static const char where_forward[] = "nn_dot_product_attention_forward";
static const char where_masked[] = "nn_dot_product_attention_masked";

dot_product *heed_nn_dot_product_attention_new(const heed_nn_dot_product_attention_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_dot_product_attention_options o = options ? *options : (heed_nn_dot_product_attention_options){0};
    if (!heed__layer_check_dropout(where_new, o.dropout))
        return NULL;
    if (!isfinite(o.scale))
        return heed_fail_null(HEED_ERR_ARGUMENT, where_new, "scale %g: must be a finite number", o.scale);
    dot_product *net = heed_module_new("dot_product_attention", sizeof *net);
    if (!net)
        return NULL;
    net->dropout = o.dropout;
    net->scale = o.scale;
    net->causal = o.causal;
    return net;
}

/* Computes attention. `options` only says which keys are visible; the module provides all other settings. */
static heed_tensor *attend(const char *where, const dot_product *net, heed_tensor *const in[3],
                           heed_attention_options options, heed_tensor **weights)
{
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_attention(where, net, in[0], in[1], in[2]))
        return NULL;
    options.causal = net->causal;
    options.scale = net->scale;
    options.dropout = net->base.training ? net->dropout : 0.0;
    return heed_dot_product_attention(in[0], in[1], in[2], &options, weights);
}

heed_tensor *heed_nn_dot_product_attention_forward(dot_product *net, heed_tensor *queries, heed_tensor *keys,
                                                   heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {queries, keys, values};
    return attend(where_forward, net, in, (heed_attention_options){.valid_lens = valid_lens}, weights);
}

heed_tensor *heed_nn_dot_product_attention_masked(dot_product *net, heed_tensor *queries, heed_tensor *keys,
                                                  heed_tensor *values, heed_tensor *valid_lens, heed_tensor *mask,
                                                  heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed_attention_options options = {.valid_lens = valid_lens, .mask = mask, .bias = bias};
    return attend(where_masked, net, in, options, weights);
}
