/* nn/recurrent.c - recurrent layers: the plain layer (rnn), gated recurrent units (gru) and long short-term memory
 * (lstm). For every layer and direction, one matrix product multiplies W_i by x at all steps. The steps then run in
 * heed_recurrence, or as separate ops if the user supplies an activation.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/ops/recurrence.h>
#include <heed/recurrent.h>

#include "nn/layer.h"

enum {
    MAX_STATES = 2,
    MAX_LAYERS = 1 << 20, /* limit of heed_concat */
};

typedef struct recurrent_kind {
    const char *type; /* such as "gru" */
    const char *where_new, *where_forward;
    int gates;                      /* number of blocks stacked in a weight, each of hidden_size rows */
    int n_states;                   /* number of states; the first state is also the output */
    const char *states[MAX_STATES]; /* names of the states, for messages */
} recurrent_kind;

/* The arguments of one forward. */
typedef struct recurrent_call {
    const recurrent_kind *kind;
    const heed_module *m; /* the module; run_recurrent fails if m or x is NULL */
    const heed_nn_stack *stack;
    heed_tensor *x, *valid_lens;
    heed_cell cell;
    heed_activation activation; /* replaces a cell of one gate; NULL selects `cell` */
} recurrent_call;

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Returns the number of directions, 1 or 2. The two directions of a layer are stored one after the other. */
static int directions_of(const heed_nn_stack *stack)
{
    return stack->bidirectional ? 2 : 1;
}

/* Adds a parameter such as "weight_ih_l0_reverse" for direction `index`, counted over all layers. */
static heed_tensor *add_parameter(heed_module *m, const char *name, const heed_nn_stack *stack, int64_t index,
                                  heed_dtype dtype, heed_shape shape)
{
    const int directions = directions_of(stack);
    char full_name[48];
    (void)snprintf(full_name, sizeof full_name, "%s_l%" PRId64 "%s", name, index / directions,
                   index % directions == 1 ? "_reverse" : "");
    return heed__layer_uniform(m, full_name, dtype, shape, 1.0 / sqrt((double)stack->hidden_size));
}

static bool add_direction(const recurrent_kind *kind, heed_module *m, const heed_nn_stack *stack, int64_t index,
                          heed_dtype dtype)
{
    heed_nn_stack_layer *layer = &stack->layers[index];
    const int64_t h = stack->hidden_size, rows = kind->gates * h;
    const int64_t in = index < directions_of(stack) ? stack->input_size : directions_of(stack) * h;
    const heed_shape bias = HEED_SHAPE(rows);
    return (layer->weight_ih = add_parameter(m, "weight_ih", stack, index, dtype, HEED_SHAPE(rows, in))) &&
           (layer->weight_hh = add_parameter(m, "weight_hh", stack, index, dtype, HEED_SHAPE(rows, h))) &&
           (stack->no_bias || ((layer->bias_ih = add_parameter(m, "bias_ih", stack, index, dtype, bias)) &&
                               (layer->bias_hh = add_parameter(m, "bias_hh", stack, index, dtype, bias))));
}

static bool check_stack(const recurrent_kind *kind, const heed_nn_stack *stack, heed_dtype dtype)
{
    const char *where = kind->where_new;
    int64_t rows;
    if (!heed__layer_check_size(where, "input_size", stack->input_size) ||
        !heed__layer_check_size(where, "hidden_size", stack->hidden_size) ||
        !heed__layer_check_dropout(where, stack->dropout) || !heed__layer_check_dtype(where, dtype))
        return false;
    if (__builtin_mul_overflow(kind->gates * directions_of(stack), stack->hidden_size, &rows))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "hidden_size is %" PRId64 ": %d times this must be below 2^63",
                               stack->hidden_size, kind->gates * directions_of(stack));
    const int max_layers = MAX_LAYERS / directions_of(stack);
    if (stack->num_layers < 0 || stack->num_layers > max_layers)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "num_layers is %" PRId64 ": must be 0 to %d, where 0 means 1",
                               stack->num_layers, max_layers);
    return true;
}

