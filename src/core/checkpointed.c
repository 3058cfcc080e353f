/* core/checkpointed.c - heed_checkpointed: a part of the graph that the backward pass computes again.
 *
 * The function runs once as usual. The graph that it recorded is walked to find its leaves and is then freed. A single
 * node replaces it, with edges to the function's inputs and to those leaves. When a backward pass reaches that node, it
 * runs the function again and continues through the newly recorded nodes. Gradients are gathered in the same tensors
 * and in the same order as without checkpointing, so their bits are the same. Both runs must record the same nodes and
 * give a bit-identical result. Otherwise, for example if a buffer, flag or counter has changed in between, the gradient
 * would belong to a different function.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/pass.h"

#include <string.h>

#include <heed/functional.h>

#include "core/generator.h"
#include "core/loop.h"
#include "core/memory.h"
#include "core/thread.h"
#include "kernels/simd/compiler.h"

/* The node retains the inputs, all other leaves, and the generator positions of the draws. */
typedef struct params {
    heed_function fn;
    void *user;
    int n_inputs;
    heed_precision precision; /* of products in the first run */
    uint64_t numbers, graph;  /* digests of the result and of the recorded graph in the first run */
} params;

const heed_op heed__op_checkpointed = {
    .name = "checkpointed",
    .n_inputs = 1,
    .max_inputs = HEED_MAX_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(params),
    .saved = HEED_SAVE_INPUTS,
};

/* -- Running the function ------------------------------------------------------------------------------------------ */

static heed_tensor *run_function(const params *c, heed_tensor *const *inputs, heed__draws *draws)
{
    heed__draws_begin(draws);
    heed_tensor *y = heed__call_function("checkpointed", c->fn, inputs, c->user);
    heed__draws_end(draws);
    return y;
}

/* Returns a number that lies below every future node's number, but not below the number of any input's node. */
static uint64_t raise_clock(heed_tensor *const *inputs, int n)
{
    heed__thread_state *self = heed__thread();
    for (int i = 0; i < n; i++)
        if (inputs[i]->producer && inputs[i]->producer->number > self->clock)
            self->clock = inputs[i]->producer->number;
    return self->clock;
}

/* -- Digests, which tell whether a computation repeats itself ------------------------------------------------------ */

/* Returns h with x mixed in. The order of calls matters. */
static inline uint64_t mix_digest(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

/* Every lane rotates, xors and adds, which is a bijection of the lane: a change of one number always changes the digest
 * of its lane. Lanes are independent, so compilers can vectorise them. */
enum { LANES = 16 };

/* The bits of a number. Every NaN counts as the same number; 0 and -0 differ. */
static inline uint32_t bits_of_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fc00000U;
}

static inline uint64_t bits_of_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : UINT64_C(0x7ff8000000000000);
}

/* dtype is a constant. */
static ALWAYS_INLINE uint64_t digest_of_elements(heed_dtype dtype, const void *x, int64_t n)
{
    const float *f32 = x;
    const double *f64 = x;
    uint32_t lane32[LANES] = {0};
    uint64_t lane64[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int k = 0; k < (n - i < LANES ? (int)(n - i) : LANES); k++)
            if (dtype == HEED_F32)
                lane32[k] = ((lane32[k] << 5 | lane32[k] >> 27) ^ bits_of_f32(f32[i + k])) + 0x9E3779B9U;
            else
                lane64[k] = ((lane64[k] << 5 | lane64[k] >> 59) ^ bits_of_f64(f64[i + k])) + 0x9E3779B9U;
    uint64_t digest = (uint64_t)n;
    for (int k = 0; k < LANES; k++)
        digest = mix_digest(digest, dtype == HEED_F32 ? lane32[k] : lane64[k]);
    return digest;
}

/* Sets *digest to the digest of a floating-point tensor. Returns false after heed_fail. */
static bool digest_of_numbers(const char *where, heed_tensor *x, uint64_t *digest)
{
    heed_tensor *dense = heed__dense(where, x);
    if (!dense)
        return false;
    *digest = x->dtype == HEED_F32 ? digest_of_elements(HEED_F32, dense->data, dense->numel)
                                   : digest_of_elements(HEED_F64, dense->data, dense->numel);
    heed_release(dense);
    return true;
}

/* Digest of the ops in a part of the graph, in the order of the walk, and of the leaves and outside results that they
 * lead to. */
