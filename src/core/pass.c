/* core/pass.c - a backward pass: gradients flow from the outputs along the walk, node by node.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/pass.h"

#include <string.h>

#include <heed/ops.h>

#include "core/instrumentation.h"
#include "core/loop.h"
#include "core/memory.h"

static heed_tensor **make_list(const char *where, size_t n)
{
    heed_tensor **list = heed__alloc(where, n * sizeof *list);
    return list ? memset(list, 0, n * sizeof *list) : NULL;
}

static void free_tensors(heed_tensor **list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        heed_release(list[i]);
    heed_free(list, n * sizeof *list);
}

bool heed__pass_begin(heed__pass *p, heed_tensor *const *roots, int n_roots)
{
    p->leaf_grads = p->dx = NULL;
    return heed__walk_begin(&p->walk, p->where, roots, n_roots, p->partial) &&
           (p->walk.output_grads = make_list(p->where, p->walk.n_outputs)) &&
           (p->leaf_grads = make_list(p->where, p->walk.leaves.count)) &&
           (p->dx = make_list(p->where, (size_t)p->walk.max_inputs_of_node));
}

void heed__pass_mark_needed(heed__pass *p)
{
    for (size_t i = p->walk.n_nodes; i-- > 0;) {
        heed__node *node = p->walk.nodes[i];
        node->needed = node->captured;
        for (int k = 0; k < node->n_inputs; k++) {
            heed__edge *edge = &node->edges[k];
            edge->needed =
                edge->node ? edge->node->needed : edge->leaf && heed__walk_leaves(&p->walk)[edge->leaf_index].captured;
            node->needed = node->needed || edge->needed;
        }
    }
}

void heed__pass_end(heed__pass *p)
{
    free_tensors(p->walk.output_grads, p->walk.n_outputs);
    free_tensors(p->leaf_grads, p->walk.leaves.count);
    heed_free(p->dx, (size_t)p->walk.max_inputs_of_node * sizeof *p->dx);
    heed__walk_end(&p->walk);
}

/* -- Accumulation -- */

bool heed__sole_owner(const heed_tensor *t)
{
    return t->contiguous && !t->storage->foreign && atomic_load_explicit(&t->refs, memory_order_acquire) == 1 &&
           atomic_load_explicit(&t->storage->refs, memory_order_acquire) == 1;
}

bool heed__pass_add(const heed__pass *p, heed_tensor **gathered, heed_tensor *g)
{
    if (!*gathered) {
        heed__add_owner(&g->refs);
        *gathered = g;
        return true;
    }
    if (!p->create && heed__sole_owner(*gathered) && !heed__observers_if_any()) {
        heed__map2(HEED__KERNEL(add, g->dtype), *gathered, g, *gathered, NULL);
        return true;
    }
    heed_tensor *sum = heed_retain(heed_add(*gathered, g));
    if (!sum)
        return false;
    heed_release(*gathered);
    *gathered = sum;
    return true;
}

/* Checks that the shape of the input broadcasts to the gradient's shape. Returns false after heed_fail. */
static bool check_gradient_shape(const heed__pass *p, const heed__node *node, int i, const heed_tensor *dx)
{
    const heed_shape shape = heed__meta_shape(&node->edges[i].meta);
    heed_shape both;
    if (heed_shape_broadcast(shape, dx->shape, &both) && heed__same_shape(&both, &dx->shape))
        return true;
    return heed_fail_false(
        HEED_ERR_SHAPE, p->where,
        "%s returned a gradient of shape %s for argument %d of shape %s, which does not broadcast to it",
        node->op->name, heed_shape_text(dx->shape).s, i + 1, heed_shape_text(shape).s);
}

/* Reduces a gradient from an op's rule to the input's shape, which undoes broadcasting. */
static heed_tensor *reduce_to_input(const heed__pass *p, const heed__node *node, int i, heed_tensor *dx)
{
    const heed__edge *edge = &node->edges[i];
    if (dx->dtype != edge->meta.dtype)
        return heed_fail_null(HEED_ERR_DTYPE, p->where,
                              "%s returned a gradient of dtype %s for argument %d of dtype %s", node->op->name,
                              heed_dtype_name(dx->dtype), i + 1, heed_dtype_name(edge->meta.dtype));
    if (heed__meta_has_shape(&edge->meta, &dx->shape))
        return dx;
    return check_gradient_shape(p, node, i, dx) ? heed_sum_to(dx, heed__meta_shape(&edge->meta)) : NULL;
}

