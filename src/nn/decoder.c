/* nn/decoder.c - decoder-only Transformers: embedding, blocks, norm, output map. nn/decoder_load.c loads pretrained
 * ones. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/decoder_block.h"
#include "nn/kv_cache.h"
#include "nn/transformer_stack.h"

typedef heed_nn_decoder decoder;
typedef heed_nn_decoder_options decoder_options;

static const char where_new[] = "nn_decoder_new";
static const char where_forward[] = "nn_decoder_forward";
static const char where_masked[] = "nn_decoder_masked";
static const char where_cached[] = "nn_decoder_cached";
static const char where_step[] = "nn_decoder_step";

#define STD 0.02
#define EPS 1e-5

enum { MAX_LEN = 1024 };

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_decoder_forward((decoder *)m, tokens, NULL);
}

static void free_list(heed_module *m)
{
    decoder *net = (decoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static bool ends_in(const char *path, const char *tail)
{
    const size_t length = strlen(path), n = strlen(tail);
    return length >= n && strcmp(path + length - n, tail) == 0;
}

static heed_status draw(const heed_module_visit *visit, void *user)
{
    const decoder *net = user;
    const bool is_residual = ends_in(visit->name, "out_proj.weight") || ends_in(visit->name, "linear2.weight");
    if (heed_rank(visit->tensor) == 2)
        return heed_nn_init_normal_(visit->tensor, 0.0, is_residual ? STD / sqrt(2.0 * (double)net->num_layers) : STD);
    return !ends_in(visit->name, "bias") || heed__layer_clear(visit->tensor) ? HEED_OK : heed_error_code();
}

static heed_nn_embedding *add_embedding(decoder *net, const char *name, int64_t count, int64_t size, heed_dtype dtype)
{
    const heed_nn_embedding_options options = {.dtype = dtype};
    heed_nn_embedding *table = heed__layer_child(&net->base, name, heed_nn_embedding_new(count, size, &options));
    return table && heed_nn_init_normal_(table->weight, 0.0, STD) == HEED_OK ? table : NULL;
}

/* Arguments for creating blocks. */
typedef struct creation_args {
    heed__transformer_stack stack;
    decoder_options options;
} creation_args;

static heed_module *make_block(heed_module *m, const heed__transformer_stack *stack, int64_t index)
{
    decoder *net = (decoder *)m;
    const creation_args *args = (const creation_args *)stack; /* the stack is the first member of creation_args */
    heed__decoder_block *block =
        heed__decoder_block_new(stack->hidden_size, stack->num_heads, stack->ffn_size, &args->options);
    if (block && index == 0)
        net->attention = block->self_attn;
    return net->layers[index] = block ? &block->base : NULL;
}

static bool add_children(decoder *net, const creation_args *args)
{
    const decoder_options *o = &args->options;
    const int64_t vocab_size = args->stack.vocab_size, size = args->stack.hidden_size;
    const heed_nn_linear_options dense = {.no_bias = true, .dtype = o->dtype};
    net->layers = heed_calloc((size_t)net->num_layers, sizeof *net->layers);
    if (!net->layers || !(net->embedding = add_embedding(net, "embedding", vocab_size, size, o->dtype)) ||
        (!o->rope && !o->alibi && !(net->positions = add_embedding(net, "positions", o->max_len, size, o->dtype))) ||
        !heed__transformer_blocks(&net->base, &args->stack, make_block) ||
        !(net->norm = heed__decoder_norm(&net->base, "norm", size, o)))
        return false;
    if (o->tied)
        return true;
    net->dense = heed__layer_child(&net->base, "dense", heed_nn_linear_new(size, vocab_size, &dense));
    return net->dense && heed_nn_init_normal_(net->dense->weight, 0.0, STD) == HEED_OK;
}

