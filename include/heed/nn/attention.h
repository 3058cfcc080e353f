/* heed/nn/attention.h - attention as layers. What heed/nn.h says of all layers holds here.
 *
 * queries (B, Q, .), keys (B, K, .), values (B, K, v), h = hidden_size; valid_lens i64 (B) or (B, Q), or NULL: all
 * keys are valid, as heed_masked_softmax. *weights, unless `weights` is NULL, receives the weights of the forward as
 * the ops give them: before dropout, differentiable, and NULL on failure; heed_detach where they are only looked at.
 * Weights are dropped while base.training. What a query does not see does not exist for it (heed/ops/attention.h),
 * nor, where no query sees it, for the parameters; but in self-attention a step past the valid length is a query all
 * the same.
 *
 * Besides what heed/nn.h lists, forwards return NULL with HEED_ERR_INDEX for a valid length outside 0 .. K.
 */
#ifndef HEED_NN_ATTENTION_H
#define HEED_NN_ATTENTION_H

#include <heed/nn/layers.h>
#include <heed/nn/norm.h>

HEED_BEGIN_DECLS

/* -- Additive ------------------------------------------------------------------------------------------------------ */

/* What heed_nn_additive_attention_new may be told. */
typedef struct heed_nn_additive_attention_options {
    double dropout;   /* probability with which a weight is dropped while training; 0: none */
    heed_dtype dtype; /* of the parameters and the inputs; 0: f32 */
    HEED_RESERVED;
} heed_nn_additive_attention_options;

/* Softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values. */
typedef struct heed_nn_additive_attention {
    heed_module base;                /* the module */
    heed_nn_linear *W_k, *W_q, *w_v; /* maps of (h, key_size), (h, query_size) and (1, h), without biases */
    double dropout;                  /* of weights, while training */
} heed_nn_additive_attention;

/* Additive attention, AdditiveAttention of the book, MLPAttention in its older editions. Parameters "W_k.weight"
 * (h, key_size), "W_q.weight" (h, query_size), "w_v.weight" (1, h), drawn as heed_nn_linear_new does; no biases. NULL
 * on failure: HEED_ERR_ARGUMENT for a size below 1 or a dropout outside [0, 1], HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM.
 * D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
 * (ICLR 2015). */
HEED_API HEED_NODISCARD heed_nn_additive_attention *
heed_nn_additive_attention_new(int64_t key_size, int64_t query_size, int64_t hidden_size,
                               const heed_nn_additive_attention_options *options);

/* Softmax over the keys of w_v^T tanh(W_q q + W_k k), times the values: queries (B, Q, query_size), keys
 * (B, K, key_size), values (B, K, v) -> (B, Q, v). valid_lens i64 (B) or (B, Q), or NULL. *weights receives
 * (B, Q, K), before dropout; NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE,
 * HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. K, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_additive_attention_forward(heed_nn_additive_attention *net, heed_tensor *queries,
                                                         heed_tensor *keys, heed_tensor *values,
                                                         heed_tensor *valid_lens, heed_tensor **weights);

/* The same where a query sees a key only if mask and bias let it, too: mask, bool, is true where it sees it; bias, of
 * the layer's dtype, is added to the scores and differentiable, -inf where it does not see it. Both broadcast to
 * (B, Q, K), or are NULL. NULL on failure: as there. */
HEED_API heed_tensor *heed_nn_additive_attention_masked(heed_nn_additive_attention *net, heed_tensor *queries,
                                                        heed_tensor *keys, heed_tensor *values, heed_tensor *valid_lens,
                                                        heed_tensor *mask, heed_tensor *bias, heed_tensor **weights);

/* -- Dot-product --------------------------------------------------------------------------------------------------- */

/* What heed_nn_dot_product_attention_new may be told. */
typedef struct heed_nn_dot_product_attention_options {
    double dropout; /* probability with which a weight is dropped while training; 0: none */
    double scale;   /* 0: 1 / sqrt(d) */
    bool causal;    /* query i sees keys 0 .. i, of those that are valid */
    HEED_RESERVED;
} heed_nn_dot_product_attention_options;

/* Softmax over the keys of q^T k scale, times the values. */
typedef struct heed_nn_dot_product_attention {
    heed_module base;      /* the module */
    double dropout, scale; /* as in the options */
    bool causal;           /* as in the options */
} heed_nn_dot_product_attention;

