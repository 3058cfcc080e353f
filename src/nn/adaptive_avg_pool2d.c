/* nn/adaptive_avg_pool2d.c - heed_adaptive_avg_pool2d as a module. */

#include "nn/conv.h"

static const char where_new[] = "nn_adaptive_avg_pool2d_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_adaptive_avg_pool2d_forward((heed_nn_adaptive_avg_pool2d *)m, x);
}

heed_nn_adaptive_avg_pool2d *heed_nn_adaptive_avg_pool2d_new(heed_shape output_size)
{
    HEED_ENTER(where_new);
    if (!heed__layer_check_kernel(where_new, "output_size", 2, &output_size))
        return NULL;
    heed_nn_adaptive_avg_pool2d *net = heed_module_new("adaptive_avg_pool2d", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->output_size = output_size;
    return net;
}

heed_tensor *heed_nn_adaptive_avg_pool2d_forward(heed_nn_adaptive_avg_pool2d *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_adaptive_avg_pool2d_forward", net);
    if (!heed__layer_check_given("nn_adaptive_avg_pool2d_forward", net, "x", x))
        return NULL;
    return heed_adaptive_avg_pool2d(x, net->output_size);
}
