/* nn/transformer_parts.c - the components of Transformer blocks. */

#include "nn/transformer_parts.h"

#include <heed/ops.h>

/* Checks that `attention` leaves the options that the block sets itself at 0. */
static bool check_attention(const char *where, const heed_nn_multi_head_attention_options *o)
{
    const struct {
        const char *name;
        bool told;
    } own[] = {{"query_size", o->query_size != 0}, {"key_size", o->key_size != 0}, {"value_size", o->value_size != 0},
               {"dropout", o->dropout != 0.0},     {"causal", o->causal},          {"no_bias", o->no_bias},
               {"dtype", o->dtype != HEED_F32}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].told)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "attention->%s is set: must be 0, as the block says it itself", own[i].name);
    return true;
}

bool heed__transformer_check(const char *where, const heed__transformer_parts *parts)
{
    return heed__layer_check_size(where, "hidden_size", parts->hidden_size) &&
           heed__layer_check_size(where, "num_heads", parts->num_heads) &&
           heed__layer_check_size(where, "ffn_size", parts->ffn_size) &&
           heed__layer_check_dropout(where, parts->dropout) && heed__layer_check_dtype(where, parts->dtype) &&
           (!parts->attention || check_attention(where, parts->attention));
}

heed_nn_multi_head_attention *heed__transformer_attention(heed_module *m, const char *name,
                                                          const heed__transformer_parts *parts, bool causal,
                                                          const heed_nn_multi_head_attention_options *besides)
{
    heed_nn_multi_head_attention_options options = besides ? *besides : (heed_nn_multi_head_attention_options){0};
    options.dropout = parts->dropout;
    options.causal = causal;
    options.no_bias = parts->no_bias;
    options.dtype = parts->dtype;
    return heed__layer_child(m, name, heed_nn_multi_head_attention_new(parts->hidden_size, parts->num_heads, &options));
}

heed_nn_layer_norm *heed__transformer_norm(heed_module *m, const char *name, const heed__transformer_parts *parts)
{
    const heed_nn_layer_norm_options options = {.eps = parts->eps, .no_bias = parts->no_bias, .dtype = parts->dtype};
    return heed__layer_child(m, name, heed_nn_layer_norm_new(HEED_SHAPE(parts->hidden_size), &options));
}

bool heed__transformer_linears(heed_module *m, const heed__transformer_parts *parts, heed_nn_linear **gate,
                               heed_nn_linear **linear1, heed_nn_linear **linear2)
{
    const heed_nn_linear_options options = {.no_bias = parts->no_bias, .dtype = parts->dtype};
    if (parts->gated &&
        !(*gate = heed__layer_child(m, "gate", heed_nn_linear_new(parts->hidden_size, parts->ffn_size, &options))))
        return false;
    *linear1 = heed__layer_child(m, "linear1", heed_nn_linear_new(parts->hidden_size, parts->ffn_size, &options));
    if (*linear1)
        *linear2 = heed__layer_child(m, "linear2", heed_nn_linear_new(parts->ffn_size, parts->hidden_size, &options));
    return *linear2 != NULL;
}

heed_activation heed__transformer_activation(heed_activation given, bool gated)
{
    if (given)
        return given;
    return gated ? heed_silu : heed_relu;
}

heed_tensor *heed__transformer_feed(heed_nn_linear *gate, heed_nn_linear *linear1, heed_nn_linear *linear2,
                                    heed_activation activation, double dropout, bool training, heed_tensor *x)
{
    const heed_nn_linear *activated = gate ? gate : linear1;
    heed_tensor *hidden = heed_linear_activated(x, activated->weight, activated->bias, activation);
    if (gate && hidden)
        hidden = heed_mul(hidden, heed_nn_linear_forward(linear1, x));
    return heed_nn_linear_forward(linear2, heed_dropout(hidden, dropout, training));
}

heed_tensor *heed__transformer_residual(const heed_module *m, double dropout, heed_tensor *x, heed_tensor *y)
{
    return heed_add(x, heed_dropout(y, dropout, m->training));
}
