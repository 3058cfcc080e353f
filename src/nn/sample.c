/* nn/sample.c - chooses tokens from logits: the most probable one or a random one, with a penalty for repetitions.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "nn/sample.h"

/* -- Repetitions --------------------------------------------------------------------------------------------------- */

bool heed__check_penalty(const char *where, double penalty)
{
    return (penalty >= 0.0 && isfinite(penalty)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "repetition_penalty is %g: must be finite, and 0 or more",
                           penalty);
}

bool heed__check_history(const char *where, const heed_tensor *history, heed_shape shape)
{
    return !history || heed__layer_check_tensor(where, "history", history, HEED_I64, shape);
}

heed_tensor *heed__penalise(const char *where, heed_tensor *scores, heed_tensor *history, double penalty)
{
    const int64_t N = heed_dim(scores, 0), V = heed_dim(scores, 1), H = heed_dim(history, 1);
    heed_tensor *before = heed_to_dtype(scores, HEED_F64), *after = before ? heed_clone(before) : NULL;
    before = after ? heed_contiguous(before) : NULL;
    history = before ? heed_contiguous(history) : NULL;
    const int64_t *token = history ? heed_data_i64(history) : NULL;
    const double *from = token ? heed_data_f64(before) : NULL;
    double *to = from ? heed_mutable_f64(after) : NULL;
    for (int64_t i = 0; to && i < N * H; i++) {
        if (token[i] >= V)
            return heed_fail_null(HEED_ERR_INDEX, where,
                                  "history has token %" PRId64 ": must be below the number of logits, %" PRId64,
                                  token[i], V);
        const int64_t at = i / H * V + token[i];
        if (token[i] >= 0) /* computed from the original score, so that repeated tokens are penalised once */
            to[at] = from[at] > 0.0 ? from[at] / penalty : from[at] * penalty;
    }
    return to ? after : NULL;
}

/* -- Sampling ------------------------------------------------------------------------------------------------------ */

static const char where_sample[] = "sample";

static bool check_sample_options(const heed_sample_options *o)
{
    if (!(o->temperature >= 0.0) || !isfinite(o->temperature))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "temperature is %g: must be finite, and 0 or more",
                               o->temperature);
    if (o->top_k < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "top_k is %" PRId64 ": must be 0 or more", o->top_k);
    if (!(o->top_p >= 0.0 && o->top_p <= 1.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "top_p is %g: must be in [0, 1]", o->top_p);
    if (!(o->min_p >= 0.0 && o->min_p <= 1.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "min_p is %g: must be in [0, 1]", o->min_p);
    if (!heed__check_penalty(where_sample, o->repetition_penalty))
        return false;
    return !heed__penalises(o->repetition_penalty) || o->history ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_sample,
                           "repetition_penalty is %g and history is NULL: pass the tokens to penalise",
                           o->repetition_penalty);
}

/* Checks that the maximum of every row is finite. The row then has neither NaN nor +infinity, and not only
 * -infinity. */
static bool check_maxima(heed_tensor *logits)
{
    heed_tensor *maxima = heed_max_axes(logits, HEED_SHAPE(-1), false);
    heed_tensor *smallest = maxima && heed_numel(maxima) > 0 ? heed_min(maxima) : maxima;
    heed_tensor *largest = smallest && heed_numel(maxima) > 0 ? heed_max(maxima) : smallest;
    if (!largest || heed_numel(maxima) == 0)
        return largest != NULL;
    const double invalid = isfinite(heed_item(largest)) ? heed_item(smallest) : heed_item(largest);
    return isfinite(invalid) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "a row's largest logit is %g: must be finite", invalid);
}

static bool check_logits(heed_tensor *logits, const heed_sample_options *o)
{
    if (!logits)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_sample, "logits is NULL");
    const heed_shape shape = heed_shape_of(logits);
    if (shape.rank == 0 || shape.dims[shape.rank - 1] == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where_sample, "logits are %s: must be (..., V), V above 0",
                               heed_shape_text(shape).s);
    if (!heed_dtype_is_float(heed_dtype_of(logits)))
        return heed_fail_false(HEED_ERR_DTYPE, where_sample, "logits are %s: must be f32 or f64",
                               heed_dtype_name(heed_dtype_of(logits)));
    heed_shape history = shape;
    history.dims[shape.rank - 1] = -1;
    return check_sample_options(o) && heed__check_history(where_sample, o->history, history);
}

/* Returns the logits after the penalty for repetitions, if there is one. Returns NULL after heed_fail. */
static heed_tensor *penalise_logits(heed_tensor *logits, const heed_sample_options *o)
{
    if (!heed__penalises(o->repetition_penalty))
        return logits;
    const heed_shape shape = heed_shape_of(logits);
    const int64_t V = heed_dim(logits, -1), H = heed_dim(o->history, -1);
    const int64_t rows = heed_numel(logits) / V;
    heed_tensor *scores = heed_reshape(logits, HEED_SHAPE(rows, V));
    heed_tensor *history = heed_reshape(o->history, HEED_SHAPE(rows, H));
    scores = scores && history ? heed__penalise(where_sample, scores, history, o->repetition_penalty) : NULL;
    return scores ? heed_reshape(scores, shape) : NULL;
}

/* Returns for every row of logits the index of a random element. */
static heed_tensor *draw_tokens(heed_tensor *logits, const heed_sample_options *o)
{
    const int64_t V = heed_dim(logits, -1), k = o->top_k == 0 || o->top_k > V ? V : o->top_k;
    const bool all = k == V && (o->top_p == 0.0 || o->top_p == 1.0);
    heed_tensor *indices = NULL;
    /* Shifts the largest logit to 0, so that no temperature makes it infinite. */
    heed_tensor *scaled = heed_sub(logits, heed_max_axes(logits, HEED_SHAPE(-1), true));
    scaled = scaled ? heed_mul_scalar(heed_to_dtype(scaled, HEED_F64), fmin(1.0 / o->temperature, 1e300)) : NULL;
    if (!all)
        scaled = heed_topk(scaled, -1, k, true, &indices);
    heed_tensor *weights = heed_softmax(scaled, -1);
    if (!all && o->top_p > 0.0) { /* drops weights if the larger weights already sum to top_p or more */
        heed_tensor *before = heed_sub(heed_cumsum(weights, -1), weights);
        weights = heed_masked_fill(weights, heed_compare_scalar(before, HEED_COMPARE_GE, o->top_p), 0.0);
    }
    if (o->min_p > 0.0 && weights) /* exp(scaled) is the probability relative to the largest one */
        weights = heed_masked_fill(weights, heed_compare_scalar(heed_exp(scaled), HEED_COMPARE_LT, o->min_p), 0.0);
    heed_generator *outer = o->generator ? heed_generator_use(o->generator) : NULL;
    heed_tensor *drawn = weights && (outer || !o->generator) ? heed_multinomial(weights, 1, true) : NULL;
    if (outer)
        heed_generator_use(outer);
    if (!all && drawn)
        drawn = heed_gather(indices, -1, drawn);
    return drawn ? heed_squeeze(drawn, -1) : NULL;
}

heed_tensor *heed_sample(heed_tensor *logits, const heed_sample_options *options)
{
    HEED_ENTER(where_sample);
    const heed_sample_options o = options ? *options : (heed_sample_options){0};
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *tokens = NULL;
    logits = check_logits(logits, &o) ? penalise_logits(logits, &o) : NULL;
    if (logits && check_maxima(logits))
        tokens = o.temperature == 0.0 ? heed_argmax(logits, -1, false) : draw_tokens(logits, &o);
    return heed_scope_return(scope, tokens);
}