/* Scaled dot-product attention, DotProductAttention of the book. It has no parameters, and takes f32 and f64. NULL
 * options: scale 1 / sqrt(d), no dropout, not causal. NULL on failure: HEED_ERR_ARGUMENT for a scale that is not
 * finite or a dropout outside [0, 1], HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_nn_dot_product_attention *
heed_nn_dot_product_attention_new(const heed_nn_dot_product_attention_options *options);

/* Softmax over the keys of q^T k scale, 1 / sqrt(d) by default, times the values: queries (B, Q, d), keys
 * (B, K, d), values (B, K, v) -> (B, Q, v); or with heads, (B, H, Q, d) and so on. valid_lens i64 (B) or (B, Q), or
 * NULL. *weights receives (B, Q, K) or (B, H, Q, K), before dropout; NULL: not wanted. NULL on failure:
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE unless all are f32 or all f64, HEED_ERR_INDEX for a
 * length outside 0 .. K, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_dot_product_attention_forward(heed_nn_dot_product_attention *net, heed_tensor *queries,
                                                            heed_tensor *keys, heed_tensor *values,
                                                            heed_tensor *valid_lens, heed_tensor **weights);

/* The same where a query sees a key only if mask and bias let it, too: mask, bool, is true where it sees it; bias, of
 * the inputs' dtype, is added to the scores after the scale and differentiable, -inf where it does not see it. Both
 * broadcast to (B, Q, K), or with heads (B, H, Q, K), or are NULL; with heads one for each batch element is (B, 1, Q,
 * K), and three axes are one for each head. NULL on failure: as there.
 * torch: torch.nn.functional.scaled_dot_product_attention */
HEED_API heed_tensor *heed_nn_dot_product_attention_masked(heed_nn_dot_product_attention *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor *valid_lens, heed_tensor *mask,
                                                           heed_tensor *bias, heed_tensor **weights);

/* -- Multi-head ---------------------------------------------------------------------------------------------------- */

/* What heed_nn_multi_head_attention_new may be told. */
typedef struct heed_nn_multi_head_attention_options {
    int64_t query_size, key_size, value_size; /* of what comes in; 0: hidden_size */
    double dropout;                           /* probability with which a weight is dropped while training; 0: none */
    bool causal;                              /* query i sees keys 0 .. i, of those that are valid */
    bool no_bias;                             /* in none of the four maps */
    bool no_out_bias;                         /* not in out_proj, as Qwen2 has it */
    bool rope;                                /* heed_rope turns queries and keys; the rope_ options need it */
    bool rope_interleaved;                    /* in pairs 2i and 2i + 1; else i and i + rope_dims / 2 */
    bool alibi;                               /* scores fall with the distance: slopes of ALiBi, a fixed one a head */
    double rope_base;                         /* 0: 10000 */
    int64_t rope_dims;                        /* of each head, so many numbers are turned, an even one; 0: all */
    int64_t kv_heads;                         /* of keys and values, for num_heads / kv_heads each; 0: num_heads */
    int64_t window;                           /* keys that a query sees, as in heed_attention_options; 0: all */
    heed_dtype dtype;                         /* of the parameters and the inputs; 0: f32 */
    int64_t head_dim;                         /* d, of a head; 0: hidden_size / num_heads */
    bool qk_norm;                             /* RMS norms of each head's queries and keys, before RoPE, as Qwen3 has;
                                                 right for finite ones of any size, as in heed_rms_norm */
    double qk_norm_eps;                       /* 0: 1e-5 */
    double rope_factor;                       /* positions are pressed together so many times: "linear"; 0: 1 */
    int64_t rope_original_len;                /* above 0: "llama3", where only slow pairs are; 0: all pairs */
    double rope_low_freq_factor;              /* of "llama3"; 0: 1 */
    double rope_high_freq_factor;             /* of "llama3"; 0: 4 */
    int64_t relative_positions;               /* R: a learnt bias for each head and distance -R .. R; 0: none */
    HEED_RESERVED;
} heed_nn_multi_head_attention_options;

/* num_heads dot-product attentions of size d = head_dim side by side, between linear maps. n = num_heads d, which is h
 * unless d is chosen, and g = kv_heads d. */
