/* heed/graph.h - recording and automatic differentiation.
 *
 * While recording is on (the default), an op on a tensor that requires a gradient adds a node to a graph; heed_backward
 * walks the graph from a result to the leaves. Gradient rules are differentiable expressions, so create_graph gives
 * derivatives of any order. The walk is not recursive, so graphs may be millions of ops deep.
 *
 * Threads: any number of threads may compute with shared leaves at once, each building its own graph, and differentiate
 * these graphs at once with heed_grad, which writes no .grad. heed_backward writes the .grad (heed_grad_of) of the
 * leaves it reaches. If threads share leaves, hold one lock around every call of heed_backward that reaches them, and
 * around all other uses of their .grad. Only one thread at a time may walk a graph, and other threads may use results
 * that belong to the graph only while it is not being walked.
 *
 * Stability: stable, except for heed_set_compute
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_GRAPH_H
#define HEED_GRAPH_H

#include <heed/scope.h>

HEED_BEGIN_DECLS

/* -- Leaves and their gradients ------------------------------------------------------------------------------------ */

/* Sets whether a leaf requires a gradient, and returns it: w = heed_set_requires_grad(t, true).
 *
 * Errors: NULL with HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_STATE if t is the result of a recorded op.
 * torch: torch.Tensor.requires_grad_ */
HEED_API heed_tensor *heed_set_requires_grad(heed_tensor *t, bool requires_grad);

/* Adds d loss / d leaf to the .grad of every leaf that loss was computed from, and frees the graph.
 * loss must have one element. On failure no .grad has changed; the nodes already walked are freed unless the graph was
 * retained.
 *
 * Errors: HEED_ERR_SHAPE for more than one element; HEED_ERR_STATE if loss belongs to no graph, if its graph is already
 * freed, or if a tensor that the pass needs was written in place; HEED_ERR_UNSUPPORTED for an op without a gradient;
 * HEED_ERR_NOMEM.
 * torch: torch.Tensor.backward */
HEED_API heed_status heed_backward(heed_tensor *loss);

/* Returns the gradient accumulated in a leaf, or NULL without an error if the leaf has not received one.
 * NULL can also mean HEED_ERR_NOMEM; heed_has_grad distinguishes the two.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_NOMEM.
 * torch: torch.Tensor.grad */
HEED_API heed_tensor *heed_grad_of(const heed_tensor *t);

/* Replaces a leaf's gradient; NULL removes it.
 * Errors: HEED_ERR_SHAPE or HEED_ERR_DTYPE if grad differs from t in shape or dtype, HEED_ERR_STATE if t is not a leaf,
 * HEED_ERR_ARGUMENT if grad is t itself. */
HEED_API heed_status heed_set_grad(heed_tensor *t, heed_tensor *grad);

/* Returns a new leaf with the same storage that belongs to no graph.
 * Errors: NULL for NULL, and with HEED_ERR_NOMEM.
 * torch: torch.Tensor.detach */
HEED_API heed_tensor *heed_detach(heed_tensor *t);

/* -- Recording ----------------------------------------------------------------------------------------------------- */

/* Switches recording on or off in this thread and returns the old setting.
 * The end of the innermost scope restores it; heed_no_grad_begin() opens a scope and switches recording off in one
 * call.
 * torch: torch.set_grad_enabled */
HEED_API bool heed_set_grad_enabled(bool enabled);

/* Returns true if this thread records.
 * torch: torch.is_grad_enabled */
HEED_API bool heed_grad_enabled(void);

/* -- Gradients with options ---------------------------------------------------------------------------------------- */

typedef struct heed_backward_options {
    heed_tensor *grad_output; /* d objective / d t, shaped like t; NULL: 1, and t must have one element */
    bool retain_graph;        /* keeps the graph for another pass */
    bool create_graph;        /* records the pass itself, for higher derivatives; implies retain_graph */
    HEED_RESERVED;
} heed_backward_options;

/* Runs heed_backward with options, for a tensor of any shape.
 * With create_graph the .grad of a leaf refers to the graph, and the graph to the leaf, so neither would ever be freed.
 * Break this cycle with heed_set_grad(leaf, NULL), or use heed_grad, which creates no cycle.
 *
 * Errors: as heed_backward.
 * torch: torch.autograd.backward */
HEED_API heed_status heed_backward_with(heed_tensor *t, const heed_backward_options *options);

typedef struct heed_grad_options {
    heed_tensor *const *grad_outputs; /* one per output; NULL, in the list or for the list, means 1, for outputs of one
                                         element */
    bool retain_graph;
    bool create_graph;
    bool allow_unused; /* the gradient of an input that the outputs do not depend on is NULL, not HEED_ERR_STATE */
    HEED_RESERVED;
} heed_grad_options;

