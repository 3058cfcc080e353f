/* nn/group_norm.c - group normalisation as a module. */

#include <inttypes.h>

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_new[] = "nn_group_norm_new", where_forward[] = "nn_group_norm_forward";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_group_norm_forward((heed_nn_group_norm *)m, x);
}

static bool check_groups(int64_t groups, int64_t channels)
{
    if (!heed__layer_check_size(where_new, "num_groups", groups) ||
        !heed__layer_check_size(where_new, "num_channels", channels))
        return false;
    return channels % groups == 0 ||
           heed_fail_false(HEED_ERR_ARGUMENT, where_new,
                           "num_channels is %" PRId64 ": must be a multiple of num_groups, %" PRId64, channels, groups);
}

heed_nn_group_norm *heed_nn_group_norm_new(int64_t num_groups, int64_t num_channels,
                                           const heed_nn_group_norm_options *options)
{
    HEED_ENTER(where_new);
    const heed_nn_group_norm_options o = options ? *options : (heed_nn_group_norm_options){0};
    if (!check_groups(num_groups, num_channels) || !heed__layer_check_eps(where_new, o.eps) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_group_norm *net = heed_module_new("group_norm", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->num_groups = num_groups;
    net->num_channels = num_channels;
    net->eps = o.eps > 0.0 ? o.eps : 1e-5;
    return heed__layer_finish(net,
                              heed__layer_affine(&net->base, o.dtype, HEED_SHAPE(num_channels),
                                                 o.no_affine ? NULL : &net->weight, o.no_affine ? NULL : &net->bias));
}

heed_tensor *heed_nn_group_norm_forward(heed_nn_group_norm *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (!heed__layer_check_given(where_forward, net, "x", x))
        return NULL;
    if (heed_rank(x) < 2 || heed_dim(x, 1) != net->num_channels)
        return heed_fail_null(HEED_ERR_SHAPE, where_forward, "x is %s: must be (B, %" PRId64 ", ...)",
                              heed_shape_text(heed_shape_of(x)).s, net->num_channels);
    return heed_group_norm(x, net->num_groups, net->weight, net->bias, net->eps);
}
