/* nn/conv1d.c - heed_conv1d as a module. */

#include "nn/conv.h"

static const char where_new[] = "nn_conv1d_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_conv1d_forward((heed_nn_conv1d *)m, x);
}

heed_nn_conv1d *heed_nn_conv1d_new(int64_t in, int64_t out, heed_shape kernel_size, const heed_nn_conv_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_conv_options o = options ? *options : (heed_nn_conv_options){0};
    const heed__conv_layer layer = heed__conv_layer_of(1, in, out, &kernel_size, &o);
    if (!heed__conv_layer_check(where_new, &layer))
        return NULL;
    heed_nn_conv1d *net = heed_module_new("conv1d", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->options = (heed_conv_options){
        .stride = o.stride, .padding = o.padding, .dilation = o.dilation, .groups = o.groups, .same = o.same};
    return heed__layer_finish(net, heed__conv_layer_parameters(&net->base, &layer, &net->weight, &net->bias));
}

heed_tensor *heed_nn_conv1d_forward(heed_nn_conv1d *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_conv1d_forward", net);
    if (!heed__layer_check_given("nn_conv1d_forward", net, "x", x))
        return NULL;
    return heed_conv1d(x, net->weight, net->bias, &net->options);
}
