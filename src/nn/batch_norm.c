/* nn/batch_norm.c - batch normalisation as a module, 1d and 2d. */

#include <string.h>

#include <heed/graph.h>
#include <heed/ops.h>

#include "nn/layer.h"

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static bool check_options(const char *where, int64_t num_features, const heed_nn_batch_norm_options *o)
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
static heed_tensor *buffer(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value)
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
    net->running_mean = buffer(&net->base, "running_mean", dtype, channels, 0.0);
    net->running_var = net->running_mean ? buffer(&net->base, "running_var", dtype, channels, 1.0) : NULL;
    net->num_batches_tracked =
        net->running_var ? buffer(&net->base, "num_batches_tracked", HEED_I64, HEED_SCALAR, 0.0) : NULL;
    return net->num_batches_tracked;
}

static heed_nn_batch_norm *make(const char *where, const char *type, int64_t num_features,
                                const heed_nn_batch_norm_options *options,
                                heed_tensor *(*forward)(heed_module *m, heed_tensor *x))
{
    const heed_nn_batch_norm_options o = options ? *options : (heed_nn_batch_norm_options){0};
    heed_nn_batch_norm *net = check_options(where, num_features, &o) ? heed_module_new(type, sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->num_features = num_features;
    net->eps = o.eps > 0.0 ? o.eps : 1e-5;
    net->momentum = o.momentum > 0.0 ? o.momentum : 0.1;
    net->cumulative = o.cumulative;
    const bool ok = heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_features), o.no_affine ? NULL : &net->weight,
                                       o.no_affine ? NULL : &net->bias) &&
                    (o.no_running_stats || add_buffers(net, o.dtype));
    return heed__layer_finish(net, ok);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Returns (1 - momentum) running + momentum batch_stats. */
static heed_tensor *moving_average(heed_tensor *running, heed_tensor *batch_stats, double momentum)
{
    return heed_add(heed_mul_scalar(running, 1.0 - momentum), heed_mul_scalar(batch_stats, momentum));
}

/* Copies the value into the buffer without allocating: an allocation could fail after some of the buffers are
 * written. */
static void write_buffer(heed_tensor *buffer, const heed_tensor *value)
{
    void *to = heed_mutable_bytes(buffer);
    if (to)
        memcpy(to, heed_data_bytes(value), (size_t)heed_numel(value) * heed_dtype_size(heed_dtype_of(value)));
}

/* Updates the running statistics after a batch of n numbers per channel with statistics `batch_stats` (2, C). All new
 * values are computed before the first is written. Returns false after heed_fail. */
static bool update_running(heed_nn_batch_norm *net, heed_tensor *batch_stats, int64_t n)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *count = heed_add_scalar(net->num_batches_tracked, 1.0);
    const double momentum = net->cumulative && count ? 1.0 / heed_item(count) : net->momentum;
    heed_tensor *variance = heed_mul_scalar(heed_select(batch_stats, 0, 1), (double)n / (double)(n - 1));
    heed_tensor *mean = moving_average(net->running_mean, heed_select(batch_stats, 0, 0), momentum);
    variance = moving_average(net->running_var, variance, momentum);
    const bool ok = count && mean && variance;
    if (ok) {
        write_buffer(net->running_mean, mean);
        write_buffer(net->running_var, variance);
        write_buffer(net->num_batches_tracked, count);
    }
    heed_scope_end(scope);
    return ok;
}

/* Normalises x. `shape` is the expected shape of x, (-1, C, ...). Returns NULL after heed_fail. */
static heed_tensor *normalise(const char *where, heed_nn_batch_norm *net, heed_tensor *x, heed_shape shape)
{
    const heed_tensor *reference = net->weight ? net->weight : net->running_mean;
    if (!heed__layer_check_tensor(where, "x", x, reference ? heed_dtype_of(reference) : heed_dtype_of(x), shape))
        return NULL;
    const bool use_running = net->running_mean && !net->base.training, updates = net->running_mean && !use_running;
    heed_tensor *batch_stats = NULL;
    heed_tensor *y = heed_batch_norm(x, use_running ? net->running_mean : NULL, use_running ? net->running_var : NULL,
                                     net->weight, net->bias, net->eps, updates ? &batch_stats : NULL);
    const int64_t n = heed_numel(x) / net->num_features;
    return y && batch_stats && n > 0 && !update_running(net, batch_stats, n) ? NULL : y;
}

/* -- 1d ------------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward1d(heed_module *m, heed_tensor *x)
{
    return heed_nn_batch_norm1d_forward((heed_nn_batch_norm1d *)m, x);
}

heed_nn_batch_norm1d *heed_nn_batch_norm1d_new(int64_t num_features, const heed_nn_batch_norm_options *options)
{
    HEED_ENTER("nn_batch_norm1d_new");
    return make("nn_batch_norm1d_new", "batch_norm1d", num_features, options, forward1d);
}

heed_tensor *heed_nn_batch_norm1d_forward(heed_nn_batch_norm1d *net, heed_tensor *x)
{
    static const char where[] = "nn_batch_norm1d_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    const bool rows = heed_rank(x) == 2;
    return normalise(where, net, x, rows ? HEED_SHAPE(-1, net->num_features) : HEED_SHAPE(-1, net->num_features, -1));
}

/* -- 2d ------------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward2d(heed_module *m, heed_tensor *x)
{
    return heed_nn_batch_norm2d_forward((heed_nn_batch_norm2d *)m, x);
}

heed_nn_batch_norm2d *heed_nn_batch_norm2d_new(int64_t num_features, const heed_nn_batch_norm_options *options)
{
    HEED_ENTER("nn_batch_norm2d_new");
    return make("nn_batch_norm2d_new", "batch_norm2d", num_features, options, forward2d);
}

heed_tensor *heed_nn_batch_norm2d_forward(heed_nn_batch_norm2d *net, heed_tensor *x)
{
    static const char where[] = "nn_batch_norm2d_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    return normalise(where, net, x, HEED_SHAPE(-1, net->num_features, -1, -1));
}
