/* nn/rnn.c - the plain recurrent layer.    h = activation(W_i x + b_i + W_h h + b_h) */

#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/recurrent.h"

static const char where_forward[] = "nn_rnn_forward";

static void step(const heed_module *m, heed_tensor *from_x, heed_tensor *from_h, heed_tensor **h)
{
    const heed_nn_rnn *net = (const heed_nn_rnn *)m;
    heed_tensor *sum = heed_add(from_x, from_h);
    *h = sum ? heed__layer_activate(where_forward, net->activation, sum) : NULL;
}

static const heed__cell cell = {
    .type = "rnn",
    .where_new = "nn_rnn_new",
    .where_forward = where_forward,
    .gates = 1,
    .n_states = 1,
    .states = {"the state"},
    .step = step,
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_rnn_forward((heed_nn_rnn *)m, x, NULL);
}

heed_nn_rnn *heed_nn_rnn_new(int64_t input_size, int64_t hidden_size, const heed_nn_rnn_options *options)
{
    HEED_ENTER(cell.where_new);
    heed_nn_rnn_options o = options ? *options : (heed_nn_rnn_options){0};
    heed_nn_stack stack = {input_size, hidden_size, o.num_layers, o.dropout, o.no_bias, o.batch_first, NULL};
    heed_nn_rnn *net = heed__recurrent_new(&cell, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    net->activation = o.activation ? o.activation : heed_tanh;
    return net;
}

heed_tensor *heed_nn_rnn_forward(heed_nn_rnn *net, heed_tensor *x, heed_tensor **state)
{
    HEED_ENTER_FORWARD(where_forward, net);
    return heed__recurrent_forward(&cell, (heed_module *)net, net ? &net->stack : NULL, x, &state);
}
