/* heed/nn/decoder.h - decoder-only Transformers: GPT-2, Llama, Mistral, Qwen, by options. What heed/nn.h says of all
 * layers holds here.
 *
 *     GPT-2      {.max_len = 1024, .tied = true}
 *     Llama      {.rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 8, .rope_base = 500000}
 *     Llama 3.1  {as Llama, .rope_factor = 8, .rope_original_len = 8192}
 *     Mistral    {as Llama, .rope_base = 10000, .window = 4096}, Nemo: .head_dim = 128
 *     Qwen2      {as Llama, .qkv_bias = true, .rope_base = 1000000, .eps = 1e-6}
 *     Qwen3      {as Llama, .qk_norm = true, .head_dim = 128, .rope_base = 1000000, .eps = 1e-6}
 *     MPT        {.alibi = true, .no_bias = true, .activation = heed_gelu, .tied = true}, whose files are not read
 *
 * with the sizes in the model's config.json, where rope_scaling has factor, low_freq_factor, high_freq_factor and
 * original_max_position_embeddings: rope_original_len, for a rope_type of "llama3"; "linear" has a factor alone. A
 * model of the Hub, and what it writes behind a prompt i64 (B, T):
 *
 *     heed_nn_decoder *net = heed_nn_decoder_new(32000, 2048, 32, 5632, 22, &(heed_nn_decoder_options){
 *         .rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 4});
 *     heed_dict *weights = heed_io_safetensors_read("TinyLlama/model.safetensors", NULL);
 *     heed_nn_decoder_load(net, weights);
 *     heed_dict_free(weights);
 *     heed_module_eval(&net->base);
 *
 *     heed_nn_decoder_text text = {net, heed_kv_cache_new(NULL)};
 *     heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &text, prompt, 100, end, &sampling);
 *     heed_kv_cache_free(text.cache);
 */
#ifndef HEED_NN_DECODER_H
#define HEED_NN_DECODER_H

#include <heed/nn/transformer.h>

HEED_BEGIN_DECLS

/* What heed_nn_decoder_new may be told. NULL: GPT-2, but for the tied output. */
typedef struct heed_nn_decoder_options {
    double dropout;               /* of embeddings, of weights and of what is added to x; 0: none */
    double eps;                   /* of the norms; 0: 1e-5 */
    heed_activation activation;   /* NULL: heed_gelu_tanh, or heed_silu where it is gated */
    bool rms_norm;                /* RMS norms, not layer norms */
    bool gated;                   /* the feed-forward is a product of two maps, one of them activated: SwiGLU */
    bool no_bias;                 /* in no map and no norm */
    bool qkv_bias;                /* with no_bias: in the maps of queries, keys and values all the same */
    bool rope;                    /* queries and keys are turned by their positions, and no positions are learned */
    bool alibi;                   /* scores fall with the distance, by ALiBi's slopes, and no positions are learned */
    double rope_base;             /* 0: 10000 */
    int64_t max_len;              /* most steps of a sequence where positions are learned; 0: 1024 */
    int64_t kv_heads;             /* of keys and values, for num_heads / kv_heads each; 0: num_heads */
    int64_t window;               /* steps that a step sees, its own included; 0: all before */
    bool tied;                    /* the output map is the embedding */
    heed_dtype dtype;             /* of the parameters; 0: f32 */
    int64_t head_dim;             /* of a head; 0: hidden_size / num_heads */
    bool qk_norm;                 /* RMS norms of each head's queries and keys */
    double rope_factor;           /* this and the next three stretch RoPE, as heed_nn_multi_head_attention_new; 0: 1 */
    int64_t rope_original_len;    /* 0: all pairs are stretched alike */
    double rope_low_freq_factor;  /* 0: 1 */
    double rope_high_freq_factor; /* 0: 4 */
    HEED_RESERVED;
} heed_nn_decoder_options;

/* Embedding, num_layers pre-norm blocks, norm, output map. */
typedef struct heed_nn_decoder {
    heed_module base;                        /* the module */
    heed_nn_embedding *embedding;            /* (vocab_size, hidden_size) */
    heed_nn_embedding *positions;            /* (max_len, hidden_size); NULL with rope, and with alibi */
    heed_module **layers;                    /* num_layers blocks */
    int64_t num_layers;                      /* how many */
    heed_module *norm;                       /* behind the last: heed_nn_layer_norm, or heed_nn_rms_norm */
    heed_nn_linear *dense;                   /* hidden_size to vocab_size, without a bias; NULL where it is tied */
    heed_nn_multi_head_attention *attention; /* of the first block: sizes and dtype are those of all */
    double dropout;                          /* of embeddings, while training */
} heed_nn_decoder;

/* A decoder-only Transformer. Parameters, with h = hidden_size:
 *
 *     embedding.weight (vocab_size, h)    positions.weight (max_len, h), with neither rope nor alibi
 *     layers.0.norm1.weight, .bias        layers.0.self_attn. ..., of heed_nn_multi_head_attention_new
 *     layers.0.norm2.weight, .bias        layers.0.gate.weight (ffn_size, h), .bias, where it is gated
 *     layers.0.linear1.weight (ffn_size, h), .bias    layers.0.linear2.weight (h, ffn_size), .bias
 *     ...
 *     norm.weight, .bias                  dense.weight (vocab_size, h), unless it is tied
 *
 * Matrices are N(0, 0.02^2), those of out_proj and linear2, whose results are added to x, N(0, 0.02^2 / (2
 * num_layers)), biases 0. RoPE and ALiBi have no parameters, and a decoder may have both, as its attentions may. NULL
 * on failure: HEED_ERR_ARGUMENT for a size below 1, more than 2^12 layers, unless num_heads divides hidden_size or
 * head_dim is given, unless kv_heads divides num_heads, for heads of odd size with rope, a dropout outside [0, 1], a
 * bad eps, a window below 0 and RoPE as heed_nn_multi_head_attention_new; HEED_ERR_SHAPE, HEED_ERR_DTYPE,
 * HEED_ERR_NOMEM. A. Radford et al.: Language Models are Unsupervised Multitask Learners (2019). H. Touvron et al.:
 * LLaMA (2023). O. Press, N. Smith, M. Lewis: Train Short, Test Long (ICLR 2022), of ALiBi. */
