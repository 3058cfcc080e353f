/* nn/multi_head_attention.c - forward passes of multi-head attention; the constructor is in
 * nn/multi_head_attention_new.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;

static const char where_forward[] = "nn_multi_head_attention_forward";
static const char where_with[] = "nn_multi_head_attention_forward_with";

/* -- Linear maps --------------------------------------------------------------------------------------------------- */

/* Checks dtypes and shapes of the inputs. Keys and values may be NULL. Also checks the shapes of the stacked
 * parameters, which a user may have replaced: slices of too long ones would go unnoticed. */
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
    int64_t h = net->hidden_size, rows = heed__multi_head_size(net, QUERIES) + 2 * heed__multi_head_size(net, KEYS);
    heed_tensor *w = net->in_proj_weight, *b = net->in_proj_bias;
    return (!w || heed__layer_check_tensor(where, "in_proj_weight", w, dtype, HEED_SHAPE(rows, h))) &&
           (!b || heed__layer_check_tensor(where, "in_proj_bias", b, dtype, HEED_SHAPE(rows)));
}

/* Applies the linear map of the queries, the keys or the values to x. in_proj is the layer's in_proj_weight. */
static heed_tensor *project_by(const multi_head *net, heed_tensor *in_proj, int which, heed_tensor *x)
{
    heed_tensor *const maps[] = {net->q_proj_weight, net->k_proj_weight, net->v_proj_weight};
    const int64_t size = heed__multi_head_size(net, which);
    const int64_t first = which == QUERIES ? 0 : heed__multi_head_size(net, QUERIES) + (which - KEYS) * size;
    heed_tensor *w = in_proj ? heed_slice(in_proj, 0, first, first + size, 1) : maps[which];
    if (!net->in_proj_bias)
        return heed_linear(x, w, NULL);
    heed_tensor *b = heed_slice(net->in_proj_bias, 0, first, first + size, 1);
    return b ? heed_linear(x, w, b) : NULL;
}

static heed_tensor *project(const multi_head *net, int which, heed_tensor *x)
{
    return project_by(net, net->in_proj_weight, which, x);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Replaces keys (B, K, .) and values (B, K, .) that no query sees by zeros, so that they do not affect the gradients of
 * the linear maps. Leaves keys and values that do not fit as they are: the op of attention reports them. Returns false
 * after heed_fail. */
static bool clear_hidden(const multi_head *net, const heed_attention_options *options, heed_tensor *in[3])
{
    const int64_t batch = heed_dim(in[QUERIES], 0), keys = heed_dim(in[KEYS], 1);
    if (!options->valid_lens && !options->causal && !options->mask && !options->bias && !options->relative_bias &&
        options->window == 0)
        return true;
    if (heed_dim(in[KEYS], 0) != batch || heed_dim(in[VALUES], 0) != batch || heed_dim(in[VALUES], 1) != keys)
        return true;
    const heed_shape pairs = HEED_SHAPE(batch, net->num_heads, heed_dim(in[QUERIES], 1), keys);
    heed_tensor *visible = heed_attention_visible_keys(pairs, options);
    heed_tensor *hidden = visible ? heed_unsqueeze(heed_logical_not(visible), 2) : NULL;
    const bool shared = in[VALUES] == in[KEYS];
    in[KEYS] = hidden ? heed_masked_fill(in[KEYS], hidden, 0.0) : NULL;
    in[VALUES] = shared || !in[KEYS] ? in[KEYS] : heed_masked_fill(in[VALUES], hidden, 0.0);
    return in[VALUES] != NULL;
}

/* Applies all three linear maps. Even self-attention computes three products: the gradient of every slice of a single
 * product would be as large as the whole product. Self-attention clears no hidden keys, because its keys and values are
 * queries, too. Returns false after heed_fail. */
static bool project_all(const multi_head *net, heed_tensor *const in[3], const heed_attention_options *options,
                        heed_tensor *out[3])
{
    heed_tensor *inputs[] = {in[QUERIES], in[KEYS], in[VALUES]}, *in_proj = net->in_proj_weight;
    if (in_proj && !(in_proj = heed_contiguous(in_proj))) /* computes a parametrized weight once */
        return false;
    if ((in[KEYS] != in[QUERIES] || in[VALUES] != in[QUERIES]) && !clear_hidden(net, options, inputs))
        return false;
    for (int i = QUERIES; i <= VALUES; i++)
        out[i] = project_by(net, in_proj, i, inputs[i]);
    return true;
}

/* Reshapes (B, T, heads d) to (B, T, heads, d), a view. Returns NULL for NULL. */
static heed_tensor *split_heads(const multi_head *net, heed_tensor *x)
{
    const int64_t head = net->head_dim;
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heed_dim(x, 2) / head, head)) : NULL;
}

