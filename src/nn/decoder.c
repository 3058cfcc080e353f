/* nn/decoder.c - decoder-only Transformers: embedding, pre-norm blocks, norm, output map. nn/decoder_load.c loads
 * pretrained ones.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/decoder.h"
#include "nn/kv_cache.h"
#include "nn/transformer_block.h"

typedef heed_nn_decoder decoder;
typedef heed_nn_decoder_options decoder_options;

static const char where_new[] = "nn_decoder_new";
static const char where_forward[] = "nn_decoder_forward";
static const char where_with[] = "nn_decoder_forward_with";
static const char where_step[] = "nn_decoder_step";

#define STD 0.02
#define EPS 1e-5

enum { MAX_LEN = 1024 };

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

/* A block: pre-norm self-attention and feed-forward with residual connections. */
typedef struct decoder_block {
    heed_module base;
    heed_module *norm1, *norm2;
    heed_nn_multi_head_attention *self_attn;
    heed__feed_forward feed_forward;
    double dropout;
} decoder_block;

/* Adds a norm of the last axis, of hidden_size elements, as the child `name`. Returns NULL after heed_fail. */
static heed_module *add_decoder_norm(heed_module *m, const char *name, int64_t hidden_size, const decoder_options *o)
{
    const heed_shape shape = HEED_SHAPE(hidden_size);
    if (o->rms_norm)
        return heed__layer_child(
            m, name, heed_nn_rms_norm_new(shape, &(heed_nn_rms_norm_options){.eps = o->eps, .dtype = o->dtype}));
    const heed_nn_layer_norm_options options = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    return heed__layer_child(m, name, heed_nn_layer_norm_new(shape, &options));
}

static heed_nn_multi_head_attention *add_causal_attention(heed_module *m, int64_t hidden_size, int64_t num_heads,
                                                          const decoder_options *o)
{
    const heed_nn_multi_head_attention_options options = {.dropout = o->dropout,
                                                          .causal = true,
                                                          .no_bias = o->no_bias && !o->qkv_bias,
                                                          .no_out_bias = o->no_bias,
                                                          .rope = o->rope,
                                                          .alibi = o->alibi,
                                                          .rope_base = o->rope_base,
                                                          .kv_heads = o->kv_heads,
                                                          .window = o->window,
                                                          .dtype = o->dtype,
                                                          .head_dim = o->head_dim,
                                                          .qk_norm = o->qk_norm,
                                                          .qk_norm_eps = o->eps,
                                                          .rope_interleaved = o->rope_interleaved,
                                                          .rope_scaling = o->rope_scaling,
                                                          .rope_factor = o->rope_factor,
                                                          .rope_original_len = o->rope_original_len,
                                                          .rope_low_freq_factor = o->rope_low_freq_factor,
                                                          .rope_high_freq_factor = o->rope_high_freq_factor,
                                                          .rope_attention_factor = o->rope_attention_factor,
                                                          .rope_no_truncate = o->rope_no_truncate};
    return heed__layer_child(m, "self_attn", heed_nn_multi_head_attention_new(hidden_size, num_heads, &options));
}

/* The arguments for creating blocks. */
typedef struct block_args {
    int64_t hidden_size, num_heads, ffn_size;
    const decoder_options *options;
} block_args;

static heed_module *make_block(heed_module *m, int64_t index, const void *args)
{
    decoder *net = (decoder *)m;
    const block_args *a = args;
    const decoder_options *o = a->options;
    const heed_nn_feed_forward_options feed_forward = {
        .activation = o->activation, .no_bias = o->no_bias, .gated = o->gated, .dtype = o->dtype};
    decoder_block *block = heed_module_new("decoder_block", sizeof *block);
    if (!block)
        return NULL;
    block->dropout = o->dropout;
    const bool ok =
        (block->norm1 = add_decoder_norm(&block->base, "norm1", a->hidden_size, o)) &&
        (block->self_attn = add_causal_attention(&block->base, a->hidden_size, a->num_heads, o)) &&
        (block->norm2 = add_decoder_norm(&block->base, "norm2", a->hidden_size, o)) &&
        heed__feed_forward_make(&block->base, a->hidden_size, a->ffn_size, &feed_forward, &block->feed_forward);
    if (ok && index == 0)
        net->attention = block->self_attn;
    return net->layers[index] = heed__layer_finish(&block->base, ok);
}

