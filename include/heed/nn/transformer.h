/* heed/nn/transformer.h - the Transformer and its parts: positional encoding, feed-forward, blocks, encoder, decoder.
 * Multi-head attention is in heed/nn/attention.h. The rules in heed/nn.h hold here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_TRANSFORMER_H
#define HEED_NN_TRANSFORMER_H

#include <heed/nn/attention.h>

HEED_BEGIN_DECLS

/* -- Positions ----------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_positional_encoding_new. */
typedef struct heed_nn_positional_encoding_options {
    double dropout;   /* dropout of the sum, while training; 0: no dropout */
    int64_t max_len;  /* 0: 1000 */
    heed_dtype dtype; /* of P and x; 0: f32 */
    HEED_RESERVED;
} heed_nn_positional_encoding_options;

/* A layer that adds an encoding of the position: y = dropout(x + P[:T]), where P[i, 2j] = sin(i / 10000^(2j/h)) and
 * P[i, 2j+1] = cos(i / 10000^(2j/h)). */
typedef struct heed_nn_positional_encoding {
    heed_module base; /* the module */
    double dropout;   /* while training */
    heed_tensor *P;   /* (max_len, h) */
} heed_nn_positional_encoding;

/* Makes a layer that adds sines and cosines of the position to a sequence. It has no parameters and is for up to
 * max_len steps of size h = hidden_size, which may be odd. P is computed in f64, and is not part of the module's state.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM.
 * Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017), 3.5. */
HEED_API HEED_NODISCARD heed_nn_positional_encoding *
heed_nn_positional_encoding_new(int64_t hidden_size, const heed_nn_positional_encoding_options *options);

/* Adds the positional encoding: y = dropout(x + P[:T]), x (B, T, h) -> (B, T, h).
 *
 *     P[i, 2j] = sin(i / 10000^(2j/h)),   P[i, 2j+1] = cos(i / 10000^(2j/h))
 *
 * A part of a sequence that begins at step `first` is x + P[first : first + T]:
 *     heed_add(x, heed_slice(net->P, 0, first, first + T, 1))
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different shape or T > max_len; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_positional_encoding_forward(heed_nn_positional_encoding *net, heed_tensor *x);

/* -- Feed-forward -------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_feed_forward_new. */
typedef struct heed_nn_feed_forward_options {
    heed_activation activation; /* NULL: heed_relu, or heed_silu if gated */
    double dropout;             /* dropout of the input of linear2, while training; 0: no dropout */
    bool no_bias;               /* the maps have no biases */
    bool gated;                 /* the result of linear1 is multiplied by activation(gate(x)), as in SwiGLU */
    heed_dtype dtype;           /* of the parameters and of x; 0: f32 */
    HEED_RESERVED;
} heed_nn_feed_forward_options;

/* A feed-forward layer: y = linear2(dropout(activation(linear1(x)))), or gated, y = linear2(dropout(activation(gate(x))
 * linear1(x))). */
typedef struct heed_nn_feed_forward {
    heed_module base;                  /* the module */
    heed_nn_linear *gate;              /* weight (ffn_size, hidden_size); NULL unless gated */
    heed_nn_linear *linear1, *linear2; /* weights (ffn_size, hidden_size), (hidden_size, ffn_size) */
    heed_activation activation;        /* applied to the result of gate, or of linear1 */
    double dropout;                    /* while training */
} heed_nn_feed_forward;

/* Makes a feed-forward layer of two linear maps with an activation between them, PositionWiseFFN of the book Dive into
 * Deep Learning. The children are "linear1", with a weight (ffn_size, hidden_size), and "linear2", (hidden_size,
 * ffn_size), made as by heed_nn_linear_new.
 *
 * If `gated` is set, the child "gate", with the shape of linear1, comes before them. Llama calls the three children
 * gate_proj, up_proj and down_proj. The layer is called SwiGLU with heed_silu (the default if gated), GEGLU with
 * heed_gelu, ReGLU with heed_relu, and GLU with heed_sigmoid. With two thirds of the ffn_size, a gated layer has the
 * same number of parameters as a layer without a gate.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM.
 * Reference: N. Shazeer: GLU Variants Improve Transformer (2020). */
HEED_API HEED_NODISCARD heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                                                       const heed_nn_feed_forward_options *options);

