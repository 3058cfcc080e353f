/* nn/instance_norm.c - instance normalisation as a module, 1d and 2d. */

#include <heed/ops.h>

#include "nn/layer.h"

static heed_nn_instance_norm *make(const char *where, const char *type, int64_t num_features,
                                   const heed_nn_instance_norm_options *options,
                                   heed_tensor *(*forward)(heed_module *m, heed_tensor *x))
{
    const heed_nn_instance_norm_options o = options ? *options : (heed_nn_instance_norm_options){0};
    if (!heed__layer_check_size(where, "num_features", num_features) || !heed__layer_check_eps(where, o.eps) ||
        !heed__layer_check_dtype(where, o.dtype))
        return NULL;
    heed_nn_instance_norm *net = heed_module_new(type, sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->num_features = num_features;
    net->eps = o.eps > 0.0 ? o.eps : 1e-5;
    return heed__layer_finish(net, heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_features),
                                                      o.affine ? &net->weight : NULL, o.affine ? &net->bias : NULL));
}

/* Normalises x. `shape` is the expected shape of x, (-1, C, ...). Returns NULL after heed_fail. */
static heed_tensor *run(const char *where, const heed_nn_instance_norm *net, heed_tensor *x, heed_shape shape)
{
    const heed_dtype dtype = heed_dtype_of(net->weight ? net->weight : x);
    if (!heed__layer_check_tensor(where, "x", x, dtype, shape))
        return NULL;
    return heed_instance_norm(x, net->weight, net->bias, net->eps);
}

/* -- 1d ------------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward1d(heed_module *m, heed_tensor *x)
{
    return heed_nn_instance_norm1d_forward((heed_nn_instance_norm1d *)m, x);
}

heed_nn_instance_norm1d *heed_nn_instance_norm1d_new(int64_t num_features, const heed_nn_instance_norm_options *options)
{
    HEED_ENTER("nn_instance_norm1d_new");
    return make("nn_instance_norm1d_new", "instance_norm1d", num_features, options, forward1d);
}

heed_tensor *heed_nn_instance_norm1d_forward(heed_nn_instance_norm1d *net, heed_tensor *x)
{
    static const char where[] = "nn_instance_norm1d_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    return run(where, net, x, HEED_SHAPE(-1, net->num_features, -1));
}

/* -- 2d ------------------------------------------------------------------------------------------------------------ */

static heed_tensor *forward2d(heed_module *m, heed_tensor *x)
{
    return heed_nn_instance_norm2d_forward((heed_nn_instance_norm2d *)m, x);
}

heed_nn_instance_norm2d *heed_nn_instance_norm2d_new(int64_t num_features, const heed_nn_instance_norm_options *options)
{
    HEED_ENTER("nn_instance_norm2d_new");
    return make("nn_instance_norm2d_new", "instance_norm2d", num_features, options, forward2d);
}

heed_tensor *heed_nn_instance_norm2d_forward(heed_nn_instance_norm2d *net, heed_tensor *x)
{
    static const char where[] = "nn_instance_norm2d_forward";
    HEED_ENTER_FORWARD(where, net);
    if (!heed__layer_check_given(where, net, "x", x))
        return NULL;
    return run(where, net, x, HEED_SHAPE(-1, net->num_features, -1, -1));
}
