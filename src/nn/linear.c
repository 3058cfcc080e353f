/* nn/linear.c - y = activation(x W^T + b) as a module.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_new[] = "nn_linear_new";

static heed_tensor *forward_linear(heed_module *m, heed_tensor *x)
{
    return heed_nn_linear_forward((heed_nn_linear *)m, x);
}

heed_nn_linear *heed_nn_linear_new(int64_t in, int64_t out, const heed_nn_linear_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_linear_options o = options ? *options : (heed_nn_linear_options){0};
    if (!heed__layer_check_size(where_new, "in", in) || !heed__layer_check_size(where_new, "out", out) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_linear *net = heed_module_new("linear", sizeof *net);
    if (!net)
        return NULL;
    double bound = 1.0 / sqrt((double)in);
    net->base.forward = forward_linear;
    net->activation = o.activation;
    net->weight = heed__layer_uniform(&net->base, "weight", o.dtype, HEED_SHAPE(out, in), bound);
    if (net->weight && !o.no_bias)
        net->bias = heed__layer_uniform(&net->base, "bias", o.dtype, HEED_SHAPE(out), bound);
    return heed__layer_finish(net, net->weight && (net->bias || o.no_bias));
}

heed_tensor *heed_nn_linear_forward(heed_nn_linear *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_linear_forward", net);
    if (!heed__layer_check_given("nn_linear_forward", net, "x", x))
        return NULL;
    return heed_linear_activated(x, net->weight, net->bias, net->activation);
}
