/* ops/attention/visibility.c - see visibility.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/visibility.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

/* up to this, f64 holds integers exactly, as products of slopes and distances need */
#define MOST_OFFSET ((int64_t)1 << 53)

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_length_shape(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t rows)
{
    const heed_shape *shape = &valid_lens->shape;
    const bool by_row = shape->rank == 2 && (rows == HEED_ANY_ROWS || shape->dims[1] == rows);
    if ((shape->rank == 1 || by_row) && shape->dims[0] == batch)
        return true;
    if (rows == HEED_ANY_ROWS)
        return heed_fail_false(HEED_ERR_SHAPE, where, "valid_lens is %s: must be (%" PRId64 ") or (%" PRId64 ", any)",
                               heed_shape_text(*shape).s, batch, batch);
    return heed_fail_false(HEED_ERR_SHAPE, where,
                           "valid_lens is %s: must be (%" PRId64 ") or (%" PRId64 ", %" PRId64 ")",
                           heed_shape_text(*shape).s, batch, batch, rows);
}

bool heed__check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t rows, int64_t keys)
{
    if (valid_lens->dtype != HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "valid_lens is %s %s: must be i64",
                               heed_dtype_name(valid_lens->dtype), heed_shape_text(valid_lens->shape).s);
    if (!check_length_shape(where, valid_lens, batch, rows))
        return false;
    const int64_t *lengths = (const void *)valid_lens->data;
    const bool by_row = valid_lens->shape.rank == 2;
    const int64_t columns = by_row ? valid_lens->shape.dims[1] : 1, step = by_row ? valid_lens->strides[1] : 0;
    for (int64_t b = 0; b < batch && columns > 0; b++)
        for (int64_t row = 0; row < columns; row++) {
            const int64_t length = lengths[b * valid_lens->strides[0] + row * step];
            const heed_shape at = {.rank = valid_lens->shape.rank, .dims = {b, row}};
            if (length < 0 || length > keys)
                return heed_fail_false(HEED_ERR_INDEX, where, "valid length %" PRId64 " at %s is outside 0 .. %" PRId64,
                                       length, heed_shape_text(at).s, keys);
        }
    return true;
}

int64_t heed__visibility_size(const heed_tensor *t, int from_end)
{
    const int axis = t->shape.rank - from_end;
    return axis < 0 ? 1 : t->shape.dims[axis];
}

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

static bool check_visibility_tensor(const char *where, const char *name, const heed_tensor *t, heed_dtype dtype)
{
    return heed__check_tensor(where, t) &&
           (t->dtype == dtype ||
            heed_fail_false(HEED_ERR_DTYPE, where, "%s is %s %s: must be %s", name, heed_dtype_name(t->dtype),
                            heed_shape_text(t->shape).s, heed_dtype_name(dtype)));
}

static bool check_slopes(const char *where, heed_tensor *slopes, heed_dtype dtype, const heed__heads *q)
{
    if (!check_visibility_tensor(where, "slopes", slopes, dtype))
        return false;
    if (slopes->shape.rank != 1 || slopes->shape.dims[0] != q->heads)
        return heed_fail_false(HEED_ERR_SHAPE, where, "slopes are %s: must be (%" PRId64 "), one per head",
                               heed_shape_text(slopes->shape).s, q->heads);
    if (slopes->computed && !(slopes = heed_clone(slopes)))
        return false;
    for (int64_t h = 0; h < q->heads; h++) {
        const int64_t at = h * slopes->strides[0];
        const double slope = dtype == HEED_F32 ? (double)((const float *)(const void *)slopes->data)[at]
                                               : ((const double *)(const void *)slopes->data)[at];
        if (!isfinite(slope))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "slope %g of head %" PRId64 ": must be a finite number",
                                   slope, h);
    }
    return true;
}

static bool check_table(const char *where, const heed_tensor *table, heed_dtype dtype, const heed__heads *q)
{
    if (!check_visibility_tensor(where, "relative_bias", table, dtype))
        return false;
    return (table->shape.rank == 2 && table->shape.dims[0] == q->heads && table->shape.dims[1] % 2 == 1) ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "relative_bias is %s: must be (%" PRId64 ", 2 R + 1), for distances -R .. R per head",
                           heed_shape_text(table->shape).s, q->heads);
}

static bool check_relative_bias(const char *where, const heed_attention_options *o, heed_dtype dtype,
                                const heed__heads *q, int64_t keys)
{
    const heed_shape pairs = HEED_SHAPE(q->rows, keys);
    if (!o->slopes && !o->relative_bias)
        return true;
    return (!o->slopes || check_slopes(where, o->slopes, dtype, q)) &&
           (!o->relative_bias || check_table(where, o->relative_bias, dtype, q)) && heed__check_shape(where, &pairs);
}

