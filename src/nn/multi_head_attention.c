/* nn/multi_head_attention.c - forward passes of multi-head attention; the constructor is in
 * nn/multi_head_attention_new.c. */

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

/* Checks the shapes of the stacked parameters, which a user may have replaced: slices of too long ones would go
 * unnoticed. */
static bool check_in_proj(const char *where, const multi_head *net, heed_dtype dtype)
{
    int64_t h = net->hidden_size, rows = heed__multi_head_size(net, QUERIES) + 2 * heed__multi_head_size(net, KEYS);
    heed_tensor *w = net->in_proj_weight, *b = net->in_proj_bias;
    return (!w || heed__layer_check_tensor(where, "in_proj_weight", w, dtype, HEED_SHAPE(rows, h))) &&
           (!b || heed__layer_check_tensor(where, "in_proj_bias", b, dtype, HEED_SHAPE(rows)));
}

/* Checks dtypes and shapes of the inputs. Keys and values may be NULL. */
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

/* Applies the linear map of the queries, the keys or the values to x. */
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

/* Applies all three linear maps. Even self-attention computes three products: the gradient of every slice of a single
 * product would be as large as the whole product. Keys and values that no query sees are replaced by zeros, so that
 * they do not affect the gradients of the maps. Self-attention omits this, because its keys and values are queries,
 * too. */
static void project_all(const multi_head *net, heed_tensor *const in[3], const heed__multi_head_visibility *visibility,
                        heed_tensor *out[3])
{
    heed_tensor *inputs[] = {in[QUERIES], in[KEYS], in[VALUES]};
    if (in[KEYS] != in[QUERIES] || in[VALUES] != in[QUERIES])
        heed__multi_head_clear_hidden(net, in, visibility, inputs);
    for (int i = QUERIES; i <= VALUES; i++)
        out[i] = project(net, i, inputs[i]);
}

/* Reshapes (B, T, heads d) to (B, T, heads, d), a view. Returns NULL for NULL. */
static heed_tensor *split_heads(const multi_head *net, heed_tensor *x)
{
    const int64_t head = net->head_dim;
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heed_dim(x, 2) / head, head)) : NULL;
}

/* Reshapes (B, T, heads, d) to (B, T, heads d). Returns NULL for NULL. */
static heed_tensor *join_heads(const multi_head *net, heed_tensor *x)
{
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heed__multi_head_size(net, QUERIES))) : NULL;
}

/* Normalises queries or keys if the layer has a QK norm, and rotates them if it has RoPE. x is split into heads and
 * begins with step `first`. */
static heed_tensor *normalise_and_rotate(const multi_head *net, int which, heed_tensor *x, int64_t first)
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

/* Computes the attention of all heads and applies the output map. The queries are mapped; the keys and values are
 * mapped and split into heads. */
static heed_tensor *attend(const multi_head *net, heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                           const heed__multi_head_visibility *visibility, heed_tensor **weights)
{
    const heed_attention_options options = {.valid_lens = visibility->valid_lens,
                                            .causal = visibility->causal,
                                            .heads_inner = true,
                                            .dropout = net->base.training ? net->dropout : 0.0,
                                            .mask = visibility->mask,
                                            .bias = visibility->bias,
                                            .slopes = net->slopes,
                                            .relative_bias = net->relative_bias,
                                            .window = net->window,
                                            .query_offset = visibility->offset};
    queries = normalise_and_rotate(net, QUERIES, split_heads(net, queries), visibility->offset);
    heed_tensor *pooled = heed_dot_product_attention(queries, keys, values, &options, weights);
    return heed_nn_linear_forward(net->out_proj, join_heads(net, pooled));
}

static heed_tensor *forward(const char *where, multi_head *net, heed_tensor *const in[3],
                            const heed__multi_head_visibility *visibility, heed_tensor **weights)
{
    if (weights)
        *weights = NULL;
    if (!heed__layer_check_attention(where, net, in[QUERIES], in[KEYS], in[VALUES]) || !check_inputs(where, net, in))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *computed = NULL, *maps[3] = {NULL};
    project_all(net, in, visibility, maps);
    heed_tensor *keys = normalise_and_rotate(net, KEYS, split_heads(net, maps[KEYS]), 0);
    heed_tensor *result =
        attend(net, maps[QUERIES], keys, split_heads(net, maps[VALUES]), visibility, weights ? &computed : NULL);
    return heed__scope_return_requested(scope, result, &computed, &weights, 1);
}

