/* nn/recurrent.c - what recurrent layers share. Layer after layer: the products with x of all steps are one, those with h
 * are one per step. A step is (1, B, .). */

#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/layer.h"
#include "nn/recurrent.h"
#include "nn/steps.h"

#define MAX_LAYERS (1 << 20) /* what heed_concat takes */

/* -- Making ------------------------------------------------------------------------------------------------------ */

static heed_tensor *new_parameter(heed_module *m, const char *name, int64_t layer, double bound, heed_dtype dtype,
                                  heed_shape shape)
{
    char full[48];
    (void)snprintf(full, sizeof full, "%s_l%" PRId64, name, layer);
    return heed__layer_uniform(m, full, dtype, shape, bound);
}

static bool add_layer(const heed__cell *cell, heed_module *m, const heed_nn_stack *stack, int64_t index,
                      heed_dtype dtype)
{
    heed_nn_stack_layer *layer = &stack->layers[index];
    int64_t h = stack->hidden_size, rows = cell->gates * h, in = index == 0 ? stack->input_size : h;
    double bound = 1.0 / sqrt((double)h);
    bool ok = (layer->weight_ih = new_parameter(m, "weight_ih", index, bound, dtype, HEED_SHAPE(rows, in))) != NULL &&
              (layer->weight_hh = new_parameter(m, "weight_hh", index, bound, dtype, HEED_SHAPE(rows, h))) != NULL;
    if (stack->no_bias)
        return ok;
    return ok && (layer->bias_ih = new_parameter(m, "bias_ih", index, bound, dtype, HEED_SHAPE(rows))) != NULL &&
           (layer->bias_hh = new_parameter(m, "bias_hh", index, bound, dtype, HEED_SHAPE(rows))) != NULL;
}

static bool check_new(const heed__cell *cell, const heed_nn_stack *stack, heed_dtype dtype)
{
    const char *where = cell->where_new;
    int64_t rows;
    if (!heed__layer_check_size(where, "input_size", stack->input_size) ||
        !heed__layer_check_size(where, "hidden_size", stack->hidden_size) ||
        !heed__layer_check_dropout(where, stack->dropout) || !heed__layer_check_dtype(where, dtype))
        return false;
    if (__builtin_mul_overflow(cell->gates, stack->hidden_size, &rows))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "hidden_size %" PRId64 ": %d times that does not fit",
                               stack->hidden_size, cell->gates);
    if (stack->num_layers < 0 || stack->num_layers > MAX_LAYERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "num_layers is %" PRId64 ": must be 0 for one, or 1 to %d",
                               stack->num_layers, MAX_LAYERS);
    return true;
}

void *heed__recurrent_new(const heed__cell *cell, size_t size, heed_nn_stack *stack, heed_dtype dtype)
{
    if (!check_new(cell, stack, dtype))
        return NULL;
    stack->num_layers = stack->num_layers > 0 ? stack->num_layers : 1;
    heed_module *m = heed_module_new(cell->type, size + (size_t)stack->num_layers * sizeof *stack->layers);
    if (!m)
        return NULL;
    stack->layers = (heed_nn_stack_layer *)(void *)((char *)m + size);
    bool ok = true;
    for (int64_t i = 0; ok && i < stack->num_layers; i++)
        ok = add_layer(cell, m, stack, i, dtype);
    return heed__layer_finish(m, ok);
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

/* One forward. */
typedef struct run {
    const heed__cell *cell;
    const heed_module *m;
    const heed_nn_stack *stack;
} run;

heed_tensor *heed__recurrent_parts(heed_tensor *x, int64_t n, int i, int j)
{
    return heed_slice(x, -1, i * n, j * n, 1);
}

/* heed_scope_return of several. */
static bool hand_out(heed_scope *scope, heed_tensor **tensors, int n)
{
    return n == 1 ? (tensors[0] = heed_scope_return(scope, tensors[0])) != NULL
                  : heed__scope_return_all(scope, tensors, n);
}

/* From W_i x + b_i (1, B, gates H), W_h as (1, gates H, H), and b_h (gates H) or NULL. */
static bool step(const run *r, heed_tensor *from_x, heed_tensor *w_h, heed_tensor *b_h, heed_tensor **states)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed_tensor *from_h = heed_bmm_t(states[0], false, w_h, true);
    if (b_h)
        from_h = heed_add(from_h, b_h);
    r->cell->step(r->m, from_x, from_h, states);
    return hand_out(scope, states, r->cell->n_states);
}

/* Replaces what each step gets from x by the output after it. */
static bool run_steps(const run *r, const heed_nn_stack_layer *layer, heed_tensor **steps, int64_t T,
                      heed_tensor **states)
{
    int64_t rows = heed_dim(layer->weight_hh, 0), H = heed_dim(layer->weight_hh, 1);
    heed_tensor *w_h = heed_reshape(layer->weight_hh, HEED_SHAPE(1, rows, H));
    bool ok = w_h != NULL;
    for (int64_t t = 0; ok && t < T; t++) {
        ok = step(r, steps[t], w_h, layer->bias_hh, states);
        steps[t] = states[0];
    }
    return ok;
}

