/* nn/lstm.c - long short-term memory.
 *
 *     i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
 *     f = sigmoid(W_if x + b_if + W_hf h + b_hf)
 *     g = tanh(W_ig x + b_ig + W_hg h + b_hg)
 *     o = sigmoid(W_io x + b_io + W_ho h + b_ho)
 *     c = f c + i g
 *     h = o tanh(c)
 */

#include <heed/ops.h>

#include "nn/recurrent.h"

enum { H, C };

static void step(const heed_module *m, heed_tensor *from_x, heed_tensor *from_h, heed_tensor **states)
{
    (void)m;
    int64_t h = heed_dim(states[H], -1);
    heed_tensor *all = heed_add(from_x, from_h), *in_forget = heed_sigmoid(heed__recurrent_parts(all, h, 0, 2));
    heed_tensor *i = heed__recurrent_parts(in_forget, h, 0, 1), *f = heed__recurrent_parts(in_forget, h, 1, 2);
    heed_tensor *g = heed_tanh(heed__recurrent_parts(all, h, 2, 3));
    heed_tensor *o = heed_sigmoid(heed__recurrent_parts(all, h, 3, 4));
    states[C] = heed_add(heed_mul(f, states[C]), heed_mul(i, g));
    states[H] = heed_mul(o, heed_tanh(states[C]));
}

static const heed__cell cell = {
    .type = "lstm",
    .where_new = "nn_lstm_new",
    .where_forward = "nn_lstm_forward",
    .gates = 4,
    .n_states = 2,
    .states = {[H] = "h", [C] = "c"},
    .step = step,
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_lstm_forward((heed_nn_lstm *)m, x, NULL, NULL);
}

heed_nn_lstm *heed_nn_lstm_new(int64_t input_size, int64_t hidden_size, const heed_nn_lstm_options *options)
{
    HEED_ENTER(cell.where_new);
    heed_nn_lstm_options o = options ? *options : (heed_nn_lstm_options){0};
    heed_nn_stack stack = {input_size, hidden_size, o.num_layers, o.dropout, o.no_bias, o.batch_first, NULL};
    heed_nn_lstm *net = heed__recurrent_new(&cell, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_lstm_forward(heed_nn_lstm *net, heed_tensor *x, heed_tensor **h, heed_tensor **c)
{
    HEED_ENTER_FORWARD(cell.where_forward, net);
    heed_tensor **const states[] = {[H] = h, [C] = c};
    return heed__recurrent_forward(&cell, (heed_module *)net, net ? &net->stack : NULL, x, states);
}
