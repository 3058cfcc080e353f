/* heed/nn/attention.h - attention as layers. The rules in heed/nn.h hold here too.
 *
 * Shapes: queries (B, Q, .), keys (B, K, .), values (B, K, v), where "." is a size that depends on the layer; h is
 * hidden_size. valid_lens is i64 (B) or (B, Q), as in heed_masked_softmax; NULL: all keys are valid. *weights, unless
 * `weights` is NULL, receives the attention weights as the ops return them: before dropout, differentiable, and NULL on
 * failure; use heed_detach if you only look at them. Dropout of the weights acts while base.training is set. A hidden
 * key has no effect on the results and gradients of its query (heed/ops/attention.h). If it is hidden from all queries,
 * it has no effect on the gradients of the parameters either. In self-attention, a step past the valid length is still
 * a query.
 *
 * In addition to the errors in heed/nn.h, forwards return NULL with HEED_ERR_INDEX for a valid length outside
 * 0 .. K.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_ATTENTION_H
#define HEED_NN_ATTENTION_H

#include <heed/nn/layers.h>
#include <heed/nn/norm.h>

HEED_BEGIN_DECLS

/* -- Additive ------------------------------------------------------------------------------------------------------ */

/* Options of heed_nn_additive_attention_new. */
typedef struct heed_nn_additive_attention_options {
    double dropout;   /* probability that a weight is dropped while training; 0: no dropout */
    heed_dtype dtype; /* of the parameters and the inputs; 0: f32 */
    HEED_RESERVED;
} heed_nn_additive_attention_options;

/* A layer for additive attention: softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values. */
typedef struct heed_nn_additive_attention {
    heed_module base;                /* the module */
    heed_nn_linear *W_k, *W_q, *w_v; /* weights (h, key_size), (h, query_size), (1, h); no biases */
    double dropout;                  /* of weights, while training */
} heed_nn_additive_attention;

/* Makes an additive attention layer: AdditiveAttention of the book, MLPAttention in its older editions. The parameters
 * are "W_k.weight" (h, key_size), "W_q.weight" (h, query_size) and "w_v.weight" (1, h), drawn as in heed_nn_linear_new,
 * without biases.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1]; HEED_ERR_SHAPE; HEED_ERR_DTYPE;
 * HEED_ERR_NOMEM.
 * Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
 * (ICLR 2015). */
HEED_API HEED_NODISCARD heed_nn_additive_attention *
heed_nn_additive_attention_new(int64_t key_size, int64_t query_size, int64_t hidden_size,
                               const heed_nn_additive_attention_options *options);

/* Computes additive attention: softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values. queries (B, Q,
 * query_size), keys (B, K, key_size), values (B, K, v) -> (B, Q, v). valid_lens is i64 (B) or (B, Q), or NULL.
 * *weights, unless `weights` is NULL, receives (B, Q, K), before dropout.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K;
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_additive_attention_forward(heed_nn_additive_attention *net, heed_tensor *queries,
                                                         heed_tensor *keys, heed_tensor *values,
                                                         heed_tensor *valid_lens, heed_tensor **weights);

/* -- Dot-product --------------------------------------------------------------------------------------------------- */

/* Options of heed_nn_dot_product_attention_new. */
typedef struct heed_nn_dot_product_attention_options {
    double dropout; /* probability that a weight is dropped while training; 0: no dropout */
    double scale;   /* 0: 1 / sqrt(d) */
    bool causal;    /* query i sees the valid keys among 0 .. i */
    HEED_RESERVED;
} heed_nn_dot_product_attention_options;

/* A layer for dot-product attention: softmax(scale q^T k) over the keys, times the values. */
typedef struct heed_nn_dot_product_attention {
    heed_module base;      /* the module */
    double dropout, scale; /* as in the options */
    bool causal;           /* as in the options */
} heed_nn_dot_product_attention;