static bool send_gradients(const heed__pass *p, const heed__node *node)
{
    const heed__edge *edge = node->edges;
    for (int i = 0, n = node->n_inputs; i < n; i++, edge++) {
        heed_tensor *dx = p->dx[i];
        p->dx[i] = NULL;
        if (!edge->needed)
            continue;
        if (!dx)
            return heed_fail_false(HEED_ERR_STATE, p->where, "%s returned no gradient for argument %d", node->op->name,
                                   i + 1);
        /* the producer may belong to an outer pass, if this pass differentiates a checkpointed part */
        heed_tensor **gathered =
            edge->node ? heed__walk_output_grad(edge->node, edge->output) : &p->leaf_grads[edge->leaf_index];
        heed_tensor *fitted = reduce_to_input(p, node, i, dx);
        if (!fitted || !heed__pass_add(p, gathered, fitted))
            return false;
    }
    return true;
}

/* -- One node -- */

static bool check_versions(const heed__pass *p, const heed__node *node)
{
    heed_tensor *const *saved = heed__node_saved(node);
    for (int i = 0, n = node->n_inputs; i < n; i++) {
        const heed_tensor *x = saved[i];
        unsigned now = x ? heed__version(x->storage) : 0;
        if (!x || now == node->edges[i].version)
            continue;
        return heed_fail_false(
            HEED_ERR_STATE, p->where,
            "argument %d of %s, of shape %s, was written in place after it was recorded (version %u, not %u)", i + 1,
            node->op->name, heed_shape_text(x->shape).s, now, node->edges[i].version);
    }
    const heed__result *y = heed__node_results(node);
    for (int j = 0; j < node->n_outputs; j++, y++) {
        unsigned now = y->storage ? heed__version(y->storage) : 0;
        if (!y->storage || now == y->version)
            continue;
        heed_shape shape = heed__meta_shape(&y->meta);
        return heed_fail_false(
            HEED_ERR_STATE, p->where,
            "the result of %s, of shape %s, was written in place after it was recorded (version %u, not %u)",
            node->op->name, heed_shape_text(shape).s, now, y->version);
    }
    return true;
}

/* Returns a tensor on a saved output's storage, at that output's position in the graph. */
static heed_tensor *restore_output(heed__node *node, int j)
{
    const heed__result *result = &heed__node_results(node)[j];
    heed_shape shape = heed__meta_shape(&result->meta);
    heed_tensor *y =
        heed__tensor_on(node->op->name, result->storage, result->data, result->meta.dtype, &shape, heed__numel(&shape));
    if (!y)
        return NULL;
    if (heed_dtype_is_float(y->dtype)) {
        y->producer = heed__node_retain(node);
        y->output_index = (signed char)j;
        y->requires_grad = true;
    }
    return heed__borrow(node->op->name, y);
}

/* Runs the backward rule of self->rule, the call's node. */
static inline bool run_rule(const heed__pass *p, heed__thread_state *self, const heed_call *call)
{
    const heed_op *op = call->op;
    heed_tensor *const *g = p->walk.output_grads + self->rule->first_grad;
    heed_callback before = heed__callback_begin(self, op->name);
    if (op->backward_fused && !p->create)
        op->backward_fused(call, g, p->dx);
    else
        op->backward(call, g, p->dx);
    return heed__callback_end(self, before);
}

HEED_COLD static bool run_rule_observed(const heed__pass *p, heed__thread_state *self, const heed_call *call,
                                        const heed__observers *observers)
{
    const heed__node *node = self->rule;
    heed__observation o = {.event = {.kind = HEED_EVENT_BACKWARD,
                                     .name = node->op->name ? node->op->name : "apply",
                                     .call = call,
                                     .n_outputs = node->n_outputs,
                                     .outputs = call->outputs,
                                     .grads = p->walk.output_grads + node->first_grad,
                                     .fused = node->op->backward_fused && !p->create,
                                     .recorded_at = node->site,
                                     .module_path = heed__node_module(node)}};
    const bool ok = observers->op_begins(self, &o) && run_rule(p, self, call);
    o.event.input_grads = ok ? p->dx : NULL;
    return observers->op_ends(self, &o, !ok);
}

