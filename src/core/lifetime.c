/* core/lifetime.c - reference counts of tensors and nodes. Freeing one object may free others, along a chain of any
 * length. Objects to free wait in a list linked through the objects themselves, so that freeing needs neither recursion
 * nor allocation.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/debug.h>

#include "core/instrumentation.h"
#include "core/node.h"

static _Thread_local heed_tensor *pending_tensors;
static _Thread_local heed__node *pending_nodes;
static _Thread_local bool freeing;

void heed__node_drop_contents(heed__node *node)
{
    heed_tensor **kept = heed__node_saved(node);
    heed__edge *edge = node->edges;
    for (int i = 0, n = node->n_inputs; i < n; i++, edge++) {
        heed_release(kept[i]);
        heed__node_release(edge->node);
        heed_release(edge->leaf);
        kept[i] = NULL;
        edge->node = NULL;
        edge->leaf = NULL;
    }
    heed__result *result = heed__node_results(node);
    for (int j = 0; j < node->n_outputs; j++, result++) {
        if (result->storage)
            heed__storage_release(result->storage);
        result->storage = NULL;
    }
}

static void free_pending(void)
{
    if (freeing)
        return;
    freeing = true;
    while (pending_tensors || pending_nodes) {
        heed_tensor *t = pending_tensors;
        if (t) {
            pending_tensors = t->next;
            heed__node_release(t->producer);
            heed_release(t->grad);
            heed__hooks_free(t->hooks);
            heed__tensor_free(t);
            continue;
        }
        heed__node *node = pending_nodes;
        pending_nodes = node->next;
        if (!node->spent)
            heed__node_drop_contents(node);
        heed__hooks_free(node->hooks);
        heed_free(node, node->block);
    }
    freeing = false;
}

/* A freed tensor has no valid count: those bytes may link its block to other free blocks. */
HEED_COLD static void fail_release(const heed_tensor *t)
{
    heed__fail_tensor("release", "the tensor", t);
}

HEED_COLD static void fail_borrowed(const heed_tensor *t)
{
    heed_fail_freed("scope_end", "a tensor borrowed from the scope (heed_release without heed_retain?)", t);
}

heed_tensor *heed_retain(heed_tensor *t)
{
    if (heed__is_live(t))
        heed__add_owner(&t->refs);
    else if (t) {
        heed__fail_tensor("retain", "the tensor", t);
        return NULL;
    }
    return t;
}

HEED_NOINLINE static void free_or_queue(heed_tensor *t)
{
    if (!t->grad && !t->hooks) { /* can free at most a node, which waits in its own list */
        heed__node *producer = t->producer;
        heed__tensor_free(t);
        heed__node_release(producer);
        return;
    }
    t->next = pending_tensors;
    pending_tensors = t;
    free_pending();
}

/* A freed tensor never has a count of 1. */
static inline void release_tensor(heed_tensor *t, void (*fail)(const heed_tensor *t))
{
    if (!t)
        return;
    int64_t owners = heed__count_owners(&t->refs);
    if (owners == 1)
        free_or_queue(t);
    else if (!heed__is_live(t))
        fail(t);
    else if (heed__drop_owner(&t->refs, owners))
        free_or_queue(t);
}

void heed_release(heed_tensor *t)
{
    release_tensor(t, fail_release);
}

void heed__release_borrowed(heed_tensor *t)
{
    release_tensor(t, fail_borrowed);
}

HEED_NOINLINE static void queue_node(heed__node *node)
{
    node->next = pending_nodes;
    pending_nodes = node;
    free_pending();
}

void heed__node_release(heed__node *node)
{
    if (node && heed__last_owner(&node->refs))
        queue_node(node);
}
