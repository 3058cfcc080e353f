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

#endif