/* Computes the gradients of outputs with respect to inputs, without changing any .grad.
 *
 *     grads[i] = sum over outputs of d outputs / d inputs[i]
 *
 * Inputs may be leaves or results. Only the part of the graph that leads to the inputs is differentiated. `grads` may
 * be the same array as `outputs`, because it is written last. A gradient may be a view, or the very tensor passed as a
 * grad_output: clone it before writing to it. On failure every grads[i] is NULL.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL or an empty list; HEED_ERR_SHAPE or HEED_ERR_DTYPE for a grad_output that differs
 * from its output, and HEED_ERR_SHAPE without one for an output of more than one element; HEED_ERR_STATE for an input
 * that requires no gradient, for an input that the outputs do not depend on (unless allow_unused is set), and as
 * heed_backward; HEED_ERR_NOMEM.
 * torch: torch.autograd.grad */
HEED_API heed_status heed_grad(heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs, int n_inputs,
                               heed_tensor **grads, const heed_grad_options *options);

/* -- Expert calls: the state of a tensor --------------------------------------------------------------------------- */

/* Returns true for a leaf that requires a gradient and for every tensor computed from one while recording.
 * Errors: false with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.requires_grad */
HEED_API bool heed_requires_grad(const heed_tensor *t);

/* Returns true unless t is the result of a recorded op.
 * Errors: false with HEED_ERR_ARGUMENT for NULL.
 * torch: torch.Tensor.is_leaf */
HEED_API bool heed_is_leaf(const heed_tensor *t);

/* Returns true if a gradient has been accumulated in t.
 * Errors: false with HEED_ERR_ARGUMENT for NULL. */
HEED_API bool heed_has_grad(const heed_tensor *t);

/* -- Expert calls: hooks ------------------------------------------------------------------------------------------- */

/* Called in a backward pass with the complete gradient of the tensor, before it is propagated further; for a leaf,
 * before it is added to .grad at the end of a successful pass.
 * Returns the gradient to continue with: `grad` itself, or a different tensor of its shape and dtype. Returning NULL
 * stops the pass; so do leaving an error pending and writing to `grad`, which other tensors may share. A hook must not
 * walk the graph it is called from. It may add hooks, which first run in the next pass, and remove any hook. */
typedef heed_tensor *(*heed_hook)(heed_tensor *grad, void *user);

/* Adds a hook to a tensor that requires a gradient.
 * Hooks run in the order in which they were added and live as long as the tensor, if it is a leaf, or its graph.
 *
 * Returns an id above 0 for heed_remove_hook, or 0 on failure.
 * Errors: HEED_ERR_STATE if t does not require a gradient.
 * torch: torch.Tensor.register_hook */
HEED_API int64_t heed_add_hook(heed_tensor *t, heed_hook hook, void *user);

/* Sets the function that frees a hook's `user`: free(user) is called once, when the hook is removed or freed with its
 * tensor or graph.
 * The call may come from any thread that frees the graph, and from heed_remove_hook in the hook itself, which must not
 * use `user` afterwards. NULL sets no function.
 * Errors: HEED_ERR_ARGUMENT if t lacks such a hook. */
HEED_API heed_status heed_set_hook_free(heed_tensor *t, int64_t id, void (*free)(void *user));

/* Removes the hook whose `id` heed_add_hook returned.
 * Errors: HEED_ERR_ARGUMENT if t lacks such a hook. */
HEED_API heed_status heed_remove_hook(heed_tensor *t, int64_t id);

/* -- Expert calls: printing ---------------------------------------------------------------------------------------- */

/* Writes the graph that leads to t in Graphviz's language: boxes are ops, ellipses are leaves with their shape.
 * Errors: HEED_ERR_IO if writing fails, HEED_ERR_STATE if the graph is already freed. */
HEED_API HEED_NODISCARD heed_status heed_graph_dot(heed_tensor *t, FILE *file);

/* -- Expert calls: computed tensors -------------------------------------------------------------------------------- */

/* A function that computes the value of a tensor from other tensors, such as a weight from its length and direction.
 * It is a callback under the rules of heed/scope.h, may run in several threads at once, and returns NULL on failure. */
typedef heed_tensor *(*heed_compute)(void *user);

/* Makes t a computed tensor: every op that reads t calls compute(user) and reads the result instead.
 * The result has the shape and dtype of t. Its computation is recorded, so the gradient goes to the tensors that
 * `compute` reads; t itself receives none.
 *
 *     static heed_tensor *positive(void *log_scale) { return heed_exp(log_scale); }
 *     ...
 *     heed_set_compute(net->scale, positive, log_scale);
 *
 * heed_nn_weight_norm and heed_nn_spectral_norm use it, so that layers need no change. A computed tensor counts as the
 * result of an op (heed_is_leaf). Its elements cannot be read or written: heed_clone(t) returns its present value.
 * With NULL for `compute`, t is an ordinary leaf again, with its former elements and without a gradient requirement.
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_DTYPE unless t is f32 or f64, HEED_ERR_STATE if t is the result of a
 * recorded op. Ops that read t fail with HEED_ERR_STATE if compute returns NULL without an error or reads t, and with
 * HEED_ERR_SHAPE or HEED_ERR_DTYPE for a result unlike t. */
HEED_API heed_status heed_set_compute(heed_tensor *t, heed_compute compute, void *user);

HEED_END_DECLS

#endif