/* Applies the layer to every position of x (..., hidden_size); the result has the same shape.
 *
 *     y = linear2(dropout(activation(linear1(x))))
 *     y = linear2(dropout(activation(gate(x)) linear1(x)))   if gated
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a different last axis; HEED_ERR_DTYPE; HEED_ERR_STATE if the
 * activation returns NULL without an error; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x);

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

/* Options of all Transformers and of their blocks: heed_nn_transformer_encoder_block_new,
 * heed_nn_transformer_decoder_block_new, heed_nn_transformer_encoder_new, heed_nn_transformer_decoder_new and
 * heed_nn_transformer_new. */
typedef struct heed_nn_transformer_options {
    double dropout;             /* of attention weights, inputs of linear2, terms added to x, embeddings; 0: none */
    double eps;                 /* of the layer norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_relu, or heed_silu if gated */
    bool pre_norm;              /* the norms come before attention and feed-forward, not after */
    bool causal;                /* encoders and their blocks: step i sees steps 0 .. i, as in a decoder-only
                                   Transformer; decoders are causal without this option */
    bool not_causal;            /* decoders and their blocks: step i sees all steps, not only 0 .. i */
    bool no_bias;               /* maps and norms have no biases */
    bool gated;                 /* the feed-forwards are gated, as in heed_nn_feed_forward_new */
    bool no_final_norm;         /* no norm after the last block, as in the book Dive into Deep Learning */
    bool tied;                  /* the decoder's output map is its embedding, without a bias */
    bool no_positions;          /* no positions are added to embeddings: for `attention` with RoPE, ALiBi or a bias */
    int64_t decoder_layers;     /* for heed_nn_transformer_new: number of decoder blocks; 0: num_layers */
    int64_t max_len;            /* maximum steps of a sequence if positions are added; 0: 1000 */
    heed_dtype dtype;           /* of the parameters, and of x and the memory; 0: f32 */
    const heed_nn_multi_head_attention_options *attention; /* further options of self-attention; NULL: the defaults */
    HEED_RESERVED;
} heed_nn_transformer_options;

/* An encoder block: self-attention and feed-forward, both with a residual connection, dropout and layer norm. */
typedef struct heed_nn_transformer_encoder_block {
    heed_module base;                        /* the module */
    heed_nn_multi_head_attention *self_attn; /* self-attention of num_heads heads */
    heed_nn_linear *gate;                    /* its weight is (ffn_size, hidden_size); NULL unless gated */
    heed_nn_linear *linear1, *linear2;       /* weights (ffn_size, hidden_size) and (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2;       /* norm of self-attention, norm of the feed-forward */
    heed_activation activation;              /* applied to the result of gate, or of linear1 */
    double dropout;                          /* while training */
    bool pre_norm;                           /* as in the options */
} heed_nn_transformer_encoder_block;

/* Makes a Transformer encoder block with the parameters of torch.nn.TransformerEncoderLayer. These are "self_attn.
 * ...", "linear1. ...", "linear2. ...", "norm1. ..." and "norm2. ..."; if gated, which PyTorch's layer cannot be,
 * "gate. ..." comes before "linear1. ...". The default dropout is 0, not 0.1 as in PyTorch.
 *
 * `attention` sets the options of self-attention described at heed_nn_multi_head_attention_new: RoPE, ALiBi,
 * relative_positions, a window, kv_heads, head_dim, qk_norm, no_out_bias. The pointer is used only during this call.
 * Dropout, causal, no_bias, dtype and sizes come from the block and must be 0 in `attention`.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, a num_heads that does not divide hidden_size (allowed if head_dim is
 * given), a dropout outside [0, 1], an invalid eps, and an invalid `attention`; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoderLayer */
HEED_API HEED_NODISCARD heed_nn_transformer_encoder_block *
heed_nn_transformer_encoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_options *options);

/* Applies self-attention and feed-forward to sequences; x is (B, T, hidden_size), and the result has the same shape:
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + feed_forward(norm2(x))
 * with dropout of the residual terms. valid_lens is i64 (B) or (B, T), or NULL. *weights, unless `weights` is NULL,
 * receives (B, num_heads, T, T). heed_module_forward passes NULL for both.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T; the
 * errors of the activation; HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_block_forward(heed_nn_transformer_encoder_block *net, heed_tensor *x,
                                                                heed_tensor *valid_lens, heed_tensor **weights);

/* A decoder block: self-attention, attention to an encoder's results (the memory) and feed-forward, all with a residual
 * connection, dropout and layer norm. */
