/* nn/sample.c - selects a token from logits: the most probable one, or a random one among the most probable. */

#include <inttypes.h>
#include <math.h>

#include <heed/generate.h>
#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

static const char where[] = "sample";

static bool check_options(const heed_sample_options *o)
{
    if (!(o->temperature >= 0.0) || !isfinite(o->temperature))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "temperature is %g: must be finite, and 0 or more",
                               o->temperature);
    if (o->top_k < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "top_k is %" PRId64 ": must be 0 or more", o->top_k);
    return (o->top_p >= 0.0 && o->top_p <= 1.0) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "top_p is %g: must be in [0, 1]", o->top_p);
}

/* Checks that the maximum of every row is finite. The row then has neither NaN nor +infinity, and not only
 * -infinity. */
static bool check_numbers(heed_tensor *logits)
{
    heed_tensor *maxima = heed_max_axes(logits, HEED_SHAPE(-1), false);
    heed_tensor *smallest = maxima && heed_numel(maxima) > 0 ? heed_min(maxima) : maxima;
    heed_tensor *largest = smallest && heed_numel(maxima) > 0 ? heed_max(maxima) : smallest;
    if (!largest || heed_numel(maxima) == 0)
        return largest != NULL;
    const double invalid = isfinite(heed_item(largest)) ? heed_item(smallest) : heed_item(largest);
    return isfinite(invalid) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "a row's largest logit is %g: must be finite", invalid);
}

static bool check(heed_tensor *logits, const heed_sample_options *o)
{
    if (!logits)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "logits is NULL");
    const heed_shape shape = heed_shape_of(logits);
    if (shape.rank == 0 || shape.dims[shape.rank - 1] == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "logits are %s: must be (..., V), V above 0",
                               heed_shape_text(shape).s);
    if (!heed_dtype_is_float(heed_dtype_of(logits)))
        return heed_fail_false(HEED_ERR_DTYPE, where, "logits are %s: must be f32 or f64",
                               heed_dtype_name(heed_dtype_of(logits)));
    return check_options(o) && check_numbers(logits);
}

/* Returns the weights (..., k), which must be in descending order and sum to 1, with a weight set to 0 if the weights
 * before it already sum to `p` or more. */
static heed_tensor *nucleus(heed_tensor *weights, double p)
{
    heed_tensor *before = heed_sub(heed_cumsum(weights, -1), weights);
    return heed_masked_fill(weights, heed_compare_scalar(before, HEED_COMPARE_GE, p), 0.0);
}

/* Returns i64 (..., 1): for every row of `weights` a random index, drawn with probabilities in proportion to the
 * weights. */
static heed_tensor *draw(heed_tensor *weights, heed_generator *generator)
{
    return heed_generator_multinomial(generator ? generator : heed_generator_default(), weights, 1, true);
}

static heed_tensor *choose(heed_tensor *logits, const heed_sample_options *o)
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
    if (!all && o->top_p > 0.0)
        weights = nucleus(weights, o->top_p);
    heed_tensor *drawn = weights ? draw(weights, o->generator) : NULL;
    if (!all && drawn)
        drawn = heed_gather(indices, -1, drawn);
    return drawn ? heed_squeeze(drawn, -1) : NULL;
}

heed_tensor *heed_sample(heed_tensor *logits, const heed_sample_options *options)
{
    HEED_ENTER(where);
    const heed_sample_options o = options ? *options : (heed_sample_options){0};
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *tokens = NULL;
    if (check(logits, &o))
        tokens = o.temperature == 0.0 ? heed_argmax_axis(logits, -1, false) : choose(logits, &o);
    return heed_scope_return(scope, tokens);
}
