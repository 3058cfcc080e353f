/* nn/multi_head_attention.h - what making and running multi-head attention share. */
#ifndef HEED_NN_MULTI_HEAD_ATTENTION_H
#define HEED_NN_MULTI_HEAD_ATTENTION_H

#include "nn/layer.h"

enum { QUERIES, KEYS, VALUES };

/* Numbers of all heads of queries, of keys or of values. */
static inline int64_t heed__multi_head_size(const heed_nn_multi_head_attention *net, int which)
{
    return (which == QUERIES ? net->num_heads : net->kv_heads) * net->head_dim;
}

/* Which keys are seen: by all of these, and what the layer has of its own. */
typedef struct heed__visible {
    heed_tensor *valid_lens, *mask, *bias; /* NULL: all */
    bool causal;
    int64_t offset; /* the place of query 0 among the keys */
} heed__visible;

/* Keys and values of in (B, Q, .), (B, K, .), (B, K, .), with zeros where no query sees them, so that what lies there
 * does not reach the gradient of a map of them. */
void heed__multi_head_hide_unseen(const heed_nn_multi_head_attention *net, heed_tensor *const in[3],
                                  const heed__visible *see, heed_tensor *out[3]);

#endif