static uint64_t digest_of_graph(const heed__walk *subgraph)
{
    uint64_t digest = subgraph->n_nodes;
    for (size_t k = 0; k < subgraph->n_nodes; k++) {
        const heed__node *node = subgraph->nodes[k];
        digest = mix_digest(digest, (uintptr_t)node->op);
        for (int e = 0; e < node->n_inputs; e++) {
            const heed__edge *edge = &node->edges[e];
            const bool inside = edge->node && edge->node->number > subgraph->floor;
            digest = mix_digest(digest, (uintptr_t)edge->leaf);
            digest = mix_digest(digest, inside ? 1 : (uintptr_t)edge->node);
        }
    }
    return digest;
}

/* -- The second run ------------------------------------------------------------------------------------------------ */

static bool matches_first_run(const char *where, const heed_tensor *y, const heed__node *node, const heed__draws *draws,
                              uint64_t floor)
{
    const heed__tensor_meta *before = &heed__node_results(node)->meta;
    if (y->dtype != before->dtype || !heed__meta_has_shape(before, &y->shape))
        return heed_fail_false(HEED_ERR_STATE, where,
                               "a checkpointed function returned %s %s in its first run, but %s %s in its second",
                               heed_dtype_name(before->dtype), heed_shape_text(heed__meta_shape(before)).s,
                               heed_dtype_name(y->dtype), heed_shape_text(y->shape).s);
    if (!y->producer || y->producer->number <= floor)
        return heed_fail_false(HEED_ERR_STATE, where, "a checkpointed function computes nothing in its second run");
    return draws->next == draws->count ||
           heed_fail_false(HEED_ERR_STATE, where,
                           "a checkpointed function drew %zu times in its first run, but %zu times in its second",
                           draws->count, draws->next);
}

/* Checks that y has the same numbers as in the first run, and that the same ops computed it from the same tensors. */
static bool repeats_first_run(const char *where, heed_tensor *y, const params *c, uint64_t floor)
{
    uint64_t numbers;
    if (!digest_of_numbers(where, y, &numbers))
        return false;
    if (numbers != c->numbers)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "a checkpointed function returned different numbers in %s %s in its second run: "
                               "the function, and the buffers, flags and counters that it reads, must not change "
                               "before the backward pass",
                               heed_dtype_name(y->dtype), heed_shape_text(y->shape).s);
    heed__walk subgraph;
    bool same = heed__walk_subgraph(&subgraph, where, y, floor, NULL) &&
                (digest_of_graph(&subgraph) == c->graph ||
                 heed_fail_false(HEED_ERR_STATE, where,
                                 "a checkpointed function computed the same numbers by different ops, or from "
                                 "different tensors, in its second run"));
    heed__walk_end(&subgraph);
    return same;
}

bool heed_is_recomputing(void)
{
    const heed__draws *draws = heed__thread()->draws;
    return draws && draws->repeating;
}

bool heed__recompute(const heed__pass *p, heed__node *node)
{
    const params *c = heed__node_params(node);
    heed_tensor *const *kept = heed__node_saved(node);
    const heed_tensor *positions = kept[node->n_inputs - 1];
    heed__draws draws = {.positions = (heed__stream_position *)(void *)positions->data,
                         .count = (size_t)positions->shape.dims[0],
                         .repeating = true};
    const uint64_t floor = raise_clock(kept, c->n_inputs);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    (void)heed_set_grad_enabled(true);
    heed_tensor *y = heed_set_matmul_precision(c->precision) == HEED_OK ? run_function(c, kept, &draws) : NULL;
    y = heed_scope_return(scope, y);
    return y && matches_first_run(p->where, y, node, &draws, floor) && repeats_first_run(p->where, y, c, floor) &&
           heed__pass_through(p, y, p->walk.output_grads[node->first_grad], floor);
}

/* -- The first run ------------------------------------------------------------------------------------------------- */

/* Sets used[i] = input for every input that the edge leads to; one tensor may be several inputs. Returns false if the
 * edge leads to no input. */
static bool mark_used(const heed__edge *edge, heed_tensor *const *inputs, int n, heed_tensor **used)
{
    bool found = false;
    for (int i = 0; i < n; i++)
        if (edge->node ? inputs[i]->producer == edge->node && inputs[i]->output_index == edge->output
                       : inputs[i] == edge->leaf) {
            used[i] = inputs[i];
            found = true;
        }
    return found;
}

/* Sets used[i] to input i for every input that the subgraph leads to. If the subgraph leads to the result of an op
 * outside it that is not an input, calls heed_fail and returns false. */
