/* heed/nn/decoder.h - decoder-only Transformers: GPT-2, Llama, Mistral and Qwen, selected by options. The rules in
 * heed/nn.h hold here too.
 *
 *     GPT-2      {.max_len = 1024, .tied = true}
 *     Llama      {.rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 8, .rope_base = 500000}
 *     Llama 3.1  {as Llama, .rope_scaling = HEED_ROPE_LLAMA3, .rope_factor = 8, .rope_original_len = 8192}
 *     Mistral    {as Llama, .rope_base = 10000, .window = 4096}, Nemo: .head_dim = 128
 *     Qwen2      {as Llama, .qkv_bias = true, .rope_base = 1000000, .eps = 1e-6}
 *     Qwen3      {as Llama, .qk_norm = true, .head_dim = 128, .rope_base = 1000000, .eps = 1e-6}
 *     MPT        {.alibi = true, .no_bias = true, .activation = heed_gelu, .tied = true}, (its files cannot be loaded)
 *
 * The sizes are in the model's config.json. Its rope_scaling contains the name of the scaling, rope_type or type, and
 * its options: factor, low_freq_factor, high_freq_factor, attention_factor, beta_slow (here rope_low_freq_factor),
 * beta_fast (rope_high_freq_factor), truncate (if it is false: rope_no_truncate) and original_max_position_embeddings
 * (rope_original_len; if it is missing, max_position_embeddings). The following code loads a model of the Hugging Face
 * Hub and continues a prompt, i64 (B, T):
 *
 *     heed_nn_decoder *net = heed_nn_decoder_new(32000, 2048, 32, 5632, 22, &(heed_nn_decoder_options){
 *         .rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 4});
 *     heed_dict *weights = heed_io_safetensors_read("TinyLlama/model.safetensors", NULL);
 *     heed_nn_decoder_load(net, weights);
 *     heed_dict_free(weights);
 *     heed_module_eval(&net->base);
 *
 *     heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
 *     heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &context, prompt, 100, end, &sampling);
 *     heed_kv_cache_free(context.cache);
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_DECODER_H
#define HEED_NN_DECODER_H

#include <heed/nn/transformer.h>

HEED_BEGIN_DECLS

/* Options of heed_nn_decoder_new; NULL: as GPT-2, except that the output is not tied to the embedding. */
typedef struct heed_nn_decoder_options {
    double dropout;             /* of embeddings, attention weights and terms added to x; 0: no dropout */
    double eps;                 /* of the norms; 0: 1e-5 */
    heed_activation activation; /* NULL: heed_gelu_tanh, or heed_silu if gated */
    bool rms_norm;              /* RMS norms instead of layer norms */
    bool gated;                 /* linear2(activation(gate(x)) linear1(x)), as in SwiGLU */
    bool no_bias;               /* maps and norms have no biases */
    bool qkv_bias;              /* with no_bias: the maps of queries, keys and values still have biases */
    bool rope;                  /* queries and keys are rotated by their positions; positions are not learned */
    bool alibi;                 /* scores fall with distance, by ALiBi's slopes; positions are not learned */
    double rope_base;           /* 0: 10000 */
    int64_t max_len;            /* maximum steps of a sequence if positions are learned; 0: 1024 */
    int64_t kv_heads;           /* heads of keys and values, each for num_heads / kv_heads query heads; 0: num_heads */
    int64_t window;             /* number of visible steps, including the step itself; 0: no limit */
    bool tied;                  /* the output map uses embedding.weight */
    heed_dtype dtype;           /* of the parameters; 0: f32 */
    int64_t head_dim;           /* size of a head; 0: hidden_size / num_heads */
    bool qk_norm;               /* RMS norms of the queries and keys of every head */
    bool rope_interleaved;      /* RoPE rotates the pairs 2i, 2i + 1, as in GGUF files of Llama; else i, i + d / 2 */
    heed_rope_scaling rope_scaling; /* this and the next six are as in multi-head attention */
    double rope_factor;             /* 0: 1 */
    int64_t rope_original_len;      /* length of the training texts; required except by "linear" scaling */
    double rope_low_freq_factor;    /* 0: 1 */
    double rope_high_freq_factor;   /* 0: 4, for "yarn" 32 */
    double rope_attention_factor;   /* 0: 0.1 ln(rope_factor) + 1, for "yarn" */
    bool rope_no_truncate;          /* pairs at the ends of the ramp of "yarn" are not rounded */
    HEED_RESERVED;
} heed_nn_decoder_options;

