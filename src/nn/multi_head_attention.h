/* nn/multi_head_attention.h - declarations shared by the constructor and the forward passes of multi-head attention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_MULTI_HEAD_ATTENTION_H
#define HEED_NN_MULTI_HEAD_ATTENTION_H

#include "nn/layer.h"

enum { QUERIES, KEYS, VALUES };

/* Returns the total size of all heads of queries, keys or values. */
static inline int64_t heed__multi_head_size(const heed_nn_multi_head_attention *net, int which)
{
    return (which == QUERIES ? net->num_heads : net->kv_heads) * net->head_dim;
}

/* Checks the options of RoPE and replaces zeros by the defaults. head_dim is already set. Returns false
 * after heed_fail. */
bool heed__rope_check(heed_nn_multi_head_attention_options *o);

/* Returns the frequencies of RoPE that checked options describe, f64 (rope_dims / 2). Dynamic scaling leaves them
 * unscaled. Returns NULL after heed_fail. */
heed_tensor *heed__rope_scaled_frequencies(const heed_nn_multi_head_attention_options *o);

/* Returns the base of RoPE's frequencies in a sequence of `length` steps, which matters to dynamic scaling. */
double heed__rope_base_at(const heed_nn_multi_head_attention *net, int64_t length);

#endif
