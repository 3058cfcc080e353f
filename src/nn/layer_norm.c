/* nn/layer_norm.c - layer normalisation as a module. */

#include <math.h>

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_new[] = "nn_layer_norm_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_layer_norm_forward((heed_nn_layer_norm *)m, x);
}

static bool check_shape(const heed_shape *shape)
{
    if (shape->rank < 1 || shape->rank > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "shape has rank %d: must be 1 to %d", shape->rank,
                               HEED_MAX_RANK);
    for (int i = 0; i < shape->rank; i++)
        if (!heed__layer_check_size(where_new, "a size of shape", shape->dims[i]))
            return false;
    return true;
}

static bool check_eps(double eps)
{
    if (isfinite(eps) && eps >= 0.0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "eps is %g: must be finite and 0 or more", eps);
}

heed_nn_layer_norm *heed_nn_layer_norm_new(heed_shape shape, const heed_nn_layer_norm_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_layer_norm_options o = options ? *options : (heed_nn_layer_norm_options){0};
    if (!check_shape(&shape) || !check_eps(o.eps) || !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_layer_norm *net = heed_module_new("layer_norm", sizeof *net);
    if (!net)
        return NULL;
    bool wants_weight = !o.no_affine, wants_bias = !o.no_affine && !o.no_bias;
    net->base.forward = forward;
    net->shape = shape;
    net->eps = o.eps > 0.0 ? o.eps : 1e-5;
    if (wants_weight)
        net->weight = heed__layer_constant(&net->base, "weight", o.dtype, shape, 1.0);
    if (wants_bias && net->weight)
        net->bias = heed__layer_constant(&net->base, "bias", o.dtype, shape, 0.0);
    return heed__layer_finish(net, (net->weight || !wants_weight) && (net->bias || !wants_bias));
}

heed_tensor *heed_nn_layer_norm_forward(heed_nn_layer_norm *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_layer_norm_forward", net);
    if (!heed__layer_check_given("nn_layer_norm_forward", net, "x", x))
        return NULL;
    return heed_layer_norm(x, net->shape, net->weight, net->bias, net->eps);
}
