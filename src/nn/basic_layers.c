/* nn/basic_layers.c - modules that apply one op or one function: embedding, dropout, flatten, unflatten, identity,
 * functions, PReLU and activations.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/ops.h>

#include "nn/layer.h"

static heed_tensor *forward_embedding(heed_module *m, heed_tensor *indices)
{
    return heed_nn_embedding_forward((heed_nn_embedding *)m, indices);
}

static bool check_padding_idx(const char *where, int64_t count, const heed_nn_embedding_options *o)
{
    if (!o->has_padding_idx && o->padding_idx != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "padding_idx is %" PRId64 " and has_padding_idx is false: set both to use it",
                               o->padding_idx);
    if (o->padding_idx >= -count && o->padding_idx < count)
        return true;
    return heed_fail_false(HEED_ERR_INDEX, where, "padding_idx is %" PRId64 ": must be in -count .. count - 1",
                           o->padding_idx);
}

/* Fills a row of the weight with zeros. Returns false after heed_fail. */
static bool clear_row(heed_tensor *weight, int64_t row)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *vector = heed_select(weight, 0, row);
    bool ok = vector && heed_fill_(vector, 0.0) == HEED_OK;
    return heed_scope_end(scope) == HEED_OK && ok;
}

heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim, const heed_nn_embedding_options *options)
{
    static const char where[] = "nn_embedding_new";
    HEED_ENTER(where);
    heed_nn_embedding_options o = options ? *options : (heed_nn_embedding_options){0};
    if (!heed__layer_check_size(where, "count", count) || !heed__layer_check_size(where, "dim", dim) ||
        !heed__layer_check_dtype(where, o.dtype) || !check_padding_idx(where, count, &o))
        return NULL;
    heed_nn_embedding *net = heed_module_new("embedding", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_embedding;
    net->weight = heed__layer_constant(&net->base, "weight", o.dtype, HEED_SHAPE(count, dim), 0.0);
    net->padding_idx = !o.has_padding_idx ? -1 : o.padding_idx < 0 ? o.padding_idx + count : o.padding_idx;
    bool ok = net->weight && heed_nn_init_normal_(net->weight, 0.0, 1.0) == HEED_OK;
    return heed__layer_finish(net, ok && (net->padding_idx < 0 || clear_row(net->weight, net->padding_idx)));
}

heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices)
{
    HEED_ENTER_FORWARD("nn_embedding_forward", net);
    if (!heed__layer_check_given("nn_embedding_forward", net, "indices", indices))
        return NULL;
    return net->padding_idx < 0 ? heed_embedding(indices, net->weight)
                                : heed_embedding_padded(indices, net->weight, net->padding_idx);
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

/* -- Unflatten and identity ---------------------------------------------------------------------------------------- */

static heed_tensor *forward_unflatten(heed_module *m, heed_tensor *x)
{
    return heed_nn_unflatten_forward((heed_nn_unflatten *)m, x);
}

heed_nn_unflatten *heed_nn_unflatten_new(int axis, heed_shape sizes)
{
    static const char where[] = "nn_unflatten_new";
    HEED_ENTER(where);
    if (sizes.rank < 1 || sizes.rank > HEED_MAX_RANK)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "sizes is a list of %d numbers: must have 1 to %d", sizes.rank,
                              HEED_MAX_RANK);
    int unknown = 0;
    for (int i = 0; i < sizes.rank; i++) {
        unknown += sizes.dims[i] == -1;
        if (sizes.dims[i] < -1 || unknown > 1)
            return heed_fail_null(HEED_ERR_ARGUMENT, where, "sizes is %s: must be 0 or more, and one may be -1",
                                  heed_shape_text(sizes).s);
    }
    heed_nn_unflatten *net = heed_module_new("unflatten", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_unflatten;
    net->axis = axis;
    net->sizes = sizes;
    return net;
}

/* Replaces a size -1 so that the product of the sizes is `size`. Returns false if no size fits. */
static bool complete_sizes(heed_shape *sizes, int64_t size)
{
    int64_t known = 1;
    int unknown = -1;
    for (int i = 0; i < sizes->rank; i++)
        if (sizes->dims[i] == -1)
            unknown = i;
        else if (__builtin_mul_overflow(known, sizes->dims[i], &known))
            return false;
    if (unknown < 0 || known == 0)
        return unknown < 0 && known == size;
    sizes->dims[unknown] = size / known;
    return size % known == 0;
}

heed_tensor *heed_nn_unflatten_forward(heed_nn_unflatten *net, heed_tensor *x)
{
    static const char where[] = "nn_unflatten_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    const heed_shape from = heed_shape_of(x);
    heed_shape sizes = net->sizes, shape = {.rank = from.rank - 1 + sizes.rank};
    const int axis = net->axis < 0 ? net->axis + from.rank : net->axis;
    if (axis < 0 || axis >= from.rank)
        return heed_fail_null(HEED_ERR_SHAPE, where, "there is no axis %d in x %s", net->axis, heed_shape_text(from).s);
    if (shape.rank > HEED_MAX_RANK || !complete_sizes(&sizes, from.dims[axis]))
        return heed_fail_null(HEED_ERR_SHAPE, where, "axis %d of x %s does not split into %s", net->axis,
                              heed_shape_text(from).s, heed_shape_text(net->sizes).s);
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i < axis                ? from.dims[i]
                        : i < axis + sizes.rank ? sizes.dims[i - axis]
                                                : from.dims[i + 1 - sizes.rank];
    return heed_reshape(x, shape);
}

static heed_tensor *forward_identity(heed_module *m, heed_tensor *x)
{
    return heed_nn_identity_forward((heed_nn_identity *)m, x);
}

heed_nn_identity *heed_nn_identity_new(void)
{
    HEED_ENTER("nn_identity_new");
    heed_nn_identity *net = heed_module_new("identity", sizeof *net);
    if (net)
        net->base.forward = forward_identity;
    return net;
}

heed_tensor *heed_nn_identity_forward(heed_nn_identity *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_identity_forward", net);
    heed_scope *scope = heed__layer_check_given("nn_identity_forward", net, "x", x) ? heed_scope_begin() : NULL;
    return scope ? heed_scope_return(scope, x) : NULL;
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

/* -- PReLU --------------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_prelu(heed_module *m, heed_tensor *x)
{
    return heed_nn_prelu_forward((heed_nn_prelu *)m, x);
}

heed_nn_prelu *heed_nn_prelu_new(int64_t num_parameters, const heed_nn_prelu_options *options)
{
    static const char where[] = "nn_prelu_new";
    HEED_ENTER(where);
    heed_nn_prelu_options o = options ? *options : (heed_nn_prelu_options){0};
    if (!heed__layer_check_size(where, "num_parameters", num_parameters) || !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    if (!isfinite(o.init))
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "init is %g: must be finite", o.init);
    heed_nn_prelu *net = heed_module_new("prelu", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_prelu;
    const double init = o.init != 0 ? o.init : 0.25;
    net->weight = heed__layer_constant(&net->base, "weight", o.dtype, HEED_SHAPE(num_parameters), init);
    return heed__layer_finish(net, net->weight != NULL);
}

heed_tensor *heed_nn_prelu_forward(heed_nn_prelu *net, heed_tensor *x)
{
    static const char where[] = "nn_prelu_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    const int64_t n = heed_numel(net->weight);
    if (n > 1 && (heed_rank(x) < 2 || heed_dim(x, 1) != n))
        return heed_fail_null(HEED_ERR_SHAPE, where, "x is %s: its axis 1 must have size %" PRId64 ", one per slope",
                              heed_shape_text(heed_shape_of(x)).s, n);
    return heed_prelu(x, net->weight);
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
