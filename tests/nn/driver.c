/* tests/nn/driver.c - makes and runs a layer from a test case.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "driver.h"

#include <check.h>

struct slots {
    layer_run *run;
};

static const layer_argument *argument(slots *from, const char *name)
{
    return layer_argument_of(from->run->c, name);
}

static double slot_real(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->number : 0.0;
}

static int64_t slot_int64(slots *from, const char *name)
{
    return (int64_t)slot_real(from, name);
}

static int slot_int(slots *from, const char *name)
{
    return (int)slot_real(from, name);
}

static bool slot_bool(slots *from, const char *name)
{
    return slot_real(from, name) != 0.0;
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    (void)words;
    return strcmp(name, "dtype") == 0 && !argument(from, name) ? (int)from->run->dtype : slot_int(from, name);
}

static heed_shape slot_shape(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->shape : HEED_SCALAR;
}

static const char *slot_text(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->text : NULL;
}

static slot_function_type slot_function(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return a ? a->function : NULL;
}

static int slot_modules(slots *from, const char *name, void **list)
{
    const layer_argument *a = argument(from, name);
    return a && a->modules ? a->modules(from->run->dtype, list) : (int)slot_int64(from, "n");
}

/* Options are always present, nested options only if the case has them. */
static bool slot_there(slots *from, const char *name)
{
    const layer_argument *a = argument(from, name);
    return strcmp(name, "options") == 0 || (a && (a->modules || a->number != 0.0));
}

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    int i = layer_input_of(from->run->c, name);
    return i < 0 ? NULL : from->run->in[i];
}

static heed_tensor **slot_out(slots *from, const char *name)
{
    layer_run *run = from->run;
    heed_tensor *before = slot_tensor(from, name);
    if (!before && !(run->c->requested && strcmp(run->c->requested, name) == 0))
        return NULL;
    ck_assert_int_lt(run->n_out, LAYER_MAX_OUTPUTS);
    run->out[run->n_out] = run->before[run->n_out] = before;
    return &run->out[run->n_out++];
}

#include "layer_calls.inc"

const layer_call *layer_list(int *count)
{
    *count = (int)(sizeof layer_calls / sizeof layer_calls[0]);
    return layer_calls;
}

void layer_draw_inputs(layer_run *run)
{
    heed_manual_seed(3);
    for (int i = 0; i < LAYER_MAX_INPUTS && run->c->in[i].name; i++) {
        heed_tensor *t = run->in[i] = layer_draw(&run->c->in[i], run->dtype);
        if (t && heed_dtype_of(t) == run->dtype)
            t = heed_set_requires_grad(t, true);
        ck_assert_msg(t != NULL, "%s, %s: %s", run->layer->name, run->c->name, heed_error_message());
    }
}

bool layer_make(layer_run *run)
{
    heed_manual_seed(1);
    return (run->net = run->layer->make(&(slots){run})) != NULL;
}

heed_tensor *layer_forward(layer_run *run)
{
    heed_manual_seed(2);
    run->n_out = 1;
    run->out[0] = run->layer->run(&(slots){run}, run->net);
    for (int i = 1; i < run->n_out; i++)
        ck_assert_msg(run->out[0] ? run->out[i] != NULL : run->out[i] == run->before[i], "%s, %s: output %d",
                      run->layer->name, run->c->name, i);
    return run->out[0];
}

heed_tensor *layer_loss(const layer_run *run)
{
    heed_tensor *loss = NULL;
    for (int i = 0; i < run->n_out; i++) {
        if (!heed_requires_grad(run->out[i]))
            continue;
        heed_tensor *sum = heed_sum(heed_square(run->out[i]));
        loss = loss ? heed_add(loss, sum) : sum;
        if (!loss)
            return NULL;
    }
    return loss;
}

int64_t layer_numel(const layer_run *run)
{
    int64_t n = heed_module_parameter_numel(run->net);
    for (int i = 0; i < LAYER_MAX_INPUTS && run->in[i]; i++)
        n += heed_numel(run->in[i]);
    return n;
}
