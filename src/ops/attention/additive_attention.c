/* ops/attention/additive_attention.c    softmax(w_v^T tanh(W_q q + W_k k)) v. Written in other ops: the scores are one,
 * ops/additive_scores.c.
 */

#include "ops/attention/additive_scores.h"
#include "ops/attention/attention.h"
#include "ops/attention/masked_bmm.h"

static const char where[] = "additive_attention";

typedef struct additive_maps {
    heed_tensor *W_q, *W_k, *w_v;
} additive_maps;

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_maps(const heed_tensor *q, const additive_maps *m)
{
    return heed__check_tensor(where, m->W_q) && heed__check_tensor(where, m->W_k) &&
           heed__check_tensor(where, m->w_v) && heed__check_pair(where, q, m->W_q) &&
           heed__check_pair(where, q, m->W_k) && heed__check_pair(where, q, m->w_v);
}

static bool maps_fit(const heed_tensor *q, const heed_tensor *k, const additive_maps *m)
{
    const heed_shape *W_q = &m->W_q->shape, *W_k = &m->W_k->shape, *w_v = &m->w_v->shape;
    if (W_q->rank != 2 || W_k->rank != 2 || W_q->dims[1] != q->shape.dims[2] || W_k->dims[1] != k->shape.dims[2])
        return false;
    int64_t h = W_q->dims[0];
    bool row = w_v->rank == 1 || (w_v->rank == 2 && w_v->dims[0] == 1);
    return W_k->dims[0] == h && row && w_v->dims[w_v->rank - 1] == h;
}

static bool check(heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v,
                  const additive_maps *m)
{
    if (!heed__attention_check(at, q, k, v) || !check_maps(q, m))
        return false;
    if (q->shape.rank != 3 || !heed__attention_fits(at, q, k, v))
        return heed_fail_false(HEED_ERR_SHAPE, where, "q %s, k %s, v %s: wants (B, Q, dq), (B, K, dk), (B, K, e)",
                               heed_shape_text(q->shape).s, heed_shape_text(k->shape).s, heed_shape_text(v->shape).s);
    if (!maps_fit(q, k, m))
        return heed_fail_false(
            HEED_ERR_SHAPE, where, "q %s, k %s, W_q %s, W_k %s, w_v %s: wants W_q (h, dq), W_k (h, dk), w_v (h)",
            heed_shape_text(q->shape).s, heed_shape_text(k->shape).s, heed_shape_text(m->W_q->shape).s,
            heed_shape_text(m->W_k->shape).s, heed_shape_text(m->w_v->shape).s);
    if (at->options.scale != 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "scale %g: additive attention has none", at->options.scale);
    return true;
}

/* -- What nobody sees ----------------------------------------------------------------------------------------------
 * W_q and W_k sum their gradients over all queries and keys. One that takes part in no pair adds 0 times itself, which
 * is 0 unless it is not finite: then zeros take its place before it is mapped. The same for W_q and W_k, and the
 * gradients of queries and keys.
 */

static bool all_finite(const heed_tensor *t)
{
    return t->contiguous && heed__all_finite(t->dtype, t->numel, t->data);
}

/* i64 (B): the most keys that a row of the batch element sees. */
static heed_tensor *longest(const heed_attention *at)
{
    heed_tensor *most = heed_zeros(HEED_I64, HEED_SHAPE(at->batch));
    int64_t *out = most ? heed_mutable_i64(most) : NULL;
    const int64_t *lens = (const void *)at->lens->data;
    int64_t rows = at->lens->shape.rank == 2 ? at->queries : 1;
    for (int64_t i = 0; out && i < at->batch * rows; i++)
        if (lens[i] > out[i / rows])
            out[i / rows] = lens[i];
    return most;
}

static heed_tensor *keys_seen(const heed_attention *at, heed_tensor *k, const heed_tensor *W_k)
{
    if (!at->lens || (all_finite(k) && all_finite(W_k)))
        return k;
    return heed_sequence_mask(k, longest(at), 0.0);
}

static bool all_see(const heed_attention *at)
{
    const int64_t *lens = at->lens ? (const void *)at->lens->data : NULL;
    bool all = true;
    for (int64_t i = 0; lens && all && i < at->lens->numel; i++)
        all = lens[i] > 0;
    return all;
}

/* The queries that share a length are a group. */
static heed_tensor *queries_that_see(const heed_attention *at, heed_tensor *q, const heed_tensor *W_q)
{
    if (all_see(at) || (all_finite(q) && all_finite(W_q)))
        return q;
    int64_t groups = at->lens->numel, size = at->lens->shape.rank == 2 ? 1 : at->queries;
    heed_tensor *kept = heed_empty(HEED_I64, HEED_SHAPE(groups));
    int64_t *out = kept ? heed_mutable_i64(kept) : NULL;
    const int64_t *lens = (const void *)at->lens->data;
    for (int64_t i = 0; out && i < groups; i++)
        out[i] = lens[i] > 0 ? size : 0;
    heed_tensor *grouped = heed_reshape(q, HEED_SHAPE(groups, size, q->shape.dims[2]));
    return heed_reshape(heed_sequence_mask(grouped, kept, 0.0), q->shape);
}

/* -- The attention -------------------------------------------------------------------------------------------------- */

static heed_tensor *scores_of(const heed_attention *at, heed_tensor *q, heed_tensor *k, const additive_maps *m)
{
    heed_tensor *of_q = heed_linear(queries_that_see(at, q, m->W_q), m->W_q, NULL);
    heed_tensor *of_k = heed_linear(keys_seen(at, k, m->W_k), m->W_k, NULL);
    return heed__additive_scores(of_q, of_k, m->w_v, at->lens);
}

heed_tensor *heed_additive_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *W_q, heed_tensor *W_k,
                                     heed_tensor *w_v, const heed_attention_options *options, heed_tensor **weights)
{
    HEED_ENTER(where);
    heed_attention at = heed__attention_of(where, options, weights);
    const additive_maps maps = {W_q, W_k, w_v};
    if (!check(&at, q, k, v, &maps))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *result = NULL;
    if (heed__attention_lengths(&at))
        result = heed__attention_pool(&at, scores_of(&at, q, k, &maps), v);
    return heed__attention_return(&at, scope, result);
}
