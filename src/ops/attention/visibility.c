/* ops/attention/visibility.c - see visibility.h. */

#include "ops/attention/visibility.h"

#include <inttypes.h>
#include <math.h>

#include "ops/attention/relative_bias.h"

/* up to this, f64 holds integers exactly, as products of slopes and distances need */
#define MOST_OFFSET ((int64_t)1 << 53)

heed__visibility heed__visibility_of(const heed_attention_options *o)
{
    return (heed__visibility){.lens = o->valid_lens,
                              .mask = o->mask,
                              .bias = o->bias,
                              .causal = o->causal,
                              .window = o->window < HEED_FAR ? o->window : HEED_FAR,
                              .offset = o->query_offset};
}

int64_t heed__visibility_size(const heed_tensor *t, int from_end)
{
    const int axis = t->shape.rank - from_end;
    return axis < 0 ? 1 : t->shape.dims[axis];
}

int64_t heed__visibility_stride(const heed_tensor *t, int from_end)
{
    const int axis = t->shape.rank - from_end;
    return axis < 0 || t->shape.dims[axis] == 1 ? 0 : t->strides[axis];
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

/* Checks that t, called `name` in errors, broadcasts to the shape of the weights. */
static bool check_pairs(const char *where, const char *name, const heed_tensor *t, const heed__heads *q, int64_t keys)
{
    const heed_shape weights =
        q->split ? HEED_SHAPE(q->batch, q->heads, q->rows, keys) : HEED_SHAPE(q->batch, q->rows, keys);
    bool fits = t->shape.rank <= weights.rank;
    for (int from_end = 1; fits && from_end <= t->shape.rank; from_end++) {
        const int64_t size = heed__visibility_size(t, from_end);
        fits = size == 1 || size == weights.dims[weights.rank - from_end];
    }
    return fits || heed_fail_false(HEED_ERR_SHAPE, where, "%s is %s: must broadcast to %s, the shape of the weights",
                                   name, heed_shape_text(t->shape).s, heed_shape_text(weights).s);
}

bool heed__visibility_check_tensor(const char *where, const char *name, const heed_tensor *t, heed_dtype dtype)
{
    return heed__check_tensor(where, t) &&
           (t->dtype == dtype ||
            heed_fail_false(HEED_ERR_DTYPE, where, "%s is %s %s: must be %s", name, heed_dtype_name(t->dtype),
                            heed_shape_text(t->shape).s, heed_dtype_name(dtype)));
}

double heed__visibility_number(const heed_tensor *t, int64_t at)
{
    return t->dtype == HEED_F32 ? (double)((const float *)(const void *)t->data)[at]
                                : ((const double *)(const void *)t->data)[at];
}

static bool check_query_offset(const char *where, int64_t offset)
{
    return (offset >= 0 && offset <= MOST_OFFSET) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "query_offset %" PRId64 ": must be in 0 .. 2^53", offset);
}

bool heed__visibility_check(const char *where, const heed_attention_options *o, heed_dtype dtype, const heed__heads *q,
                            int64_t keys)
{
    if (o->window < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "window %" PRId64 ": must not be negative", o->window);
    if (!check_query_offset(where, o->query_offset))
        return false;
    if (o->mask && (!heed__visibility_check_tensor(where, "mask", o->mask, HEED_BOOL) ||
                    !check_pairs(where, "mask", o->mask, q, keys)))
        return false;
    if (o->bias && (!heed__visibility_check_tensor(where, "bias", o->bias, dtype) ||
                    !check_pairs(where, "bias", o->bias, q, keys)))
        return false;
    if (!heed__relative_bias_check(where, o, dtype, q, keys))
        return false;
    return !o->valid_lens || heed__check_lengths(where, o->valid_lens, q->batch, q->rows, keys);
}

/* -- Mask and score bias of all pairs ------------------------------------------------------------------------------ */

/* The offset of the row of a broadcast tensor for batch element b, head h and query i. */
static int64_t row_at(const heed_tensor *t, int64_t b, int64_t h, int64_t i, bool split)
{
    const int64_t of_head = split ? h * heed__visibility_stride(t, 3) : 0;
    return b * heed__visibility_stride(t, split ? 4 : 3) + of_head + i * heed__visibility_stride(t, 2);
}

