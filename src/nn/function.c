/* nn/function.c - wraps a function of one tensor as a module, for use in a list of layers. */

#include "nn/layer.h"

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_function_forward((heed_nn_function *)m, x);
}

heed_nn_function *heed_nn_function_new(const char *name, heed_tensor *(*function)(heed_tensor *x))
{
    HEED_ENTER("nn_function_new");
    if (!name || !function)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nn_function_new", "the %s is NULL", name ? "function" : "name");
    heed_nn_function *net = heed_module_new(name, sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->function = function;
    return net;
}

heed_tensor *heed_nn_function_forward(heed_nn_function *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_function_forward", net);
    if (!heed__layer_check_given("nn_function_forward", net, "x", x))
        return NULL;
    heed_callback call = heed_callback_begin(net->base.type);
    heed_tensor *y = net->function(x);
    if (!heed_callback_end(&call))
        return NULL;
    if (!y) /* even if the function did not call heed_fail */
        heed_fail(HEED_ERR_STATE, "nn_function_forward", "the function of %s returned NULL", net->base.type);
    return y;
}