/* Makes a scaled dot-product attention layer, DotProductAttention of the book. It has no parameters and accepts f32 and
 * f64. NULL options: scale 1 / sqrt(d), no dropout, not causal.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a non-finite scale or a dropout outside [0, 1]; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_dot_product_attention *
heed_nn_dot_product_attention_new(const heed_nn_dot_product_attention_options *options);

/* Computes dot-product attention: softmax over the keys of q^T k scale, 1 / sqrt(d) by default, times the values.
 * queries (B, Q, d), keys (B, K, d), values (B, K, v) -> (B, Q, v); or with heads, (B, H, Q, d) and so on. valid_lens
 * is i64 (B) or (B, Q), or NULL. *weights, unless `weights` is NULL, receives (B, Q, K) or (B, H, Q, K), before
 * dropout.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all are f32 or all f64; HEED_ERR_INDEX for
 * a length outside 0 .. K; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_dot_product_attention_forward(heed_nn_dot_product_attention *net, heed_tensor *queries,
                                                            heed_tensor *keys, heed_tensor *values,
                                                            heed_tensor *valid_lens, heed_tensor **weights);

/* -- Multi-head ---------------------------------------------------------------------------------------------------- */

/* Scaling of RoPE for texts longer than the training texts. The names are the values of rope_type, or type, in
 * rope_scaling of a Hugging Face config.json. heed_nn_multi_head_attention_new has the formulas. */
typedef enum heed_rope_scaling {
    HEED_ROPE_UNSCALED = 0, /* "default": not scaled */
    HEED_ROPE_LINEAR,       /* "linear": positions are divided by rope_factor */
    HEED_ROPE_LLAMA3,       /* "llama3": only slowly rotating pairs are scaled, as in Llama 3.1 */
    HEED_ROPE_DYNAMIC,      /* "dynamic": the base grows with sequences longer than rope_original_len */
    HEED_ROPE_YARN,         /* "yarn": only slowly rotating pairs are scaled, and so are the scores */
} heed_rope_scaling;

/* Options of heed_nn_multi_head_attention_new. */
typedef struct heed_nn_multi_head_attention_options {
    int64_t query_size, key_size, value_size; /* sizes of the inputs; 0: hidden_size */
    double dropout;                           /* probability that a weight is dropped while training; 0: no dropout */
    bool causal;                              /* query i sees the valid keys among 0 .. i */
    bool no_bias;                             /* the four maps have no biases */
    bool no_out_bias;                         /* out_proj has no bias, as in Qwen2 */
    bool rope;                                /* heed_rope rotates queries and keys; required by the options rope_* */
    bool rope_interleaved;                    /* RoPE rotates the pairs 2i, 2i + 1; else i, i + rope_dims / 2 */
    bool alibi;                               /* ALiBi: scores fall with distance, by a fixed slope per head */
    double rope_base;                         /* 0: 10000 */
    int64_t rope_dims;                        /* rotated numbers per head, even; 0: all */
    int64_t kv_heads;                         /* heads of keys and values, shared by the queries' heads; 0: num_heads */
    int64_t window;                           /* number of visible keys, as in heed_attention_options; 0: all */
    heed_dtype dtype;                         /* of the parameters and the inputs; 0: f32 */
    int64_t head_dim;                         /* d, the size of a head; 0: hidden_size / num_heads */
    bool qk_norm;                             /* RMS norms of the queries and keys of every head, before RoPE, as in
                                                 Qwen3; right even if squares overflow, as in heed_rms_norm */
    double qk_norm_eps;                       /* 0: 1e-5 */
    heed_rope_scaling rope_scaling; /* of RoPE's frequencies; the options up to rope_no_truncate belong to it */
    double rope_factor;             /* s, by which frequencies are divided; 0: 1 */
    int64_t rope_original_len;      /* L, the length of the training texts; required except by "linear" */
    double rope_low_freq_factor;    /* low, of "llama3"; beta_slow, of "yarn"; 0: 1 */
    double rope_high_freq_factor;   /* high, of "llama3", 0: 4; beta_fast, of "yarn", 0: 32 */
    double rope_attention_factor;   /* a, of "yarn"; 0: 0.1 ln(s) + 1, or 1 if s is below 1 */
    bool rope_no_truncate;          /* of "yarn": the pairs j and k below are not rounded */
    int64_t relative_positions;     /* R: a learnt bias per head and distance -R .. R; 0: no bias */
    HEED_RESERVED;
} heed_nn_multi_head_attention_options;

