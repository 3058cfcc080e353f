/* core/walk.c - collects a graph without recursion. A heap returns the nodes by descending number, so that every node
 * precedes the nodes that it was computed from.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/walk.h"

#include <string.h>

#include "core/memory.h"

/* -- The heap -- */

static bool push(heed__walk *walk, const char *where, heed__node *node)
{
    heed__node **heap =
        heed__array_reserve(where, walk->heap, &walk->heap_capacity, walk->n_heap, sizeof(heed__node *));
    if (!heap)
        return false;
    walk->heap = heap;
    size_t at = walk->n_heap++;
    while (at > 0 && walk->heap[(at - 1) / 2]->number < node->number) {
        walk->heap[at] = walk->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    walk->heap[at] = node;
    return true;
}

static heed__node *pop(heed__walk *walk)
{
    heed__node *top = walk->heap[0];
    heed__node *last = walk->heap[--walk->n_heap];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < walk->n_heap) {
        if (child + 1 < walk->n_heap && walk->heap[child + 1]->number > walk->heap[child]->number)
            child++;
        if (walk->heap[child]->number <= last->number)
            break;
        walk->heap[at] = walk->heap[child];
        at = child;
    }
    walk->heap[at] = last;
    return top;
}

/* -- Leaves -- */

size_t heed__walk_find_leaf(const heed__walk *walk, const heed_tensor *leaf)
{
    return heed__table_find(&walk->leaves, leaf);
}

/* Fails because a checkpointed function leads to different tensors in its second run. */
static bool fail_different(const char *where)
{
    return heed_fail_false(HEED_ERR_STATE, where, "a checkpointed function uses different tensors in its second run");
}

/* Returns the index of the leaf, which is added if it is new; SIZE_MAX after heed_fail. */
static size_t add_leaf(heed__walk *walk, const char *where, heed_tensor *leaf)
{
    if (walk->outer) {
        size_t known = heed__walk_find_leaf(walk->outer, leaf);
        if (known == SIZE_MAX)
            fail_different(where);
        return known;
    }
    size_t count = walk->leaves.count, index = heed__table_add(where, &walk->leaves, leaf);
    if (walk->leaves.count > count) {
        (void)heed_retain(leaf);
        walk->hooked = walk->hooked || leaf->hooks;
    }
    return index;
}

/* -- The walk -- */

void heed__fail_spent(const char *where, const char *op)
{
    heed_fail(HEED_ERR_STATE, where,
              "the graph at %s was freed by an earlier backward pass: detach state that is carried over (heed_detach), "
              "or set retain_graph in the earlier pass",
              op);
}

static bool enqueue_node(heed__walk *walk, const char *where, heed__node *node)
{
    if (node->number <= walk->floor)
        return !walk->outer || node->walk || fail_different(where);
    if (node->walk == walk)
        return true;
    if (node->walk)
        return heed_fail_false(HEED_ERR_STATE, where, "the graph at %s is in use by a different pass", node->op->name);
    if (node->spent) {
        walk->spent_op = node->op->name;
        if (!walk->past_spent) {
            heed__fail_spent(where, node->op->name);
            return false;
        }
    }
    if (!push(walk, where, node))
        return false;
    node->walk = walk;
    heed__node_retain(node);
    return true;
}

static bool take_next(heed__walk *walk, const char *where)
{
    heed__node **nodes =
        heed__array_reserve(where, walk->nodes, &walk->nodes_capacity, walk->n_nodes, sizeof(heed__node *));
    if (!nodes)
        return false;
    walk->nodes = nodes;
    heed__node *node = pop(walk);
    walk->nodes[walk->n_nodes++] = node;
    node->first_grad = walk->n_outputs;
    node->needed = true;
    node->captured = false;
    walk->n_outputs += (size_t)node->n_outputs;
    if (walk->max_inputs_of_node < node->n_inputs)
        walk->max_inputs_of_node = node->n_inputs;
    for (int i = 0; i < node->n_inputs; i++) {
        heed__edge *edge = &node->edges[i];
        edge->needed = edge->node || edge->leaf;
        if (edge->node && !enqueue_node(walk, where, edge->node))
            return false;
        if (!edge->leaf)
            continue;
        if ((edge->leaf_index = add_leaf(walk, where, edge->leaf)) == SIZE_MAX)
            return false;
        if (!walk->outer)
            heed__walk_leaves(walk)[edge->leaf_index].awaited++;
    }
    return true;
}

static bool collect_graph(heed__walk *walk, const char *where, heed_tensor *const *roots, int n_roots)
{
    walk->leaves.item_size = sizeof(heed__walk_leaf);
    for (int i = 0; i < n_roots; i++) {
        if (roots[i]->producer ? !enqueue_node(walk, where, roots[i]->producer)
                               : add_leaf(walk, where, roots[i]) == SIZE_MAX)
            return false;
    }
    while (walk->n_heap > 0)
        if (!take_next(walk, where))
            return false;
    return true;
}

bool heed__walk_begin(heed__walk *walk, const char *where, heed_tensor *const *roots, int n_roots, bool past_spent)
{
    *walk = (heed__walk){.past_spent = past_spent};
    return collect_graph(walk, where, roots, n_roots);
}

bool heed__walk_subgraph(heed__walk *walk, const char *where, heed_tensor *root, uint64_t floor,
                         const heed__walk *outer)
{
    *walk = (heed__walk){.floor = floor, .outer = outer};
    return collect_graph(walk, where, &root, 1);
}

static void release_node(heed__node *node)
{
    if (!node)
        return;
    node->walk = NULL;
    heed__node_release(node);
}

void heed__walk_end(heed__walk *walk)
{
    for (size_t i = 0; i < walk->n_nodes; i++)
        release_node(walk->nodes[i]);
    for (size_t i = 0; i < walk->n_heap; i++)
        release_node(walk->heap[i]);
    for (size_t i = 0; i < walk->leaves.count; i++)
        heed_release(heed__walk_leaves(walk)[i].leaf);
    heed_free(walk->nodes, walk->nodes_capacity * sizeof(heed__node *));
    heed_free(walk->heap, walk->heap_capacity * sizeof(heed__node *));
    heed__table_free(&walk->leaves);
}
