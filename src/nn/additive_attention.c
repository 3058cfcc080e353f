/* nn/additive_attention.c - additive attention as a module: AdditiveAttention of Dive into Deep Learning. */

#include <heed/ops.h>

#include "nn/layer.h"

typedef heed_nn_additive_attention additive;

static const char where_new[] = "nn_additive_attention_new";
static const char where_forward[] = "nn_additive_attention_forward";
static const char where_masked[] = "nn_additive_attention_masked";

additive *heed_nn_additive_attention_new(int64_t key_size, int64_t query_size, int64_t hidden_size,
                                         const heed_nn_additive_attention_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_additive_attention_options o = options ? *options : (heed_nn_additive_attention_options){0};
    if (!heed__layer_check_size(where_new, "key_size", key_size) ||
        !heed__layer_check_size(where_new, "query_size", query_size) ||
        !heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_dtype(where_new, o.dtype) || !heed__layer_check_dropout(where_new, o.dropout))
        return NULL;
    additive *net = heed_module_new("additive_attention", sizeof *net);
    if (!net)
        return NULL;
    const heed_nn_linear_options map = {.no_bias = true, .dtype = o.dtype};
    net->dropout = o.dropout;
    net->W_k = heed__layer_child(&net->base, "W_k", heed_nn_linear_new(key_size, hidden_size, &map));
    net->W_q = heed__layer_child(&net->base, "W_q", heed_nn_linear_new(query_size, hidden_size, &map));
    net->w_v = heed__layer_child(&net->base, "w_v", heed_nn_linear_new(hidden_size, 1, &map));
    return heed__layer_finish(net, net->W_k && net->W_q && net->w_v);
}

/* Computes attention. `options` only says which keys are visible; the module provides all other settings. */
static heed_tensor *attend(const char *where, const additive *net, heed_tensor *const in[3],
                           heed_attention_options options, heed_tensor **weights)
{
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_attention(where, net, in[0], in[1], in[2]))
        return NULL;
    options.dropout = net->base.training ? net->dropout : 0.0;
    return heed_additive_attention(in[0], in[1], in[2], net->W_q->weight, net->W_k->weight, net->w_v->weight, &options,
                                   weights);
}

heed_tensor *heed_nn_additive_attention_forward(additive *net, heed_tensor *queries, heed_tensor *keys,
                                                heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {queries, keys, values};
    return attend(where_forward, net, in, (heed_attention_options){.valid_lens = valid_lens}, weights);
}

heed_tensor *heed_nn_additive_attention_masked(additive *net, heed_tensor *queries, heed_tensor *keys,
                                               heed_tensor *values, heed_tensor *valid_lens, heed_tensor *mask,
                                               heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed_attention_options options = {.valid_lens = valid_lens, .mask = mask, .bias = bias};
    return attend(where_masked, net, in, options, weights);
}
