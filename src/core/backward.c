/* core/backward.c - heed_backward and heed_grad: the starting gradients, the requested gradients, and their
 * destinations. */

#include <inttypes.h>

#include <heed/memory.h>
#include <heed/observe.h>
#include <heed/ops.h>

#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/pass.h"

/* -- The hint to scripts about a training loop without a scope -- */

#define PASSES 1000 /* backward passes that leave their tensors in the root scope */

static heed_hint_handler hint_handler; /* these three are guarded by the lock of the instrumentation */
static void *hint_user;
static bool was_given;

static _Thread_local int64_t passes; /* passes outside all scopes */

void heed_set_hint_handler(heed_hint_handler handler, void *user)
{
    heed__instrumentation_lock();
    hint_handler = handler;
    hint_user = user;
    heed__instrumentation_unlock();
}

/* Returns the handler unless the hint was given before, and marks the hint as given. */
static heed_hint_handler take_handler(void **user)
{
    heed__instrumentation_lock();
    const heed_hint_handler found = was_given ? NULL : hint_handler;
    was_given = was_given || found;
    *user = hint_user;
    heed__instrumentation_unlock();
    return found;
}

static void call_handler(size_t tensors)
{
    void *user;
    char text[256];
    const heed_hint_handler found = take_handler(&user);
    if (!found)
        return;
    (void)snprintf(text, sizeof text,
                   "%" PRId64 " backward passes have run without a scope, and %zu tensors (%.1f MB in use) are kept: "
                   "begin each step with heed_scope_begin() and end it with heed_scope_end(), which frees them",
                   passes, tensors, 1e-6 * (double)heed_memory_get_stats().live_bytes);
    found(text, user);
}

/* Counts a backward pass of this thread. Gives the hint at pass 1,000 without a scope if the root scope holds at least
 * 1,000 tensors. */
static void hint_after_pass(void)
{
    const heed__thread_state *self = heed__thread();
    if (self->innermost)
        return;
    passes = self->count == 0 ? 0 : passes + 1;
    if (passes >= PASSES && self->count >= PASSES && !heed__debugger_if_on()) /* which has its own notice */
        call_handler(self->count);
}

/* -- Starting gradients -- */

static bool check_start(const heed__pass *p, const heed_tensor *t, const heed_tensor *grad_output)
{
    if (!heed__check_tensor(p->where, t) || (grad_output && !heed__check_tensor(p->where, grad_output)))
        return false;
    if (!t->requires_grad)
        return heed_fail_false(
            HEED_ERR_STATE, p->where,
            "the tensor of shape %s is not part of a graph: no tensor that it was computed from requires a gradient",
            heed_shape_text(t->shape).s);
    if (!grad_output && t->numel != 1)
        return heed_fail_false(HEED_ERR_SHAPE, p->where,
                               "a tensor of shape %s needs an output gradient: it does not have exactly one element",
                               heed_shape_text(t->shape).s);
    if (grad_output && (grad_output->dtype != t->dtype || !heed_shape_equal(grad_output->shape, t->shape)))
        return heed_fail_false(
            grad_output->dtype != t->dtype ? HEED_ERR_DTYPE : HEED_ERR_SHAPE, p->where,
            "the output gradient has shape %s and dtype %s, but its tensor has shape %s and dtype %s",
            heed_shape_text(grad_output->shape).s, heed_dtype_name(grad_output->dtype), heed_shape_text(t->shape).s,
            heed_dtype_name(t->dtype));
    return true;
}

static bool start_gradient(const heed__pass *p, heed_tensor *t, heed_tensor *grad_output)
{
    size_t mark = heed__scope_mark();
    heed_tensor *g = grad_output ? grad_output : heed_ones(t->dtype, t->shape);
    heed_tensor **gathered = t->producer ? &p->walk.output_grads[t->producer->first_grad + (size_t)t->output_index]
                                         : &p->leaf_grads[heed__walk_find_leaf(&p->walk, t)];
    bool ok = g && heed__pass_add(p, gathered, g);
    heed__scope_rewind(mark);
    return ok;
}

