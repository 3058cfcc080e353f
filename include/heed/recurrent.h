/* heed/recurrent.h - recurrent layers, and the sequence-to-sequence model with attention built on them. The rules for
 * all layers in heed/nn.h apply here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_RECURRENT_H
#define HEED_RECURRENT_H

#include <heed/nn.h>

HEED_BEGIN_DECLS

/* -- Recurrent layers -------------------------------------------------------------------------------------------------
 * heed_nn_rnn, heed_nn_gru and heed_nn_lstm are stacks of num_layers layers. Layer l has the parameters
 * "weight_ih_l<l>" (gates h, in), "weight_hh_l<l>" (gates h, h), "bias_ih_l<l>" and "bias_hh_l<l>" (gates h). Here
 * gates is the number of gates, h is hidden_size, and in is input_size in the first layer and h in the others. The rows
 * of the gates follow one another. All are initialised from U(-1/sqrt(h), 1/sqrt(h)). With `bidirectional` every layer
 * has a second set, "weight_ih_l<l>_reverse" and so on, which reads from the last step to the first. The output of a
 * layer is then (T, B, 2 h): the output of the forward direction followed by the output of the reverse direction. From
 * the second layer on, in is 2 h.
 *
 * A forward maps x (T, B, input_size) to the last layer's outputs (T, B, h); with batch_first both are (B, T, .). The
 * state (num_layers, B, h) is passed by its address, `state`. With bidirectional it is (2 num_layers, B, h): index 2 l
 * is the forward direction of layer l, index 2 l + 1 its reverse. Before the call, *state is the state before the first
 * step, or NULL for zeros. Afterwards it is the state after the last step; a forward that fails does not change it.
 * With a NULL `state` the layer starts with zeros and discards the last state.
 *
 * valid_lens, i64 (B) in any order, are the lengths of the sequences; NULL means T. The lengths replace PyTorch's
 * packed sequences. Outputs past a sequence's length are 0, its last state is the state after its last valid step, and
 * the reverse direction begins with that step. Elements of x past the length, even NaN, do not affect results or
 * gradients.
 *
 * For truncated backpropagation through time, pass a sequence in chunks, and detach the state before the next chunk:
 * state = heed_detach(state). The RNN with tanh or ReLU, the GRU and the LSTM run all steps in one op, heed_recurrence.
 */

/* The parameters of one layer. */
typedef struct heed_nn_stack_layer {
    heed_tensor *weight_ih, *weight_hh; /* (gates h, in), (gates h, h) */
    heed_tensor *bias_ih, *bias_hh;     /* (gates h); NULL with no_bias */
} heed_nn_stack_layer;

/* Sizes, options and parameters of a recurrent layer. */
typedef struct heed_nn_stack {
    int64_t input_size, hidden_size, num_layers; /* sizes of input and state; number of layers */
    double dropout;                              /* on the output of every layer except the last, in training */
    bool no_bias, batch_first;                   /* as in the options */
    bool bidirectional;                          /* as in the options */
    heed_nn_stack_layer *layers; /* num_layers; with bidirectional 2 num_layers: forward, reverse of layer 0, ... */
} heed_nn_stack;

/* Options of heed_nn_rnn_new. */
typedef struct heed_nn_rnn_options {
    heed_activation activation; /* NULL: heed_tanh */
    int64_t num_layers;         /* 0: 1; at most 2^20 */
    double dropout;             /* on the output of every layer except the last, in training; 0: none */
    bool no_bias;               /* no bias_ih and bias_hh parameters */
    bool batch_first;           /* x and output are (B, T, .) instead of (T, B, .); the state keeps its shape */
    bool bidirectional;         /* adds a reverse direction to every layer */
    heed_dtype dtype;           /* of the parameters, x and state; 0: f32 */
    HEED_RESERVED;
} heed_nn_rnn_options;

/* A plain recurrent layer, h = activation(W_i x + b_i + W_h h + b_h). */
typedef struct heed_nn_rnn {
    heed_module base;           /* the module */
    heed_nn_stack stack;        /* sizes and parameters; there is one gate */
    heed_activation activation; /* of each step */
} heed_nn_rnn;

/* Creates a plain recurrent layer.
 * Its parameters are "weight_ih_l0" (h, input_size), "weight_hh_l0" (h, h), "bias_ih_l0" and "bias_hh_l0" (h), and so
 * on for every layer. NULL options: one layer, tanh, f32.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
 * 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * Reference: J. Elman: Finding Structure in Time (Cognitive Science 1990).
 * torch: torch.nn.RNN */
HEED_API HEED_NODISCARD heed_nn_rnn *heed_nn_rnn_new(int64_t input_size, int64_t hidden_size,
                                                     const heed_nn_rnn_options *options);

