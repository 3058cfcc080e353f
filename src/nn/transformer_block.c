/* nn/transformer_block.c - the blocks of Transformers, and the feed-forward, also as a module.
 *
 * A block has two or three sublayers: self-attention, in a decoder block attention to the encoder's output, which is
 * called the memory, and a feed-forward. Every sublayer has a residual connection and a layer norm before or after
 * it.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/transformer_block.h"

typedef heed__block_settings block_settings;
typedef heed_nn_multi_head_attention_options attention_options;
typedef heed_nn_transformer_encoder_block encoder_block;
typedef heed_nn_transformer_decoder_block decoder_block;

/* -- Feed-forward -------------------------------------------------------------------------------------------------- */

bool heed__feed_forward_make(heed_module *m, int64_t hidden_size, int64_t ffn_size,
                             const heed_nn_feed_forward_options *o, heed__feed_forward *f)
{
    const heed_nn_linear_options options = {.no_bias = o->no_bias, .dtype = o->dtype};
    f->activation = o->activation ? o->activation : o->gated ? heed_silu : heed_relu;
    if (o->gated && !(f->gate = heed__layer_child(m, "gate", heed_nn_linear_new(hidden_size, ffn_size, &options))))
        return false;
    f->linear1 = heed__layer_child(m, "linear1", heed_nn_linear_new(hidden_size, ffn_size, &options));
    if (f->linear1)
        f->linear2 = heed__layer_child(m, "linear2", heed_nn_linear_new(ffn_size, hidden_size, &options));
    return f->linear2 != NULL;
}

heed_tensor *heed__feed_forward_run(const heed__feed_forward *f, double dropout, heed_tensor *x)
{
    const heed_nn_linear *activated = f->gate ? f->gate : f->linear1;
    heed_tensor *hidden = heed_linear_activated(x, activated->weight, activated->bias, f->activation);
    if (f->gate && hidden)
        hidden = heed_mul(hidden, heed_nn_linear_forward(f->linear1, x));
    return heed_nn_linear_forward(f->linear2, heed_dropout(hidden, dropout, true));
}

static heed_tensor *forward_feed_forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_feed_forward_forward((heed_nn_feed_forward *)m, x);
}

heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                               const heed_nn_feed_forward_options *options)
{
    static const char where[] = "nn_feed_forward_new";
    HEED_ENTER(where);
    heed_nn_feed_forward_options o = options ? *options : (heed_nn_feed_forward_options){0};
    if (!heed__layer_check_size(where, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where, "ffn_size", ffn_size) || !heed__layer_check_dropout(where, o.dropout) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_feed_forward *net = heed_module_new("feed_forward", sizeof *net);
    if (!net)
        return NULL;
    heed__feed_forward maps = {.gate = NULL};
    const bool ok = heed__feed_forward_make(&net->base, hidden_size, ffn_size, &o, &maps);
    net->base.forward = forward_feed_forward;
    net->gate = maps.gate;
    net->linear1 = maps.linear1;
    net->linear2 = maps.linear2;
    net->activation = maps.activation;
    net->dropout = o.dropout;
    return heed__layer_finish(net, ok);
}

heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_feed_forward_forward", net);
    if (!heed__layer_check_given("nn_feed_forward_forward", net, "x", x))
        return NULL;
    const heed__feed_forward maps = {net->gate, net->linear1, net->linear2, net->activation};
    return heed__feed_forward_run(&maps, net->base.training ? net->dropout : 0.0, x);
}

/* -- Creation of blocks -------------------------------------------------------------------------------------------- */

/* Checks that all options of attention that the block itself sets are 0 in *o. */
static bool check_attention_options(const char *where, const attention_options *o)
{
    const struct {
        const char *name;
        bool is_set;
    } fixed[] = {{"query_size", o->query_size != 0}, {"key_size", o->key_size != 0}, {"value_size", o->value_size != 0},
                 {"dropout", o->dropout != 0.0},     {"causal", o->causal},          {"no_bias", o->no_bias},
                 {"dtype", o->dtype != HEED_F32}};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (fixed[i].is_set)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "attention->%s is set: must be 0, because the block sets it", fixed[i].name);
    return true;
}

static bool check_block_settings(const char *where, const block_settings *settings)
{
    const heed_nn_transformer_options *o = settings->options;
    return heed__layer_check_size(where, "hidden_size", settings->hidden_size) &&
           heed__layer_check_size(where, "num_heads", settings->num_heads) &&
           heed__layer_check_size(where, "ffn_size", settings->ffn_size) &&
           heed__layer_check_dropout(where, o->dropout) && heed__layer_check_dtype(where, o->dtype) &&
           (!o->attention || check_attention_options(where, o->attention));
}

