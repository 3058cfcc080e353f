/* tests/nn/layers.h - what the tests of layers share: tensors made by a formula, and gradient checks through a layer's parameters. */
#ifndef LAYERS_H
#define LAYERS_H

#include "check_heed.h"

/* Element i of tensor k. */
static inline heed_tensor *made(heed_dtype dtype, heed_shape shape, int k, double scale)
{
    heed_tensor *t = heed_empty(HEED_F64, shape);
    double *at = heed_mutable_f64(t);
    ck_assert_msg(at != NULL, "%s", heed_error_message());
    for (int64_t i = 0; i < heed_numel(t); i++)
        at[i] = sin(1.3 * (double)i + 0.9 * k + 0.4) * scale;
    return heed_to_dtype(t, dtype);
}

static inline heed_tensor *made_leaf(heed_dtype dtype, heed_shape shape, int k)
{
    return heed_set_requires_grad(made(dtype, shape, k, 1.0), true);
}

/* -- Gradient checks ------------------------------------------------------------------------------------------------ */

#define MAX_PARAMETERS 32

/* A layer whose parameters are inputs of the check: it is lent what it is called with. */
typedef struct lent {
    void *net;
    heed_tensor *(*run)(void *net, heed_tensor *const *in);
    heed_tensor **slots[MAX_PARAMETERS]; /* the layer's fields; a field that is NULL is left out */
    int n_slots;
    int n_inputs;
} lent;

static inline void lend(lent *l, heed_tensor **slot)
{
    ck_assert_int_lt(l->n_slots, MAX_PARAMETERS);
    if (*slot)
        l->slots[l->n_slots++] = slot;
}

static inline void lend_linear(lent *l, heed_nn_linear *net)
{
    lend(l, &net->weight);
    lend(l, &net->bias);
}

static inline void lend_layer_norm(lent *l, heed_nn_layer_norm *net)
{
    lend(l, &net->weight);
    lend(l, &net->bias);
}

static inline heed_tensor *lent_run(heed_tensor *const *in, void *user)
{
    lent *l = user;
    heed_tensor *own[MAX_PARAMETERS];
    for (int i = 0; i < l->n_slots; i++) {
        own[i] = *l->slots[i];
        *l->slots[i] = in[l->n_inputs + i];
    }
    heed_tensor *y = l->run(l->net, in);
    for (int i = 0; i < l->n_slots; i++)
        *l->slots[i] = own[i];
    return y;
}

/* First derivatives by inputs and parameters, and second ones when the layer is smooth. Parameters are f64. */
static inline void check_gradients(lent *l, heed_tensor *const *inputs, int n_inputs, bool smooth)
{
    heed_tensor *in[MAX_PARAMETERS + 4];
    for (int i = 0; i < n_inputs; i++)
        in[i] = inputs[i];
    for (int i = 0; i < l->n_slots; i++)
        in[n_inputs + i] = *l->slots[i];
    l->n_inputs = n_inputs;
    heed_gradcheck_options o = {.seed = 3};
    heed_gradcheck_result result;
    int n = n_inputs + l->n_slots;
    ck_assert_msg(heed_gradcheck(lent_run, l, in, n, &o, &result) == HEED_OK, "%s", heed_error_message());
    if (smooth)
        ck_assert_msg(heed_gradgradcheck(lent_run, l, in, n, &o, &result) == HEED_OK, "%s", heed_error_message());
}

#endif
