/* nn/residual.c - a sequence of modules with a residual connection around it. */

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_forward[] = "nn_residual_forward";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_residual_forward((heed_nn_residual *)m, x);
}

heed_nn_residual *heed_nn_residual_new(void *const *modules, int n)
{
    HEED_ENTER("nn_residual_new");
    heed_nn_sequential *inner = heed_nn_sequential_new(modules, n);
    if (!inner)
        return NULL;
    heed_nn_residual *net = heed_module_new("residual", sizeof *net);
    if (!net) {
        heed_module_free(&inner->base);
        return NULL;
    }
    net->base.forward = forward;
    net->net = heed__layer_child(&net->base, "net", inner);
    return heed__layer_finish(net, net->net != NULL);
}

static heed_tensor *sum(heed_tensor *x, heed_tensor *y)
{
    if (!y || heed_shape_equal(heed_shape_of(x), heed_shape_of(y)))
        return heed_add(x, y);
    return heed_fail_null(HEED_ERR_SHAPE, where_forward,
                          "x is %s, and the result of the modules is %s: must have the same shape",
                          heed_shape_text(heed_shape_of(x)).s, heed_shape_text(heed_shape_of(y)).s);
}

heed_tensor *heed_nn_residual_forward(heed_nn_residual *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (!heed__layer_check_given(where_forward, net, "x", x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, sum(x, heed_nn_sequential_forward(net->net, x))) : NULL;
}
