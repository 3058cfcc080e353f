/* nn/basic_layers.c - modules that apply one op or one function: embedding, dropout, flatten, functions and
 * activations. */

#include <stdio.h>
#include <string.h>

#include <heed/ops.h>

#include "nn/layer.h"

static heed_tensor *forward_embedding(heed_module *m, heed_tensor *indices)
{
    return heed_nn_embedding_forward((heed_nn_embedding *)m, indices);
}

heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim, const heed_nn_embedding_options *options)
{
    static const char where[] = "nn_embedding_new";
    HEED_ENTER(where);
    heed_nn_embedding_options o = options ? *options : (heed_nn_embedding_options){0};
    if (!heed__layer_check_size(where, "count", count) || !heed__layer_check_size(where, "dim", dim) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_embedding *net = heed_module_new("embedding", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_embedding;
    net->weight = heed__layer_constant(&net->base, "weight", o.dtype, HEED_SHAPE(count, dim), 0.0);
    return heed__layer_finish(net, net->weight && heed_nn_init_normal_(net->weight, 0.0, 1.0) == HEED_OK);
}

heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices)
{
    HEED_ENTER_FORWARD("nn_embedding_forward", net);
    if (!heed__layer_check_given("nn_embedding_forward", net, "indices", indices))
        return NULL;
    return heed_embedding(indices, net->weight);
}

static heed_tensor *forward_dropout(heed_module *m, heed_tensor *x)
{
    return heed_nn_dropout_forward((heed_nn_dropout *)m, x);
}

heed_nn_dropout *heed_nn_dropout_new(double p)
{
    HEED_ENTER("nn_dropout_new");
    if (!heed__layer_check_dropout("nn_dropout_new", p))
        return NULL;
    heed_nn_dropout *net = heed_module_new("dropout", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_dropout;
    net->p = p;
    return net;
}

heed_tensor *heed_nn_dropout_forward(heed_nn_dropout *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_dropout_forward", net);
    if (!heed__layer_check_given("nn_dropout_forward", net, "x", x))
        return NULL;
    return heed_dropout(x, net->p, net->base.training);
}

static heed_tensor *forward_flatten(heed_module *m, heed_tensor *x)
{
    return heed_nn_flatten_forward((heed_nn_flatten *)m, x);
}

heed_nn_flatten *heed_nn_flatten_new(int start_axis, int end_axis)
{
    HEED_ENTER("nn_flatten_new");
    heed_nn_flatten *net = heed_module_new("flatten", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_flatten;
    net->start_axis = start_axis;
    net->end_axis = end_axis;
    return net;
}

heed_tensor *heed_nn_flatten_forward(heed_nn_flatten *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_flatten_forward", net);
    if (!heed__layer_check_given("nn_flatten_forward", net, "x", x))
        return NULL;
    return heed_flatten(x, net->start_axis, net->end_axis);
}

/* -- Functions ----------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_function(heed_module *m, heed_tensor *x)
{
    return heed_nn_function_forward((heed_nn_function *)m, x);
}

heed_nn_function *heed_nn_function_new(const char *name, heed_tensor *(*function)(heed_tensor *x))
{
    HEED_ENTER("nn_function_new");
    if (!name || !function)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nn_function_new", "the %s is NULL", name ? "function" : "name");
    heed_nn_function *net = heed_module_new(name, sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_function;
    net->function = function;
    return net;
}

heed_tensor *heed_nn_function_forward(heed_nn_function *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_function_forward", net);
    if (!heed__layer_check_given("nn_function_forward", net, "x", x))
        return NULL;
    heed_callback call = heed_callback_begin(net->base.type);
    heed_tensor *y = net->function(x);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y) /* even if the function did not call heed_fail */
        heed_fail(HEED_ERR_STATE, "nn_function_forward", "the function of %s returned NULL", net->base.type);
    return y;
}

/* -- Activations by their PyTorch names ---------------------------------------------------------------------------- */

static heed_tensor *leaky_relu(heed_tensor *x)
{
    return heed_leaky_relu(x, 0.01);
}

static heed_tensor *elu(heed_tensor *x)
{
    return heed_elu(x, 1.0);
}

static heed_tensor *hardtanh(heed_tensor *x)
{
    return heed_hardtanh(x, -1.0, 1.0);
}

static const struct {
    const char *name;
    heed_activation function;
} activations[] = {
    {"relu", heed_relu},       {"gelu", heed_gelu},           {"silu", heed_silu}, {"tanh", heed_tanh},
    {"sigmoid", heed_sigmoid}, {"softplus", heed_softplus},   {"elu", elu},        {"leaky_relu", leaky_relu},
    {"hardtanh", hardtanh},    {"gelu_tanh", heed_gelu_tanh}, {"selu", heed_selu},
};

enum { ACTIVATIONS = sizeof activations / sizeof activations[0] };

heed_activation heed_activation_named(const char *name)
{
    char names[128] = "";
    for (int i = 0; name && i < ACTIVATIONS; i++) {
        if (strcmp(activations[i].name, name) == 0)
            return activations[i].function;
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", activations[i].name);
    }
    if (!name)
        heed_fail(HEED_ERR_ARGUMENT, "activation_named", "the name is NULL");
    else
        heed_fail(HEED_ERR_ARGUMENT, "activation_named", "there is no activation \"%.40s\": must be one of %s", name,
                  names);
    return NULL;
}
