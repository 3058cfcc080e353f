/* nn/conv_transpose2d.c - heed_conv_transpose2d as a module. */

#include "nn/conv.h"

static const char where_new[] = "nn_conv_transpose2d_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_conv_transpose2d_forward((heed_nn_conv_transpose2d *)m, x);
}

heed_nn_conv_transpose2d *heed_nn_conv_transpose2d_new(int64_t in, int64_t out, heed_shape kernel_size,
                                                       const heed_nn_conv_transpose_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_conv_transpose_options o = options ? *options : (heed_nn_conv_transpose_options){0};
    const heed__conv_layer layer = heed__conv_layer_transposed_of(2, in, out, &kernel_size, &o);
    if (!heed__conv_layer_check(where_new, &layer))
        return NULL;
    heed_nn_conv_transpose2d *net = heed_module_new("conv_transpose2d", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->options = (heed_conv_transpose_options){.stride = o.stride,
                                                 .padding = o.padding,
                                                 .dilation = o.dilation,
                                                 .groups = o.groups,
                                                 .output_padding = o.output_padding};
    return heed__layer_finish(net, heed__conv_layer_parameters(&net->base, &layer, &net->weight, &net->bias));
}

heed_tensor *heed_nn_conv_transpose2d_forward(heed_nn_conv_transpose2d *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_conv_transpose2d_forward", net);
    if (!heed__layer_check_given("nn_conv_transpose2d_forward", net, "x", x))
        return NULL;
    return heed_conv_transpose2d(x, net->weight, net->bias, &net->options);
}