bool heed__visibility_check(const char *where, const heed_attention_options *o, heed_dtype dtype, const heed__heads *q,
                            int64_t keys)
{
    if (o->window < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "window %" PRId64 ": must not be negative", o->window);
    if (o->query_offset < 0 || o->query_offset > MOST_OFFSET)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "query_offset %" PRId64 ": must be in 0 .. 2^53",
                               o->query_offset);
    if (o->mask &&
        (!check_visibility_tensor(where, "mask", o->mask, HEED_BOOL) || !check_pairs(where, "mask", o->mask, q, keys)))
        return false;
    if (o->bias &&
        (!check_visibility_tensor(where, "bias", o->bias, dtype) || !check_pairs(where, "bias", o->bias, q, keys)))
        return false;
    if (!check_relative_bias(where, o, dtype, q, keys))
        return false;
    return !o->valid_lens || heed__check_lengths(where, o->valid_lens, q->batch, q->rows, keys);
}

/* -- Relative bias ------------------------------------------------------------------------------------------------- */

/* The number of distances between queries and keys; 0 without pairs. */
static int64_t count_distances(const heed__heads *q, int64_t keys)
{
    return heed__heads_count(q) > 0 && q->rows > 0 && keys > 0 ? q->rows + keys - 1 : 0;
}

static double largest(heed_dtype dtype)
{
    return dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
}

/* Returns the n distances from `first` on, in ascending order: i64 (n). The distance of query i and key j is j - i -
 * query_offset. */
static heed_tensor *distances_from(int64_t first, int64_t n)
{
    heed_tensor *all = heed_empty(HEED_I64, HEED_SHAPE(n));
    int64_t *distances = heed_mutable_i64(all);
    for (int64_t m = 0; distances && m < n; m++)
        distances[m] = first + m;
    return all;
}

/* Returns (H, n): the elements of `table` (H, 2 R + 1) for the distances, which are clamped to -R .. R. */
static heed_tensor *table_bias(heed_tensor *table, heed_tensor *distances)
{
    const double reach = (double)(table->shape.dims[1] / 2);
    return heed_index_select(table, 1, heed_add_scalar(heed_clamp(distances, -reach, reach), reach));
}

/* Returns (H, n): -slope |distance|, clamped to finite numbers. */
static heed_tensor *slope_bias(heed_tensor *slopes, heed_tensor *distances)
{
    heed_tensor *negative_slopes = heed_unsqueeze(heed_neg(slopes), 1);
    heed_tensor *added = heed_mul(negative_slopes, heed_to_dtype(heed_abs(distances), slopes->dtype));
    return heed_clamp(added, -largest(slopes->dtype), largest(slopes->dtype));
}

/* Returns the sum of two score biases. It is -inf only if one of them is -inf. */
static heed_tensor *sum_score_biases(heed_tensor *a, heed_tensor *b)
{
    if (!a || !b)
        return NULL;
    const double hidden = -(double)INFINITY;
    heed_tensor *is_hidden = heed_logical_or(heed_compare_scalar(a, HEED_COMPARE_EQ, hidden),
                                             heed_compare_scalar(b, HEED_COMPARE_EQ, hidden));
    heed_tensor *sum = heed_clamp(heed_add(a, b), -largest(a->dtype), (double)INFINITY);
    return heed_where(is_hidden, heed_full(a->dtype, HEED_SCALAR, hidden), sum);
}

bool heed__relative_bias_rows(const heed_attention_options *o, const heed__heads *q, int64_t keys, heed_tensor **rows)
{
    *rows = NULL;
    if (!o->slopes && !o->relative_bias)
        return true;
    heed_tensor *distances = distances_from(1 - q->rows - o->query_offset, count_distances(q, keys));
    heed_tensor *from_slopes = o->slopes ? slope_bias(o->slopes, distances) : NULL;
    *rows = o->relative_bias ? table_bias(o->relative_bias, distances) : from_slopes;
    if (o->relative_bias && o->slopes)
        *rows = sum_score_biases(*rows, from_slopes);
    return *rows != NULL;
}

/* Returns for every pair of a query and a key the index of its distance in a row of heed__relative_bias_rows: i64
 * (queries * keys). */
static heed_tensor *pair_indices(int64_t queries, int64_t keys)
{
    heed_tensor *all = heed_empty(HEED_I64, HEED_SHAPE(queries * keys));
    int64_t *at = heed_mutable_i64(all);
    for (int64_t i = 0; at && i < queries; i++)
        for (int64_t j = 0; j < keys; j++)
            *at++ = queries - 1 + j - i;
    return all;
}