static bool is_hidden(const heed_tensor *t, int64_t at)
{
    return t && heed__visibility_number(t, at) == -(double)INFINITY;
}

static void fill_visible_row(const heed__visibility *s, int64_t n, int64_t i, const heed__heads *q,
                             const heed__lengths *own, bool *out)
{
    const int64_t b = n / q->heads, h = n % q->heads, length = heed__length(own, i);
    const int64_t mask_row = s->mask ? row_at(s->mask, b, h, i, q->split) : 0;
    const int64_t bias_row = s->bias ? row_at(s->bias, b, h, i, q->split) : 0;
    const int64_t mask_key = s->mask ? heed__visibility_stride(s->mask, 1) : 0;
    const int64_t bias_key = s->bias ? heed__visibility_stride(s->bias, 1) : 0;
    const bool *mask = s->mask ? (const void *)s->mask->data : NULL;
    const int64_t distance_row = s->relative_bias ? h * s->relative_bias->strides[0] + q->rows - 1 - i : 0;
    for (int64_t j = heed__first_visible(own, i); j < length; j++)
        out[j] = (!mask || mask[mask_row + j * mask_key]) && !is_hidden(s->bias, bias_row + j * bias_key) &&
                 !is_hidden(s->relative_bias, distance_row + j);
}

/* Returns a bool tensor (N, Q, K): true if the query sees the key. */
static heed_tensor *visible_mask(const heed__visibility *s, const heed__heads *q, int64_t keys)
{
    const int64_t count = heed__heads_count(q);
    heed__lengths lengths = heed__lengths_of(s->lens, count, keys, s->causal);
    lengths.window = s->window;
    lengths.offset = s->offset;
    heed_tensor *visible = heed_zeros(HEED_BOOL, HEED_SHAPE(count, q->rows, keys));
    bool *out = heed_mutable_bool(visible);
    for (int64_t n = 0; out && n < count && keys > 0; n++) {
        const heed__lengths own = heed__lengths_in(&lengths, n);
        for (int64_t i = 0; i < q->rows; i++)
            fill_visible_row(s, n, i, q, &own, out + (n * q->rows + i) * keys);
    }
    return visible;
}

/* Sets *score_bias to the sum of the score biases, which broadcasts to (B, H, Q, K), or to NULL without a bias. Returns
 * false after heed_fail. */
static bool find_score_bias(const heed__visibility *s, const heed__heads *q, int64_t keys, heed_tensor **score_bias)
{
    *score_bias = s->bias;
    if (!s->relative_bias)
        return true;
    heed_tensor *added = heed__relative_bias_expand(s->relative_bias, q, keys);
    *score_bias = s->bias ? heed__sum_score_biases(s->bias, added) : added;
    return *score_bias != NULL;
}

bool heed__visibility_resolve(const heed__visibility *s, heed_dtype dtype, const heed__heads *q, int64_t keys,
                              heed__visible_pairs *visible)
{
    *visible = (heed__visible_pairs){s->lens, s->causal, NULL};
    if (!s->mask && !s->bias && !s->relative_bias && s->window == 0 && (s->offset == 0 || !s->causal))
        return true;
    *visible = (heed__visible_pairs){visible_mask(s, q, keys), false, NULL};
    heed_tensor *score_bias = NULL;
    if (!visible->lens || !find_score_bias(s, q, keys, &score_bias))
        return false;
    if (!score_bias)
        return true;
    heed_tensor *mask = heed__heads_unfold(visible->lens, q, false);
    visible->score_bias = heed__heads_fold(heed_where(mask, score_bias, heed_zeros(dtype, HEED_SCALAR)), false);
    return visible->score_bias;
}

heed__lengths heed__visible_lengths(const heed__visible_pairs *visible, const heed__heads *q, int64_t keys)
{
    return heed__lengths_of(visible->lens, heed__heads_count(q), keys, visible->causal);
}
