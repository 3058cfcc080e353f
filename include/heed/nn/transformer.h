/* heed/nn/transformer.h - the Transformer and its parts: positional encoding, feed-forward, blocks, encoder, decoder.
 * Multi-head attention is in heed/nn/attention.h. What heed/nn.h says of all layers holds here.
 */
#ifndef HEED_NN_TRANSFORMER_H
#define HEED_NN_TRANSFORMER_H

#include <heed/nn/attention.h>

HEED_BEGIN_DECLS

/* -- Positions ----------------------------------------------------------------------------------------------------- */

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
 * h = hidden_size, which may be odd. P is computed in f64, and is not part of the module's state. NULL on failure:
 * HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017), 3.5; PositionalEncoding of the book. */
HEED_API HEED_NODISCARD heed_nn_positional_encoding *
heed_nn_positional_encoding_new(int64_t hidden_size, const heed_nn_positional_encoding_options *options);

/* y = dropout(x + P[:T]): x (B, T, h) -> (B, T, h), where
 *     P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
 * NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another shape or T > max_len, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_positional_encoding_forward(heed_nn_positional_encoding *net, heed_tensor *x);

/* The same for a part of a sequence that begins at its step `first`: y = dropout(x + P[first:first+T]). In prediction
 * with a cache, first is heed_kv_cache_length. NULL on failure: also HEED_ERR_ARGUMENT for a first below 0. */
HEED_API heed_tensor *heed_nn_positional_encoding_at(heed_nn_positional_encoding *net, heed_tensor *x, int64_t first);

/* -- Feed-forward -------------------------------------------------------------------------------------------------- */

/* What heed_nn_feed_forward_new may be told. */
typedef struct heed_nn_feed_forward_options {
    heed_activation activation; /* NULL: heed_relu, or heed_silu where it is gated */
    double dropout;             /* of what linear2 takes, while training; 0: none */
    bool no_bias;               /* in no map */
    bool gated;                 /* a third map, activated, multiplies the result of linear1: SwiGLU and its like */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    HEED_RESERVED;
} heed_nn_feed_forward_options;

/* y = linear2(dropout(activation(linear1(x)))), or linear2(dropout(activation(gate(x)) linear1(x))). */
typedef struct heed_nn_feed_forward {
    heed_module base;                  /* the module */
    heed_nn_linear *gate;              /* (ffn_size, hidden_size); NULL unless it is gated */
    heed_nn_linear *linear1, *linear2; /* (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_activation activation;        /* of gate's result, or of linear1's */
    double dropout;                    /* while training */
} heed_nn_feed_forward;

/* Two linear maps with an activation between them, the book's PositionWiseFFN. Children "linear1", with a weight
 * (ffn_size, hidden_size), and "linear2", (hidden_size, ffn_size), as heed_nn_linear_new makes them; where it is gated
 * "gate", of linear1's shape, comes before these, and Llama calls the three gate_proj, up_proj and down_proj. With
 * heed_silu, which is then the default, this is SwiGLU, with heed_gelu GEGLU, with heed_relu ReGLU, with heed_sigmoid
 * GLU; two thirds of the ffn_size then make as many parameters as without a gate. NULL on failure: HEED_ERR_ARGUMENT
 * for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * N. Shazeer: GLU Variants Improve Transformer (2020). */
HEED_API HEED_NODISCARD heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                                                       const heed_nn_feed_forward_options *options);

/* x (..., hidden_size) to the same shape, each position alike:
 *     y = linear2(dropout(activation(linear1(x))))
 *     y = linear2(dropout(activation(gate(x)) linear1(x)))   where it is gated
 * NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE for another last axis, HEED_ERR_DTYPE, HEED_ERR_STATE if
 * the activation returns NULL and does not say why, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x);

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

/* What heed_nn_transformer_encoder_block_new may be told. */
typedef struct heed_nn_transformer_encoder_block_options {
    double dropout;             /* of weights, of what linear2 takes and of what is added to x; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu, or heed_silu where it is gated */
    bool pre_norm;              /* norms before attention and feed-forward, not behind them */
    bool causal;                /* step i sees steps 0 .. i: the block of a decoder-only Transformer */
    bool no_bias;               /* in no map and no norm */
    bool gated;                 /* the feed-forward is gated, as heed_nn_feed_forward_new says */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    const heed_nn_multi_head_attention_options *attention; /* what self-attention is told besides; NULL: nothing */
    HEED_RESERVED;
} heed_nn_transformer_encoder_block_options;