HEED_API HEED_NODISCARD heed_nn_decoder *heed_nn_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads,
                                                             int64_t ffn_size, int64_t num_layers,
                                                             const heed_nn_decoder_options *options);

/* What follows each step of `tokens`, i64 (B, T), as logits (B, T, vocab_size):
 *     x = dropout(embedding(tokens) + positions(0 .. T - 1)),
 *     x = x + dropout(attention(norm1(x))),   x = x + dropout(feed_forward(norm2(x)))   for each block,
 *     y = norm(x) dense^T
 * where feed_forward(x) is linear2(activation(linear1(x))), or linear2(activation(gate(x)) linear1(x)). A step sees
 * those before it and itself. *weights receives (num_layers, B, num_heads, T, T), NULL: not wanted; heed_module_forward
 * passes NULL. NULL on failure: HEED_ERR_ARGUMENT for NULL, HEED_ERR_SHAPE, also for more than max_len steps where
 * positions are learned, HEED_ERR_DTYPE, HEED_ERR_INDEX for a token outside the vocabulary, what the activation fails
 * with, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_decoder_forward(heed_nn_decoder *net, heed_tensor *tokens, heed_tensor **weights);

/* The same where a step sees another only if mask and bias let it, too, in all blocks: mask, bool, is true where it
 * sees it; bias, of the decoder's dtype, is added to the scores and differentiable, -inf where it does not see it. Both
 * broadcast to (B, num_heads, T, T), or are NULL; one for each sequence is (B, 1, T, T), as
 * heed_nn_multi_head_attention_masked has it. A step still sees no later one. So one row may be several texts, of which
 * a mask lets each see itself alone: with rope or alibi, which go by distances, each has the numbers that it has by
 * itself, but for rounding; learned positions count from the row's beginning. NULL on failure: as
 * heed_nn_decoder_forward. */
HEED_API heed_tensor *heed_nn_decoder_masked(heed_nn_decoder *net, heed_tensor *tokens, heed_tensor *mask,
                                             heed_tensor *bias, heed_tensor **weights);

/* The decoder for prediction: `tokens` are the steps that follow those in the cache, which then has them too. The
 * numbers are those of heed_nn_decoder_forward, at the cost of the new steps. *weights receives
 * (num_layers, B, num_heads, T, all steps), NULL: not wanted. No graph is recorded. NULL on failure, which leaves the
 * cache as it was: as there, and HEED_ERR_SHAPE for another B than the cache has. */
HEED_API heed_tensor *heed_nn_decoder_cached(heed_nn_decoder *net, heed_tensor *tokens, heed_kv_cache *cache,
                                             heed_tensor **weights);

/* What heed_nn_decoder_step goes on with: sequences that a model writes. */
typedef struct heed_nn_decoder_text {
    heed_nn_decoder *net;
    heed_kv_cache *cache;
} heed_nn_decoder_text;

/* Prompts of unequal lengths go on together, each as if alone: pad them on the left, and say so by heed_kv_cache_pad.
 *
 * The step that heed_generate and heed_beam_search take (heed/generate.h), with a heed_nn_decoder_text for `user`: the
 * logits (N, vocab_size) behind the last of `tokens`, i64 (N, T) of at least one step, after rows of the cache were
 * selected. NULL on failure: HEED_ERR_ARGUMENT for NULL, as heed_kv_cache_select and heed_nn_decoder_cached, and
 * HEED_ERR_SHAPE for no step; where `rows` are given the cache may have been reordered all the same. */
HEED_API heed_tensor *heed_nn_decoder_step(heed_tensor *tokens, heed_tensor *rows, void *user);

/* Copies a checkpoint of the Hugging Face Hub into the decoder: `from` has the names of GPT-2 ("h.0.attn.c_attn.weight"
 * and so on, behind "transformer." or not), whose matrices are transposed, or those that Llama, Mistral and Qwen share
 * ("model.layers.0.self_attn.q_proj.weight" and so on), as read by heed_io_safetensors_read or, of many files,
 * heed_io_safetensors_read_shards. Which of these it is follows from the names. Numbers of another floating-point dtype
 * are converted to the decoder's. What such files also have, causal masks and RoPE's frequencies, is passed over, and
 * so is "lm_head.weight" where the output is tied and it equals the embedding. HEED_ERR_ARGUMENT for NULL, for names
 * missing or unexpected and other shapes, which the message lists as heed_dict_load does, and for a file whose output
 * map is tied if the decoder's is not, or the reverse: the message says how to set .tied. HEED_ERR_NOMEM. After a
 * failure nothing has changed. */
HEED_API heed_status heed_nn_decoder_load(heed_nn_decoder *net, const heed_dict *from);

HEED_END_DECLS

#endif
