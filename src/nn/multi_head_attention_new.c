/* nn/multi_head_attention_new.c - makes multi-head attention, with the parameters of torch.nn.MultiheadAttention. */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/multi_head_attention.h"

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;

#define LN_2 0.69314718055994530942

static const char where_new[] = "nn_multi_head_attention_new";

/* A kv_heads of 0 is the default, num_heads; rope_dims of 0, a head's size. */
static bool check_heads(int64_t hidden_size, int64_t num_heads, multi_head_options *o)
{
    const int64_t head = hidden_size / num_heads;
    o->kv_heads = o->kv_heads == 0 ? num_heads : o->kv_heads;
    if (o->kv_heads < 1 || num_heads % o->kv_heads != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                               "%" PRId64 " heads, kv_heads is %" PRId64 ": must be a divisor", num_heads, o->kv_heads);
    if (o->window < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "window is %" PRId64 ": must be 0 or more", o->window);
    const int64_t dims = o->rope_dims == 0 ? head : o->rope_dims;
    if (o->rope && (dims < 0 || dims > head || dims % 2 != 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "rope_dims is %" PRId64 ": must be even, at most %" PRId64,
                               dims, head);
    return (isfinite(o->rope_base) && o->rope_base >= 0.0) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_new, "rope_base is %g: must be finite, 0 or more", o->rope_base);
}

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
    return check_heads(hidden_size, num_heads, o);
}

static heed_tensor *glorot(heed_module *m, const char *name, heed_dtype dtype, int64_t out, int64_t in)
{
    heed_tensor *w = heed__layer_constant(m, name, dtype, HEED_SHAPE(out, in), 0.0);
    return w && heed_nn_init_xavier_uniform_(w) == HEED_OK ? w : NULL;
}

static bool make_in_proj(multi_head *net, const multi_head_options *o)
{
    heed_module *m = &net->base;
    int64_t h = net->hidden_size, g = heed__multi_head_size(net, KEYS);
    if (o->query_size == h && o->key_size == h && o->value_size == h) {
        net->in_proj_weight = glorot(m, "in_proj_weight", o->dtype, h + 2 * g, h);
        if (!net->in_proj_weight)
            return false;
    } else {
        net->q_proj_weight = glorot(m, "q_proj_weight", o->dtype, h, o->query_size);
        net->k_proj_weight = glorot(m, "k_proj_weight", o->dtype, g, o->key_size);
        net->v_proj_weight = glorot(m, "v_proj_weight", o->dtype, g, o->value_size);
        if (!net->q_proj_weight || !net->k_proj_weight || !net->v_proj_weight)
            return false;
    }
    if (!o->no_bias)
        net->in_proj_bias = heed__layer_constant(m, "in_proj_bias", o->dtype, HEED_SHAPE(h + 2 * g), 0.0);
    return o->no_bias || net->in_proj_bias;
}

/* PyTorch's linear layer, but for a bias of zeros. */
static bool make_out_proj(multi_head *net, const multi_head_options *o)
{
    const heed_nn_linear_options map = {.no_bias = o->no_bias || o->no_out_bias, .dtype = o->dtype};
    net->out_proj =
        heed__layer_child(&net->base, "out_proj", heed_nn_linear_new(net->hidden_size, net->hidden_size, &map));
    if (!net->out_proj || map.no_bias)
        return net->out_proj != NULL;
    return heed__layer_clear(net->out_proj->bias);
}

/* Of n heads, a power of two, head i's is 2^(-8 (i + 1) / n). Of another number the first ones are those of the power n
 * below it, and the others every second one of 2 n heads. */
static bool make_slopes(multi_head *net, heed_dtype dtype)
{
    int64_t n = 1;
    while (n <= net->num_heads / 2)
        n *= 2;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    const int64_t others = net->num_heads - n;
    heed_tensor *all = heed_mul_scalar(heed_arange(HEED_F64, 1.0, (double)n + 1.0, 1.0), -8.0 / (double)n);
    if (others > 0) {
        heed_tensor *odd = heed_arange(HEED_F64, 1.0, 2.0 * (double)others, 2.0);
        all = heed_concat(HEED_TENSORS(all, heed_mul_scalar(odd, -4.0 / (double)n)), 0);
    }
    heed_tensor *slopes = heed_exp(heed_mul_scalar(all, LN_2));
    net->slopes = heed_retain(heed_to_dtype(slopes, dtype == HEED_F64 ? HEED_F64 : HEED_F32));
    heed_scope_end(scope);
    return net->slopes != NULL;
}

static void release_slopes(heed_module *m)
{
    heed_release(((multi_head *)m)->slopes);
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
    net->base.on_free = release_slopes;
    net->kv_heads = o.kv_heads;
    net->causal = o.causal;
    net->window = o.window;
    net->rope = o.rope;
    net->rope_interleaved = o.rope_interleaved;
    net->rope_base = o.rope_base;
    net->rope_dims = o.rope_dims;
    return heed__layer_finish(net, make_in_proj(net, &o) && make_out_proj(net, &o) &&
                                       (!o.alibi || make_slopes(net, o.dtype)));
}
