/* nn/seq2seq.c - sequence-to-sequence models: an encoder that embeds tokens and runs a GRU over them, and Bahdanau's
 * decoder, a GRU that attends to the encoder's states at every step.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/recurrent.h>

#include "nn/layer.h"

typedef heed_nn_bahdanau_decoder decoder;

/* Checks a constructor's arguments, except num_layers, which the GRU checks. Returns false after heed_fail. */
static bool check_seq2seq_sizes(const char *where, int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                                const heed_nn_seq2seq_options *options)
{
    return heed__layer_check_size(where, "vocab_size", vocab_size) &&
           heed__layer_check_size(where, "embed_size", embed_size) &&
           heed__layer_check_size(where, "hidden_size", hidden_size) &&
           heed__layer_check_dropout(where, options->dropout) && heed__layer_check_dtype(where, options->dtype);
}

/* -- Encoder ------------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_seq2seq_encoder(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_seq2seq_encoder_forward((heed_nn_seq2seq_encoder *)m, tokens, NULL);
}

heed_nn_seq2seq_encoder *heed_nn_seq2seq_encoder_new(int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                                                     const heed_nn_seq2seq_options *options)
{
    static const char where[] = "nn_seq2seq_encoder_new";
    HEED_ENTER(where);
    heed_nn_seq2seq_options o = options ? *options : (heed_nn_seq2seq_options){0};
    if (!check_seq2seq_sizes(where, vocab_size, embed_size, hidden_size, &o))
        return NULL;
    heed_nn_seq2seq_encoder *net = heed_module_new("seq2seq_encoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_seq2seq_encoder;
    const heed_nn_embedding_options embedding = {.dtype = o.dtype};
    const heed_nn_gru_options rnn = {
        .num_layers = o.num_layers, .dropout = o.dropout, .batch_first = true, .dtype = o.dtype};
    net->embedding =
        heed__layer_child(&net->base, "embedding", heed_nn_embedding_new(vocab_size, embed_size, &embedding));
    if (net->embedding)
        net->rnn = heed__layer_child(&net->base, "rnn", heed_nn_gru_new(embed_size, hidden_size, &rnn));
    return heed__layer_finish(net, net->rnn);
}

heed_tensor *heed_nn_seq2seq_encoder_forward(heed_nn_seq2seq_encoder *net, heed_tensor *tokens, heed_tensor **state)
{
    static const char where[] = "nn_seq2seq_encoder_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "tokens", tokens) ||
        !heed__layer_check_tensor(where, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1)))
        return NULL;
    heed_tensor *x = heed_nn_embedding_forward(net->embedding, tokens), *last = NULL;
    heed_tensor *y = heed_nn_gru_forward(net->rnn, x, NULL, &last);
    if (y && state)
        *state = last;
    return y;
}

/* -- Bahdanau's decoder: creation ---------------------------------------------------------------------------------- */

/* Adds the children. input_size is the input size of the GRU: context and embedding. */
static bool add_bahdanau_children(decoder *net, int64_t vocab_size, int64_t embed_size, int64_t input_size,
                                  const heed_nn_seq2seq_options *o)
{
    heed_module *m = &net->base;
    const int64_t h = input_size - embed_size;
    const heed_nn_additive_attention_options attention = {.dropout = o->dropout, .dtype = o->dtype};
    const heed_nn_embedding_options embedding = {.dtype = o->dtype};
    const heed_nn_gru_options rnn = {.num_layers = o->num_layers, .dropout = o->dropout, .dtype = o->dtype};
    const heed_nn_linear_options dense = {.dtype = o->dtype};
    return (net->attention = heed__layer_child(m, "attention", heed_nn_additive_attention_new(h, h, h, &attention))) &&
           (net->embedding =
                heed__layer_child(m, "embedding", heed_nn_embedding_new(vocab_size, embed_size, &embedding))) &&
           (net->rnn = heed__layer_child(m, "rnn", heed_nn_gru_new(input_size, h, &rnn))) &&
           (net->dense = heed__layer_child(m, "dense", heed_nn_linear_new(h, vocab_size, &dense)));
}

decoder *heed_nn_bahdanau_decoder_new(int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                                      const heed_nn_seq2seq_options *options)
{
    static const char where[] = "nn_bahdanau_decoder_new";
    HEED_ENTER(where);
    heed_nn_seq2seq_options o = options ? *options : (heed_nn_seq2seq_options){0};
    if (!check_seq2seq_sizes(where, vocab_size, embed_size, hidden_size, &o))
        return NULL;
    int64_t input_size;
    if (__builtin_add_overflow(embed_size, hidden_size, &input_size))
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "embed_size is %" PRId64 ", hidden_size is %" PRId64 ": the sum must be below 2^63",
                              embed_size, hidden_size);
    decoder *net = heed_module_new("bahdanau_decoder", sizeof *net);
    if (!net)
        return NULL;
    return heed__layer_finish(net, add_bahdanau_children(net, vocab_size, embed_size, input_size, &o));
}

/* -- Bahdanau's decoder: forward ----------------------------------------------------------------------------------- */

static const char where_forward[] = "nn_bahdanau_decoder_forward";

/* Inputs that all steps share. */
typedef struct source {
    heed_tensor *memory;     /* (B, K, h) */
    heed_tensor *valid_lens; /* (B), or NULL */
} source;

/* Returns the state of the last layer, (1, B, h). */
static heed_tensor *top_layer(heed_tensor *state)
{
    return heed_slice(state, 0, -1, HEED_END, 1);
}

/* Reads one embedded token (1, B, e) and returns the new state. Sets *weights to the step's attention weights (B, 1,
 * K), unless weights is NULL. Returns NULL after heed_fail. */
