/* nn/multi_head_attention.c - runs multi-head attention; it is made in nn/multi_head_attention_new.c. */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;

static const char where_forward[] = "nn_multi_head_attention_forward";
static const char where_masked[] = "nn_multi_head_attention_masked";
static const char where_cached[] = "nn_multi_head_attention_cached";

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Parameters that may be lent: slices of longer ones would fit, too. */
static bool check_in_proj(const char *where, const multi_head *net, heed_dtype dtype)
{
    int64_t h = net->hidden_size, rows = heed__multi_head_size(net, QUERIES) + 2 * heed__multi_head_size(net, KEYS);
    heed_tensor *w = net->in_proj_weight, *b = net->in_proj_bias;
    return (!w || heed__layer_check_tensor(where, "in_proj_weight", w, dtype, HEED_SHAPE(rows, h))) &&
           (!b || heed__layer_check_tensor(where, "in_proj_bias", b, dtype, HEED_SHAPE(rows)));
}

/* Of keys and values none may be given. */
static bool check_inputs(const char *where, const multi_head *net, heed_tensor *const in[3])
{
    static const char *const names[] = {"queries", "keys", "values"};
    heed_tensor *const maps[] = {net->q_proj_weight, net->k_proj_weight, net->v_proj_weight};
    heed_dtype dtype = heed_dtype_of(net->out_proj->weight);
    for (int i = 0; i < 3; i++) {
        int64_t size = net->in_proj_weight ? net->hidden_size : heed_dim(maps[i], 1);
        if (in[i] && !heed__layer_check_tensor(where, names[i], in[i], dtype, HEED_SHAPE(-1, -1, size)))
            return false;
    }
    return check_in_proj(where, net, dtype);
}

/* The map of queries, keys or values. */
static heed_tensor *project(const multi_head *net, int which, heed_tensor *x)
{
    heed_tensor *const maps[] = {net->q_proj_weight, net->k_proj_weight, net->v_proj_weight};
    const int64_t size = heed__multi_head_size(net, which);
    const int64_t first = which == QUERIES ? 0 : heed__multi_head_size(net, QUERIES) + (which - KEYS) * size;
    heed_tensor *w = net->in_proj_weight ? heed_slice(net->in_proj_weight, 0, first, first + size, 1) : maps[which];
    if (!net->in_proj_bias)
        return heed_linear(x, w, NULL);
    heed_tensor *b = heed_slice(net->in_proj_bias, 0, first, first + size, 1);
    return b ? heed_linear(x, w, b) : NULL;
}

/* i64 (B, Q): the valid lengths, or K, but no more than the query's number and one. */
static heed_tensor *causal_lens(heed_tensor *valid_lens, int64_t batch, int64_t queries, int64_t keys)
{
    heed_tensor *steps = heed_clamp(heed_arange(HEED_F64, 1, (double)queries + 1, 1), 0, (double)keys);
    if (!valid_lens)
        return heed_to_dtype(heed_expand(steps, HEED_SHAPE(batch, queries)), HEED_I64);
    heed_tensor *lens = heed_rank(valid_lens) == 1 ? heed_unsqueeze(valid_lens, 1) : valid_lens;
    return heed_to_dtype(heed_minimum(heed_to_dtype(lens, HEED_F64), steps), HEED_I64);
}

enum { QUERIES_AT_ONCE = 32 }; /* for so many, which pairs are seen is worked out at a time */

/* Which keys are seen: by all of these, and the layer's window. */
typedef struct visible {
    heed_tensor *valid_lens, *mask, *bias; /* NULL: all */
    bool causal;
    int64_t offset; /* the place of query 0 among the keys */
} visible;

/* Rows first .. first + rows - 1 of a mask or bias; all of it where it has one row for all queries. */
static heed_tensor *rows_of(heed_tensor *t, int64_t first, int64_t rows)
{
    const int axis = heed_rank(t) - 2;
    return axis < 0 || heed_dim(t, axis) == 1 ? t : heed_slice(t, axis, first, first + rows, 1);
}

