/* onnx/src/model.c - writes an ONNX file: the ops that the outputs depend on, in the order of the recording.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "model.h"

#include <errno.h>
#include <limits.h>

#include <heed/heed.h>

#include "forms.h"
#include "io/replace.h"
#include "values.h"

enum { IR_VERSION = 8, OPSET = 17 };

/* -- Ops ----------------------------------------------------------------------------------------------------------- */

static bool need(heed__onnx_graph *g, const heed_tensor *tensor)
{
    const heed__onnx_entry *entry = heed__onnx_entry_of(g, tensor);
    if (entry && entry->step && !entry->value)
        entry->step->needed = true;
    return entry;
}

static bool mark_needed(heed__onnx_graph *g)
{
    const heed__onnx_values *v = g->values;
    for (const heed__onnx_named *output = v->model->outputs; output; output = output->next)
        if (!need(g, output->tensor))
            return false;
    for (size_t s = v->n_steps; s-- > 0;)
        for (int i = 0; i < v->steps[s]->n_inputs && v->steps[s]->needed; i++)
            if (!need(g, v->steps[s]->inputs[i]))
                return false;
    return true;
}

static bool write_steps(heed__onnx_graph *g)
{
    const heed__onnx_values *v = g->values;
    for (size_t s = 0; s < v->n_steps; s++)
        if (v->steps[s]->needed && !heed__onnx_write_step(g, v->steps[s]))
            return false;
    g->step = NULL;
    return true;
}

/* Writes an Identity node per output, because an output needs its own name even if its tensor is an input, a constant,
 * or the tensor of a different output. */
static bool write_outputs(heed__onnx_graph *g)
{
    for (const heed__onnx_named *output = g->values->model->outputs; output; output = output->next) {
        if (!heed__onnx_1(g, "Identity", heed__onnx_value_of(g, output->tensor)))
            return false;
        Heed__Onnx__Node *node = g->nodes.items[g->nodes.n - 1];
        node->outputs[0] = HEED__ONNX_READ(char, output->name);
    }
    return true;
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

/* The size of the first axis of the first input that has axes, or 0 if the batch is not dynamic. */
static int64_t batch_of(const heed_onnx *model)
{
    for (const heed__onnx_named *input = model->inputs; input && model->dynamic; input = input->next)
        if (heed_rank(input->tensor) > 0)
            return heed_dim(input->tensor, 0);
    return 0;
}

static bool list_named(heed__onnx_graph *g, const heed__onnx_named *named, heed__onnx_list *list)
{
    for (; named; named = named->next) {
        const heed_shape shape = heed_shape_of(named->tensor);
        if (!heed__onnx_add(g, list, heed__onnx_typed(g, named->name, heed_dtype_of(named->tensor), &shape)))
            return false;
    }
    return true;
}

static bool fill_graph(heed__onnx_graph *g, Heed__Onnx__Graph *graph)
{
    const heed_onnx *model = g->values->model;
    heed__onnx_list inputs = {.n = 0}, outputs = {.n = 0};
    if (!list_named(g, model->inputs, &inputs) || !list_named(g, model->outputs, &outputs))
        return false;
    heed__onnx__graph__init(graph);
    graph->name = HEED__ONNX_READ(char, model->name);
    graph->n_nodes = g->nodes.n;
    graph->nodes = (Heed__Onnx__Node **)g->nodes.items;
    graph->n_initializers = g->initializers.n;
    graph->initializers = (Heed__Onnx__Tensor **)g->initializers.items;
    graph->n_inputs = inputs.n;
    graph->inputs = (Heed__Onnx__Value **)inputs.items;
    graph->n_outputs = outputs.n;
    graph->outputs = (Heed__Onnx__Value **)outputs.items;
    return true;
}

/* -- The file ------------------------------------------------------------------------------------------------------ */

/* A file that protobuf-c writes to. After a failure further bytes are dropped. */
typedef struct sink {
    ProtobufCBuffer base;
    heed__output *out;
    bool failed;
} sink;

static void append(ProtobufCBuffer *buffer, size_t size, const uint8_t *bytes)
{
    sink *to = (sink *)buffer;
    to->failed = to->failed || !heed__write(to->out, bytes, size);
}

static bool write_message(heed__output *out, void *user)
{
    sink to = {.base = {.append = append}, .out = out};
    (void)protobuf_c_message_pack_to_buffer(user, &to.base);
    return !to.failed;
}

static heed_status write_model(const heed__onnx_graph *g, Heed__Onnx__Graph *graph, const char *path)
{
    Heed__Onnx__Opset opset, *opsets = &opset;
    heed__onnx__opset__init(&opset);
    opset.domain = HEED__ONNX_READ(char, "");
    opset.has_version = true;
    opset.version = OPSET;
    Heed__Onnx__Model message;
    heed__onnx__model__init(&message);
    message.has_ir_version = true;
    message.ir_version = IR_VERSION;
    message.producer = HEED__ONNX_READ(char, "heed");
    message.producer_version = HEED__ONNX_READ(char, HEED_VERSION);
    message.graph = graph;
    message.n_opsets = 1;
    message.opsets = &opsets;
    const size_t size = protobuf_c_message_get_packed_size(&message.base);
    if (size > INT_MAX)
        return heed_fail(HEED_ERR_UNSUPPORTED, g->where,
                         "the file would have %zu bytes: Protocol Buffers allow at most 2 GiB", size);
    return heed__replace_by(g->where, path, write_message, &message);
}

/* Suspends recording, because writing computes copies of constants. */
heed_status heed__onnx_write(heed_onnx *model, const char *where, const char *path)
{
    heed_dict *state = model->module ? heed_module_state(model->module) : NULL;
    if (model->module && !state)
        return heed_error_code();
    const void *thread = model->thread;
    model->thread = NULL;
    heed_scope *scope = heed_scope_begin();
    heed__onnx_graph g = {.where = where, .batch = batch_of(model)};
    Heed__Onnx__Graph graph;
    const bool made = scope && heed__onnx_values_begin(&g, model, state) && mark_needed(&g) && write_steps(&g) &&
                      write_outputs(&g) && fill_graph(&g, &graph);
    const heed_status status = made ? write_model(&g, &graph, path) : heed_error_code();
    heed__arena_free(&g.arena);
    if (scope)
        (void)heed_scope_end(scope);
    model->thread = thread;
    heed_dict_free(state);
    return status;
}
