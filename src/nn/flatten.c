/* nn/flatten.c - heed_flatten as a module. */

#include <heed/ops.h>

#include "nn/layer.h"

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_flatten_forward((heed_nn_flatten *)m, x);
}

heed_nn_flatten *heed_nn_flatten_new(int start_axis, int end_axis)
{
    HEED_ENTER("nn_flatten_new");
    heed_nn_flatten *net = heed_module_new("flatten", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
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