/* Checks the constructor's arguments, which are in *stack, and creates a module of `size` bytes with its parameters.
 * Writes the layers and their number to *stack, which the caller then copies into the module. Returns NULL after
 * heed_fail. */
static void *recurrent_new(const recurrent_kind *kind, size_t size, heed_nn_stack *stack, heed_dtype dtype)
{
    if (!check_stack(kind, stack, dtype))
        return NULL;
    stack->num_layers = stack->num_layers > 0 ? stack->num_layers : 1;
    const int64_t count = stack->num_layers * directions_of(stack);
    heed_module *m = heed_module_new(kind->type, size + (size_t)count * sizeof *stack->layers);
    if (!m)
        return NULL;
    stack->layers = (heed_nn_stack_layer *)(void *)((char *)m + size);
    bool ok = true;
    for (int64_t i = 0; ok && i < count; i++)
        ok = add_direction(kind, m, stack, i, dtype);
    return heed__layer_finish(m, ok);
}

/* -- Steps as separate ops ----------------------------------------------------------------------------------------- */

/* Returns bool (T, B, 1): element t, b is true if sequence b has step t. */
static heed_tensor *presence_mask(heed_tensor *lens, int64_t T)
{
    heed_tensor *ones = heed_ones(HEED_F32, HEED_SHAPE(heed_dim(lens, 0), T));
    heed_tensor *present = heed_compare_scalar(heed_sequence_mask(ones, lens, 0.0), HEED_COMPARE_GT, 0.0);
    return heed_unsqueeze(heed_transpose(present, 0, 1), -1);
}

/* Returns x where `present` is true, else 0; returns x if `present` is NULL. */
static heed_tensor *zero_absent(heed_tensor *present, heed_tensor *x)
{
    return present && x ? heed_where(present, x, heed_zeros(heed_dtype_of(x), HEED_SCALAR)) : x;
}

/* Runs one step with a user's activation. x_terms is the contribution of x (1, B, h), w_h is (1, h, h). Replaces *state
 * by the new state, which is the old one in sequences without this step. Returns the output (1, B, h), or NULL after
 * heed_fail. */
static heed_tensor *run_user_step(const recurrent_call *r, heed_tensor *x_terms, heed_tensor *w_h, heed_tensor *present,
                                  heed_tensor **state)
{
    enum { OUTPUT, STATE, RESULTS };
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *sum = zero_absent(present, heed_add(x_terms, heed_bmm_t(*state, false, w_h, true)));
    heed_tensor *y = sum ? heed__layer_activate(r->kind->where_forward, r->activation, sum) : NULL;
    heed_tensor *out[RESULTS] = {y, y};
    if (y && present) {
        out[OUTPUT] = zero_absent(present, y);
        out[STATE] = heed_where(present, y, *state);
    }
    if (!heed__scope_return_all(scope, out, RESULTS))
        return NULL;
    *state = out[STATE];
    return out[OUTPUT];
}

/* Runs T steps. steps[t] contains the contribution of x to step t, and is replaced by the output of step t. Returns
 * false after heed_fail. */
static bool run_user_steps(const recurrent_call *r, heed_tensor *weight_hh, heed_tensor **steps, int64_t T,
                           bool reverse, heed_tensor **state)
{
    heed_tensor *w_h = heed_unsqueeze(weight_hh, 0), *present = r->valid_lens ? presence_mask(r->valid_lens, T) : NULL;
    bool ok = w_h && (present || !r->valid_lens);
    for (int64_t s = 0; ok && s < T; s++) {
        const int64_t t = reverse ? T - 1 - s : s;
        heed_tensor *present_t = present ? heed_slice(present, 0, t, t + 1, 1) : NULL;
        steps[t] = present_t || !present ? run_user_step(r, steps[t], w_h, present_t, state) : NULL;
        ok = steps[t] != NULL;
    }
    return ok;
}

/* Computes the same as heed_recurrence for a cell of one gate, by separate ops. x_terms is W_i x + b_i + b_h at all
 * steps. */
