/* nn/decoder_block.h - the block of a decoder-only Transformer. */
#ifndef HEED_NN_DECODER_BLOCK_H
#define HEED_NN_DECODER_BLOCK_H

#include "nn/layer.h"

typedef struct heed__decoder_block {
    heed_module base;
    heed_module *norm1, *norm2;
    heed_nn_multi_head_attention *self_attn;
    heed_nn_linear *gate, *linear1, *linear2; /* gate is NULL unless gated */
    heed_activation activation;
    double dropout;
} heed__decoder_block;

/* Adds a norm of the last axis, of hidden_size elements, as the child `name`. Returns NULL after heed_fail. */
heed_module *heed__decoder_norm(heed_module *m, const char *name, int64_t hidden_size,
                                const heed_nn_decoder_options *options);

/* Creates a block. Returns NULL after heed_fail. */
heed__decoder_block *heed__decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                             const heed_nn_decoder_options *options);

/* Arguments of a call that all blocks share. */
typedef struct heed__decoder_block_args {
    heed_tensor *mask, *bias; /* arguments of heed_nn_multi_head_attention_masked; NULL with a cache */
    heed_kv_cache *cache;     /* NULL runs without a cache and records a graph if enabled */
} heed__decoder_block_args;

/* Maps x (B, T, h) to the result (B, T, h). Sets *weights to the attention weights, unless weights is NULL. Returns
 * NULL after heed_fail. */
heed_tensor *heed__decoder_block_run(heed__decoder_block *net, heed_tensor *x, const heed__decoder_block_args *args,
                                     heed_tensor **weights);

#endif
