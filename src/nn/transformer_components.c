/* nn/transformer_components.c - the components of Transformer blocks. */

#include "nn/transformer_components.h"

#include <heed/ops.h>

/* Checks that all options of attention that the block itself sets are 0 in *o. */
static bool check_attention(const char *where, const heed_nn_multi_head_attention_options *o)
{
    const struct {
        const char *name;
        bool is_set;
    } fixed[] = {{"query_size", o->query_size != 0}, {"key_size", o->key_size != 0}, {"value_size", o->value_size != 0},
                 {"dropout", o->dropout != 0.0},     {"causal", o->causal},          {"no_bias", o->no_bias},
                 {"dtype", o->dtype != HEED_F32}};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (fixed[i].is_set)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "attention->%s is set: must be 0, because the block sets it", fixed[i].name);
    return true;
}

bool heed__transformer_check(const char *where, const heed__transformer_settings *settings)
{
    return heed__layer_check_size(where, "hidden_size", settings->hidden_size) &&
           heed__layer_check_size(where, "num_heads", settings->num_heads) &&
           heed__layer_check_size(where, "ffn_size", settings->ffn_size) &&
           heed__layer_check_dropout(where, settings->dropout) && heed__layer_check_dtype(where, settings->dtype) &&
           (!settings->attention || check_attention(where, settings->attention));
}

heed_nn_multi_head_attention *heed__transformer_attention(heed_module *m, const char *name,
                                                          const heed__transformer_settings *settings, bool causal,
                                                          const heed_nn_multi_head_attention_options *extra)
{
    heed_nn_multi_head_attention_options options = extra ? *extra : (heed_nn_multi_head_attention_options){0};
    options.dropout = settings->dropout;
    options.causal = causal;
    options.no_bias = settings->no_bias;
    options.dtype = settings->dtype;
    return heed__layer_child(m, name,
                             heed_nn_multi_head_attention_new(settings->hidden_size, settings->num_heads, &options));
}

heed_nn_layer_norm *heed__transformer_norm(heed_module *m, const char *name, const heed__transformer_settings *settings)
{
    const heed_nn_layer_norm_options options = {
        .eps = settings->eps, .no_bias = settings->no_bias, .dtype = settings->dtype};
    return heed__layer_child(m, name, heed_nn_layer_norm_new(HEED_SHAPE(settings->hidden_size), &options));
}

bool heed__transformer_linears(heed_module *m, const heed__transformer_settings *settings, heed_nn_linear **gate,
                               heed_nn_linear **linear1, heed_nn_linear **linear2)
{
    const heed_nn_linear_options options = {.no_bias = settings->no_bias, .dtype = settings->dtype};
    if (settings->gated && !(*gate = heed__layer_child(
                                 m, "gate", heed_nn_linear_new(settings->hidden_size, settings->ffn_size, &options))))
        return false;
    *linear1 = heed__layer_child(m, "linear1", heed_nn_linear_new(settings->hidden_size, settings->ffn_size, &options));
    if (*linear1)
        *linear2 =
            heed__layer_child(m, "linear2", heed_nn_linear_new(settings->ffn_size, settings->hidden_size, &options));
    return *linear2 != NULL;
}

heed_activation heed__transformer_activation(heed_activation given, bool gated)
{
    if (given)
        return given;
    return gated ? heed_silu : heed_relu;
}

heed_tensor *heed__transformer_feed_forward(heed_nn_linear *gate, heed_nn_linear *linear1, heed_nn_linear *linear2,
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
