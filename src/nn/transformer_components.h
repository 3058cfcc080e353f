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

/* Checks sizes, dropout and dtype, and that `attention` leaves these at 0, for the constructor `where`. Returns false
 * after heed_fail. */
bool heed__transformer_check(const char *where, const heed__transformer_settings *settings);

/* Add a child of that name, or the linear maps of a feed-forward; *gate is written only if it is gated. They return
 * NULL or false after heed_fail. `extra` has additional options of attention, or is NULL. */
heed_nn_multi_head_attention *heed__transformer_attention(heed_module *m, const char *name,
                                                          const heed__transformer_settings *settings, bool causal,
                                                          const heed_nn_multi_head_attention_options *extra);
heed_nn_layer_norm *heed__transformer_norm(heed_module *m, const char *name,
                                           const heed__transformer_settings *settings);
bool heed__transformer_linears(heed_module *m, const heed__transformer_settings *settings, heed_nn_linear **gate,
                               heed_nn_linear **linear1, heed_nn_linear **linear2);

/* Returns `given`, or the default activation of the feed-forward for NULL. */
heed_activation heed__transformer_activation(heed_activation given, bool gated);

/* Returns linear2(dropout(activation(linear1(x)))), or linear2(dropout(activation(gate(x)) linear1(x))) with a gate. */
heed_tensor *heed__transformer_feed_forward(heed_nn_linear *gate, heed_nn_linear *linear1, heed_nn_linear *linear2,
                                            heed_activation activation, double dropout, bool training, heed_tensor *x);

/* Returns x + dropout(y), the residual connection. */
heed_tensor *heed__transformer_residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y);

#endif