/* A multi-head attention layer: num_heads dot-product attentions side by side, between linear maps. The shapes below
 * use these sizes: h is hidden_size. d is head_dim, the size of one head. n is num_heads d, the size of a query in all
 * heads together; n = h unless the option head_dim is set. g is kv_heads d, the size of a key or a value in all heads
 * together. */
typedef struct heed_nn_multi_head_attention {
    heed_module base;                                           /* the module */
    int64_t hidden_size, num_heads, kv_heads, head_dim;         /* h; heads of queries; heads of keys and values; d */
    heed_tensor *in_proj_weight;                                /* (n + 2 g, h); NULL if the sizes differ */
    heed_tensor *q_proj_weight, *k_proj_weight, *v_proj_weight; /* (n, query_size), (g, key_size), (g, value_size); NULL
                                                                   if the sizes agree */
    heed_tensor *in_proj_bias;                                  /* (n + 2 g); NULL with no_bias */
    heed_nn_linear *out_proj;                                   /* (h, n) */
    heed_nn_rms_norm *q_norm, *k_norm;                          /* (d); NULL without qk_norm */
    heed_tensor *rope_frequencies; /* f64 (rope_dims / 2), if scaled to fixed ones; NULL: computed from rope_base */
    heed_tensor *slopes;           /* (num_heads), ALiBi's; NULL without ALiBi */
    heed_tensor *relative_bias;    /* (num_heads, 2 relative_positions + 1), or NULL */
    double dropout;                /* of weights, while training */
    bool causal;                   /* as in the options */
    bool rope, rope_interleaved;   /* as in the options, like the next fields, with the defaults filled in */
    double rope_base, rope_factor, rope_attention_factor;
    int64_t rope_dims, rope_original_len, window;
    heed_rope_scaling rope_scaling;
} heed_nn_multi_head_attention;

