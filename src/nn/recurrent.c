/* nn/recurrent.c - shared by recurrent layers. For every layer and direction, one matrix product multiplies W_i by x at
 * all steps. The steps then run in heed_recurrence, or as separate ops if the user supplies an activation. */

#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/recurrent.h"
#include "nn/steps.h"

#define MAX_LAYERS (1 << 20) /* limit of heed_concat */

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Returns the number of directions, 1 or 2. The two directions of a layer are stored one after the other. */
static int directions_of(const heed_nn_stack *stack)
{
    return stack->bidirectional ? 2 : 1;
}

static heed_tensor *new_parameter(heed_module *m, const char *name, const heed_nn_stack *stack, int64_t index,
                                  double bound, heed_dtype dtype, heed_shape shape)
{
    const int directions = directions_of(stack);
    char full_name[48];
    (void)snprintf(full_name, sizeof full_name, "%s_l%" PRId64 "%s", name, index / directions,
                   index % directions == 1 ? "_reverse" : "");
    return heed__layer_uniform(m, full_name, dtype, shape, bound);
}

static bool add_layer(const heed__recurrent_kind *kind, heed_module *m, const heed_nn_stack *stack, int64_t index,
                      heed_dtype dtype)
{
    heed_nn_stack_layer *layer = &stack->layers[index];
    int64_t h = stack->hidden_size, rows = kind->gates * h;
    int64_t in = index < directions_of(stack) ? stack->input_size : directions_of(stack) * h;
    double bound = 1.0 / sqrt((double)h);
    bool ok =
        (layer->weight_ih = new_parameter(m, "weight_ih", stack, index, bound, dtype, HEED_SHAPE(rows, in))) != NULL &&
        (layer->weight_hh = new_parameter(m, "weight_hh", stack, index, bound, dtype, HEED_SHAPE(rows, h))) != NULL;
    if (stack->no_bias)
        return ok;
    return ok && (layer->bias_ih = new_parameter(m, "bias_ih", stack, index, bound, dtype, HEED_SHAPE(rows))) != NULL &&
           (layer->bias_hh = new_parameter(m, "bias_hh", stack, index, bound, dtype, HEED_SHAPE(rows))) != NULL;
}

static bool check_new(const heed__recurrent_kind *kind, const heed_nn_stack *stack, heed_dtype dtype)
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

void *heed__recurrent_new(const heed__recurrent_kind *kind, size_t size, heed_nn_stack *stack, heed_dtype dtype)
{
    if (!check_new(kind, stack, dtype))
        return NULL;
    stack->num_layers = stack->num_layers > 0 ? stack->num_layers : 1;
    const int64_t count = stack->num_layers * directions_of(stack);
    heed_module *m = heed_module_new(kind->type, size + (size_t)count * sizeof *stack->layers);
    if (!m)
        return NULL;
    stack->layers = (heed_nn_stack_layer *)(void *)((char *)m + size);
    bool ok = true;
    for (int64_t i = 0; ok && i < count; i++)
        ok = add_layer(kind, m, stack, i, dtype);
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
static heed_tensor *step(const heed__recurrent_call *r, heed_tensor *x_terms, heed_tensor *w_h, heed_tensor *present,
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
static bool run_steps(const heed__recurrent_call *r, heed_tensor *weight_hh, heed_tensor **steps, int64_t T,
                      bool reverse, heed_tensor **state)
{
    heed_tensor *w_h = heed_unsqueeze(weight_hh, 0), *present = r->valid_lens ? presence_mask(r->valid_lens, T) : NULL;
    bool ok = w_h && (present || !r->valid_lens);
    for (int64_t s = 0; ok && s < T; s++) {
        const int64_t t = reverse ? T - 1 - s : s;
        heed_tensor *present_t = present ? heed_slice(present, 0, t, t + 1, 1) : NULL;
        steps[t] = present_t || !present ? step(r, steps[t], w_h, present_t, state) : NULL;
        ok = steps[t] != NULL;
    }
    return ok;
}

/* Computes the same as heed_recurrence for a cell of one gate, by separate ops. x_terms is W_i x + b_i + b_h at all
 * steps. */
static heed_tensor *recurrence_of_ops(const heed__recurrent_call *r, heed_tensor *x_terms, heed_tensor *weight_hh,
                                      bool reverse, heed_tensor **state)
{
    heed_tensor **steps = heed__steps_split(r->kind->where_forward, x_terms), *y = NULL;
    if (!steps)
        return NULL;
    const int64_t T = heed_dim(x_terms, 0);
    if (run_steps(r, weight_hh, steps, T, reverse, state)) /* T = 0: the empty x_terms, which is in the graph */
        y = T > 0 ? heed_concat(steps, (int)T, 0) : x_terms;
    heed__steps_free(steps, T);
    return y;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Runs one direction of a layer on x (T, B, in). Returns the output (T, B, h), or NULL after heed_fail. Replaces every
 * states[i] (1, B, h) by the state after the last step; a NULL state means zeros. */
static heed_tensor *run_direction(const heed__recurrent_call *r, int64_t index, heed_tensor *x, heed_tensor **states)
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
    heed_tensor *out[1 + HEED__MAX_STATES] = {NULL}, *x_terms = NULL;
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
static heed_tensor *run_layer(const heed__recurrent_call *r, int64_t layer, heed_tensor *x, heed_tensor *const *states,
                              heed_tensor ***last)
{
    const int n = r->kind->n_states, directions = directions_of(r->stack);
    heed_tensor *y[2] = {NULL};
    bool ok = true;
    for (int d = 0; ok && d < directions; d++) {
        const int64_t index = layer * directions + d;
        heed_tensor *layer_states[HEED__MAX_STATES];
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
static void run_layers(const heed__recurrent_call *r, heed_tensor *x, heed_tensor **states, heed_tensor **list,
                       heed_tensor **out)
{
    const heed_nn_stack *stack = r->stack;
    const int n = r->kind->n_states, count = (int)stack->num_layers * directions_of(stack);
    heed_tensor **last[HEED__MAX_STATES];
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
static heed_tensor *steps_of(const heed__recurrent_call *r)
{
    const bool batch_first = r->stack->batch_first;
    if (!r->valid_lens)
        return batch_first ? heed_transpose(r->x, 0, 1) : r->x;
    return heed_transpose(heed_sequence_mask(batch_first ? r->x : heed_transpose(r->x, 0, 1), r->valid_lens, 0.0), 0,
                          1);
}

static void run_all(const heed__recurrent_call *r, heed_tensor **states, heed_tensor **out)
{
    const size_t count = (size_t)r->stack->num_layers * (size_t)directions_of(r->stack) * (size_t)r->kind->n_states;
    heed_tensor *x = steps_of(r), **list = x ? heed_calloc(count, sizeof *list) : NULL;
    if (list)
        run_layers(r, x, states, list, out);
    heed_free(list, count * sizeof *list);
}

static bool check_forward(const heed__recurrent_call *r, heed_tensor *const *states)
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

heed_tensor *heed__recurrent_forward(const heed__recurrent_call *call, heed_tensor **const *states)
{
    const int n = call->kind->n_states;
    heed_tensor *before[HEED__MAX_STATES] = {NULL}, *out[1 + HEED__MAX_STATES] = {NULL};
    for (int i = 0; i < n; i++)
        before[i] = states[i] ? *states[i] : NULL;
    if (!check_forward(call, before))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    run_all(call, before, out);
    if (!heed__scope_return_all(scope, out, 1 + n))
        return NULL;
    for (int i = 0; i < n; i++)
        if (states[i])
            *states[i] = out[1 + i];
    return out[0];
}