/* Expands rows to (H, Q, K), one element per pair; returns 0 without pairs. */
static heed_tensor *expand_relative_bias(heed_tensor *rows, const heed__heads *q, int64_t keys)
{
    if (!rows || rows->numel == 0)
        return heed_sum(rows);
    heed_tensor *pairs = heed_index_select(rows, 1, pair_indices(q->rows, keys));
    return heed_reshape(pairs, HEED_SHAPE(q->heads, q->rows, keys));
}

heed_tensor *heed__relative_bias_sum(heed_tensor *pairs, const heed__heads *q)
{
    if (!pairs || pairs->numel == 0)
        return pairs ? heed_zeros(pairs->dtype, HEED_SHAPE(q->heads, 0)) : NULL;
    const int64_t queries = q->rows, keys = pairs->shape.dims[2];
    heed_tensor *all = heed_reshape(pairs, HEED_SHAPE(q->batch, q->heads, queries * keys));
    return heed_index_sum(heed_sum_axes(all, HEED_AXES(0), false), 1, pair_indices(queries, keys),
                          count_distances(q, keys));
}

/* -- Optional inputs ---------------------------------------------------------------------------------------------- */

int heed__visibility_params_of(heed__visibility_params *p, const heed_attention_options *o, heed_tensor *relative_bias,
                               heed_tensor **in, int n)
{
    heed_tensor *const optional[HEED_VISIBILITY_INPUTS] = {o->valid_lens, o->mask, o->bias, relative_bias};
    p->causal = o->causal;
    p->window = o->window < HEED_FAR ? o->window : HEED_FAR;
    p->offset = o->query_offset;
    for (int i = 0; i < HEED_VISIBILITY_INPUTS; i++) {
        p->at[i] = (int8_t)(optional[i] ? n : -1);
        if (optional[i])
            in[n++] = optional[i];
    }
    return n;
}

heed_attention_options heed__visibility_options(const heed_call *call, const heed__visibility_params *p)
{
    return (heed_attention_options){.valid_lens = heed__visibility_input(call, p, HEED_VALID_LENS),
                                    .mask = heed__visibility_input(call, p, HEED_MASK),
                                    .bias = heed__visibility_input(call, p, HEED_BIAS),
                                    .causal = p->causal,
                                    .window = p->window,
                                    .query_offset = p->offset};
}

/* -- Visibility ---------------------------------------------------------------------------------------------------- */

/* Sets *v to the visibility without tensors. Field by field, because compilers clear a struct of this size by a slow
 * instruction, which is measurable in a small attention. */
static void show_all(heed__visibility *v, int64_t heads, int64_t keys, bool causal)
{
    const heed__pair_steps none = {0, 0, 0, 0};
    v->keys = keys;
    v->heads = heads;
    v->lengths = NULL;
    v->mask = NULL;
    v->bias = v->relative_bias = NULL;
    v->length_step = none;
    v->mask_step = none;
    v->bias_step = none;
    v->relative_bias_step = v->size = 0;
    v->causal = causal;
    v->offset = v->window = 0;
}

static void set_lengths(heed__visibility *v, const heed_tensor *valid_lens, int64_t batch)
{
    const int64_t *strides = valid_lens->strides, batches = valid_lens->shape.dims[0];
    v->heads = batches > 0 && batch > 0 ? batch / batches : 1;
    v->lengths = (const void *)valid_lens->data;
    v->length_step.batch = strides[0];
    v->length_step.query = valid_lens->shape.rank == 2 ? strides[1] : 0;
}

heed__visibility heed__visibility_of_lengths(const heed_tensor *valid_lens, int64_t batch, int64_t keys, bool causal)
{
    heed__visibility v;
    show_all(&v, 1, keys, causal);
    if (valid_lens && valid_lens->dtype == HEED_BOOL) {
        v.mask = (const void *)valid_lens->data;
        v.mask_step = (heed__pair_steps){.batch = valid_lens->strides[0], .query = valid_lens->strides[1], .key = 1};
    } else if (valid_lens) {
        set_lengths(&v, valid_lens, batch);
    }
    return v;
}

/* The stride of t along the axis `from_end` axes from the end; 0 for an axis of size 1, or one that t lacks. */
static int64_t step_of(const heed_tensor *t, int from_end)
{
    const int axis = t->shape.rank - from_end;
    return axis < 0 || t->shape.dims[axis] == 1 ? 0 : t->strides[axis];
}

static heed__pair_steps steps_of(const heed_tensor *t, bool split)
{
    return (heed__pair_steps){.batch = step_of(t, split ? 4 : 3),
                              .head = split ? step_of(t, 3) : 0,
                              .query = step_of(t, 2),
                              .key = step_of(t, 1)};
}