/* Makes a multi-head attention layer with the parameters of torch.nn.MultiheadAttention. If the sizes of queries, keys
 * and values are all h = hidden_size, the parameter "in_proj_weight" (3 h, h) holds the maps of queries, keys and
 * values, stacked in this order. Otherwise the maps are "q_proj_weight" (h, query_size), "k_proj_weight" (h, key_size)
 * and "v_proj_weight" (h, value_size). Their initial values are Glorot-uniform. "in_proj_bias" (3 h) is zeros,
 * "out_proj.weight" (h, h) is drawn as in heed_nn_linear_new, and "out_proj.bias" (h) is zeros. With no_bias it is the
 * layer of the book, Dive into Deep Learning, which calls the four maps W_q, W_k, W_v and W_o.
 *
 * With the options head_dim and kv_heads, queries are mapped to n = num_heads head_dim numbers, and keys and values to
 * g = kv_heads head_dim each; in_proj is then (n + 2 g, h) and out_proj (h, n). With qk_norm there are also
 * "q_norm.weight" and "k_norm.weight" (head_dim), initially ones. RoPE rotates the mapped queries and keys of every
 * head. ALiBi's slope of head i of n heads is 2^(-8 (i + 1) / n) if n is a power of two, and as in Press et al.
 * otherwise; slopes are not parameters. With relative_positions R there is "relative_bias" (num_heads, 2 R + 1), zeros,
 * for distances -R .. R, as in heed_attention_options.
 *
 * rope_scaling replaces RoPE's frequencies f_i = base^(-2i / dims) for texts longer than the training texts, of L =
 * rope_original_len steps, by f_i' with the factor s:
 *     "linear"     f_i' = f_i / s
 *     "llama3"     f_i' = f_i (r + (1 - r) / s),   r = (L f_i / 2 pi - low) / (high - low)
 *     "dynamic"    f_i' = base'^(-2i / dims),   base' = base (s T / L - s + 1)^(dims / (dims - 2))
 *     "yarn"       f_i' = f_i (r + (1 - r) / s),   r = 1 - (i - j) / (k - j),
 *                  j = floor(p(beta_fast)), but at least 0,   k = ceil(p(beta_slow)), but at most dims - 1
 * where r is limited to 0 .. 1, p(n) = dims ln(L / (2 pi n)) / (2 ln(base)) is the pair that makes n rotations in L
 * steps, and "yarn" also multiplies the rotated numbers of queries and keys by a = rope_attention_factor. For a
 * config.json with mscale and mscale_all_dim, a = (0.1 mscale ln(s) + 1) / (0.1 mscale_all_dim ln(s) + 1).
 *
 * T is the length of the sequence, including padding, and at least L: for "dynamic" the frequencies of all steps depend
 * on it. A cache therefore holds unrotated keys, and every call rotates all of them with the frequencies of the length
 * so far, as the YaRN paper recommends. Up to L steps, results are the same as without scaling.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, a num_heads that does not divide hidden_size (allowed if head_dim is
 * given), a kv_heads that does not divide num_heads, a dropout outside [0, 1], a window below 0, a negative or
 * non-finite option of RoPE or one that rope_scaling does not use, a rope_original_len of 0 if it is required, a low
 * not below high, a rope_base of 1 or less with "yarn", odd or out-of-range rope_dims, and relative_positions
 * outside 0 .. 2^32; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * Reference: A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017); B. Peng et al.: YaRN (ICLR 2024);
 * heed/ops/attention.h and heed_rope list the others.
 * torch: torch.nn.MultiheadAttention */
HEED_API HEED_NODISCARD heed_nn_multi_head_attention *
heed_nn_multi_head_attention_new(int64_t hidden_size, int64_t num_heads,
                                 const heed_nn_multi_head_attention_options *options);

/* Maps the inputs, computes the attention of every head, and maps the concatenated results by out_proj. queries (B, Q,
 * query_size), keys (B, K, key_size), values (B, K, value_size) -> (B, Q, hidden_size). valid_lens is i64 (B) or
 * (B, Q), or NULL. *weights, unless `weights` is NULL, receives (B, num_heads, Q, K), before dropout.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K;
 * HEED_ERR_NOMEM.
 * torch: torch.nn.MultiheadAttention.forward */
HEED_API heed_tensor *heed_nn_multi_head_attention_forward(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor *valid_lens, heed_tensor **weights);

/* -- Keys and values kept for prediction ------------------------------------------------------------------------------
 *
 *     heed_kv_cache *cache = heed_kv_cache_new(NULL);
 *     for (int64_t t = 0; t < steps; t++)
 *         x[t + 1] = heed_nn_multi_head_attention_forward_with(net, x[t], x[t], x[t],
 *                                                              &(heed_nn_attention_call){.cache = cache});
 *     heed_kv_cache_free(cache);
 *
 * A step of prediction maps only the new steps; the keys and values of all earlier steps are in the cache. One cache
 * serves all layers of a model, because every attention finds its own entries there. A function that takes a cache
 * records no graph, and leaves the cache unchanged if it fails. A cache belongs to one thread at a time. */

/* The keys and values of all steps so far, for all attentions of a model. */
typedef struct heed_kv_cache heed_kv_cache;

/* Options of heed_kv_cache_new. */
typedef struct heed_kv_cache_options {
    int64_t capacity; /* initial capacity in steps, doubled whenever it is full; 0: 32 */
    HEED_RESERVED;
} heed_kv_cache_options;

