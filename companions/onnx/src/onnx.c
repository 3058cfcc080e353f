/* onnx/src/onnx.c - recording: the functions of heed/onnx.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/onnx.h>

#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "base/utf8.h"
#include "model.h"
#include "recording.h"

HEED_MARK_OUTLIVES_FREE(heed_onnx);

/* The address of this variable identifies the thread. */
static _Thread_local char this_thread;

/* -- Recording ----------------------------------------------------------------------------------------------------- */

static bool copy_call(heed_onnx *model, heed__onnx_step *step, const heed_event *event)
{
    const heed_call *call = event->call;
    step->module = heed__arena_text(&model->arena, event->module_path);
    step->params = heed__arena_copy(&model->arena, call->params, call->op->params_size);
    step->inputs = heed__arena_alloc(&model->arena, (size_t)call->n_inputs, sizeof *step->inputs);
    return step->module && step->inputs && (step->params || call->op->params_size == 0);
}

static void add_step(heed_onnx *model, const heed_event *event)
{
    heed__onnx_step *step = heed__arena_alloc(&model->arena, 1, sizeof *step);
    if (!step || !copy_call(model, step, event))
        return;
    step->op = event->call->op;
    step->n_inputs = event->call->n_inputs;
    step->n_outputs = event->n_outputs;
    for (int i = 0; i < step->n_inputs; i++)
        step->inputs[i] = heed_retain(event->call->inputs[i]);
    for (int j = 0; j < step->n_outputs; j++)
        step->outputs[j] = heed_retain(event->outputs[j]);
    step->previous = model->last;
    model->last = step;
    model->tensors += (size_t)step->n_inputs + (size_t)step->n_outputs;
}

/* Ops that another op calls (depth above 0) are part of that op. */
static void ended(const heed_event *event, void *user)
{
    heed_onnx *model = user;
    if (event->kind == HEED_EVENT_FORWARD && !event->failed && event->depth == 0 && model->thread == &this_thread)
        add_step(model, event);
}

/* -- Beginning and ending ------------------------------------------------------------------------------------------ */

static bool is_text(const char *where, const char *what, const char *text)
{
    const size_t good = heed__utf8_size(text);
    return text[good] == '\0' || heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is not UTF-8: byte %zu is 0x%02x", what,
                                                 good, (unsigned char)text[good]);
}

heed_onnx *heed_onnx_new(const heed_onnx_options *options)
{
    static const char where[] = "onnx_new";
    HEED_ENTER(where);
    const heed_onnx_options o = options ? *options : (heed_onnx_options){.name = NULL};
    if (o.name && !is_text(where, "name", o.name))
        return NULL;
    heed_onnx *model = heed_calloc(1, sizeof *model);
    if (!model)
        return NULL;
    model->mark = HEED_MARK(HEED_ONNX, 0);
    model->module = o.module;
    model->dynamic = o.dynamic_batch;
    model->thread = &this_thread;
    model->name = heed__arena_text(&model->arena, o.name ? o.name : "heed");
    if (model->name)
        model->observer = heed_add_observer(&(heed_observer){.ended = ended, .user = model});
    if (model->observer)
        return model;
    heed_onnx_free(model);
    return NULL;
}

static void release_named(heed__onnx_named *named)
{
    for (; named; named = named->next)
        heed_release(named->tensor);
}

static bool check(const char *where, const heed_onnx *model)
{
    if (!model)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the model is NULL");
    return heed__is_marked(model->mark, HEED_ONNX) || heed_fail_freed(where, "the model", model);
}

void heed_onnx_free(heed_onnx *model)
{
    if (!model || !check("onnx_free", model))
        return;
    if (model->observer)
        (void)heed_remove_observer(model->observer);
    for (heed__onnx_step *step = model->last; step; step = step->previous) {
        for (int i = 0; i < step->n_inputs; i++)
            heed_release(step->inputs[i]);
        for (int j = 0; j < step->n_outputs; j++)
            heed_release(step->outputs[j]);
    }
    release_named(model->inputs);
    release_named(model->outputs);
    heed__arena_free(&model->arena);
    model->mark = 0;
    heed_free(model, sizeof *model);
}

/* -- Inputs and outputs -------------------------------------------------------------------------------------------- */

static bool is_free(const heed__onnx_named *list, const char *where, const char *name)
{
    for (; list; list = list->next)
        if (strcmp(list->name, name) == 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name \"%.100s\" is already in use", name);
    return true;
}

static bool check_name(const heed_onnx *model, const char *where, const char *name, const heed_tensor *tensor)
{
    if (!check(where, model))
        return false;
    if (!name || !tensor)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is NULL", name ? "tensor" : "name");
    if (*name == '\0' || *name == '/')
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the name is \"%.100s\": must not be empty or begin with '/'",
                               name);
    return is_text(where, "name", name) && is_free(model->inputs, where, name) && is_free(model->outputs, where, name);
}

static heed_status add_named(heed_onnx *model, heed__onnx_named **list, const char *name, heed_tensor *tensor)
{
    heed__onnx_named *named = heed__arena_alloc(&model->arena, 1, sizeof *named);
    if (!named || !(named->name = heed__arena_text(&model->arena, name)))
        return HEED_ERR_NOMEM;
    if (!(named->tensor = heed_retain(tensor))) /* it was freed */
        return heed_error_code();
    while (*list)
        list = &(*list)->next;
    *list = named;
    model->tensors++;
    return HEED_OK;
}

heed_status heed_onnx_input(heed_onnx *model, const char *name, heed_tensor *x)
{
    static const char where[] = "onnx_input";
    HEED_ENTER(where);
    if (!check_name(model, where, name, x))
        return heed_error_code();
    for (const heed__onnx_named *input = model->inputs; input; input = input->next)
        if (input->tensor == x)
            return heed_fail(HEED_ERR_ARGUMENT, where, "the tensor of \"%.100s\" is already the input \"%.100s\"", name,
                             input->name);
    return add_named(model, &model->inputs, name, x);
}

heed_status heed_onnx_output(heed_onnx *model, const char *name, heed_tensor *y)
{
    static const char where[] = "onnx_output";
    HEED_ENTER(where);
    return check_name(model, where, name, y) ? add_named(model, &model->outputs, name, y) : heed_error_code();
}

heed_status heed_onnx_save(heed_onnx *model, const char *path)
{
    static const char where[] = "onnx_save";
    HEED_ENTER(where);
    if (!check(where, model))
        return heed_error_code();
    if (!path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the path is NULL");
    if (!model->outputs)
        return heed_fail(HEED_ERR_STATE, where, "the model has no output: call heed_onnx_output first");
    return heed__onnx_write(model, where, path);
}