typedef struct heed_nn_transformer_decoder_block {
    heed_module base;                                         /* the module */
    heed_nn_multi_head_attention *self_attn, *multihead_attn; /* attention to x, attention to the memory; num_heads
                                                                 heads each */
    heed_nn_linear *gate;                                     /* gate of the feed-forward; NULL unless gated */
    heed_nn_linear *linear1, *linear2; /* linear1 and gate: (ffn_size, hidden_size); linear2: (hidden_size, ffn_size) */
    heed_nn_layer_norm *norm1, *norm2, *norm3; /* norms of self-attention, attention to the memory, feed-forward */
    heed_activation activation;                /* applied to the result of gate, or of linear1 */
    double dropout;                            /* while training */
    bool pre_norm;                             /* as in the options */
} heed_nn_transformer_decoder_block;

/* Makes a Transformer decoder block with the parameters of torch.nn.TransformerDecoderLayer. These are "self_attn.
 * ...", "multihead_attn. ...", "linear1. ...", "linear2. ...", "norm1. ...", "norm2. ..." and "norm3. ..."; if gated,
 * which PyTorch's layer cannot be, "gate. ..." comes before "linear1. ...". By default self-attention is causal and
 * dropout is 0. The block is TransformerDecoderBlock of the book Dive into Deep Learning.
 *
 * `attention` is as in heed_nn_transformer_encoder_block_new. The options head_dim, kv_heads, qk_norm, qk_norm_eps and
 * no_out_bias apply to attention to the memory, too. Options that depend on positions do not, because there is no
 * distance between a step of x and a position in the memory.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_block_new.
 * torch: torch.nn.TransformerDecoderLayer */
HEED_API HEED_NODISCARD heed_nn_transformer_decoder_block *
heed_nn_transformer_decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                      const heed_nn_transformer_options *options);

/* Applies self-attention, attention to the memory and feed-forward to sequences; x is (B, T, hidden_size), memory (B,
 * S, hidden_size), and the result has the shape of x:
 *     post-norm:  x = norm1(x + attention(x)),   x = norm2(x + attention(x, memory)),   x = norm3(x + feed_forward(x))
 *     pre-norm:   x = x + attention(norm1(x)),   x = x + attention(norm2(x), memory),   x = x + feed_forward(norm3(x))
 * with dropout of the residual terms. valid_lens limits the visible steps of x and memory_lens the visible positions of
 * the memory; both are i64 (B) or (B, T), or NULL. *self_weights receives (B, num_heads, T, T) and *weights (B,
 * num_heads, T, S), unless the pointers are NULL.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. T, or
 * 0 .. S; the errors of the activation; HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerDecoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_forward(heed_nn_transformer_decoder_block *net, heed_tensor *x,
                                                                heed_tensor *memory, heed_tensor *valid_lens,
                                                                heed_tensor *memory_lens, heed_tensor **self_weights,
                                                                heed_tensor **weights);

/* -- The whole Transformer --------------------------------------------------------------------------------------------
 *
 *     heed_nn_transformer *net = heed_nn_transformer_new(src_vocab, tgt_vocab, 256, 4, 1024, 3, &options);
 *     heed_tensor *logits = heed_nn_transformer_forward(net, src, tgt, src_lens, NULL, NULL, NULL, NULL);
 *
 * For prediction, with heed/generate.h, the encoder runs once and the decoder step by step:
 *
 *     heed_tensor *memory = heed_nn_transformer_encoder_forward(net->encoder, src, src_lens, NULL);
 *     heed_nn_attention_call call = {.memory_lens = src_lens, .cache = heed_kv_cache_new(NULL)};
 *     ... heed_nn_transformer_decoder_forward_with(net->decoder, tokens, memory, &call) */

/* A Transformer encoder: embedding and positions, num_layers encoder blocks, norm. */
typedef struct heed_nn_transformer_encoder {
    heed_module base;                           /* the module */
    heed_nn_transformer_encoder_block **layers; /* num_layers */
    int64_t num_layers;                         /* number of blocks */
    heed_nn_layer_norm *norm;                   /* after the last block; NULL with no_final_norm */
    heed_nn_embedding *embedding;               /* (vocab_size, hidden_size); NULL for a vocab_size of 0 */
    heed_nn_positional_encoding *pos_encoding;  /* its dropout is 0; NULL with no_positions or without an embedding */
    double dropout;                             /* dropout of the embedded input of the first block, while training */
} heed_nn_transformer_encoder;

