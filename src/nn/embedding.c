/* nn/embedding.c - embedding as a module: a table of vectors looked up by index. */

#include <heed/ops.h>

#include "nn/layer.h"

static const char where_new[] = "nn_embedding_new";

static heed_tensor *forward(heed_module *m, heed_tensor *indices)
{
    return heed_nn_embedding_forward((heed_nn_embedding *)m, indices);
}

heed_nn_embedding *heed_nn_embedding_new(int64_t count, int64_t dim, const heed_nn_embedding_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_embedding_options o = options ? *options : (heed_nn_embedding_options){0};
    if (!heed__layer_check_size(where_new, "count", count) || !heed__layer_check_size(where_new, "dim", dim) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_embedding *net = heed_module_new("embedding", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->weight = heed__layer_constant(&net->base, "weight", o.dtype, HEED_SHAPE(count, dim), 0.0);
    return heed__layer_finish(net, net->weight && heed_nn_init_normal_(net->weight, 0.0, 1.0) == HEED_OK);
}

heed_tensor *heed_nn_embedding_forward(heed_nn_embedding *net, heed_tensor *indices)
{
    HEED_ENTER_FORWARD("nn_embedding_forward", net);
    if (!heed__layer_check_given("nn_embedding_forward", net, "indices", indices))
        return NULL;
    return heed_embedding(indices, net->weight);
}
