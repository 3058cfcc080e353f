/* ops/attention/relative_bias.c - see relative_bias.h. */

#include "ops/attention/relative_bias.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "ops/attention/visibility.h"

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_slopes(const char *where, const heed_tensor *slopes, heed_dtype dtype, const heed__heads *q)
{
    if (!heed__visibility_check_tensor(where, "slopes", slopes, dtype))
        return false;
    if (slopes->shape.rank != 1 || slopes->shape.dims[0] != q->heads)
        return heed_fail_false(HEED_ERR_SHAPE, where, "slopes are %s: must be (%" PRId64 "), one per head",
                               heed_shape_text(slopes->shape).s, q->heads);
    for (int64_t h = 0; h < q->heads; h++) {
        const double slope = heed__visibility_number(slopes, h * slopes->strides[0]);
        if (!isfinite(slope))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "slope %g of head %" PRId64 ": must be a finite number",
                                   slope, h);
    }
    return true;
}

static bool check_table(const char *where, const heed_tensor *table, heed_dtype dtype, const heed__heads *q)
{
    if (!heed__visibility_check_tensor(where, "relative_bias", table, dtype))
        return false;
    return (table->shape.rank == 2 && table->shape.dims[0] == q->heads && table->shape.dims[1] % 2 == 1) ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "relative_bias is %s: must be (%" PRId64 ", 2 R + 1), for distances -R .. R per head",
                           heed_shape_text(table->shape).s, q->heads);
}

bool heed__relative_bias_check(const char *where, const heed_attention_options *o, heed_dtype dtype,
                               const heed__heads *q, int64_t keys)
{
    const heed_shape pairs = HEED_SHAPE(q->rows, keys);
    if (!o->slopes && !o->relative_bias)
        return true;
    return (!o->slopes || check_slopes(where, o->slopes, dtype, q)) &&
           (!o->relative_bias || check_table(where, o->relative_bias, dtype, q)) && heed__check_shape(where, &pairs);
}

/* -- One row per head ---------------------------------------------------------------------------------------------- */

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

heed_tensor *heed__sum_score_biases(heed_tensor *a, heed_tensor *b)
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
        *rows = heed__sum_score_biases(*rows, from_slopes);
    return *rows != NULL;
}

/* -- One element per pair ------------------------------------------------------------------------------------------ */

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

heed_tensor *heed__relative_bias_expand(heed_tensor *rows, const heed__heads *q, int64_t keys)
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