/* Makes a Transformer encoder. The parameters are "layers.0. ..." and so on as in
 * heed_nn_transformer_encoder_block_new, but with all matrices Glorot-uniform, as in torch.nn.Transformer; "norm. ...";
 * and "embedding.weight" (vocab_size, hidden_size), normal of variance 1 / hidden_size, so that the embeddings, scaled
 * by sqrt(hidden_size), are about as large as the positional encoding. With a vocab_size of 0, as in
 * torch.nn.TransformerEncoder, the layer has no embedding and adds no positions; its input is already embedded. With
 * no_final_norm it is TransformerEncoder of the book Dive into Deep Learning.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_block_new, and HEED_ERR_ARGUMENT for a vocab_size below 0, any other size
 * below 1, and more than 2^12 layers.
 * torch: torch.nn.TransformerEncoder */
HEED_API HEED_NODISCARD heed_nn_transformer_encoder *
heed_nn_transformer_encoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                int64_t num_layers, const heed_nn_transformer_options *options);

/* Encodes sequences: tokens, i64 (B, S), -> (B, S, hidden_size). For a vocab_size of 0, `tokens` are embedded vectors
 * (B, S, hidden_size).
 *     x = dropout(embedding(tokens) sqrt(hidden_size) + P[:S]),   the blocks one after another,   norm
 * P is omitted with no_positions. valid_lens, i64 (B) or (B, S), or NULL, limits the visible steps. *weights, unless
 * `weights` is NULL, receives (num_layers, B, num_heads, S, S).
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are added;
 * HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary or a length outside 0 .. S; the errors of the
 * activation; HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerEncoder.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_forward(heed_nn_transformer_encoder *net, heed_tensor *tokens,
                                                          heed_tensor *valid_lens, heed_tensor **weights);

/* A Transformer decoder: embedding and positions, num_layers causal decoder blocks, norm, output map. */
typedef struct heed_nn_transformer_decoder {
    heed_module base;                           /* the module */
    heed_nn_transformer_decoder_block **layers; /* num_layers */
    int64_t num_layers;                         /* number of blocks */
    heed_nn_layer_norm *norm;                   /* after the last block; NULL with no_final_norm */
    heed_nn_embedding *embedding;               /* (vocab_size, hidden_size); NULL for a vocab_size of 0 */
    heed_nn_positional_encoding *pos_encoding;  /* its dropout is 0; NULL with no_positions or without an embedding */
    heed_nn_linear *dense; /* from hidden_size to vocab_size; NULL if tied or without an embedding */
    double dropout;        /* dropout of the embedded input of the first block, while training */
} heed_nn_transformer_decoder;

/* Makes a Transformer decoder, as heed_nn_transformer_encoder_new does, but of decoder blocks. Unless tied, it also has
 * "dense.weight" (vocab_size, hidden_size) and "dense.bias". With a vocab_size of 0 it has neither embedding nor dense,
 * as torch.nn.TransformerDecoder. With no_final_norm it is TransformerDecoder of the book Dive into Deep Learning.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_new.
 * torch: torch.nn.TransformerDecoder */
HEED_API HEED_NODISCARD heed_nn_transformer_decoder *
heed_nn_transformer_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                int64_t num_layers, const heed_nn_transformer_options *options);

/* Predicts the token after every step of `tokens`, i64 (B, T): returns logits (B, T, vocab_size). For a vocab_size of
 * 0, `tokens` are embedded vectors (B, T, hidden_size) and the result has the same shape. memory (B, S, hidden_size),
 * valid_lens and memory_lens are as in heed_nn_transformer_decoder_block_forward. *self_weights receives (num_layers,
 * B, num_heads, T, T) and *weights (num_layers, B, num_heads, T, S), unless the pointers are NULL.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are added;
 * HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary or a length outside 0 .. T, or 0 .. S; the errors
 * of the activation; HEED_ERR_NOMEM.
 * torch: torch.nn.TransformerDecoder.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_forward(heed_nn_transformer_decoder *net, heed_tensor *tokens,
                                                          heed_tensor *memory, heed_tensor *valid_lens,
                                                          heed_tensor *memory_lens, heed_tensor **self_weights,
                                                          heed_tensor **weights);

/* A Transformer: encoder and decoder. */
typedef struct heed_nn_transformer {
    heed_module base;                     /* the module */
    heed_nn_transformer_encoder *encoder; /* of the source */
    heed_nn_transformer_decoder *decoder; /* of the target */
} heed_nn_transformer;

/* Makes a Transformer with the children "encoder", made by heed_nn_transformer_encoder_new, and "decoder", made by
 * heed_nn_transformer_decoder_new. With vocabularies of 0 it is torch.nn.Transformer with its parameters.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_new and heed_nn_transformer_decoder_new.
 * Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017).
 * torch: torch.nn.Transformer */
