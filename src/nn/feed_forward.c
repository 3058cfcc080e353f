/* nn/feed_forward.c - feed-forward network: two linear maps with an activation between them, or three if gated. */

#include "nn/transformer_components.h"

static const char where_new[] = "nn_feed_forward_new";

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_feed_forward_forward((heed_nn_feed_forward *)m, x);
}

heed_nn_feed_forward *heed_nn_feed_forward_new(int64_t hidden_size, int64_t ffn_size,
                                               const heed_nn_feed_forward_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_feed_forward_options o = options ? *options : (heed_nn_feed_forward_options){0};
    if (!heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_size(where_new, "ffn_size", ffn_size) || !heed__layer_check_dropout(where_new, o.dropout) ||
        !heed__layer_check_dtype(where_new, o.dtype))
        return NULL;
    heed_nn_feed_forward *net = heed_module_new("feed_forward", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->activation = heed__transformer_activation(o.activation, o.gated);
    net->dropout = o.dropout;
    const heed__transformer_settings settings = {
        .hidden_size = hidden_size, .ffn_size = ffn_size, .no_bias = o.no_bias, .gated = o.gated, .dtype = o.dtype};
    return heed__layer_finish(
        net, heed__transformer_linears(&net->base, &settings, &net->gate, &net->linear1, &net->linear2));
}

heed_tensor *heed_nn_feed_forward_forward(heed_nn_feed_forward *net, heed_tensor *x)
{
    HEED_ENTER_FORWARD("nn_feed_forward_forward", net);
    if (!heed__layer_check_given("nn_feed_forward_forward", net, "x", x))
        return NULL;
    return heed__transformer_feed_forward(net->gate, net->linear1, net->linear2, net->activation, net->dropout,
                                          net->base.training, x);
}
