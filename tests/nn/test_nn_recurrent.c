/* tests/nn/test_nn_recurrent.c - tests of GRU and of the sequence-to-sequence model with attention: initial values,
 * states, lengths. Values and gradients are tested in tests/parity and test_nn_cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "hash.h"
#include "layers.h"

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

static heed_tensor *some_tokens(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 4), 1, 0, 4, 1, 3, 3, 2, 0);
}

static heed_nn_bahdanau_decoder *decoder_new(heed_dtype dtype)
{
    heed_nn_seq2seq_options o = {.num_layers = 2, .dtype = dtype};
    return heed_nn_bahdanau_decoder_new(5, 2, 3, &o);
}

static heed_tensor *first_tokens(int64_t T)
{
    return heed_slice(some_tokens(), 1, 0, T, 1);
}

START_TEST(fresh_gru)
{
    heed_manual_seed(1);
    heed_nn_gru *net = heed_nn_gru_new(20, 100, &(heed_nn_gru_options){.num_layers = 2});
    ck_assert_int_eq(heed_module_parameter_count(&net->base), 8);
    for (int l = 0; l < 2; l++) {
        heed_tensor *all[] = {net->stack.layers[l].weight_ih, net->stack.layers[l].weight_hh,
                              net->stack.layers[l].bias_ih, net->stack.layers[l].bias_hh};
        for (int i = 0; i < 4; i++) {
            heed_tensor *x = heed_detach(all[i]);
            ck_assert(heed_item(heed_max(x)) <= 0.1 && heed_item(heed_max(x)) > 0.098);
            ck_assert(heed_item(heed_min(x)) >= -0.1 && heed_item(heed_min(x)) < -0.098);
            ck_assert_near(heed_item(heed_mean(heed_square(x))), 0.01 / 3, 0.0006);
        }
    }
    heed_module_free(&net->base);
}
END_TEST

/* -- States and lengths -------------------------------------------------------------------------------------------- */

