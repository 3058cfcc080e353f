/* nn/gru.c - gated recurrent units.
 *
 *     r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)
 *     z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
 *     n = tanh(W_in x + b_in + r (W_hn h + b_hn))
 *     h = (1 - z) n + z h = n + z (h - n)
 *
 * Layer after layer: the products with x of all steps are one, those with h are one per step. A step is (1, B, .).
 */

#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/recurrent.h>

#include "nn/layer.h"
#include "nn/steps.h"

static const char where_new[] = "nn_gru_new";
static const char where_forward[] = "nn_gru_forward";

#define MAX_LAYERS (1 << 20) /* what heed_concat takes */

static heed_tensor *forward(heed_module *m, heed_tensor *x)
{
    return heed_nn_gru_forward((heed_nn_gru *)m, x, NULL);
}

/* -- Making ------------------------------------------------------------------------------------------------------ */

static heed_tensor *new_parameter(heed_nn_gru *net, const char *name, int64_t layer, heed_dtype dtype, heed_shape shape)
{
    char full[48];
    (void)snprintf(full, sizeof full, "%s_l%" PRId64, name, layer);
    return heed__layer_uniform(&net->base, full, dtype, shape, 1.0 / sqrt((double)net->hidden_size));
}

static bool add_layer(heed_nn_gru *net, int64_t index, heed_dtype dtype)
{
    heed_nn_gru_layer *layer = &net->layers[index];
    int64_t h = net->hidden_size, in = index == 0 ? net->input_size : h;
    bool ok = (layer->weight_ih = new_parameter(net, "weight_ih", index, dtype, HEED_SHAPE(3 * h, in))) != NULL &&
              (layer->weight_hh = new_parameter(net, "weight_hh", index, dtype, HEED_SHAPE(3 * h, h))) != NULL;
    if (net->no_bias)
        return ok;
    return ok && (layer->bias_ih = new_parameter(net, "bias_ih", index, dtype, HEED_SHAPE(3 * h))) != NULL &&
           (layer->bias_hh = new_parameter(net, "bias_hh", index, dtype, HEED_SHAPE(3 * h))) != NULL;
}

static bool check_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *o)
{
    int64_t rows;
    if (!heed__layer_check_size(where_new, "input_size", input_size) ||
        !heed__layer_check_size(where_new, "hidden_size", hidden_size) ||
        !heed__layer_check_dropout(where_new, o->dropout) || !heed__layer_check_dtype(where_new, o->dtype))
        return false;
    if (__builtin_mul_overflow(3, hidden_size, &rows))
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "hidden_size %" PRId64 ": 3 times that does not fit",
                               hidden_size);
    if (o->num_layers < 0 || o->num_layers > MAX_LAYERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where_new, "num_layers is %" PRId64 ": wants 0 for one, or 1 to %d",
                               o->num_layers, MAX_LAYERS);
    return true;
}

heed_nn_gru *heed_nn_gru_new(int64_t input_size, int64_t hidden_size, const heed_nn_gru_options *options)
{
    HEED_ENTER(where_new);
    heed_nn_gru_options o = options ? *options : (heed_nn_gru_options){0};
    if (!check_new(input_size, hidden_size, &o))
        return NULL;
    int64_t num_layers = o.num_layers > 0 ? o.num_layers : 1;
    heed_nn_gru *net = heed_module_new("gru", sizeof *net + (size_t)num_layers * sizeof(heed_nn_gru_layer));
    if (!net)
        return NULL;
    net->base.forward = forward;
    net->input_size = input_size;
    net->hidden_size = hidden_size;
    net->num_layers = num_layers;
    net->dropout = o.dropout;
    net->no_bias = o.no_bias;
    net->batch_first = o.batch_first;
    net->layers = (heed_nn_gru_layer *)(net + 1);
    bool ok = true;
    for (int64_t i = 0; ok && i < num_layers; i++)
        ok = add_layer(net, i, o.dtype);
    return heed__layer_finish(net, ok);
}

/* -- Forward ----------------------------------------------------------------------------------------------------- */

static heed_tensor *part(heed_tensor *x, int64_t start, int64_t stop)
{
    return heed_slice(x, -1, start, stop, 1);
}

