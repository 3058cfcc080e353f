/* recurrent.c - examples of heed/recurrent.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_rnn_new(void)
{
    /* [heed_nn_rnn_new] */
    heed_nn_rnn_options options = {.activation = heed_relu, .num_layers = 2, .batch_first = true};
    heed_nn_rnn *net = heed_nn_rnn_new(28, 64, &options);
    printf("%s, ", heed_shape_text(heed_shape_of(net->stack.layers[0].weight_ih)).s);
    printf("%s\n", heed_shape_text(heed_shape_of(heed_module_find(&net->base, "weight_ih_l1"))).s);
    /* -> (64, 28), (64, 64) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_rnn_forward(void)
{
    /* [heed_nn_rnn_forward] */
    heed_nn_rnn *net = heed_nn_rnn_new(1, 1, &(heed_nn_rnn_options){.activation = heed_relu, .no_bias = true});
    heed_scope *no_grad = heed_no_grad_begin();
    heed_fill_(net->stack.layers[0].weight_ih, 1.0); /* h = relu(x + h): a running sum */
    heed_fill_(net->stack.layers[0].weight_hh, 1.0);
    heed_scope_end(no_grad);
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(4, 1, 1), 1, 2, 3, 4), *state = NULL; /* 4 steps, a batch of 1 */
    heed_print(heed_reshape(heed_nn_rnn_forward(net, x, NULL, &state), HEED_SHAPE(4)), stdout);
    /* -> tensor([ 1.,  3.,  6., 10.], shape=(4), dtype=f32, requires_grad=True) */
    printf("%g\n", heed_item(state)); /* -> 10 */
    /* [] */
    heed_module_free(&net->base);
}

static void example_gru_new(void)
{
    /* [heed_nn_gru_new] */
    heed_nn_gru *net = heed_nn_gru_new(28, 64, &(heed_nn_gru_options){.num_layers = 2, .dropout = 0.5});
    heed_tensor *gates = net->stack.layers[1].weight_hh;     /* of r, z and n, in rows below each other */
    printf("%s\n", heed_shape_text(heed_shape_of(gates)).s); /* -> (192, 64) */
    printf("%lld parameters\n", (long long)heed_module_parameter_numel(&net->base)); /* -> 43008 parameters */
    heed_module_free(&net->base);
    /* [] */
}

static void example_gru_forward(void)
{
    /* [heed_nn_gru_forward] */
    heed_nn_gru *net = heed_nn_gru_new(28, 64, &(heed_nn_gru_options){.bidirectional = true});
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(10, 2, 28)), *state = NULL; /* 10 steps, a batch of 2 */
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 6, 10);             /* the first sequence has 6 steps */
    heed_tensor *y = heed_nn_gru_forward(net, x, lens, &state);
    printf("%s, ", heed_shape_text(heed_shape_of(y)).s);
    printf("state %s\n", heed_shape_text(heed_shape_of(state)).s); /* -> (10, 2, 128), state (2, 2, 64) */
    printf("%g\n", heed_get(y, HEED_INDEX(6, 0, 0)));              /* -> 0 */
    heed_nn_gru_forward(net, x, lens, &state);                     /* continues from that state */
    heed_module_free(&net->base);
    /* [] */
}

static void example_lstm_new(void)
{
    /* [heed_nn_lstm_new] */
    heed_nn_lstm *net = heed_nn_lstm_new(28, 64, NULL);
    heed_tensor *bias = net->stack.layers[0].bias_ih; /* of i, f, g and o, concatenated */
    heed_scope *no_grad = heed_no_grad_begin();
    heed_fill_(heed_slice(bias, 0, 64, 128, 1), 1.0); /* forget gate: remembers at first */
    heed_scope_end(no_grad);
    printf("%g\n", heed_get(bias, HEED_INDEX(64))); /* -> 1 */
    heed_module_free(&net->base);
    /* [] */
}

