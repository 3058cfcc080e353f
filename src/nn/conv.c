/* nn/conv.c - convolutions, transposed convolutions, pooling and resizing as modules.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include <heed/nn/conv.h>

#include "nn/layer.h"

/* -- Settings of convolutions -------------------------------------------------------------------------------------- */

/* The arguments of a convolution's constructor. The weight has the shape (out, in / groups, kernel), or (in, out /
 * groups, kernel) if transposed. */
typedef struct conv_settings {
    int64_t in, out, groups; /* groups 0 means 1 */
    const heed_shape *kernel, *stride, *padding, *dilation;
    const heed_shape *output_padding; /* only if transposed */
    bool transposed, same, no_bias;
    heed_dtype dtype;
} conv_settings;

static int64_t conv_groups(const conv_settings *s)
{
    return s->groups == 0 ? 1 : s->groups;
}

static int64_t largest_number(const heed_shape *numbers)
{
    int64_t maximum = 0;
    for (int i = 0; i < numbers->rank; i++)
        maximum = numbers->dims[i] > maximum ? numbers->dims[i] : maximum;
    return maximum;
}

/* Returns the number for an axis. A single number applies to all axes. Returns `fallback` if the list is empty. */
static int64_t number_for_axis(const heed_shape *numbers, int axis, int64_t fallback)
{
    return numbers->rank == 0 ? fallback : numbers->dims[numbers->rank == 1 ? 0 : axis];
}

static bool check_output_padding(const char *where, const conv_settings *s)
{
    if (!heed__layer_check_numbers(where, "output_padding", s->kernel->rank, s->output_padding, 0))
        return false;
    for (int i = 0; i < s->kernel->rank; i++) {
        const int64_t output_padding = number_for_axis(s->output_padding, i, 0);
        if (output_padding > 0 && output_padding >= number_for_axis(s->stride, i, 1) &&
            output_padding >= number_for_axis(s->dilation, i, 1))
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "output_padding is %" PRId64 ": must be less than stride or dilation",
                                   output_padding);
    }
    return true;
}

/* Checks the lists of numbers. The kernel has one number per axis, which is the number of axes. */
static bool check_numbers(const char *where, const conv_settings *s)
{
    const int axes = s->kernel->rank;
    return heed__layer_check_kernel(where, "kernel_size", 2, s->kernel) &&
           heed__layer_check_numbers(where, "stride", axes, s->stride, 1) &&
           heed__layer_check_numbers(where, "padding", axes, s->padding, 0) &&
           heed__layer_check_numbers(where, "dilation", axes, s->dilation, 1);
}

