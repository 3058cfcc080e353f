/* nn/transformer.c - the Transformer, its encoder and its decoder: embedding and positions, a list of blocks, a norm,
 * and in the decoder an output map.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/transformer_block.h"

typedef heed_nn_transformer_encoder encoder;
typedef heed_nn_transformer_decoder decoder;

/* -- Lists of blocks ----------------------------------------------------------------------------------------------- */

enum { MAX_LAYERS = 1 << 12 };

bool heed__block_list_check(const char *where, int64_t vocab_size, int64_t hidden_size, int64_t num_layers)
{
    if (num_layers > MAX_LAYERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " layers: must be at most %d", num_layers,
                               MAX_LAYERS);
    if (vocab_size < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "vocab_size is %" PRId64 ": must be 0 or more", vocab_size);
    return heed__layer_check_size(where, "hidden_size", hidden_size) &&
           heed__layer_check_size(where, "num_layers", num_layers);
}

bool heed__block_list_make(heed_module *net, int64_t num_layers, heed_module_visitor draw, heed__block_constructor make,
                           const void *args)
{
    heed_module *list = heed__layer_child(net, "layers", heed_module_new("module_list", sizeof *list));
    for (int64_t i = 0; list && i < num_layers; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%" PRId64, i);
        heed_module *block = heed__layer_child(list, name, make(net, i, args));
        if (!block || heed_module_walk(block, draw, net) != HEED_OK)
            return false;
    }
    return list != NULL;
}

heed_tensor *heed__block_list_run(heed__block_fn run, const void *args, int64_t num_layers, heed_tensor *x,
                                  const heed_nn_attention_call *call)
{
    enum { LISTS = 2 };
    heed_tensor **const stacked[LISTS] = {call->weights, call->memory_weights};
    const size_t n = (size_t)num_layers, bytes = LISTS * n * sizeof(heed_tensor *);
    heed_tensor **lists = heed_calloc(LISTS * n, sizeof *lists); /* one list per kind of weights */
    if (!lists)
        return NULL;
    heed_nn_attention_call block = *call;
    for (size_t i = 0; x && i < n; i++) {
        block.weights = stacked[0] ? &lists[i] : NULL;
        block.memory_weights = stacked[1] ? &lists[n + i] : NULL;
        x = run(args, (int64_t)i, x, &block);
    }
    for (size_t j = 0; x && j < LISTS; j++)
        if (stacked[j] && !(*stacked[j] = heed_stack(lists + j * n, (int)n, 0)))
            x = NULL;
    heed_free(lists, bytes);
    return x;
}

/* -- Creation of encoder and decoder ------------------------------------------------------------------------------- */

static heed_status draw_xavier(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) == 2 ? heed_nn_init_xavier_uniform_(visit->tensor) : HEED_OK;
}

/* Adds the children "norm", "embedding" and "pos_encoding" that the options request, and stores them in the pointers.
 * "pos_encoding" is created without dropout. Returns false after heed_fail. */
static bool add_norm_and_embedding(heed_module *m, int64_t vocab_size, const heed__block_settings *s,
                                   heed_nn_layer_norm **norm, heed_nn_embedding **embedding,
                                   heed_nn_positional_encoding **positions)
{
    const heed_nn_transformer_options *o = s->options;
    const int64_t h = s->hidden_size;
    const heed_nn_layer_norm_options norms = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    if (!o->no_final_norm && !(*norm = heed__layer_child(m, "norm", heed_nn_layer_norm_new(HEED_SHAPE(h), &norms))))
        return false;
    if (vocab_size == 0)
        return true;
    const heed_nn_embedding_options embeddings = {.dtype = o->dtype};
    const heed_nn_positional_encoding_options encodings = {.max_len = o->max_len, .dtype = o->dtype};
    *embedding = heed__layer_child(m, "embedding", heed_nn_embedding_new(vocab_size, h, &embeddings));
    if (!*embedding || heed_nn_init_normal_((*embedding)->weight, 0.0, 1.0 / sqrt((double)h)) != HEED_OK)
        return false;
    if (o->no_positions)
        return true;
    *positions = heed__layer_child(m, "pos_encoding", heed_nn_positional_encoding_new(h, &encodings));
    return *positions != NULL;
}

/* -- Forward passes of encoder and decoder ------------------------------------------------------------------------- */

/* The parts that encoder and decoder have in common. */
typedef struct stack {
    const heed_module *base, *attention;    /* `attention` is self-attention of the first block */
    heed_nn_embedding *embedding;           /* NULL if the tokens are vectors */
    heed_nn_positional_encoding *positions; /* NULL without positions */
    heed_nn_layer_norm *norm;               /* NULL without a final norm */
    heed_nn_linear *dense;                  /* output map; NULL in an encoder, if tied and without an embedding */
    bool tied;                              /* the output map is the embedding */
    int64_t num_layers;
    double dropout;
} stack;

