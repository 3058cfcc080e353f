/* core/node.h - the recorded graph: a node is one application of an op, and an edge leads to the source of an input.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_NODE_H
#define HEED_CORE_NODE_H

#include "core/tensor.h"

struct heed__walk;
struct heed__thread_state;

/* The dtype and shape of an input or output. `dims` points into the node's block, to as many sizes as `rank` says. */
typedef struct heed__tensor_meta {
    heed_dtype dtype;
    int rank;
    int64_t *dims;
} heed__tensor_meta;

/* One input of a node. */
typedef struct heed__edge {
    heed__node *node;  /* the node that produced it, or */
    heed_tensor *leaf; /* the leaf itself; both are NULL if it needs no gradient */
    size_t leaf_index; /* where the current pass gathers the leaf's gradient */
    heed__tensor_meta meta;
    unsigned version; /* version of the saved input's storage at recording */
    short output;     /* output index in `node` */
    bool needed;      /* the current pass needs its gradient */
} heed__edge;

/* One output. The node retains the storage instead of the tensor, which would form a cycle. */
typedef struct heed__result {
    heed__storage *storage; /* NULL unless the op saves its outputs */
    char *data;
    heed__tensor_meta meta;
    unsigned version;
} heed__result;

/* The order of numbers is a topological order: a node's number exceeds the numbers of its inputs' nodes. The
 * parameters, edges, results, saved inputs (NULL for others) and sizes of inputs and outputs follow the node in its
 * block. */
struct heed__node {
    _Alignas(max_align_t) heed__owners refs; /* aligned like the parameters after the node */
    int n_inputs;
    int8_t n_outputs;
    bool spent;            /* walked, and its contents released */
    bool needed, captured; /* for the current pass */
    const heed_op *op;
    const char *site; /* the program's line that made the call; NULL if unknown */
    uint64_t number;
    union {
        struct heed__walk *walk; /* the current pass */
        heed__node *next;        /* when dead: links the list of nodes to free */
    };
    size_t first_grad; /* where the current pass gathers the gradients of the outputs */
    heed__hooks *hooks;
    uint32_t block;  /* bytes of the whole block */
    uint32_t module; /* offset of the running module's path in the block; 0 without a module or instrumentation */
    heed__edge *edges;
};

static inline const char *heed__node_module(const heed__node *node)
{
    return node->module > 0 ? (const char *)node + node->module : NULL;
}

static inline void *heed__node_params(heed__node *node)
{
    return node + 1;
}

static inline heed__result *heed__node_results(const heed__node *node)
{
    return (heed__result *)(void *)(node->edges + node->n_inputs);
}

static inline heed_tensor **heed__node_saved(const heed__node *node)
{
    return (heed_tensor **)(void *)(heed__node_results(node) + node->n_outputs);
}

static inline heed_shape heed__meta_shape(const heed__tensor_meta *meta)
{
    heed_shape shape = {.rank = meta->rank};
    for (int i = 0; i < meta->rank; i++)
        shape.dims[i] = meta->dims[i];
    return shape;
}

static inline bool heed__meta_has_shape(const heed__tensor_meta *meta, const heed_shape *shape)
{
    bool same = meta->rank == shape->rank;
    for (int i = 0; same && i < meta->rank; i++)
        same = meta->dims[i] == shape->dims[i];
    return same;
}

static inline heed__node *heed__node_retain(heed__node *node)
{
    if (node)
        heed__add_owner(&node->refs);
    return node;
}

void heed__node_release(heed__node *node);

/* Releases all saved tensors and the edges. */
void heed__node_drop_contents(heed__node *node);

/* Records a call of this thread as a new node, which becomes the outputs' producer. On failure returns false after
 * heed_fail and changes nothing. */
bool heed__record(struct heed__thread_state *self, const heed_call *call, heed_tensor *const *outputs);

/* -- Hooks of a leaf or of a node's outputs: core/graph.c ---------------------------------------------------------- */

typedef struct heed__hook_entry {
    int64_t id;
    int output_index; /* for a node's hook: the output */
    heed_hook hook;   /* NULL when removed */
    void *user;
    void (*free)(void *user); /* may be NULL */
} heed__hook_entry;

struct heed__hooks {
    int64_t count, removed, capacity; /* entries including removed ones, removed entries, and capacity */
    heed__hook_entry entries[];       /* sorted by id */
};

/* Also frees the hooks' users. */
void heed__hooks_free(heed__hooks *hooks);

/* Runs the hooks in `list` for that output, oldest first. Takes over the caller's reference to `grad`. Returns the
 * resulting gradient, owned by the caller, or NULL after heed_fail. */
heed_tensor *heed__run_hooks(heed__hooks *const *list, int output_index, heed_tensor *grad);

#endif
