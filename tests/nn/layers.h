/* tests/nn/layers.h - what the tests of layers share: tensors made by the formula of tests/reference/layers_reference.py, the
 * comparison with what PyTorch made of them, and gradient checks through a layer's parameters. */
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

/* -- PyTorch's numbers ---------------------------------------------------------------------------------------------- */

typedef struct layer_reference {
    const char *name;
    const char *parameters; /* "weight (2, 3) bias (2) " */
    const double *values;
} layer_reference;

static inline const layer_reference *find_reference(const layer_reference *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    ck_abort_msg("no reference \"%s\"", name);
}

#define REFERENCE(list, name) find_reference(list, sizeof(list) / sizeof(list)[0], name)

#define MAX_PARAMETERS 32

typedef struct parameter_list {
    char text[1024];
    heed_tensor *tensors[MAX_PARAMETERS];
    int n;
} parameter_list;

static inline heed_status list_parameter(const heed_module_visit *visit, void *user)
{
    parameter_list *list = user;
    char shape[64];
    heed_shape_format(heed_shape_of(visit->tensor), shape, sizeof shape);
    size_t length = strlen(list->text);
    (void)snprintf(list->text + length, sizeof list->text - length, "%s %s ", visit->name, shape);
    ck_assert(!visit->is_buffer && list->n < MAX_PARAMETERS && heed_requires_grad(visit->tensor));
    list->tensors[list->n++] = visit->tensor;
    return HEED_OK;
}

/* Gives the parameters the values they have in PyTorch, which must have the same ones. */
static inline void fill_parameters(heed_module *m, const layer_reference *r, parameter_list *list)
{
    *list = (parameter_list){.n = 0};
    ck_assert_msg(m != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_module_walk(m, list_parameter, list), HEED_OK);
    ck_assert_str_eq(list->text, r->parameters);
    heed_scope *scope = heed_no_grad_begin();
    for (int k = 0; k < list->n; k++) {
        heed_tensor *t = list->tensors[k];
        ck_assert_int_eq(heed_copy_(t, made(heed_dtype_of(t), heed_shape_of(t), 10 + k, 0.7)), HEED_OK);
    }
    heed_scope_end(scope);
}

/* Compares t with the numbers at *at, and moves on. */
static inline void compare(const char *name, const char *what, int index, heed_tensor *t, const double **at)
{
    ck_assert_msg(t != NULL, "%s, %s %d: %s", name, what, index, heed_error_message());
    double tolerance = heed_dtype_of(t) == HEED_F64 ? 1e-10 : 2e-5;
    heed_tensor *values = heed_contiguous(heed_to_dtype(heed_detach(t), HEED_F64));
    const double *v = heed_data_f64(values);
    for (int64_t i = 0; i < heed_numel(values); i++) {
        double expected = *(*at)++;
        ck_assert_msg(fabs(v[i] - expected) <= tolerance * (1.0 + fabs(expected)), "%s, %s %d [%lld]: %.15g, not %.15g",
                      name, what, index, (long long)i, v[i], expected);
    }
}

/* The outputs, and the gradients of sum_j (outputs[j] * tensor 50 + j) by inputs and parameters. */
static inline void compare_all(const layer_reference *r, const parameter_list *list, heed_tensor *const *outputs,
                               int n_outputs, heed_tensor *const *inputs, int n_inputs)
{
    const double *at = r->values;
    heed_tensor *loss = NULL, *by[MAX_PARAMETERS + 4], *g[MAX_PARAMETERS + 4];
    for (int j = 0; j < n_outputs; j++) {
        compare(r->name, "output", j, outputs[j], &at);
        heed_tensor *y = outputs[j];
        if (!heed_requires_grad(y))
            continue;
        heed_tensor *sum = heed_sum(heed_mul(y, made(heed_dtype_of(y), heed_shape_of(y), 50 + j, 1.0)));
        loss = loss ? heed_add(loss, sum) : sum;
    }
    for (int i = 0; i < n_inputs; i++)
        by[i] = inputs[i];
    for (int i = 0; i < list->n; i++)
        by[n_inputs + i] = list->tensors[i];
    int n = n_inputs + list->n;
    ck_assert_msg(heed_grad(&loss, 1, by, n, g, NULL) == HEED_OK, "%s: %s", r->name, heed_error_message());
    for (int i = 0; i < n; i++)
        compare(r->name, "gradient", i, g[i], &at);
}

/* -- Gradient checks ------------------------------------------------------------------------------------------------ */

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