typedef struct heed_nn_multi_head_attention {
    heed_module base;                                           /* the module */
    int64_t hidden_size, num_heads, kv_heads, head_dim;         /* h, how many heads share n, and g, and d */
    heed_tensor *in_proj_weight;                                /* (n + 2 g, h); NULL when sizes differ, */
    heed_tensor *q_proj_weight, *k_proj_weight, *v_proj_weight; /* else these are: (n, query_size) and so on */
    heed_tensor *in_proj_bias;                                  /* (n + 2 g); NULL with no_bias */
    heed_nn_linear *out_proj;                                   /* (h, n) */
    heed_nn_rms_norm *q_norm, *k_norm;                          /* (d); NULL without qk_norm */
    heed_tensor *rope_frequencies;                              /* f64 (rope_dims / 2), scaled; NULL: of the base */
    heed_tensor *slopes;                                        /* (num_heads), of ALiBi; NULL: none */
    heed_tensor *relative_bias;                                 /* (num_heads, 2 relative_positions + 1); NULL: none */
    double dropout;                                             /* of weights, while training */
    bool causal;                                                /* as in the options */
    bool rope, rope_interleaved;                                /* as in the options, and these, too: */
    double rope_base;
    int64_t rope_dims, window;
} heed_nn_multi_head_attention;

/* Multi-head attention with the parameters of torch.nn.MultiheadAttention. These are "in_proj_weight" (3 h, h), the
 * maps of queries, keys and values one above the other, or "q_proj_weight" (h, query_size), "k_proj_weight"
 * (h, key_size) and "v_proj_weight" (h, value_size) when the sizes are not all h = hidden_size, each Glorot-uniform;
 * "in_proj_bias" (3 h), zeros; "out_proj.weight" (h, h), as heed_nn_linear_new, "out_proj.bias" (h), zeros. The book's
 * layer is this one with no_bias; its W_q, W_k, W_v, W_o are these.
 *
 * With head_dim queries are maps to n = num_heads head_dim, with kv_heads keys and values to g = kv_heads head_dim, so
 * in_proj is (n + 2 g, h) and out_proj (h, n). With qk_norm there are "q_norm.weight" and "k_norm.weight" (head_dim),
 * ones. RoPE turns each head's mapped queries and keys, ALiBi's slope of head i of a power of two n is 2^(-8 (i + 1) /
 * n), of another number as Press et al. have it; slopes are no parameters. With relative_positions R there is
 * "relative_bias" (num_heads, 2 R + 1), zeros, of distances -R .. R, as heed_attention_options has it.
 *
 * A rope_factor s divides RoPE's frequencies f, for texts s times as long as those that a model was trained on. With
 * rope_original_len L, the length of these, it leaves alone the pairs that turn often in L steps, as Llama 3.1 has it:
 *     f' = f (r + (1 - r) / s),   r = (L f / 2 pi - low) / (high - low), but at least 0 and at most 1
 * where low and high are rope_low_freq_factor and rope_high_freq_factor.
 *
 * NULL on failure: HEED_ERR_ARGUMENT for a size below 1, unless num_heads divides hidden_size or head_dim is given,
 * unless kv_heads divides num_heads, for a dropout outside [0, 1], a window below 0, a rope_base or rope_factor that is
 * negative or not finite, a rope_original_len below 0, unless low is below high, for rope_dims that are odd or no part
 * of a head, and for relative_positions outside 0 .. 2^32; HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_NOMEM.
 * A. Vaswani et al.: Attention Is All You Need (NeurIPS 2017); heed/ops/attention.h and heed_rope have the others.
 * torch: torch.nn.MultiheadAttention */
HEED_API HEED_NODISCARD heed_nn_multi_head_attention *
heed_nn_multi_head_attention_new(int64_t hidden_size, int64_t num_heads,
                                 const heed_nn_multi_head_attention_options *options);

/* num_heads attentions of size hidden_size / num_heads side by side, mapped by out_proj: queries (B, Q, query_size),
 * keys (B, K, key_size), values (B, K, value_size) -> (B, Q, hidden_size). valid_lens i64 (B) or (B, Q), or NULL.
 * *weights receives (B, num_heads, Q, K), before dropout; NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for
 * NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. K, HEED_ERR_NOMEM.
 * torch: torch.nn.MultiheadAttention.forward */
HEED_API heed_tensor *heed_nn_multi_head_attention_forward(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values,
                                                           heed_tensor *valid_lens, heed_tensor **weights);

/* The same where a query sees a key only if a mask or a bias lets it, too. mask, bool, true where it sees it (PyTorch's
 * attn_mask is true where not), and bias, of the layer's dtype, added to the scores and differentiable, -inf where it
 * does not: both broadcast to (B, num_heads, Q, K) from the last axis on, or are NULL. So one for all is (Q, K), and
 * one for each batch element (B, 1, Q, K), which heed_unsqueeze(mask, 1) makes of (B, Q, K). Three axes are one for
 * each head, (num_heads, Q, K) or (1, Q, K): (B, Q, K) is HEED_ERR_SHAPE where B is neither 1 nor num_heads, and where
 * B is num_heads it is read as one for each head, without an error. NULL on failure: as there.
 * torch: torch.nn.MultiheadAttention.forward */
