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

#endif
