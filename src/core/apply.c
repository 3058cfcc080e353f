/* core/apply.c - applies an op: checks the call, infers the outputs, computes and records. Every op, the library's and
 * users', runs through here.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/op.h>

#include <string.h>

#include "core/instrumentation.h"
#include "core/loop.h"
#include "core/memory.h"
#include "core/node.h"
#include "kernels/kernels.h"

/* -- Properties of inputs -- */

static bool has_input(const char *where, const heed_call *call, int input)
{
    if (call && input >= 0 && input < call->n_inputs)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "there is no input %d", input);
}

/* Returns the node of the call whose backward rule is running; NULL in forward. */
static inline const heed__node *node_of(const heed_call *call)
{
    return call->outputs ? heed__thread()->rule : NULL;
}

static inline heed_dtype dtype_of(const heed_call *call, int input)
{
    const heed__node *node = node_of(call);
    return node ? node->edges[input].meta.dtype : call->inputs[input]->dtype;
}

/* Writes through a pointer: returning the shape by value would measurably slow every op. */
static inline void get_shape(const heed_call *call, int input, heed_shape *shape)
{
    const heed__node *node = node_of(call);
    if (node)
        *shape = heed__meta_shape(&node->edges[input].meta);
    else
        *shape = call->inputs[input]->shape;
}

heed_shape heed_call_shape(const heed_call *call, int input)
{
    if (!has_input("call_shape", call, input))
        return HEED_SCALAR;
    heed_shape shape;
    get_shape(call, input, &shape);
    return shape;
}

heed_dtype heed_call_dtype(const heed_call *call, int input)
{
    if (!has_input("call_dtype", call, input))
        return HEED_F32;
    return dtype_of(call, input);
}

bool heed_call_needs(const heed_call *call, int input)
{
    const heed__node *node = has_input("call_needs", call, input) ? node_of(call) : NULL;
    return node && node->edges[input].needed;
}

/* -- Common rules -- */

HEED_COLD static bool fail_float(const heed_call *call, int i)
{
    return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "argument %d is %s of shape %s, not f32 or f64", i + 1,
                           heed_dtype_name(dtype_of(call, i)), heed_shape_text(heed_call_shape(call, i)).s);
}

static bool has_out(const char *where, const heed_meta *out)
{
    return out || heed_fail(HEED_ERR_ARGUMENT, where, "out is NULL") == HEED_OK;
}

bool heed_infer_same(const heed_call *call, heed_meta *out)
{
    const char *where = "infer_same";
    if (!has_input(where, call, 0) || !has_out(where, out))
        return false;
    if (!heed_dtype_is_float(dtype_of(call, 0)))
        return fail_float(call, 0);
    out->dtype = dtype_of(call, 0);
    get_shape(call, 0, &out->shape);
    return true;
}

HEED_COLD static bool fail_dtypes(const heed_call *call, int i)
{
    return heed_fail_false(HEED_ERR_DTYPE, call->op->name,
                           "argument 1 is %s of shape %s and argument %d is %s of shape %s: must both be f32 or both "
                           "f64 (heed_to_dtype converts)",
                           heed_dtype_name(dtype_of(call, 0)), heed_shape_text(heed_call_shape(call, 0)).s, i + 1,
                           heed_dtype_name(dtype_of(call, i)), heed_shape_text(heed_call_shape(call, i)).s);
}