static heed_tensor *run_bahdanau_step(decoder *net, const source *from, heed_tensor *embedded, heed_tensor *state,
                                      heed_tensor **weights)
{
    enum { STATE, WEIGHTS, RESULTS };
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *out[RESULTS] = {[STATE] = state}, *query = heed_transpose(top_layer(state), 0, 1);
    heed_tensor *context = query ? heed_nn_additive_attention_forward(net->attention, query, from->memory, from->memory,
                                                                      from->valid_lens, weights ? &out[WEIGHTS] : NULL)
                                 : NULL;
    heed_tensor *inputs[2] = {heed_transpose(context, 0, 1), embedded};
    heed_tensor *x = inputs[0] ? heed_concat(inputs, 2, -1) : NULL;
    if (!x || !heed_nn_gru_forward(net->rnn, x, NULL, &out[STATE]))
        out[STATE] = NULL;
    (void)heed__scope_return_all(scope, out, weights ? RESULTS : WEIGHTS);
    if (weights)
        *weights = out[WEIGHTS];
    return out[STATE];
}

/* Runs T steps. steps[t] contains the embedded token of step t, and is replaced by the last layer's state after this
 * step. weights[t] becomes the attention weights of step t, unless `weights` is NULL. Returns the state after the last
 * step, or NULL after heed_fail. */
static heed_tensor *run_bahdanau_steps(decoder *net, const source *from, heed_tensor **steps, int64_t T,
                                       heed_tensor *state, heed_tensor **weights)
{
    for (int64_t t = 0; state && t < T; t++) {
        state = run_bahdanau_step(net, from, steps[t], state, weights ? &weights[t] : NULL);
        steps[t] = state ? top_layer(state) : NULL;
        if (!steps[t])
            return NULL;
    }
    return state;
}

enum { LOGITS, STATE, WEIGHTS, RESULTS };

/* Runs T steps and stores logits, state and weights in `out`. `steps` contains the embedded tokens. `weights` is a list
 * with capacity for T tensors, or NULL if the weights are not requested. */
static void compute_bahdanau_outputs(decoder *net, const source *from, heed_tensor **steps, int64_t T,
                                     heed_tensor **weights, heed_tensor *out[RESULTS])
{
    heed_dtype dtype = heed_dtype_of(from->memory);
    int64_t B = heed_dim(from->memory, 0), K = heed_dim(from->memory, 1), h = heed_dim(from->memory, 2);
    out[STATE] = run_bahdanau_steps(net, from, steps, T, out[STATE], weights);
    if (!out[STATE])
        return;
    heed_tensor *top_states = T > 0 ? heed_concat(steps, (int)T, 0) : heed_zeros(dtype, HEED_SHAPE(0, B, h));
    out[LOGITS] = heed_nn_linear_forward(net->dense, heed_transpose(top_states, 0, 1));
    if (weights)
        out[WEIGHTS] = T > 0 ? heed_concat(weights, (int)T, 1) : heed_zeros(dtype, HEED_SHAPE(B, 0, K));
}

static bool check_bahdanau_inputs(const decoder *net, const heed_tensor *tokens, const heed_tensor *memory,
                                  const heed_tensor *valid_lens, heed_tensor *const *state)
{
    if (!heed__layer_check_given(where_forward, net, "tokens", tokens) ||
        !heed__layer_check_given(where_forward, net, "the state", state ? *state : NULL) ||
        !state) /* repeated for gcc -fanalyzer */
        return false;
    heed_dtype dtype = heed_dtype_of(net->dense->weight);
    int64_t h = net->rnn->stack.hidden_size;
    if (!heed__layer_check_tensor(where_forward, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1)))
        return false;
    int64_t B = heed_dim(tokens, 0);
    return heed__layer_check_tensor(where_forward, "memory", memory, dtype, HEED_SHAPE(B, -1, h)) &&
           heed__layer_check_tensor(where_forward, "the state", *state, dtype,
                                    HEED_SHAPE(net->rnn->stack.num_layers, B, h)) &&
           (!valid_lens || heed__layer_check_tensor(where_forward, "valid_lens", valid_lens, HEED_I64, HEED_SHAPE(B)));
}

/* Embeds the tokens and runs the steps. */
static void decode_tokens(decoder *net, const source *from, heed_tensor *tokens, bool with_weights,
                          heed_tensor *out[RESULTS])
{
    int64_t T = heed_dim(tokens, 1);
    heed_tensor *embedded = heed_nn_embedding_forward(net->embedding, tokens);
    heed_tensor **steps = heed__steps_split(where_forward, heed_transpose(embedded, 0, 1));
    size_t bytes = (size_t)T * sizeof(heed_tensor *);
    heed_tensor **weights = steps && with_weights ? heed_alloc(bytes) : NULL;
    if (steps && (weights || !with_weights))
        compute_bahdanau_outputs(net, from, steps, T, weights, out);
    heed_free(weights, bytes);
    if (steps)
        heed__steps_free(steps, T);
}

heed_tensor *heed_nn_bahdanau_decoder_forward(decoder *net, heed_tensor *tokens, heed_tensor *memory,
                                              heed_tensor *valid_lens, heed_tensor **state, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (weights)
        *weights = NULL;
    if (!check_bahdanau_inputs(net, tokens, memory, valid_lens, state))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *out[RESULTS] = {[STATE] = *state};
    source from = {heed_contiguous(memory), valid_lens}; /* made contiguous once, not at every step */
    if (from.memory)
        decode_tokens(net, &from, tokens, weights != NULL, out);
    if (!heed__scope_return_all(scope, out, weights ? RESULTS : WEIGHTS))
        return NULL;
    *state = out[STATE];
    if (weights)
        *weights = out[WEIGHTS];
    return out[LOGITS];
}