/* bool (B, K): keys that at least one of the queries first, first + 1 ... sees in at least one head; pairs is (B, H, number of
 * these queries, K). */
static heed_tensor *seen_by(const multi_head *net, const visible *see, heed_tensor *lens, heed_shape pairs,
                            int64_t first)
{
    const int64_t rows = pairs.dims[2];
    heed_tensor *keys = heed_arange(HEED_F64, 0.0, (double)pairs.dims[3], 1.0);
    heed_tensor *queries = heed_arange(HEED_F64, (double)first, (double)(first + rows), 1.0);
    heed_tensor *ahead = heed_sub(keys, heed_unsqueeze(queries, 1));
    const double width = net->window > 0 ? (double)net->window : (double)INFINITY;
    heed_tensor *seen = heed_logical_and(heed_compare_scalar(ahead, HEED_COMPARE_GT, -width),
                                         heed_compare_scalar(ahead, HEED_COMPARE_LT, see->causal ? 1.0 : width));
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

/* Whether t broadcasts to the shape; NULL does. */
static bool broadcasts(heed_tensor *t, heed_shape to)
{
    bool fits = !t || heed_rank(t) <= to.rank;
    for (int from_end = 1; t && fits && from_end <= heed_rank(t); from_end++) {
        const int64_t size = heed_dim(t, -from_end);
        fits = size == 1 || size == to.dims[to.rank - from_end];
    }
    return fits;
}

/* Whether what is seen fits (B, H, Q, K). Where not, attention says so, of all of it. */
static bool pairs_fit(const visible *see, heed_tensor *lens, heed_shape pairs)
{
    return (!lens || heed_rank(lens) == 1 || heed_dim(lens, 1) == pairs.dims[2]) && broadcasts(see->mask, pairs) &&
           broadcasts(see->bias, pairs);
}

/* bool (B, K, 1): keys that no query sees. in (B, Q, .), (B, K, .); what is seen fits. */
static heed_tensor *unseen_keys(const multi_head *net, heed_tensor *const in[3], const visible *see, heed_tensor *lens)
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

/* Keys and values (B, K, .) with zeros where no query sees them, so that what lies there does not reach the gradient of a
 * map of them. */
static void hide_unseen(const multi_head *net, heed_tensor *const in[3], const visible *see, heed_tensor *out[3])
{
    heed_tensor *lens = see->valid_lens;
    if (see->causal)
        lens = causal_lens(lens, heed_dim(in[QUERIES], 0), heed_dim(in[QUERIES], 1), heed_dim(in[KEYS], 1));
    heed_tensor *unseen = NULL;
    const heed_shape pairs =
        HEED_SHAPE(heed_dim(in[QUERIES], 0), net->num_heads, heed_dim(in[QUERIES], 1), heed_dim(in[KEYS], 1));
    const bool masked = (see->mask || see->bias || net->window > 0) && pairs_fit(see, lens, pairs);
    for (int i = KEYS; i <= VALUES; i++) {
        out[i] = i == VALUES && in[VALUES] == in[KEYS] ? out[KEYS] : in[i];
        if (out[i] != in[i] || (!lens && !see->causal && !masked))
            continue;
        out[i] = lens || see->causal ? heed_sequence_mask(in[i], lens, 0.0) : in[i];
        if (masked && out[i] && !unseen)
            unseen = unseen_keys(net, in, see, lens);
        out[i] = masked && out[i] ? heed_masked_fill(out[i], unseen, 0.0) : out[i];
    }
}

/* All three maps. In self-attention, too, these are three products: parts of one would each send back a gradient as large
 * as the whole. What no query sees is kept out of the maps' gradients, but in self-attention, where it is a query. */
static void project_all(const multi_head *net, heed_tensor *const in[3], const visible *see, heed_tensor *out[3])
{
    heed_tensor *from[] = {in[QUERIES], in[KEYS], in[VALUES]};
    if (in[KEYS] != in[QUERIES] || in[VALUES] != in[QUERIES])
        hide_unseen(net, in, see, from);
    for (int i = QUERIES; i <= VALUES; i++)
        out[i] = project(net, i, from[i]);
}

/* (B, T, heads d) -> (B, T, heads, d), a view. NULL for NULL. */
static heed_tensor *split_heads(const multi_head *net, heed_tensor *x)
{
    const int64_t head = net->head_dim;
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heed_dim(x, 2) / head, head)) : NULL;
}

