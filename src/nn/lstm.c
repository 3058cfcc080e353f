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

static const heed__recurrent_kind kind = {
    .type = "lstm",
    .where_new = "nn_lstm_new",
    .where_forward = "nn_lstm_forward",
    .gates = 4,
    .n_states = 2,
    .states = {"h", "c"},
};

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_lstm_forward((heed_nn_lstm *)m, x, NULL, NULL, NULL);
}

heed_nn_lstm *heed_nn_lstm_new(int64_t input_size, int64_t hidden_size, const heed_nn_lstm_options *options)
{
    HEED_ENTER(kind.where_new);
    heed_nn_lstm_options o = options ? *options : (heed_nn_lstm_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_lstm *net = heed__recurrent_new(&kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_lstm_forward(heed_nn_lstm *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **h,
                                  heed_tensor **c)
{
    HEED_ENTER_FORWARD(kind.where_forward, net);
    const heed__recurrent_call call = {
        &kind, (heed_module *)net, net ? &net->stack : NULL, x, valid_lens, HEED_CELL_LSTM, NULL};
    heed_tensor **const states[] = {h, c};
    return heed__recurrent_forward(&call, states);
}