HEED_NOINLINE static bool join_input(const heed_call *call, int i, heed_meta *out)
{
    heed_dtype dtype = dtype_of(call, i);
    heed_shape shape = heed_call_shape(call, i);
    if (!heed_dtype_is_float(dtype) || dtype != out->dtype)
        return fail_dtypes(call, i);
    if (!heed_shape_broadcast(out->shape, shape, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "shapes %s and %s do not broadcast",
                               heed_shape_text(out->shape).s, heed_shape_text(shape).s);
    return true;
}

/* Returns true if input i has the dtype and shape found so far, so that join_input need not run. This is the common
 * case, and fast to check. In backward, where inputs may be missing, the result is always false. */
static inline bool is_like_first_input(const heed_call *call, int i, const heed_meta *out)
{
    const heed_tensor *x = call->outputs ? NULL : call->inputs[i];
    return x && x->dtype == out->dtype && heed__same_shape(&x->shape, &out->shape);
}

bool heed_infer_broadcast(const heed_call *call, heed_meta *out)
{
    const char *where = "infer_broadcast";
    if (!has_input(where, call, 0) || !has_out(where, out))
        return false;
    if (!heed_dtype_is_float(dtype_of(call, 0)))
        return call->n_inputs > 1 ? fail_dtypes(call, 1) : fail_float(call, 0);
    out->dtype = dtype_of(call, 0);
    get_shape(call, 0, &out->shape);
    for (int i = 1; i < call->n_inputs; i++)
        if (!is_like_first_input(call, i, out) && !join_input(call, i, out))
            return false;
    return true;
}

/* -- Checks -- */

/* Fails if HEED_ISA names kernels unavailable here. Falling back to others could change the last bits. */
HEED_COLD static bool require_kernels(const char *where)
{
    const char *named;
    if (heed__choose_isa(&named))
        return true;
    char list[64];
    heed__list_isas(list, sizeof list);
    return heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "the environment variable HEED_ISA is \"%.64s\": here it may be %s", named, list);
}

HEED_COLD static bool fail_argument(const heed_op *op, const heed_tensor *x, int i)
{
    char what[32];
    (void)snprintf(what, sizeof what, "argument %d", i + 1);
    return heed__fail_tensor(op->name, what, x);
}

static inline bool is_sound(const heed_op *op)
{
    if (op->view)
        return op->n_inputs >= 1 && op->n_outputs == 1 && !(op->saved & HEED_SAVE_OUTPUTS);
    return op->n_inputs >= 0 && op->n_outputs >= 1 && op->n_outputs <= HEED_MAX_OUTPUTS && op->infer && op->forward;
}

/* Fails with the reason why the op is invalid. */
HEED_COLD static bool fail_op(const char *name, const heed_op *op)
{
    const int fewest = op->view ? 1 : 0;
    if (op->n_inputs < fewest)
        return heed_fail_false(HEED_ERR_ARGUMENT, name, ".n_inputs is %d: must be at least %d%s", op->n_inputs, fewest,
                               op->view ? " with .view" : "");
    if (op->view && op->n_outputs == 1)
        return heed_fail_false(HEED_ERR_ARGUMENT, name, ".saved is %#x: must not include HEED_SAVE_OUTPUTS with .view",
                               op->saved);
    if (op->view || op->n_outputs < 1 || op->n_outputs > HEED_MAX_OUTPUTS)
        return heed_fail_false(HEED_ERR_ARGUMENT, name, ".n_outputs is %d: must be 1 to %d, and 1 with .view",
                               op->n_outputs, HEED_MAX_OUTPUTS);
    return heed_fail_false(HEED_ERR_ARGUMENT, name, ".%s and .view are NULL: one of them must be set",
                           op->infer ? "forward" : "infer");
}

HEED_COLD static bool fail_count(const char *name, const heed_op *op, int n_inputs, int max_inputs_allowed)
{
    char other[24] = "";
    if (max_inputs_allowed > op->n_inputs)
        (void)snprintf(other, sizeof other, " to %d", max_inputs_allowed);
    return heed_fail_false(HEED_ERR_ARGUMENT, name, "n_inputs is %d: must be %d%s", n_inputs, op->n_inputs, other);
}

HEED_COLD static bool fail_null(const char *name, const char *what)
{
    return heed_fail_false(HEED_ERR_ARGUMENT, name, "%s is NULL", what);
}

static inline const char *op_name(const heed_op *op)
{
    return op->name ? op->name : "apply";
}