/* Self-attention and feed-forward, each with a residual connection, dropout and layer norm. */
typedef struct heed_nn_transformer_encoder_block {
    heed_module base;                        /* the module */
    heed_nn_multi_head_attention *self_attn; /* num_heads of hidden_size */
    heed_nn_linear *gate;                    /* the feed-forward's, as linear1 and linear2; NULL unless it is gated */
    heed_nn_linear *linear1, *linear2;       /* (ffn_size, hidden_size), as gate, and (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2;       /* of attention, of feed-forward */
    heed_activation activation;              /* of gate's result, or of linear1's */
    double dropout;                          /* while training */
    bool pre_norm;                           /* as in the options */
} heed_nn_transformer_encoder_block;

/* A Transformer's encoder block, with the parameters of torch.nn.TransformerEncoderLayer. These are "self_attn. ...",
 * "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ..."; where it is gated, which PyTorch's is not, "gate. ..."
 * before "linear1. ...". Where PyTorch's dropout is 0.1 unless told otherwise, it is 0 here. Of `attention`, which is
 * not kept, self-attention has what heed_nn_multi_head_attention_new says: RoPE, ALiBi, relative_positions, a window,
 * kv_heads, head_dim, qk_norm, no_out_bias. Dropout, causal, no_bias, dtype and sizes the block says itself: there they
 * must be 0. NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is
 * given, for a dropout outside [0, 1], a bad eps, and for `attention` as here and there; HEED_ERR_SHAPE,
 * HEED_ERR_DTYPE, HEED_ERR_NOMEM.
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

/* The same where a step sees another only if mask and bias let it, too: mask, bool, is true where it sees it
 * (PyTorch's src_mask is true where not); bias, of the block's dtype, is added to the scores and differentiable, -inf
 * where it does not see it. Both broadcast to (B, num_heads, T, T), or are NULL; one for each sequence is (B, 1, T, T),
 * as heed_nn_multi_head_attention_masked has it. NULL on failure: as there.
 * torch: torch.nn.TransformerEncoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_block_masked(heed_nn_transformer_encoder_block *net, heed_tensor *x,
                                                               heed_tensor *valid_lens, heed_tensor *mask,
                                                               heed_tensor *bias, heed_tensor **weights);

/* The block for prediction: x (B, T, hidden_size) are the steps that follow those in the cache, which then has them
 * too. Causal blocks give what the forward of the whole sequence gives; in others a step has still not seen those
 * of later calls. *weights receives (B, num_heads, T, all steps), NULL: not wanted. No graph is recorded. NULL on
 * failure, which leaves the cache as it was: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also for another B than the
 * cache has, HEED_ERR_DTYPE, what the activation fails with, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_transformer_encoder_block_cached(heed_nn_transformer_encoder_block *net, heed_tensor *x,
                                                               heed_kv_cache *cache, heed_tensor **weights);

/* What heed_nn_transformer_decoder_block_new may be told. */
typedef struct heed_nn_transformer_decoder_block_options {
    double dropout;             /* of weights, of what linear2 takes and of what is added to x; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu, or heed_silu where it is gated */
    bool pre_norm;              /* norms before attention and feed-forward, not behind them */
    bool not_causal;            /* step i of x sees all steps, and not 0 .. i only */
    bool no_bias;               /* in no map and no norm */
    bool gated;                 /* the feed-forward is gated, as heed_nn_feed_forward_new says */
    heed_dtype dtype;           /* of the parameters, of x and of the memory; 0: f32 */
    const heed_nn_multi_head_attention_options *attention; /* what self-attention is told besides; NULL: nothing */
    HEED_RESERVED;
} heed_nn_transformer_decoder_block_options;

