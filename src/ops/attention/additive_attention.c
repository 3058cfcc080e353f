/* ops/attention/additive_attention.c - softmax(w_v^T tanh(W_q q + W_k k)) v. Composed of ops; the scores are one op,
 * additive_scores.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/attention.h"

static const char where[] = "additive_attention";

typedef struct additive_maps {
    heed_tensor *W_q, *W_k, *w_v;
} additive_maps;

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool maps_fit(const heed_tensor *q, const heed_tensor *k, const additive_maps *m)
{
    const heed_shape *W_q = &m->W_q->shape, *W_k = &m->W_k->shape, *w_v = &m->w_v->shape;
    if (W_q->rank != 2 || W_k->rank != 2 || W_q->dims[1] != q->shape.dims[2] || W_k->dims[1] != k->shape.dims[2])
        return false;
    int64_t h = W_q->dims[0];
    bool row = w_v->rank == 1 || (w_v->rank == 2 && w_v->dims[0] == 1);
    return W_k->dims[0] == h && row && w_v->dims[w_v->rank - 1] == h;
}

static bool check(heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v,
                  const additive_maps *m)
{
    if (!heed__attention_check(at, q, k, v) || !heed__check_tensor(where, m->W_q) ||
        !heed__check_tensor(where, m->W_k) || !heed__check_tensor(where, m->w_v) ||
        !heed__check_pair(where, q, m->W_q) || !heed__check_pair(where, q, m->W_k) ||
        !heed__check_pair(where, q, m->w_v))
        return false;
    if (q->shape.rank != 3 || !heed__attention_fits(at, q, k, v))
        return heed_fail_false(HEED_ERR_SHAPE, where, "q %s, k %s, v %s: must be (B, Q, dq), (B, K, dk), (B, K, e)",
                               heed_shape_text(q->shape).s, heed_shape_text(k->shape).s, heed_shape_text(v->shape).s);
    if (!maps_fit(q, k, m))
        return heed_fail_false(
            HEED_ERR_SHAPE, where, "q %s, k %s, W_q %s, W_k %s, w_v %s: must be W_q (h, dq), W_k (h, dk), w_v (h)",
            heed_shape_text(q->shape).s, heed_shape_text(k->shape).s, heed_shape_text(m->W_q->shape).s,
            heed_shape_text(m->W_k->shape).s, heed_shape_text(m->w_v->shape).s);
    if (at->options->scale != 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "scale %g: must be 0, as additive attention does not scale its scores",
                               at->options->scale);
    return true;
}

/* Queries that see no key, and keys that no query sees. The gradients of W_q and W_k are sums over all queries and
 * keys. Such a query or key adds 0 times itself to the sum, which is 0 only if it is finite. If it is not finite, it is
 * replaced by zeros before its projection. It is also replaced if W_q or W_k is not finite, because its own gradient
 * would be 0 times W_q or W_k. */

static bool all_finite(const heed_tensor *t)
{
    return t->contiguous && heed__all_finite(t->dtype, t->numel, t->data);
}

static heed_tensor *visible_keys(const heed__attention *at, heed_tensor *k, const heed_tensor *W_k,
                                 const heed__visible_pairs *pairs)
{
    if ((!pairs->valid_lens && !pairs->causal) || (all_finite(k) && all_finite(W_k)))
        return k;
    if (!pairs->valid_lens || pairs->valid_lens->dtype == HEED_I64)
        return heed__mask_hidden(k, pairs->valid_lens, pairs->causal, at->q.rows);
    heed_tensor *by_any = heed_unsqueeze(heed_any(pairs->valid_lens, HEED_AXES(1), false), 2);
    return heed_where(by_any, k, heed_zeros(k->dtype, HEED_SCALAR));
}

static bool has_visible_key(const heed__visibility *own, int64_t i)
{
    const heed__key_range range = heed__visible_range(own, i);
    int64_t j = range.begin;
    while (j < range.end && !heed__is_visible(own, i, j))
        j++;
    return j < range.end;
}

/* Returns true if every query sees a key. `causal` has no influence, because it shortens no length to 0. */
static bool all_have_visible_keys(const heed__attention *at, const heed__visibility *v)
{
    const int64_t rows = v->length_step.query != 0 || v->mask ? at->q.rows : 1;
    heed__visibility own = *v;
    for (int64_t b = 0; b < at->q.batch; b++) {
        heed__visibility_move(v, b, &own);
        for (int64_t i = 0; i < rows; i++)
            if (!has_visible_key(&own, i))
                return false;
    }
    return true;
}

/* Returns a bool tensor (B, Q, 1): true if the query sees any key. */
static heed_tensor *rows_with_visible_keys(const heed__attention *at, const heed__visibility *v)
{
    heed_tensor *result = heed_empty(HEED_BOOL, HEED_SHAPE(at->q.batch, at->q.rows, 1));
    bool *out = heed_mutable_bool(result);
    heed__visibility own = *v;
    for (int64_t b = 0; out && b < at->q.batch; b++) {
        heed__visibility_move(v, b, &own);
        for (int64_t i = 0; i < at->q.rows; i++)
            *out++ = has_visible_key(&own, i);
    }
    return result;
}

static heed_tensor *visible_queries(const heed__attention *at, heed_tensor *q, const heed_tensor *W_q,
                                    const heed__visible_pairs *pairs)
{
    const heed__visibility v = heed__visibility_of_lengths(pairs->valid_lens, at->q.batch, at->keys, pairs->causal);
    if (q->numel == 0 || all_have_visible_keys(at, &v) || (all_finite(q) && all_finite(W_q)))
        return q;
    return heed_where(rows_with_visible_keys(at, &v), q, heed_zeros(q->dtype, HEED_SCALAR));
}

/* -- Attention ----------------------------------------------------------------------------------------------------- */

static heed_tensor *attend(heed__attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v, const additive_maps *m)
{
    heed__visible_pairs pairs;
    if (!heed__visibility_resolve(at->options, at->relative_bias, &at->q, at->keys, &pairs))
        return NULL;
    heed_tensor *of_q = heed_linear(visible_queries(at, q, m->W_q, &pairs), m->W_q, NULL);
    heed_tensor *of_k = heed_linear(visible_keys(at, k, m->W_k, &pairs), m->W_k, NULL);
    heed_tensor *scores = heed__additive_scores(of_q, of_k, m->w_v, pairs.valid_lens, pairs.causal);
    return heed__attention_pool(at, pairs.score_bias ? heed_add(scores, pairs.score_bias) : scores, v, &pairs);
}

heed_tensor *heed_additive_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *W_q, heed_tensor *W_k,
                                     heed_tensor *w_v, const heed_attention_options *options, heed_tensor **weights)
{
    HEED_ENTER(where);
    heed__attention at;
    heed__attention_of(&at, where, options, weights);
    const additive_maps maps = {W_q, W_k, w_v};
    if (!check(&at, q, k, v, &maps))
        return NULL;
    heed_scope *scope = heed__attention_begin(&at, q->dtype);
    if (!scope)
        return NULL;
    return heed__attention_end(&at, scope, attend(&at, q, k, v, &maps));
}
