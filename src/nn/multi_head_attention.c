/* nn/multi_head_attention.c - multi-head attention, with the parameters of torch.nn.MultiheadAttention. */

#include <inttypes.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/kv_cache.h"
#include "nn/layer.h"

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;

static const char where_new[] = "nn_multi_head_attention_new";
static const char where_forward[] = "nn_multi_head_attention_forward";
static const char where_cached[] = "nn_multi_head_attention_cached";

/* -- Making -------------------------------------------------------------------------------------------------------- */

/* A size of 0 is the default, hidden_size. */
static bool check_sizes(int64_t hidden_size, int64_t num_heads, multi_head_options *o)
{
    int64_t *const sizes[] = {&o->query_size, &o->key_size, &o->value_size};
    static const char *const names[] = {"query_size", "key_size", "value_size"};
    int64_t three;
    if (!heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where_new, "num_heads", num_heads))
        return false;
    if (hidden_size % num_heads != 0 || __builtin_mul_overflow(3, hidden_size, &three))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                               "hidden_size %" PRId64 " for %" PRId64 " heads: must be a multiple, below 2^63 / 3",
                               hidden_size, num_heads);
    for (int i = 0; i < 3; i++) {
        *sizes[i] = *sizes[i] == 0 ? hidden_size : *sizes[i];
        if (!heed__layer_check_size(where_new, names[i], *sizes[i]))
            return false;
    }
    return true;
}

static heed_tensor *glorot(heed_module *m, const char *name, heed_dtype dtype, int64_t out, int64_t in)
{
    heed_tensor *w = heed__layer_constant(m, name, dtype, HEED_SHAPE(out, in), 0.0);
    return w && heed_nn_init_xavier_uniform_(w) == HEED_OK ? w : NULL;
}

static bool make_in_proj(multi_head *net, const multi_head_options *o)
{
    heed_module *m = &net->base;
    int64_t h = net->hidden_size;
    if (o->query_size == h && o->key_size == h && o->value_size == h) {
        net->in_proj_weight = glorot(m, "in_proj_weight", o->dtype, 3 * h, h);
        if (!net->in_proj_weight)
            return false;
    } else {
        net->q_proj_weight = glorot(m, "q_proj_weight", o->dtype, h, o->query_size);
        net->k_proj_weight = glorot(m, "k_proj_weight", o->dtype, h, o->key_size);
        net->v_proj_weight = glorot(m, "v_proj_weight", o->dtype, h, o->value_size);
        if (!net->q_proj_weight || !net->k_proj_weight || !net->v_proj_weight)
            return false;
    }
    if (!o->no_bias)
        net->in_proj_bias = heed__layer_constant(m, "in_proj_bias", o->dtype, HEED_SHAPE(3 * h), 0.0);
    return o->no_bias || net->in_proj_bias;
}

static bool clear(heed_tensor *t)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_status status = heed_fill_(t, 0.0);
    heed_scope_end(scope);
    return status == HEED_OK;
}

/* PyTorch's linear layer, but for a bias of zeros. */
static bool make_out_proj(multi_head *net, const multi_head_options *o)
{
    const heed_nn_linear_options map = {.no_bias = o->no_bias, .dtype = o->dtype};
    net->out_proj =
        heed__layer_child(&net->base, "out_proj", heed_nn_linear_new(net->hidden_size, net->hidden_size, &map));
    if (!net->out_proj || o->no_bias)
        return net->out_proj != NULL;
    return clear(net->out_proj->bias);
}

multi_head *heed_nn_multi_head_attention_new(int64_t hidden_size, int64_t num_heads, const multi_head_options *options)
{
    HEED_ENTER(where_new);
    multi_head_options o = options ? *options : (multi_head_options){0};
    if (!check_sizes(hidden_size, num_heads, &o) || !heed__layer_check_dtype(where_new, o.dtype) ||
        !heed__layer_check_dropout(where_new, o.dropout))
        return NULL;
    multi_head *net = heed_module_new("multi_head_attention", sizeof *net);
    if (!net)
        return NULL;
    net->hidden_size = hidden_size;
    net->num_heads = num_heads;
    net->dropout = o.dropout;
    net->causal = o.causal;
    return heed__layer_finish(net, make_in_proj(net, &o) && make_out_proj(net, &o));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

enum { QUERIES, KEYS, VALUES };

/* Parameters that may be lent: slices of longer ones would fit, too. */
static bool check_in_proj(const char *where, const multi_head *net, heed_dtype dtype)
{
    int64_t h = net->hidden_size;
    heed_tensor *w = net->in_proj_weight, *b = net->in_proj_bias;
    return (!w || heed__layer_check_tensor(where, "in_proj_weight", w, dtype, HEED_SHAPE(3 * h, h))) &&
           (!b || heed__layer_check_tensor(where, "in_proj_bias", b, dtype, HEED_SHAPE(3 * h)));
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
    int64_t h = net->hidden_size, first = which * h;
    heed_tensor *w = net->in_proj_weight ? heed_slice(net->in_proj_weight, 0, first, first + h, 1) : maps[which];
    if (!net->in_proj_bias)
        return heed_linear(x, w, NULL);
    heed_tensor *b = heed_slice(net->in_proj_bias, 0, first, first + h, 1);
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

/* Keys or values x (B, K, .) with zeros past what any query sees, so that what lies there does not reach the gradient of
 * a map of them. */
static heed_tensor *seen(heed_tensor *x, heed_tensor *valid_lens, bool causal, int64_t queries)
{
    if (causal)
        valid_lens = causal_lens(valid_lens, heed_dim(x, 0), queries, heed_dim(x, 1));
    return valid_lens || causal ? heed_sequence_mask(x, valid_lens, 0.0) : x;
}

/* All three maps. In self-attention, too, these are three products: parts of one would each send back a gradient as large
 * as the whole. What no query sees is kept out of the maps' gradients, but in self-attention, where it is a query. */
static void project_all(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_tensor *out[3])
{
    int64_t queries = heed_dim(in[QUERIES], 1);
    heed_tensor *keys = in[KEYS], *values = in[VALUES];
    if (keys != in[QUERIES] || values != in[QUERIES]) {
        keys = seen(in[KEYS], valid_lens, net->causal, queries);
        bool same = in[VALUES] == in[KEYS];
        values = same ? keys : seen(in[VALUES], valid_lens, net->causal, queries);
    }
    out[QUERIES] = project(net, QUERIES, in[QUERIES]);
    out[KEYS] = project(net, KEYS, keys);
    out[VALUES] = project(net, VALUES, values);
}

/* (B, T, h) -> (B, T, heads, h / heads), a view. NULL for NULL. */
static heed_tensor *split_heads(const multi_head *net, heed_tensor *x)
{
    int64_t heads = net->num_heads;
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), heads, net->hidden_size / heads)) : NULL;
}