/* Checks tokens (B, T), or vectors (B, T, hidden_size) if the embedding is NULL, for blocks whose linear1 has the given
 * weight. Returns false after heed_fail. */
static bool check_tokens(const char *where, const heed_tensor *tokens, const heed_nn_embedding *embedding,
                         const heed_tensor *weight)
{
    if (embedding)
        return heed__layer_check_tensor(where, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1));
    return heed__layer_check_tensor(where, "tokens", tokens, heed_dtype_of(weight),
                                    HEED_SHAPE(-1, -1, heed_dim(weight, 1)));
}

/* Returns dropout(embedding(tokens) sqrt(h) + P) for tokens that begin with step `first` of their sequences. `padding`
 * is NULL, or the number of steps before every sequence. Returns `tokens` if the embedding is NULL. */
static heed_tensor *embed_tokens(const stack *s, heed_tensor *tokens, int64_t first, heed_tensor *padding)
{
    if (!s->embedding)
        return tokens;
    heed_tensor *x = heed_nn_embedding_forward(s->embedding, tokens);
    x = x ? heed_mul_scalar(x, sqrt((double)heed_dim(s->embedding->weight, 1))) : NULL;
    if (x && s->positions && padding) {
        heed_tensor *steps = heed__kv_cache_positions(padding, first, heed_dim(tokens, 1));
        x = steps ? heed_add(x, heed_embedding(steps, s->positions->P)) : NULL;
    } else if (x && s->positions) {
        x = heed__positional_encoding_add("nn_positional_encoding_forward", s->positions, x, first);
    }
    return x ? heed_dropout(x, s->dropout, s->base->training) : NULL;
}

/* Runs tokens through the embedding, the blocks, the norm and the output map. */
static heed_tensor *run_stack(const stack *s, heed__block_fn run_block, const void *args, heed_tensor *tokens,
                              heed_nn_attention_call call)
{
    const int64_t first = call.cache ? heed__kv_cache_steps(call.cache, s->attention) : 0;
    heed_scope *scope = heed__kv_cache_scope_begin(call.cache);
    if (!scope)
        return NULL;
    heed__layer_output outputs[2] = {{.to = call.weights}, {.to = call.memory_weights}};
    call.weights = heed__requested(&outputs[0]);
    call.memory_weights = heed__requested(&outputs[1]);
    heed_tensor *x = embed_tokens(s, tokens, first, heed__kv_cache_padding(call.cache));
    x = heed__block_list_run(run_block, args, s->num_layers, x, &call);
    x = s->norm && x ? heed_nn_layer_norm_forward(s->norm, x) : x;
    if (s->dense && x)
        x = heed_nn_linear_forward(s->dense, x);
    else if (s->tied && x)
        x = heed_linear(x, s->embedding->weight, NULL);
    return heed__kv_cache_scope_return(call.cache, scope, x, outputs, 2);
}

