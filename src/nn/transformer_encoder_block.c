/* nn/transformer_encoder_block.c - self-attention and feed-forward, each with residual connection and layer norm. */

#include <heed/graph.h>

#include "nn/kv_cache.h"
#include "nn/transformer_components.h"

typedef heed_nn_transformer_encoder_block block;
typedef heed_nn_transformer_encoder_block_options block_options;

static const char where_new[] = "nn_transformer_encoder_block_new";
static const char where_forward[] = "nn_transformer_encoder_block_forward";
static const char where_masked[] = "nn_transformer_encoder_block_masked";
static const char where_cached[] = "nn_transformer_encoder_block_cached";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_transformer_encoder_block_forward((block *)m, x, NULL, NULL);
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Adds the children in PyTorch's order. */
static bool add_children(block *net, const heed__transformer_settings *settings, bool causal)
{
    heed_module *m = &net->base;
    return (net->self_attn = heed__transformer_attention(m, "self_attn", settings, causal, settings->attention)) &&
           heed__transformer_linears(m, settings, &net->gate, &net->linear1, &net->linear2) &&
           (net->norm1 = heed__transformer_norm(m, "norm1", settings)) &&
           (net->norm2 = heed__transformer_norm(m, "norm2", settings));
}

block *heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                             const block_options *options)
{
    HEED_ENTER(where_new);
    const block_options o = options ? *options : (block_options){0};
    const heed__transformer_settings settings = {.hidden_size = hidden_size,
                                                 .num_heads = num_heads,
                                                 .ffn_size = ffn_size,
                                                 .dropout = o.dropout,
                                                 .eps = o.eps,
                                                 .no_bias = o.no_bias,
                                                 .gated = o.gated,
                                                 .dtype = o.dtype,
                                                 .attention = o.attention};
    if (!heed__transformer_check(where_new, &settings))
        return NULL;
    block *net = heed_module_new("transformer_encoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->activation = heed__transformer_activation(o.activation, o.gated);
    net->dropout = o.dropout;
    net->pre_norm = o.pre_norm;
    return heed__layer_finish(net, add_children(net, &settings, o.causal));
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

/* The arguments of one call. */
typedef struct encoding {
    block *net;
    heed_tensor *valid_lens, *mask, *bias; /* may be NULL */
    heed_kv_cache *cache;                  /* NULL runs without a cache and records a graph if enabled */
    heed_tensor **weights;                 /* NULL if not requested */
} encoding;

static heed_tensor *attend(const encoding *e, heed_tensor *x)
{
    heed_nn_multi_head_attention *self_attn = e->net->self_attn;
    if (e->cache)
        return heed_nn_multi_head_attention_cached(self_attn, x, x, x, NULL, e->cache, e->weights);
    return heed_nn_multi_head_attention_masked(self_attn, x, x, x, e->valid_lens, e->mask, e->bias, e->weights);
}

static heed_tensor *feed_forward(block *net, heed_tensor *x)
{
    return heed__transformer_feed_forward(net->gate, net->linear1, net->linear2, net->activation, net->dropout,
                                          net->base.training, x);
}

static heed_tensor *residual(const block *net, heed_tensor *x, heed_tensor *y)
{
    return heed__transformer_residual(&net->base, net->dropout, x, y);
}

static bool check(const char *where, const block *net, const heed_tensor *x)
{
    return heed__layer_check_given(where, net, "x", x) &&
           heed__layer_check_tensor(where, "x", x, heed_dtype_of(net->linear1->weight),
                                    HEED_SHAPE(-1, -1, heed_dim(net->linear1->weight, 1)));
}

/* Runs the block and ends the scope. */
static heed_tensor *run(encoding e, heed_scope *scope, heed_tensor *x)
{
    block *net = e.net;
    heed_tensor *computed = NULL, **const requested = e.weights;
    e.weights = requested ? &computed : NULL;
    if (net->pre_norm) {
        x = residual(net, x, attend(&e, heed_nn_layer_norm_forward(net->norm1, x)));
        x = residual(net, x, feed_forward(net, heed_nn_layer_norm_forward(net->norm2, x)));
    } else {
        x = heed_nn_layer_norm_forward(net->norm1, residual(net, x, attend(&e, x)));
        x = heed_nn_layer_norm_forward(net->norm2, residual(net, x, feed_forward(net, x)));
    }
    return heed__scope_return_requested(scope, x, &computed, &requested, 1);
}

static heed_tensor *encode(const char *where, encoding e, heed_tensor *x)
{
    if (e.weights)
        *e.weights = NULL;
    if (!check(where, e.net, x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? run(e, scope, x) : NULL;
}

heed_tensor *heed_nn_transformer_encoder_block_forward(block *net, heed_tensor *x, heed_tensor *valid_lens,
                                                       heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return encode(where_forward, (encoding){.net = net, .valid_lens = valid_lens, .weights = weights}, x);
}

heed_tensor *heed_nn_transformer_encoder_block_masked(block *net, heed_tensor *x, heed_tensor *valid_lens,
                                                      heed_tensor *mask, heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    return encode(where_masked, (encoding){net, valid_lens, mask, bias, NULL, weights}, x);
}

heed_tensor *heed_nn_transformer_encoder_block_cached(block *net, heed_tensor *x, heed_kv_cache *cache,
                                                      heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_cached, net);
    if (weights)
        *weights = NULL;
    if (!check(where_cached, net, x) || !heed__kv_cache_check(where_cached, cache))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed__kv_cache_begin(cache);
    x = run((encoding){.net = net, .cache = cache, .weights = weights}, scope, x);
    heed__kv_cache_end(cache, x != NULL);
    return x;
}