/* A sequence in two chunks with the state passed on equals the whole sequence. */
START_TEST(gru_continues_from_its_state)
{
    heed_nn_gru *net = heed_nn_gru_new(3, 2, &(heed_nn_gru_options){.num_layers = 3, .dtype = HEED_F64});
    heed_tensor *x = made(HEED_F64, HEED_SHAPE(7, 2, 3), 0, 1.0), *whole = NULL, *parts = NULL;
    heed_tensor *y = heed_nn_gru_forward(net, x, NULL, &whole);
    heed_tensor *a = heed_nn_gru_forward(net, heed_slice(x, 0, 0, 3, 1), NULL, &parts);
    heed_tensor *b = heed_nn_gru_forward(net, heed_slice(x, 0, 3, HEED_END, 1), NULL, &parts);
    ck_assert(difference(heed_concat((heed_tensor *[]){a, b}, 2, 0), y) == 0.0);
    ck_assert(difference(parts, whole) == 0.0);
    ck_assert(difference(heed_select(whole, 0, -1), heed_select(y, 0, -1)) == 0.0);
    ck_assert(difference(heed_module_forward(&net->base, x), y) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(gru_of_empty_input)
{
    heed_nn_gru *net = heed_nn_gru_new(3, 2, &(heed_nn_gru_options){.num_layers = 2});
    heed_tensor *state = made(HEED_F32, HEED_SHAPE(2, 5, 2), 0, 1.0), *before = state;
    heed_tensor *y = heed_nn_gru_forward(net, heed_zeros(HEED_F32, HEED_SHAPE(0, 5, 3)), NULL, &state);
    ck_assert(y && heed_shape_equal(heed_shape_of(y), HEED_SHAPE(0, 5, 2)));
    ck_assert(difference(state, before) == 0.0);
    ck_assert_int_eq(heed_backward(heed_sum(y)), HEED_OK); /* the graph exists and gives zeros */
    ck_assert(heed_item(heed_max(heed_abs(heed_grad_of(net->stack.layers[1].weight_ih)))) == 0.0);
    y = heed_nn_gru_forward(net, heed_zeros(HEED_F32, HEED_SHAPE(4, 0, 3)), NULL, NULL);
    ck_assert(y && heed_shape_equal(heed_shape_of(y), HEED_SHAPE(4, 0, 2)));
    state = NULL;
    y = heed_nn_gru_forward(net, heed_zeros(HEED_F32, HEED_SHAPE(0, 0, 3)), NULL, &state);
    ck_assert(y && state && heed_shape_equal(heed_shape_of(state), HEED_SHAPE(2, 0, 2)));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(gru_drops_between_layers)
{
    heed_nn_gru *net = heed_nn_gru_new(3, 2, &(heed_nn_gru_options){.num_layers = 2, .dropout = 1.0});
    heed_nn_gru *one = heed_nn_gru_new(3, 2, &(heed_nn_gru_options){.dropout = 1.0});
    heed_tensor *a = made(HEED_F32, HEED_SHAPE(4, 2, 3), 0, 1.0), *b = made(HEED_F32, HEED_SHAPE(4, 2, 3), 1, 1.0);
    heed_tensor *state = NULL, *other = NULL;
    ck_assert(difference(heed_nn_gru_forward(net, a, NULL, &state), heed_nn_gru_forward(net, b, NULL, &other)) == 0.0);
    ck_assert(difference(heed_select(state, 0, 0), heed_select(other, 0, 0)) > 0.0);
    ck_assert(difference(heed_nn_gru_forward(one, a, NULL, NULL), heed_nn_gru_forward(one, b, NULL, NULL)) > 0.0);
    heed_module_eval(&net->base);
    ck_assert(difference(heed_nn_gru_forward(net, a, NULL, NULL), heed_nn_gru_forward(net, b, NULL, NULL)) > 0.0);
    heed_module_free(&net->base);
    heed_module_free(&one->base);
}
END_TEST

START_TEST(encoder_and_decoder_drop)
{
    heed_nn_seq2seq_options o = {.dropout = 0.25};
    heed_nn_seq2seq_encoder *encoder = heed_nn_seq2seq_encoder_new(5, 2, 3, &o);
    heed_nn_bahdanau_decoder *decoder = heed_nn_bahdanau_decoder_new(5, 2, 3, &o);
    ck_assert(encoder->rnn->stack.dropout == 0.25);
    ck_assert(decoder->rnn->stack.dropout == 0.25 && decoder->attention->dropout == 0.25);
    heed_module_free(&encoder->base);
    heed_module_free(&decoder->base);
}
END_TEST

/* Token by token, as in generating a sentence, gives the same result as all tokens at once. */
START_TEST(decoder_token_by_token)
{
    heed_nn_bahdanau_decoder *net = decoder_new(HEED_F64);
    heed_tensor *memory = made(HEED_F64, HEED_SHAPE(2, 4, 3), 0, 1.0),
                *start = made(HEED_F64, HEED_SHAPE(2, 2, 3), 1, 1.0);
    heed_tensor *whole = start, *state = start, *steps[4], *weights[4];
    heed_tensor *all_weights = NULL;
    heed_tensor *y = heed_nn_bahdanau_decoder_forward(net, some_tokens(), memory, NULL, &whole, &all_weights);
    for (int t = 0; t < 4; t++)
        steps[t] = heed_nn_bahdanau_decoder_forward(net, heed_slice(some_tokens(), 1, t, t + 1, 1), memory, NULL,
                                                    &state, &weights[t]);
    ck_assert(difference(heed_concat(steps, 4, 1), y) == 0.0);
    ck_assert(difference(heed_concat(weights, 4, 1), all_weights) == 0.0);
    ck_assert(difference(state, whole) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(decoder_weights)
{
    heed_nn_bahdanau_decoder *net = decoder_new(HEED_F32);
    heed_tensor *memory = made(HEED_F32, HEED_SHAPE(2, 4, 3), 0, 1.0), *weights = NULL,
                *state = heed_zeros(HEED_F32, HEED_SHAPE(2, 2, 3));
    heed_tensor *lengths = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 2);
    ck_assert_ptr_nonnull(heed_nn_bahdanau_decoder_forward(net, first_tokens(2), memory, lengths, &state, &weights));
    ck_assert(heed_shape_equal(heed_shape_of(weights), HEED_SHAPE(2, 2, 4)));
    ck_assert(heed_get(weights, HEED_INDEX(0, 1, 0)) == 1.0);
    ck_assert(heed_get(weights, HEED_INDEX(1, 0, 2)) == 0.0);
    ck_assert_ptr_nonnull(heed_nn_bahdanau_decoder_forward(net, first_tokens(0), memory, NULL, &state, &weights));
    ck_assert(heed_shape_equal(heed_shape_of(weights), HEED_SHAPE(2, 0, 4)));
    ck_assert_ptr_null(heed_nn_bahdanau_decoder_forward(net, memory, memory, NULL, &state, &weights));
    ck_assert_ptr_null(weights);
    heed_error_clear();
    heed_module_free(&net->base);
}
END_TEST

START_TEST(decoder_of_empty_input)
{
    heed_nn_bahdanau_decoder *net = decoder_new(HEED_F32);
    heed_tensor *memory = heed_zeros(HEED_F32, HEED_SHAPE(2, 4, 3)),
                *start = made(HEED_F32, HEED_SHAPE(2, 2, 3), 0, 1.0);
    heed_tensor *state = start;
    heed_tensor *y = heed_nn_bahdanau_decoder_forward(net, first_tokens(0), memory, NULL, &state, NULL);
    ck_assert(y && heed_shape_equal(heed_shape_of(y), HEED_SHAPE(2, 0, 5)));
    ck_assert(difference(state, start) == 0.0);
    heed_module_free(&net->base);
}
END_TEST

/* -- Long sequences ------------------------------------------------------------------------------------------------ */

/* Adds up the elements that ops and gradient rules write. */
static void count_elements(const heed_event *event, void *user)
{
    int64_t *elements = user;
    for (int i = 0; event->outputs && event->kind == HEED_EVENT_FORWARD && i < event->n_outputs; i++)
        *elements += heed_numel(event->outputs[i]);
    for (int i = 0; event->input_grads && i < event->call->n_inputs; i++)
        *elements += event->input_grads[i] ? heed_numel(event->input_grads[i]) : 0;
}

/* Returns the number of elements written by a training step over T steps. */
static int64_t train_step(heed_nn_rnn *net, int64_t T)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = made_leaf(HEED_F32, HEED_SHAPE(T, 4, 16), 0);
    int64_t elements = 0, id = heed_add_observer(&(heed_observer){.ended = count_elements, .user = &elements});
    heed_tensor *y = heed_nn_rnn_forward(net, x, NULL, NULL);
    ck_assert_msg(y && heed_backward(heed_mean(heed_square(y))) == HEED_OK, "%s", heed_error_message());
    ck_assert_int_eq(heed_remove_observer(id), HEED_OK);
    ck_assert(isfinite(heed_item(heed_sum(heed_grad_of(x)))));
    heed_module_zero_grad(&net->base);
    heed_scope_end(scope);
    return elements;
}

START_TEST(cost_grows_linearly_with_steps)
{
    heed_nn_rnn *net = heed_nn_rnn_new(16, 16, &(heed_nn_rnn_options){.activation = heed_sin}); /* not fused */
    int64_t little = train_step(net, 125), much = train_step(net, 1000);
    ck_assert_int_gt(little, (int64_t)125 * 4 * 16 * 5);
    ck_assert_msg(much < 16 * little, "8 times the steps wrote %lld elements instead of some %lld", (long long)much,
                  8 * (long long)little);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(too_many_steps)
{
    heed_nn_rnn *net = heed_nn_rnn_new(1, 1, &(heed_nn_rnn_options){.activation = heed_sin});
    heed_tensor *x = heed_expand(heed_ones(HEED_F32, HEED_SCALAR), HEED_SHAPE((1 << 20) + 1, 1, 1));
    ck_assert_ptr_null(heed_nn_rnn_forward(net, x, NULL, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "nn_rnn_forward: 1048577 steps: must be at most 1048576");
    heed_module_free(&net->base);
}
END_TEST

/* -- The fused op against separate ops per step -------------------------------------------------------------------- */

static heed_tensor *my_tanh(heed_tensor *x)
{
    return heed_tanh(x);
}

/* Returns the output, state and gradients of a net in one tensor. */
static heed_tensor *all_of(heed_activation activation, heed_tensor *from, heed_tensor *lens)
{
    heed_nn_rnn_options o = {
        .activation = activation, .num_layers = 2, .bidirectional = true, .batch_first = true, .dtype = HEED_F64};
    heed_manual_seed(7);
    heed_nn_rnn *net = heed_nn_rnn_new(3, 5, &o);
    heed_tensor *x = heed_set_requires_grad(heed_clone(from), true), *state = NULL;
    heed_tensor *y = heed_nn_rnn_forward(net, x, lens, &state);
    ck_assert_msg(y && heed_backward(heed_add(heed_sum(heed_square(y)), heed_sum(state))) == HEED_OK, "%s",
                  heed_error_message());
    heed_tensor *w_h = heed_module_find(&net->base, "weight_hh_l0_reverse"), *w_i = net->stack.layers[0].weight_ih;
    heed_tensor *parts[] = {y, state, heed_grad_of(x), heed_grad_of(w_h), heed_grad_of(w_i)};
    for (int i = 0; i < 5; i++)
        parts[i] = heed_reshape(heed_detach(parts[i]), HEED_SHAPE(-1));
    heed_tensor *all = heed_concat(parts, 5, 0);
    heed_module_free(&net->base);
    return all;
}

START_TEST(custom_activation_equals_built_in)
{
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(3, 6, 3)), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, 0, 6);
    ck_assert(difference(all_of(NULL, x, NULL), all_of(my_tanh, x, NULL)) < 1e-13);
    ck_assert(difference(all_of(NULL, x, lens), all_of(my_tanh, x, lens)) < 1e-13);
}
END_TEST

START_TEST(steps_past_a_length_have_no_effect)
{
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(3, 6, 3)), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 4, 0, 6);
    heed_tensor *bad = heed_sequence_mask(x, lens, (double)NAN);
    heed_activation activations[] = {NULL, heed_relu, my_tanh};
    for (int i = 0; i < 3; i++)
        ck_assert(difference(all_of(activations[i], x, lens), all_of(activations[i], bad, lens)) == 0.0);
}
END_TEST

/* The activation has an infinite slope at 0, the state of a sequence without steps. */
START_TEST(activation_skips_steps_past_a_length)
{
    heed_nn_rnn *net = heed_nn_rnn_new(1, 1, &(heed_nn_rnn_options){.activation = heed_sqrt, .no_bias = true});
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 2, 1)), *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 0);
    heed_tensor *w_i = net->stack.layers[0].weight_ih, *w_h = net->stack.layers[0].weight_hh;
    heed_fill_(heed_detach(w_i), 0.5);
    heed_fill_(heed_detach(w_h), 0.5);
    ck_assert_int_eq(heed_backward(heed_sum(heed_nn_rnn_forward(net, x, lens, NULL))), HEED_OK);
    ck_assert(isfinite(heed_item(heed_grad_of(w_i))) && isfinite(heed_item(heed_grad_of(w_h))));
    heed_module_free(&net->base);
}
END_TEST