/* Self-attention, attention to an encoder's results and feed-forward, each with a residual connection, dropout and
 * layer norm. */
typedef struct heed_nn_transformer_decoder_block {
    heed_module base;                                         /* the module */
    heed_nn_multi_head_attention *self_attn, *multihead_attn; /* num_heads of hidden_size: to x, to the memory */
    heed_nn_linear *gate;                      /* the feed-forward's, as linear1 and linear2; NULL unless it is gated */
    heed_nn_linear *linear1, *linear2;         /* (ffn_size, hidden_size), as gate, and (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2, *norm3; /* of self-attention, of attention to the memory, of feed-forward */
    heed_activation activation;                /* of gate's result, or of linear1's */
    double dropout;                            /* while training */
    bool pre_norm;                             /* as in the options */
} heed_nn_transformer_decoder_block;

/* A Transformer's decoder block, with the parameters of torch.nn.TransformerDecoderLayer: "self_attn. ...",
 * "multihead_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ...", "norm3. ..."; where it is gated,
 * which PyTorch's is not, "gate. ..." before "linear1. ...". Unless told otherwise its self-attention is causal, and
 * its dropout 0. `attention` is as in heed_nn_transformer_encoder_block_new. Attention to the memory has the same heads
 * (head_dim, kv_heads, qk_norm, qk_norm_eps, no_out_bias), but goes by no positions, for there is no distance between a
 * step of x and a place in the memory. NULL on failure: as an encoder block. The book: TransformerDecoderBlock.
 * torch: torch.nn.TransformerDecoderLayer */
HEED_API HEED_NODISCARD heed_nn_transformer_decoder_block *
heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_decoder_block_options *options);

/* Sequences that look at themselves and at the results of an encoder. x (B, T, hidden_size) to the same shape, memory
 * (B, S, hidden_size):
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + attention(x, memory)),   x = norm3(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + attention(norm2(x), memory),   x = x + feed_forward(norm3(x))
 * with dropout of what is added to x. valid_lens and memory_lens, i64 (B) or (B, T) or NULL, say how much of x and of
 * the memory is seen. *self_weights receives (B, num_heads, T, T), *weights (B, num_heads, T, S), NULL: not wanted.
 * NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside
 * 0 .. T, or 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerDecoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_forward(heed_nn_transformer_decoder_block *net, heed_tensor *x,
                                                                heed_tensor *memory, heed_tensor *valid_lens,
                                                                heed_tensor *memory_lens, heed_tensor **self_weights,
                                                                heed_tensor **weights);

/* What heed_nn_transformer_decoder_block_masked and heed_nn_transformer_decoder_masked are told. Masks are bool, true
 * where a step sees another or a place of the memory (PyTorch's tgt_mask and memory_mask are true where not); biases,
 * of the parameters' dtype, are added to the scores and differentiable, -inf where it does not see it. One for each
 * sequence is (B, 1, T, T), or (B, 1, T, S). NULL: all are seen, nothing is added. */
typedef struct heed_nn_transformer_decoder_masks {
    heed_tensor *mask, *bias;               /* of self-attention: they broadcast to (B, num_heads, T, T) */
    heed_tensor *memory_mask, *memory_bias; /* of attention to the memory: to (B, num_heads, T, S) */
    HEED_RESERVED;
} heed_nn_transformer_decoder_masks;

/* heed_nn_transformer_decoder_block_forward where what is seen must be so by masks and biases, too; NULL: none. NULL on
 * failure: as there.
 * torch: torch.nn.TransformerDecoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_masked(heed_nn_transformer_decoder_block *net, heed_tensor *x,
                                                               heed_tensor *memory, heed_tensor *valid_lens,
                                                               heed_tensor *memory_lens,
                                                               const heed_nn_transformer_decoder_masks *masks,
                                                               heed_tensor **self_weights, heed_tensor **weights);

/* The block for prediction: x (B, T, hidden_size) are the steps that follow those in the cache, which then has them
 * too. memory and memory_lens, i64 (B) or NULL, are read at the first call only: their keys and values stay in the
 * cache, and later both may be NULL. *self_weights receives (B, num_heads, T, all steps), *weights
 * (B, num_heads, T, S), NULL: not wanted. No graph is recorded. NULL on failure, which leaves the cache as it was: as
 * heed_nn_transformer_decoder_block_forward, and HEED_ERR_SHAPE for another B than the cache has. */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_cached(heed_nn_transformer_decoder_block *net, heed_tensor *x,
                                                               heed_tensor *memory, heed_tensor *memory_lens,
                                                               heed_kv_cache *cache, heed_tensor **self_weights,
                                                               heed_tensor **weights);

