/* nn/rnn.c - the plain recurrent layer.    h = activation(W_i x + b_i + W_h h + b_h) */

#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/recurrent.h"

static const char where_forward[] = "nn_rnn_forward";

static const heed__recurrent_kind kind = {
    .type = "rnn",
    .where_new = "nn_rnn_new",
    .where_forward = where_forward,
    .gates = 1,
    .n_states = 1,
    .states = {"the state"},
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_rnn_forward((heed_nn_rnn *)m, x, NULL, NULL);
}

heed_nn_rnn *heed_nn_rnn_new(int64_t input_size, int64_t hidden_size, const heed_nn_rnn_options *options)
{
    HEED_ENTER(kind.where_new);
    heed_nn_rnn_options o = options ? *options : (heed_nn_rnn_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_rnn *net = heed__recurrent_new(&kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    net->activation = o.activation ? o.activation : heed_tanh;
    return net;
}

heed_tensor *heed_nn_rnn_forward(heed_nn_rnn *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **state)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_activation f = net ? net->activation : NULL;
    const heed__recurrent_call call = {.kind = &kind,
                                       .m = (heed_module *)net,
                                       .stack = net ? &net->stack : NULL,
                                       .x = x,
                                       .valid_lens = valid_lens,
                                       .cell = f == heed_relu ? HEED_CELL_RELU : HEED_CELL_TANH,
                                       .activation = f == heed_relu || f == heed_tanh ? NULL : f};
    return heed__recurrent_forward(&call, &state);
}