/* Runs the layer over sequences, with h = activation(W_i x + b_i + W_h h + b_h) at every step.
 * x (T, B, input_size) -> (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h). valid_lens i64 (B)
 * are the lengths of the sequences; NULL means T. *state, (num_layers, B, h), or with bidirectional (2 num_layers, B,
 * h), is the state before the first step, or NULL for zeros, and becomes the state after the last step. With a NULL
 * `state` the layer starts with zeros and discards the last state.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0
 * .. T, HEED_ERR_NOMEM; for an activation other than heed_tanh and heed_relu, HEED_ERR_UNSUPPORTED for more than 2^20
 * steps, and HEED_ERR_STATE if the activation returns NULL without an error. After a failure *state is unchanged.
 * torch: torch.nn.RNN.forward */
HEED_API heed_tensor *heed_nn_rnn_forward(heed_nn_rnn *net, heed_tensor *x, heed_tensor *valid_lens,
                                          heed_tensor **state);

/* Options of heed_nn_gru_new. */
typedef struct heed_nn_gru_options {
    int64_t num_layers; /* 0: 1; at most 2^20 */
    double dropout;     /* on the output of every layer except the last, in training; 0: none */
    bool no_bias;       /* omits all biases */
    bool batch_first;   /* x and output are (B, T, .) instead of (T, B, .); the state keeps its shape */
    bool bidirectional; /* adds a reverse direction to every layer */
    heed_dtype dtype;   /* of the parameters, x and state; 0: f32 */
    HEED_RESERVED;
} heed_nn_gru_options;

/* Gated recurrent units. */
typedef struct heed_nn_gru {
    heed_module base;    /* the module */
    heed_nn_stack stack; /* sizes and parameters; three gates, in the order r, z, n */
} heed_nn_gru;

/* Creates a layer of gated recurrent units, with three gates in the order r, z, n.
 * Its parameters are "weight_ih_l0" (3 h, input_size), "weight_hh_l0" (3 h, h), "bias_ih_l0" and "bias_hh_l0" (3 h),
 * and so on for every layer. NULL options: one layer, f32.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
 * 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * Reference: K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder (EMNLP 2014).
 * torch: torch.nn.GRU */
HEED_API HEED_NODISCARD heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size,
                                                     const heed_nn_gru_options *options);

/* Runs the layer over sequences. Every step computes
 *     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h
 * x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
 * valid_lens i64 (B) are the lengths of the sequences; NULL means T. *state, (num_layers, B, h), or with bidirectional
 * (2 num_layers, B, h), is the state before the first step, or NULL for zeros, and becomes the state after the last
 * step. With a NULL `state` the layer starts with zeros and discards the last state.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
 * 0 .. T, HEED_ERR_NOMEM. After a failure *state is unchanged.
 * torch: torch.nn.GRU.forward */
HEED_API heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor *valid_lens,
                                          heed_tensor **state);

/* Options of heed_nn_lstm_new. */
typedef struct heed_nn_lstm_options {
    int64_t num_layers; /* 0: 1; at most 2^20 */
    double dropout;     /* on the output of every layer except the last, in training; 0: none */
    bool no_bias;       /* omits all biases */
    bool batch_first;   /* x and output are (B, T, .) instead of (T, B, .); the states keep their shapes */
    bool bidirectional; /* adds a reverse direction to every layer */
    heed_dtype dtype;   /* of the parameters, x and states; 0: f32 */
    HEED_RESERVED;
} heed_nn_lstm_options;

/* Long short-term memory. */
typedef struct heed_nn_lstm {
    heed_module base;    /* the module */
    heed_nn_stack stack; /* sizes and parameters; four gates, in the order i, f, g, o */
} heed_nn_lstm;

/* Creates a long short-term memory layer, with four gates in the order i, f, g, o.
 * Its parameters are "weight_ih_l0" (4 h, input_size), "weight_hh_l0" (4 h, h), "bias_ih_l0" and "bias_hh_l0" (4 h),
 * and so on for every layer. NULL options: one layer, f32.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for a size below 1, num_layers above 2^20 or below 0, or a dropout outside [0,
 * 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * Reference: S. Hochreiter, J. Schmidhuber: Long Short-Term Memory (Neural Computation 1997); with the forget gate f of
 * F. Gers, J. Schmidhuber, F. Cummins: Learning to Forget (Neural Computation 2000).
 * torch: torch.nn.LSTM */
HEED_API HEED_NODISCARD heed_nn_lstm *heed_nn_lstm_new(int64_t input_size, int64_t hidden_size,
                                                       const heed_nn_lstm_options *options);

