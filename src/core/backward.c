/* core/backward.c - heed_backward and heed_grad: the starting gradients, the requested gradients, and their
 * destinations.
 *
 *     heed_backward
 *       run_backward_pass          checks that the loss has one element and a graph
 *         heed__pass_begin         pass.c: allocates the lists of the pass
 *           heed__walk_begin       walk.c: collects nodes and leaves; a heap returns nodes by descending number
 *         start_gradient           the gradient of the loss is 1
 *         heed__pass_run           pass.c: for every node, in that order:
 *           pass_node                runs the hooks of its outputs
 *             differentiate_node     checks that no kept tensor was written, then calls
 *               op->backward_fused or op->backward, the rule, which returns a gradient per input (dx)
 *               send_gradients       sums dx over broadcast axes and adds it to the producer or leaf
 *         commit_gradients         adds the gradients to .grad of all leaves, or changes none
 *         heed__pass_end           pass.c: frees the lists
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdatomic.h>

#include <heed/memory.h>
#include <heed/observe.h>
#include <heed/ops.h>

#include "core/instrumentation.h"
#include "core/memory.h"
#include "core/pass.h"

/* -- The notice about a training loop without a scope -- */

#define PASSES 1000 /* backward passes that leave their tensors in the root scope */

static atomic_bool was_given;

static _Thread_local int64_t passes; /* passes outside all scopes */

/* Gives the notice once to a program that receives notices. */
static void give_notice(size_t tensors)
{
    if (!atomic_exchange(&was_given, true) &&
        !heed__notice("%" PRId64
                      " backward passes have run without a scope, and %zu tensors (%.1f MB in use) are kept: "
                      "begin each step with heed_scope_begin() and end it with heed_scope_end(), which frees them",
                      passes, tensors, 1e-6 * (double)heed_memory_get_stats().live_bytes))
        atomic_store(&was_given, false);
}

/* Counts a backward pass of this thread. Gives the notice at pass 1,000 without a scope if the root scope holds at
 * least 1,000 tensors. */