/* -- Encoder ------------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_encoder(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_transformer_encoder_forward((encoder *)m, tokens, NULL, NULL);
}

static void free_encoder_list(heed_module *m)
{
    encoder *net = (encoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static heed_module *make_encoder_block(heed_module *m, int64_t index, const void *settings)
{
    encoder *net = (encoder *)m;
    net->layers[index] = heed__transformer_encoder_block(settings);
    return (heed_module *)net->layers[index];
}

encoder *heed_nn_transformer_encoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                         int64_t num_layers, const heed_nn_transformer_options *options)
{
    static const char where[] = "nn_transformer_encoder_new";
    HEED_ENTER(where);
    const heed_nn_transformer_options o = options ? *options : (heed_nn_transformer_options){0};
    const heed__block_settings s = {hidden_size, num_heads, ffn_size, &o};
    if (!heed__block_list_check(where, vocab_size, hidden_size, num_layers))
        return NULL;
    encoder *net = heed_module_new("transformer_encoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_encoder;
    net->base.on_free = free_encoder_list;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    net->layers = heed_calloc((size_t)num_layers, sizeof *net->layers);
    const bool ok = net->layers && heed__block_list_make(&net->base, num_layers, draw_xavier, make_encoder_block, &s) &&
                    add_norm_and_embedding(&net->base, vocab_size, &s, &net->norm, &net->embedding, &net->pos_encoding);
    return heed__layer_finish(net, ok);
}

static heed_tensor *run_block_of_encoder(const void *args, int64_t index, heed_tensor *x,
                                         const heed_nn_attention_call *call)
{
    const encoder *net = args;
    return heed_nn_transformer_encoder_block_forward_with(net->layers[index], x, call);
}

static heed_tensor *encode(const char *where, const encoder *net, heed_tensor *tokens,
                           const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, 0) || !heed__layer_check_given(where, net, "tokens", tokens) ||
        !check_tokens(where, tokens, net->embedding, net->layers[0]->linear1->weight))
        return NULL;
    const stack s = {.base = &net->base,
                     .embedding = net->embedding,
                     .positions = net->pos_encoding,
                     .norm = net->norm,
                     .num_layers = net->num_layers,
                     .dropout = net->dropout};
    return run_stack(&s, run_block_of_encoder, net, tokens, *call);
}

heed_tensor *heed_nn_transformer_encoder_forward(encoder *net, heed_tensor *tokens, heed_tensor *valid_lens,
                                                 heed_tensor **weights)
{
    static const char where[] = "nn_transformer_encoder_forward";
    HEED_ENTER_FORWARD(where, net);
    return encode(where, net, tokens, &(heed_nn_attention_call){.valid_lens = valid_lens, .weights = weights});
}

heed_tensor *heed_nn_transformer_encoder_forward_with(encoder *net, heed_tensor *tokens,
                                                      const heed_nn_attention_call *call)
{
    static const char where[] = "nn_transformer_encoder_forward_with";
    HEED_ENTER_FORWARD(where, net);
    return encode(where, net, tokens, call ? call : &(heed_nn_attention_call){0});
}

/* -- Decoder ------------------------------------------------------------------------------------------------------- */

static void free_decoder_list(heed_module *m)
{
    decoder *net = (decoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static heed_module *make_decoder_block(heed_module *m, int64_t index, const void *settings)
{
    decoder *net = (decoder *)m;
    net->layers[index] = heed__transformer_decoder_block(settings);
    return (heed_module *)net->layers[index];
}

static bool add_output_map(decoder *net, int64_t vocab_size, const heed__block_settings *s)
{
    const heed_nn_linear_options options = {.dtype = s->options->dtype};
    if (vocab_size == 0 || s->options->tied)
        return true;
    net->dense = heed__layer_child(&net->base, "dense", heed_nn_linear_new(s->hidden_size, vocab_size, &options));
    return net->dense != NULL;
}

decoder *heed_nn_transformer_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                         int64_t num_layers, const heed_nn_transformer_options *options)
{
    static const char where[] = "nn_transformer_decoder_new";
    HEED_ENTER(where);
    const heed_nn_transformer_options o = options ? *options : (heed_nn_transformer_options){0};
    const heed__block_settings s = {hidden_size, num_heads, ffn_size, &o};
    if (!heed__block_list_check(where, vocab_size, hidden_size, num_layers))
        return NULL;
    decoder *net = heed_module_new("transformer_decoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.on_free = free_decoder_list;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    net->layers = heed_calloc((size_t)num_layers, sizeof *net->layers);
    const bool ok =
        net->layers && heed__block_list_make(&net->base, num_layers, draw_xavier, make_decoder_block, &s) &&
        add_norm_and_embedding(&net->base, vocab_size, &s, &net->norm, &net->embedding, &net->pos_encoding) &&
        add_output_map(net, vocab_size, &s);
    return heed__layer_finish(net, ok);
}

/* A decoder and the memory of one call. */
typedef struct decoding {
    const decoder *net;
    heed_tensor *memory;
} decoding;

static heed_tensor *run_block_of_decoder(const void *args, int64_t index, heed_tensor *x,
                                         const heed_nn_attention_call *call)
{
    const decoding *d = args;
    return heed_nn_transformer_decoder_block_forward_with(d->net->layers[index], x, d->memory, call);
}

static heed_tensor *decode(const char *where, const decoder *net, heed_tensor *tokens, heed_tensor *memory,
                           const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, HEED__CALL_CACHE | HEED__CALL_MEMORY) ||
        !heed__layer_check_given(where, net, "tokens", tokens) ||
        !check_tokens(where, tokens, net->embedding, net->layers[0]->linear1->weight) ||
        (call->cache ? !heed__kv_cache_fits(where, call->cache, "tokens", tokens)
                     : !heed__layer_check_given(where, net, "memory", memory)))
        return NULL;
    const stack s = {.base = &net->base,
                     .attention = &net->layers[0]->self_attn->base,
                     .embedding = net->embedding,
                     .positions = net->pos_encoding,
                     .norm = net->norm,
                     .dense = net->dense,
                     .tied = net->embedding && !net->dense,
                     .num_layers = net->num_layers,
                     .dropout = net->dropout};
    return run_stack(&s, run_block_of_decoder, &(decoding){net, memory}, tokens, *call);
}

