/* nn/transformer_encoder.c - the Transformer's encoder: embedding and positions, encoder blocks, norm. */

#include <heed/memory.h>

#include "nn/transformer_stack.h"

typedef heed_nn_transformer_encoder encoder;

static const char where_new[] = "nn_transformer_encoder_new";
static const char where_forward[] = "nn_transformer_encoder_forward";
static const char where_masked[] = "nn_transformer_encoder_masked";

static heed_tensor *forward(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_transformer_encoder_forward((encoder *)m, tokens, NULL, NULL);
}

static void free_list(heed_module *m)
{
    encoder *net = (encoder *)m;
    heed_free(net->layers, (size_t)net->num_layers * sizeof *net->layers);
}

static heed_module *make_block(heed_module *m, const heed__transformer_stack *stack, int64_t index)
{
    encoder *net = (encoder *)m;
    const heed_nn_transformer_options *o = &stack->options;
    const heed_nn_transformer_encoder_block_options options = {.dropout = o->dropout,
                                                               .eps = o->eps,
                                                               .activation = o->activation,
                                                               .pre_norm = o->pre_norm,
                                                               .no_bias = o->no_bias,
                                                               .gated = o->gated,
                                                               .dtype = o->dtype,
                                                               .attention = o->attention};
    net->layers[index] =
        heed_nn_transformer_encoder_block_new(stack->hidden_size, stack->num_heads, stack->ffn_size, &options);
    return (heed_module *)net->layers[index];
}

encoder *heed_nn_transformer_encoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                         int64_t num_layers, const heed_nn_transformer_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_transformer_options o = options ? *options : (heed_nn_transformer_options){0};
    const heed__transformer_stack stack = {vocab_size, hidden_size, num_heads, ffn_size, num_layers, o, NULL};
    if (!heed__transformer_stack_check(where_new, &stack))
        return NULL;
    encoder *net = heed_module_new("transformer_encoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->base.on_free = free_list;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    net->layers = heed_calloc((size_t)num_layers, sizeof *net->layers);
    return heed__layer_finish(net, net->layers && heed__transformer_blocks(&net->base, &stack, make_block) &&
                                       heed__transformer_embedding_and_norm(&net->base, &stack, &net->norm,
                                                                            &net->embedding, &net->pos_encoding));
}

/* The arguments of one call. */
typedef struct encoding {
    encoder *net;
    heed_tensor *valid_lens, *mask, *bias; /* may be NULL */
} encoding;

static heed_tensor *run_block(const void *call, int64_t index, heed_tensor *x, heed_tensor **weights[2])
{
    const encoding *e = call;
    return heed_nn_transformer_encoder_block_masked(e->net->layers[index], x, e->valid_lens, e->mask, e->bias,
                                                    weights[0]);
}

static heed_tensor *encode(const char *where, const encoding *e, heed_tensor *tokens, heed_tensor **weights)
{
    const encoder *net = e->net;
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_given(where, net, "tokens", tokens))
        return NULL;
    const heed_tensor *w = net->layers[0]->linear1->weight;
    heed_scope *scope = heed__transformer_check_tokens(where, tokens, net->embedding, heed_dtype_of(w), heed_dim(w, 1))
                            ? heed_scope_begin()
                            : NULL;
    if (!scope)
        return NULL;
    heed_tensor *computed[2] = {NULL}, **requested[2] = {weights ? &computed[0] : NULL, NULL};
    const double dropout = net->base.training ? net->dropout : 0.0;
    heed_tensor *x = heed__transformer_embed(net->embedding, net->pos_encoding, dropout, tokens, 0, NULL);
    x = heed__transformer_run_blocks(run_block, e, net->num_layers, x, requested);
    if (net->norm && x)
        x = heed_nn_layer_norm_forward(net->norm, x);
    return heed__scope_return_requested(scope, x, computed, &weights, 1);
}

heed_tensor *heed_nn_transformer_encoder_forward(encoder *net, heed_tensor *tokens, heed_tensor *valid_lens,
                                                 heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return encode(where_forward, &(encoding){net, valid_lens, NULL, NULL}, tokens, weights);
}

heed_tensor *heed_nn_transformer_encoder_masked(encoder *net, heed_tensor *tokens, heed_tensor *valid_lens,
                                                heed_tensor *mask, heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    return encode(where_masked, &(encoding){net, valid_lens, mask, bias}, tokens, weights);
}
