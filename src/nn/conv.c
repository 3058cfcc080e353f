/* nn/conv.c - shared by convolution and pooling layers. See nn/conv.h. */

#include <inttypes.h>
#include <math.h>

#include "nn/conv.h"

bool heed__layer_check_numbers(const char *where, const char *name, int axes, const heed_shape *numbers,
                               int64_t minimum)
{
    if (numbers->rank < 0 || numbers->rank > axes)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s has %d numbers: must be at most %d", name, numbers->rank,
                               axes);
    for (int i = 0; i < numbers->rank; i++)
        if (numbers->dims[i] < minimum)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %" PRId64 ": must be %" PRId64 " or more", name,
                                   numbers->dims[i], minimum);
    return true;
}

bool heed__layer_check_kernel(const char *where, const char *name, int axes, const heed_shape *kernel)
{
    if (kernel->rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is (): must have at least one number", name);
    return heed__layer_check_numbers(where, name, axes, kernel, 1);
}

static int64_t groups_of(const heed__conv_layer *layer)
{
    return layer->groups == 0 ? 1 : layer->groups;
}

static int64_t largest(const heed_shape *numbers)
{
    int64_t maximum = 0;
    for (int i = 0; i < numbers->rank; i++)
        maximum = numbers->dims[i] > maximum ? numbers->dims[i] : maximum;
    return maximum;
}

/* Returns the number for an axis. A single number applies to all axes. Returns `fallback` if the list is empty. */
static int64_t number_of(const heed_shape *numbers, int axis, int64_t fallback)
{
    return numbers->rank == 0 ? fallback : numbers->dims[numbers->rank == 1 ? 0 : axis];
}

static bool check_output_padding(const char *where, const heed__conv_layer *layer)
{
    if (!heed__layer_check_numbers(where, "output_padding", layer->axes, layer->output_padding, 0))
        return false;
    for (int i = 0; i < layer->axes; i++) {
        const int64_t output_padding = number_of(layer->output_padding, i, 0);
        if (output_padding > 0 && output_padding >= number_of(layer->stride, i, 1) &&
            output_padding >= number_of(layer->dilation, i, 1))
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "output_padding is %" PRId64 ": must be less than stride or dilation",
                                   output_padding);
    }
    return true;
}

heed__conv_layer heed__conv_layer_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                     const heed_nn_conv_options *options)
{
    return (heed__conv_layer){.axes = axes,
                              .in = in,
                              .out = out,
                              .groups = options->groups,
                              .kernel = kernel,
                              .stride = &options->stride,
                              .padding = &options->padding,
                              .dilation = &options->dilation,
                              .same = options->same,
                              .no_bias = options->no_bias,
                              .dtype = options->dtype};
}

heed__conv_layer heed__conv_layer_transposed_of(int axes, int64_t in, int64_t out, const heed_shape *kernel,
                                                const heed_nn_conv_transpose_options *options)
{
    return (heed__conv_layer){.axes = axes,
                              .in = in,
                              .out = out,
                              .groups = options->groups,
                              .kernel = kernel,
                              .stride = &options->stride,
                              .padding = &options->padding,
                              .dilation = &options->dilation,
                              .output_padding = &options->output_padding,
                              .transposed = true,
                              .no_bias = options->no_bias,
                              .dtype = options->dtype};
}

bool heed__conv_layer_check(const char *where, const heed__conv_layer *layer)
{
    const int64_t groups = groups_of(layer);
    if (!heed__layer_check_size(where, "in", layer->in) || !heed__layer_check_size(where, "out", layer->out) ||
        !heed__layer_check_kernel(where, "kernel_size", layer->axes, layer->kernel) ||
        !heed__layer_check_numbers(where, "stride", layer->axes, layer->stride, 1) ||
        !heed__layer_check_numbers(where, "padding", layer->axes, layer->padding, 0) ||
        !heed__layer_check_numbers(where, "dilation", layer->axes, layer->dilation, 1) ||
        !heed__layer_check_dtype(where, layer->dtype))
        return false;
    if (layer->same && (largest(layer->stride) > 1 || largest(layer->padding) > 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "stride is %s and padding is %s: with same, stride must be 1 and padding 0",
                               heed_shape_text(*layer->stride).s, heed_shape_text(*layer->padding).s);
    if (layer->transposed && !check_output_padding(where, layer))
        return false;
    if (groups < 1 || layer->in % groups != 0 || layer->out % groups != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "groups is %" PRId64 ": must be 1 or more and divide in %" PRId64 " and out %" PRId64,
                               groups, layer->in, layer->out);
    return true;
}

bool heed__conv_layer_parameters(heed_module *m, const heed__conv_layer *layer, heed_tensor **weight,
                                 heed_tensor **bias)
{
    const int64_t first = layer->transposed ? layer->in : layer->out,
                  second = layer->transposed ? layer->out : layer->in;
    heed_shape shape = {.rank = layer->axes + 2, .dims = {first, second / groups_of(layer)}};
    double terms = (double)shape.dims[1];
    for (int i = 0; i < layer->axes; i++) {
        shape.dims[2 + i] = layer->kernel->dims[layer->kernel->rank == 1 ? 0 : i];
        terms *= (double)shape.dims[2 + i];
    }
    const double bound = 1.0 / sqrt(terms);
    *weight = heed__layer_uniform(m, "weight", layer->dtype, shape, bound);
    if (*weight && !layer->no_bias)
        *bias = heed__layer_uniform(m, "bias", layer->dtype, HEED_SHAPE(layer->out), bound);
    return *weight && (*bias || layer->no_bias);
}
