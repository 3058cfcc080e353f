/* nn/multi_head_attention_visibility.c - replaces keys and values that no query sees by zeros, so that they do not
 * affect the gradients of the linear maps. */

#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;

/* Returns the lengths that causal queries see, i64 (B, Q): for query i the smaller one of i + 1 and its valid length,
 * which is K without valid_lens. */
static heed_tensor *causal_lens(heed_tensor *valid_lens, int64_t batch, int64_t queries, int64_t keys)
{
    heed_tensor *steps = heed_clamp(heed_arange(HEED_F64, 1, (double)queries + 1, 1), 0, (double)keys);
    if (!valid_lens)
        return heed_to_dtype(heed_expand(steps, HEED_SHAPE(batch, queries)), HEED_I64);
    heed_tensor *lens = heed_rank(valid_lens) == 1 ? heed_unsqueeze(valid_lens, 1) : valid_lens;
    return heed_to_dtype(heed_minimum(heed_to_dtype(lens, HEED_F64), steps), HEED_I64);
}

enum { CHUNK_QUERIES = 32 }; /* number of queries whose visible keys are computed together */

/* Returns the rows of a mask or bias for the queries first .. first + rows - 1. Returns all of it if one row applies to
 * all queries. */
static heed_tensor *rows_of(heed_tensor *t, int64_t first, int64_t rows)
{
    const int axis = heed_rank(t) - 2;
    return axis < 0 || heed_dim(t, axis) == 1 ? t : heed_slice(t, axis, first, first + rows, 1);
}

/* Returns bool (rows, K), or (H, rows, K) if the result depends on the head: true if the layer's own settings allow the
 * query to see the key. distances (rows, K) contains key positions minus query positions. */
static heed_tensor *visible_by_distance(const multi_head *net, heed_tensor *distances, bool causal)
{
    const double width = net->window > 0 ? (double)net->window : (double)INFINITY;
    heed_tensor *visible = heed_logical_and(heed_compare_scalar(distances, HEED_COMPARE_GT, -width),
                                            heed_compare_scalar(distances, HEED_COMPARE_LT, causal ? 1.0 : width));
    if (!net->relative_bias)
        return visible;
    const double max_distance = (double)(heed_dim(net->relative_bias, 1) / 2);
    heed_tensor *columns = heed_add_scalar(heed_clamp(distances, -max_distance, max_distance), max_distance);
    heed_tensor *allowed = heed_compare_scalar(net->relative_bias, HEED_COMPARE_NE, -(double)INFINITY);
    allowed = heed_index_select(allowed, 1, heed_reshape(heed_to_dtype(columns, HEED_I64), HEED_SHAPE(-1)));
    heed_tensor *by_head =
        heed_expand(visible, HEED_SHAPE(net->num_heads, heed_dim(distances, 0), heed_dim(distances, 1)));
    return by_head ? heed_logical_and(by_head, heed_reshape(allowed, heed_shape_of(by_head))) : NULL;
}

/* Returns bool (B, K), true for keys that at least one query sees in at least one head. pairs is the shape (B, H, rows,
 * K); the queries are first .. first + rows - 1. */
static heed_tensor *visible_keys(const multi_head *net, const heed__multi_head_visibility *visibility,
                                 heed_tensor *lens, heed_shape pairs, int64_t first)
{
    const int64_t rows = pairs.dims[2];
    heed_tensor *keys = heed_arange(HEED_F64, 0.0, (double)pairs.dims[3], 1.0);
    heed_tensor *queries = heed_arange(HEED_F64, (double)first, (double)(first + rows), 1.0);
    heed_tensor *distances = heed_sub(keys, heed_unsqueeze(queries, 1));
    heed_tensor *visible = distances ? visible_by_distance(net, distances, visibility->causal) : NULL;
    if (lens) {
        const bool per_query = heed_rank(lens) == 2;
        heed_tensor *bounds = heed_reshape(per_query ? heed_slice(lens, 1, first, first + rows, 1) : lens,
                                           HEED_SHAPE(pairs.dims[0], 1, per_query ? rows : 1, 1));
        visible = heed_logical_and(visible, heed_compare(keys, HEED_COMPARE_LT, heed_to_dtype(bounds, HEED_F64)));
    }
    if (visibility->mask)
        visible = heed_logical_and(visible, heed_expand(rows_of(visibility->mask, first, rows), pairs));
    if (visibility->bias) {
        heed_tensor *allowed =
            heed_compare_scalar(rows_of(visibility->bias, first, rows), HEED_COMPARE_NE, (double)-INFINITY);
        visible = heed_logical_and(visible, heed_expand(allowed, pairs));
    }
    return visible ? heed_any_axes(heed_expand(visible, pairs), HEED_SHAPE(1, 2), false) : NULL;
}

