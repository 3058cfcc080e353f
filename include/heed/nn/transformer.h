/* heed/nn/transformer.h - parts of a Transformer. Positional encoding, feed-forward, blocks of encoder and decoder;
 * multi-head attention is in heed/nn/attention.h. What heed/nn.h says of all layers holds here.
 */
#ifndef HEED_NN_TRANSFORMER_H
#define HEED_NN_TRANSFORMER_H

#include <heed/nn/attention.h>

HEED_BEGIN_DECLS

/* -- Positions ------------------------------------------------------------------------------------------------------- */

/* What heed_nn_positional_encoding_new may be told. */
typedef struct heed_nn_positional_encoding_options {
    double dropout;   /* of the sum, while training; 0: none */
    int64_t max_len;  /* 0: 1000 */
    heed_dtype dtype; /* of P and of x; 0: f32 */
    HEED_RESERVED;
} heed_nn_positional_encoding_options;

/* y = dropout(x + P[:T]), P[i, 2j] = sin(i / 10000^(2j/h)), P[i, 2j+1] = cos(i / 10000^(2j/h)). */
typedef struct heed_nn_positional_encoding {
    heed_module base; /* the module */
    double dropout;   /* while training */
    heed_tensor *P;   /* (max_len, h) */
} heed_nn_positional_encoding;

/* Sines and cosines of the position, added to a sequence. A layer without parameters, for up to max_len steps of size
 * h = hidden_size, which may be odd. P is computed in f64,
 * and is not part of the module's state. NULL on failure: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside
 * [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017), 3.5; PositionalEncoding of the book. */
HEED_API HEED_NODISCARD heed_nn_positional_encoding *
heed_nn_positional_encoding_new(int64_t hidden_size, const heed_nn_positional_encoding_options *options);

/* y = dropout(x + P[:T]): x (B, T, h) -> (B, T, h), where
 *     P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
 * NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another shape or T > max_len, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_positional_encoding_forward(heed_nn_positional_encoding *net, heed_tensor *x);

/* -- Feed-forward ---------------------------------------------------------------------------------------------------- */

/* What heed_nn_feed_forward_new may be told. */
typedef struct heed_nn_feed_forward_options {
    heed_activation activation; /* NULL: heed_relu */
    double dropout;             /* of the activation's result, while training; 0: none */
    bool no_bias;               /* in neither map */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    HEED_RESERVED;
} heed_nn_feed_forward_options;

/* y = linear2(dropout(activation(linear1(x)))). */
typedef struct heed_nn_feed_forward {
    heed_module base;                  /* the module */
    heed_nn_linear *linear1, *linear2; /* (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_activation activation;        /* between them */
    double dropout;                    /* while training */
} heed_nn_feed_forward;

/* Two linear maps with an activation between them, the book's PositionWiseFFN. Children "linear1", with a weight
 * (ffn_size, hidden_size), and "linear2", (hidden_size, ffn_size), as heed_nn_linear_new makes them. NULL on
 * failure: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                                                       const heed_nn_feed_forward_options *options);

/* y = linear2(dropout(activation(linear1(x)))): x (..., hidden_size) to the same shape, each position alike. NULL
 * on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another last axis, HEED_ERR_DTYPE, HEED_ERR_STATE if
 * the activation returns NULL and does not say why, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x);

/* -- Blocks ----------------------------------------------------------------------------------------------------------- */

/* What heed_nn_transformer_encoder_block_new may be told. */
typedef struct heed_nn_transformer_encoder_block_options {
    double dropout;             /* of weights, of the activation's result and of what is added to x; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu */
    bool pre_norm;              /* norms before attention and feed-forward, not behind them */
    bool causal;                /* step i sees steps 0 .. i: the block of a decoder-only Transformer */
    bool no_bias;               /* in no map and no norm */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    HEED_RESERVED;
} heed_nn_transformer_encoder_block_options;