heed_tensor *heed_nn_multi_head_attention_forward(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                  heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed__multi_head_visibility visibility = {.valid_lens = valid_lens, .causal = net && net->causal};
    return forward(where_forward, net, in, &visibility, weights);
}

heed_tensor *heed_nn_multi_head_attention_masked(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                 heed_tensor *values, heed_tensor *valid_lens, heed_tensor *mask,
                                                 heed_tensor *bias, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor *const in[] = {queries, keys, values};
    const heed__multi_head_visibility visibility = {
        .valid_lens = valid_lens, .mask = mask, .bias = bias, .causal = net && net->causal};
    return forward(where_masked, net, in, &visibility, weights);
}

/* -- With a cache -------------------------------------------------------------------------------------------------- */

static bool check_keys(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens)
{
    const heed_tensor *keys = in[KEYS], *values = in[VALUES];
    const int64_t B = heed_dim(in[QUERIES], 0);
    if (!keys != !values)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_cached, "%s is NULL, but %s is given: pass both or neither",
                               keys ? "values" : "keys", keys ? "keys" : "values");
    if (valid_lens && (net->causal || !keys))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_cached, "valid_lens must be NULL %s",
                               net->causal ? "for causal attention" : "without keys");
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

/* Sets *visibility for queries after the cached keys. If positions matter, the Q queries are the last steps of the
 * slot's K steps: query i has position K - Q + i. Returns false after heed_fail. */
static bool position_queries(const multi_head *net, const heed__kv_slot *slot, const heed_tensor *queries,
                             heed__multi_head_visibility *visibility)
{
    const int64_t Q = heed_dim(queries, 1);
    *visibility = (heed__multi_head_visibility){.valid_lens = slot->valid_lens, .causal = net->causal};
    if (!net->causal && !net->rope && !net->slopes && !net->relative_bias && net->window == 0)
        return true;
    visibility->offset = slot->length - Q;
    return visibility->offset >= 0 ||
           heed_fail_false(HEED_ERR_SHAPE, where_cached,
                           "queries is %s: must have at most %" PRId64 " steps, the number of keys",
                           heed_shape_text(heed_shape_of(queries)).s, slot->length);
}

static bool append_keys(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_kv_cache *cache,
                        heed__kv_slot *slot)
{
    heed_tensor *keys = normalise_and_rotate(net, KEYS, split_heads(net, project(net, KEYS, in[KEYS])), slot->length);
    heed_tensor *values = split_heads(net, project(net, VALUES, in[VALUES]));
    return keys && values && heed__kv_cache_append(where_cached, cache, slot, keys, values, valid_lens);
}

/* Appends the new keys and values to the cache, unless in[KEYS] is NULL, and attends to all cached keys. Returns NULL
 * after heed_fail. */
static heed_tensor *attend_cached(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens,
                                  heed_kv_cache *cache, heed_tensor **weights)
{
    heed__multi_head_visibility visibility;
    heed_tensor *padding = net->causal ? heed__kv_cache_padding(cache) : NULL;
    heed__kv_slot *slot = heed__kv_cache_slot(cache, &net->base);
    if (!slot || (in[KEYS] && !append_keys(net, in, valid_lens, cache, slot)))
        return NULL;
    if (!slot->keys || (!in[KEYS] && slot->length == 0))
        return heed_fail_null(HEED_ERR_STATE, where_cached,
                              "the cache is empty and keys is NULL: pass keys and values in the first call");
    if (heed_dim(slot->keys, 0) != heed_dim(in[QUERIES], 0))
        return heed_fail_null(HEED_ERR_SHAPE, where_cached,
                              "queries is %s: must have %" PRId64 " sequences, as the cache",
                              heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_dim(slot->keys, 0));
    if (!position_queries(net, slot, in[QUERIES], &visibility) ||
        (padding && !(visibility.mask = heed__kv_cache_unpadded(padding, slot->length))))
        return NULL;
    return attend(net, project(net, QUERIES, in[QUERIES]), heed_slice(slot->keys, 1, 0, slot->length, 1),
                  heed_slice(slot->values, 1, 0, slot->length, 1), &visibility, weights);
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
    heed_tensor *computed = NULL;
    heed__kv_cache_begin(cache);
    heed_tensor *result = attend_cached(net, in, valid_lens, cache, weights ? &computed : NULL);
    result = heed__scope_return_requested(scope, result, &computed, &weights, 1);
    heed__kv_cache_end(cache, result != NULL);
    return result;
}