/* Runs the layer over sequences. Every step computes
 *     i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
 *     f = sigmoid(W_if x + b_if + W_hf h + b_hf)
 *     g = tanh(W_ig x + b_ig + W_hg h + b_hg)
 *     o = sigmoid(W_io x + b_io + W_ho h + b_ho)
 *     c = f c + i g,   h = o tanh(c)
 * x (T, B, input_size) -> h of each step (T, B, h), or (B, T, .) with batch_first; with bidirectional (T, B, 2 h).
 * valid_lens i64 (B) are the lengths of the sequences; NULL means T. *h and *c, (num_layers, B, h), or with
 * bidirectional (2 num_layers, B, h), are the states before the first step, or NULL for zeros, and become the states
 * after the last step. With a NULL `h` or `c`, that state starts with zeros and is discarded at the end.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
 * 0 .. T, HEED_ERR_NOMEM. After a failure *h and *c are unchanged.
 * torch: torch.nn.LSTM.forward */
HEED_API heed_tensor *heed_nn_lstm_forward(heed_nn_lstm *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **h,
                                           heed_tensor **c);

/* -- Sequence to sequence ------------------------------------------------------------------------------------------ */

/* Options of heed_nn_seq2seq_encoder_new and heed_nn_bahdanau_decoder_new. */
typedef struct heed_nn_seq2seq_options {
    int64_t num_layers; /* of the GRU; 0: 1 */
    double dropout;     /* dropout in the GRU and of the attention weights */
    heed_dtype dtype;   /* of the parameters and states; 0: f32 */
    HEED_RESERVED;
} heed_nn_seq2seq_options;

/* An encoder of token sequences: an embedding followed by a GRU. */
typedef struct heed_nn_seq2seq_encoder {
    heed_module base;             /* the module */
    heed_nn_embedding *embedding; /* (vocab_size, embed_size) */
    heed_nn_gru *rnn;             /* batch_first */
} heed_nn_seq2seq_encoder;

/* Creates an encoder that embeds tokens and runs them through a GRU, Seq2SeqEncoder of the book Dive into Deep
 * Learning.
 * Its children are "embedding", with a weight (vocab_size, embed_size), and "rnn", from embed_size to hidden_size.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_seq2seq_encoder *heed_nn_seq2seq_encoder_new(int64_t vocab_size, int64_t embed_size,
                                                                             int64_t hidden_size,
                                                                             const heed_nn_seq2seq_options *options);

/* Encodes tokens i64 (B, T) and returns the last layer's states (B, T, hidden_size).
 * Unless `state` is NULL, *state receives the GRU's state after the last step, (num_layers, B, hidden_size); its old
 * value is ignored.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE unless i64, HEED_ERR_INDEX for a token
 * outside the vocabulary, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_seq2seq_encoder_forward(heed_nn_seq2seq_encoder *net, heed_tensor *tokens,
                                                      heed_tensor **state);

/* A decoder with Bahdanau's additive attention to the encoder's states. */
typedef struct heed_nn_bahdanau_decoder {
    heed_module base;                      /* the module */
    heed_nn_additive_attention *attention; /* query: the last layer's state; keys and values: the encoder's states */
    heed_nn_embedding *embedding;          /* (vocab_size, embed_size) */
    heed_nn_gru *rnn;                      /* its input is the context followed by the embedded token */
    heed_nn_linear *dense;                 /* (vocab_size, hidden_size) */
} heed_nn_bahdanau_decoder;

/* Creates a decoder with additive attention, Seq2SeqAttentionDecoder of the book Dive into Deep Learning.
 * At every step the last layer's state is the query of an additive attention over the encoder's states, and the GRU
 * reads the resulting context followed by the embedded token. The decoder's parameters are "attention. ...",
 * "embedding.weight", "rnn. ...", "dense.weight" and "dense.bias".
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
 * (ICLR 2015). */
HEED_API HEED_NODISCARD heed_nn_bahdanau_decoder *heed_nn_bahdanau_decoder_new(int64_t vocab_size, int64_t embed_size,
                                                                               int64_t hidden_size,
                                                                               const heed_nn_seq2seq_options *options);

/* Computes the logits (B, T, vocab_size) for the token after every one of tokens i64 (B, T).
 * memory (B, K, hidden_size) are the encoder's states, valid_lens i64 (B) their lengths, or NULL. *state (num_layers,
 * B, hidden_size) is the state before the first token (initially the encoder's) and becomes the state after the last,
 * so a sentence may be decoded token by token. It must not be NULL, and is unchanged on failure. Unless `weights` is
 * NULL, *weights receives the attention's weights (B, T, K), before dropout, or NULL on failure.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token or a length
 * out of range, HEED_ERR_UNSUPPORTED for more than 2^20 steps, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_bahdanau_decoder_forward(heed_nn_bahdanau_decoder *net, heed_tensor *tokens,
                                                       heed_tensor *memory, heed_tensor *valid_lens,
                                                       heed_tensor **state, heed_tensor **weights);

HEED_END_DECLS

#endif
