/* core/node.h - the recorded graph: a node is one application of an op, an edge leads to where an input came from. */
#ifndef HEED_CORE_NODE_H
#define HEED_CORE_NODE_H

#include "core/tensor.h"

struct heed_walk;

struct heed_hook_entry {
    int64_t id;
    int output_index; /* of a node's hook: which output */
    heed_hook hook;
    void *user;
    heed_hook_entry *next;
};

/* One input of a node. */
typedef struct heed_edge {
    heed_node *node;   /* its producer, or */
    heed_tensor *leaf; /* the leaf that it is; both NULL when it needs no gradient */
    int output;        /* which output of `node` */
    bool wanted;       /* the pass under way wants its gradient */
    size_t leaf_index; /* where the pass under way gathers the leaf's gradient */
    unsigned version;  /* of the kept input's storage when it was recorded */
    heed_dtype dtype;
    heed_shape shape;
} heed_edge;

/* One output. The node keeps its storage, not the tensor, which would be a cycle. */
typedef struct heed_result {
    heed_storage *storage; /* NULL unless the op keeps its outputs */
    char *data;
    unsigned version;
    heed_dtype dtype;
    heed_shape shape;
} heed_result;

/* Number order is a topological order: a node's number is above its inputs'. */
struct heed_node {
    atomic_int refs;
    int n_inputs, n_outputs;
    bool spent;            /* walked and emptied */
    bool wanted, captured; /* for the pass under way */
    const heed_op *op;
    uint64_t number;
    struct heed_walk *walk; /* the pass under way */
    size_t slot;            /* where that gathers the gradients of the outputs */
    heed_hook_entry *hooks;
    heed_node *next; /* links the list of nodes to free */
    size_t block;    /* bytes of the node with all that follows it: */
    heed_edge *edges;
    heed_result *results;
    heed_tensor **kept; /* n_inputs, NULL where not kept */
    void *params;
};

heed_node *heed__node_retain(heed_node *node);
void heed__node_release(heed_node *node);

/* Lets go of everything kept and of the edges. */
void heed__node_drop_contents(heed_node *node);

/* Records a call: makes a node and the outputs' producer. False after heed_fail, nothing changed. */
bool heed__record(const heed_call *call, heed_tensor *const *outputs);

/* Runs the hooks in `list` for that output, oldest first: the gradient to go on with, owned by the caller, who gives
 * `grad` up. NULL after heed_fail. */
heed_tensor *heed__run_hooks(heed_hook_entry *const *list, int output_index, heed_tensor *grad);

#endif
