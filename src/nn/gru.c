/* nn/gru.c - gated recurrent units.
 *
 *     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h = n + z (h - n)
 */

#include <heed/ops.h>

#include "nn/recurrent.h"

static const heed__recurrent_kind kind = {
    .type = "gru",
    .where_new = "nn_gru_new",
    .where_forward = "nn_gru_forward",
    .gates = 3,
    .n_states = 1,
    .states = {"the state"},
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_gru_forward((heed_nn_gru *)m, x, NULL, NULL);
}

heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *options)
{
    HEED_ENTER(kind.where_new);
    heed_nn_gru_options o = options ? *options : (heed_nn_gru_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_gru *net = heed__recurrent_new(&kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **state)
{
    HEED_ENTER_FORWARD(kind.where_forward, net);
    const heed__recurrent_call call = {
        &kind, (heed_module *)net, net ? &net->stack : NULL, x, valid_lens, HEED_CELL_GRU, NULL};
    return heed__recurrent_forward(&call, &state);
}