/* Makes an empty cache for one model.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a capacity below 0; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_kv_cache *heed_kv_cache_new(const heed_kv_cache_options *options);

/* Frees a cache. NULL is ignored. */
HEED_API void heed_kv_cache_free(heed_kv_cache *cache);

/* Empties the cache for new sequences, of any batch size; it reuses its memory if the batch size stays the same.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_kv_cache_clear(heed_kv_cache *cache);

/* Returns the number of steps in the cache, which is the position of the next step. It counts the steps of the
 * attention that used the cache first. Returns 0 on failure.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_kv_cache_length(const heed_kv_cache *cache);

/* Declares the padding of prompts of unequal lengths, which are continued together. Pad the prompts on the left, with
 * any token. Then
 *     heed_kv_cache_pad(cache, padding);
 * states that sequence i begins with padding[i] padded steps; padding is i64 (B). Every causal attention that uses the
 * cache hides these steps, and heed_nn_decoder and heed_nn_transformer_decoder count positions from the first step
 * after them, so the results for every text are the same as for the text alone, except for rounding. Results at padded
 * steps are meaningless. Padding on the left preserves the distances between steps, which RoPE, ALiBi, relative biases
 * and windows use, and all prompts end at the same step. (The lengths of an encoder's results are not declared here but
 * passed as memory_lens.) The cache must be empty. heed_kv_cache_clear removes the padding. heed_kv_cache_select
 * selects the padding together with the sequences. After a failure the cache is unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, and for a padding below 0; HEED_ERR_STATE for a cache with steps; HEED_ERR_SHAPE;
 * HEED_ERR_DTYPE; HEED_ERR_NOMEM. */
HEED_API heed_status heed_kv_cache_pad(heed_kv_cache *cache, heed_tensor *padding);

/* Replaces sequence i by the former sequence rows[i], in all layers; rows is i64 (n), and n becomes the batch size.
 * Beam search continues from its best sequences this way. After a failure the cache is unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX; HEED_ERR_NOMEM. */
HEED_API heed_status heed_kv_cache_select(heed_kv_cache *cache, heed_tensor *rows);

/* -- Expert calls: masks, biases and caches ------------------------------------------------------------------------ */

/* Optional arguments of a forward, for the functions named _forward_with. NULL arguments are omitted.
 *
 * The fields without a prefix belong to the layer's attention, or in a Transformer decoder to the attention of its
 * steps to each other. The fields memory_... belong to a decoder's attention to the memory, the result of an encoder,
 * and encoder_... to the encoder of a heed_nn_transformer. A layer supports these fields; the others must be NULL:
 *
 *     all layers                                      valid_lens, mask, bias, weights
 *     multi-head attention, blocks, decoders          cache
 *     decoder block, decoder, whole Transformer       memory_lens, memory_mask, memory_bias, memory_weights
 *     whole Transformer                               encoder_mask, encoder_bias, encoder_weights
 *
 * Masks are bool, true if a query sees a key (PyTorch's masks are true if a key is hidden). Biases have the dtype of
 * the layer, are differentiable and are added to the scores; -inf hides a key. Lengths, masks and biases hide keys in
 * addition to each other and to the layer's own settings: a causal query never sees a later key, whatever the mask.
 *
 * Masks and biases broadcast to the shape of the weights, (B, num_heads, Q, K), by NumPy's rules; K counts all steps in
 * the cache if there is one. The shape (Q, K) is one mask for everything. A mask per batch element is (B, 1, Q, K),
 * made from (B, Q, K) by heed_unsqueeze(mask, 1). Three axes, (num_heads, Q, K) or (1, Q, K), mean a mask per head. Do
 * not pass (B, Q, K): it fails with HEED_ERR_SHAPE if B is neither 1 nor num_heads, but if B equals num_heads it is
 * taken, without an error, as a mask per head.
 *
 * With a cache, the steps passed to a function follow the steps in the cache and are appended to it. Only the new
 * steps are computed, no graph is recorded, and on failure the cache is unchanged. The results of causal layers are
 * the same as for the whole sequence at once, except with HEED_ROPE_DYNAMIC beyond rope_original_len steps. In other
 * layers a step does not see the steps of later calls. */