HEED_API HEED_NODISCARD heed_nn_transformer *heed_nn_transformer_new(int64_t src_vocab, int64_t tgt_vocab,
                                                                     int64_t hidden_size, int64_t num_heads,
                                                                     int64_t ffn_size, int64_t num_layers,
                                                                     const heed_nn_transformer_options *options);

/* Predicts the token after every step of tgt (B, T), given src (B, S), as logits (B, T, tgt_vocab): the decoder's
 * forward with the encoder's result as memory. src_lens, i64 (B) or NULL, limits the visible source steps in the
 * encoder and the decoder; tgt_lens is i64 (B) or
 * (B, T), or NULL, because a causal decoder does not need them. *encoder_weights receives (num_layers, B, num_heads, S,
 * S), *self_weights (decoder_layers, B, num_heads, T, T) and *weights (decoder_layers, B, num_heads, T, S), unless the
 * pointers are NULL.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_forward and heed_nn_transformer_decoder_forward.
 * torch: torch.nn.Transformer.forward */
HEED_API heed_tensor *heed_nn_transformer_forward(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                                  heed_tensor *src_lens, heed_tensor *tgt_lens,
                                                  heed_tensor **encoder_weights, heed_tensor **self_weights,
                                                  heed_tensor **weights);

/* -- Expert calls: masks, biases and caches ------------------------------------------------------------------------ */

/* Computes heed_nn_transformer_encoder_block_forward with the optional arguments that
 * heed_nn_attention_call describes: a mask, a bias, a cache.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_block_forward; HEED_ERR_ARGUMENT for an unsupported field, and for valid_lens
 * with a cache; HEED_ERR_SHAPE if B differs from the cache.
 * torch: torch.nn.TransformerEncoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_block_forward_with(heed_nn_transformer_encoder_block *net,
                                                                     heed_tensor *x,
                                                                     const heed_nn_attention_call *call);

/* Computes heed_nn_transformer_decoder_block_forward with optional arguments: masks, biases, a cache. With a cache,
 * memory and memory_lens, i64 (B), are read only at the first call; their keys and values stay in the cache, and later
 * both may be NULL. *memory_weights are the `weights` of the plain forward, and *weights its self_weights.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_decoder_block_forward; HEED_ERR_ARGUMENT for an unsupported field, and for valid_lens
 * with a cache; HEED_ERR_SHAPE if B differs from the cache.
 * torch: torch.nn.TransformerDecoderLayer.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_block_forward_with(heed_nn_transformer_decoder_block *net,
                                                                     heed_tensor *x, heed_tensor *memory,
                                                                     const heed_nn_attention_call *call);

/* Computes heed_nn_transformer_encoder_forward with optional arguments, such as a mask, in all blocks. *weights
 * receives (num_layers, B, num_heads, S, S).
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_encoder_forward, and HEED_ERR_ARGUMENT for an unsupported field.
 * torch: torch.nn.TransformerEncoder.forward */
HEED_API heed_tensor *heed_nn_transformer_encoder_forward_with(heed_nn_transformer_encoder *net, heed_tensor *tokens,
                                                               const heed_nn_attention_call *call);

/* Computes heed_nn_transformer_decoder_forward with optional arguments, in all blocks: masks, biases, a cache. With a
 * cache, memory and memory_lens, i64 (B), are read only at the first call, and later both may be NULL. *weights
 * receives (num_layers, B, num_heads, T, all steps) and *memory_weights (num_layers, B, num_heads, T, S).
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_decoder_forward; HEED_ERR_ARGUMENT for an unsupported field, and for valid_lens with a
 * cache; HEED_ERR_SHAPE if B differs from the cache.
 * torch: torch.nn.TransformerDecoder.forward */
HEED_API heed_tensor *heed_nn_transformer_decoder_forward_with(heed_nn_transformer_decoder *net, heed_tensor *tokens,
                                                               heed_tensor *memory, const heed_nn_attention_call *call);

/* Computes heed_nn_transformer_forward with optional arguments, in all blocks: masks and biases. The fields without a
 * prefix belong to the target. memory_lens, i64 (B), are the lengths of the source, in the encoder and the decoder;
 * encoder_mask acts only in the encoder, and memory_mask hides source steps from the decoder. For a cache, call the
 * encoder once and then heed_nn_transformer_decoder_forward_with.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_transformer_forward, and HEED_ERR_ARGUMENT for an unsupported field.
 * torch: torch.nn.Transformer.forward */
HEED_API heed_tensor *heed_nn_transformer_forward_with(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                                       const heed_nn_attention_call *call);

HEED_END_DECLS

#endif