/* And back. */
static heed_tensor *join_heads(const multi_head *net, heed_tensor *x)
{
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heed__multi_head_size(net, QUERIES))) : NULL;
}

/* Queries or keys in heads, from a step on, normed and turned by their positions if the layer does that. */
static heed_tensor *placed(const multi_head *net, int which, heed_tensor *x, int64_t first)
{
    heed_nn_rms_norm *norm = which == QUERIES ? net->q_norm : net->k_norm;
    const heed_rope_options options = {.base = net->rope_base,
                                       .offset = first,
                                       .dims = net->rope_dims,
                                       .interleaved = net->rope_interleaved,
                                       .heads_inner = true,
                                       .frequencies = net->rope_frequencies};
    x = norm && x ? heed_nn_rms_norm_forward(norm, x) : x;
    return net->rope && x ? heed_rope(x, NULL, &options) : x;
}

/* All heads' attention of mapped queries to keys and values that are split into heads. */
static heed_tensor *attend(const multi_head *net, heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                           const visible *see, heed_tensor **weights)
{
    const heed_attention_options options = {.valid_lens = see->valid_lens,
                                            .causal = see->causal,
                                            .heads_inner = true,
                                            .dropout = net->base.training ? net->dropout : 0.0,
                                            .mask = see->mask,
                                            .bias = see->bias,
                                            .slopes = net->slopes,
                                            .window = net->window,
                                            .query_offset = see->offset};
    queries = placed(net, QUERIES, split_heads(net, queries), see->offset);
    heed_tensor *pooled = heed_dot_product_attention(queries, keys, values, &options, weights);
    return heed_nn_linear_forward(net->out_proj, join_heads(net, pooled));
}

static heed_tensor *forward(const char *where, multi_head *net, heed_tensor *const in[3], const visible *see,
                            heed_tensor **weights)
{
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_attention(where, net, in[QUERIES], in[KEYS], in[VALUES]) || !check_inputs(where, net, in))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *made = NULL, *maps[3] = {NULL};
    project_all(net, in, see, maps);
    heed_tensor *keys = placed(net, KEYS, split_heads(net, maps[KEYS]), 0);
    heed_tensor *result = attend(net, maps[QUERIES], keys, split_heads(net, maps[VALUES]), see, weights ? &made : NULL);
    return heed__scope_return_wanted(scope, result, &made, &weights, 1);
}

heed_tensor *heed_nn_multi_head_attention_forward(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                  heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {queries, keys, values};
    const visible see = {.valid_lens = valid_lens, .causal = net && net->causal};
    return forward(where_forward, net, in, &see, weights);
}

heed_tensor *heed_nn_multi_head_attention_masked(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                 heed_tensor *values, heed_tensor *valid_lens, heed_tensor *mask,
                                                 heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor *const in[] = {queries, keys, values};
    const visible see = {.valid_lens = valid_lens, .mask = mask, .bias = bias, .causal = net && net->causal};
    return forward(where_masked, net, in, &see, weights);
}

/* -- With a cache -------------------------------------------------------------------------------------------------- */