/* -- The whole -------------------------------------------------------------------------------------------------------
 *
 *     heed_nn_transformer *net = heed_nn_transformer_new(src_vocab, tgt_vocab, 256, 4, 1024, 3, &options);
 *     heed_tensor *logits = heed_nn_transformer_forward(net, src, tgt, src_lens, NULL, NULL, NULL, NULL);
 *
 * and for prediction, with heed/generate.h, the encoder once, and the decoder step by step:
 *
 *     heed_tensor *memory = heed_nn_transformer_encoder_forward(net->encoder, src, src_lens, NULL);
 *     ... heed_nn_transformer_decoder_cached(net->decoder, tokens, memory, src_lens, cache, NULL, NULL)
 */

/* What heed_nn_transformer_new, heed_nn_transformer_encoder_new and heed_nn_transformer_decoder_new may be told. */
typedef struct heed_nn_transformer_options {
    double dropout;             /* of what is embedded, and in each block as there; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu, or heed_silu where it is gated */
    bool pre_norm;              /* norms before attentions and feed-forwards, not behind them */
    bool no_bias;               /* in no map and no norm */
    bool gated;                 /* the feed-forwards are gated, as heed_nn_feed_forward_new says */
    bool no_final_norm;         /* no norm behind the last block: as the book's, whose blocks are post-norm */
    bool tied;                  /* the decoder's output map is its embedding, without a bias */
    bool no_positions;          /* none are added to the embedded tokens: for what goes by distances, by `attention` */
    int64_t decoder_layers;     /* of heed_nn_transformer_new; 0: as many as the encoder has */
    int64_t max_len;            /* most steps of a sequence where positions are added; 0: 1000 */
    heed_dtype dtype;           /* of the parameters; 0: f32 */
    const heed_nn_multi_head_attention_options *attention; /* what self-attentions are told besides, as in the blocks */
    HEED_RESERVED;
} heed_nn_transformer_options;

/* Embedding and positions, num_layers encoder blocks, norm. */
typedef struct heed_nn_transformer_encoder {
    heed_module base;                           /* the module */
    heed_nn_transformer_encoder_block **layers; /* num_layers */
    int64_t num_layers;                         /* how many blocks */
    heed_nn_layer_norm *norm;                   /* behind the last; NULL with no_final_norm */
    heed_nn_embedding *embedding;               /* (vocab_size, hidden_size); NULL for a vocab_size of 0 */
    heed_nn_positional_encoding *pos_encoding;  /* drops nothing itself; NULL where embedding is, or no_positions */
    double dropout;                             /* of what goes into the first block, if embedded; while training */
} heed_nn_transformer_encoder;

/* A Transformer's encoder. Parameters "layers.0. ..." and so on as heed_nn_transformer_encoder_block_new names them,
 * but with all matrices Glorot-uniform, as torch.nn.Transformer draws them; "norm. ..."; "embedding.weight"
 * (vocab_size, hidden_size), normal of variance 1 / hidden_size, so that what is scaled by sqrt(hidden_size) is as
 * large as what is added for the position. For a vocab_size of 0 there are neither embedding nor positions, and x comes
 * embedded: torch.nn.TransformerEncoder. NULL on failure: as a block, and HEED_ERR_ARGUMENT for another of these sizes
 * below 1 and more than 2^12 layers. The book: TransformerEncoder, with no_final_norm.
 * torch: torch.nn.TransformerEncoder */
