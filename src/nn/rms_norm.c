/* nn/rms_norm.c - RMS normalisation as a module. */

#include <float.h>

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_new[] = "nn_rms_norm_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_rms_norm_forward((heed_nn_rms_norm *)m, x);
}

heed_nn_rms_norm *heed_nn_rms_norm_new(heed_shape shape, const heed_nn_rms_norm_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_rms_norm_options o = options ? *options : (heed_nn_rms_norm_options){0};
    if (!heed__layer_check_shape(where_new, &shape) || !heed__layer_check_eps(where_new, o.eps) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_rms_norm *net = heed_module_new("rms_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->shape = shape;
    net->eps = o.eps;
    return heed__layer_finish(net,
                              heed__layer_affine(&net->base, o.dtype, shape, o.no_affine ? NULL : &net->weight, NULL));
}

heed_tensor *heed_nn_rms_norm_forward(heed_nn_rms_norm *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_rms_norm_forward", net);
    if (!heed__layer_check_given("nn_rms_norm_forward", net, "x", x))
        return NULL;
    const double default_eps = heed_dtype_of(x) == HEED_F32 ? (double)FLT_EPSILON : DBL_EPSILON;
    return heed_rms_norm(x, net->shape, net->weight, net->eps > 0.0 ? net->eps : default_eps);
}
