/* nn/multi_head_attention_hidden.c - keeps keys and values that no query sees out of the gradients of their maps. */

#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;

/* Returns i64 (B, Q): the valid lengths, or K, limited to the query's index plus one. */
static heed_tensor *causal_lens(heed_tensor *valid_lens, int64_t batch, int64_t queries, int64_t keys)
{
    heed_tensor *steps = heed_clamp(heed_arange(HEED_F64, 1, (double)queries + 1, 1), 0, (double)keys);
    if (!valid_lens)
        return heed_to_dtype(heed_expand(steps, HEED_SHAPE(batch, queries)), HEED_I64);
    heed_tensor *lens = heed_rank(valid_lens) == 1 ? heed_unsqueeze(valid_lens, 1) : valid_lens;
    return heed_to_dtype(heed_minimum(heed_to_dtype(lens, HEED_F64), steps), HEED_I64);
}

enum { QUERIES_AT_ONCE = 32 }; /* queries whose visible pairs are computed together */

/* Returns rows first .. first + rows - 1 of a mask or bias, or all of it if it has one row for all queries. */
static heed_tensor *rows_of(heed_tensor *t, int64_t first, int64_t rows)
{
    const int axis = heed_rank(t) - 2;
    return axis < 0 || heed_dim(t, axis) == 1 ? t : heed_slice(t, axis, first, first + rows, 1);
}

/* For distances (rows, K) of keys from queries, returns which keys the layer lets a query see in some head: bool,
 * (rows, K) or (H, rows, K). */
static heed_tensor *seen_at(const multi_head *net, heed_tensor *distances, bool causal)
{
    const double width = net->window > 0 ? (double)net->window : (double)INFINITY;
    heed_tensor *seen = heed_logical_and(heed_compare_scalar(distances, HEED_COMPARE_GT, -width),
                                         heed_compare_scalar(distances, HEED_COMPARE_LT, causal ? 1.0 : width));
    if (!net->relative_bias)
        return seen;
    const double reach = (double)(heed_dim(net->relative_bias, 1) / 2);
    heed_tensor *places = heed_add_scalar(heed_clamp(distances, -reach, reach), reach);
    heed_tensor *there = heed_compare_scalar(net->relative_bias, HEED_COMPARE_NE, -(double)INFINITY);
    there = heed_index_select(there, 1, heed_reshape(heed_to_dtype(places, HEED_I64), HEED_SHAPE(-1)));
    heed_tensor *by_head =
        heed_expand(seen, HEED_SHAPE(net->num_heads, heed_dim(distances, 0), heed_dim(distances, 1)));
    return by_head ? heed_logical_and(by_head, heed_reshape(there, heed_shape_of(by_head))) : NULL;
}

/* Returns bool (B, K): keys that at least one of the queries from `first` on sees in at least one head; pairs is (B, H,
 * number of these queries, K). */