void heed__visibility_of(const heed_attention_options *o, const heed_tensor *relative_bias, const heed__heads *q,
                         int64_t keys, heed__visibility *v)
{
    show_all(v, q->heads, keys, o->causal);
    v->offset = o->query_offset;
    v->window = o->window < HEED_FAR ? o->window : HEED_FAR;
    if (o->valid_lens)
        set_lengths(v, o->valid_lens, heed__heads_count(q));
    if (o->mask) {
        v->mask = (const void *)o->mask->data;
        v->mask_step = steps_of(o->mask, q->split);
    }
    if (o->bias) {
        v->size = (int64_t)heed_dtype_size(o->bias->dtype);
        v->bias = o->bias->data;
        v->bias_step = steps_of(o->bias, q->split);
    }
    if (relative_bias && relative_bias->numel > 0) {
        v->size = (int64_t)heed_dtype_size(relative_bias->dtype);
        v->relative_bias = relative_bias->data + (q->rows - 1) * v->size;
        v->relative_bias_step = relative_bias->strides[0];
    }
}

/* -- All pairs ----------------------------------------------------------------------------------------------------- */

static bool is_hidden(const heed__visibility *v, const void *bias, int64_t at)
{
    if (!bias)
        return false;
    const double number = v->size == sizeof(float) ? (double)((const float *)bias)[at] : ((const double *)bias)[at];
    return number == -(double)INFINITY;
}

bool heed__shows(const heed__visibility *own, int64_t i, int64_t j)
{
    const heed__pair_steps of_mask = own->mask_step, of_bias = own->bias_step;
    return (!own->mask || own->mask[i * of_mask.query + j * of_mask.key]) &&
           !is_hidden(own, own->bias, i * of_bias.query + j * of_bias.key) &&
           !is_hidden(own, own->relative_bias, j - i);
}

static void fill_visible_row(const heed__visibility *own, int64_t i, bool *out)
{
    const heed__key_range range = heed__visible_range(own, i);
    for (int64_t j = range.begin; j < range.end; j++)
        out[j] = heed__shows(own, i, j);
}

/* Returns a bool tensor (batch, rows, keys): true if the row sees the key. */
static heed_tensor *visible_mask(const heed__visibility *v, int64_t batch, int64_t rows)
{
    heed_tensor *mask = heed_zeros(HEED_BOOL, HEED_SHAPE(batch, rows, v->keys));
    bool *out = heed_mutable_bool(mask);
    heed__visibility own = *v;
    for (int64_t n = 0; out && n < batch && v->keys > 0; n++) {
        heed__visibility_move(v, n, &own);
        for (int64_t i = 0; i < rows; i++)
            fill_visible_row(&own, i, out + (n * rows + i) * v->keys);
    }
    return mask;
}

/* Sets *score_bias to the sum of the score biases, which broadcasts to (B, H, Q, K), or to NULL without a bias. Returns
 * false after heed_fail. */
static bool find_score_bias(heed_tensor *bias, heed_tensor *relative_bias, const heed__heads *q, int64_t keys,
                            heed_tensor **score_bias)
{
    *score_bias = bias;
    if (!relative_bias)
        return true;
    heed_tensor *added = expand_relative_bias(relative_bias, q, keys);
    *score_bias = bias ? sum_score_biases(bias, added) : added;
    return *score_bias != NULL;
}

bool heed__visibility_resolve(const heed_attention_options *o, heed_tensor *relative_bias, const heed__heads *q,
                              int64_t keys, heed__visible_pairs *pairs)
{
    heed__visibility v;
    *pairs = (heed__visible_pairs){o->valid_lens, o->causal, NULL};
    if (!o->mask && !o->bias && !relative_bias && o->window == 0 && (o->query_offset == 0 || !o->causal))
        return true;
    heed__visibility_of(o, relative_bias, q, keys, &v);
    *pairs = (heed__visible_pairs){visible_mask(&v, heed__heads_count(q), q->rows), false, NULL};
    heed_tensor *score_bias = NULL;
    if (!pairs->valid_lens || !find_score_bias(o->bias, relative_bias, q, keys, &score_bias))
        return false;
    if (!score_bias)
        return true;
    heed_tensor *mask = heed__heads_unfold(pairs->valid_lens, q, false);
    score_bias = heed_where(mask, score_bias, heed_zeros(score_bias->dtype, HEED_SCALAR));
    pairs->score_bias = heed__heads_fold(score_bias, false);
    return pairs->score_bias;
}

heed_tensor *heed__where_visible(heed_tensor *x, const heed__visibility *v, double other)
{
    if (!x || x->numel == 0 || (!v->lengths && !v->causal && !v->mask))
        return x;
    heed_tensor *mask = visible_mask(v, x->shape.dims[0], heed__differs_by_query(v) ? x->shape.dims[1] : 1);
    if (x->shape.rank == 4)
        mask = heed_unsqueeze(mask, 3);
    return heed_where(mask, x, heed_full(x->dtype, HEED_SCALAR, other));
}
