/* nn/norm.c - normalisations as modules: layer norm, RMS norm, group norm, instance norm and batch norm.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/parallel.h>

#include "nn/layer.h"

#define EPS 1e-5 /* default, except for RMS norm */

/* -- Layer norm and RMS norm --------------------------------------------------------------------------------------- */

static heed_tensor *forward_layer_norm(heed_module *m, heed_tensor *x)
{
    return heed_nn_layer_norm_forward((heed_nn_layer_norm *)m, x);
}

heed_nn_layer_norm *heed_nn_layer_norm_new(heed_shape shape, const heed_nn_layer_norm_options *options)
{
    static const char where[] = "nn_layer_norm_new";
    HEED_ENTER(where);
    heed_nn_layer_norm_options o = options ? *options : (heed_nn_layer_norm_options){0};
    if (!heed__layer_check_shape(where, &shape) || !heed__layer_check_eps(where, o.eps) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_layer_norm *net = heed_module_new("layer_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_layer_norm;
    net->shape = shape;
    net->eps = o.eps > 0.0 ? o.eps : EPS;
    return heed__layer_finish(net, heed__layer_affine(&net->base, o.dtype, shape, o.no_affine ? NULL : &net->weight,
                                                      o.no_affine || o.no_bias ? NULL : &net->bias));
}

heed_tensor *heed_nn_layer_norm_forward(heed_nn_layer_norm *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_layer_norm_forward", net);
    if (!heed__layer_check_given("nn_layer_norm_forward", net, "x", x))
        return NULL;
    return heed_layer_norm(x, net->shape, net->weight, net->bias, net->eps);
}

static heed_tensor *forward_rms_norm(heed_module *m, heed_tensor *x)
{
    return heed_nn_rms_norm_forward((heed_nn_rms_norm *)m, x);
}

heed_nn_rms_norm *heed_nn_rms_norm_new(heed_shape shape, const heed_nn_rms_norm_options *options)
{
    static const char where[] = "nn_rms_norm_new";
    HEED_ENTER(where);
    const heed_nn_rms_norm_options o = options ? *options : (heed_nn_rms_norm_options){0};
    if (!heed__layer_check_shape(where, &shape) || !heed__layer_check_eps(where, o.eps) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_rms_norm *net = heed_module_new("rms_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_rms_norm;
    net->shape = shape;
    net->eps = o.eps;
    return heed__layer_finish(net,
                              heed__layer_affine(&net->base, o.dtype, shape, o.no_affine ? NULL : &net->weight, NULL));
}

heed_tensor *heed_nn_rms_norm_forward(heed_nn_rms_norm *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_rms_norm_forward", net);
    if (!heed__layer_check_given("nn_rms_norm_forward", net, "x", x))
        return NULL;
    const double default_eps = heed_dtype_of(x) == HEED_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    return heed_rms_norm(x, net->shape, net->weight, net->eps > 0.0 ? net->eps : default_eps);
}

/* -- Group norm ---------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_group_norm(heed_module *m, heed_tensor *x)
{
    return heed_nn_group_norm_forward((heed_nn_group_norm *)m, x);
}

heed_nn_group_norm *heed_nn_group_norm_new(int64_t num_groups, int64_t num_channels,
                                           const heed_nn_group_norm_options *options)
{
    static const char where[] = "nn_group_norm_new";
    HEED_ENTER(where);
    const heed_nn_group_norm_options o = options ? *options : (heed_nn_group_norm_options){0};
    if (!heed__layer_check_size(where, "num_groups", num_groups) ||
        !heed__layer_check_size(where, "num_channels", num_channels))
        return NULL;
    if (num_channels % num_groups != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "num_channels is %" PRId64 ": must be a multiple of num_groups, %" PRId64, num_channels,
                              num_groups);
    if (!heed__layer_check_eps(where, o.eps) || !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_group_norm *net = heed_module_new("group_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_group_norm;
    net->num_groups = num_groups;
    net->num_channels = num_channels;
    net->eps = o.eps > 0.0 ? o.eps : EPS;
    return heed__layer_finish(net,
                              heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_channels),
                                                 o.no_affine ? NULL : &net->weight, o.no_affine ? NULL : &net->bias));
}

heed_tensor *heed_nn_group_norm_forward(heed_nn_group_norm *net, heed_tensor *x)
{
    static const char where[] = "nn_group_norm_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    if (heed_rank(x) < 2 || heed_dim(x, 1) != net->num_channels)
        return heed_fail_null(HEED_ERR_SHAPE, where, "x is %s: must be (B, %" PRId64 ", ...)",
                              heed_shape_text(heed_shape_of(x)).s, net->num_channels);
    return heed_group_norm(x, net->num_groups, net->weight, net->bias, net->eps);
}

/* -- Instance norm ------------------------------------------------------------------------------------------------- */

/* Returns the shape that x must have: (any, C) and one or two axes, as many as x has. `least` is the smallest rank. */
static heed_shape expected_shape(int64_t num_features, const heed_tensor *x, int least)
{
    heed_shape shape = HEED_SHAPE(-1, num_features, -1, -1);
    const int rank = heed_rank(x);
    if (rank < shape.rank)
        shape.rank = rank < least ? least : rank;
    return shape;
}

static heed_tensor *forward_instance_norm(heed_module *m, heed_tensor *x)
{
    return heed_nn_instance_norm_forward((heed_nn_instance_norm *)m, x);
}

heed_nn_instance_norm *heed_nn_instance_norm_new(int64_t num_features, const heed_nn_instance_norm_options *options)
{
    static const char where[] = "nn_instance_norm_new";
    HEED_ENTER(where);
    const heed_nn_instance_norm_options o = options ? *options : (heed_nn_instance_norm_options){0};
    if (!heed__layer_check_size(where, "num_features", num_features) || !heed__layer_check_eps(where, o.eps) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_instance_norm *net = heed_module_new("instance_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_instance_norm;
    net->num_features = num_features;
    net->eps = o.eps > 0.0 ? o.eps : EPS;
    return heed__layer_finish(net, heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_features),
                                                      o.affine ? &net->weight : NULL, o.affine ? &net->bias : NULL));
}

heed_tensor *heed_nn_instance_norm_forward(heed_nn_instance_norm *net, heed_tensor *x)
{
    static const char where[] = "nn_instance_norm_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    const heed_dtype dtype = heed_dtype_of(net->weight ? net->weight : x);
    if (!heed__layer_check_tensor(where, "x", x, dtype, expected_shape(net->num_features, x, 3)))
        return NULL;
    return heed_instance_norm(x, net->weight, net->bias, net->eps);
}

/* -- Batch normalisation: creation --------------------------------------------------------------------------------- */

static bool check_batch_norm_options(const char *where, int64_t num_features, const heed_nn_batch_norm_options *o)
{
    if (!heed__layer_check_size(where, "num_features", num_features) || !heed__layer_check_eps(where, o->eps) ||
        !heed__layer_check_dtype(where, o->dtype))
        return false;
    if (!(o->momentum >= 0.0 && o->momentum <= 1.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "momentum is %g: must be in [0, 1]", o->momentum);
    if (o->cumulative && o->momentum > 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "momentum is %g: must be 0 with cumulative", o->momentum);
    return true;
}

/* Registers a constant tensor, owned only by the module, as a buffer. Returns NULL after heed_fail. */
static heed_tensor *add_buffer(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *t = heed_module_buffer(m, name, heed_full(dtype, shape, value));
    heed_scope_end(scope);
    return t;
}

static bool add_buffers(heed_nn_batch_norm *net, heed_dtype dtype)
{
    const heed_shape channels = HEED_SHAPE(net->num_features);
    net->running_mean = add_buffer(&net->base, "running_mean", dtype, channels, 0.0);
    net->running_var = net->running_mean ? add_buffer(&net->base, "running_var", dtype, channels, 1.0) : NULL;
    net->num_batches_tracked =
        net->running_var ? add_buffer(&net->base, "num_batches_tracked", HEED_I64, HEED_SCALAR, 0.0) : NULL;
    return net->num_batches_tracked;
}

static heed_tensor *forward_batch_norm(heed_module *m, heed_tensor *x)
{
    return heed_nn_batch_norm_forward((heed_nn_batch_norm *)m, x);
}

heed_nn_batch_norm *heed_nn_batch_norm_new(int64_t num_features, const heed_nn_batch_norm_options *options)
{
    static const char where[] = "nn_batch_norm_new";
    HEED_ENTER(where);
    const heed_nn_batch_norm_options o = options ? *options : (heed_nn_batch_norm_options){0};
    heed_nn_batch_norm *net =
        check_batch_norm_options(where, num_features, &o) ? heed_module_new("batch_norm", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_batch_norm;
    net->num_features = num_features;
    net->eps = o.eps > 0.0 ? o.eps : EPS;
    net->momentum = o.momentum > 0.0 ? o.momentum : 0.1;
    net->cumulative = o.cumulative;
    const bool ok = heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_features), o.no_affine ? NULL : &net->weight,
                                       o.no_affine ? NULL : &net->bias) &&
                    (o.no_running_stats || add_buffers(net, o.dtype));
    return heed__layer_finish(net, ok);
}

/* -- Batch normalisation: forward ---------------------------------------------------------------------------------- */

/* Returns (1 - momentum) running + momentum batch_stats. */
static heed_tensor *moving_average(heed_tensor *running, heed_tensor *batch_stats, double momentum)
{
    return heed_add(heed_mul_scalar(running, 1.0 - momentum), heed_mul_scalar(batch_stats, momentum));
}

/* Updates the running statistics after a batch of n numbers per channel with statistics `batch_stats` (2, C). All new
 * values are computed before the first is written. Returns false after heed_fail. */
static bool update_running(heed_nn_batch_norm *net, heed_tensor *batch_stats, int64_t n)
{
    heed_tensor *running_mean = heed_parallel_buffer(net->running_mean),
                *running_var = heed_parallel_buffer(net->running_var),
                *tracked = heed_parallel_buffer(net->num_batches_tracked);
    heed_scope *scope = running_mean && running_var && tracked ? heed_no_grad_begin() : NULL;
    if (!scope)
        return false;
    heed_tensor *count = heed_add_scalar(tracked, 1.0);
    const double momentum = net->cumulative && count ? 1.0 / heed_item(count) : net->momentum;
    heed_tensor *variance = heed_mul_scalar(heed_select(batch_stats, 0, 1), (double)n / (double)(n - 1));
    heed_tensor *mean = moving_average(running_mean, heed_select(batch_stats, 0, 0), momentum);
    variance = moving_average(running_var, variance, momentum);
    const bool ok = count && mean && variance;
    if (ok) {
        heed__layer_write(running_mean, mean);
        heed__layer_write(running_var, variance);
        heed__layer_write(tracked, count);
    }
    heed_scope_end(scope);
    return ok;
}

heed_tensor *heed_nn_batch_norm_forward(heed_nn_batch_norm *net, heed_tensor *x)
{
    static const char where[] = "nn_batch_norm_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    const heed_dtype dtype = heed_dtype_of(net->weight ? net->weight : net->running_mean ? net->running_mean : x);
    if (!heed__layer_check_tensor(where, "x", x, dtype, expected_shape(net->num_features, x, 2)))
        return NULL;
    const bool use_running = net->running_mean && !net->base.training, updates = net->running_mean && !use_running;
    heed_tensor *batch_stats = NULL;
    heed_tensor *y = heed_batch_norm(x, use_running ? net->running_mean : NULL, use_running ? net->running_var : NULL,
                                     net->weight, net->bias, net->eps, updates ? &batch_stats : NULL);
    const int64_t n = heed_numel(x) / net->num_features;
    return y && batch_stats && n > 0 && !update_running(net, batch_stats, n) ? NULL : y;
}
