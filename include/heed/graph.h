/* heed/graph.h - recording and automatic differentiation.
 *
 * While recording is on (the default), an op on a tensor that requires a gradient adds a node to a graph;
 * heed_backward walks it from a result to the leaves. Rules of gradients are differentiable expressions, so
 * create_graph gives derivatives of any order. The walk uses no recursion: chains of millions of ops are fine.
 *
 * Threads: many may compute with shared leaves at once, each building a graph of its own, and differentiate these at
 * once with heed_grad, which writes no .grad. heed_backward writes the .grad of the leaves it reaches: hold one lock
 * around each call whose leaves are shared, and around all else that uses their .grad. A single graph may be walked by
 * one thread at a time, and a result in one thread's graph may be used by another only while that graph is not walked.
 */
#ifndef HEED_GRAPH_H
#define HEED_GRAPH_H

#include <heed/scope.h>

HEED_BEGIN_DECLS

/* -- Leaves --------------------------------------------------------------------------------------------- */

/* Marks a leaf as requiring a gradient (or no longer), and returns it: w = heed_set_requires_grad(t, true).
 * NULL with HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_STATE when t is the result of a recorded op.
 * torch: torch.Tensor.requires_grad_ */
HEED_API heed_tensor *heed_set_requires_grad(heed_tensor *t, bool requires_grad);

/* True for leaves that require a gradient and for everything computed from them while recording. False with
 * HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.requires_grad */
HEED_API bool heed_requires_grad(const heed_tensor *t);

/* True when t is not the result of a recorded op. False with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.is_leaf */
HEED_API bool heed_is_leaf(const heed_tensor *t);

/* The gradient accumulated in a leaf; NULL, with no error, when there is none (heed_has_grad tells that from
 * HEED_ERR_NOMEM).
 * torch: torch.Tensor.grad */
HEED_API heed_tensor *heed_grad_of(const heed_tensor *t);

/* Whether a gradient has been accumulated in t. False with HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_has_grad(const heed_tensor *t);

/* Replaces a leaf's gradient; NULL forgets it. HEED_ERR_SHAPE or HEED_ERR_DTYPE unless like t, HEED_ERR_STATE if t is
 * not a leaf, HEED_ERR_ARGUMENT for t itself. */
HEED_API heed_status heed_set_grad(heed_tensor *t, heed_tensor *grad);

/* The same data as a new leaf that is in no graph. Shares storage. NULL for NULL, with HEED_ERR_NOMEM.
 * torch: torch.Tensor.detach */
HEED_API heed_tensor *heed_detach(heed_tensor *t);

/* -- Recording ------------------------------------------------------------------------------------------ */

/* Switches recording in this thread and returns the old setting. The end of the innermost scope restores it;
 * heed_no_grad_begin() does both in one call.
 * torch: torch.set_grad_enabled */
HEED_API bool heed_set_grad_enabled(bool enabled);

/* Whether this thread records.
 * torch: torch.is_grad_enabled */
HEED_API bool heed_grad_enabled(void);

/* -- Gradients ------------------------------------------------------------------------------------------ */

/* Adds d loss / d leaf to the .grad of every leaf that loss (one element) was computed from, and frees the
 * graph. HEED_ERR_SHAPE for more than one element, HEED_ERR_STATE when loss is in no graph, when its graph is
 * already freed, or when a tensor that the pass needs was written in place. On failure no .grad has changed;
 * the part of the graph that was walked is freed all the same, unless it was retained.
 * torch: torch.Tensor.backward */
HEED_API heed_status heed_backward(heed_tensor *loss);

typedef struct heed_backward_options {
    heed_tensor *grad_output; /* d objective / d t, shaped like t; NULL: 1, and t must have one element */
    bool retain_graph;        /* keep the graph for another pass */
    bool create_graph;        /* record the pass itself, for higher derivatives; implies retain_graph */
    HEED_RESERVED;
} heed_backward_options;

/* heed_backward for any tensor. With create_graph the .grad of a leaf refers to the graph and the graph to the
 * leaf: drop it with heed_set_grad(leaf, NULL), or use heed_grad, which has no such cycle. Fails as heed_backward does.
 * torch: torch.autograd.backward */
HEED_API heed_status heed_backward_with(heed_tensor *t, const heed_backward_options *options);

typedef struct heed_grad_options {
    heed_tensor *const *grad_outputs; /* one per output, each may be NULL as above; NULL: all NULL */
    bool retain_graph;
    bool create_graph;
    bool allow_unused; /* an input the outputs do not depend on gives NULL instead of HEED_ERR_STATE */
    HEED_RESERVED;
} heed_grad_options;

/* grads[i] = sum over outputs of d outputs / d inputs[i]; inputs may be leaves or results. Touches no .grad, and
 * walks only the part of the graph that leads to the inputs. `grads` may be `outputs`: it is written last. On failure
 * every grads[i] is NULL. A gradient may be a view, or the very tensor given as a grad_output: clone it before writing
 * to it.
 * torch: torch.autograd.grad */
HEED_API heed_status heed_grad(heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor **grads, const heed_grad_options *options);

/* -- Hooks ---------------------------------------------------------------------------------------------- */

/* Called in a backward pass with the whole gradient of the tensor, as soon as all of it has come, and before it goes
 * further: a leaf's to .grad, when the pass has succeeded. Returns the gradient to go on with: `grad` itself, or
 * another of its shape and dtype. NULL stops the pass, as do an error that the hook leaves pending and writing to
 * `grad`, which other tensors may share. A hook must not walk the graph it is called from; it may add hooks, which wait
 * for the next pass, and remove any. */
typedef heed_tensor *(*heed_hook)(heed_tensor *grad, void *user);

/* Hooks run in the order they were added and live as long as the tensor (a leaf) or its graph. Returns an id
 * above 0 for heed_remove_hook; 0 on failure: HEED_ERR_STATE when t requires no gradient.
 * torch: torch.Tensor.register_hook */
HEED_API int64_t heed_add_hook(heed_tensor *t, heed_hook hook, void *user);

/* Takes a hook away: `id` is what heed_add_hook returned. HEED_ERR_ARGUMENT when t has no such hook. */
HEED_API heed_status heed_remove_hook(heed_tensor *t, int64_t id);

/* -- Looking -------------------------------------------------------------------------------------------- */

/* Writes the graph that leads to t in Graphviz's language: boxes are ops, ellipses are leaves with their shape.
 * HEED_ERR_IO when writing fails, HEED_ERR_STATE when the graph is freed already. */
HEED_API HEED_NODISCARD heed_status heed_graph_dot(heed_tensor *t, FILE *file);

HEED_END_DECLS

#endif