static bool check_conv_settings(const char *where, const conv_settings *s)
{
    const int64_t groups = conv_groups(s);
    if (!heed__layer_check_size(where, "in", s->in) || !heed__layer_check_size(where, "out", s->out) ||
        !check_numbers(where, s) || !heed__layer_check_dtype(where, s->dtype))
        return false;
    if (s->same && (largest_number(s->stride) > 1 || largest_number(s->padding) > 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "stride is %s and padding is %s: with same, stride must be 1 and padding 0",
                               heed_shape_text(*s->stride).s, heed_shape_text(*s->padding).s);
    if (s->transposed && !check_output_padding(where, s))
        return false;
    if (groups < 1 || s->in % groups != 0 || s->out % groups != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "groups is %" PRId64 ": must be 1 or more and divide in %" PRId64 " and out %" PRId64,
                               groups, s->in, s->out);
    return true;
}

/* Registers "weight" and "bias", initialised like PyTorch's. Returns false after heed_fail. */
static bool add_parameters(heed_module *m, const conv_settings *s, heed_tensor **weight, heed_tensor **bias)
{
    const int64_t first = s->transposed ? s->in : s->out, second = s->transposed ? s->out : s->in;
    heed_shape shape = {.rank = s->kernel->rank + 2, .dims = {first, second / conv_groups(s)}};
    double terms = (double)shape.dims[1];
    for (int i = 0; i < s->kernel->rank; i++) {
        shape.dims[2 + i] = s->kernel->dims[i];
        terms *= (double)shape.dims[2 + i];
    }
    const double bound = 1.0 / sqrt(terms);
    *weight = heed__layer_uniform(m, "weight", s->dtype, shape, bound);
    if (*weight && !s->no_bias)
        *bias = heed__layer_uniform(m, "bias", s->dtype, HEED_SHAPE(s->out), bound);
    return *weight && (*bias || s->no_bias);
}

/* -- Convolutions -------------------------------------------------------------------------------------------------- */

static heed_tensor *forward_conv(heed_module *m, heed_tensor *x)
{
    return heed_nn_conv_forward((heed_nn_conv *)m, x);
}

heed_nn_conv *heed_nn_conv_new(int64_t in, int64_t out, heed_shape kernel_size, const heed_nn_conv_options *options)
{
    HEED_ENTER("nn_conv_new");
    const heed_nn_conv_options o = options ? *options : (heed_nn_conv_options){0};
    const conv_settings settings = {.in = in,
                                    .out = out,
                                    .groups = o.groups,
                                    .kernel = &kernel_size,
                                    .stride = &o.stride,
                                    .padding = &o.padding,
                                    .dilation = &o.dilation,
                                    .same = o.same,
                                    .no_bias = o.no_bias,
                                    .dtype = o.dtype};
    heed_nn_conv *net = check_conv_settings("nn_conv_new", &settings) ? heed_module_new("conv", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_conv;
    net->options = (heed_conv_options){
        .stride = o.stride, .padding = o.padding, .dilation = o.dilation, .groups = o.groups, .same = o.same};
    return heed__layer_finish(net, add_parameters(&net->base, &settings, &net->weight, &net->bias));
}

heed_tensor *heed_nn_conv_forward(heed_nn_conv *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_conv_forward", net);
    if (!heed__layer_check_given("nn_conv_forward", net, "x", x))
        return NULL;
    return heed_conv(x, net->weight, net->bias, &net->options);
}

static heed_tensor *forward_conv_transpose(heed_module *m, heed_tensor *x)
{
    return heed_nn_conv_transpose_forward((heed_nn_conv_transpose *)m, x);
}

heed_nn_conv_transpose *heed_nn_conv_transpose_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                   const heed_nn_conv_transpose_options *options)
{
    static const char where[] = "nn_conv_transpose_new";
    HEED_ENTER(where);
    const heed_nn_conv_transpose_options o = options ? *options : (heed_nn_conv_transpose_options){0};
    const conv_settings settings = {.in = in,
                                    .out = out,
                                    .groups = o.groups,
                                    .kernel = &kernel_size,
                                    .stride = &o.stride,
                                    .padding = &o.padding,
                                    .dilation = &o.dilation,
                                    .output_padding = &o.output_padding,
                                    .transposed = true,
                                    .no_bias = o.no_bias,
                                    .dtype = o.dtype};
    heed_nn_conv_transpose *net =
        check_conv_settings(where, &settings) ? heed_module_new("conv_transpose", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_conv_transpose;
    net->options = (heed_conv_transpose_options){.stride = o.stride,
                                                 .padding = o.padding,
                                                 .dilation = o.dilation,
                                                 .groups = o.groups,
                                                 .output_padding = o.output_padding};
    return heed__layer_finish(net, add_parameters(&net->base, &settings, &net->weight, &net->bias));
}

heed_tensor *heed_nn_conv_transpose_forward(heed_nn_conv_transpose *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_conv_transpose_forward", net);
    if (!heed__layer_check_given("nn_conv_transpose_forward", net, "x", x))
        return NULL;
    return heed_conv_transpose(x, net->weight, net->bias, &net->options);
}

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

static bool check_windows(const char *where, const heed_shape *kernel_size, const heed_shape *stride)
{
    return heed__layer_check_kernel(where, "kernel_size", 2, kernel_size) &&
           heed__layer_check_numbers(where, "stride", kernel_size->rank, stride, 1);
}

static heed_tensor *forward_max_pool(heed_module *m, heed_tensor *x)
{
    return heed_nn_max_pool_forward((heed_nn_max_pool *)m, x);
}

heed_nn_max_pool *heed_nn_max_pool_new(heed_shape kernel_size, const heed_max_pool_options *options)
{
    HEED_ENTER("nn_max_pool_new");
    const heed_max_pool_options o = options ? *options : (heed_max_pool_options){0};
    heed_nn_max_pool *net =
        check_windows("nn_max_pool_new", &kernel_size, &o.stride) ? heed_module_new("max_pool", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_max_pool;
    net->kernel_size = kernel_size;
    net->options = o;
    return net;
}

heed_tensor *heed_nn_max_pool_forward(heed_nn_max_pool *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_max_pool_forward", net);
    if (!heed__layer_check_given("nn_max_pool_forward", net, "x", x))
        return NULL;
    return heed_max_pool(x, net->kernel_size, &net->options, NULL);
}

static heed_tensor *forward_avg_pool(heed_module *m, heed_tensor *x)
{
    return heed_nn_avg_pool_forward((heed_nn_avg_pool *)m, x);
}

heed_nn_avg_pool *heed_nn_avg_pool_new(heed_shape kernel_size, const heed_avg_pool_options *options)
{
    HEED_ENTER("nn_avg_pool_new");
    const heed_avg_pool_options o = options ? *options : (heed_avg_pool_options){0};
    heed_nn_avg_pool *net =
        check_windows("nn_avg_pool_new", &kernel_size, &o.stride) ? heed_module_new("avg_pool", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_avg_pool;
    net->kernel_size = kernel_size;
    net->options = o;
    return net;
}

heed_tensor *heed_nn_avg_pool_forward(heed_nn_avg_pool *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_avg_pool_forward", net);
    if (!heed__layer_check_given("nn_avg_pool_forward", net, "x", x))
        return NULL;
    return heed_avg_pool(x, net->kernel_size, &net->options);
}

static heed_tensor *forward_adaptive_avg_pool(heed_module *m, heed_tensor *x)
{
    return heed_nn_adaptive_avg_pool_forward((heed_nn_adaptive_avg_pool *)m, x);
}

heed_nn_adaptive_avg_pool *heed_nn_adaptive_avg_pool_new(heed_shape output_size)
{
    static const char where[] = "nn_adaptive_avg_pool_new";
    HEED_ENTER(where);
    if (!heed__layer_check_kernel(where, "output_size", 2, &output_size))
        return NULL;
    heed_nn_adaptive_avg_pool *net = heed_module_new("adaptive_avg_pool", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_adaptive_avg_pool;
    net->output_size = output_size;
    return net;
}

heed_tensor *heed_nn_adaptive_avg_pool_forward(heed_nn_adaptive_avg_pool *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_adaptive_avg_pool_forward", net);
    if (!heed__layer_check_given("nn_adaptive_avg_pool_forward", net, "x", x))
        return NULL;
    return heed_adaptive_avg_pool(x, net->output_size);
}

static heed_tensor *forward_adaptive_max_pool(heed_module *m, heed_tensor *x)
{
    return heed_nn_adaptive_max_pool_forward((heed_nn_adaptive_max_pool *)m, x);
}

heed_nn_adaptive_max_pool *heed_nn_adaptive_max_pool_new(heed_shape output_size)
{
    static const char where[] = "nn_adaptive_max_pool_new";
    HEED_ENTER(where);
    if (!heed__layer_check_kernel(where, "output_size", 2, &output_size))
        return NULL;
    heed_nn_adaptive_max_pool *net = heed_module_new("adaptive_max_pool", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward_adaptive_max_pool;
    net->output_size = output_size;
    return net;
}

heed_tensor *heed_nn_adaptive_max_pool_forward(heed_nn_adaptive_max_pool *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_adaptive_max_pool_forward", net);
    if (!heed__layer_check_given("nn_adaptive_max_pool_forward", net, "x", x))
        return NULL;
    return heed_adaptive_max_pool(x, net->output_size, NULL);
}

/* -- Resizing ------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward_upsample(heed_module *m, heed_tensor *x)
{
    return heed_nn_upsample_forward((heed_nn_upsample *)m, x);
}

/* Checks all that does not depend on x. */
static bool check_upsample(const char *where, const heed_interpolate_options *o)
{
    const double h = o->scale_factor, w = o->scale_factor_w;
    if ((int)o->mode < HEED_INTERPOLATE_NEAREST || (int)o->mode > HEED_INTERPOLATE_BILINEAR)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "mode is %d: must be one of HEED_INTERPOLATE_*", (int)o->mode);
    if (o->align_corners && o->mode == HEED_INTERPOLATE_NEAREST)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "align_corners is true: must be false in mode nearest");
    if ((o->size.rank != 0) == (h != 0 || w != 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "size is %s, scale_factor is %g: give either one or the other",
                               heed_shape_text(o->size).s, h);
    if (o->size.rank != 0)
        return heed__layer_check_kernel(where, "size", 2, &o->size);
    return (h > 0 && h < (double)INFINITY && w >= 0 && w < (double)INFINITY) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "scale_factor is %g: must be above 0 and finite",
                           h > 0 && h < (double)INFINITY ? w : h);
}

heed_nn_upsample *heed_nn_upsample_new(const heed_interpolate_options *options)
{
    HEED_ENTER("nn_upsample_new");
    const heed_interpolate_options o = options ? *options : (heed_interpolate_options){0};
    heed_nn_upsample *net = check_upsample("nn_upsample_new", &o) ? heed_module_new("upsample", sizeof *net) : NULL;
    if (!net)
        return NULL;
    net->base.forward = forward_upsample;
    net->options = o;
    return net;
}

heed_tensor *heed_nn_upsample_forward(heed_nn_upsample *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_upsample_forward", net);
    if (!heed__layer_check_given("nn_upsample_forward", net, "x", x))
        return NULL;
    return heed_interpolate(x, &net->options);
}