/* And back. */
static heed_tensor *join_heads(const multi_head *net, heed_tensor *x)
{
    return x ? heed_reshape(x, HEED_SHAPE(heed_dim(x, 0), heed_dim(x, 1), net->hidden_size)) : NULL;
}

/* Which keys are seen. */
typedef struct visible {
    heed_tensor *valid_lens; /* NULL: all */
    bool causal;
} visible;

/* All heads' attention of mapped queries to keys and values that are split into heads. */
static heed_tensor *attend(const multi_head *net, heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                           const visible *seen, heed_tensor **weights)
{
    const heed_attention_options options = {.valid_lens = seen->valid_lens,
                                            .causal = seen->causal,
                                            .heads_inner = true,
                                            .dropout = net->base.training ? net->dropout : 0.0};
    heed_tensor *pooled = heed_dot_product_attention(split_heads(net, queries), keys, values, &options, weights);
    return heed_nn_linear_forward(net->out_proj, join_heads(net, pooled));
}

heed_tensor *heed_nn_multi_head_attention_forward(multi_head *net, heed_tensor *queries, heed_tensor *keys,
                                                  heed_tensor *values, heed_tensor *valid_lens, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (weights)
        *weights = NULL;
    heed_tensor *const in[] = {queries, keys, values};
    if (!heed__layer_check_attention(where_forward, net, queries, keys, values) ||
        !check_inputs(where_forward, net, in))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *made = NULL, *maps[3] = {NULL};
    project_all(net, in, valid_lens, maps);
    heed_tensor *result = attend(net, maps[QUERIES], split_heads(net, maps[KEYS]), split_heads(net, maps[VALUES]),
                                 &(visible){valid_lens, net->causal}, weights ? &made : NULL);
    return heed__scope_return_wanted(scope, result, &made, &weights, 1);
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
           check_keys(net, in, valid_lens);
}

/* Of all keys, of which a causal attention's queries have the last: query i of Q sees 0 .. K - Q + i. False after
 * heed_fail. */
static bool seen_by(const multi_head *net, const heed__kv_slot *slot, const heed_tensor *queries, visible *seen)
{
    const int64_t K = slot->length, B = heed_dim(queries, 0), Q = heed_dim(queries, 1);
    *seen = (visible){slot->valid_lens, net->causal && K == Q};
    if (!net->causal || K == Q || Q <= 1)
        return true;
    const double first = (double)(K - Q) + 1.0;
    heed_tensor *lens = heed_clamp(heed_arange(HEED_F64, first, first + (double)Q, 1.0), 0.0, (double)K);
    seen->valid_lens = heed_expand(heed_to_dtype(lens, HEED_I64), HEED_SHAPE(B, Q));
    return seen->valid_lens != NULL;
}

static bool append(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_kv_cache *cache,
                   heed__kv_slot *slot)
{
    heed_tensor *keys = split_heads(net, project(net, KEYS, in[KEYS]));
    heed_tensor *values = split_heads(net, project(net, VALUES, in[VALUES]));
    return keys && values && heed__kv_cache_append(where_cached, cache, slot, keys, values, valid_lens);
}

/* What the cache then has is looked at. */
static heed_tensor *look(const multi_head *net, heed_tensor *const in[3], heed_tensor *valid_lens, heed_kv_cache *cache,
                         heed_tensor **weights)
{
    visible seen;
    heed__kv_slot *slot = heed__kv_cache_slot(cache, net);
    if (!slot || (in[KEYS] && !append(net, in, valid_lens, cache, slot)))
        return NULL;
    if (!slot->keys || (!in[KEYS] && slot->length == 0))
        return heed_fail_null(HEED_ERR_STATE, where_cached, "the cache has no keys, and none are given");
    if (heed_dim(slot->keys, 0) != heed_dim(in[QUERIES], 0))
        return heed_fail_null(HEED_ERR_SHAPE, where_cached, "queries %s: the cache has %" PRId64 " rows",
                              heed_shape_text(heed_shape_of(in[QUERIES])).s, heed_dim(slot->keys, 0));
    if (!seen_by(net, slot, in[QUERIES], &seen))
        return NULL;
    return attend(net, project(net, QUERIES, in[QUERIES]), heed_slice(slot->keys, 1, 0, slot->length, 1),
                  heed_slice(slot->values, 1, 0, slot->length, 1), &seen, weights);
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
