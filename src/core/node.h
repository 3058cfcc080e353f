/* core/node.h - the recorded graph: a node is one application of an op, an edge leads to where an input came from. */
#ifndef HEED_CORE_NODE_H
#define HEED_CORE_NODE_H

#include "core/tensor.h"

struct heed__walk;
struct heed__thread_state;

/* What an input or output looked like. The sizes lie in the node's block, as many as there are. */
typedef struct heed__tensor_meta {
    heed_dtype dtype;
    int rank;
    int64_t *dims;
} heed__tensor_meta;

/* One input of a node. */
typedef struct heed__edge {
    heed__node *node;  /* its producer, or */
    heed_tensor *leaf; /* the leaf that it is; both NULL when it needs no gradient */
    size_t leaf_index; /* where the pass under way gathers the leaf's gradient */
    heed__tensor_meta meta;
    unsigned version; /* of the kept input's storage when it was recorded */
    short output;     /* which output of `node` */
    bool wanted;      /* the pass under way wants its gradient */
} heed__edge;

/* One output. The node keeps its storage, not the tensor, which would be a cycle. */
typedef struct heed__result {
    heed__storage *storage; /* NULL unless the op keeps its outputs */
    char *data;
    heed__tensor_meta meta;
    unsigned version;
} heed__result;

/* Number order is a topological order: a node's number is above its inputs'. Behind it in its block lie its parameters,
 * edges, results, what it keeps of its inputs (NULL where nothing), and their sizes. */
struct heed__node {
    _Alignas(max_align_t) heed__owners refs; /* as the parameters behind the node are */
    int n_inputs;
    int8_t n_outputs;
    bool spent;            /* walked and emptied */
    bool wanted, captured; /* for the pass under way */
    const heed_op *op;
    const char *site; /* where the program made the call; NULL: it did not say */
    uint64_t number;
    union {
        struct heed__walk *walk; /* the pass under way */
        heed__node *next;        /* once it is dead: links the list of nodes to free */
    };
    size_t first_grad; /* where that gathers the gradients of the outputs */
    heed__hooks *hooks;
    uint32_t block;  /* bytes of the whole block */
    uint32_t module; /* where in it the path of the module lies that ran; 0: none did, or nobody watched */
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

static inline heed_tensor **heed__node_kept(const heed__node *node)
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

/* Lets go of everything kept and of the edges. */
void heed__node_drop_contents(heed__node *node);

/* Records a call of this thread: makes a node, which becomes the outputs' producer. False after heed_fail, with nothing
 * changed. */
bool heed__record(struct heed__thread_state *self, const heed_call *call, heed_tensor *const *outputs);

#endif
