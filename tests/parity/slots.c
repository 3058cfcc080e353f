/* tests/parity/slots.c - calls ops and layers with the inputs of a case, in order, and its arguments, by name.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "parity/parity.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

struct slots {
    parity_call *call;
    int inputs, outputs; /* taken so far */
    bool in_options;     /* inside options, where missing values are 0 */
};

static const json_t *slot(slots *from, const char *name)
{
    return from->in_options ? parity_option(from->call, name) : parity_arg(from->call, name);
}

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    (void)name;
    return from->inputs < from->call->n_in ? from->call->in[from->inputs++] : NULL;
}

static int slot_list(slots *from, const char *name, heed_tensor **list)
{
    int n = from->call->n_in;
    ck_assert(list && n <= SLOT_LIST);
    for (int i = 0; i < n; i++)
        list[i] = slot_tensor(from, name);
    return n;
}

static int64_t slot_int64(slots *from, const char *name)
{
    return json_integer_value(slot(from, name));
}

static int slot_int(slots *from, const char *name)
{
    return (int)slot_int64(from, name);
}

static double slot_real(slots *from, const char *name)
{
    const json_t *value = slot(from, name);
    return value ? parity_number(value) : 0;
}

static bool slot_bool(slots *from, const char *name)
{
    return json_is_true(parity_option(from->call, name));
}

static heed_shape slot_shape(slots *from, const char *name)
{
    const json_t *shape = slot(from, name);
    return shape ? parity_shape(shape) : HEED_SCALAR;
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    if (from->in_options && !json_object_get(from->call->args, name))
        return strcmp(name, "dtype") == 0 ? (int)from->call->dtype : 0;
    return (int)parity_choice(from->call, name, words);
}

static const char *slot_text(slots *from, const char *name)
{
    return json_string_value(slot(from, name));
}

static slot_function_type slot_function(slots *from, const char *name)
{
    static const char *const names[] = {"none", "relu", "gelu", "tanh", "sigmoid", "silu", NULL};
    static const slot_function_type functions[] = {NULL, heed_relu, heed_gelu, heed_tanh, heed_sigmoid, heed_silu};
    return slot(from, name) ? functions[parity_choice(from->call, name, names)] : NULL;
}

/* Options are always passed, nested options if the case has them, generators never. */
static bool slot_there(slots *from, const char *name)
{
    if (strcmp(name, "generator") == 0)
        return false;
    if (from->in_options)
        return slot_bool(from, name);
    from->in_options = strcmp(name, "options") == 0;
    return true;
}

/* Outputs in PyTorch's file are requested. The initial state of a layer is the next input, if there is one more. */
static heed_tensor **slot_out(slots *from, const char *name)
{
    parity_call *c = from->call;
    (void)parity_option(c, name);
    if (++from->outputs >= c->n_out)
        return NULL;
    c->out[from->outputs] = c->module ? slot_tensor(from, name) : NULL;
    return &c->out[from->outputs];
}

static int slot_modules(slots *from, const char *name, void **list);

#include "layer_calls.inc"
#include "op_calls.inc"

static const layer_call *find_layer(const char *name)
{
    for (size_t i = 0; i < sizeof layer_calls / sizeof layer_calls[0]; i++)
        if (name && strcmp(layer_calls[i].name, name) == 0)
            return &layer_calls[i];
    ck_abort_msg("no layer is called %s", name ? name : "so");
}

/* A list of layers with their arguments: [{"layer": "linear", "in": 3, "out": 4}, ...]. */
static int slot_modules(slots *from, const char *name, void **list)
{
    const json_t *modules = parity_arg(from->call, name);
    int n = (int)json_array_size(modules);
    (void)parity_option(from->call, "n");
    ck_assert(list && n <= SLOT_LIST);
    for (int i = 0; i < n; i++) {
        parity_call inner = *from->call;
        parity_begin_arguments(&inner, json_array_get(modules, (size_t)i));
        const layer_call *layer = find_layer(json_string_value(parity_arg(&inner, "layer")));
        list[i] = layer->make(&(slots){.call = &inner});
        parity_end_arguments(&inner);
    }
    return n;
}

#define HEED_OP(name) #name,
#define HEED_COMPOSITE(name) HEED_OP(name)
static const char *const ops[] = {
#include "ops/ops.def"
};

static bool is_op(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(ops[i], name) == 0)
            return true;
    return false;
}

/* sum and sum_axes are forms of sum; sum_to is a separate op. */
static bool is_form(const char *form, const char *name)
{
    size_t length = strlen(name);
    return strcmp(form, name) == 0 || (strncmp(form, name, length) == 0 && form[length] == '_' && !is_op(form));
}

/* Whether every argument of the case has a slot; counts the slots. */
static bool takes(const op_call *op, const json_t *args, int *slots_there)
{
    size_t found = 0;
    *slots_there = 0;
    for (const char *const *name = op->names; *name; name++, ++*slots_there)
        found += json_object_get(args, *name) != NULL;
    return found == json_object_size(args);
}

static heed_tensor *call_op(parity_call *c, const char *name)
{
    const op_call *best = NULL;
    int fewest = 0, count;
    for (size_t i = 0; i < sizeof op_calls / sizeof op_calls[0]; i++)
        if (is_form(op_calls[i].name, name) && takes(&op_calls[i], c->args, &count) && (!best || count < fewest)) {
            best = &op_calls[i];
            fewest = count;
        }
    ck_assert_msg(best != NULL, "%s: no form of heed_%s takes these arguments", c->where, name);
    return best->call(&(slots){.call = c});
}

heed_tensor *parity_run(parity_call *c, const parity_subject *subject)
{
    return subject->layer ? subject->layer->run(&(slots){.call = c}, c->module) : call_op(c, subject->name);
}

heed_module *parity_make(parity_call *c, const parity_subject *subject)
{
    return subject->layer ? subject->layer->make(&(slots){.call = c}) : NULL;
}

/* -- All calls ---------------------------------------------------------------------------------------------------- */

bool parity_subject_at(int i, parity_subject *subject)
{
    const int n_ops = (int)(sizeof ops / sizeof ops[0]), n_layers = (int)(sizeof layer_calls / sizeof layer_calls[0]);
    if (i < 0 || i >= n_ops + n_layers)
        return false;
    subject->layer = i < n_ops ? NULL : &layer_calls[i - n_ops];
    (void)snprintf(subject->name, sizeof subject->name, "%s%s", i < n_ops ? "" : "nn_",
                   i < n_ops ? ops[i] : layer_calls[i - n_ops].name);
    return true;
}