static heed_tensor *seen_by(const multi_head *net, const heed__visible *see, heed_tensor *lens, heed_shape pairs,
                            int64_t first)
{
    const int64_t rows = pairs.dims[2];
    heed_tensor *keys = heed_arange(HEED_F64, 0.0, (double)pairs.dims[3], 1.0);
    heed_tensor *queries = heed_arange(HEED_F64, (double)first, (double)(first + rows), 1.0);
    heed_tensor *distances = heed_sub(keys, heed_unsqueeze(queries, 1));
    heed_tensor *seen = distances ? seen_at(net, distances, see->causal) : NULL;
    if (lens) {
        const bool each = heed_rank(lens) == 2;
        heed_tensor *most = heed_reshape(each ? heed_slice(lens, 1, first, first + rows, 1) : lens,
                                         HEED_SHAPE(pairs.dims[0], 1, each ? rows : 1, 1));
        seen = heed_logical_and(seen, heed_compare(keys, HEED_COMPARE_LT, heed_to_dtype(most, HEED_F64)));
    }
    if (see->mask)
        seen = heed_logical_and(seen, heed_expand(rows_of(see->mask, first, rows), pairs));
    if (see->bias) {
        heed_tensor *there = heed_compare_scalar(rows_of(see->bias, first, rows), HEED_COMPARE_NE, (double)-INFINITY);
        seen = heed_logical_and(seen, heed_expand(there, pairs));
    }
    return seen ? heed_any_axes(heed_expand(seen, pairs), HEED_SHAPE(1, 2), false) : NULL;
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

/* Returns true if keys and values are (B, K, .), and valid_lens, mask and bias fit pairs, (B, H, Q, K). If not, the
 * attention op reports the error: here the message would name sequence_mask or expand, which the caller did not
 * call. */
static bool all_fit(heed_tensor *const in[3], const heed__visible *see, heed_shape pairs)
{
    return heed_dim(in[KEYS], 0) == pairs.dims[0] && heed_dim(in[VALUES], 0) == pairs.dims[0] &&
           heed_dim(in[VALUES], 1) == pairs.dims[3] && (!see->valid_lens || lengths_fit(see->valid_lens, pairs)) &&
           broadcasts(see->mask, pairs) && broadcasts(see->bias, pairs);
}

/* Returns bool (B, K, 1): keys that no query sees. in: (B, Q, .), (B, K, .); the visibility must fit. */
static heed_tensor *unseen_keys(const multi_head *net, heed_tensor *const in[3], const heed__visible *see,
                                heed_tensor *lens)
{
    const int64_t B = heed_dim(in[QUERIES], 0), Q = heed_dim(in[QUERIES], 1), K = heed_dim(in[KEYS], 1);
    heed_tensor *seen = heed_zeros(HEED_BOOL, HEED_SHAPE(B, K));
    bool *all = heed_mutable_bool(seen);
    for (int64_t first = 0; all && B * K > 0 && first < Q; first += QUERIES_AT_ONCE) {
        heed_scope *scope = heed_scope_begin();
        const int64_t rows = Q - first < QUERIES_AT_ONCE ? Q - first : QUERIES_AT_ONCE;
        heed_tensor *these = scope ? seen_by(net, see, lens, HEED_SHAPE(B, net->num_heads, rows, K), first) : NULL;
        const bool *some = these ? heed_data_bool(these) : NULL;
        for (int64_t i = 0; some && i < B * K; i++)
            all[i] = all[i] || some[i];
        if (scope)
            heed_scope_end(scope);
        all = some ? all : NULL;
    }
    return all ? heed_unsqueeze(heed_logical_not(seen), 2) : NULL;
}

void heed__multi_head_hide_unseen(const multi_head *net, heed_tensor *const in[3], const heed__visible *see,
                                  heed_tensor *out[3])
{
    const heed_shape pairs =
        HEED_SHAPE(heed_dim(in[QUERIES], 0), net->num_heads, heed_dim(in[QUERIES], 1), heed_dim(in[KEYS], 1));
    heed_tensor *lens = see->valid_lens, *unseen = NULL;
    const bool masked = see->mask || see->bias || net->window > 0 || net->relative_bias;
    const bool hides = (lens || see->causal || masked) && all_fit(in, see, pairs);
    if (hides && see->causal)
        lens = causal_lens(lens, pairs.dims[0], pairs.dims[2], pairs.dims[3]);
    for (int i = KEYS; i <= VALUES; i++) {
        out[i] = i == VALUES && in[VALUES] == in[KEYS] ? out[KEYS] : in[i];
        if (out[i] != in[i] || !hides)
            continue;
        out[i] = lens || see->causal ? heed_sequence_mask(in[i], lens, 0.0) : in[i];
        if (masked && out[i] && !unseen)
            unseen = unseen_keys(net, in, see, lens);
        out[i] = masked && out[i] ? heed_masked_fill(out[i], unseen, 0.0) : out[i];
    }
}