/* NaN as the gradient of outputs past a length, and its effect on the second derivative. */
START_TEST(gradients_past_a_length_have_no_effect)
{
    const heed_cell cells[] = {HEED_CELL_TANH, HEED_CELL_GRU, HEED_CELL_LSTM};
    const int64_t gates[] = {1, 3, 4};
    for (int i = 0; i < 3; i++) {
        heed_tensor *x = heed_set_requires_grad(heed_randn(HEED_F64, HEED_SHAPE(3, 2, gates[i] * 2)), true);
        heed_tensor *w = heed_randn(HEED_F64, HEED_SHAPE(gates[i] * 2, 2));
        heed_tensor *lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 1),
                    *ones = heed_ones(HEED_F64, HEED_SHAPE(2, 3, 2));
        heed_tensor *y = heed_recurrence(cells[i], x, w, NULL, NULL, lens, false, NULL), *dx, *ddx;
        heed_tensor *g = heed_transpose(heed_sequence_mask(ones, lens, (double)NAN), 0, 1);
        const heed_grad_options again = {.grad_outputs = &g, .create_graph = true};
        ck_assert_int_eq(heed_grad(&y, 1, &x, 1, &dx, &again), HEED_OK);
        heed_tensor *sum = heed_sum(heed_square(dx));
        ck_assert_int_eq(heed_grad(&sum, 1, &x, 1, &ddx, NULL), HEED_OK);
        ck_assert(isfinite(heed_item(sum)) && isfinite(heed_item(heed_sum(ddx))));
    }
}
END_TEST

