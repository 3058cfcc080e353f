/* nn/transformer_decoder_block.c - self-attention, attention to the encoder's output and feed-forward, each with
 * residual connection and layer norm. */

#include <heed/graph.h>

#include "nn/kv_cache.h"
#include "nn/transformer_components.h"

typedef heed_nn_transformer_decoder_block block;
typedef heed_nn_transformer_decoder_block_options block_options;
typedef heed_nn_transformer_decoder_masks block_masks;
typedef heed_nn_multi_head_attention_options attention_options;

static const char where_new[] = "nn_transformer_decoder_block_new";
static const char where_forward[] = "nn_transformer_decoder_block_forward";
static const char where_masked[] = "nn_transformer_decoder_block_masked";
static const char where_cached[] = "nn_transformer_decoder_block_cached";

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Adds the attention to the memory. It has the same heads and settings as self-attention, but no settings for
 * positions. */
static heed_nn_multi_head_attention *add_memory_attention(heed_module *m, const heed__transformer_settings *settings)
{
    const attention_options o = settings->attention ? *settings->attention : (attention_options){0};
    const attention_options heads = {.no_out_bias = o.no_out_bias,
                                     .kv_heads = o.kv_heads,
                                     .head_dim = o.head_dim,
                                     .qk_norm = o.qk_norm,
                                     .qk_norm_eps = o.qk_norm_eps};
    return heed__transformer_attention(m, "multihead_attn", settings, false, &heads);
}

/* Adds the children in PyTorch's order. */
static bool add_children(block *net, const heed__transformer_settings *settings, bool causal)
{
    heed_module *m = &net->base;
    return (net->self_attn = heed__transformer_attention(m, "self_attn", settings, causal, settings->attention)) &&
           (net->multihead_attn = add_memory_attention(m, settings)) &&
           heed__transformer_linears(m, settings, &net->gate, &net->linear1, &net->linear2) &&
           (net->norm1 = heed__transformer_norm(m, "norm1", settings)) &&
           (net->norm2 = heed__transformer_norm(m, "norm2", settings)) &&
           (net->norm3 = heed__transformer_norm(m, "norm3", settings));
}