HEED_API heed_tensor *heed_nn_multi_head_attention_masked(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                          heed_tensor *keys, heed_tensor *values,
                                                          heed_tensor *valid_lens, heed_tensor *mask, heed_tensor *bias,
                                                          heed_tensor **weights);

/* -- Keys and values kept for prediction -----------------------------------------------------------------------------
 *
 *     heed_kv_cache *cache = heed_kv_cache_new(NULL);
 *     for (int64_t t = 0; t < steps; t++)
 *         x[t + 1] = heed_nn_multi_head_attention_cached(net, x[t], x[t], x[t], NULL, cache, NULL);
 *     heed_kv_cache_free(cache);
 *
 * A step of prediction maps only what is new; the keys and values of all steps before are in the cache. One cache
 * serves all layers of a model, as each attention finds there what it has put there. A function that takes a cache
 * records no graph, and leaves the cache as it was when it fails. A cache belongs to one thread at a time. */

/* The keys and values of a model's attentions, of all steps so far. */
typedef struct heed_kv_cache heed_kv_cache;

/* What heed_kv_cache_new may be told. */
typedef struct heed_kv_cache_options {
    int64_t capacity; /* how many steps there is room for at first; doubled whenever it is full; 0: 32 */
    HEED_RESERVED;
} heed_kv_cache_options;

/* An empty cache, for one model. NULL on failure: HEED_ERR_ARGUMENT for a capacity below 0, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_kv_cache *heed_kv_cache_new(const heed_kv_cache_options *options);

/* Frees a cache. NULL is ignored. */
HEED_API void heed_kv_cache_free(heed_kv_cache *cache);

/* Empties the cache, for other sequences, of any batch size; its memory is used again if that stays the same.
 * HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_kv_cache_clear(heed_kv_cache *cache);

/* Texts of unequal lengths that are written on together: prompts are padded on the left, with any token, and
 *     heed_kv_cache_pad(cache, padding);
 * says that sequence i begins with padding[i] steps, i64 (B), that are none. No causal attention that is given the
 * cache sees them, and heed_nn_decoder and heed_nn_transformer_decoder count positions from behind them, so each text
 * has the numbers it has alone, but for rounding. What comes out at padded steps means nothing. Padding is on the left,
 * where it leaves the distances between steps, which RoPE, ALiBi, relative biases and windows go by, and the last step
 * of a prompt is the last of all; how much of an encoder's results counts is said by memory_lens. The cache has to be
 * empty; heed_kv_cache_clear forgets the padding, heed_kv_cache_select takes its rows along. HEED_ERR_ARGUMENT for
 * NULL, and a padding below 0; HEED_ERR_STATE for a cache that has steps; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM: then nothing has changed. */
HEED_API heed_status heed_kv_cache_pad(heed_kv_cache *cache, heed_tensor *padding);

/* How many steps the cache holds of the attention that used it first: the position at which the next step stands. 0
 * with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_kv_cache_length(const heed_kv_cache *cache);

/* Sequence i becomes what sequence rows[i] was, in all layers; rows is i64 (n), and n the batch size from then on. So
 * beam search goes on from the best of its sequences. HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_INDEX, HEED_ERR_NOMEM: then nothing has changed. */
HEED_API heed_status heed_kv_cache_select(heed_kv_cache *cache, heed_tensor *rows);

/* Appends new keys (B, K, key_size) and values (B, K, value_size) to those in the cache, unless both are NULL, and
 * returns the attention of queries (B, Q, query_size) to all that are then there, (B, Q, hidden_size). In an attention
 * that is causal or goes by distances (as before) the queries are the last Q of these steps, and a causal query
 * sees the steps up to its own. In one that is not causal valid_lens, i64 (B), may come with the first keys, and says
 * how many of them are seen; it is kept with them, and no further keys can follow. *weights receives (B, num_heads, Q,
 * steps), NULL: not wanted. NULL on failure: HEED_ERR_ARGUMENT for NULL, for one of keys and values without the other,
 * for lengths in a causal attention or without keys; HEED_ERR_STATE for no keys at all, and for keys after lengths;
 * HEED_ERR_SHAPE, also for another B than the cache has, and for more queries than steps, whose last ones they would
 * be; HEED_ERR_DTYPE, HEED_ERR_INDEX, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_multi_head_attention_cached(heed_nn_multi_head_attention *net, heed_tensor *queries,
                                                          heed_tensor *keys, heed_tensor *values,
                                                          heed_tensor *valid_lens, heed_kv_cache *cache,
                                                          heed_tensor **weights);

HEED_END_DECLS

#endif