/* A decoder-only Transformer: embedding, num_layers pre-norm blocks, norm, output map. */
typedef struct heed_nn_decoder {
    heed_module base;                        /* the module */
    heed_nn_embedding *embedding;            /* (vocab_size, hidden_size) */
    heed_nn_embedding *positions;            /* (max_len, hidden_size); NULL with rope or alibi */
    heed_module **layers;                    /* num_layers blocks */
    int64_t num_layers;                      /* number of blocks */
    heed_module *norm;                       /* after the last block: heed_nn_layer_norm, or heed_nn_rms_norm */
    heed_nn_linear *dense;                   /* hidden_size to vocab_size, without a bias; NULL if tied */
    heed_nn_multi_head_attention *attention; /* attention of the first block; all blocks have the same sizes and
                                                dtype */
    double dropout;                          /* of embeddings, while training */
} heed_nn_decoder;

/* Makes a decoder-only Transformer. Its parameters, with h = hidden_size:
 *
 *     embedding.weight (vocab_size, h)    positions.weight (max_len, h), without rope and alibi
 *     layers.0.norm1.weight, .bias        layers.0.self_attn. ..., of heed_nn_multi_head_attention_new
 *     layers.0.norm2.weight, .bias        layers.0.gate.weight (ffn_size, h), .bias, if gated
 *     layers.0.linear1.weight (ffn_size, h), .bias    layers.0.linear2.weight (h, ffn_size), .bias
 *     ...
 *     norm.weight, .bias                  dense.weight (vocab_size, h), unless tied
 *
 * Matrices are drawn from N(0, 0.02^2), except for out_proj and linear2, whose results are added to x: these are drawn
 * from N(0, 0.02^2 / (2 num_layers)). Biases are 0. RoPE and ALiBi have no parameters, and a decoder may use both.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for a size below 1, more than 2^12 layers, a num_heads that does not divide hidden_size
 * (allowed if head_dim is given), a kv_heads that does not divide num_heads, heads of odd size with rope, a dropout
 * outside [0, 1], an invalid eps, a window below 0, and RoPE options that heed_nn_multi_head_attention_new refuses;
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_NOMEM.
 * Reference: A. Radford et al.: Language Models are Unsupervised Multitask Learners (2019). H. Touvron et al.: LLaMA
 * (2023). O. Press, N. Smith, M. Lewis: Train Short, Test Long (ICLR 2022), for ALiBi. */
HEED_API HEED_NODISCARD heed_nn_decoder *heed_nn_decoder_new(int64_t vocab_size, int64_t hidden_size, int64_t num_heads,
                                                             int64_t ffn_size, int64_t num_layers,
                                                             const heed_nn_decoder_options *options);

/* Copies a checkpoint of the Hugging Face Hub into the decoder. `from` has the names of GPT-2 ("h.0.attn.c_attn.weight"
 * and so on, with or without "transformer." in front), whose matrices are transposed, or the names that Llama, Mistral
 * and Qwen share ("model.layers.0.self_attn.q_proj.weight" and so on); the names determine the format. Read the
 * checkpoint with heed_io_safetensors_read, from its index if it consists of several files.
 * Numbers of a different floating-point dtype are converted to the decoder's dtype. The causal masks and RoPE
 * frequencies in such files are ignored, and so is "lm_head.weight" if the output is tied and it equals the embedding.
 * After a failure the decoder is unchanged.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, for missing or unexpected names and different shapes, which the message lists as
 * heed_dict_load does, and if the file has a tied output map but the decoder does not, or the reverse (the message says
 * how to set .tied); HEED_ERR_NOMEM. */
HEED_API heed_status heed_nn_decoder_load(heed_nn_decoder *net, const heed_dict *from);

