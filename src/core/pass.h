/* core/pass.h - a backward pass under way.
 *
 * What arrives at each output of a node is gathered; when the node's turn comes everything has arrived, since
 * the order is by falling number. Leaves gather theirs apart, and only when the whole pass has succeeded are they
 * handed out: added to .grad, or returned.
 */
#ifndef HEED_CORE_PASS_H
#define HEED_CORE_PASS_H

#include "core/walk.h"

typedef struct heed__pass {
    heed__walk walk;
    const char *where;
    bool retain, create;
    bool partial;               /* only nodes that lead to the inputs asked for are differentiated, and freed */
    heed_tensor **output_grads; /* owned gradients, one per output of each node */
    heed_tensor **leaf_grads;   /* owned gradients, one per leaf */
    heed_tensor **dx;           /* NULLs, as many as any node has inputs, for a rule to write to */
} heed__pass;

/* Collects the graph and gets memory for the gradients. False after heed_fail; heed__pass_end is due in either case. */
bool heed__pass_begin(heed__pass *p, heed_tensor *const *roots, int n_roots);
void heed__pass_end(heed__pass *p);

/* Goes on through a part that was computed again, from its result y with the gradient g on: down to nodes up to number
 * `floor` and to leaves, which gather in `outer` as if the part had always been there. */
bool heed__pass_through(const heed__pass *outer, heed_tensor *y, heed_tensor *g, uint64_t floor);

/* Marks what leads to the nodes and leaves that are captured as wanted. */
void heed__pass_want(heed__pass *p);

/* *gathered += g. */
bool heed__pass_add(const heed__pass *p, heed_tensor **gathered, heed_tensor *g);

/* Runs the pass along the edges marked as wanted, and a leaf's hooks when nothing more can come for it. Frees the graph
 * behind it unless it is to be kept. */
bool heed__pass_run(heed__pass *p);

/* Whether nobody else can see this tensor's elements, so that they may be written. */
bool heed__sole_owner(const heed_tensor *t);

#endif
