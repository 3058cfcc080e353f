/* nn/max_pool2d.c - heed_max_pool2d as a module. */

#include "nn/conv.h"

static const char where_new[] = "nn_max_pool2d_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_max_pool2d_forward((heed_nn_max_pool2d *)m, x);
}

heed_nn_max_pool2d *heed_nn_max_pool2d_new(heed_shape kernel_size, const heed_max_pool_options *options)
{
    HEED_ENTER(where_new);
    const heed_max_pool_options o = options ? *options : (heed_max_pool_options){0};
    if (!heed__layer_check_kernel(where_new, "kernel_size", 2, &kernel_size) ||
        !heed__layer_check_numbers(where_new, "stride", 2, &o.stride, 1))
        return NULL;
    heed_nn_max_pool2d *net = heed_module_new("max_pool2d", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->kernel_size = kernel_size;
    net->options = o;
    return net;
}

heed_tensor *heed_nn_max_pool2d_forward(heed_nn_max_pool2d *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_max_pool2d_forward", net);
    if (!heed__layer_check_given("nn_max_pool2d_forward", net, "x", x))
        return NULL;
    return heed_max_pool2d(x, net->kernel_size, &net->options, NULL);
}
