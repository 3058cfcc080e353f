/* core/walk.h - the part of the graph that results were computed from, in the order of a backward pass.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_WALK_H
#define HEED_CORE_WALK_H

#include "core/memory.h"
#include "core/node.h"

/* A leaf found by the walk. */
typedef struct heed__walk_leaf {
    heed_tensor *leaf;
    size_t awaited; /* number of edges to it from unprocessed nodes */
    bool captured;
} heed__walk_leaf;

typedef struct heed__walk {
    heed__node **nodes; /* retained, by descending number: every node precedes the nodes that it was computed from */
    size_t n_nodes, nodes_capacity;
    size_t n_outputs;           /* outputs of all nodes; node->first_grad is the index of a node's first output */
    heed_tensor **output_grads; /* owned gradients of these outputs, which a pass gathers; NULL without a pass */
    int max_inputs_of_node;     /* largest number of inputs of a node */
    heed__table leaves;         /* items are heed__walk_leaf: retained, in the order they were found */
    bool hooked;                /* a leaf has hooks */
    heed__node **heap;          /* nodes found but not yet taken; the highest number is at the top */
    size_t n_heap, heap_capacity;
    bool past_spent;      /* a spent node ends the walk instead of causing an error */
    const char *spent_op; /* name of a spent op that was found, or NULL */

    uint64_t floor;                 /* for a part: nodes up to this number do not belong to it */
    const struct heed__walk *outer; /* the outermost enclosing walk, which holds all leaves; or NULL */
} heed__walk;

static inline heed__walk_leaf *heed__walk_leaves(const heed__walk *walk)
{
    return (walk->outer ? walk->outer : walk)->leaves.items;
}

/* Returns where the pass that walks the node gathers the gradient of its output. */
static inline heed_tensor **heed__walk_output_grad(const heed__node *node, int output)
{
    return &node->walk->output_grads[node->first_grad + (size_t)output];
}

/* Collects all nodes that the roots were computed from and marks them and their edges as needed. Returns false after
 * heed_fail: out of memory, a node in a different walk, or a spent node. With `past_spent` the walk ends at a spent
 * node instead. heed__walk_end must be called in either case. */
bool heed__walk_begin(heed__walk *walk, const char *where, heed_tensor *const *roots, int n_roots, bool past_spent);
void heed__walk_end(heed__walk *walk);

/* Like heed__walk_begin, for the part of a graph with numbers above `floor`. If `outer` is not NULL, the part lies
 * inside that walk, which holds all nodes and leaves that the part leads to. */
bool heed__walk_subgraph(heed__walk *walk, const char *where, heed_tensor *root, uint64_t floor,
                         const heed__walk *outer);

/* Fails because the graph at that op is spent. */
void heed__fail_spent(const char *where, const char *op);

/* Returns the index of a leaf of the walk, or SIZE_MAX if the walk did not find it. */
size_t heed__walk_find_leaf(const heed__walk *walk, const heed_tensor *leaf);

#endif
