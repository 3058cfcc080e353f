/* core/node.c - records a call as a node.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/node.h"

_Static_assert(sizeof(heed__node) % 16 == 0, "the parameters after the node are aligned for any type");

/* Computes the size of the node's block and the offset of its edges. A user's op may have parameters of any size. All
 * other fields are small because an op has at most HEED_MAX_INPUTS inputs. */
static bool measure_node(const heed_call *call, size_t variable_bytes, size_t *edges, size_t *block)
{
    size_t params = call->op->params_size;
    if (!__builtin_add_overflow(params, sizeof(heed__node) + 15, edges) &&
        !__builtin_add_overflow(*edges &= ~(size_t)15, variable_bytes, block) && *block <= UINT32_MAX)
        return true;
    return heed_fail_false(HEED_ERR_NOMEM, call->op->name, "cannot allocate a node with %zu bytes of parameters",
                           params);
}

/* Allocates one block for the node, its parameters, edges, results, saved inputs, `n_dims` sizes of inputs and outputs,
 * and `more` bytes. */
static heed__node *node_alloc(const heed_call *call, size_t n_dims, size_t more)
{
    const heed_op *op = call->op;
    const size_t n = (size_t)call->n_inputs;
    const size_t variable_bytes =
        n * (sizeof(heed__edge) + sizeof(heed_tensor *)) + (size_t)op->n_outputs * sizeof(heed__result);
    size_t edges, block = 0;
    if (!measure_node(call, variable_bytes + n_dims * sizeof(int64_t) + more, &edges, &block))
        return NULL;
    heed__node *node = heed__alloc_node(op->name, block);
    if (!node)
        return NULL;
    memset(node, 0, sizeof *node);
    node->n_inputs = (int)n;
    node->n_outputs = (int8_t)op->n_outputs;
    node->op = op;
    node->block = (uint32_t)block;
    node->edges = (heed__edge *)(void *)((char *)node + edges);
    if (op->params_size > 0)
        memcpy(heed__node_params(node), call->params, op->params_size);
    return node;
}

/* Allocates a node that also stores the path of the running module. */
HEED_COLD static heed__node *instrumented_node_alloc(const heed_call *call, size_t n_dims, const heed_module *module)
{
    char path[HEED_MODULE_PATH_MAX];
    heed__module_path(module, path, sizeof path);
    size_t length = strlen(path) + 1;
    heed__node *node = node_alloc(call, n_dims, length);
    if (node) {
        node->module = node->block - (uint32_t)length;
        memcpy((char *)node + node->module, path, length);
    }
    return node;
}

/* Records t's dtype and shape, the sizes at `dims`. Returns the position for the next sizes. */
static inline int64_t *record_meta(heed__tensor_meta *meta, const heed_tensor *t, int64_t *dims)
{
    const int rank = t->shape.rank;
    meta->dtype = t->dtype;
    meta->rank = rank;
    meta->dims = dims;
    for (int i = 0; i < rank; i++)
        dims[i] = t->shape.dims[i];
    return dims + rank;
}

static inline void fill_edge(heed__edge *edge, heed_tensor *x)
{
    edge->node = NULL;
    edge->leaf = NULL;
    if (x->requires_grad && x->producer) {
        edge->node = heed__node_retain(x->producer);
    } else if (x->requires_grad) {
        heed__add_owner(&x->refs);
        edge->leaf = x;
    }
    edge->version = heed__version(x->storage);
    edge->output = x->output_index;
    edge->needed = false;
}

static inline void fill_result(heed__result *result, const heed_tensor *y, bool save)
{
    result->storage = NULL;
    if (!save)
        return;
    heed__add_owner(&y->storage->refs);
    result->storage = y->storage;
    result->data = y->data;
    result->version = heed__version(y->storage);
}

static void fill_node(heed__node *node, const heed_call *call, heed_tensor *const *outputs)
{
    const int n_inputs = call->n_inputs, n_outputs = call->op->n_outputs;
    const unsigned saved = call->op->saved;
    heed__edge *edges = node->edges;
    heed__result *results = heed__node_results(node);
    heed_tensor **tensors = heed__node_saved(node);
    int64_t *dims = (int64_t *)(void *)(tensors + n_inputs);
    for (int i = 0; i < n_inputs; i++) {
        heed_tensor *x = call->inputs[i];
        dims = record_meta(&edges[i].meta, x, dims);
        fill_edge(&edges[i], x);
        const bool kept = (saved & HEED_SAVE_INPUTS) == HEED_SAVE_INPUTS || (i < 15 && (saved & HEED_SAVE_INPUT(i)));
        if (kept)
            heed__add_owner(&x->refs);
        tensors[i] = kept ? x : NULL;
    }
    for (int j = 0; j < n_outputs; j++) {
        heed_tensor *y = outputs[j];
        dims = record_meta(&results[j].meta, y, dims);
        fill_result(&results[j], y, saved & HEED_SAVE_OUTPUTS);
        if (!heed_dtype_is_float(y->dtype))
            continue;
        y->producer = heed__node_retain(node);
        y->output_index = (signed char)j;
        y->requires_grad = true;
    }
}

bool heed__record(heed__thread_state *self, const heed_call *call, heed_tensor *const *outputs)
{
    bool differentiable = false;
    size_t n_dims = 0;
    for (int j = 0, n = call->op->n_outputs; j < n; j++) {
        differentiable = differentiable || heed_dtype_is_float(outputs[j]->dtype);
        n_dims += (size_t)outputs[j]->shape.rank;
    }
    if (!differentiable)
        return true;
    /* Numbers rise within a thread and exceed the numbers of the inputs' nodes, even from other threads: a topological
     * order. */
    uint64_t number = self->clock + 1;
    for (int i = 0, n = call->n_inputs; i < n; i++) {
        const heed_tensor *x = call->inputs[i];
        n_dims += (size_t)x->shape.rank;
        if (x->producer && x->producer->number >= number)
            number = x->producer->number + 1;
    }
    const bool instrumented = self->module && (heed__debugger_if_on() || heed__observers_if_any());
    heed__node *node = instrumented ? instrumented_node_alloc(call, n_dims, self->module) : node_alloc(call, n_dims, 0);
    if (!node)
        return false;
    node->number = self->clock = number;
    node->site = self->site;
    fill_node(node, call, outputs);
    return true;
}