/* Adds the child `name`, an attention with the additional options `extra`. Returns NULL after heed_fail. */
static heed_nn_multi_head_attention *add_attention(heed_module *m, const char *name, const block_settings *settings,
                                                   bool causal, const attention_options *extra)
{
    attention_options options = extra ? *extra : (attention_options){0};
    options.dropout = settings->options->dropout;
    options.causal = causal;
    options.no_bias = settings->options->no_bias;
    options.dtype = settings->options->dtype;
    return heed__layer_child(m, name,
                             heed_nn_multi_head_attention_new(settings->hidden_size, settings->num_heads, &options));
}

static heed_nn_multi_head_attention *add_self_attention(heed_module *m, const block_settings *settings, bool causal)
{
    return add_attention(m, "self_attn", settings, causal, settings->options->attention);
}

/* Adds the attention to the memory. It has the same heads and settings as self-attention, but no settings for
 * positions. */
static heed_nn_multi_head_attention *add_memory_attention(heed_module *m, const block_settings *settings)
{
    const attention_options o = settings->options->attention ? *settings->options->attention : (attention_options){0};
    const attention_options heads = {.no_out_bias = o.no_out_bias,
                                     .kv_heads = o.kv_heads,
                                     .head_dim = o.head_dim,
                                     .qk_norm = o.qk_norm,
                                     .qk_norm_eps = o.qk_norm_eps};
    return add_attention(m, "multihead_attn", settings, false, &heads);
}

/* Adds the linear maps of the feed-forward. Returns false after heed_fail. */
static bool add_feed_forward(heed_module *m, const block_settings *settings, heed__feed_forward *maps)
{
    const heed_nn_transformer_options *o = settings->options;
    const heed_nn_feed_forward_options options = {
        .activation = o->activation, .no_bias = o->no_bias, .gated = o->gated, .dtype = o->dtype};
    return heed__feed_forward_make(m, settings->hidden_size, settings->ffn_size, &options, maps);
}

static heed_nn_layer_norm *add_norm(heed_module *m, const char *name, const block_settings *settings)
{
    const heed_nn_transformer_options *o = settings->options;
    const heed_nn_layer_norm_options options = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    return heed__layer_child(m, name, heed_nn_layer_norm_new(HEED_SHAPE(settings->hidden_size), &options));
}

static heed_tensor *forward_encoder_block(heed_module *m, heed_tensor *x)
{
    return heed_nn_transformer_encoder_block_forward((encoder_block *)m, x, NULL, NULL);
}

encoder_block *heed__transformer_encoder_block(const block_settings *settings)
{
    encoder_block *net = check_block_settings("nn_transformer_encoder_block_new", settings)
                             ? heed_module_new("transformer_encoder_block", sizeof *net)
                             : NULL;
    if (!net)
        return NULL;
    heed__feed_forward maps = {.gate = NULL}; /* the children are added in PyTorch's order */
    const bool ok = (net->self_attn = add_self_attention(&net->base, settings, settings->options->causal)) &&
                    add_feed_forward(&net->base, settings, &maps) &&
                    (net->norm1 = add_norm(&net->base, "norm1", settings)) &&
                    (net->norm2 = add_norm(&net->base, "norm2", settings));
    net->base.forward = forward_encoder_block;
    net->gate = maps.gate;
    net->linear1 = maps.linear1;
    net->linear2 = maps.linear2;
    net->activation = maps.activation;
    net->dropout = settings->options->dropout;
    net->pre_norm = settings->options->pre_norm;
    return heed__layer_finish(net, ok);
}

decoder_block *heed__transformer_decoder_block(const block_settings *settings)
{
    decoder_block *net = check_block_settings("nn_transformer_decoder_block_new", settings)
                             ? heed_module_new("transformer_decoder_block", sizeof *net)
                             : NULL;
    if (!net)
        return NULL;
    heed__feed_forward maps = {.gate = NULL};
    const bool ok = (net->self_attn = add_self_attention(&net->base, settings, !settings->options->not_causal)) &&
                    (net->multihead_attn = add_memory_attention(&net->base, settings)) &&
                    add_feed_forward(&net->base, settings, &maps) &&
                    (net->norm1 = add_norm(&net->base, "norm1", settings)) &&
                    (net->norm2 = add_norm(&net->base, "norm2", settings)) &&
                    (net->norm3 = add_norm(&net->base, "norm3", settings));
    net->gate = maps.gate;
    net->linear1 = maps.linear1;
    net->linear2 = maps.linear2;
    net->activation = maps.activation;
    net->dropout = settings->options->dropout;
    net->pre_norm = settings->options->pre_norm;
    return heed__layer_finish(net, ok);
}