/* Sets *computed, which is false before, if some inputs are computed tensors. */
static inline bool check_op_call(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                                 bool *computed)
{
    if (!op)
        return fail_null("apply", "op");
    if (!is_sound(op))
        return fail_op(op_name(op), op);
    int max_inputs_allowed = op->max_inputs ? op->max_inputs : op->n_inputs;
    if (max_inputs_allowed > HEED_MAX_INPUTS)
        max_inputs_allowed = HEED_MAX_INPUTS;
    if (n_inputs < op->n_inputs || n_inputs > max_inputs_allowed)
        return fail_count(op_name(op), op, n_inputs, max_inputs_allowed);
    if (n_inputs > 0 && !inputs)
        return fail_null(op_name(op), "inputs");
    for (int i = 0; i < n_inputs; i++) {
        if (!heed__is_live(inputs[i]))
            return fail_argument(op, inputs[i], i);
        *computed |= inputs[i]->computed;
    }
    if (op->params_size > 0 && !params)
        return heed_fail_false(HEED_ERR_ARGUMENT, op_name(op), "params is NULL: must be %zu bytes", op->params_size);
    return heed__isa_chosen() || require_kernels(op_name(op));
}

/* Sets an error for a rule that returned false without setting one. */
static bool failed(const heed_op *op, const char *rule)
{
    return heed_fail_false(HEED_ERR_STATE, op->name, "%s failed", rule);
}

/* Runs forward on contiguous copies of the non-contiguous inputs. */
static bool forward_dense(const heed_call *call, heed_tensor *const *outputs)
{
    size_t bytes = (size_t)call->n_inputs * sizeof(heed_tensor *);
    heed_tensor **dense = heed__alloc(call->op->name, bytes);
    if (!dense)
        return false;
    bool ok = true;
    for (int i = 0; i < call->n_inputs; i++) {
        dense[i] = heed__dense(call->op->name, call->inputs[i]);
        ok = ok && dense[i];
    }
    heed_call dense_call = *call;
    dense_call.inputs = dense;
    ok = ok && (call->op->forward(&dense_call, outputs) || failed(call->op, "forward"));
    for (int i = 0; i < call->n_inputs; i++)
        heed_release(dense[i]);
    heed_free(dense, bytes);
    return ok;
}

static bool run_forward(const heed_call *call, heed_tensor *const *outputs)
{
    bool dense = true;
    for (int i = 0; i < call->n_inputs && call->op->contiguous; i++)
        dense = dense && call->inputs[i]->contiguous;
    if (!dense)
        return forward_dense(call, outputs);
    return call->op->forward(call, outputs) || failed(call->op, "forward");
}

/* Allocates and fills the outputs, which the caller owns. On failure, outputs may hold some of them. */
static bool compute_outputs(const heed_call *call, heed_tensor **outputs)
{
    const heed_op *op = call->op;
    if (op->view) {
        heed_layout layout = {.shape = {.rank = 0}};
        if (!op->view(call, &layout))
            return failed(op, "view");
        outputs[0] = heed__tensor_view(op->name, call->inputs[0], &layout);
        return outputs[0] != NULL;
    }
    heed_meta meta[HEED_MAX_OUTPUTS];
    for (int j = 0; j < op->n_outputs; j++) { /* only these fields: an entry has 80 bytes */
        meta[j].dtype = HEED_F32;
        meta[j].shape.rank = 0;
    }
    if (!op->infer(call, meta))
        return failed(op, "infer");
    for (int j = 0; j < op->n_outputs; j++) {
        outputs[j] = heed__tensor_alloc(op->name, meta[j].dtype, &meta[j].shape);
        if (!outputs[j])
            return false;
    }
    return run_forward(call, outputs);
}

static bool needs_graph(const heed_call *call)
{
    for (int i = 0; i < call->n_inputs; i++)
        if (call->inputs[i]->requires_grad)
            return true;
    return false;
}

HEED_COLD static bool release_outputs(const heed_op *op, heed_tensor **outputs)
{
    for (int j = 0; j < op->n_outputs; j++) {
        heed_release(outputs[j]);
        outputs[j] = NULL;
    }
    return false;
}