/* Normalises queries or keys that are split into heads, if the layer has a QK norm. Returns NULL for NULL. */
static heed_tensor *normalise(const multi_head *net, int which, heed_tensor *x)
{
    heed_nn_rms_norm *norm = which == QUERIES ? net->q_norm : net->k_norm;
    return norm && x ? heed_nn_rms_norm_forward(norm, x) : x;
}

/* Rotates queries or keys if the layer has RoPE. x begins with step `first` of a sequence of `length` steps. Returns
 * NULL for NULL. */
static heed_tensor *rotate(const multi_head *net, heed_tensor *x, int64_t first, int64_t length)
{
    const heed_rope_options options = {.base = heed__rope_base_at(net, length),
                                       .offset = first,
                                       .dims = net->rope_dims,
                                       .interleaved = net->rope_interleaved,
                                       .heads_inner = true,
                                       .frequencies = net->rope_frequencies,
                                       .scale = net->rope_attention_factor};
    return net->rope && x ? heed_rope(x, NULL, &options) : x;
}

/* Returns true if a cache has to hold keys before their rotation, because the rotation depends on the length of the
 * sequence. */
static bool rotates_late(const multi_head *net)
{
    return net->rope_scaling == HEED_ROPE_DYNAMIC;
}

/* Adds the settings of the layer to the options of a call. */
static void set_layer_options(const multi_head *net, heed_attention_options *options)
{
    options->causal = net->causal;
    options->heads_inner = true;
    options->dropout = net->base.training ? net->dropout : 0.0;
    options->slopes = net->slopes;
    options->relative_bias = net->relative_bias;
    options->window = net->window;
}

/* Computes the attention of all heads and applies the output map. The queries are mapped; the keys and values are
 * mapped and split into heads, and the keys are rotated. A sequence has `length` steps. */
static heed_tensor *attend(const multi_head *net, heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                           int64_t length, const heed_attention_options *options, heed_tensor **weights)
{
    queries = rotate(net, normalise(net, QUERIES, split_heads(net, queries)), options->query_offset, length);
    heed_tensor *y = heed_dot_product_attention(queries, keys, values, options, weights);
    heed_tensor *joined =
        y ? heed_reshape(y, HEED_SHAPE(heed_dim(y, 0), heed_dim(y, 1), heed__multi_head_size(net, QUERIES))) : NULL;
    return heed_nn_linear_forward(net->out_proj, joined);
}

/* Attends to the keys of the call. */
static heed_tensor *attend_uncached(const multi_head *net, heed_tensor *const in[3], const heed_nn_attention_call *call,
                                    heed_tensor **weights)
{
    heed_attention_options options = {.valid_lens = call->valid_lens, .mask = call->mask, .bias = call->bias};
    set_layer_options(net, &options);
    heed_tensor *maps[3] = {NULL};
    if (!project_all(net, in, &options, maps))
        return NULL;
    const int64_t Q = heed_dim(in[QUERIES], 1), K = heed_dim(in[KEYS], 1), length = Q > K ? Q : K;
    heed_tensor *keys = rotate(net, normalise(net, KEYS, split_heads(net, maps[KEYS])), 0, length);
    return attend(net, maps[QUERIES], keys, split_heads(net, maps[VALUES]), length, &options, weights);
}