/* Returns true if t broadcasts to the shape, or is NULL. */
static bool broadcasts(heed_tensor *t, heed_shape to)
{
    bool fits = !t || heed_rank(t) <= to.rank;
    for (int from_end = 1; t && fits && from_end <= heed_rank(t); from_end++) {
        const int64_t size = heed_dim(t, -from_end);
        fits = size == 1 || size == to.dims[to.rank - from_end];
    }
    return fits;
}

/* Returns true if valid_lens is i64 (B) or (B, Q), with lengths in 0 .. K. */
static bool lengths_fit(heed_tensor *lens, heed_shape pairs)
{
    const int rank = heed_rank(lens);
    heed_shape at;
    return heed_dtype_of(lens) == HEED_I64 && (rank == 1 || (rank == 2 && heed_dim(lens, 1) == pairs.dims[2])) &&
           heed_dim(lens, 0) == pairs.dims[0] && heed__layer_lengths_inside(lens, pairs.dims[3], &at);
}

/* Returns true if keys and values are (B, K, .), and valid_lens, mask and bias fit `pairs`, the shape (B, H, Q, K). If
 * they do not fit, the attention op reports the error later; an error from this file would name sequence_mask or
 * expand, which the user did not call. */
static bool all_fit(heed_tensor *const in[3], const heed__multi_head_visibility *visibility, heed_shape pairs)
{
    return heed_dim(in[KEYS], 0) == pairs.dims[0] && heed_dim(in[VALUES], 0) == pairs.dims[0] &&
           heed_dim(in[VALUES], 1) == pairs.dims[3] &&
           (!visibility->valid_lens || lengths_fit(visibility->valid_lens, pairs)) &&
           broadcasts(visibility->mask, pairs) && broadcasts(visibility->bias, pairs);
}

/* Returns bool (B, K, 1), true for keys that no query sees. in[] is queries (B, Q, .) and keys (B, K, .). Requires
 * all_fit(). */
static heed_tensor *hidden_keys(const multi_head *net, heed_tensor *const in[3],
                                const heed__multi_head_visibility *visibility, heed_tensor *lens)
{
    const int64_t B = heed_dim(in[QUERIES], 0), Q = heed_dim(in[QUERIES], 1), K = heed_dim(in[KEYS], 1);
    heed_tensor *visible = heed_zeros(HEED_BOOL, HEED_SHAPE(B, K));
    bool *any = heed_mutable_bool(visible);
    for (int64_t first = 0; any && B * K > 0 && first < Q; first += CHUNK_QUERIES) {
        heed_scope *scope = heed_scope_begin();
        const int64_t rows = Q - first < CHUNK_QUERIES ? Q - first : CHUNK_QUERIES;
        heed_tensor *chunk =
            scope ? visible_keys(net, visibility, lens, HEED_SHAPE(B, net->num_heads, rows, K), first) : NULL;
        const bool *flags = chunk ? heed_data_bool(chunk) : NULL;
        for (int64_t i = 0; flags && i < B * K; i++)
            any[i] = any[i] || flags[i];
        if (scope)
            heed_scope_end(scope);
        any = flags ? any : NULL;
    }
    return any ? heed_unsqueeze(heed_logical_not(visible), 2) : NULL;
}

void heed__multi_head_clear_hidden(const multi_head *net, heed_tensor *const in[3],
                                   const heed__multi_head_visibility *visibility, heed_tensor *out[3])
{
    const heed_shape pairs =
        HEED_SHAPE(heed_dim(in[QUERIES], 0), net->num_heads, heed_dim(in[QUERIES], 1), heed_dim(in[KEYS], 1));
    heed_tensor *lens = visibility->valid_lens, *hidden = NULL;
    const bool masked = visibility->mask || visibility->bias || net->window > 0 || net->relative_bias;
    const bool hides = (lens || visibility->causal || masked) && all_fit(in, visibility, pairs);
    if (hides && visibility->causal)
        lens = causal_lens(lens, pairs.dims[0], pairs.dims[2], pairs.dims[3]);
    for (int i = KEYS; i <= VALUES; i++) {
        out[i] = i == VALUES && in[VALUES] == in[KEYS] ? out[KEYS] : in[i];
        if (out[i] != in[i] || !hides)
            continue;
        out[i] = lens || visibility->causal ? heed_sequence_mask(in[i], lens, 0.0) : in[i];
        if (masked && out[i] && !hidden)
            hidden = hidden_keys(net, in, visibility, lens);
        out[i] = masked && out[i] ? heed_masked_fill(out[i], hidden, 0.0) : out[i];
    }
}
