/* core/record.c - making a node of a call. */

#include <string.h>

#include "core/memory.h"
#include "core/node.h"

/* Numbers rise within a thread and above those of the inputs, whatever thread made these: a topological order. */
static _Thread_local uint64_t clock_now;

/* One block: the node, its edges, results, kept inputs and parameters. */
static heed_node *node_alloc(const heed_call *call)
{
    size_t n = (size_t)call->n_inputs, outs = (size_t)call->op->n_outputs;
    size_t edges = sizeof(heed_node);
    size_t results = edges + n * sizeof(heed_edge);
    size_t kept = results + outs * sizeof(heed_result);
    size_t params = (kept + n * sizeof(heed_tensor *) + 15) & ~(size_t)15;
    size_t block = params + call->op->params_size;
    char *memory = heed__alloc(call->op->name, block);
    if (!memory)
        return NULL;
    heed_node *node = (void *)memory;
    memset(node, 0, sizeof *node);
    atomic_init(&node->refs, 0);
    node->n_inputs = call->n_inputs;
    node->n_outputs = call->op->n_outputs;
    node->op = call->op;
    node->block = block;
    node->edges = (void *)(memory + edges);
    node->results = (void *)(memory + results);
    node->kept = (void *)(memory + kept);
    node->params = memory + params;
    if (call->op->params_size > 0)
        memcpy(node->params, call->params, call->op->params_size);
    return node;
}

static bool keeps_input(const heed_op *op, int i)
{
    return (op->keeps & HEED_KEEP_INPUTS) == HEED_KEEP_INPUTS || (i < 3 && (op->keeps >> i & 1));
}

static void copy_shape(heed_shape *to, const heed_shape *from)
{
    to->rank = from->rank;
    for (int i = 0; i < from->rank; i++)
        to->dims[i] = from->dims[i];
}

static void fill_edge(heed_node *node, int i, heed_tensor *x)
{
    heed_edge *edge = &node->edges[i];
    edge->node = x->requires_grad ? heed__node_retain(x->producer) : NULL;
    edge->leaf = x->requires_grad && !x->producer ? heed_retain(x) : NULL;
    edge->output = x->output_index;
    edge->wanted = false;
    edge->version = atomic_load_explicit(&x->storage->version, memory_order_relaxed);
    edge->dtype = x->dtype;
    copy_shape(&edge->shape, &x->shape);
    node->kept[i] = keeps_input(node->op, i) ? heed_retain(x) : NULL;
    if (x->producer && x->producer->number >= node->number)
        node->number = x->producer->number + 1;
}

static void fill_result(heed_node *node, int j, heed_tensor *y)
{
    heed_result *result = &node->results[j];
    result->storage = NULL;
    result->dtype = y->dtype;
    copy_shape(&result->shape, &y->shape);
    if (node->op->keeps & HEED_KEEP_OUTPUTS) {
        atomic_fetch_add_explicit(&y->storage->refs, 1, memory_order_relaxed);
        result->storage = y->storage;
        result->data = y->data;
        result->version = atomic_load_explicit(&y->storage->version, memory_order_relaxed);
    }
    if (heed__is_float(y->dtype)) {
        y->producer = heed__node_retain(node);
        y->output_index = j;
        y->requires_grad = true;
    }
}

bool heed__record(const heed_call *call, heed_tensor *const *outputs)
{
    bool differentiable = false;
    for (int j = 0; j < call->op->n_outputs; j++)
        differentiable = differentiable || heed__is_float(outputs[j]->dtype);
    if (!differentiable)
        return true;
    heed_node *node = node_alloc(call);
    if (!node)
        return false;
    node->number = clock_now + 1;
    for (int i = 0; i < node->n_inputs; i++)
        fill_edge(node, i, call->inputs[i]);
    for (int j = 0; j < node->n_outputs; j++)
        fill_result(node, j, outputs[j]);
    clock_now = node->number;
    return true;
}
