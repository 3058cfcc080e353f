/* nn/seq2seq_encoder.c - embeds tokens and runs a GRU over them. */

#include <heed/recurrent.h>

#include "nn/layer.h"
#include "nn/seq2seq.h"

static const char where_forward[] = "nn_seq2seq_encoder_forward";

static heed_tensor *forward(heed_module *m, heed_tensor *tokens)
{
    return heed_nn_seq2seq_encoder_forward((heed_nn_seq2seq_encoder *)m, tokens, NULL);
}

heed_nn_seq2seq_encoder *heed_nn_seq2seq_encoder_new(int64_t vocab_size, int64_t embed_size, int64_t hidden_size,
                                                     const heed_nn_seq2seq_options *options)
{
    HEED_ENTER("nn_seq2seq_encoder_new");
    heed_nn_seq2seq_options o = options ? *options : (heed_nn_seq2seq_options){0};
    if (!heed__seq2seq_check("nn_seq2seq_encoder_new", vocab_size, embed_size, hidden_size, &o))
        return NULL;
    heed_nn_seq2seq_encoder *net = heed_module_new("seq2seq_encoder", sizeof *net);
    if (!net)
        return NULL;
    net->base.forward = forward;
    const heed_nn_embedding_options embedding = {.dtype = o.dtype};
    const heed_nn_gru_options rnn = {
        .num_layers = o.num_layers, .dropout = o.dropout, .batch_first = true, .dtype = o.dtype};
    net->embedding =
        heed__layer_child(&net->base, "embedding", heed_nn_embedding_new(vocab_size, embed_size, &embedding));
    if (net->embedding)
        net->rnn = heed__layer_child(&net->base, "rnn", heed_nn_gru_new(embed_size, hidden_size, &rnn));
    return heed__layer_finish(net, net->rnn);
}

heed_tensor *heed_nn_seq2seq_encoder_forward(heed_nn_seq2seq_encoder *net, heed_tensor *tokens, heed_tensor **state)
{
    HEED_ENTER_FORWARD(where_forward, net);
    if (!heed__layer_check_given(where_forward, net, "tokens", tokens) ||
        !heed__layer_check_tensor(where_forward, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1)))
        return NULL;
    heed_tensor *x = heed_nn_embedding_forward(net->embedding, tokens), *last = NULL;
    heed_tensor *y = heed_nn_gru_forward(net->rnn, x, NULL, &last);
    if (y && state)
        *state = last;
    return y;
}