HEED_API HEED_NODISCARD heed_nn_transformer_encoder *
heed_nn_transformer_encoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                int64_t num_layers, const heed_nn_transformer_options *options);

/* tokens i64 (B, S), or for a vocab_size of 0 (B, S, hidden_size) -> (B, S, hidden_size):
 *     x = dropout(embedding(tokens) sqrt(hidden_size) + P[:S]),   the blocks one after another,   norm
 * without P if no_positions. valid_lens i64 (B) or (B, S), or NULL, say how much is seen. *weights receives
 * (num_layers, B, num_heads, S, S), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also
 * for more than max_len steps where positions are added, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the
 * vocabulary or a length outside 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoder.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_forward(heed_nn_transformer_encoder *net, heed_tensor *tokens,
                                                          heed_tensor *valid_lens, heed_tensor **weights);

/* The same where a step sees another only if mask and bias let it, too, in all blocks: they are as in
 * heed_nn_transformer_encoder_block_masked. NULL on failure: as there.
 * torch: torch.nn.TransformerEncoder.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_masked(heed_nn_transformer_encoder *net, heed_tensor *tokens,
                                                         heed_tensor *valid_lens, heed_tensor *mask, heed_tensor *bias,
                                                         heed_tensor **weights);

/* Embedding and positions, num_layers causal decoder blocks, norm, output map. */
typedef struct heed_nn_transformer_decoder {
    heed_module base;                           /* the module */
    heed_nn_transformer_decoder_block **layers; /* num_layers */
    int64_t num_layers;                         /* how many blocks */
    heed_nn_layer_norm *norm;                   /* behind the last; NULL with no_final_norm */
    heed_nn_embedding *embedding;               /* (vocab_size, hidden_size); NULL for a vocab_size of 0 */
    heed_nn_positional_encoding *pos_encoding;  /* drops nothing itself; NULL where embedding is, or no_positions */
    heed_nn_linear *dense;                      /* hidden_size to vocab_size; NULL there, too, and when tied */
    double dropout;                             /* of what goes into the first block, if embedded; while training */
} heed_nn_transformer_decoder;

/* A Transformer's decoder: as heed_nn_transformer_encoder_new, of decoder blocks, with "dense.weight"
 * (vocab_size, hidden_size) and "dense.bias" behind it, unless tied. For a vocab_size of 0 it has no dense either:
 * torch.nn.TransformerDecoder. NULL on failure: as there. The book: TransformerDecoder, with no_final_norm.
 * torch: torch.nn.TransformerDecoder */
HEED_API HEED_NODISCARD heed_nn_transformer_decoder *
heed_nn_transformer_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                int64_t num_layers, const heed_nn_transformer_options *options);

/* What follows each step of `tokens`, i64 (B, T), or for a vocab_size of 0 (B, T, hidden_size), as logits
 * (B, T, vocab_size), or (B, T, hidden_size). memory (B, S, hidden_size), valid_lens and memory_lens as
 * heed_nn_transformer_decoder_block_forward has them. *self_weights receives (num_layers, B, num_heads, T, T), *weights
 * (num_layers, B, num_heads, T, S), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also
 * for more than max_len steps where positions are added, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the
 * vocabulary or a length outside 0 .. T, or 0 .. S, what the activation fails with, HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerDecoder.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_forward(heed_nn_transformer_decoder *net, heed_tensor *tokens,
                                                          heed_tensor *memory, heed_tensor *valid_lens,
                                                          heed_tensor *memory_lens, heed_tensor **self_weights,
                                                          heed_tensor **weights);

/* The same where what is seen must be so by masks and biases, too, in all blocks; NULL: none. A step still sees no
 * later one. NULL on failure: as there.
 * torch: torch.nn.TransformerDecoder.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_masked(heed_nn_transformer_decoder *net, heed_tensor *tokens,
                                                         heed_tensor *memory, heed_tensor *valid_lens,
                                                         heed_tensor *memory_lens,
                                                         const heed_nn_transformer_decoder_masks *masks,
                                                         heed_tensor **self_weights, heed_tensor **weights);

/* The decoder for prediction: `tokens` are the steps that follow those in the cache, which then has them too. memory
 * and memory_lens, i64 (B) or NULL, are read at the first call only: their keys and values stay in the cache, and later
 * both may be NULL. The numbers are those of heed_nn_transformer_decoder_forward, at the cost of the new steps.
 * *self_weights receives (num_layers, B, num_heads, T, all steps), *weights (num_layers, B, num_heads, T, S), NULL:
 * not wanted. No graph is recorded. NULL on failure, which leaves the cache as it was: as there, and HEED_ERR_SHAPE
 * for another B than the cache has. */