static bool find_used(const heed__walk *subgraph, heed_tensor *const *inputs, int n, heed_tensor **used)
{
    for (size_t k = 0; k < subgraph->n_nodes; k++) {
        const heed__node *node = subgraph->nodes[k];
        for (int e = 0; e < node->n_inputs; e++) {
            const heed__edge *edge = &node->edges[e];
            if (!edge->leaf && (!edge->node || edge->node->number > subgraph->floor))
                continue;
            if (!mark_used(edge, inputs, n, used) && edge->node)
                return heed_fail_false(HEED_ERR_UNSUPPORTED, "checkpointed",
                                       "fn uses a result of %s, of shape %s, that is not among its inputs",
                                       edge->node->op->name, heed_shape_text(heed__meta_shape(&edge->meta)).s);
        }
    }
    return true;
}

static bool contains(const heed_tensor *t, heed_tensor *const *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == t)
            return true;
    return false;
}

/* Lists the inputs of the node: the function's inputs (detached if they are unused), then other leaves, then the draws.
 * Returns their number, or 0 after heed_fail. */
static int gather_inputs(const heed__walk *subgraph, heed_tensor *const *inputs, int n, const heed__draws *draws,
                         heed_tensor **list)
{
    if (!find_used(subgraph, inputs, n, list))
        return 0;
    for (int i = 0; i < n; i++)
        if (!list[i] && !(list[i] = inputs[i]->requires_grad ? heed_detach(inputs[i]) : inputs[i]))
            return 0;
    int count = n;
    for (size_t i = 0; i < subgraph->leaves.count; i++) {
        heed_tensor *leaf = heed__walk_leaves(subgraph)[i].leaf;
        if (!contains(leaf, list, n))
            list[count++] = leaf;
    }
    heed_tensor *positions = heed__tensor_new("checkpointed", HEED_I64, &HEED_SHAPE((int64_t)draws->count, 2));
    if (positions && draws->count > 0)
        memcpy(positions->data, draws->positions, draws->count * sizeof *draws->positions);
    list[count] = positions;
    return positions ? count + 1 : 0;
}

/* Returns y detached from its graph: one node leads to the inputs and to the leaves of that part. */
static heed_tensor *replace_graph(const heed__walk *subgraph, const params *c, heed_tensor *const *inputs,
                                  const heed__draws *draws, heed_tensor *y)
{
    const size_t bytes = ((size_t)c->n_inputs + subgraph->leaves.count + 1) * sizeof(heed_tensor *);
    heed_tensor **list = heed__alloc("checkpointed", bytes);
    if (!list)
        return NULL;
    memset(list, 0, bytes);
    heed_tensor *result = NULL;
    const heed_call call = {.op = &heed__op_checkpointed,
                            .params = c,
                            .n_inputs = gather_inputs(subgraph, inputs, c->n_inputs, draws, list),
                            .inputs = list};
    if (call.n_inputs > 0 && (result = heed_detach(y)) && !heed__record(heed__thread(), &call, &result))
        result = NULL;
    heed_free(list, bytes);
    return result;
}

static heed_tensor *first_run(params *c, heed_tensor *const *inputs, heed__draws *draws)
{
    const uint64_t floor = raise_clock(inputs, c->n_inputs);
    heed_tensor *y = run_function(c, inputs, draws);
    if (!y || !y->producer || y->producer->number <= floor)
        return y;
    heed__walk subgraph;
    heed_tensor *result = NULL;
    if (heed__walk_subgraph(&subgraph, "checkpointed", y, floor, NULL) &&
        digest_of_numbers("checkpointed", y, &c->numbers)) {
        c->graph = digest_of_graph(&subgraph);
        result = replace_graph(&subgraph, c, inputs, draws, y);
    }
    heed__walk_end(&subgraph);
    return result;
}

heed_tensor *heed_checkpointed(heed_function fn, void *user, heed_tensor *const *inputs, int n_inputs)
{
    HEED_ENTER("checkpointed");
    if (!fn || !inputs)
        return heed_fail_null(HEED_ERR_ARGUMENT, "checkpointed", "%s is NULL", fn ? "the list of inputs" : "fn");
    if (n_inputs < 1 || n_inputs > HEED_MAX_INPUTS / 2)
        return heed_fail_null(HEED_ERR_ARGUMENT, "checkpointed", "%d inputs: must be 1 to %d", n_inputs,
                              HEED_MAX_INPUTS / 2);
    for (int i = 0; i < n_inputs; i++)
        if (!heed__check_tensor("checkpointed", inputs[i]))
            return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    params c = {.fn = fn, .user = user, .n_inputs = n_inputs, .precision = heed_matmul_precision()};
    heed__draws draws = {.positions = NULL};
    heed_tensor *y = first_run(&c, inputs, &draws);
    heed_free(draws.positions, draws.capacity * sizeof *draws.positions);
    return heed_scope_return(scope, y);
}
