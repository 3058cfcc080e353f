/* heed/recurrent.h - recurrent layers, and the sequence-to-sequence model with attention built on them. What heed/nn.h
 * says of all layers holds here too.
 */
#ifndef HEED_RECURRENT_H
#define HEED_RECURRENT_H

#include <heed/nn.h>

HEED_BEGIN_DECLS

/* What each of heed_nn_gru, ... has: num_layers of its kind above each other. Layer l has "weight_ih_l<l>" (gates h, in),
 * "weight_hh_l<l>" (gates h, h), "bias_ih_l<l>" and "bias_hh_l<l>" (gates h), the parts for its gates one above the other,
 * all U(-1/sqrt(h), 1/sqrt(h)). in is input_size, above the first layer h = hidden_size.
 *
 * A forward takes x (T, B, input_size) and gives the last layer's outputs (T, B, hidden_size); with batch_first these two
 * are (B, T, .). A state is given by its address and is (num_layers, B, hidden_size): *state is the one before the
 * first step, where NULL is zeros, and becomes the one after the last, unless the forward fails, which leaves it as it
 * was. A NULL address: begin with zeros, and the last is not wanted. HEED_ERR_UNSUPPORTED for more than 2^20 steps. */
typedef struct heed_nn_stack_layer {
    heed_tensor *weight_ih, *weight_hh;
    heed_tensor *bias_ih, *bias_hh; /* NULL with no_bias */
} heed_nn_stack_layer;

typedef struct heed_nn_stack {
    int64_t input_size, hidden_size, num_layers;
    double dropout;
    bool no_bias, batch_first;
    heed_nn_stack_layer *layers; /* num_layers */
} heed_nn_stack;

/* The plain recurrent layer, torch.nn.RNN:
 *     h = activation(W_i x + b_i + W_h h + b_h)
 * One gate. HEED_ERR_STATE when the activation returns NULL and does not say why.
 * J. Elman: Finding Structure in Time (Cognitive Science 1990). */
typedef struct heed_nn_rnn_options {
    heed_activation activation; /* NULL: heed_tanh */
    int64_t num_layers;         /* 0: 1 */
    double dropout;             /* on the output of each layer but the last, while training */
    bool no_bias;
    bool batch_first;
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_rnn_options;

typedef struct heed_nn_rnn {
    heed_module base;
    heed_nn_stack stack;
    heed_activation activation;
} heed_nn_rnn;

HEED_API heed_nn_rnn *heed_nn_rnn_new(int64_t input_size, int64_t hidden_size, const heed_nn_rnn_options *options);
HEED_API heed_tensor *heed_nn_rnn_forward(heed_nn_rnn *net, heed_tensor *x, heed_tensor **state);

/* Gated recurrent units, torch.nn.GRU:
 *     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h
 * Three gates, in the order r, z, n.
 * K. Cho et al.: Learning Phrase Representations using RNN Encoder-Decoder (EMNLP 2014). */
typedef struct heed_nn_gru_options {
    int64_t num_layers; /* 0: 1 */
    double dropout;     /* on the output of each layer but the last, while training */
    bool no_bias;
    bool batch_first; /* x and output are (B, T, .) instead of (T, B, .); the state is not concerned */
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_gru_options;

typedef struct heed_nn_gru {
    heed_module base;
    heed_nn_stack stack;
} heed_nn_gru;

HEED_API heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *options);
HEED_API heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor **state);

/* Long short-term memory, torch.nn.LSTM:
 *     i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
 *     f = sigmoid(W_if x + b_if + W_hf h + b_hf)
 *     g = tanh(W_ig x + b_ig + W_hg h + b_hg)
 *     o = sigmoid(W_io x + b_io + W_ho h + b_ho)
 *     c = f c + i g,   h = o tanh(c)
 * Four gates, in the order i, f, g, o; two states, h and c, and the output is h.
 * S. Hochreiter, J. Schmidhuber: Long Short-Term Memory (Neural Computation 1997); with the forget gate f of F. Gers,
 * J. Schmidhuber, F. Cummins: Learning to Forget (Neural Computation 2000). */
typedef struct heed_nn_lstm_options {
    int64_t num_layers; /* 0: 1 */
    double dropout;     /* on the output of each layer but the last, while training */
    bool no_bias;
    bool batch_first;
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_lstm_options;

typedef struct heed_nn_lstm {
    heed_module base;
    heed_nn_stack stack;
} heed_nn_lstm;

HEED_API heed_nn_lstm *heed_nn_lstm_new(int64_t input_size, int64_t hidden_size, const heed_nn_lstm_options *options);
HEED_API heed_tensor *heed_nn_lstm_forward(heed_nn_lstm *net, heed_tensor *x, heed_tensor **h, heed_tensor **c);

/* The book's Seq2SeqEncoder: embeds tokens and runs them through a GRU. "embedding.weight", "rnn. ...". */
typedef struct heed_nn_seq2seq_options {
    int64_t num_layers; /* 0: 1 */
    double dropout;     /* in the GRU and on the attention's weights */
    heed_dtype dtype;
    HEED_RESERVED;
} heed_nn_seq2seq_options;

typedef struct heed_nn_seq2seq_encoder {
    heed_module base;
    heed_nn_embedding *embedding;
    heed_nn_gru *rnn; /* batch_first */
} heed_nn_seq2seq_encoder;

HEED_API heed_nn_seq2seq_encoder *heed_nn_seq2seq_encoder_new(int64_t vocab_size, int64_t embed_size,
                                                              int64_t hidden_size,
                                                              const heed_nn_seq2seq_options *options);

/* tokens i64 (B, T) -> the last layer's states (B, T, hidden_size). *state, when `state` is not NULL, becomes the GRU's
 * state after the last step, (num_layers, B, hidden_size). */
HEED_API heed_tensor *heed_nn_seq2seq_encoder_forward(heed_nn_seq2seq_encoder *net, heed_tensor *tokens,
                                                      heed_tensor **state);

/* The book's Seq2SeqAttentionDecoder, after Bahdanau, Cho and Bengio (2015): at each step the last layer's state is the
 * query of an additive attention over the encoder's states, and the GRU reads the context so found beside the embedded
 * token. "attention. ...", "embedding.weight", "rnn. ..." with inputs (context, embedding), "dense.weight",
 * "dense.bias". */
typedef struct heed_nn_bahdanau_decoder {
    heed_module base;
    heed_nn_additive_attention *attention;
    heed_nn_embedding *embedding;
    heed_nn_gru *rnn;
    heed_nn_linear *dense;
} heed_nn_bahdanau_decoder;

HEED_API heed_nn_bahdanau_decoder *heed_nn_bahdanau_decoder_new(int64_t vocab_size, int64_t embed_size,
                                                                int64_t hidden_size,
                                                                const heed_nn_seq2seq_options *options);

/* tokens i64 (B, T), the encoder's states memory (B, K, hidden_size) and lengths valid_lens i64 (B) or NULL -> logits
 * (B, T, vocab_size). *state (num_layers, B, hidden_size) is the state before the first token (the encoder's, at first)
 * and becomes the one after the last, so a sentence may be decoded token by token. It must not be NULL, and is left as
 * it was on failure. *weights receives the attention's weights (B, T, K), before dropout, and NULL on failure; NULL: they
 * are not wanted. */
HEED_API heed_tensor *heed_nn_bahdanau_decoder_forward(heed_nn_bahdanau_decoder *net, heed_tensor *tokens,
                                                       heed_tensor *memory, heed_tensor *valid_lens,
                                                       heed_tensor **state, heed_tensor **weights);

HEED_END_DECLS

#endif