static bool check_keys(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens)
{
    const heed_tensor *keys = in[KEYS], *values = in[VALUES];
    const int64_t B = heed_dim(in[QUERIES], 0);
    if (!keys != !values)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_cached, "%s is NULL, and %s is not", keys ? "values" : "keys",
                               keys ? "keys" : "values");
    if (valid_lens && (net->causal || !keys))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_cached, "valid_lens %s",
                               net->causal ? "for a causal attention" : "without keys");
    if (keys && (heed_dim(keys, 0) != B || heed_dim(values, 0) != B || heed_dim(keys, 1) != heed_dim(values, 1)))
        return heed_fail_false(HEED_ERR_SHAPE, where_cached,
                               "queries %s, keys %s, values %s: must be (B, Q, any), (B, K, any), (B, K, any)",
                               heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_shape_text(heed_shape_of(keys)).s,
                               heed_shape_text(heed_shape_of(values)).s);
    return !valid_lens || heed__layer_check_tensor(where_cached, "valid_lens", valid_lens, HEED_I64, HEED_SHAPE(B));
}

static bool check_cached(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens,
                         const heed_kv_cache *cache)
{
    return heed__layer_check_given(where_cached, net, "queries", in[QUERIES]) &&
           heed__kv_cache_check(where_cached, cache) && check_inputs(where_cached, net, in) &&
           check_keys(net, in, valid_lens) && heed__kv_cache_fits(where_cached, cache, "queries", in[QUERIES]);
}

/* Of all keys queries have the last, where their places count: query i of Q is at K - Q + i. False after heed_fail. */
static bool place(const multi_head *net, const heed__kv_slot *slot, const heed_tensor *queries, visible *see)
{
    const int64_t Q = heed_dim(queries, 1);
    *see = (visible){.valid_lens = slot->valid_lens, .causal = net->causal};
    if (!net->causal && !net->rope && !net->slopes && net->window == 0)
        return true;
    see->offset = slot->length - Q;
    return see->offset >= 0 ||
           heed_fail_false(HEED_ERR_SHAPE, where_cached, "queries %s are the last of %" PRId64 " steps",
                           heed_shape_text(heed_shape_of(queries)).s, slot->length);
}

static bool append(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_kv_cache *cache,
                   heed__kv_slot *slot)
{
    heed_tensor *keys = placed(net, KEYS, split_heads(net, project(net, KEYS, in[KEYS])), slot->length);
    heed_tensor *values = split_heads(net, project(net, VALUES, in[VALUES]));
    return keys && values && heed__kv_cache_append(where_cached, cache, slot, keys, values, valid_lens);
}

/* What the cache then has is looked at. */
static heed_tensor *look(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_kv_cache *cache,
                         heed_tensor **weights)
{
    visible see;
    heed_tensor *padding = net->causal ? heed__kv_cache_padding(cache) : NULL;
    heed__kv_slot *slot = heed__kv_cache_slot(cache, &net->base);
    if (!slot || (in[KEYS] && !append(net, in, valid_lens, cache, slot)))
        return NULL;
    if (!slot->keys || (!in[KEYS] && slot->length == 0))
        return heed_fail_null(HEED_ERR_STATE, where_cached, "the cache has no keys, and none are given");
    if (heed_dim(slot->keys, 0) != heed_dim(in[QUERIES], 0))
        return heed_fail_null(HEED_ERR_SHAPE, where_cached, "queries %s: the cache has %" PRId64 " rows",
                              heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_dim(slot->keys, 0));
    if (!place(net, slot, in[QUERIES], &see) || (padding && !(see.mask = heed__kv_cache_seen(padding, slot->length))))
        return NULL;
    return attend(net, project(net, QUERIES, in[QUERIES]), heed_slice(slot->keys, 1, 0, slot->length, 1),
                  heed_slice(slot->values, 1, 0, slot->length, 1), &see, weights);
}

heed_tensor *heed_nn_multi_head_attention_cached(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                 heed_tensor *values, heed_tensor *valid_lens, heed_kv_cache *cache,
                                                 heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_cached, net);
    if (weights)
        *weights = NULL;
    heed_tensor *const in[] = {queries, keys, values};
    if (!check_cached(net, in, valid_lens, cache))
        return NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *made = NULL;
    heed__kv_cache_begin(cache);
    heed_tensor *result = look(net, in, valid_lens, cache, weights ? &made : NULL);
    result = heed__scope_return_wanted(scope, result, &made, &weights, 1);
    heed__kv_cache_end(cache, result != NULL);
    return result;
}