static bool differentiate_node(const heed__pass *p, heed__node *node)
{
    const heed_op *op = node->op;
    if (!op->backward && op != &heed__op_checkpointed)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s has no gradient", op->name);
    if (!check_versions(p, node))
        return false;
    if (op == &heed__op_checkpointed)
        return heed__recompute(p, node);
    heed_tensor *outputs[HEED_MAX_OUTPUTS] = {NULL};
    for (int j = 0; j < node->n_outputs && (op->saved & HEED_SAVE_OUTPUTS); j++)
        if (!(outputs[j] = restore_output(node, j)))
            return false;
    heed_call call = {.op = op,
                      .params = heed__node_params(node),
                      .n_inputs = node->n_inputs,
                      .inputs = heed__node_saved(node),
                      .outputs = outputs};
    heed__thread_state *self = heed__thread();
    const heed__node *outer = self->rule;
    self->rule = node;
    const heed__observers *observers = heed__observers_of(self);
    const bool ok = observers ? run_rule_observed(p, self, &call, observers) : run_rule(p, self, &call);
    self->rule = outer;
    return ok && send_gradients(p, node);
}

/* Returns true if the pass continues to any of the node's inputs. */
static bool needs_any(const heed__node *node)
{
    for (int i = 0, n = node->n_inputs; i < n; i++)
        if (node->edges[i].needed)
            return true;
    return false;
}

static bool pass_node(const heed__pass *p, heed__node *node)
{
    heed_tensor **g = p->walk.output_grads + node->first_grad;
    bool arrived = false;
    for (int j = 0; j < node->n_outputs; j++) {
        if (!g[j])
            continue;
        arrived = true;
        if (node->hooks && !(g[j] = heed__run_hooks(&node->hooks, j, g[j])))
            return false;
    }
    size_t mark = heed__scope_mark();
    bool ok = !arrived || !needs_any(node) || differentiate_node(p, node);
    heed__scope_rewind(mark);
    for (int j = 0; j < node->n_outputs && !node->captured; j++) {
        heed_release(g[j]);
        g[j] = NULL;
    }
    return ok;
}

/* -- All nodes -- */

static bool run_leaf_hooks(const heed__pass *p, size_t i)
{
    heed__hooks *const *hooks = &heed__walk_leaves(&p->walk)[i].leaf->hooks;
    heed_tensor **grad = &p->leaf_grads[i];
    if (!*grad || !*hooks)
        return true;
    size_t mark = heed__scope_mark();
    *grad = heed__run_hooks(hooks, 0, *grad);
    heed__scope_rewind(mark);
    return *grad != NULL;
}

/* Runs the hooks of leaves whose last pending gradient came from this node. */
static bool run_hooks_of_inputs(const heed__pass *p, const heed__node *node)
{
    bool ok = true;
    for (int i = 0; i < node->n_inputs && ok; i++) {
        const heed__edge *edge = &node->edges[i];
        if (edge->leaf && --heed__walk_leaves(&p->walk)[edge->leaf_index].awaited == 0)
            ok = run_leaf_hooks(p, edge->leaf_index);
    }
    return ok;
}

bool heed__pass_run(heed__pass *p)
{
    const bool recording = heed_set_grad_enabled(p->create), hooked = p->walk.hooked;
    bool ok = true;
    for (size_t i = 0; hooked && ok && i < p->walk.leaves.count; i++) /* leaves that are outputs but no node's input */
        ok = heed__walk_leaves(&p->walk)[i].awaited > 0 || run_leaf_hooks(p, i);
    for (size_t i = 0; i < p->walk.n_nodes && ok; i++) {
        heed__node *node = p->walk.nodes[i];
        ok = pass_node(p, node) && (!hooked || run_hooks_of_inputs(p, node));
        if (p->retain || !node->needed)
            continue;
        p->walk.nodes[i] = NULL;
        node->walk = NULL;
        node->spent = true;
        heed__node_drop_contents(node);
        heed__node_release(node);
    }
    (void)heed_set_grad_enabled(recording);
    return ok;
}

bool heed__pass_through(const heed__pass *outer, heed_tensor *y, heed_tensor *g, uint64_t floor)
{
    heed__pass p = *outer;
    p.retain = p.create;
    p.dx = NULL;
    const heed__walk *outermost = outer->walk.outer ? outer->walk.outer : &outer->walk;
    bool ok = heed__walk_subgraph(&p.walk, p.where, y, floor, outermost) &&
              (p.walk.output_grads = make_list(p.where, p.walk.n_outputs)) &&
              (p.dx = make_list(p.where, (size_t)p.walk.max_inputs_of_node));
    if (ok && p.partial)
        heed__pass_mark_needed(&p);
    ok = ok && heed__pass_add(&p, heed__walk_output_grad(y->producer, y->output_index), g) && heed__pass_run(&p);
    p.leaf_grads = NULL; /* belongs to the outer pass */
    heed__pass_end(&p);
    return ok;
}
