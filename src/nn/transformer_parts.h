/* nn/transformer_parts.h - what the blocks of a Transformer are made of. */
#ifndef HEED_NN_TRANSFORMER_PARTS_H
#define HEED_NN_TRANSFORMER_PARTS_H

#include "nn/layer.h"

/* What all parts of a block are told. */
typedef struct heed__transformer_parts {
    int64_t hidden_size, num_heads, ffn_size;
    double dropout, eps;
    bool no_bias, gated;
    heed_dtype dtype;
    const heed_nn_multi_head_attention_options *attention; /* of self-attention besides; NULL: nothing */
} heed__transformer_parts;

/* Sizes, dropout and dtype, and that `attention` tells none of these, for the constructor `where`. False after
 * heed_fail. */
bool heed__transformer_check(const char *where, const heed__transformer_parts *parts);

/* Each makes a child of that name, or those of a feed-forward, of which *gate is not written unless it is gated:
 * NULL, or false, after heed_fail. `besides` is what attention is told besides; NULL: nothing. */
heed_nn_multi_head_attention *heed__transformer_attention(heed_module *m, const char *name,
                                                          const heed__transformer_parts *parts, bool causal,
                                                          const heed_nn_multi_head_attention_options *besides);
heed_nn_layer_norm *heed__transformer_norm(heed_module *m, const char *name, const heed__transformer_parts *parts);
bool heed__transformer_linears(heed_module *m, const heed__transformer_parts *parts, heed_nn_linear **gate,
                               heed_nn_linear **linear1, heed_nn_linear **linear2);

/* The feed-forward's, unless one is given. */
heed_activation heed__transformer_activation(heed_activation given, bool gated);

/* linear2(dropout(activation(linear1(x)))), or with a gate linear2(dropout(activation(gate(x)) linear1(x))). */
heed_tensor *heed__transformer_feed(heed_nn_linear *gate, heed_nn_linear *linear1, heed_nn_linear *linear2,
                                    heed_activation activation, double dropout, bool training, heed_tensor *x);

/* x + dropout(y), the residual connection. */
heed_tensor *heed__transformer_residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y);

#endif
