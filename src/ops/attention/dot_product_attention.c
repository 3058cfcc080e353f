/* ops/attention/dot_product_attention.c - softmax(q k^T scale) v, for one head or several: as one op,
 * flash_attention.c, or composed of several ops if the weights are requested.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "ops/attention/attention.h"
#include "ops/attention/flash_attention.h"

static const char where[] = "dot_product_attention";

static bool check_shapes(heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    const int last = q->shape.rank - 1;
    if (heed__attention_fits(at, q, k, v) && q->shape.dims[last] == k->shape.dims[last])
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "q %s, k %s, v %s: must be %s", heed_shape_text(q->shape).s,
                           heed_shape_text(k->shape).s, heed_shape_text(v->shape).s,
                           at->options->heads_inner
                               ? "(B, Q, H, d), (B, K, G, d), (B, K, G, e), with H a multiple of G"
                               : "(B, Q, d), (B, K, d), (B, K, e), or with heads (B, H, Q, d), (B, G, K, d), "
                                 "(B, G, K, e), with H a multiple of G");
}

static double scale_of(const heed__attention *at)
{
    if (at->options->scale != 0.0)
        return at->options->scale;
    return at->q.width > 0 ? 1.0 / sqrt((double)at->q.width) : 1.0;
}

static heed_tensor *with_weights(heed__attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    const bool inner = at->options->heads_inner;
    heed__visible_pairs pairs;
    if (!heed__visibility_resolve(at->options, at->relative_bias, &at->q, at->keys, &pairs))
        return NULL;
    heed_tensor *keys = heed__heads_fold(heed__heads_repeat(k, at->q.heads, inner), inner);
    heed_tensor *values = heed__heads_fold(heed__heads_repeat(v, at->q.heads, inner), inner);
    heed_tensor *scores = heed__dot_product_scores(heed__heads_fold(q, inner), keys, scale_of(at), &pairs);
    return heed__attention_pool(at, scores, values, &pairs);
}

heed_tensor *heed_dot_product_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                        const heed_attention_options *options, heed_tensor **weights)
{
    HEED_ENTER(where);
    heed__attention at;
    heed__attention_of(&at, where, options, weights);
    if (!heed__attention_check(&at, q, k, v) || !check_shapes(&at, q, k, v))
        return NULL;
    heed_scope *scope = heed__attention_begin(&at, q->dtype);
    if (!scope)
        return NULL;
    return heed__attention_end(
        &at, scope, weights ? with_weights(&at, q, k, v) : heed__flash_attention(&at, q, k, v, scale_of(&at)));
}
