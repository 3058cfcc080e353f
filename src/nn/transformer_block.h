/* nn/transformer_block.h - shared by Transformers: the feed-forward, blocks, and lists of blocks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_TRANSFORMER_BLOCK_H
#define HEED_NN_TRANSFORMER_BLOCK_H

#include "nn/layer.h"

/* Sizes and options of a block. */
typedef struct heed__block_settings {
    int64_t hidden_size, num_heads, ffn_size;
    const heed_nn_transformer_options *options;
} heed__block_settings;

/* -- Components of blocks ------------------------------------------------------------------------------------------ */

/* linear2(activation(linear1(x))), or with a gate linear2(activation(gate(x)) linear1(x)) */
typedef struct heed__feed_forward {
    heed_nn_linear *gate, *linear1, *linear2; /* gate is NULL unless gated */
    heed_activation activation;
} heed__feed_forward;

/* Adds the linear maps as children of m. Returns false after heed_fail. */
bool heed__feed_forward_make(heed_module *m, int64_t hidden_size, int64_t ffn_size,
                             const heed_nn_feed_forward_options *o, heed__feed_forward *f);

/* Applies the feed-forward, with dropout before linear2. Returns NULL after heed_fail. */
heed_tensor *heed__feed_forward_run(const heed__feed_forward *f, double dropout, heed_tensor *x);

/* Returns dropout(x + P[first : first + T]) for x (B, T, h). Returns NULL after heed_fail. */
heed_tensor *heed__positional_encoding_add(const char *where, heed_nn_positional_encoding *net, heed_tensor *x,
                                           int64_t first);

/* Returns x + dropout(y), the residual connection. */
heed_tensor *heed__residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y);

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

/* Create a block. Return NULL after heed_fail. */
heed_nn_transformer_encoder_block *heed__transformer_encoder_block(const heed__block_settings *settings);
heed_nn_transformer_decoder_block *heed__transformer_decoder_block(const heed__block_settings *settings);

/* -- Lists of blocks, in nn/transformer.c -------------------------------------------------------------------------- */

/* Checks the sizes of a list of blocks with an embedding, or without one if vocab_size is 0. Returns false after
 * heed_fail. */
bool heed__block_list_check(const char *where, int64_t vocab_size, int64_t hidden_size, int64_t num_layers);

/* Creates block `index` of `net`. `args` is the last argument of heed__block_list_make. */
typedef heed_module *(*heed__block_constructor)(heed_module *net, int64_t index, const void *args);

/* Creates the blocks as children of the new child "layers" and initialises their parameters by `draw`, whose second
 * argument is `net`. Returns false after heed_fail. */
bool heed__block_list_make(heed_module *net, int64_t num_layers, heed_module_visitor draw, heed__block_constructor make,
                           const void *args);

/* Runs block `index` on x. `args` is the argument of heed__block_list_run. */
typedef heed_tensor *(*heed__block_fn)(const void *args, int64_t index, heed_tensor *x,
                                       const heed_nn_attention_call *call);

/* Runs x through all blocks and returns the result. Stores the stacked weights of all blocks, (num_layers, ...), in
 * *call->weights and *call->memory_weights if they are requested. Returns NULL after heed_fail. */
heed_tensor *heed__block_list_run(heed__block_fn run, const void *args, int64_t num_layers, heed_tensor *x,
                                  const heed_nn_attention_call *call);

#endif
