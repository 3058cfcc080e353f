/* onnx/src/values.c - maps tensors to values, in a hash table by address. The recording retains the tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "values.h"

#include <string.h>

/* -- The table ----------------------------------------------------------------------------------------------------- */

/* Returns the tensor's entry, or the free entry where it belongs. */
static heed__onnx_entry *find(const heed__onnx_values *v, const heed_tensor *tensor)
{
    size_t i = (size_t)((uint64_t)(uintptr_t)tensor * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (v->entries[i & (v->capacity - 1)].tensor && v->entries[i & (v->capacity - 1)].tensor != tensor)
        i++;
    return &v->entries[i & (v->capacity - 1)];
}

static heed__onnx_entry *enter(heed__onnx_values *v, const heed_tensor *tensor)
{
    heed__onnx_entry *entry = find(v, tensor);
    entry->tensor = tensor;
    return entry;
}

static bool is_taken(const heed__onnx_named *list, const char *path)
{
    while (list && strcmp(list->name, path) != 0)
        list = list->next;
    return list;
}

/* Enters the parameters and buffers of the module. A path that begins with '/' is left out, because it could be equal
 * to a generated name. */
static bool enter_state(heed__onnx_graph *g, heed__onnx_values *v, const heed_dict *state)
{
    const int64_t n = state ? heed_dict_size(state) : 0;
    for (int64_t i = 0; i < n; i++) {
        const char *path = heed_dict_name(state, i);
        heed__onnx_entry *entry = enter(v, heed_dict_at(state, i));
        if (is_taken(v->model->inputs, path) || is_taken(v->model->outputs, path))
            return heed_fail_false(HEED_ERR_ARGUMENT, g->where,
                                   "\"%.100s\" names an input or output and a parameter or buffer: rename the former",
                                   path);
        if (!entry->path && *path != '/')
            entry->path = heed__arena_text(&g->arena, path);
    }
    return true;
}

static bool enter_steps(heed__onnx_graph *g, heed__onnx_values *v)
{
    for (heed__onnx_step *step = v->model->last; step; step = step->previous)
        v->n_steps++;
    v->steps = heed__arena_alloc(&g->arena, v->n_steps, sizeof *v->steps);
    if (!v->steps)
        return false;
    size_t i = v->n_steps;
    for (heed__onnx_step *step = v->model->last; step; step = step->previous) {
        v->steps[--i] = step;
        step->needed = false;
        memset(step->values, 0, sizeof step->values);
        for (int j = 0; j < step->n_outputs; j++) {
            heed__onnx_entry *entry = enter(v, step->outputs[j]);
            entry->step = step;
            entry->output = j;
        }
    }
    return true;
}

bool heed__onnx_values_begin(heed__onnx_graph *g, const heed_onnx *model, const heed_dict *state)
{
    heed__onnx_values *v = heed__arena_alloc(&g->arena, 1, sizeof *v);
    if (!v)
        return false;
    const size_t most = model->tensors + (size_t)(state ? heed_dict_size(state) : 0);
    for (v->capacity = 16; v->capacity < 2 * most; v->capacity *= 2)
        ;
    v->model = model;
    v->entries = heed__arena_alloc(&g->arena, v->capacity, sizeof *v->entries);
    if (!v->entries || !enter_state(g, v, state) || !enter_steps(g, v))
        return false;
    for (const heed__onnx_named *input = model->inputs; input; input = input->next)
        enter(v, input->tensor)->value = input->name;
    g->values = v;
    return true;
}

/* -- Tensors without a recorded op --------------------------------------------------------------------------------- */

/* Returns true if a tensor shares its storage with an input of the model or with a computed tensor. The inputs of every
 * step are compared before its outputs: if the storage first appears as a constant, the tensor is not computed. */
static bool is_computed(const heed__onnx_values *v, const heed_tensor *tensor)
{
    for (const heed__onnx_named *input = v->model->inputs; input; input = input->next)
        if (heed_shares_storage(input->tensor, tensor))
            return true;
    for (size_t s = 0; s < v->n_steps; s++) {
        for (int i = 0; i < v->steps[s]->n_inputs; i++)
            if (heed_shares_storage(v->steps[s]->inputs[i], tensor))
                return find(v, v->steps[s]->inputs[i])->step;
        for (int j = 0; j < v->steps[s]->n_outputs; j++)
            if (heed_shares_storage(v->steps[s]->outputs[j], tensor))
                return true;
    }
    return false;
}

static bool is_same(const heed_tensor *a, const heed_tensor *b)
{
    return heed_shares_storage(a, b) && heed_dtype_of(a) == heed_dtype_of(b) &&
           heed_shape_equal(heed_shape_of(a), heed_shape_of(b)) && heed_is_contiguous(a) && heed_is_contiguous(b) &&
           heed_data_bytes(a) == heed_data_bytes(b);
}

/* Returns the tensor that a detached tensor is identical to, an input of the model or an output of a step, or NULL. */
static const heed_tensor *original(const heed__onnx_values *v, const heed_tensor *tensor)
{
    for (const heed__onnx_named *input = v->model->inputs; input; input = input->next)
        if (is_same(input->tensor, tensor))
            return input->tensor;
    for (size_t s = 0; s < v->n_steps; s++)
        for (int j = 0; j < v->steps[s]->n_outputs; j++)
            if (is_same(v->steps[s]->outputs[j], tensor))
                return v->steps[s]->outputs[j];
    return NULL;
}

heed__onnx_entry *heed__onnx_entry_of(heed__onnx_graph *g, const heed_tensor *tensor)
{
    heed__onnx_values *v = g->values;
    heed__onnx_entry *entry = find(v, tensor);
    if (entry->value || entry->step || entry->path || !is_computed(v, tensor))
        return enter(v, tensor);
    const heed_tensor *same = original(v, tensor);
    if (same)
        return find(v, same);
    return heed_fail_null(HEED_ERR_UNSUPPORTED, g->where,
                          "a tensor %s is a view of a computed tensor, but no recorded op made it",
                          heed_shape_text(heed_shape_of(tensor)).s);
}

heed__onnx_value heed__onnx_value_of(heed__onnx_graph *g, heed_tensor *tensor)
{
    heed__onnx_entry *entry = heed__onnx_entry_of(g, tensor);
    if (!entry || entry->value)
        return entry ? entry->value : NULL;
    if (!entry->step)
        return entry->value = heed__onnx_constant(g, entry->path, tensor);
    if (!entry->step->values[entry->output])
        return heed_fail_null(HEED_ERR_UNSUPPORTED, g->where, "output %d of op '%s' has no ONNX form",
                              entry->output + 1, entry->step->op->name);
    return entry->value = entry->step->values[entry->output];
}
