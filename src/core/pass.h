/* core/pass.h - the state of a running backward pass.
 *
 * Gradients are gathered for every output of a node. Nodes are visited by descending number, so all gradients of a node
 * have arrived when it is visited. Leaves gather their gradients separately. They are added to .grad or returned only
 * after the whole pass has succeeded.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_PASS_H
#define HEED_CORE_PASS_H

#include "core/walk.h"

typedef struct heed__pass {
    heed__walk walk;
    const char *where;
    bool retain, create;
    bool partial;             /* differentiates and frees only nodes that lead to the requested inputs */
    heed_tensor **leaf_grads; /* owned gradients, one per leaf */
    heed_tensor **dx;         /* NULLs for a rule to overwrite, one per input of the node with the most inputs */
} heed__pass;

/* Collects the graph and allocates memory for the gradients. Returns false after heed_fail; heed__pass_end must be
 * called in either case. */
bool heed__pass_begin(heed__pass *p, heed_tensor *const *roots, int n_roots);
void heed__pass_end(heed__pass *p);

/* Continues the pass through a part that was computed again, from its result y with gradient g to nodes up to number
 * `floor` and to leaves. These gather in `outer` as if the part had always been in the graph. */
bool heed__pass_through(const heed__pass *outer, heed_tensor *y, heed_tensor *g, uint64_t floor);

/* Marks the nodes and edges that lead to captured nodes and leaves. */
void heed__pass_mark_needed(heed__pass *p);

/* *gathered += g. */
bool heed__pass_add(const heed__pass *p, heed_tensor **gathered, heed_tensor *g);

/* Runs the pass along the marked edges. Runs a leaf's hooks when its gradient is complete. Frees the visited graph
 * unless it is retained. */
bool heed__pass_run(heed__pass *p);

/* Returns true if no other owner can see this tensor's elements, so that they may be overwritten. */
bool heed__sole_owner(const heed_tensor *t);

/* -- The op of heed_checkpointed: core/checkpointed.c -------------------------------------------------------------- */

/* Lacks a backward rule: a backward pass computes the op again. */
extern const heed_op heed__op_checkpointed;

/* Runs the node's function again and continues the pass through the nodes that it records. */
bool heed__recompute(const heed__pass *p, heed__node *node);

#endif