static heed_tensor *recurrence_of_ops(const recurrent_call *r, heed_tensor *x_terms, heed_tensor *weight_hh,
                                      bool reverse, heed_tensor **state)
{
    heed_tensor **steps = heed__steps_split(r->kind->where_forward, x_terms), *y = NULL;
    if (!steps)
        return NULL;
    const int64_t T = heed_dim(x_terms, 0);
    if (run_user_steps(r, weight_hh, steps, T, reverse, state)) /* T = 0: the empty x_terms, which is in the graph */
        y = T > 0 ? heed_concat(steps, (int)T, 0) : x_terms;
    heed__steps_free(steps, T);
    return y;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Runs one direction of a layer on x (T, B, in). Returns the output (T, B, h), or NULL after heed_fail. Replaces every
 * states[i] (1, B, h) by the state after the last step; a NULL state means zeros. */
static heed_tensor *run_direction(const recurrent_call *r, int64_t index, heed_tensor *x, heed_tensor **states)
{
    const heed_nn_stack_layer *layer = &r->stack->layers[index];
    const bool reverse = r->stack->bidirectional && index % 2 == 1, separate_bias = r->cell == HEED_CELL_GRU;
    const int n = r->kind->n_states;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *b_i = layer->bias_ih, *before = n == 1 ? states[0] : heed_concat(states, n, 0), *after = NULL;
    const bool sum_biases = b_i && !separate_bias;
    if (sum_biases)
        b_i = heed_add(b_i, layer->bias_hh);
    heed_tensor *out[1 + MAX_STATES] = {NULL}, *x_terms = NULL;
    if (b_i || !sum_biases)
        x_terms = heed_linear(x, layer->weight_ih, b_i);
    if (r->activation)
        out[0] = recurrence_of_ops(r, x_terms, layer->weight_hh, reverse, &before);
    else if (before && x_terms)
        out[0] = heed_recurrence(r->cell, x_terms, layer->weight_hh, separate_bias ? layer->bias_hh : NULL, before,
                                 r->valid_lens, reverse, &after);
    after = r->activation ? before : after;
    for (int i = 0; out[0] && i < n; i++)
        out[1 + i] = n == 1 ? after : heed_slice(after, 0, i, i + 1, 1);
    bool ok = heed__scope_return_all(scope, out, 1 + n);
    for (int i = 0; i < n; i++)
        states[i] = out[1 + i];
    return ok ? out[0] : NULL;
}

/* Runs all directions of a layer and returns their concatenated outputs. Stores the final state i of every direction in
 * last[i][index], where index counts layers and directions. Returns NULL after heed_fail. */
static heed_tensor *run_layer(const recurrent_call *r, int64_t layer, heed_tensor *x, heed_tensor *const *states,
                              heed_tensor ***last)
{
    const int n = r->kind->n_states, directions = directions_of(r->stack);
    heed_tensor *y[2] = {NULL};
    bool ok = true;
    for (int d = 0; ok && d < directions; d++) {
        const int64_t index = layer * directions + d;
        heed_tensor *layer_states[MAX_STATES];
        for (int i = 0; i < n; i++)
            ok = (layer_states[i] = heed_slice(states[i], 0, index, index + 1, 1)) && ok;
        y[d] = ok ? run_direction(r, index, x, layer_states) : NULL;
        for (int i = 0; i < n; i++)
            last[i][index] = layer_states[i];
        ok = y[d] != NULL;
    }
    return directions == 1 || !ok ? y[directions - 1] : heed_concat(y, 2, -1);
}

/* Runs all layers. Sets out[0] to the output and the following entries to the final states, or to NULL on failure.
 * `list` has capacity for the final states of all layers. */
static void run_layers(const recurrent_call *r, heed_tensor *x, heed_tensor **states, heed_tensor **list,
                       heed_tensor **out)
{
    const heed_nn_stack *stack = r->stack;
    const int n = r->kind->n_states, count = (int)stack->num_layers * directions_of(stack);
    heed_tensor **last[MAX_STATES];
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        last[i] = list + i * count;
        if (!states[i])
            states[i] = heed_zeros(heed_dtype_of(x), HEED_SHAPE(count, heed_dim(x, 1), stack->hidden_size));
        ok = states[i] != NULL;
    }
    x = ok ? x : NULL;
    for (int64_t l = 0; x && l < stack->num_layers; l++) {
        if (l > 0 && stack->dropout > 0.0 && r->m->training)
            x = heed_dropout(x, stack->dropout, true);
        x = x ? run_layer(r, l, x, states, last) : NULL;
    }
    if (x)
        out[0] = stack->batch_first ? heed_transpose(x, 0, 1) : x;
    for (int i = 0; x && i < n; i++)
        out[1 + i] = heed_concat(last[i], count, 0);
}

