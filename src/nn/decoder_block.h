/* nn/decoder_block.h - the block of a decoder-only Transformer. */
#ifndef HEED_NN_DECODER_BLOCK_H
#define HEED_NN_DECODER_BLOCK_H

#include "nn/layer.h"

typedef struct heed__decoder_block {
    heed_module base;
    heed_module *norm1, *norm2;
    heed_nn_multi_head_attention *self_attn;
    heed_nn_linear *gate, *linear1, *linear2; /* gate: NULL unless it is gated */
    heed_activation activation;
    double dropout;
} heed__decoder_block;

/* A norm of x (..., h), a child of that name. NULL after heed_fail. */
heed_module *heed__decoder_norm(heed_module *m, const char *name, int64_t hidden_size,
                                const heed_nn_decoder_options *options);

/* NULL after heed_fail. */
heed__decoder_block *heed__decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size,
                                             const heed_nn_decoder_options *options);

/* What all blocks of a call are told. */
typedef struct heed__decoder_sight {
    heed_tensor *mask, *bias; /* as heed_nn_multi_head_attention_masked; NULL with a cache */
    heed_kv_cache *cache;     /* NULL: none, and a graph where one is recorded */
} heed__decoder_sight;

/* x (B, T, h) to the same shape. *weights as heed_nn_multi_head_attention_forward. */
heed_tensor *heed__decoder_block_run(heed__decoder_block *net, heed_tensor *x, const heed__decoder_sight *see,
                                     heed_tensor **weights);

#endif