static void count_pass(void)
{
    const heed__thread_state *self = heed__thread();
    if (self->innermost)
        return;
    passes = self->count == 0 ? 0 : passes + 1;
    if (passes >= PASSES && self->count >= PASSES && !heed__debugger_if_on()) /* which has its own notice */
        give_notice(self->count);
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
        return heed_fail_false(
            HEED_ERR_SHAPE, p->where,
            "a tensor of shape %s does not have exactly one element: reduce it, for example by heed_sum, or "
            "pass an output gradient",
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
    heed_tensor **gathered = t->producer ? heed__walk_output_grad(t->producer, t->output_index)
                                         : &p->leaf_grads[heed__walk_find_leaf(&p->walk, t)];
    bool ok = g && heed__pass_add(p, gathered, g);
    heed__scope_rewind(mark);
    return ok;
}

/* -- heed_backward -- */

/* Adds the gathered gradients to every leaf's .grad. On failure changes no leaf. */
static bool commit_gradients(heed__pass *p)
{
    bool recording = heed_set_grad_enabled(p->create);
    bool ok = true;
    for (size_t i = 0; i < p->walk.leaves.count && ok; i++) {
        const heed_tensor *leaf = heed__walk_leaves(&p->walk)[i].leaf;
        heed_tensor *gathered = p->leaf_grads[i];
        if (!gathered || !leaf->requires_grad)
            continue;
        size_t mark = heed__scope_mark();
        p->leaf_grads[i] =
            heed_retain(leaf->grad                                 ? heed_add(leaf->grad, gathered)
                        : heed__sole_owner(gathered) && !p->create ? gathered /* no other holder can write through it */
                                                                   : heed_clone(gathered));
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
    count_pass();
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

static bool check_grad_outputs(const heed__pass *p, heed_tensor *const *outputs, int n,
                               heed_tensor *const *grad_outputs)
{
    for (int i = 0; i < n; i++)
        if (!check_start(p, outputs[i], grad_outputs ? grad_outputs[i] : NULL))
            return false;
    return true;
}

static bool check_grad_inputs(const heed__pass *p, heed_tensor *const *inputs, int n)
{
    for (int i = 0; i < n; i++) {
        if (!heed__check_tensor(p->where, inputs[i]))
            return false;
        if (!inputs[i]->requires_grad)
            return heed_fail_false(HEED_ERR_STATE, p->where, "input %d, of shape %s, requires no gradient", i,
                                   heed_shape_text(inputs[i]->shape).s);
    }
    return true;
}

/* Marks an input as captured. Returns the slot where its gradient is gathered, or NULL if the walk did not reach it. */
static heed_tensor **capture_input(const heed__pass *p, const heed_tensor *input)
{
    heed__node *producer = input->producer;
    if (producer && producer->walk != &p->walk)
        return NULL;
    if (producer) {
        producer->captured = true;
        return heed__walk_output_grad(producer, input->output_index);
    }
    const size_t leaf = heed__walk_find_leaf(&p->walk, input);
    if (leaf == SIZE_MAX)
        return NULL;
    heed__walk_leaves(&p->walk)[leaf].captured = true;
    return &p->leaf_grads[leaf];
}

/* Captures the inputs and marks everything that leads to them. Returns a new list of the slots of their gradients. */
static heed_tensor ***capture_inputs(heed__pass *p, heed_tensor *const *inputs, int n)
{
    heed_tensor ***slots = heed__alloc(p->where, (size_t)n * sizeof *slots);
    for (int i = 0; slots && i < n; i++)
        slots[i] = capture_input(p, inputs[i]);
    heed__pass_mark_needed(p);
    return slots;
}

static bool start_gradients(const heed__pass *p, heed_tensor *const *outputs, int n, heed_tensor *const *grad_outputs)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++)
        ok = start_gradient(p, outputs[i], grad_outputs ? grad_outputs[i] : NULL);
    return ok;
}

/* Returns all gathered gradients in the caller's scope, or false after heed_fail. */
static bool return_gradients(const heed__pass *p, heed_tensor **const *slots, int n_inputs, heed_tensor **grads,
                             bool allow_unused)
{
    for (int i = 0; i < n_inputs; i++) {
        heed_tensor *g = slots[i] ? *slots[i] : NULL;
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

heed_status heed_grad(heed_tensor *const *outputs, int n_outputs, heed_tensor *const *inputs, int n_inputs,
                      heed_tensor **grads, const heed_grad_options *options)
{
    HEED_ENTER("grad");
    HEED_SPAN("grad");
    heed_grad_options defaults = {.grad_outputs = NULL};
    const heed_grad_options *o = options ? options : &defaults;
    heed__pass p = {
        .where = "grad", .partial = true, .create = o->create_graph, .retain = o->retain_graph || o->create_graph};
    bool ok = false;
    if (n_outputs < 1 || n_inputs < 1 || !outputs || !inputs || !grads) {
        heed_fail(HEED_ERR_ARGUMENT, p.where,
                  "%d outputs and %d inputs: must be at least 1 each, and no list may be NULL", n_outputs, n_inputs);
    } else if (check_grad_outputs(&p, outputs, n_outputs, o->grad_outputs) && check_grad_inputs(&p, inputs, n_inputs)) {
        heed_tensor ***slots = NULL;
        ok = heed__pass_begin(&p, outputs, n_outputs) && (slots = capture_inputs(&p, inputs, n_inputs)) &&
             start_gradients(&p, outputs, n_outputs, o->grad_outputs) && heed__pass_run(&p) &&
             return_gradients(&p, slots, n_inputs, grads, o->allow_unused);
        heed_free(slots, (size_t)n_inputs * sizeof *slots);
        heed__pass_end(&p);
        count_pass();
    }
    for (int i = 0; grads && i < n_inputs && !ok; i++)
        grads[i] = NULL;
    return ok ? HEED_OK : heed_error_code();
}