/* Runs block `index` on x (B, T, h). */
static heed_tensor *run_block(const void *args, int64_t index, heed_tensor *x, const heed_nn_attention_call *call)
{
    const decoder *net = args;
    const decoder_block *block = (const decoder_block *)net->layers[index];
    HEED_ENTER_FORWARD("nn_decoder_forward", block);
    heed_tensor *normed = heed_module_forward(block->norm1, x);
    heed_tensor *attended = heed_nn_multi_head_attention_forward_with(block->self_attn, normed, normed, normed, call);
    x = heed__residual(&block->base, block->dropout, x, attended);
    normed = x ? heed_module_forward(block->norm2, x) : NULL;
    if (!normed)
        return NULL;
    return heed__residual(&block->base, block->dropout, x, heed__feed_forward_run(&block->feed_forward, 0.0, normed));
}

void heed__decoder_set_frequencies(const decoder *net, heed_tensor *frequencies)
{
    for (int64_t i = 0; i < net->num_layers; i++) {
        heed_nn_multi_head_attention *attention = ((decoder_block *)net->layers[i])->self_attn;
        heed_release(attention->rope_frequencies);
        attention->rope_frequencies = heed_retain(frequencies);
    }
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward_decoder(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_decoder_forward((decoder *)m, tokens, NULL);
}

static void free_block_list(heed_module *m)
{
    decoder *net = (decoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static heed_status draw_parameter(const heed_module_visit *visit, void *user)
{
    const decoder *net = user;
    const bool is_residual = heed__layer_name_ends_in(visit->name, "out_proj.weight") ||
                             heed__layer_name_ends_in(visit->name, "linear2.weight");
    if (heed_rank(visit->tensor) == 2)
        return heed_nn_init_normal_(visit->tensor, 0.0, is_residual ? STD / sqrt(2.0 * (double)net->num_layers) : STD);
    return !heed__layer_name_ends_in(visit->name, "bias") || heed__layer_clear(visit->tensor) ? HEED_OK
                                                                                              : heed_error_code();
}

static heed_nn_embedding *add_table(decoder *net, const char *name, int64_t count, int64_t size, heed_dtype dtype)
{
    const heed_nn_embedding_options options = {.dtype = dtype};
    heed_nn_embedding *table = heed__layer_child(&net->base, name, heed_nn_embedding_new(count, size, &options));
    return table && heed_nn_init_normal_(table->weight, 0.0, STD) == HEED_OK ? table : NULL;
}

static bool add_decoder_children(decoder *net, int64_t vocab_size, const block_args *args)
{
    const decoder_options *o = args->options;
    const int64_t size = args->hidden_size;
    const heed_nn_linear_options dense = {.no_bias = true, .dtype = o->dtype};
    net->layers = heed_calloc((size_t)net->num_layers, sizeof *net->layers);
    if (!net->layers || !(net->embedding = add_table(net, "embedding", vocab_size, size, o->dtype)) ||
        (!o->rope && !o->alibi && !(net->positions = add_table(net, "positions", o->max_len, size, o->dtype))) ||
        !heed__block_list_make(&net->base, net->num_layers, draw_parameter, make_block, args) ||
        !(net->norm = add_decoder_norm(&net->base, "norm", size, o)))
        return false;
    if (o->tied)
        return true;
    net->dense = heed__layer_child(&net->base, "dense", heed_nn_linear_new(size, vocab_size, &dense));
    return net->dense && heed_nn_init_normal_(net->dense->weight, 0.0, STD) == HEED_OK;
}

static decoder_options decoder_defaults(const decoder_options *options)
{
    decoder_options o = options ? *options : (decoder_options){0};
    if (o.eps == 0.0)
        o.eps = EPS;
    if (o.max_len == 0)
        o.max_len = MAX_LEN;
    if (!o.activation)
        o.activation = o.gated ? heed_silu : heed_gelu_tanh;
    return o;
}

decoder *heed_nn_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                             int64_t num_layers, const decoder_options *options)
{
    HEED_ENTER(where_new);
    const decoder_options o = decoder_defaults(options);
    const block_args args = {hidden_size, num_heads, ffn_size, &o};
    if (!heed__layer_check_size(where_new, "vocab_size", vocab_size) ||
        !heed__block_list_check(where_new, vocab_size, hidden_size, num_layers) ||
        !heed__layer_check_dropout(where_new, o.dropout))
        return NULL;
    decoder *net = heed_module_new("decoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_decoder;
    net->base.on_free = free_block_list;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    return heed__layer_finish(net, add_decoder_children(net, vocab_size, &args));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Embeds `tokens`, which begin with step `first` of the sequence, and adds learned positions. */
static heed_tensor *embed_with_positions(const decoder *net, heed_tensor *tokens, int64_t first,
                                         const heed_kv_cache *cache)
{
    heed_tensor *x = heed_nn_embedding_forward(net->embedding, tokens), *padding = heed__kv_cache_padding(cache);
    if (net->positions && x) {
        const int64_t steps = heed_dim(tokens, 1);
        heed_tensor *all = net->positions->weight;
        x = heed_add(x, padding ? heed_embedding(heed__kv_cache_positions(padding, first, steps), all)
                                : heed_slice(all, 0, first, first + steps, 1));
    }
    return x ? heed_dropout(x, net->dropout, net->base.training) : NULL;
}

/* Checks tokens that begin with step `first` of the sequence. */
static bool check_decoder_tokens(const char *where, const decoder *net, const heed_tensor *tokens, int64_t first)
{
    if (!heed__layer_check_tensor(where, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1)))
        return false;
    const int64_t T = heed_dim(tokens, 1), max_steps = net->positions ? heed_dim(net->positions->weight, 0) : INT64_MAX;
    return T <= max_steps - first ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "tokens is %s, after %" PRId64 " cached steps: must be at most %" PRId64 " steps in all",
                           heed_shape_text(heed_shape_of(tokens)).s, first, max_steps);
}

/* Runs the decoder. With `last` it computes only the logits of the last step, (B, vocab_size). */
static heed_tensor *decode(const char *where, const decoder *net, heed_tensor *tokens, heed_nn_attention_call call,
                           bool last)
{
    if (!heed__attention_call_begin(where, &call, HEED__CALL_CACHE) ||
        !heed__layer_check_given(where, net, "tokens", tokens))
        return NULL;
    const int64_t first = call.cache ? heed__kv_cache_steps(call.cache, &net->attention->base) : 0;
    const bool fits = check_decoder_tokens(where, net, tokens, first) &&
                      (!call.cache || heed__kv_cache_fits(where, call.cache, "tokens", tokens));
    heed_scope *scope = fits ? heed__kv_cache_scope_begin(call.cache) : NULL;
    if (!scope)
        return NULL;
    heed__layer_output output = {.to = call.weights};
    call.weights = heed__requested(&output);
    heed_tensor *x = embed_with_positions(net, tokens, first, call.cache);
    x = heed__block_list_run(run_block, net, net->num_layers, x, &call);
    x = x && last ? heed_select(x, 1, -1) : x;
    x = x ? heed_module_forward(net->norm, x) : NULL;
    x = x ? heed_linear(x, net->dense ? net->dense->weight : net->embedding->weight, NULL) : NULL;
    return heed__kv_cache_scope_return(call.cache, scope, x, &output, 1);
}

heed_tensor *heed_nn_decoder_forward(decoder *net, heed_tensor *tokens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return decode(where_forward, net, tokens, (heed_nn_attention_call){.weights = weights}, false);
}

heed_tensor *heed_nn_decoder_forward_with(decoder *net, heed_tensor *tokens, const heed_nn_attention_call *call)
{
    HEED_ENTER_FORWARD(where_with, net);
    return decode(where_with, net, tokens, call ? *call : (heed_nn_attention_call){0}, false);
}

heed_tensor *heed_nn_decoder_step(heed_tensor *tokens, heed_tensor *rows, void *user)
{
    const heed_nn_decoder_context *context = user;
    HEED_ENTER_FORWARD(where_step, context ? context->net : NULL);
    if (!context)
        return heed_fail_null(HEED_ERR_ARGUMENT, where_step, "user is NULL: must be a heed_nn_decoder_context");
    if (!heed__layer_check_given(where_step, context->net, "tokens", tokens) ||
        !heed__kv_cache_check(where_step, context->cache))
        return NULL;
    if (heed_rank(tokens) == 2 && heed_dim(tokens, 1) == 0)
        return heed_fail_null(HEED_ERR_SHAPE, where_step, "tokens is %s: must have at least one step",
                              heed_shape_text(heed_shape_of(tokens)).s);
    if (rows && heed_kv_cache_select(context->cache, rows) != HEED_OK)
        return NULL;
    return decode(where_step, context->net, tokens, (heed_nn_attention_call){.cache = context->cache}, true);
}