/* Returns x as (T, B, in), with zeros after the valid lengths. A NaN there would make the gradient of a weight NaN,
 * because 0 times NaN is NaN. */
static heed_tensor *steps_of(const recurrent_call *r)
{
    const bool batch_first = r->stack->batch_first;
    if (!r->valid_lens)
        return batch_first ? heed_transpose(r->x, 0, 1) : r->x;
    return heed_transpose(heed_sequence_mask(batch_first ? r->x : heed_transpose(r->x, 0, 1), r->valid_lens, 0.0), 0,
                          1);
}

static void run_in_steps(const recurrent_call *r, heed_tensor **states, heed_tensor **out)
{
    const size_t count = (size_t)r->stack->num_layers * (size_t)directions_of(r->stack) * (size_t)r->kind->n_states;
    heed_tensor *x = steps_of(r), **list = x ? heed_calloc(count, sizeof *list) : NULL;
    if (list)
        run_layers(r, x, states, list, out);
    heed_free(list, count * sizeof *list);
}

static bool check_recurrent_inputs(const recurrent_call *r, heed_tensor *const *states)
{
    const char *where = r->kind->where_forward;
    const heed_nn_stack *stack = r->stack;
    if (!heed__layer_check_given(where, r->m, "x", r->x))
        return false;
    heed_dtype dtype = heed_dtype_of(stack->layers[0].weight_ih);
    bool ok = heed__layer_check_tensor(where, "x", r->x, dtype, HEED_SHAPE(-1, -1, stack->input_size));
    int64_t batch = ok ? heed_dim(r->x, stack->batch_first ? 0 : 1) : 0;
    int64_t steps = ok ? heed_dim(r->x, stack->batch_first ? 1 : 0) : 0;
    ok = ok && (!r->valid_lens || heed__layer_check_lengths(where, r->valid_lens, batch, steps));
    for (int i = 0; ok && i < r->kind->n_states; i++)
        ok = !states[i] ||
             heed__layer_check_tensor(where, r->kind->states[i], states[i], dtype,
                                      HEED_SHAPE(stack->num_layers * directions_of(stack), batch, stack->hidden_size));
    return ok;
}

/* Returns the output, or NULL after heed_fail. states[i] is NULL or points to the initial state i, which on success is
 * replaced by the state after the last step. */
static heed_tensor *run_recurrent(const recurrent_call *call, heed_tensor **const *states)
{
    const int n = call->kind->n_states;
    heed_tensor *before[MAX_STATES] = {NULL}, *out[1 + MAX_STATES] = {NULL};
    for (int i = 0; i < n; i++)
        before[i] = states[i] ? *states[i] : NULL;
    if (!check_recurrent_inputs(call, before))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    run_in_steps(call, before, out);
    if (!heed__scope_return_all(scope, out, 1 + n))
        return NULL;
    for (int i = 0; i < n; i++)
        if (states[i])
            *states[i] = out[1 + i];
    return out[0];
}

/* -- rnn:    h = activation(W_i x + b_i + W_h h + b_h) ------------------------------------------------------------- */

static const recurrent_kind rnn_kind = {
    .type = "rnn",
    .where_new = "nn_rnn_new",
    .where_forward = "nn_rnn_forward",
    .gates = 1,
    .n_states = 1,
    .states = {"the state"},
};

static heed_tensor *forward_rnn(heed_module *m, heed_tensor *x)
{
    return heed_nn_rnn_forward((heed_nn_rnn *)m, x, NULL, NULL);
}