/* Makes a decoder from a GGUF file of a model of the architecture "llama" (Llama and Mistral), "qwen2" or "qwen3": its
 * options from the keys, its parameters from the tensors.
 *
 *     heed_dict *file = heed_io_gguf_read("qwen3-0.6b-q8_0.gguf", NULL);
 *     heed_nn_decoder *net = heed_nn_decoder_from_gguf(file, HEED_F32);
 *     heed_dict_free(file);
 *
 * Numbers of the file are converted to `dtype`, of the parameters; 0: f32. The output is tied if the file lacks
 * "output.weight". RoPE rotates neighbouring pairs in "llama", as llama.cpp does, whose converter permutes the maps of
 * queries and keys. RoPE's frequencies are scaled as the keys "rope.scaling..." and the tensor "rope_freqs.weight"
 * describe, and "attention.sliding_window" is the window. The file's vocabulary is not read: tokens are numbers.
 *
 * Returns NULL on failure; free the decoder with heed_module_free.
 * Errors: HEED_ERR_ARGUMENT for NULL, a missing key, a key without a number in its range, and missing or unexpected
 * tensors; HEED_ERR_SHAPE for tensors whose shapes do not fit the keys; HEED_ERR_UNSUPPORTED for a different
 * architecture, a key of the architecture that heed does not know, such as one of experts, and a value that it does not
 * support; the errors of heed_nn_decoder_new and heed_nn_decoder_load. Messages name the key or the tensor. */
HEED_API HEED_NODISCARD heed_nn_decoder *heed_nn_decoder_from_gguf(const heed_dict *from, heed_dtype dtype);

/* Predicts the token after every step of `tokens`, i64 (B, T), as logits (B, T, vocab_size):
 *     x = dropout(embedding(tokens) + positions(0 .. T - 1)),
 *     x = x + dropout(attention(norm1(x))),   x = x + dropout(feed_forward(norm2(x)))   for every block,
 *     y = norm(x) dense^T
 * where feed_forward(x) is linear2(activation(linear1(x))), or linear2(activation(gate(x)) linear1(x)). A step sees
 * itself and earlier steps. *weights, unless `weights` is NULL, receives (num_layers, B, num_heads, T, T);
 * heed_module_forward passes NULL.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE, also for more than max_len steps if positions are learned;
 * HEED_ERR_DTYPE; HEED_ERR_INDEX for a token outside the vocabulary; the errors of the activation; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_nn_decoder_forward(heed_nn_decoder *net, heed_tensor *tokens, heed_tensor **weights);

/* The `user` argument of heed_nn_decoder_step: a model, and the cache of the sequences that it continues. */
typedef struct heed_nn_decoder_context {
    heed_nn_decoder *net;
    heed_kv_cache *cache;
} heed_nn_decoder_context;

/* Computes a step of heed_generate and heed_beam_search (heed/generate.h); `user` is a heed_nn_decoder_context. It
 * selects `rows` of the cache unless they are NULL, appends `tokens`, i64 (N, T) with T at least 1, and returns the
 * logits (N, vocab_size) after the last token. To continue prompts of unequal lengths together, pad them on the left
 * and call heed_kv_cache_pad; the results are the same as for every prompt alone.
 *
 * Returns NULL on failure; if `rows` are given the cache may still have been reordered.
 * Errors: HEED_ERR_ARGUMENT for NULL; the errors of heed_kv_cache_select and heed_nn_decoder_forward_with;
 * HEED_ERR_SHAPE for an empty step. */
HEED_API heed_tensor *heed_nn_decoder_step(heed_tensor *tokens, heed_tensor *rows, void *user);

/* -- Expert calls -------------------------------------------------------------------------------------------------- */

/* Computes heed_nn_decoder_forward with optional arguments, in all blocks: a mask, a bias, a cache, as described at
 * heed_nn_attention_call. A step never sees a later one, whatever the mask. *weights receives (num_layers, B,
 * num_heads, T, all steps).
 *
 * One row may hold several texts if a mask hides them from each other. With rope or alibi, which depend only on
 * distances, the results for every text are then the same as for the text alone, except for rounding. Learned
 * positions, however, count from the beginning of the row.
 *
 * Returns NULL on failure.
 * Errors: as heed_nn_decoder_forward; HEED_ERR_ARGUMENT for an unsupported field, and for valid_lens with a cache;
 * HEED_ERR_SHAPE if B differs from the cache. */
HEED_API heed_tensor *heed_nn_decoder_forward_with(heed_nn_decoder *net, heed_tensor *tokens,
                                                   const heed_nn_attention_call *call);

HEED_END_DECLS

#endif