static void example_lstm_forward(void)
{
    /* [heed_nn_lstm_forward] */
    heed_nn_lstm *net = heed_nn_lstm_new(28, 64, NULL);
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(10, 32, 28)), *h = NULL, *c = NULL;
    for (int64_t t = 0; t < 10; t += 5) { /* backpropagation through time, truncated to 5 steps */
        heed_tensor *y = heed_nn_lstm_forward(net, heed_slice(x, 0, t, t + 5, 1), NULL, &h, &c);
        heed_backward(heed_mean(heed_square(y)));
        h = heed_detach(h); /* the next steps continue from these numbers; gradients stop here */
        c = heed_detach(c);
    }
    printf("h and c %s\n", heed_shape_text(heed_shape_of(c)).s); /* -> h and c (1, 32, 64) */
    heed_module_free(&net->base);
    /* [] */
}

static void example_seq2seq_encoder_new(void)
{
    /* [heed_nn_seq2seq_encoder_new] */
    heed_nn_seq2seq_options options = {.num_layers = 2, .dropout = 0.1};
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(10, 8, 16, &options);
    printf("%s, ", heed_shape_text(heed_shape_of(heed_module_find(&encoder->base, "embedding.weight"))).s);
    printf("%s\n", heed_shape_text(heed_shape_of(heed_module_find(&encoder->base, "rnn.weight_ih_l0"))).s);
    /* -> (10, 8), (48, 8) */
    heed_module_free(&encoder->base);
    /* [] */
}

static void example_seq2seq_encoder_forward(void)
{
    /* [heed_nn_seq2seq_encoder_forward] */
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(10, 8, 16, NULL);
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 4, 9, 1, 7, 7, 1), *state;
    heed_tensor *memory = heed_nn_seq2seq_encoder_forward(encoder, tokens, &state);
    printf("%s, ", heed_shape_text(heed_shape_of(memory)).s);
    printf("state %s\n", heed_shape_text(heed_shape_of(state)).s); /* -> (2, 3, 16), state (1, 2, 16) */
    heed_module_free(&encoder->base);
    /* [] */
}

static void example_bahdanau_decoder_new(void)
{
    /* [heed_nn_bahdanau_decoder_new] */
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(10, 8, 16, NULL);
    heed_tensor *from = heed_module_find(&decoder->base, "rnn.weight_ih_l0"); /* context and embedding: 16 + 8 */
    printf("%s\n", heed_shape_text(heed_shape_of(from)).s);                   /* -> (48, 24) */
    heed_module_free(&decoder->base);
    /* [] */
}

static void example_bahdanau_decoder_forward(void)
{
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(10, 8, 16, NULL);
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(10, 8, 16, NULL);
    heed_tensor *source = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 4), 4, 9, 1, 1);
    /* [heed_nn_bahdanau_decoder_forward] */
    heed_tensor *state, *weights, *memory = heed_nn_seq2seq_encoder_forward(encoder, source, &state);
    heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3), *token = heed_zeros(HEED_I64, HEED_SHAPE(1, 1));
    for (int step = 0; step < 3; step++) { /* greedy decoding */
        heed_tensor *logits = heed_nn_bahdanau_decoder_forward(decoder, token, memory, lens, &state, &weights);
        token = heed_argmax(logits, -1, false);
    }
    printf("%s, ", heed_shape_text(heed_shape_of(state)).s);
    printf("weights %s\n", heed_shape_text(heed_shape_of(weights)).s); /* -> (1, 1, 16), weights (1, 1, 4) */
    /* [] */
    heed_module_free(&encoder->base);
    heed_module_free(&decoder->base);
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_rnn_new();
    example_rnn_forward();
    example_gru_new();
    example_gru_forward();
    example_lstm_new();
    example_lstm_forward();
    example_seq2seq_encoder_new();
    example_seq2seq_encoder_forward();
    example_bahdanau_decoder_new();
    example_bahdanau_decoder_forward();
    return 0;
}