/* -- Truncated backpropagation through time ------------------------------------------------------------------------ */

/* Chunk by chunk gives the numbers of the whole sequence; the gradient of a chunk's loss ends at the beginning of the
 * chunk. */
START_TEST(a_sequence_in_chunks)
{
    heed_nn_lstm *net = heed_nn_lstm_new(2, 3, NULL);
    heed_tensor *x = made_leaf(HEED_F32, HEED_SHAPE(8, 2, 2), 0), *h = NULL, *c = NULL;
    heed_tensor *whole = heed_nn_lstm_forward(net, x, NULL, NULL, NULL);
    for (int64_t t = 0; t < 8; t += 4) {
        heed_tensor *y = heed_nn_lstm_forward(net, heed_slice(x, 0, t, t + 4, 1), NULL, &h, &c);
        ck_assert(difference(y, heed_slice(whole, 0, t, t + 4, 1)) < 1e-6);
        heed_set_grad(x, NULL);
        ck_assert_int_eq(heed_backward(heed_sum(heed_square(y))), HEED_OK);
        h = heed_detach(h);
        c = heed_detach(c);
    }
    heed_tensor *g = heed_abs(heed_grad_of(x));
    ck_assert(heed_item(heed_max(heed_slice(g, 0, 0, 4, 1))) == 0.0);
    ck_assert(heed_item(heed_max(heed_slice(g, 0, 4, 8, 1))) > 0.0);
    heed_module_free(&net->base);
}
END_TEST

