/* nn/transformer_decoder.c - the Transformer's decoder: embedding and positions, decoder blocks, norm, output map. */

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/transformer_stack.h"

typedef heed_nn_transformer_decoder decoder;

static const char where_new[] = "nn_transformer_decoder_new";
static const char where_forward[] = "nn_transformer_decoder_forward";
static const char where_masked[] = "nn_transformer_decoder_masked";
static const char where_cached[] = "nn_transformer_decoder_cached";

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static void free_list(heed_module *m)
{
    decoder *net = (decoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static heed_module *make_block(heed_module *m, const heed__transformer_stack *stack, int64_t index)
{
    decoder *net = (decoder *)m;
    const heed_nn_transformer_options *o = &stack->options;
    const heed_nn_transformer_decoder_block_options options = {.dropout = o->dropout,
                                                               .eps = o->eps,
                                                               .activation = o->activation,
                                                               .pre_norm = o->pre_norm,
                                                               .no_bias = o->no_bias,
                                                               .gated = o->gated,
                                                               .dtype = o->dtype,
                                                               .attention = o->attention};
    net->layers[index] =
        heed_nn_transformer_decoder_block_new(stack->hidden_size, stack->num_heads, stack->ffn_size, &options);
    return (heed_module *)net->layers[index];
}

static bool add_dense(decoder *net, const heed__transformer_stack *stack)
{
    const heed_nn_linear_options options = {.dtype = stack->options.dtype};
    if (stack->vocab_size == 0 || stack->options.tied)
        return true;
    net->dense =
        heed__layer_child(&net->base, "dense", heed_nn_linear_new(stack->hidden_size, stack->vocab_size, &options));
    return net->dense != NULL;
}

decoder *heed_nn_transformer_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                         int64_t num_layers, const heed_nn_transformer_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_transformer_options o = options ? *options : (heed_nn_transformer_options){0};
    const heed__transformer_stack stack = {vocab_size, hidden_size, num_heads, ffn_size, num_layers, o, NULL};
    if (!heed__transformer_stack_check(where_new, &stack))
        return NULL;
    decoder *net = heed_module_new("transformer_decoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.on_free = free_list;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    net->layers = heed_calloc((size_t)num_layers, sizeof *net->layers);
    return heed__layer_finish(net, net->layers && heed__transformer_blocks(&net->base, &stack, make_block) &&
                                       heed__transformer_embedding_and_norm(&net->base, &stack, &net->norm,
                                                                            &net->embedding, &net->pos_encoding) &&
                                       add_dense(net, &stack));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* The arguments of one call. */
typedef struct decoding {
    decoder *net;
    heed_tensor *memory, *valid_lens, *memory_lens;
    const heed_nn_transformer_decoder_masks *masks; /* may be NULL */
    heed_kv_cache *cache;                           /* NULL runs without a cache and records a graph if enabled */
} decoding;

static heed_tensor *run_block(const void *call, int64_t index, heed_tensor *x, heed_tensor **weights[2])
{
    const decoding *d = call;
    heed_nn_transformer_decoder_block *block = d->net->layers[index];
    if (d->cache)
        return heed_nn_transformer_decoder_block_cached(block, x, d->memory, d->memory_lens, d->cache, weights[0],
                                                        weights[1]);
    return heed_nn_transformer_decoder_block_masked(block, x, d->memory, d->valid_lens, d->memory_lens, d->masks,
                                                    weights[0], weights[1]);
}

static heed_tensor *logits_of(const decoder *net, heed_tensor *x)
{
    if (net->norm && x)
        x = heed_nn_layer_norm_forward(net->norm, x);
    if (net->dense && x)
        return heed_nn_linear_forward(net->dense, x);
    return net->embedding && x ? heed_linear(x, net->embedding->weight, NULL) : x;
}

static bool check(const char *where, const decoder *net, const heed_tensor *tokens)
{
    if (!heed__layer_check_given(where, net, "tokens", tokens))
        return false;
    const heed_tensor *w = net->layers[0]->linear1->weight;
    return heed__transformer_check_tokens(where, tokens, net->embedding, heed_dtype_of(w), heed_dim(w, 1));
}

/* Runs the decoder on `tokens`, which begin with step `first` of the sequence, and ends the scope. Returns NULL after
 * heed_fail. */
static heed_tensor *run(const decoding *d, heed_scope *scope, heed_tensor *tokens, int64_t first,
                        heed_tensor **weights[2])
{
    const decoder *net = d->net;
    heed_tensor *computed[2] = {NULL},
                **requested[2] = {weights[0] ? &computed[0] : NULL, weights[1] ? &computed[1] : NULL};
    heed_tensor *padding = heed__kv_cache_padding(d->cache);
    heed_tensor *positions = padding ? heed__kv_cache_positions(padding, first, heed_dim(tokens, 1)) : NULL;
    const double dropout = net->base.training ? net->dropout : 0.0;
    heed_tensor *x = NULL;
    if (!padding || positions)
        x = heed__transformer_embed(net->embedding, net->pos_encoding, dropout, tokens, first, positions);
    x = heed__transformer_run_blocks(run_block, d, net->num_layers, x, requested);
    return heed__scope_return_requested(scope, logits_of(net, x), computed, weights, 2);
}

static heed_tensor *decode(const char *where, const decoding *d, heed_tensor *tokens, heed_tensor **requested[2])
{
    heed__clear_requested(requested, 2);
    if (!check(where, d->net, tokens) || !heed__layer_check_given(where, d->net, "memory", d->memory))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? run(d, scope, tokens, 0, requested) : NULL;
}

heed_tensor *heed_nn_transformer_decoder_forward(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                                 heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                 heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor **requested[2] = {self_weights, weights};
    return decode(where_forward, &(decoding){net, memory, valid_lens, memory_lens, NULL, NULL}, tokens, requested);
}

heed_tensor *heed_nn_transformer_decoder_masked(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                                heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                const heed_nn_transformer_decoder_masks *masks,
                                                heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor **requested[2] = {self_weights, weights};
    return decode(where_masked, &(decoding){net, memory, valid_lens, memory_lens, masks, NULL}, tokens, requested);
}

heed_tensor *heed_nn_transformer_decoder_cached(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                                heed_tensor *memory_lens, heed_kv_cache *cache,
                                                heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_cached, net);
    heed_tensor **requested[2] = {self_weights, weights};
    heed__clear_requested(requested, 2);
    if (!check(where_cached, net, tokens) || !heed__kv_cache_check(where_cached, cache) ||
        !heed__kv_cache_fits(where_cached, cache, "tokens", tokens))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    const int64_t first = heed__kv_cache_steps(cache, &net->layers[0]->self_attn->base);
    heed__kv_cache_begin(cache);
    heed_tensor *logits =
        run(&(decoding){net, memory, NULL, memory_lens, NULL, cache}, scope, tokens, first, requested);
    heed__kv_cache_end(cache, logits != NULL);
    return logits;
}
