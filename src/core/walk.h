/* core/walk.h - the part of the graph that results were computed from, in the order of a backward pass. */
#ifndef HEED_CORE_WALK_H
#define HEED_CORE_WALK_H

#include "core/array.h"
#include "core/node.h"

/* A leaf met on the walk. */
typedef struct heed__walk_leaf {
    heed_tensor *leaf;
    size_t awaited; /* edges that lead to it from nodes whose turn has not come */
    bool captured;
} heed__walk_leaf;

typedef struct heed__walk {
    heed__node **nodes; /* retained, by falling number: every node before those it was computed from */
    size_t n_nodes, nodes_capacity;
    size_t n_outputs;   /* outputs of all nodes: node->first_grad is where its first one is */
    int most_inputs;    /* of a node */
    heed__table leaves; /* of heed__walk_leaf: retained, in the order they were met */
    bool hooked;        /* one of them has hooks */
    heed__node **heap;  /* seen, not yet taken; the highest number on top */
    size_t n_heap, heap_capacity;
    bool past_spent;      /* spent nodes are no failure */
    const char *spent_op; /* one that was met; NULL if none was */

    uint64_t floor;                 /* of a part: nodes up to this number do not belong to it */
    const struct heed__walk *outer; /* the outermost walk around it, which has the leaves of all; NULL: none */
} heed__walk;

static inline heed__walk_leaf *heed__walk_leaves(const heed__walk *walk)
{
    return (walk->outer ? walk->outer : walk)->leaves.items;
}

/* Collects all that the roots were computed from, and marks all of it as wanted. False after heed_fail: out of memory,
 * a node in another walk, or one already spent, unless `past_spent`: then that is where the walk ends. heed__walk_end
 * is due in either case. */
bool heed__walk_begin(heed__walk *walk, const char *where, heed_tensor *const *roots, int n_roots, bool past_spent);
void heed__walk_end(heed__walk *walk);

/* The same for the part of a graph that is above the number `floor`, and where `outer` is not NULL, inside a walk that
 * has all the rest: the nodes and leaves that the part leads to. */
bool heed__walk_part(heed__walk *walk, const char *where, heed_tensor *root, uint64_t floor, const heed__walk *outer);

/* Fails because the graph at that op is spent. */
void heed__fail_spent(const char *where, const char *op);

/* Index of a leaf among those of the walk; SIZE_MAX when it was not met. */
size_t heed__walk_find_leaf(const heed__walk *walk, const heed_tensor *leaf);

#endif
