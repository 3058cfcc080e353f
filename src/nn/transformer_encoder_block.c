/* nn/transformer_encoder_block.c - self-attention and feed-forward, each with residual connection and layer norm. */

#include <heed/ops.h>

#include "nn/layer.h"

typedef heed_nn_transformer_encoder_block block;
typedef heed_nn_transformer_encoder_block_options block_options;

static const char where_new[] = "nn_transformer_encoder_block_new";
static const char where_forward[] = "nn_transformer_encoder_block_forward";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_transformer_encoder_block_forward((block *)m, x, NULL, NULL);
}

/* -- Making ------------------------------------------------------------------------------------------------------ */

static bool add_attention(block *net, int64_t hidden_size, int64_t num_heads, const block_options *o)
{
    heed_nn_multi_head_attention_options options = {
        .dropout = o->dropout, .causal = o->causal, .no_bias = o->no_bias, .dtype = o->dtype};
    net->self_attn =
        heed__layer_child(&net->base, "self_attn", heed_nn_multi_head_attention_new(hidden_size, num_heads, &options));
    return net->self_attn != NULL;
}

static bool add_linears(block *net, int64_t hidden_size, int64_t ffn_size, const block_options *o)
{
    heed_nn_linear_options options = {.no_bias = o->no_bias, .dtype = o->dtype};
    net->linear1 = heed__layer_child(&net->base, "linear1", heed_nn_linear_new(hidden_size, ffn_size, &options));
    if (net->linear1)
        net->linear2 = heed__layer_child(&net->base, "linear2", heed_nn_linear_new(ffn_size, hidden_size, &options));
    return net->linear2 != NULL;
}

static bool add_norms(block *net, int64_t hidden_size, const block_options *o)
{
    heed_nn_layer_norm_options options = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    net->norm1 = heed__layer_child(&net->base, "norm1", heed_nn_layer_norm_new(HEED_SHAPE(hidden_size), &options));
    if (net->norm1)
        net->norm2 = heed__layer_child(&net->base, "norm2", heed_nn_layer_norm_new(HEED_SHAPE(hidden_size), &options));
    return net->norm2 != NULL;
}

block *heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                             const block_options *options)
{
    HEED_ENTER(where_new);
    block_options o = options ? *options : (block_options){0};
    if (!heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where_new, "num_heads", num_heads) ||
        !heed__layer_check_size(where_new, "ffn_size", ffn_size) || !heed__layer_check_dropout(where_new, o.dropout) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    block *net = heed_module_new("transformer_encoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->activation = o.activation ? o.activation : heed_relu;
    net->dropout = o.dropout;
    net->pre_norm = o.pre_norm;
    bool ok = add_attention(net, hidden_size, num_heads, &o) && add_linears(net, hidden_size, ffn_size, &o) &&
              add_norms(net, hidden_size, &o);
    return heed__layer_finish(net, ok);
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

enum { RESULT, WEIGHTS, RESULTS };

static heed_tensor *attend(block *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **weights)
{
    return heed_nn_multi_head_attention_forward(net->self_attn, x, x, x, valid_lens, weights);
}

static heed_tensor *feed(block *net, heed_tensor *x)
{
    return heed__feed_forward(net->linear1, net->linear2, net->activation, net->dropout, net->base.training, x);
}

/* x + dropout(y), the residual connection. */
static heed_tensor *residual(const block *net, heed_tensor *x, heed_tensor *y)
{
    return heed_add(x, heed_dropout(y, net->dropout, net->base.training));
}

heed_tensor *heed_nn_transformer_encoder_block_forward(block *net, heed_tensor *x, heed_tensor *valid_lens,
                                                       heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_given(where_forward, net, "x", x) ||
        !heed__layer_check_tensor(where_forward, "x", x, heed_dtype_of(net->linear1->weight),
                                  HEED_SHAPE(-1, -1, heed_dim(net->linear1->weight, 1))))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *out[RESULTS] = {NULL}, **looks = weights ? &out[WEIGHTS] : NULL;
    if (net->pre_norm) {
        x = residual(net, x, attend(net, heed_nn_layer_norm_forward(net->norm1, x), valid_lens, looks));
        x = residual(net, x, feed(net, heed_nn_layer_norm_forward(net->norm2, x)));
    } else {
        x = heed_nn_layer_norm_forward(net->norm1, residual(net, x, attend(net, x, valid_lens, looks)));
        x = heed_nn_layer_norm_forward(net->norm2, residual(net, x, feed(net, x)));
    }
    out[RESULT] = x;
    (void)heed__scope_return_all(scope, out, weights ? RESULTS : WEIGHTS);
    if (weights)
        *weights = out[WEIGHTS];
    return out[RESULT];
}