/* -- With a cache -------------------------------------------------------------------------------------------------- */

static bool check_cached_keys(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens)
{
    const heed_tensor *keys = in[KEYS], *values = in[VALUES];
    const int64_t B = heed_dim(in[QUERIES], 0);
    if (!keys != !values)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_with, "%s is NULL, but %s is given: pass both or neither",
                               keys ? "values" : "keys", keys ? "keys" : "values");
    if (valid_lens && (net->causal || !keys))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_with, "valid_lens must be NULL with a cache %s",
                               net->causal ? "and causal attention" : "and without keys");
    if (keys && (heed_dim(keys, 0) != B || heed_dim(values, 0) != B || heed_dim(keys, 1) != heed_dim(values, 1)))
        return heed_fail_false(HEED_ERR_SHAPE, where_with,
                               "queries %s, keys %s, values %s: must be (B, Q, any), (B, K, any), (B, K, any)",
                               heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_shape_text(heed_shape_of(keys)).s,
                               heed_shape_text(heed_shape_of(values)).s);
    return !valid_lens || heed__layer_check_tensor(where_with, "valid_lens", valid_lens, HEED_I64, HEED_SHAPE(B));
}

static bool check_cached(const multi_head *net, heed_tensor *const in[3], const heed_nn_attention_call *call)
{
    return heed__layer_check_given(where_with, net, "queries", in[QUERIES]) && check_inputs(where_with, net, in) &&
           check_cached_keys(net, in, call->valid_lens) &&
           heed__kv_cache_fits(where_with, call->cache, "queries", in[QUERIES]);
}

/* Sets the position of queries after the cached keys. If positions matter, the Q queries are the last steps of the
 * slot's K steps: query i has position K - Q + i. Returns false after heed_fail. */
static bool position_queries(const multi_head *net, const heed__kv_slot *slot, const heed_tensor *queries,
                             int64_t *position)
{
    const int64_t Q = heed_dim(queries, 1);
    if (!net->causal && !net->rope && !net->slopes && !net->relative_bias && net->window == 0)
        return true;
    *position = slot->length - Q;
    return *position >= 0 || heed_fail_false(HEED_ERR_SHAPE, where_with,
                                             "queries is %s: must have at most %" PRId64 " steps, the number of keys",
                                             heed_shape_text(heed_shape_of(queries)).s, slot->length);
}

static bool append_keys(const multi_head *net, heed_tensor *const in[3], const heed_nn_attention_call *call,
                        heed__kv_slot *slot)
{
    heed_tensor *keys = normalise(net, KEYS, split_heads(net, project(net, KEYS, in[KEYS])));
    if (!rotates_late(net))
        keys = rotate(net, keys, slot->length, 0);
    heed_tensor *values = split_heads(net, project(net, VALUES, in[VALUES]));
    return keys && values && heed__kv_cache_append(where_with, call->cache, slot, keys, values, call->valid_lens);
}

static bool broadcasts(const heed_tensor *t, heed_shape to)
{
    const heed_shape shape = heed_shape_of(t);
    const int missing = to.rank - shape.rank;
    bool fits = missing >= 0;
    for (int axis = 0; fits && axis < shape.rank; axis++)
        fits = shape.dims[axis] == 1 || shape.dims[axis] == to.dims[missing + axis];
    return fits;
}

/* Sets *mask to the mask of the call without the padding of the cache, or to NULL. A mask that does not fit is set
 * unchanged: the op of attention reports it. Returns false after heed_fail. */