/* Borrows the outputs from `first` on through heed__borrow, which grows the full list of borrowed tensors. On failure,
 * releases the outputs not yet borrowed; the scope owns the others. */
HEED_COLD static bool borrow_rest(const heed_op *op, heed_tensor **outputs, int first)
{
    bool ok = true;
    for (int j = first; j < op->n_outputs; j++) {
        if (ok)
            ok = heed__borrow(op->name, outputs[j]) != NULL;
        else
            heed_release(outputs[j]);
    }
    for (int j = 0; j < op->n_outputs && !ok; j++)
        outputs[j] = NULL;
    return ok;
}

/* Computes and records the call. The op's rules run as callbacks. */
static inline bool run_op(heed__thread_state *self, const heed_call *call, heed_tensor **outputs)
{
    heed_callback before = heed__callback_begin(self, call->op->name);
    bool ok = compute_outputs(call, outputs);
    return heed__callback_end(self, before) && ok &&
           (self->not_recording || !needs_graph(call) || heed__record(self, call, outputs));
}

HEED_COLD static bool run_op_observed(heed__thread_state *self, const heed_call *call, heed_tensor **outputs,
                                      int n_returned, const heed__observers *observers)
{
    heed__observation o = {
        .event = {.kind = HEED_EVENT_FORWARD, .name = call->op->name ? call->op->name : "apply", .call = call}};
    const bool ok = observers->op_begins(self, &o) && run_op(self, call, outputs);
    o.event.outputs = ok ? outputs : NULL;
    o.event.n_outputs = ok ? call->op->n_outputs : 0;
    o.event.n_returned = ok ? n_returned : 0;
    return observers->op_ends(self, &o, !ok);
}

/* Applies the op to the values of its inputs, some of which are computed. It calls the public functions, because
 * apply_op would not be inlined if it called itself. */
HEED_COLD static bool apply_to_values(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                                      heed_tensor **outputs, bool returns_all)
{
    heed_tensor **values = heed__values_of(op_name(op), inputs, n_inputs);
    const bool ok = values && (returns_all ? heed_apply_all(op, values, n_inputs, params, outputs)
                                           : (outputs[0] = heed_apply(op, values, n_inputs, params)) != NULL);
    heed__values_free(values, n_inputs);
    return ok;
}

/* All of `outputs` must be NULL on entry. */
static inline bool apply_op(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                            heed_tensor **outputs, bool returns_all)
{
    bool computed = false;
    if (!check_op_call(op, inputs, n_inputs, params, &computed))
        return false;
    if (computed)
        return apply_to_values(op, inputs, n_inputs, params, outputs, returns_all);
    heed_call call = {.op = op, .params = params, .n_inputs = n_inputs, .inputs = inputs};
    heed__thread_state *self = heed__thread();
    const heed__observers *observers = heed__observers_of(self);
    bool ok = observers ? run_op_observed(self, &call, outputs, returns_all ? op->n_outputs : 1, observers)
                        : run_op(self, &call, outputs);
    if (!ok)
        return release_outputs(op, outputs);
    for (int j = 0; j < op->n_outputs; j++)
        if (!heed__borrow_here(self, outputs[j]))
            return borrow_rest(op, outputs, j);
    return true;
}

bool heed_apply_all(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                    heed_tensor **outputs)
{
    if (!outputs)
        return heed_fail_false(HEED_ERR_ARGUMENT, op && op->name ? op->name : "apply", "outputs is NULL");
    for (int j = 0; op && j < op->n_outputs && j < HEED_MAX_OUTPUTS; j++)
        outputs[j] = NULL;
    return apply_op(op, inputs, n_inputs, params, outputs, true);
}

heed_tensor *heed_apply(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params)
{
    heed_tensor *outputs[HEED_MAX_OUTPUTS] = {NULL};
    return apply_op(op, inputs, n_inputs, params, outputs, false) ? outputs[0] : NULL;
}