/* -- heed_backward -- */

/* Returns the new .grad of a leaf, a tensor that no other holder can write through. */
static heed_tensor *new_grad(const heed__pass *p, const heed_tensor *leaf, heed_tensor *gathered)
{
    if (leaf->grad)
        return heed_retain(heed_add(leaf->grad, gathered));
    return heed__sole_owner(gathered) && !p->create ? heed_retain(gathered) : heed_retain(heed_clone(gathered));
}

/* Adds the gathered gradients to every leaf's .grad. On failure changes no leaf. */
static bool commit_gradients(heed__pass *p)
{
    bool recording = heed_set_grad_enabled(p->create);
    bool ok = true;
    for (size_t i = 0; i < p->walk.leaves.count && ok; i++) {
        heed_tensor *gathered = p->leaf_grads[i];
        if (!gathered || !heed__walk_leaves(&p->walk)[i].leaf->requires_grad)
            continue;
        size_t mark = heed__scope_mark();
        p->leaf_grads[i] = new_grad(p, heed__walk_leaves(&p->walk)[i].leaf, gathered);
        heed__scope_rewind(mark);
        heed_release(gathered);
        ok = p->leaf_grads[i] != NULL;
    }
    (void)heed_set_grad_enabled(recording);
    for (size_t i = 0; i < p->walk.leaves.count && ok; i++) {
        heed_tensor *leaf = heed__walk_leaves(&p->walk)[i].leaf;
        if (!p->leaf_grads[i] || !leaf->requires_grad)
            continue;
        heed_tensor *old = leaf->grad;
        leaf->grad = p->leaf_grads[i];
        p->leaf_grads[i] = old;
    }
    return ok;
}

static heed_status run_backward_pass(const char *where, heed_tensor *t, const heed_backward_options *options)
{
    HEED_ENTER(where);
    HEED_SPAN(where);
    heed_backward_options defaults = {.grad_output = NULL};
    const heed_backward_options *o = options ? options : &defaults;
    heed__pass p = {.where = where, .create = o->create_graph, .retain = o->retain_graph || o->create_graph};
    if (!check_start(&p, t, o->grad_output))
        return heed_error_code();
    bool ok = heed__pass_begin(&p, &t, 1) && start_gradient(&p, t, o->grad_output) && heed__pass_run(&p) &&
              commit_gradients(&p);
    heed__pass_end(&p);
    hint_after_pass();
    return ok ? HEED_OK : heed_error_code();
}

heed_status heed_backward_with(heed_tensor *t, const heed_backward_options *options)
{
    return run_backward_pass("backward_with", t, options);
}

heed_status heed_backward(heed_tensor *loss)
{
    return run_backward_pass("backward", loss, NULL);
}

/* -- heed_grad -- */

/* Marks the inputs as captured, and marks everything that leads to them. */
static void capture_inputs(heed__pass *p, heed_tensor *const *inputs, int n_inputs)
{
    for (int i = 0; i < n_inputs; i++) {
        size_t leaf = inputs[i]->producer ? SIZE_MAX : heed__walk_find_leaf(&p->walk, inputs[i]);
        if (leaf != SIZE_MAX)
            heed__walk_leaves(&p->walk)[leaf].captured = true;
        if (inputs[i]->producer && inputs[i]->producer->walk == &p->walk)
            inputs[i]->producer->captured = true;
    }
    heed__pass_mark_needed(p);
}

/* Returns the slot where the gradient of an input is gathered, or NULL if the walk did not reach the input. Must be
 * called before the pass frees nodes. */
