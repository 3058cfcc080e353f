/* ops/attention/attention.c - see attention.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/attention.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* Sets only the fields that must be set: clearing the whole struct would double the time that a call needs for its
 * checks. */
void heed__attention_of(heed__attention *at, const char *where, const heed_attention_options *options,
                        heed_tensor **weights)
{
    static const heed_attention_options defaults = {0};
    at->where = where;
    at->options = options ? options : &defaults;
    at->requested = weights;
    at->weights = NULL;
    at->dropout = (heed__dropout_numbers){0};
    at->drawn_from = NULL;
    if (weights)
        *weights = NULL;
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__attention_check(const heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    const heed_attention_options *o = at->options;
    if (!heed__check_tensor(at->where, q) || !heed__check_tensor(at->where, k) || !heed__check_tensor(at->where, v) ||
        !heed__check_pair(at->where, q, k) || !heed__check_pair(at->where, q, v))
        return false;
    if (!isfinite(o->scale))
        return heed_fail_false(HEED_ERR_ARGUMENT, at->where, "scale %g: must be a finite number", o->scale);
    if (!(o->dropout >= 0.0 && o->dropout <= 1.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, at->where, "dropout %g: must be a probability, 0 to 1", o->dropout);
    return true;
}

bool heed__attention_fits(heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    const int rank = q->shape.rank;
    const bool inner = at->options->heads_inner;
    if ((rank != 3 || inner) && rank != 4)
        return false;
    if (k->shape.rank != rank || v->shape.rank != rank)
        return false;
    const heed__heads queries = heed__heads_of(q, inner), keys = heed__heads_of(k, inner);
    const heed__heads values = heed__heads_of(v, inner);
    const bool grouped = keys.heads > 0 && queries.heads % keys.heads == 0;
    at->q = queries;
    at->keys = keys.rows;
    at->kv_heads = keys.heads;
    return keys.batch == queries.batch && (keys.heads == queries.heads || grouped) && values.batch == keys.batch &&
           values.heads == keys.heads && values.rows == keys.rows;
}

/* -- Begin and end of a call --------------------------------------------------------------------------------------- */

static bool take_position(heed__attention *at)
{
    const heed_attention_options *o = at->options;
    if (o->dropout == 0.0)
        return true;
    heed_generator *generator = o->generator ? o->generator : heed__generator_current();
    if (!heed__generator_reserve(at->where, generator, 1, &at->reserved))
        return false;
    at->drawn_from = generator;
    at->dropout = heed__dropout_args(at->reserved.seed, at->reserved.position, o->dropout);
    return true;
}

heed_scope *heed__attention_begin(heed__attention *at, heed_dtype dtype)
{
    const heed_attention_options *o = at->options;
    if (!heed__visibility_check(at->where, o, dtype, &at->q, at->keys))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (scope && heed__relative_bias_rows(o, &at->q, at->keys, &at->relative_bias) && take_position(at))
        return scope;
    if (scope)
        (void)heed_scope_end(scope);
    return NULL;
}

heed_tensor *heed__attention_end(heed__attention *at, heed_scope *scope, heed_tensor *result)
{
    heed_tensor *weights = result && at->requested ? heed__heads_unfold(at->weights, &at->q, false) : NULL;
    result = heed__return_with_weights(at->where, scope, result, weights, at->requested);
    if (!result && at->drawn_from)
        heed__generator_return(at->drawn_from, 1, at->reserved);
    return result;
}

heed_tensor *heed__return_with_weights(const char *where, heed_scope *scope, heed_tensor *result, heed_tensor *weights,
                                       heed_tensor **requested)
{
    weights = requested && result ? heed_retain(weights) : NULL;
    result = heed_scope_return(scope, requested && !weights ? NULL : result);
    weights = heed__borrow(where, weights);
    if (!result || (requested && !weights))
        return NULL;
    if (requested)
        *requested = weights;
    return result;
}

/* -- Scores and weights -------------------------------------------------------------------------------------------- */

/* For a scale above 1, returns (s - m) scale, where s are the scores and m is the largest visible score of the row. Its
 * softmax equals the softmax of s scale, but widely differing scores do not overflow. */
static heed_tensor *scale_above_1(heed_tensor *scores, const heed__visibility *visibility, double scale)
{
    if (!scores || scores->numel == 0)
        return scores;
    const double lowest = scores->dtype == HEED_F32 ? -(double)FLT_MAX : -DBL_MAX;
    heed_tensor *visible = heed__where_visible(heed_detach(scores), visibility, lowest);
    return heed__scale(heed_sub(scores, heed_max_axes(visible, HEED_AXES(2), true)), scale);
}

static heed_tensor *add_score_bias(heed_tensor *scores, heed_tensor *score_bias)
{
    return score_bias ? heed_add(scores, score_bias) : scores;
}

/* Multiplies q or the scores by a scale of at most 1, whichever has fewer elements. */
heed_tensor *heed__dot_product_scores(heed_tensor *q, heed_tensor *k, double scale, const heed__visible_pairs *pairs)
{
    if (!q || !k)
        return NULL;
    const double size = fabs(scale);
    if (size > 1) {
        const heed__visibility visibility =
            heed__visibility_of_lengths(pairs->valid_lens, q->shape.dims[0], k->shape.dims[1], pairs->causal);
        heed_tensor *scores =
            heed__masked_scores(heed__scale(q, copysign(1, scale)), k, pairs->valid_lens, pairs->causal);
        heed_tensor *score_bias = pairs->score_bias ? heed__scale(pairs->score_bias, 1 / size) : NULL;
        return scale_above_1(add_score_bias(scores, score_bias), &visibility, size);
    }
    if (q->shape.dims[2] <= k->shape.dims[1])
        return add_score_bias(heed__masked_scores(heed__scale(q, scale), k, pairs->valid_lens, pairs->causal),
                              pairs->score_bias);
    heed_tensor *scores = heed__masked_scores(q, k, pairs->valid_lens, pairs->causal);
    return add_score_bias(heed__scale(scores, scale), pairs->score_bias);
}

heed_tensor *heed__drop_weights(heed_tensor *weights, const heed__dropout_numbers *dropout)
{
    return dropout ? heed__apply1(&heed_op_dropout, weights, dropout) : weights;
}

heed_tensor *heed__attention_pool(heed__attention *at, heed_tensor *scores, heed_tensor *v,
                                  const heed__visible_pairs *pairs)
{
    const heed_attention_options *o = at->options;
    at->weights = heed__masked_softmax(scores, pairs->valid_lens, pairs->causal);
    heed_tensor *left = heed__drop_weights(at->weights, o->dropout == 0.0 ? NULL : &at->dropout);
    heed_tensor *y = heed__masked_pool(left, v, pairs->valid_lens, pairs->causal);
    return heed_contiguous(heed__heads_unfold(y, &at->q, o->heads_inner));
}
