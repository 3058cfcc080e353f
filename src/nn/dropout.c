/* nn/dropout.c - dropout as a module. */

#include <heed/ops.h>

#include "nn/layer.h"

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_dropout_forward((heed_nn_dropout *)m, x);
}

heed_nn_dropout *heed_nn_dropout_new(double p)
{
    HEED_ENTER("nn_dropout_new");
    if (!heed__layer_check_dropout("nn_dropout_new", p))
        return NULL;
    heed_nn_dropout *net = heed_module_new("dropout", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->p = p;
    return net;
}

heed_tensor *heed_nn_dropout_forward(heed_nn_dropout *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_dropout_forward", net);
    if (!heed__layer_check_given("nn_dropout_forward", net, "x", x))
        return NULL;
    return heed_dropout(x, net->p, net->base.training);
}