encoder_block *heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                                     const heed_nn_transformer_options *options)
{
    HEED_ENTER("nn_transformer_encoder_block_new");
    const heed_nn_transformer_options defaults = {0};
    return heed__transformer_encoder_block(
        &(block_settings){hidden_size, num_heads, ffn_size, options ? options : &defaults});
}

decoder_block *heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                                     const heed_nn_transformer_options *options)
{
    HEED_ENTER("nn_transformer_decoder_block_new");
    const heed_nn_transformer_options defaults = {0};
    return heed__transformer_decoder_block(
        &(block_settings){hidden_size, num_heads, ffn_size, options ? options : &defaults});
}

/* -- Forward passes of blocks -------------------------------------------------------------------------------------- */

/* The sublayers of a block. An encoder block has no attention to the memory, and its norm2 is feed_forward_norm. */
typedef struct sublayers {
    const heed_module *base;
    heed_nn_multi_head_attention *self_attn, *memory_attn;
    heed__feed_forward feed_forward;
    heed_nn_layer_norm *self_norm, *memory_norm, *feed_forward_norm;
    double dropout;
    bool pre_norm;
} sublayers;

static sublayers sublayers_of_encoder(const encoder_block *net)
{
    return (sublayers){.base = &net->base,
                       .self_attn = net->self_attn,
                       .feed_forward = {net->gate, net->linear1, net->linear2, net->activation},
                       .self_norm = net->norm1,
                       .feed_forward_norm = net->norm2,
                       .dropout = net->dropout,
                       .pre_norm = net->pre_norm};
}

static sublayers sublayers_of_decoder(const decoder_block *net)
{
    return (sublayers){.base = &net->base,
                       .self_attn = net->self_attn,
                       .memory_attn = net->multihead_attn,
                       .feed_forward = {net->gate, net->linear1, net->linear2, net->activation},
                       .self_norm = net->norm1,
                       .memory_norm = net->norm2,
                       .feed_forward_norm = net->norm3,
                       .dropout = net->dropout,
                       .pre_norm = net->pre_norm};
}

/* The arguments of one call. */
typedef struct block_call {
    heed_tensor *memory; /* NULL in an encoder block, and if the cache contains its keys and values */
    heed_nn_attention_call with;
} block_call;

typedef heed_tensor *sublayer_fn(const sublayers *s, const block_call *call, heed_tensor *x);

static heed_tensor *attend_to_self(const sublayers *s, const block_call *call, heed_tensor *x)
{
    const heed_nn_attention_call *c = &call->with;
    const heed_nn_attention_call self = {
        .valid_lens = c->valid_lens, .mask = c->mask, .bias = c->bias, .cache = c->cache, .weights = c->weights};
    return heed_nn_multi_head_attention_forward_with(s->self_attn, x, x, x, &self);
}

static heed_tensor *attend_to_memory(const sublayers *s, const block_call *call, heed_tensor *x)
{
    const heed_nn_attention_call *c = &call->with;
    const heed_nn_attention_call other = {.valid_lens = c->memory_lens,
                                          .mask = c->memory_mask,
                                          .bias = c->memory_bias,
                                          .cache = c->cache,
                                          .weights = c->memory_weights};
    return heed_nn_multi_head_attention_forward_with(s->memory_attn, x, call->memory, call->memory, &other);
}

static heed_tensor *feed_forward(const sublayers *s, const block_call *call, heed_tensor *x)
{
    (void)call;
    return heed__feed_forward_run(&s->feed_forward, s->base->training ? s->dropout : 0.0, x);
}

heed_tensor *heed__residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y)
{
    return heed_add(x, heed_dropout(y, dropout, m->training));
}

/* Runs f, a sublayer, with its residual connection and its norm. */
static heed_tensor *run_sublayer(const sublayers *s, const block_call *call, heed_nn_layer_norm *norm, sublayer_fn *f,
                                 heed_tensor *x)
{
    if (s->pre_norm)
        return heed__residual(s->base, s->dropout, x, f(s, call, heed_nn_layer_norm_forward(norm, x)));
    return heed_nn_layer_norm_forward(norm, heed__residual(s->base, s->dropout, x, f(s, call, x)));
}