heed_nn_rnn *heed_nn_rnn_new(int64_t input_size, int64_t hidden_size, const heed_nn_rnn_options *options)
{
    HEED_ENTER(rnn_kind.where_new);
    heed_nn_rnn_options o = options ? *options : (heed_nn_rnn_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_rnn *net = recurrent_new(&rnn_kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward_rnn;
    net->stack = stack;
    net->activation = o.activation ? o.activation : heed_tanh;
    return net;
}

heed_tensor *heed_nn_rnn_forward(heed_nn_rnn *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **state)
{
    HEED_ENTER_FORWARD(rnn_kind.where_forward, net);
    heed_activation f = net ? net->activation : NULL;
    const recurrent_call call = {.kind = &rnn_kind,
                                 .m = (heed_module *)net,
                                 .stack = net ? &net->stack : NULL,
                                 .x = x,
                                 .valid_lens = valid_lens,
                                 .cell = f == heed_relu ? HEED_CELL_RELU : HEED_CELL_TANH,
                                 .activation = f == heed_relu || f == heed_tanh ? NULL : f};
    return run_recurrent(&call, &state);
}

/* -- gru ----------------------------------------------------------------------------------------------------------- */

/*     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h = n + z (h - n) */
static const recurrent_kind gru_kind = {
    .type = "gru",
    .where_new = "nn_gru_new",
    .where_forward = "nn_gru_forward",
    .gates = 3,
    .n_states = 1,
    .states = {"the state"},
};

static heed_tensor *forward_gru(heed_module *m, heed_tensor *x)
{
    return heed_nn_gru_forward((heed_nn_gru *)m, x, NULL, NULL);
}

heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *options)
{
    HEED_ENTER(gru_kind.where_new);
    heed_nn_gru_options o = options ? *options : (heed_nn_gru_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_gru *net = recurrent_new(&gru_kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward_gru;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **state)
{
    HEED_ENTER_FORWARD(gru_kind.where_forward, net);
    const recurrent_call call = {&gru_kind, (heed_module *)net, net ? &net->stack : NULL, x, valid_lens, HEED_CELL_GRU,
                                 NULL};
    return run_recurrent(&call, &state);
}

/* -- lstm ---------------------------------------------------------------------------------------------------------- */

/*     i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)
 *     f = sigmoid(W_if x + b_if + W_hf h + b_hf)
 *     g = tanh(W_ig x + b_ig + W_hg h + b_hg)
 *     o = sigmoid(W_io x + b_io + W_ho h + b_ho)
 *     c = f c + i g
 *     h = o tanh(c) */
static const recurrent_kind lstm_kind = {
    .type = "lstm",
    .where_new = "nn_lstm_new",
    .where_forward = "nn_lstm_forward",
    .gates = 4,
    .n_states = 2,
    .states = {"h", "c"},
};

static heed_tensor *forward_lstm(heed_module *m, heed_tensor *x)
{
    return heed_nn_lstm_forward((heed_nn_lstm *)m, x, NULL, NULL, NULL);
}

heed_nn_lstm *heed_nn_lstm_new(int64_t input_size, int64_t hidden_size, const heed_nn_lstm_options *options)
{
    HEED_ENTER(lstm_kind.where_new);
    heed_nn_lstm_options o = options ? *options : (heed_nn_lstm_options){0};
    heed_nn_stack stack = {input_size, hidden_size,   o.num_layers,    o.dropout,
                           o.no_bias,  o.batch_first, o.bidirectional, NULL};
    heed_nn_lstm *net = recurrent_new(&lstm_kind, sizeof *net, &stack, o.dtype);
    if (!net)
        return NULL;
    net->base.forward = forward_lstm;
    net->stack = stack;
    return net;
}

heed_tensor *heed_nn_lstm_forward(heed_nn_lstm *net, heed_tensor *x, heed_tensor *valid_lens, heed_tensor **h,
                                  heed_tensor **c)
{
    HEED_ENTER_FORWARD(lstm_kind.where_forward, net);
    const recurrent_call call = {
        &lstm_kind, (heed_module *)net, net ? &net->stack : NULL, x, valid_lens, HEED_CELL_LSTM, NULL};
    return run_recurrent(&call, (heed_tensor * *const[]){h, c});
}