/* Self-attention and feed-forward, each with a residual connection, dropout and layer norm. */
typedef struct heed_nn_transformer_encoder_block {
    heed_module base;                        /* the module */
    heed_nn_multi_head_attention *self_attn; /* num_heads of hidden_size */
    heed_nn_linear *linear1, *linear2;       /* the feed-forward's: (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2;       /* of attention, of feed-forward */
    heed_activation activation;              /* between linear1 and linear2 */
    double dropout;                          /* while training */
    bool pre_norm;                           /* as in the options */
} heed_nn_transformer_encoder_block;

/* A Transformer's encoder block, with the parameters of torch.nn.TransformerEncoderLayer. These are "self_attn. ...",
 * "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ...". Its dropout is 0.1 unless told otherwise; here it is
 * what you write. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size, for a
 * dropout outside [0, 1] and a bad eps; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoderLayer */
HEED_API HEED_NODISCARD heed_nn_transformer_encoder_block *
heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_encoder_block_options *options);

/* Self-attention and feed-forward over sequences. x (B, T, hidden_size) to the same shape:
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + feed_forward(norm2(x))
 * with dropout of what is added to x. valid_lens i64 (B) or (B, T), or NULL; *weights receives (B, num_heads, T, T),
 * NULL: not wanted; heed_module_forward passes NULL for both. NULL on failure: HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T, what the activation fails with,
 * HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_block_forward(heed_nn_transformer_encoder_block *net, heed_tensor *x,
                                                                heed_tensor *valid_lens, heed_tensor **weights);

/* What heed_nn_transformer_decoder_block_new may be told. */
typedef struct heed_nn_transformer_decoder_block_options {
    double dropout;             /* of weights, of the activation's result and of what is added to x; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu */
    bool pre_norm;              /* norms before attention and feed-forward, not behind them */
    bool not_causal;            /* step i of x sees all steps, and not 0 .. i only */
    bool no_bias;               /* in no map and no norm */
    heed_dtype dtype;           /* of the parameters, of x and of the memory; 0: f32 */
    HEED_RESERVED;
} heed_nn_transformer_decoder_block_options;

/* Self-attention, attention to an encoder's results and feed-forward, each with a residual connection, dropout and layer
 * norm. */
typedef struct heed_nn_transformer_decoder_block {
    heed_module base;                                         /* the module */
    heed_nn_multi_head_attention *self_attn, *multihead_attn; /* num_heads of hidden_size: to x, to the memory */
    heed_nn_linear *linear1, *linear2; /* the feed-forward's: (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2, *norm3; /* of self-attention, of attention to the memory, of feed-forward */
    heed_activation activation;                /* between linear1 and linear2 */
    double dropout;                            /* while training */
    bool pre_norm;                             /* as in the options */
} heed_nn_transformer_decoder_block;

/* A Transformer's decoder block, with the parameters of torch.nn.TransformerDecoderLayer: "self_attn. ...",
 * "multihead_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ...", "norm3. ...". Its self-attention is
 * causal, and its dropout 0, unless told otherwise. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless
 * num_heads divides hidden_size, for a dropout outside [0, 1] and a bad eps; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. The book: TransformerDecoderBlock.
 * torch: torch.nn.TransformerDecoderLayer */
HEED_API HEED_NODISCARD heed_nn_transformer_decoder_block *
heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_decoder_block_options *options);

/* Sequences that look at themselves and at the results of an encoder. x (B, T, hidden_size) to the same shape, memory
 * (B, S, hidden_size):
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + attention(x, memory)),   x = norm3(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + attention(norm2(x), memory),   x = x + feed_forward(norm3(x))
 * with dropout of what is added to x. valid_lens and memory_lens, i64 (B) or (B, T) or NULL, say how much of x and of the
 * memory is seen. *self_weights receives (B, num_heads, T, T), *weights (B, num_heads, T, S), NULL: not wanted. NULL on
 * failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T, or
 * 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerDecoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_forward(heed_nn_transformer_decoder_block *net, heed_tensor *x,
                                                                heed_tensor *memory, heed_tensor *valid_lens,
                                                                heed_tensor *memory_lens, heed_tensor **self_weights,
                                                                heed_tensor **weights);

HEED_END_DECLS

#endif
