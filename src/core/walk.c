/* core/walk.c - collecting a graph without recursion: a heap gives the nodes by falling number, and that is an order in
 * which every node comes before those it was computed from. */

#include "core/walk.h"

#include <string.h>

#include "core/memory.h"

/* Room for one more element of `size` bytes in a growing array. */
static bool reserve(const char *where, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    size_t wider = *capacity ? 2 * *capacity : 64;
    void *copy = heed__alloc(where, wider * size);
    if (!copy)
        return false;
    if (count > 0)
        memcpy(copy, *array, count * size);
    heed_free(*array, *capacity * size);
    *array = copy;
    *capacity = wider;
    return true;
}

/* -- The heap -- */

static bool push(heed_walk *walk, const char *where, heed_node *node)
{
    void *array = walk->heap;
    bool room = reserve(where, &array, &walk->heap_capacity, walk->n_heap, sizeof(heed_node *));
    walk->heap = array;
    if (!room)
        return false;
    size_t at = walk->n_heap++;
    while (at > 0 && walk->heap[(at - 1) / 2]->number < node->number) {
        walk->heap[at] = walk->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    walk->heap[at] = node;
    return true;
}

static heed_node *pop(heed_walk *walk)
{
    heed_node *top = walk->heap[0];
    heed_node *last = walk->heap[--walk->n_heap];
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

/* -- The table of leaves: open addressing, at most half full -- */

static size_t place_of(const heed_walk *walk, const heed_tensor *leaf)
{
    size_t at = (size_t)(((uint64_t)(uintptr_t)leaf * 0x9e3779b97f4a7c15u) >> 20) & (walk->table_size - 1);
    while (walk->table[at] != 0 && walk->leaves[walk->table[at] - 1].leaf != leaf)
        at = (at + 1) & (walk->table_size - 1);
    return at;
}

static bool grow_table(heed_walk *walk, const char *where)
{
    size_t old = walk->table_size;
    size_t size = old ? 2 * old : 64;
    size_t *table = heed__alloc(where, size * sizeof(size_t));
    if (!table)
        return false;
    heed_free(walk->table, old * sizeof(size_t));
    memset(table, 0, size * sizeof(size_t));
    walk->table = table;
    walk->table_size = size;
    for (size_t i = 0; i < walk->n_leaves; i++)
        walk->table[place_of(walk, walk->leaves[i].leaf)] = i + 1;
    return true;
}

size_t heed__walk_find_leaf(const heed_walk *walk, const heed_tensor *leaf)
{
    return walk->table_size ? walk->table[place_of(walk, leaf)] - 1 : SIZE_MAX;
}

/* Index of the leaf, added if it is new; SIZE_MAX after heed_fail. */
static size_t add_leaf(heed_walk *walk, const char *where, heed_tensor *leaf)
{
    if (2 * walk->n_leaves >= walk->table_size && !grow_table(walk, where))
        return SIZE_MAX;
    size_t at = place_of(walk, leaf);
    if (walk->table[at] != 0)
        return walk->table[at] - 1;
    void *array = walk->leaves;
    bool room = reserve(where, &array, &walk->leaves_capacity, walk->n_leaves, sizeof(heed_walk_leaf));
    walk->leaves = array;
    if (!room)
        return SIZE_MAX;
    walk->leaves[walk->n_leaves] = (heed_walk_leaf){.leaf = heed_retain(leaf)};
    walk->table[at] = ++walk->n_leaves;
    return walk->n_leaves - 1;
}

/* -- The walk -- */

void heed__fail_spent(const char *where, const char *op)
{
    heed_fail(HEED_ERR_STATE, where, "the graph at %s is freed already: ask for retain_graph in the pass before", op);
}

static bool see_node(heed_walk *walk, const char *where, heed_node *node)
{
    if (node->walk == walk)
        return true;
    if (node->walk)
        return heed_fail_false(HEED_ERR_STATE, where, "the graph at %s is being walked already", node->op->name);
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

static bool take(heed_walk *walk, const char *where)
{
    void *array = walk->nodes;
    bool room = reserve(where, &array, &walk->nodes_capacity, walk->n_nodes, sizeof(heed_node *));
    walk->nodes = array;
    if (!room)
        return false;
    heed_node *node = pop(walk);
    walk->nodes[walk->n_nodes++] = node;
    node->slot = walk->n_slots;
    node->captured = false;
    walk->n_slots += (size_t)node->n_outputs;
    for (int i = 0; i < node->n_inputs; i++) {
        heed_edge *edge = &node->edges[i];
        if (edge->node && !see_node(walk, where, edge->node))
            return false;
        if (edge->leaf && (edge->leaf_index = add_leaf(walk, where, edge->leaf)) == SIZE_MAX)
            return false;
    }
    return true;
}

bool heed__walk_begin(heed_walk *walk, const char *where, heed_tensor *const *roots, int n_roots, bool past_spent)
{
    memset(walk, 0, sizeof *walk);
    walk->past_spent = past_spent;
    for (int i = 0; i < n_roots; i++) {
        if (roots[i]->producer ? !see_node(walk, where, roots[i]->producer)
                               : add_leaf(walk, where, roots[i]) == SIZE_MAX)
            return false;
    }
    while (walk->n_heap > 0)
        if (!take(walk, where))
            return false;
    return true;
}

static void let_go(heed_node *node)
{
    if (!node)
        return;
    node->walk = NULL;
    heed__node_release(node);
}

void heed__walk_end(heed_walk *walk)
{
    for (size_t i = 0; i < walk->n_nodes; i++)
        let_go(walk->nodes[i]);
    for (size_t i = 0; i < walk->n_heap; i++)
        let_go(walk->heap[i]);
    for (size_t i = 0; i < walk->n_leaves; i++)
        heed_release(walk->leaves[i].leaf);
    heed_free(walk->nodes, walk->nodes_capacity * sizeof(heed_node *));
    heed_free(walk->heap, walk->heap_capacity * sizeof(heed_node *));
    heed_free(walk->leaves, walk->leaves_capacity * sizeof(heed_walk_leaf));
    heed_free(walk->table, walk->table_size * sizeof(size_t));
}