/* Calls of one step and of several, which use different algorithms. */
START_TEST(bits_do_not_depend_on_threads)
{
    for (int steps = 1; steps <= 5; steps += 4) {
        heed_manual_seed(1);
        heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(steps, 16, 3 * 65));
        heed_tensor *w = heed_set_requires_grad(heed_randn(HEED_F32, HEED_SHAPE(3 * 65, 65)), true);
        uint64_t hashes[2];
        for (int i = 0; i < 2; i++) {
            const int before = heed_num_threads();
            ck_assert_int_eq(heed_set_num_threads(i ? 4 : 1), HEED_OK);
            heed_tensor *y = heed_recurrence(HEED_CELL_GRU, x, w, NULL, NULL, NULL, false, NULL), *sum = heed_sum(y);
            heed_tensor *g;
            ck_assert_int_eq(heed_grad(&sum, 1, &w, 1, &g, NULL), HEED_OK);
            hashes[i] = hash_tensor(hash_tensor(HASH_BEGIN, y), g);
            ck_assert_int_eq(heed_set_num_threads(before), HEED_OK);
        }
        ck_assert_uint_eq(hashes[0], hashes[1]);
    }
}
END_TEST

HEED_TEST_MAIN("nn_recurrent", bits_do_not_depend_on_threads, fresh_gru, gru_continues_from_its_state,
               gru_of_empty_input, gru_drops_between_layers, encoder_and_decoder_drop, decoder_token_by_token,
               decoder_weights, decoder_of_empty_input, cost_grows_linearly_with_steps, too_many_steps,
               custom_activation_equals_built_in, steps_past_a_length_have_no_effect,
               activation_skips_steps_past_a_length, gradients_past_a_length_have_no_effect, a_sequence_in_chunks)
