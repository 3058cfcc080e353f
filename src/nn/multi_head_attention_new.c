/* nn/multi_head_attention_new.c - creates multi-head attention with the parameters of torch.nn.MultiheadAttention.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;

#define QK_NORM_EPS 1e-5
#define LN_2 0.69314718055994530942
#define MAX_POSITIONS ((int64_t)1 << 32)

static const char where_new[] = "nn_multi_head_attention_new";

/* Checks the options of heads and positions. A kv_heads of 0 selects the default, num_heads. */
static bool check_heads(int64_t num_heads, multi_head_options *o)
{
    o->kv_heads = o->kv_heads == 0 ? num_heads : o->kv_heads;
    if (o->kv_heads < 1 || num_heads % o->kv_heads != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "kv_heads is %" PRId64 ": must divide num_heads, %" PRId64,
                               o->kv_heads, num_heads);
    if (o->window < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "window is %" PRId64 ": must be 0 or more", o->window);
    if (o->relative_positions < 0 || o->relative_positions > MAX_POSITIONS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "relative_positions is %" PRId64 ": must be in 0 .. 2^32",
                               o->relative_positions);
    return heed__rope_check(o);
}

/* Checks head_dim; 0 selects the default, hidden_size / num_heads. */
static bool check_head_dim(int64_t hidden_size, int64_t num_heads, multi_head_options *o)
{
    int64_t total;
    if (o->head_dim == 0 && (hidden_size % num_heads != 0 || __builtin_mul_overflow(3, hidden_size, &total)))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                               "hidden_size is %" PRId64 ": must be a multiple of num_heads, %" PRId64
                               ", and below 2^63 / 3",
                               hidden_size, num_heads);
    o->head_dim = o->head_dim == 0 ? hidden_size / num_heads : o->head_dim;
    if (!heed__layer_check_size(where_new, "head_dim", o->head_dim))
        return false;
    return !(__builtin_mul_overflow(num_heads, o->head_dim, &total) || __builtin_mul_overflow(3, total, &total)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                           "num_heads is %" PRId64 ", head_dim is %" PRId64 ": the product must be below 2^63 / 3",
                           num_heads, o->head_dim);
}

/* Checks all sizes. A query_size, key_size or value_size of 0 selects the default, hidden_size. */
static bool check_sizes(int64_t hidden_size, int64_t num_heads, multi_head_options *o)
{
    int64_t *const sizes[] = {&o->query_size, &o->key_size, &o->value_size};
    static const char *const names[] = {"query_size", "key_size", "value_size"};
    if (!heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where_new, "num_heads", num_heads) || !check_head_dim(hidden_size, num_heads, o))
        return false;
    for (int i = 0; i < 3; i++) {
        *sizes[i] = *sizes[i] == 0 ? hidden_size : *sizes[i];
        if (!heed__layer_check_size(where_new, names[i], *sizes[i]))
            return false;
    }
    return check_heads(num_heads, o);
}

static heed_tensor *glorot(heed_module *m, const char *name, heed_dtype dtype, int64_t out, int64_t in)
{
    heed_tensor *w = heed__layer_constant(m, name, dtype, HEED_SHAPE(out, in), 0.0);
    return w && heed_nn_init_xavier_uniform_(w) == HEED_OK ? w : NULL;
}

static bool make_in_proj(multi_head *net, const multi_head_options *o)
{
    heed_module *m = &net->base;
    int64_t h = net->hidden_size, n = heed__multi_head_size(net, QUERIES), g = heed__multi_head_size(net, KEYS);
    if (o->query_size == h && o->key_size == h && o->value_size == h) {
        net->in_proj_weight = glorot(m, "in_proj_weight", o->dtype, n + 2 * g, h);
        if (!net->in_proj_weight)
            return false;
    } else {
        net->q_proj_weight = glorot(m, "q_proj_weight", o->dtype, n, o->query_size);
        net->k_proj_weight = glorot(m, "k_proj_weight", o->dtype, g, o->key_size);
        net->v_proj_weight = glorot(m, "v_proj_weight", o->dtype, g, o->value_size);
        if (!net->q_proj_weight || !net->k_proj_weight || !net->v_proj_weight)
            return false;
    }
    if (!o->no_bias)
        net->in_proj_bias = heed__layer_constant(m, "in_proj_bias", o->dtype, HEED_SHAPE(n + 2 * g), 0.0);
    return o->no_bias || net->in_proj_bias;
}