static decoder_options with_defaults(const decoder_options *options)
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
    const creation_args args = {
        .stack = {vocab_size, hidden_size, num_heads, ffn_size, num_layers, .draw = draw},
        .options = with_defaults(options),
    };
    if (!heed__layer_check_size(where_new, "vocab_size", vocab_size) ||
        !heed__transformer_stack_check(where_new, &args.stack) ||
        !heed__layer_check_dropout(where_new, args.options.dropout))
        return NULL;
    decoder *net = heed_module_new("decoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->base.on_free = free_list;
    net->num_layers = num_layers;
    net->dropout = args.options.dropout;
    return heed__layer_finish(net, add_children(net, &args));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* The arguments of one call. */
typedef struct decoding {
    decoder *net;
    heed__decoder_block_args args;
    bool last; /* compute only the logits of the last step, (B, vocab_size) */
} decoding;

static heed_tensor *run_block(const void *call, int64_t index, heed_tensor *x, heed_tensor **weights[2])
{
    const decoding *d = call;
    return heed__decoder_block_run((heed__decoder_block *)d->net->layers[index], x, &d->args, weights[0]);
}

/* Returns the learned position embeddings of `steps` steps, beginning with step `first`. */
static heed_tensor *positions_of(const decoding *d, int64_t first, int64_t steps)
{
    heed_tensor *all = d->net->positions->weight, *padding = heed__kv_cache_padding(d->args.cache);
    if (padding)
        return heed_embedding(heed__kv_cache_positions(padding, first, steps), all);
    return heed_slice(all, 0, first, first + steps, 1);
}

/* Embeds `tokens`, which begin with step `first` of the sequence. */
static heed_tensor *embed(const decoding *d, heed_tensor *tokens, int64_t first)
{
    const decoder *net = d->net;
    heed_tensor *x = heed_nn_embedding_forward(net->embedding, tokens);
    if (net->positions && x)
        x = heed_add(x, positions_of(d, first, heed_dim(tokens, 1)));
    return x ? heed_dropout(x, net->dropout, net->base.training) : NULL;
}

static heed_tensor *logits_of(const decoding *d, heed_tensor *x)
{
    x = x && d->last ? heed_select(x, 1, -1) : x;
    x = x ? heed_module_forward(d->net->norm, x) : NULL;
    return x ? heed_linear(x, d->net->dense ? d->net->dense->weight : d->net->embedding->weight, NULL) : NULL;
}

/* Checks tokens that begin with step `first` of the sequence. */
static bool check(const char *where, const decoder *net, const heed_tensor *tokens, int64_t first)
{
    if (!heed__layer_check_tensor(where, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1)))
        return false;
    const int64_t T = heed_dim(tokens, 1), max_steps = net->positions ? heed_dim(net->positions->weight, 0) : INT64_MAX;
    return T <= max_steps - first ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "tokens is %s, after %" PRId64 " cached steps: must be at most %" PRId64 " steps in all",
                           heed_shape_text(heed_shape_of(tokens)).s, first, max_steps);
}

/* Runs the decoder and ends the scope. */
static heed_tensor *run(const decoding *d, heed_scope *scope, heed_tensor *tokens, int64_t first, heed_tensor **weights)
{
    heed_tensor *computed = NULL, **requested[2] = {weights ? &computed : NULL, NULL};
    heed_tensor *x = heed__transformer_run_blocks(run_block, d, d->net->num_layers, embed(d, tokens, first), requested);
    return heed__scope_return_requested(scope, logits_of(d, x), &computed, &weights, 1);
}

static heed_tensor *decode(const char *where, const decoding *d, heed_tensor *tokens, heed_tensor **weights)
{
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_given(where, d->net, "tokens", tokens) || !check(where, d->net, tokens, 0))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? run(d, scope, tokens, 0, weights) : NULL;
}

heed_tensor *heed_nn_decoder_forward(decoder *net, heed_tensor *tokens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return decode(where_forward, &(decoding){.net = net}, tokens, weights);
}

heed_tensor *heed_nn_decoder_masked(decoder *net, heed_tensor *tokens, heed_tensor *mask, heed_tensor *bias,
                                    heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    return decode(where_masked, &(decoding){.net = net, .args = {.mask = mask, .bias = bias}}, tokens, weights);
}

static heed_tensor *cached(const char *where, const decoding *d, heed_tensor *tokens, heed_tensor **weights)
{
    heed_kv_cache *cache = d->args.cache;
    const int64_t first = heed__kv_cache_steps(cache, &d->net->attention->base);
    const bool fits = check(where, d->net, tokens, first) && heed__kv_cache_fits(where, cache, "tokens", tokens);
    heed_scope *scope = fits ? heed_no_grad_begin() : NULL;
    if (!scope)
        return NULL;
    heed__kv_cache_begin(cache);
    heed_tensor *logits = run(d, scope, tokens, first, weights);
    heed__kv_cache_end(cache, logits != NULL);
    return logits;
}

heed_tensor *heed_nn_decoder_cached(decoder *net, heed_tensor *tokens, heed_kv_cache *cache, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_cached, net);
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_given(where_cached, net, "tokens", tokens) || !heed__kv_cache_check(where_cached, cache))
        return NULL;
    return cached(where_cached, &(decoding){.net = net, .args = {.cache = cache}}, tokens, weights);
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
    return cached(where_step, &(decoding){.net = context->net, .args = {.cache = context->cache}, .last = true}, tokens,
                  NULL);
}