static heed_tensor **gradient_of(const heed__pass *p, const heed_tensor *input)
{
    if (input->producer)
        return input->producer->walk == &p->walk
                   ? &p->walk.output_grads[input->producer->first_grad + (size_t)input->output_index]
                   : NULL;
    size_t leaf = heed__walk_find_leaf(&p->walk, input);
    return leaf == SIZE_MAX ? NULL : &p->leaf_grads[leaf];
}

static bool check_grad(const heed__pass *p, heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs,
                       int n_inputs, heed_tensor **grads, const heed_grad_options *o)
{
    if (n_outputs < 1 || n_inputs < 1 || !outputs || !inputs || !grads)
        return heed_fail_false(HEED_ERR_ARGUMENT, p->where,
                               "%d outputs and %d inputs: must be at least 1 each, and no list may be NULL", n_outputs,
                               n_inputs);
    for (int i = 0; i < n_outputs; i++)
        if (!check_start(p, outputs[i], o->grad_outputs ? o->grad_outputs[i] : NULL))
            return false;
    for (int i = 0; i < n_inputs; i++) {
        if (!heed__check_tensor(p->where, inputs[i]))
            return false;
        if (inputs[i]->requires_grad)
            continue;
        return heed_fail_false(HEED_ERR_STATE, p->where, "input %d, of shape %s, requires no gradient", i,
                               heed_shape_text(inputs[i]->shape).s);
    }
    return true;
}

/* Returns all gathered gradients in the caller's scope, or false after heed_fail. */
static bool return_gradients(const heed__pass *p, heed_tensor **const *gradients, int n_inputs, heed_tensor **grads,
                             bool allow_unused)
{
    for (int i = 0; i < n_inputs; i++) {
        heed_tensor *g = gradients[i] ? *gradients[i] : NULL;
        grads[i] = heed__borrow(p->where, heed_retain(g));
        if (grads[i] || (!g && allow_unused && !p->walk.spent_op))
            continue;
        if (!g && p->walk.spent_op)
            heed__fail_spent(p->where, p->walk.spent_op);
        else if (!g)
            heed_fail(HEED_ERR_STATE, p->where, "the outputs do not depend on input %d", i);
        return false;
    }
    return true;
}

static bool grad_pass(heed__pass *p, heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs,
                      int n_inputs, heed_tensor **grads, const heed_grad_options *o)
{
    if (!heed__pass_begin(p, outputs, n_outputs))
        return false;
    size_t bytes = (size_t)n_inputs * sizeof(heed_tensor **);
    heed_tensor ***gradients = heed__alloc(p->where, bytes);
    if (!gradients)
        return false;
    capture_inputs(p, inputs, n_inputs);
    for (int i = 0; i < n_inputs; i++)
        gradients[i] = gradient_of(p, inputs[i]);
    bool ok = true;
    for (int i = 0; i < n_outputs && ok; i++)
        ok = start_gradient(p, outputs[i], o->grad_outputs ? o->grad_outputs[i] : NULL);
    ok = ok && heed__pass_run(p) && return_gradients(p, gradients, n_inputs, grads, o->allow_unused);
    heed_free(gradients, bytes);
    return ok;
}

heed_status heed_grad(heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs, int n_inputs,
                      heed_tensor **grads, const heed_grad_options *options)
{
    HEED_ENTER("grad");
    HEED_SPAN("grad");
    heed_grad_options defaults = {.grad_outputs = NULL};
    const heed_grad_options *o = options ? options : &defaults;
    heed__pass p = {
        .where = "grad", .partial = true, .create = o->create_graph, .retain = o->retain_graph || o->create_graph};
    bool ok = check_grad(&p, outputs, n_outputs, inputs, n_inputs, grads, o);
    if (ok) {
        ok = grad_pass(&p, outputs, n_outputs, inputs, n_inputs, grads, o);
        heed__pass_end(&p);
        hint_after_pass();
    }
    for (int i = 0; grads && i < n_inputs && !ok; i++)
        grads[i] = NULL;
    return ok ? HEED_OK : heed_error_code();
}