static bool mask_padding(const multi_head *net, const heed_nn_attention_call *call, heed_shape pairs,
                         heed_tensor **mask)
{
    heed_tensor *padding = net->causal ? heed__kv_cache_padding(call->cache) : NULL;
    *mask = call->mask;
    if (!padding || (*mask && (heed_dtype_of(*mask) != HEED_BOOL || !broadcasts(*mask, pairs))))
        return true;
    heed_tensor *unpadded = heed__kv_cache_unpadded(padding, pairs.dims[3]);
    *mask = *mask && unpadded ? heed_logical_and(*mask, unpadded) : unpadded;
    return *mask != NULL;
}

/* Appends the new keys and values to the cache, unless in[KEYS] is NULL, and attends to all cached keys. Returns NULL
 * after heed_fail. */
static heed_tensor *attend_cached(const multi_head *net, heed_tensor *const in[3], const heed_nn_attention_call *call,
                                  heed_tensor **weights)
{
    heed__kv_slot *slot = heed__kv_cache_slot(call->cache, &net->base);
    if (!slot || (in[KEYS] && !append_keys(net, in, call, slot)))
        return NULL;
    if (!slot->keys || (!in[KEYS] && slot->length == 0))
        return heed_fail_null(HEED_ERR_STATE, where_with,
                              "the cache is empty and keys is NULL: pass keys and values in the first call");
    const int64_t batch = heed_dim(in[QUERIES], 0);
    if (heed_dim(slot->keys, 0) != batch)
        return heed_fail_null(HEED_ERR_SHAPE, where_with,
                              "queries is %s: must have %" PRId64 " sequences, as the cache",
                              heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_dim(slot->keys, 0));
    const heed_shape pairs = HEED_SHAPE(batch, net->num_heads, heed_dim(in[QUERIES], 1), slot->length);
    heed_attention_options options = {.valid_lens = slot->valid_lens, .bias = call->bias};
    set_layer_options(net, &options);
    if (!position_queries(net, slot, in[QUERIES], &options.query_offset) ||
        !mask_padding(net, call, pairs, &options.mask))
        return NULL;
    heed_tensor *keys = heed_slice(slot->keys, 1, 0, slot->length, 1);
    if (rotates_late(net))
        keys = rotate(net, keys, 0, slot->length);
    return attend(net, project(net, QUERIES, in[QUERIES]), keys, heed_slice(slot->values, 1, 0, slot->length, 1),
                  slot->length, &options, weights);
}

/* -- Calls --------------------------------------------------------------------------------------------------------- */

static heed_tensor *forward(const char *where, const multi_head *net, heed_tensor *const in[3],
                            const heed_nn_attention_call *call)
{
    if (!heed__attention_call_begin(where, call, HEED__CALL_CACHE | HEED__CALL_CACHED_LENS))
        return NULL;
    const bool fits = call->cache ? check_cached(net, in, call)
                                  : heed__layer_check_attention(where, net, in[QUERIES], in[KEYS], in[VALUES]) &&
                                        check_inputs(where, net, in);
    heed_scope *scope = fits ? heed__kv_cache_scope_begin(call->cache) : NULL;
    if (!scope)
        return NULL;
    heed__layer_output output = {.to = call->weights};
    heed_tensor **weights = heed__requested(&output);
    heed_tensor *result = call->cache ? attend_cached(net, in, call, weights) : attend_uncached(net, in, call, weights);
    return heed__kv_cache_scope_return(call->cache, scope, result, &output, 1);
}

heed_tensor *heed_nn_multi_head_attention_forward(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                  heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {queries, keys, values};
    return forward(where_forward, net, in, &(heed_nn_attention_call){.valid_lens = valid_lens, .weights = weights});
}

heed_tensor *heed_nn_multi_head_attention_forward_with(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                       heed_tensor *values, const heed_nn_attention_call *call)
{
    HEED_ENTER_FORWARD(where_with, net);
    heed_tensor *const in[] = {queries, keys, values};
    return forward(where_with, net, in, call ? call : &(heed_nn_attention_call){0});
}