block *heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
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
    block *net = heed_module_new("transformer_decoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->activation = heed__transformer_activation(o.activation, o.gated);
    net->dropout = o.dropout;
    net->pre_norm = o.pre_norm;
    return heed__layer_finish(net, add_children(net, &settings, !o.not_causal));
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

/* The arguments of one call. */
typedef struct decoding {
    block *net;
    heed_tensor *memory, *valid_lens, *memory_lens; /* memory is NULL if the cache contains its keys and values */
    block_masks masks;
    heed_kv_cache *cache;                  /* NULL runs without a cache and records a graph if enabled */
    heed_tensor **self_weights, **weights; /* NULL if not requested */
} decoding;

static heed_tensor *attend(const decoding *d, heed_tensor *x)
{
    heed_nn_multi_head_attention *self_attn = d->net->self_attn;
    if (d->cache)
        return heed_nn_multi_head_attention_cached(self_attn, x, x, x, NULL, d->cache, d->self_weights);
    return heed_nn_multi_head_attention_masked(self_attn, x, x, x, d->valid_lens, d->masks.mask, d->masks.bias,
                                               d->self_weights);
}

static heed_tensor *attend_memory(const decoding *d, heed_tensor *x)
{
    heed_nn_multi_head_attention *attn = d->net->multihead_attn;
    if (d->cache)
        return heed_nn_multi_head_attention_cached(attn, x, d->memory, d->memory, d->memory_lens, d->cache, d->weights);
    return heed_nn_multi_head_attention_masked(attn, x, d->memory, d->memory, d->memory_lens, d->masks.memory_mask,
                                               d->masks.memory_bias, d->weights);
}

static heed_tensor *feed_forward(const decoding *d, heed_tensor *x)
{
    const block *net = d->net;
    return heed__transformer_feed_forward(net->gate, net->linear1, net->linear2, net->activation, net->dropout,
                                          net->base.training, x);
}

/* Runs f, one of the three sublayers, with the residual connection and with the norm before or after it. */
static heed_tensor *sublayer(const decoding *d, heed_nn_layer_norm *norm,
                             heed_tensor *(*f)(const decoding *, heed_tensor *), heed_tensor *x)
{
    const block *net = d->net;
    if (net->pre_norm)
        return heed__transformer_residual(&net->base, net->dropout, x, f(d, heed_nn_layer_norm_forward(norm, x)));
    return heed_nn_layer_norm_forward(norm, heed__transformer_residual(&net->base, net->dropout, x, f(d, x)));
}

static bool check(const char *where, const block *net, const heed_tensor *x, const heed_tensor *memory)
{
    const heed_dtype dtype = heed_dtype_of(net->linear1->weight);
    const int64_t hidden_size = heed_dim(net->linear1->weight, 1);
    return heed__layer_check_tensor(where, "x", x, dtype, HEED_SHAPE(-1, -1, hidden_size)) &&
           (!memory ||
            heed__layer_check_tensor(where, "memory", memory, dtype, HEED_SHAPE(heed_dim(x, 0), -1, hidden_size)));
}

/* Runs the block and ends the scope. */
static heed_tensor *run(decoding d, heed_scope *scope, heed_tensor *x)
{
    const block *net = d.net;
    heed_tensor *computed[2] = {NULL}, **const requested[2] = {d.self_weights, d.weights};
    d.self_weights = d.self_weights ? &computed[0] : NULL;
    d.weights = d.weights ? &computed[1] : NULL;
    x = sublayer(&d, net->norm1, attend, x);
    x = sublayer(&d, net->norm2, attend_memory, x);
    x = sublayer(&d, net->norm3, feed_forward, x);
    return heed__scope_return_requested(scope, x, computed, requested, 2);
}

static heed_tensor *decode(const char *where, decoding d, heed_tensor *x)
{
    heed__clear_requested((heed_tensor **const[]){d.self_weights, d.weights}, 2);
    if (!heed__layer_check_given(where, d.net, "x", x) || !heed__layer_check_given(where, d.net, "memory", d.memory) ||
        !check(where, d.net, x, d.memory))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? run(d, scope, x) : NULL;
}

heed_tensor *heed_nn_transformer_decoder_block_forward(block *net, heed_tensor *x, heed_tensor *memory,
                                                       heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                       heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    const block_masks none = {0};
    return decode(where_forward, (decoding){net, memory, valid_lens, memory_lens, none, NULL, self_weights, weights},
                  x);
}

heed_tensor *heed_nn_transformer_decoder_block_masked(block *net, heed_tensor *x, heed_tensor *memory,
                                                      heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                      const block_masks *masks, heed_tensor **self_weights,
                                                      heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    const block_masks m = masks ? *masks : (block_masks){0};
    return decode(where_masked, (decoding){net, memory, valid_lens, memory_lens, m, NULL, self_weights, weights}, x);
}

heed_tensor *heed_nn_transformer_decoder_block_cached(block *net, heed_tensor *x, heed_tensor *memory,
                                                      heed_tensor *memory_lens, heed_kv_cache *cache,
                                                      heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_cached, net);
    heed__clear_requested((heed_tensor **const[]){self_weights, weights}, 2);
    if (!heed__layer_check_given(where_cached, net, "x", x) || !heed__kv_cache_check(where_cached, cache))
        return NULL;
    if (heed__kv_cache_steps(cache, &net->multihead_attn->base) > 0)
        memory = memory_lens = NULL;
    else if (!heed__layer_check_given(where_cached, net, "memory", memory))
        return NULL;
    heed_scope *scope = check(where_cached, net, x, memory) ? heed_no_grad_begin() : NULL;
    if (!scope)
        return NULL;
    heed__kv_cache_begin(cache);
    const decoding d = {.net = net,
                        .memory = memory,
                        .memory_lens = memory_lens,
                        .cache = cache,
                        .self_weights = self_weights,
                        .weights = weights};
    x = run(d, scope, x);
    heed__kv_cache_end(cache, x != NULL);
    return x;
}