/* x (T, B, in) -> the outputs (T, B, H); the states before, (1, B, H), become those after. NULL after heed_fail. */
static heed_tensor *run_layer(const run *r, const heed_nn_stack_layer *layer, heed_tensor *x, heed_tensor **states)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    int64_t T = heed_dim(x, 0);
    heed_tensor *out[HEED__MAX_STATES] = {NULL}; /* the output; the first state is its last step */
    heed_tensor *from_x = heed_linear(x, layer->weight_ih, layer->bias_ih);
    heed_tensor **steps = heed__steps_split(r->cell->where_forward, from_x);
    if (steps && run_steps(r, layer, steps, T, states)) { /* of no steps: empty, but in the graph */
        out[0] = T > 0 ? heed_concat(steps, (int)T, 0) : heed__recurrent_parts(from_x, r->stack->hidden_size, 0, 1);
        for (int i = 1; i < r->cell->n_states; i++)
            out[i] = states[i];
    }
    if (steps)
        heed__steps_free(steps, T);
    if (!hand_out(scope, out, r->cell->n_states))
        return NULL;
    if (T > 0 && !(states[0] = heed_slice(out[0], 0, -1, HEED_END, 1)))
        return NULL;
    for (int i = 1; i < r->cell->n_states; i++)
        states[i] = out[i];
    return out[0];
}

/* All layers over x (T, B, in). last[i] has room for as many as there are layers: state i of each after the last step. */
static heed_tensor *run_layers(const run *r, heed_tensor *x, heed_tensor *const *states, heed_tensor ***last)
{
    bool drops = r->stack->dropout > 0.0 && r->m->training;
    int n = r->cell->n_states;
    for (int64_t l = 0; x && l < r->stack->num_layers; l++) {
        heed_tensor *own[HEED__MAX_STATES];
        bool ok = true;
        for (int i = 0; i < n; i++)
            ok = (own[i] = heed_slice(states[i], 0, l, l + 1, 1)) && ok;
        if (drops && l > 0)
            x = heed_dropout(x, r->stack->dropout, true);
        x = x && ok ? run_layer(r, &r->stack->layers[l], x, own) : NULL;
        for (int i = 0; i < n; i++)
            last[i][l] = own[i];
    }
    return x;
}

/* out[0] becomes the output, what is behind it the states; NULL on failure. */
static void run_all(const run *r, heed_tensor *x, heed_tensor **states, heed_tensor **out)
{
    const heed_nn_stack *stack = r->stack;
    int n = r->cell->n_states;
    size_t bytes = (size_t)stack->num_layers * (size_t)n * sizeof(heed_tensor *);
    heed_tensor **list = heed_alloc(bytes), **last[HEED__MAX_STATES];
    bool ok = list != NULL;
    x = stack->batch_first ? heed_transpose(x, 0, 1) : x;
    for (int i = 0; ok && i < n; i++) {
        last[i] = list + i * stack->num_layers;
        if (!states[i])
            states[i] = heed_zeros(heed_dtype_of(x), HEED_SHAPE(stack->num_layers, heed_dim(x, 1), stack->hidden_size));
        ok = states[i] != NULL;
    }
    x = ok ? run_layers(r, x, states, last) : NULL;
    if (x)
        out[0] = stack->batch_first ? heed_transpose(x, 0, 1) : x;
    for (int i = 0; x && i < n; i++)
        out[1 + i] = heed_concat(last[i], (int)stack->num_layers, 0);
    heed_free(list, bytes);
}

static bool check_forward(const run *r, const heed_tensor *x, heed_tensor *const *states)
{
    const char *where = r->cell->where_forward;
    const heed_nn_stack *stack = r->stack;
    if (!heed__layer_check_given(where, r->m, "x", x))
        return false;
    heed_dtype dtype = heed_dtype_of(stack->layers[0].weight_ih);
    bool ok = heed__layer_check_tensor(where, "x", x, dtype, HEED_SHAPE(-1, -1, stack->input_size));
    int64_t batch = ok ? heed_dim(x, stack->batch_first ? 0 : 1) : 0;
    for (int i = 0; ok && i < r->cell->n_states; i++)
        ok = !states[i] || heed__layer_check_tensor(where, r->cell->states[i], states[i], dtype,
                                                    HEED_SHAPE(stack->num_layers, batch, stack->hidden_size));
    return ok;
}

heed_tensor *heed__recurrent_forward(const heed__cell *cell, const heed_module *m, const heed_nn_stack *stack,
                                     heed_tensor *x, heed_tensor **const *states)
{
    run r = {cell, m, stack};
    heed_tensor *before[HEED__MAX_STATES] = {NULL}, *out[1 + HEED__MAX_STATES] = {NULL};
    for (int i = 0; i < cell->n_states; i++)
        before[i] = states[i] ? *states[i] : NULL;
    if (!check_forward(&r, x, before))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    run_all(&r, x, before, out);
    if (!heed__scope_return_all(scope, out, 1 + cell->n_states))
        return NULL;
    for (int i = 0; i < cell->n_states; i++)
        if (states[i])
            *states[i] = out[1 + i];
    return out[0];
}
