/* nn/transformer_decoder_block.c - self-attention, attention to an encoder's results and feed-forward, each with residual
 * connection and layer norm. */

#include "nn/transformer_parts.h"

typedef heed_nn_transformer_decoder_block block;
typedef heed_nn_transformer_decoder_block_options block_options;

static const char where_new[] = "nn_transformer_decoder_block_new";
static const char where_forward[] = "nn_transformer_decoder_block_forward";

/* -- Making ------------------------------------------------------------------------------------------------------ */

/* In PyTorch's order. */
static bool add_parts(block *net, const heed__transformer_parts *parts, bool causal)
{
    heed_module *m = &net->base;
    return (net->self_attn = heed__transformer_attention(m, "self_attn", parts, causal)) &&
           (net->multihead_attn = heed__transformer_attention(m, "multihead_attn", parts, false)) &&
           heed__transformer_linears(m, parts, &net->linear1, &net->linear2) &&
           (net->norm1 = heed__transformer_norm(m, "norm1", parts)) &&
           (net->norm2 = heed__transformer_norm(m, "norm2", parts)) &&
           (net->norm3 = heed__transformer_norm(m, "norm3", parts));
}

block *heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
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
    block *net = heed_module_new("transformer_decoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->activation = o.activation ? o.activation : heed_relu;
    net->dropout = o.dropout;
    net->pre_norm = o.pre_norm;
    return heed__layer_finish(net, add_parts(net, &parts, !o.not_causal));
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

enum { RESULT, SELF_WEIGHTS, WEIGHTS, RESULTS };

/* What one call is about. */
typedef struct decoding {
    block *net;
    heed_tensor *memory, *valid_lens, *memory_lens;
    heed_tensor **self_weights, **weights; /* NULL: not wanted */
} decoding;

static heed_tensor *attend(const decoding *d, heed_tensor *x)
{
    return heed_nn_multi_head_attention_forward(d->net->self_attn, x, x, x, d->valid_lens, d->self_weights);
}

static heed_tensor *look(const decoding *d, heed_tensor *x)
{
    return heed_nn_multi_head_attention_forward(d->net->multihead_attn, x, d->memory, d->memory, d->memory_lens,
                                                d->weights);
}

static heed_tensor *feed(const decoding *d, heed_tensor *x)
{
    const block *net = d->net;
    return heed__feed_forward(net->linear1, net->linear2, net->activation, net->dropout, net->base.training, x);
}

/* One of the three, with its norm before it or behind it. */
static heed_tensor *sublayer(const decoding *d, heed_nn_layer_norm *norm,
                             heed_tensor *(*f)(const decoding *, heed_tensor *), heed_tensor *x)
{
    const block *net = d->net;
    if (net->pre_norm)
        return heed__transformer_residual(&net->base, net->dropout, x, f(d, heed_nn_layer_norm_forward(norm, x)));
    return heed_nn_layer_norm_forward(norm, heed__transformer_residual(&net->base, net->dropout, x, f(d, x)));
}

static bool check(const block *net, const heed_tensor *x, const heed_tensor *memory)
{
    if (!heed__layer_check_given(where_forward, net, "x", x) ||
        !heed__layer_check_given(where_forward, net, "memory", memory))
        return false;
    const heed_dtype dtype = heed_dtype_of(net->linear1->weight);
    const int64_t hidden_size = heed_dim(net->linear1->weight, 1);
    return heed__layer_check_tensor(where_forward, "x", x, dtype, HEED_SHAPE(-1, -1, hidden_size)) &&
           heed__layer_check_tensor(where_forward, "memory", memory, dtype,
                                    HEED_SHAPE(heed_dim(x, 0), -1, hidden_size));
}

heed_tensor *heed_nn_transformer_decoder_block_forward(block *net, heed_tensor *x, heed_tensor *memory,
                                                       heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                       heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (self_weights)
        *self_weights = NULL;
    if (weights)
        *weights = NULL;
    if (!check(net, x, memory))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *own = NULL, *other = NULL;
    const decoding d = {net, memory, valid_lens, memory_lens, self_weights ? &own : NULL, weights ? &other : NULL};
    x = sublayer(&d, net->norm1, attend, x);
    x = sublayer(&d, net->norm2, look, x);
    x = sublayer(&d, net->norm3, feed, x);
    heed_tensor *out[RESULTS] = {x, self_weights ? own : x, weights ? other : x}; /* x where nothing is wanted */
    if (!heed__scope_return_all(scope, out, RESULTS))
        return NULL;
    if (self_weights)
        *self_weights = out[SELF_WEIGHTS];
    if (weights)
        *weights = out[WEIGHTS];
    return out[RESULT];
}