static heed_tensor *run_sublayers(const sublayers *s, block_call call, heed_tensor *x)
{
    heed_kv_cache *cache = call.with.cache;
    heed_scope *scope = heed__kv_cache_scope_begin(cache);
    if (!scope)
        return NULL;
    heed__layer_output outputs[2] = {{.to = call.with.weights}, {.to = call.with.memory_weights}};
    call.with.weights = heed__requested(&outputs[0]);
    call.with.memory_weights = heed__requested(&outputs[1]);
    x = run_sublayer(s, &call, s->self_norm, attend_to_self, x);
    if (s->memory_attn)
        x = run_sublayer(s, &call, s->memory_norm, attend_to_memory, x);
    x = run_sublayer(s, &call, s->feed_forward_norm, feed_forward, x);
    return heed__kv_cache_scope_return(cache, scope, x, outputs, 2);
}

/* Checks the dtypes and shapes of x and memory, which may be NULL, with the weight of the block's linear1. */
static bool check_block_shapes(const char *where, const heed_tensor *weight, const heed_tensor *x,
                               const heed_tensor *memory)
{
    const heed_dtype dtype = heed_dtype_of(weight);
    const int64_t hidden_size = heed_dim(weight, 1);
    return heed__layer_check_tensor(where, "x", x, dtype, HEED_SHAPE(-1, -1, hidden_size)) &&
           (!memory ||
            heed__layer_check_tensor(where, "memory", memory, dtype, HEED_SHAPE(heed_dim(x, 0), -1, hidden_size)));
}

/* -- Encoder block ------------------------------------------------------------------------------------------------- */

static heed_tensor *run_encoder_block(const char *where, encoder_block *net, heed_tensor *x,
                                      const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, HEED__CALL_CACHE) || !heed__layer_check_given(where, net, "x", x) ||
        !check_block_shapes(where, net->linear1->weight, x, NULL))
        return NULL;
    const sublayers s = sublayers_of_encoder(net);
    return run_sublayers(&s, (block_call){NULL, *call}, x);
}

heed_tensor *heed_nn_transformer_encoder_block_forward(encoder_block *net, heed_tensor *x, heed_tensor *valid_lens,
                                                       heed_tensor **weights)
{
    static const char where[] = "nn_transformer_encoder_block_forward";
    HEED_ENTER_FORWARD(where, net);
    return run_encoder_block(where, net, x, &(heed_nn_attention_call){.valid_lens = valid_lens, .weights = weights});
}

heed_tensor *heed_nn_transformer_encoder_block_forward_with(encoder_block *net, heed_tensor *x,
                                                            const heed_nn_attention_call *call)
{
    static const char where[] = "nn_transformer_encoder_block_forward_with";
    HEED_ENTER_FORWARD(where, net);
    return run_encoder_block(where, net, x, call ? call : &(heed_nn_attention_call){0});
}

/* -- Decoder block ------------------------------------------------------------------------------------------------- */

static heed_tensor *run_decoder_block(const char *where, decoder_block *net, heed_tensor *x, heed_tensor *memory,
                                      const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, HEED__CALL_CACHE | HEED__CALL_MEMORY) ||
        !heed__layer_check_given(where, net, "x", x))
        return NULL;
    block_call given = {memory, *call};
    if (call->cache && heed__kv_cache_steps(call->cache, &net->multihead_attn->base) > 0)
        given.memory = given.with.memory_lens = NULL;
    else if (!heed__layer_check_given(where, net, "memory", memory))
        return NULL;
    if (!check_block_shapes(where, net->linear1->weight, x, given.memory))
        return NULL;
    const sublayers s = sublayers_of_decoder(net);
    return run_sublayers(&s, given, x);
}

heed_tensor *heed_nn_transformer_decoder_block_forward(decoder_block *net, heed_tensor *x, heed_tensor *memory,
                                                       heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                       heed_tensor **self_weights, heed_tensor **weights)
{
    static const char where[] = "nn_transformer_decoder_block_forward";
    HEED_ENTER_FORWARD(where, net);
    const heed_nn_attention_call call = {
        .valid_lens = valid_lens, .weights = self_weights, .memory_lens = memory_lens, .memory_weights = weights};
    return run_decoder_block(where, net, x, memory, &call);
}

heed_tensor *heed_nn_transformer_decoder_block_forward_with(decoder_block *net, heed_tensor *x, heed_tensor *memory,
                                                            const heed_nn_attention_call *call)
{
    static const char where[] = "nn_transformer_decoder_block_forward_with";
    HEED_ENTER_FORWARD(where, net);
    return run_decoder_block(where, net, x, memory, call ? call : &(heed_nn_attention_call){0});
}
