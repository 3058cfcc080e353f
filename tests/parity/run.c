/* tests/parity/run.c - runs the cases of a file: outputs, gradients of inputs and of parameters.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "parity/parity.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* The requested gradients, and PyTorch's values for them. */
typedef struct requested {
    int n;
    heed_tensor *leaves[2 * PARITY_MAX_TENSORS];
    const json_t *grads[2 * PARITY_MAX_TENSORS];
    const char *names[2 * PARITY_MAX_TENSORS]; /* of parameters; NULL for inputs, which come first */
} requested;

static void request(requested *w, heed_tensor *leaf, const json_t *grad, const char *name)
{
    ck_assert_int_lt(w->n, 2 * PARITY_MAX_TENSORS);
    w->leaves[w->n] = leaf;
    w->grads[w->n] = grad;
    w->names[w->n++] = name;
}

static void read_inputs(parity_call *c, const json_t *json, requested *w)
{
    const json_t *inputs = json_object_get(json, "inputs"), *grads = json_object_get(json, "input_grads");
    ck_assert_uint_le(json_array_size(inputs), PARITY_MAX_TENSORS);
    ck_assert_uint_eq(json_array_size(inputs), json_array_size(grads));
    c->n_in = (int)json_array_size(inputs);
    for (int i = 0; i < c->n_in; i++) {
        const json_t *grad = json_array_get(grads, (size_t)i);
        c->in[i] = parity_tensor(json_array_get(inputs, (size_t)i), c->dtype);
        if (json_is_null(grad))
            continue;
        heed_set_requires_grad(c->in[i], true);
        request(w, c->in[i], grad, NULL);
    }
}

/* Copies PyTorch's values into the module, whose parameters and buffers must match the file's, in that order. */
static void fill(parity_call *c, const json_t *json, requested *w)
{
    json_t *parameters = json_object_get(json, "parameters"), *value;
    const json_t *grads = json_object_get(json, "parameter_grads");
    heed_dict *state = heed_module_state(c->module);
    const char *name;
    int64_t found = 0;
    json_object_foreach(parameters, name, value)
    {
        heed_tensor *parameter = heed_module_find(c->module, name);
        ck_assert_msg(parameter != NULL, "%s: %s", c->where, heed_error_message());
        ck_assert_msg(strcmp(heed_dict_name(state, found++), name) == 0, "%s: %s is not in its place", c->where, name);
        heed_tensor *values = parity_tensor(value, c->dtype);
        ck_assert_msg(heed_dtype_of(parameter) == heed_dtype_of(values), "%s: %s is %s", c->where, name,
                      heed_dtype_name(heed_dtype_of(parameter)));
        heed_shape shape = parity_shape(json_object_get(value, "shape"));
        ck_assert_msg(heed_shape_equal(heed_shape_of(parameter), shape), "%s: the shape of %s differs", c->where, name);
        heed_scope *scope = heed_no_grad_begin();
        ck_assert_int_eq(heed_copy_(parameter, values), HEED_OK);
        heed_scope_end(scope);
        const json_t *grad = json_object_get(grads, name);
        ck_assert_msg(heed_requires_grad(parameter) == !json_is_null(grad), "%s: %s is %s a parameter", c->where, name,
                      json_is_null(grad) ? "unexpectedly" : "not");
        if (!json_is_null(grad))
            request(w, parameter, grad, name);
    }
    ck_assert_msg(found == heed_dict_size(state), "%s: the module has %lld parameters, PyTorch %lld", c->where,
                  (long long)heed_dict_size(state), (long long)found);
    heed_dict_free(state);
}

static void make_module(parity_call *c, const parity_subject *subject, const json_t *json, requested *w)
{
    c->module = parity_make(c, subject);
    ck_assert_msg(c->module != NULL, "%s: %s", c->where, heed_error_message());
    fill(c, json, w);
    heed_status status =
        json_is_true(json_object_get(json, "training")) ? heed_module_train(c->module) : heed_module_eval(c->module);
    ck_assert_int_eq(status, HEED_OK);
}

static void check_outputs(parity_call *c, const json_t *json)
{
    size_t n = json_array_size(json);
    ck_assert_uint_lt(n, PARITY_MAX_TENSORS);
    for (size_t i = 0; i < n; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "output %zu", i);
        parity_compare(c, c->out[i], json_array_get(json, i), name);
    }
    ck_assert_msg(c->out[n] == NULL, "%s: more outputs than PyTorch's %zu", c->where, n);
}

static void check_gradients(parity_call *c, const json_t *json, requested *w)
{
    heed_tensor *outputs[PARITY_MAX_TENSORS], *grad_outputs[PARITY_MAX_TENSORS], *grads[2 * PARITY_MAX_TENSORS];
    int n = 0;
    for (size_t i = 0; i < json_array_size(json); i++) {
        heed_tensor *g = parity_tensor(json_array_get(json, i), c->dtype);
        if (g) {
            outputs[n] = c->out[i];
            grad_outputs[n++] = g;
        }
    }
    if (n == 0 || w->n == 0)
        return;
    heed_grad_options options = {.grad_outputs = grad_outputs, .allow_unused = true};
    heed_status status = heed_grad(outputs, n, w->leaves, w->n, grads, &options);
    ck_assert_msg(status == HEED_OK, "%s: no gradient: %s", c->where, heed_error_message());
    for (int i = 0; i < w->n; i++) {
        char what[96];
        (void)snprintf(what, sizeof what, "gradient %d, of %s", i, w->names[i] ? w->names[i] : "an input");
        parity_compare_gradient(c, grads[i], w->grads[i], what);
    }
}

/* Compares the module's buffers after a forward, if it has changed them. */
static void check_buffers(parity_call *c, json_t *json)
{
    json_t *value;
    const char *name;
    json_object_foreach(json, name, value) parity_compare(c, heed_module_find(c->module, name), value, name);
}

static void run_case(parity_call *c, const parity_subject *subject, const json_t *json)
{
    requested w = {0};
    heed_scope *scope = heed_scope_begin();
    parity_begin_arguments(c, json_object_get(json, "args"));
    read_inputs(c, json, &w);
    if (subject->layer)
        make_module(c, subject, json, &w);
    c->n_out = (int)json_array_size(json_object_get(json, "outputs"));
    c->out[0] = parity_run(c, subject);
    ck_assert_msg(c->out[0] != NULL, "%s: %s", c->where, heed_error_message());
    parity_end_arguments(c);
    check_outputs(c, json_object_get(json, "outputs"));
    check_gradients(c, json_object_get(json, "grad_outputs"), &w);
    check_buffers(c, json_object_get(json, "buffers"));
    if (c->module)
        ck_assert_int_eq(heed_module_free(c->module), HEED_OK);
    heed_scope_end(scope);
    ck_assert_msg(heed_error_code() == HEED_OK, "%s: %s", c->where, heed_error_message());
}

void parity_run_file(const parity_subject *subject, heed_dtype dtype)
{
    char path[512];
    json_error_t error;
    (void)snprintf(path, sizeof path, "%s/%s.json", PARITY_DATA, subject->name);
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(json != NULL, "%s: line %d: %s", path, error.line, error.text);
    const json_t *cases = json_object_get(json, "cases");
    ck_assert_msg(json_array_size(cases) > 0, "%s has no cases", path);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        parity_call c = {.dtype = dtype};
        (void)snprintf(c.where, sizeof c.where, "%s.json, case %zu, %s", subject->name, i, heed_dtype_name(dtype));
        run_case(&c, subject, json_array_get(cases, i));
    }
    json_decref(json);
}
