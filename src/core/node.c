/* core/node.c - recording: a node made of a call. */

#include <string.h>

#include "core/memory.h"
#include "core/node.h"

/* Numbers rise within a thread and above those of the inputs, whatever thread made these: a topological order. */
static _Thread_local uint64_t clock_now;

_Static_assert(sizeof(heed__node) % 16 == 0, "parameters begin behind the node, aligned for any type");

/* Bytes of the node's block, and where its edges begin. The parameters are as large as a user's op says; all else is
 * small, since no op has more than HEED_MAX_INPUTS. */
static bool measure(const heed_call *call, size_t behind, size_t *edges, size_t *block)
{
    size_t params = call->op->params_size;
    if (!__builtin_add_overflow(params, sizeof(heed__node) + 15, edges) &&
        !__builtin_add_overflow(*edges &= ~(size_t)15, behind, block))
        return true;
    return heed_fail_false(HEED_ERR_NOMEM, call->op->name, "cannot allocate a node with %zu bytes of parameters",
                           params);
}

/* One block: the node, its parameters, edges, results, kept inputs and all their sizes. */
static heed__node *node_alloc(const heed_call *call, heed_tensor *const *outputs)
{
    size_t n = (size_t)call->n_inputs, outs = (size_t)call->op->n_outputs, dims = 0;
    for (size_t i = 0; i < n; i++)
        dims += (size_t)call->inputs[i]->shape.rank;
    for (size_t j = 0; j < outs; j++)
        dims += (size_t)outputs[j]->shape.rank;
    size_t behind = n * (sizeof(heed__edge) + sizeof(heed_tensor *)) + outs * sizeof(heed__result);
    size_t edges, block = 0;
    if (!measure(call, behind + dims * sizeof(int64_t), &edges, &block))
        return NULL;
    heed__node *node = heed__alloc(call->op->name, block);
    if (!node)
        return NULL;
    memset(node, 0, sizeof *node);
    atomic_init(&node->refs, 0);
    node->n_inputs = call->n_inputs;
    node->n_outputs = (int8_t)call->op->n_outputs;
    node->op = call->op;
    node->block = block;
    node->edges = (heed__edge *)(void *)((char *)node + edges);
    if (call->op->params_size > 0)
        memcpy(heed__node_params(node), call->params, call->op->params_size);
    return node;
}

static bool keeps_input(const heed_op *op, int i)
{
    return (op->keeps & HEED_KEEP_INPUTS) == HEED_KEEP_INPUTS || (i < 15 && (op->keeps & HEED_KEEP_INPUT(i)));
}

/* Notes what t looks like, its sizes at `dims`; returns where the next ones go. */
static int64_t *note_meta(heed__tensor_meta *meta, const heed_tensor *t, int64_t *dims)
{
    meta->dtype = t->dtype;
    meta->rank = t->shape.rank;
    meta->dims = dims;
    for (int i = 0; i < meta->rank; i++)
        dims[i] = t->shape.dims[i];
    return dims + meta->rank;
}

static void fill_edge(heed__edge *edge, heed_tensor *x)
{
    edge->node = NULL;
    edge->leaf = NULL;
    if (x->requires_grad && x->producer)
        edge->node = heed__node_retain(x->producer);
    else if (x->requires_grad)
        edge->leaf = heed_retain(x);
    edge->version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    edge->output = x->output_index;
    edge->wanted = false;
}

static void fill_result(heed__result *result, const heed_tensor *y, bool keep)
{
    result->storage = NULL;
    if (!keep)
        return;
    heed__add_owner(&y->storage->refs);
    result->storage = y->storage;
    result->data = y->data;
    result->version = atomic_load_explicit(&y->storage->version, memory_order_relaxed);
}

static uint64_t next_number(const heed_call *call)
{
    uint64_t number = clock_now + 1;
    for (int i = 0; i < call->n_inputs; i++)
        if (call->inputs[i]->producer && call->inputs[i]->producer->number >= number)
            number = call->inputs[i]->producer->number + 1;
    return clock_now = number;
}

static void fill(heed__node *node, const heed_call *call, heed_tensor *const *outputs)
{
    heed__result *results = heed__node_results(node);
    heed_tensor **kept = heed__node_kept(node);
    int64_t *dims = (int64_t *)(void *)(kept + node->n_inputs);
    for (int i = 0; i < node->n_inputs; i++) {
        heed_tensor *x = call->inputs[i];
        dims = note_meta(&node->edges[i].meta, x, dims);
        fill_edge(&node->edges[i], x);
        kept[i] = keeps_input(node->op, i) ? heed_retain(x) : NULL;
    }
    for (int j = 0; j < node->n_outputs; j++) {
        heed_tensor *y = outputs[j];
        dims = note_meta(&results[j].meta, y, dims);
        fill_result(&results[j], y, node->op->keeps & HEED_KEEP_OUTPUTS);
        if (!heed_dtype_is_float(y->dtype))
            continue;
        y->producer = heed__node_retain(node);
        y->output_index = (short)j;
        y->requires_grad = true;
    }
}

bool heed__record(const heed_call *call, heed_tensor *const *outputs)
{
    bool differentiable = false;
    for (int j = 0; j < call->op->n_outputs; j++)
        differentiable = differentiable || heed_dtype_is_float(outputs[j]->dtype);
    if (!differentiable)
        return true;
    heed__node *node = node_alloc(call, outputs);
    if (!node)
        return false;
    node->number = next_number(call);
    fill(node, call, outputs);
    return true;
}
