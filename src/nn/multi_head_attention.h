/* nn/multi_head_attention.h - declarations shared by the constructor and the forward passes of multi-head attention. */
#ifndef HEED_NN_MULTI_HEAD_ATTENTION_H
#define HEED_NN_MULTI_HEAD_ATTENTION_H

#include "nn/layer.h"

enum { QUERIES, KEYS, VALUES };

/* Returns the total size of all heads of queries, keys or values. */
static inline int64_t heed__multi_head_size(const heed_nn_multi_head_attention *net, int which)
{
    return (which == QUERIES ? net->num_heads : net->kv_heads) * net->head_dim;
}

/* Visibility of keys. A key is visible if all of these fields and the layer's own settings allow it. */
typedef struct heed__multi_head_visibility {
    heed_tensor *valid_lens, *mask, *bias; /* NULL allows all keys */
    bool causal;
    int64_t offset; /* position of query 0 among the keys */
} heed__multi_head_visibility;

/* Replaces keys and values that no query sees by zeros, so that they do not affect the gradients of the linear maps.
 * in[] is queries (B, Q, .), keys (B, K, .) and values (B, K, .); only out[KEYS] and out[VALUES] change. */
void heed__multi_head_clear_hidden(const heed_nn_multi_head_attention *net, heed_tensor *const in[3],
                                   const heed__multi_head_visibility *visibility, heed_tensor *out[3]);

#endif
