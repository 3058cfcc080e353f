/* ops/attention/dot_product_attention.c    softmax(q k^T scale) v, for one head or several: as one op, ops/flash_attention.c, or
 * of several ops where the weights are wanted. */

#include <math.h>

#include "ops/attention/attention.h"
#include "ops/attention/flash_attention.h"
#include "ops/attention/masked_bmm.h"

static const char where[] = "dot_product_attention";

static bool check_shapes(heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    int rank = q->shape.rank;
    if (rank <= 4 && heed__attention_fits(at, q, k, v) && q->shape.dims[rank - 1] == k->shape.dims[rank - 1])
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "q %s, k %s, v %s: wants %s", heed_shape_text(q->shape).s,
                           heed_shape_text(k->shape).s, heed_shape_text(v->shape).s,
                           at->options.heads_inner
                               ? "(B, Q, H, d), (B, K, H, d), (B, K, H, e)"
                               : "(B, Q, d), (B, K, d), (B, K, e), or the same with heads, (B, H, Q, d) and so on");
}

static double scale_of(const heed_attention *at, const heed_tensor *q)
{
    double d = (double)q->shape.dims[q->shape.rank - 1];
    return at->options.scale == 0.0 ? 1.0 / sqrt(d) : at->options.scale;
}

/* q (N, Q, d), k (N, K, d). A factor up to 1 goes to whichever of q and the scores is smaller. */
static heed_tensor *scores_of(const heed_attention *at, heed_tensor *q, heed_tensor *k)
{
    if (!q || !k)
        return NULL;
    double scale = scale_of(at, q);
    if (fabs(scale) > 1)
        return heed__attention_stretch(heed__masked_scores(heed_mul_scalar(q, copysign(1, scale)), k, at->lens),
                                       at->lens, fabs(scale));
    if (q->shape.dims[2] <= at->keys)
        return heed__masked_scores(heed_mul_scalar(q, scale), k, at->lens);
    return heed_mul_scalar(heed__masked_scores(q, k, at->lens), scale);
}

static heed_tensor *with_weights(heed_attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    if (!heed__attention_lengths(at))
        return NULL;
    heed_tensor *scores = scores_of(at, heed__attention_fold(at, q), heed__attention_fold(at, k));
    return heed__attention_pool(at, scores, heed__attention_fold(at, v));
}

static heed_tensor *without_weights(heed_attention *at, heed_tensor *q, heed_tensor *k, heed_tensor *v)
{
    const heed_attention_options *o = &at->options;
    heed_tensor *valid;
    heed_flash_params params = {.causal = o->causal, .heads_inner = o->heads_inner, .drops = o->dropout > 0.0};
    if (!heed__attention_valid(at, &valid))
        return NULL;
    params.scale = q->shape.dims[q->shape.rank - 1] > 0 ? scale_of(at, q) : 1.0;
    if (params.drops)
        params.dropout = heed__attention_draw(at);
    return heed__flash_attention(q, k, v, valid, &params);
}

heed_tensor *heed_dot_product_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                        const heed_attention_options *options, heed_tensor **weights)
{
    HEED_ENTER(where);
    heed_attention at = heed__attention_of(where, options, weights);
    if (!heed__attention_check(&at, q, k, v) || !check_shapes(&at, q, k, v))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    return heed__attention_return(&at, scope, weights ? with_weights(&at, q, k, v) : without_weights(&at, q, k, v));
}
