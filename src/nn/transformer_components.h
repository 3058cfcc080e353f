/* nn/transformer_components.h - the components of Transformer blocks. */
#ifndef HEED_NN_TRANSFORMER_COMPONENTS_H
#define HEED_NN_TRANSFORMER_COMPONENTS_H

#include "nn/layer.h"

/* Settings shared by all components of a block. */
typedef struct heed__transformer_settings {
    int64_t hidden_size, num_heads, ffn_size;
    double dropout, eps;
    bool no_bias, gated;
    heed_dtype dtype;
    const heed_nn_multi_head_attention_options *attention; /* additional options of self-attention, or NULL */
} heed__transformer_settings;

/* Checks sizes, dropout and dtype for the constructor `where`, and that the options in `attention` that the block
 * itself sets are 0. Returns false after heed_fail. */
bool heed__transformer_check(const char *where, const heed__transformer_settings *settings);

/* The first two functions add the child `name`, an attention or a norm, and return it, or NULL after heed_fail. `extra`
 * contains additional options of attention, or is NULL. The third function adds the linear maps of the feed-forward and
 * returns false after heed_fail; it writes *gate only if the feed-forward is gated. */
heed_nn_multi_head_attention *heed__transformer_attention(heed_module *m, const char *name,
                                                          const heed__transformer_settings *settings, bool causal,
                                                          const heed_nn_multi_head_attention_options *extra);
heed_nn_layer_norm *heed__transformer_norm(heed_module *m, const char *name,
                                           const heed__transformer_settings *settings);
bool heed__transformer_linears(heed_module *m, const heed__transformer_settings *settings, heed_nn_linear **gate,
                               heed_nn_linear **linear1, heed_nn_linear **linear2);

/* Returns `given`, or if it is NULL the default activation of a feed-forward. */
heed_activation heed__transformer_activation(heed_activation given, bool gated);

/* Returns linear2(dropout(activation(linear1(x)))), or linear2(dropout(activation(gate(x)) linear1(x))) with a gate. */
heed_tensor *heed__transformer_feed_forward(heed_nn_linear *gate, heed_nn_linear *linear1, heed_nn_linear *linear2,
                                            heed_activation activation, double dropout, bool training, heed_tensor *x);

/* Returns x + dropout(y), the residual connection. */
heed_tensor *heed__transformer_residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y);

#endif