heed_tensor *heed_nn_transformer_decoder_forward(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                                 heed_tensor *valid_lens, heed_tensor *memory_lens,
                                                 heed_tensor **self_weights, heed_tensor **weights)
{
    static const char where[] = "nn_transformer_decoder_forward";
    HEED_ENTER_FORWARD(where, net);
    const heed_nn_attention_call call = {
        .valid_lens = valid_lens, .weights = self_weights, .memory_lens = memory_lens, .memory_weights = weights};
    return decode(where, net, tokens, memory, &call);
}

heed_tensor *heed_nn_transformer_decoder_forward_with(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                                      const heed_nn_attention_call *call)
{
    static const char where[] = "nn_transformer_decoder_forward_with";
    HEED_ENTER_FORWARD(where, net);
    return decode(where, net, tokens, memory, call ? call : &(heed_nn_attention_call){0});
}

/* -- Encoder and decoder ------------------------------------------------------------------------------------------- */

heed_nn_transformer *heed_nn_transformer_new(int64_t src_vocab, int64_t tgt_vocab, int64_t hidden_size,
                                             int64_t num_heads, int64_t ffn_size, int64_t num_layers,
                                             const heed_nn_transformer_options *options)
{
    HEED_ENTER("nn_transformer_new");
    const int64_t decoder_layers = options && options->decoder_layers != 0 ? options->decoder_layers : num_layers;
    heed_nn_transformer *net = heed_module_new("transformer", sizeof *net);
    if (!net)
        return NULL;
    net->encoder = heed__layer_child(
        &net->base, "encoder",
        heed_nn_transformer_encoder_new(src_vocab, hidden_size, num_heads, ffn_size, num_layers, options));
    if (net->encoder)
        net->decoder = heed__layer_child(
            &net->base, "decoder",
            heed_nn_transformer_decoder_new(tgt_vocab, hidden_size, num_heads, ffn_size, decoder_layers, options));
    return heed__layer_finish(net, net->decoder != NULL);
}

/* Runs the encoder and the decoder. `lens_name` is the caller's name of call->memory_lens. */
static heed_tensor *translate(const char *where, const heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                              heed_nn_attention_call call, const char *lens_name)
{
    enum { ENCODER, SELF, MEMORY, OUTPUTS };
    if (!heed__attention_call_begin(where, &call, HEED__CALL_MEMORY | HEED__CALL_ENCODER) ||
        !heed__layer_check_given(where, net, "src", src) || !heed__layer_check_given(where, net, "tgt", tgt) ||
        (call.memory_lens && !heed__layer_check_tensor(where, lens_name, call.memory_lens, HEED_I64, HEED_SHAPE(-1))))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed__layer_output outputs[OUTPUTS] = {
        {.to = call.encoder_weights}, {.to = call.weights}, {.to = call.memory_weights}};
    const heed_nn_attention_call encoding = {.valid_lens = call.memory_lens,
                                             .mask = call.encoder_mask,
                                             .bias = call.encoder_bias,
                                             .weights = heed__requested(&outputs[ENCODER])};
    call.encoder_mask = call.encoder_bias = NULL;
    call.encoder_weights = NULL;
    call.weights = heed__requested(&outputs[SELF]);
    call.memory_weights = heed__requested(&outputs[MEMORY]);
    heed_tensor *memory = heed_nn_transformer_encoder_forward_with(net->encoder, src, &encoding);
    heed_tensor *logits = memory ? heed_nn_transformer_decoder_forward_with(net->decoder, tgt, memory, &call) : NULL;
    return heed__scope_return_outputs(scope, logits, outputs, OUTPUTS);
}

heed_tensor *heed_nn_transformer_forward(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                         heed_tensor *src_lens, heed_tensor *tgt_lens, heed_tensor **encoder_weights,
                                         heed_tensor **self_weights, heed_tensor **weights)
{
    static const char where[] = "nn_transformer_forward";
    HEED_ENTER_FORWARD(where, net);
    const heed_nn_attention_call call = {.valid_lens = tgt_lens,
                                         .weights = self_weights,
                                         .memory_lens = src_lens,
                                         .memory_weights = weights,
                                         .encoder_weights = encoder_weights};
    return translate(where, net, src, tgt, call, "src_lens");
}

heed_tensor *heed_nn_transformer_forward_with(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                              const heed_nn_attention_call *call)
{
    static const char where[] = "nn_transformer_forward_with";
    HEED_ENTER_FORWARD(where, net);
    return translate(where, net, src, tgt, call ? *call : (heed_nn_attention_call){0}, "memory_lens");
}
