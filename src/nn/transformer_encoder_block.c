/* nn/transformer_encoder_block.c - self-attention and feed-forward, each with residual connection and layer norm. */

#include "nn/transformer_parts.h"

typedef heed_nn_transformer_encoder_block block;
typedef heed_nn_transformer_encoder_block_options block_options;

static const char where_new[] = "nn_transformer_encoder_block_new";
static const char where_forward[] = "nn_transformer_encoder_block_forward";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_transformer_encoder_block_forward((block *)m, x, NULL, NULL);
}

/* -- Making ------------------------------------------------------------------------------------------------------ */

/* In PyTorch's order. */
static bool add_parts(block *net, const heed__transformer_parts *parts, bool causal)
{
    heed_module *m = &net->base;
    return (net->self_attn = heed__transformer_attention(m, "self_attn", parts, causal)) &&
           heed__transformer_linears(m, parts, &net->linear1, &net->linear2) &&
           (net->norm1 = heed__transformer_norm(m, "norm1", parts)) &&
           (net->norm2 = heed__transformer_norm(m, "norm2", parts));
}

block *heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                             const block_options *options)
{
    HEED_ENTER(where_new);
    const block_options o = options ? *options : (block_options){0};
    const heed__transformer_parts parts = {.hidden_size = hidden_size,
                                           .num_heads = num_heads,
                                           .ffn_size = ffn_size,
                                           .dropout = o.dropout,
                                           .eps = o.eps,
                                           .no_bias = o.no_bias,
                                           .dtype = o.dtype};
    if (!heed__transformer_check(where_new, &parts))
        return NULL;
    block *net = heed_module_new("transformer_encoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->activation = o.activation ? o.activation : heed_relu;
    net->dropout = o.dropout;
    net->pre_norm = o.pre_norm;
    return heed__layer_finish(net, add_parts(net, &parts, o.causal));
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

static heed_tensor *residual(const block *net, heed_tensor *x, heed_tensor *y)
{
    return heed__transformer_residual(&net->base, net->dropout, x, y);
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