/* Creates the output map, initialised like PyTorch's linear layer, except that the bias is zero. */
static bool make_out_proj(multi_head *net, const multi_head_options *o)
{
    const heed_nn_linear_options map = {.no_bias = o->no_bias || o->no_out_bias, .dtype = o->dtype};
    net->out_proj = heed__layer_child(&net->base, "out_proj",
                                      heed_nn_linear_new(heed__multi_head_size(net, QUERIES), net->hidden_size, &map));
    if (!net->out_proj || map.no_bias)
        return net->out_proj != NULL;
    return heed__layer_clear(net->out_proj->bias);
}

static bool make_norms(multi_head *net, const multi_head_options *o)
{
    const double eps = o->qk_norm_eps == 0.0 ? QK_NORM_EPS : o->qk_norm_eps;
    const heed_nn_rms_norm_options options = {.eps = eps, .dtype = o->dtype};
    const heed_shape shape = HEED_SHAPE(net->head_dim);
    return (net->q_norm = heed__layer_child(&net->base, "q_norm", heed_nn_rms_norm_new(shape, &options))) &&
           (net->k_norm = heed__layer_child(&net->base, "k_norm", heed_nn_rms_norm_new(shape, &options)));
}

static bool make_frequencies(multi_head *net, const multi_head_options *o)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    net->rope_frequencies = heed_retain(heed__rope_scaled_frequencies(o));
    heed_scope_end(scope);
    return net->rope_frequencies != NULL;
}

/* Makes one ALiBi slope per head. If the number n of heads is a power of two, the slope of head i is 2^(-8 (i + 1) /
 * n). Otherwise n is the largest power of two below the number of heads. The first n slopes are then the slopes of n
 * heads; the remaining ones are the first, third, fifth and so on of 2 n heads. */
static bool make_slopes(multi_head *net, heed_dtype dtype)
{
    int64_t n = 1;
    while (n <= net->num_heads / 2)
        n *= 2;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    const int64_t remaining = net->num_heads - n;
    heed_tensor *exponents = heed_mul_scalar(heed_arange(HEED_F64, 1.0, (double)n + 1.0, 1.0), -8.0 / (double)n);
    if (remaining > 0) {
        heed_tensor *odd = heed_arange(HEED_F64, 1.0, 2.0 * (double)remaining, 2.0);
        exponents = heed_concat(HEED_TENSORS(exponents, heed_mul_scalar(odd, -4.0 / (double)n)), 0);
    }
    heed_tensor *slopes = heed_exp(heed_mul_scalar(exponents, LN_2));
    net->slopes = heed_retain(heed_to_dtype(slopes, dtype == HEED_F64 ? HEED_F64 : HEED_F32));
    heed_scope_end(scope);
    return net->slopes != NULL;
}

static void release_tables(heed_module *m)
{
    heed_release(((multi_head *)m)->slopes);
    heed_release(((multi_head *)m)->rope_frequencies);
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
    net->base.on_free = release_tables;
    net->kv_heads = o.kv_heads;
    net->head_dim = o.head_dim;
    net->causal = o.causal;
    net->window = o.window;
    net->rope = o.rope;
    net->rope_interleaved = o.rope_interleaved;
    net->rope_base = o.rope_base;
    net->rope_dims = o.rope_dims;
    net->rope_scaling = o.rope_scaling;
    net->rope_factor = o.rope_factor;
    net->rope_original_len = o.rope_original_len;
    net->rope_attention_factor = o.rope_attention_factor;
    const bool scales_frequencies = o.rope_scaling != HEED_ROPE_UNSCALED && o.rope_scaling != HEED_ROPE_DYNAMIC;
    return heed__layer_finish(
        net, make_in_proj(net, &o) && make_out_proj(net, &o) && (!o.qk_norm || make_norms(net, &o)) &&
                 (o.relative_positions == 0 || (net->relative_bias = heed__layer_constant(
                                                    &net->base, "relative_bias", o.dtype,
                                                    HEED_SHAPE(num_heads, 2 * o.relative_positions + 1), 0.0))) &&
                 (!o.alibi || make_slopes(net, o.dtype)) && (!scales_frequencies || make_frequencies(net, &o)));
}
