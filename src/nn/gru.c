/* nn/gru.c - gated recurrent units.
 *
 *     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h = n + z (h - n)
 */

#include <heed/ops.h>

#include "nn/recurrent.h"

static void step(const heed_module *m, heed_tensor *from_x, heed_tensor *from_h, heed_tensor **h)
{
    (void)m;
    int64_t H = heed_dim(*h, -1);
    heed_tensor *rz =
        heed_sigmoid(heed_add(heed__recurrent_parts(from_x, H, 0, 2), heed__recurrent_parts(from_h, H, 0, 2)));
    heed_tensor *r = heed__recurrent_parts(rz, H, 0, 1), *z = heed__recurrent_parts(rz, H, 1, 2);
    heed_tensor *n = heed_tanh(
        heed_add(heed__recurrent_parts(from_x, H, 2, 3), heed_mul(r, heed__recurrent_parts(from_h, H, 2, 3))));
    *h = heed_add(n, heed_mul(z, heed_sub(*h, n)));
}

static const heed__cell cell = {
    .type = "gru",
    .where_new = "nn_gru_new",
    .where_forward = "nn_gru_forward",
    .gates = 3,
    .n_states = 1,
    .states = {"the state"},
    .step = step,
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_gru_forward((heed_nn_gru *)m, x, NULL);
}

heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *options)
{
    HEED_ENTER(cell.where_new);
    heed_nn_gru_options o = options ? *options : (heed_nn_gru_options){0};
    heed_nn_stack stack = {input_size, hidden_size, o.num_layers, o.dropout, o.no_bias, o.batch_first, NULL};
    heed_nn_gru *net = heed__recurrent_new(&cell, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor **state)
{
    HEED_ENTER_FORWARD(cell.where_forward, net);
    return heed__recurrent_forward(&cell, (heed_module *)net, net ? &net->stack : NULL, x, &state);
}