HEED_API heed_tensor *heed_nn_transformer_decoder_cached(heed_nn_transformer_decoder *net, heed_tensor *tokens,
                                                         heed_tensor *memory, heed_tensor *memory_lens,
                                                         heed_kv_cache *cache, heed_tensor **self_weights,
                                                         heed_tensor **weights);

/* Both. */
typedef struct heed_nn_transformer {
    heed_module base;                     /* the module */
    heed_nn_transformer_encoder *encoder; /* of the source */
    heed_nn_transformer_decoder *decoder; /* of the target */
} heed_nn_transformer;

/* The Transformer: children "encoder", heed_nn_transformer_encoder_new, and "decoder", heed_nn_transformer_decoder_new;
 * with vocabularies of 0, torch.nn.Transformer with its parameters. NULL on failure: as these.
 * A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017).
 * torch: torch.nn.Transformer */
HEED_API HEED_NODISCARD heed_nn_transformer *heed_nn_transformer_new(int64_t src_vocab, int64_t tgt_vocab,
                                                                     int64_t hidden_size, int64_t num_heads,
                                                                     int64_t ffn_size, int64_t num_layers,
                                                                     const heed_nn_transformer_options *options);

/* What follows each step of tgt (B, T), given src (B, S), as logits (B, T, tgt_vocab): the decoder's forward with the
 * encoder's as memory. src_lens, i64 (B) or NULL, hold for both; tgt_lens i64 (B) or (B, T), or NULL: a causal decoder
 * can do without them. *encoder_weights receives (num_layers, B, num_heads, S, S), *self_weights
 * (decoder_layers, B, num_heads, T, T), *weights (decoder_layers, B, num_heads, T, S), NULL: not wanted. NULL on
 * failure: as the encoder's forward and the decoder's.
 * torch: torch.nn.Transformer.forward */
HEED_API heed_tensor *heed_nn_transformer_forward(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                                  heed_tensor *src_lens, heed_tensor *tgt_lens,
                                                  heed_tensor **encoder_weights, heed_tensor **self_weights,
                                                  heed_tensor **weights);

/* What heed_nn_transformer_masked is told. Masks are bool, true where a step sees another or a place of the source
 * (PyTorch's are true where not); biases, of the parameters' dtype, are added to the scores and differentiable, -inf
 * where it does not see it. One for each sequence is (B, 1, S, S), and so on. NULL: all are seen, nothing is added. */
typedef struct heed_nn_transformer_masks {
    heed_tensor *src_mask, *src_bias;       /* of the encoder: they broadcast to (B, num_heads, S, S) */
    heed_tensor *tgt_mask, *tgt_bias;       /* of the decoder's self-attention: to (B, num_heads, T, T) */
    heed_tensor *memory_mask, *memory_bias; /* of its attention to the source: to (B, num_heads, T, S) */
    HEED_RESERVED;
} heed_nn_transformer_masks;

/* heed_nn_transformer_forward where what is seen must be so by masks and biases, too, in all blocks; NULL: none. What
 * src_mask hides the decoder sees all the same, unless memory_mask hides it, too. NULL on failure: as there.
 * torch: torch.nn.Transformer.forward */
HEED_API heed_tensor *heed_nn_transformer_masked(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                                 heed_tensor *src_lens, heed_tensor *tgt_lens,
                                                 const heed_nn_transformer_masks *masks, heed_tensor **encoder_weights,
                                                 heed_tensor **self_weights, heed_tensor **weights);

HEED_END_DECLS

#endif