/* The state after a step, from W_i x + b_i (1, B, 3 H), W_h as (1, 3 H, H), b_h (3 H) or NULL, and h (1, B, H). */
static heed_tensor *step(heed_tensor *from_x, heed_tensor *w_h, heed_tensor *b_h, heed_tensor *h)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    int64_t H = heed_dim(h, -1);
    heed_tensor *from_h = heed_bmm_t(h, false, w_h, true);
    if (b_h)
        from_h = heed_add(from_h, b_h);
    heed_tensor *rz = heed_sigmoid(heed_add(part(from_x, 0, 2 * H), part(from_h, 0, 2 * H)));
    heed_tensor *r = part(rz, 0, H), *z = part(rz, H, 2 * H);
    heed_tensor *n = heed_tanh(heed_add(part(from_x, 2 * H, 3 * H), heed_mul(r, part(from_h, 2 * H, 3 * H))));
    return heed_scope_return(scope, heed_add(n, heed_mul(z, heed_sub(h, n))));
}

/* Replaces what each step gets from x by the state after it. */
static bool run_steps(const heed_nn_gru_layer *layer, heed_tensor **steps, int64_t T, heed_tensor *h)
{
    int64_t rows = heed_dim(layer->weight_hh, 0), H = heed_dim(layer->weight_hh, 1);
    heed_tensor *w_h = heed_reshape(layer->weight_hh, HEED_SHAPE(1, rows, H));
    for (int64_t t = 0; w_h && h && t < T; t++)
        h = steps[t] = step(steps[t], w_h, layer->bias_hh, h);
    return w_h && h;
}

/* x (T, B, in) and the state before (1, B, H) -> the states (T, B, H). */
static heed_tensor *run_layer(const heed_nn_gru_layer *layer, heed_tensor *x, heed_tensor *h)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    int64_t T = heed_dim(x, 0);
    heed_tensor *from_x = heed_linear(x, layer->weight_ih, layer->bias_ih), *y = NULL;
    heed_tensor **steps = heed__steps_split(where_forward, from_x);
    if (steps && run_steps(layer, steps, T, h)) /* of no steps: empty, but in the graph */
        y = T > 0 ? heed_concat(steps, (int)T, 0) : part(from_x, 0, heed_dim(h, 2));
    if (steps)
        heed__steps_free(steps, T);
    return heed_scope_return(scope, y);
}

/* All layers over x (T, B, in); last[l] becomes the state of layer l after the last step, (1, B, H). */
static heed_tensor *run_layers(heed_nn_gru *net, heed_tensor *x, heed_tensor *state, heed_tensor **last)
{
    bool drops = net->dropout > 0.0 && net->base.training;
    for (int64_t l = 0; x && l < net->num_layers; l++) {
        last[l] = heed_slice(state, 0, l, l + 1, 1);
        if (drops && l > 0)
            x = heed_dropout(x, net->dropout, true);
        x = x && last[l] ? run_layer(&net->layers[l], x, last[l]) : NULL;
        if (x && heed_dim(x, 0) > 0)
            last[l] = heed_slice(x, 0, -1, HEED_END, 1);
    }
    return x;
}

/* out[0] becomes the output, out[1] the state; NULL on failure. */
static void run(heed_nn_gru *net, heed_tensor *x, heed_tensor *state, heed_tensor *out[2])
{
    size_t bytes = (size_t)net->num_layers * sizeof(heed_tensor *);
    heed_tensor **last = heed_alloc(bytes);
    if (!last)
        return;
    x = net->batch_first ? heed_transpose(x, 0, 1) : x;
    if (!state)
        state = heed_zeros(heed_dtype_of(x), HEED_SHAPE(net->num_layers, heed_dim(x, 1), net->hidden_size));
    x = state ? run_layers(net, x, state, last) : NULL;
    if (x) {
        out[0] = net->batch_first ? heed_transpose(x, 0, 1) : x;
        out[1] = heed_concat(last, (int)net->num_layers, 0);
    }
    heed_free(last, bytes);
}

static bool check_forward(const heed_nn_gru *net, const heed_tensor *x, const heed_tensor *state)
{
    if (!heed__layer_check_given(where_forward, net, "x", x))
        return false;
    heed_dtype dtype = heed_dtype_of(net->layers[0].weight_ih);
    if (!heed__layer_check_tensor(where_forward, "x", x, dtype, HEED_SHAPE(-1, -1, net->input_size)))
        return false;
    int64_t batch = heed_dim(x, net->batch_first ? 0 : 1);
    return !state || heed__layer_check_tensor(where_forward, "the state", state, dtype,
                                              HEED_SHAPE(net->num_layers, batch, net->hidden_size));
}

heed_tensor *heed_nn_gru_forward(heed_nn_gru *net, heed_tensor *x, heed_tensor **state)
{
    HEED_ENTER(where_forward);
    if (!check_forward(net, x, state ? *state : NULL))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *out[2] = {NULL, NULL};
    run(net, x, state ? *state : NULL, out);
    if (!heed__scope_return_all(scope, out, 2))
        return NULL;
    if (state)
        *state = out[1];
    return out[0];
}