typedef struct heed_nn_attention_call {
    heed_tensor *valid_lens;                /* i64 (B) or (B, Q); with a cache NULL, except in multi-head attention */
    heed_tensor *mask, *bias;               /* broadcast to the shape of *weights */
    heed_kv_cache *cache;                   /* keys and values of earlier steps */
    heed_tensor **weights;                  /* receives the weights, (B, num_heads, Q, K), as in the plain forward */
    heed_tensor *memory_lens;               /* i64 (B) or (B, Q), with a cache (B); in heed_nn_transformer i64 (B), the
                                              lengths of the source, in the encoder too */
    heed_tensor *memory_mask, *memory_bias; /* broadcast to the shape of *memory_weights */
    heed_tensor **memory_weights;           /* receives the weights of attention to the memory, (B, num_heads, T, S) */
    heed_tensor *encoder_mask, *encoder_bias; /* broadcast to (B, num_heads, S, S) */
    heed_tensor **encoder_weights;            /* receives the encoder's weights, (num_layers, B, num_heads, S, S) */
    HEED_RESERVED;
} heed_nn_attention_call;

/* Computes heed_nn_additive_attention_forward with optional arguments, such as a mask. The weights, masks and biases
 * have the shape (B, Q, K).
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_additive_attention_forward, and HEED_ERR_ARGUMENT for an unsupported field. */
HEED_API heed_tensor *heed_nn_additive_attention_forward_with(heed_nn_additive_attention *net, heed_tensor *queries,
                                                              heed_tensor *keys, heed_tensor *values,
                                                              const heed_nn_attention_call *call);

/* Computes heed_nn_dot_product_attention_forward with optional arguments, such as a mask. The weights, masks and biases
 * have the shape (B, Q, K), or with heads (B, H, Q, K). A bias is added after the scale.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_dot_product_attention_forward, and HEED_ERR_ARGUMENT for an unsupported field.
 * torch: torch.nn.functional.scaled_dot_product_attention */
HEED_API heed_tensor *heed_nn_dot_product_attention_forward_with(heed_nn_dot_product_attention *net,
                                                                 heed_tensor *queries, heed_tensor *keys,
                                                                 heed_tensor *values,
                                                                 const heed_nn_attention_call *call);

/* Computes heed_nn_multi_head_attention_forward with optional arguments: a mask, a bias, a cache.
 *
 * With a cache, the function appends the keys and values to it, unless both are NULL, and the queries attend to all
 * keys in the cache. If the attention is causal or depends on distances (RoPE, ALiBi, a window, relative positions),
 * the queries are the last Q steps in the cache, and a causal query sees the steps up to its own. If the attention is
 * not causal, valid_lens, i64 (B), may be passed with the first keys and limits how many of them are visible. The
 * lengths stay in the cache, and adding further keys is then an error.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_multi_head_attention_forward, and HEED_ERR_ARGUMENT for an unsupported field. With a cache also
 * HEED_ERR_ARGUMENT for keys without values or values without keys, and for lengths in a causal attention or without
 * keys; HEED_ERR_STATE if neither the call nor the cache has keys, and for further keys after a call with lengths;
 * HEED_ERR_SHAPE, also if B differs from the cache, and for more queries than steps.
 * torch: torch.nn.MultiheadAttention.forward */
HEED_API heed_tensor *heed_nn_multi_head_attention_forward_with(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                                heed_tensor *keys, heed_tensor *values,
                                                                const heed_nn_attention_call *call);

HEED_END_DECLS

#endif
