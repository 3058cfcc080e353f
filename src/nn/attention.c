/* nn/attention.c - additive and scaled dot-product attention as modules: AdditiveAttention and DotProductAttention of
 * Dive into Deep Learning.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/ops.h>

#include "nn/layer.h"

/* -- Additive attention -------------------------------------------------------------------------------------------- */

typedef heed_nn_additive_attention additive;

static const char where_additive_new[] = "nn_additive_attention_new";
static const char where_additive[] = "nn_additive_attention_forward";
static const char where_additive_with[] = "nn_additive_attention_forward_with";

additive *heed_nn_additive_attention_new(int64_t key_size, int64_t query_size, int64_t hidden_size,
                                         const heed_nn_additive_attention_options *options)
{
    HEED_ENTER(where_additive_new);
    heed_nn_additive_attention_options o = options ? *options : (heed_nn_additive_attention_options){0};
    if (!heed__layer_check_size(where_additive_new, "key_size", key_size) ||
        !heed__layer_check_size(where_additive_new, "query_size", query_size) ||
        !heed__layer_check_size(where_additive_new, "hidden_size", hidden_size) ||
        !heed__layer_check_dtype(where_additive_new, o.dtype) ||
        !heed__layer_check_dropout(where_additive_new, o.dropout))
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

static heed_tensor *attend_additive(const char *where, const additive *net, heed_tensor *const in[3],
                                    const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, 0) || !heed__layer_check_attention(where, net, in[0], in[1], in[2]))
        return NULL;
    const heed_attention_options options = {.valid_lens = call->valid_lens,
                                            .dropout = net->base.training ? net->dropout : 0.0,
                                            .mask = call->mask,
                                            .bias = call->bias};
    return heed_additive_attention(in[0], in[1], in[2], net->W_q->weight, net->W_k->weight, net->w_v->weight, &options,
                                   call->weights);
}

heed_tensor *heed_nn_additive_attention_forward(additive *net, heed_tensor *queries, heed_tensor *keys,
                                                heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_additive, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed_nn_attention_call call = {.valid_lens = valid_lens, .weights = weights};
    return attend_additive(where_additive, net, in, &call);
}

heed_tensor *heed_nn_additive_attention_forward_with(additive *net, heed_tensor *queries, heed_tensor *keys,
                                                     heed_tensor *values, const heed_nn_attention_call *call)
{
    HEED_ENTER_FORWARD(where_additive_with, net);
    heed_tensor *const in[] = {queries, keys, values};
    return attend_additive(where_additive_with, net, in, call ? call : &(heed_nn_attention_call){0});
}

/* -- Dot-product attention ----------------------------------------------------------------------------------------- */

typedef heed_nn_dot_product_attention dot_product;

static const char where_dot_product_new[] = "nn_dot_product_attention_new";
static const char where_dot_product[] = "nn_dot_product_attention_forward";
static const char where_dot_product_with[] = "nn_dot_product_attention_forward_with";

dot_product *heed_nn_dot_product_attention_new(const heed_nn_dot_product_attention_options *options)
{
    HEED_ENTER(where_dot_product_new);
    heed_nn_dot_product_attention_options o = options ? *options : (heed_nn_dot_product_attention_options){0};
    if (!heed__layer_check_dropout(where_dot_product_new, o.dropout))
        return NULL;
    if (!isfinite(o.scale))
        return heed_fail_null(HEED_ERR_ARGUMENT, where_dot_product_new, "scale %g: must be a finite number", o.scale);
    dot_product *net = heed_module_new("dot_product_attention", sizeof *net);
    if (!net)
        return NULL;
    net->dropout = o.dropout;
    net->scale = o.scale;
    net->causal = o.causal;
    return net;
}

static heed_tensor *attend_dot_product(const char *where, const dot_product *net, heed_tensor *const in[3],
                                       const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, 0) || !heed__layer_check_attention(where, net, in[0], in[1], in[2]))
        return NULL;
    const heed_attention_options options = {.valid_lens = call->valid_lens,
                                            .causal = net->causal,
                                            .scale = net->scale,
                                            .dropout = net->base.training ? net->dropout : 0.0,
                                            .mask = call->mask,
                                            .bias = call->bias};
    return heed_dot_product_attention(in[0], in[1], in[2], &options, call->weights);
}

heed_tensor *heed_nn_dot_product_attention_forward(dot_product *net, heed_tensor *queries, heed_tensor *keys,
                                                   heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_dot_product, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed_nn_attention_call call = {.valid_lens = valid_lens, .weights = weights};
    return attend_dot_product(where_dot_product, net, in, &call);
}

heed_tensor *heed_nn_dot_product_attention_forward_with(dot_product *net, heed_tensor *queries, heed_tensor *keys,
                                                        heed_tensor *values, const heed_nn_attention_call *call)
{
    HEED_ENTER_FORWARD(where_dot_product_with, net);
    heed_tensor *const in[] = {queries, keys, values};
    return attend_dot_product(where_dot_product_with, net, in, call ? call : &(heed_nn_attention_call){0});
}
