/* ops/recurrence/recurrence.c    y_t = cell(x_t, w y_(t-1) + b), for all steps.
 *
 * Sequences are independent, so a thread computes all steps of a few sequences. w is packed once, for all threads.
 * Backward also computes all steps of a few sequences per thread, from the gates that forward saved; only the gradients
 * of w and b are computed for all sequences at once.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/recurrence/recurrence.h"

#include <inttypes.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/attention/visibility.h"

static const char where[] = "recurrence";

enum { X = HEED__REC_X, W, BEFORE, MORE };
enum { Y = HEED__REC_Y, AFTER, KEPT };

heed_tensor *heed__recurrence_b(const heed_call *call)
{
    const heed__recurrence_params *p = call->params;
    return p->has_b ? call->inputs[MORE] : NULL;
}

heed_tensor *heed__recurrence_lens(const heed_call *call)
{
    const heed__recurrence_params *p = call->params;
    return p->has_lens ? call->inputs[MORE + p->has_b] : NULL;
}

/* -- All sequences ------------------------------------------------------------------------------------------------- */

typedef struct recurrence_job {
    heed_dtype dtype;
    heed__recurrence_args args;
    heed__recurrence_grads grads;
    bool backward;
    int64_t size; /* bytes per element */
    int64_t rows; /* sequences processed at a time */
    char *packed;
} recurrence_job;

/* The inputs of the call must be contiguous. */
static recurrence_job job_of(const heed_call *call, heed_tensor *const *out)
{
    const heed__recurrence_params *p = call->params;
    const heed_tensor *b = heed__recurrence_b(call), *lens = heed__recurrence_lens(call), *y = out[Y];
    return (recurrence_job){.dtype = y->dtype,
                            .size = (int64_t)heed_dtype_size(y->dtype),
                            .args = {.cell = p->cell,
                                     .steps = y->shape.dims[0],
                                     .batch = y->shape.dims[1],
                                     .hidden = y->shape.dims[2],
                                     .reverse = p->reverse,
                                     .lens = lens ? (const void *)lens->data : NULL,
                                     .w = call->inputs[W]->data,
                                     .b = b ? b->data : NULL,
                                     .before = call->inputs[BEFORE]->data,
                                     .y = y->data,
                                     .after = out[AFTER]->data,
                                     .saved = p->keeps ? out[KEPT]->data : NULL}};
}

static void pack_units(int64_t begin, int64_t end, void *context)
{
    const recurrence_job *job = context;
    HEED__RUN(recurrence_pack, job->dtype, &job->args, job->backward, begin, end, job->packed);
}

static void run_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const recurrence_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i * job->rows, rest = job->args.batch - first;
        const int64_t last = rest < job->rows ? job->args.batch : first + job->rows;
        if (job->backward)
            HEED__RUN(recurrence_grad, job->dtype, &job->args, &job->grads, first, last, scratch);
        else
            HEED__RUN(recurrence, job->dtype, &job->args, first, last, scratch);
    }
}

/* With packed weights, the number of sequences processed at a time does not affect the result. Otherwise the product's
 * order of summation may depend on that number, which must therefore not depend on the number of threads. Returns false
 * after heed_fail. */
static bool run_sequences(recurrence_job *job)
{
    const heed__recurrence_args *args = &job->args;
    const int64_t each = heed__ceil_div(args->batch, heed_num_threads());
    const int64_t numbers = heed__cell_sizes_of(args->cell).gates * args->hidden;
    job->rows = !job->args.packed || each > HEED_RECURRENCE_ROWS ? HEED_RECURRENCE_ROWS : each < 1 ? 1 : each;
    if (job->rows > args->batch && args->batch > 0)
        job->rows = args->batch;
    const int64_t scratch = job->backward ? HEED__RUN(recurrence_grad, job->dtype, args, NULL, 0, job->rows, NULL)
                                          : HEED__RUN(recurrence, job->dtype, args, 0, job->rows, NULL);
    return heed__parallel_for_scratch(where, heed__ceil_div(args->batch, job->rows), 1,
                                      1 + job->rows * args->steps * numbers * (8 + args->hidden / 8), scratch, run_rows,
                                      job);
}

/* Returns false after heed_fail. */
static bool run_recurrence(recurrence_job *job)
{
    const heed__recurrence_args *args = &job->args;
    if (args->steps < 2 || args->hidden == 0 || args->batch <= HEED_RECURRENCE_FEW / args->steps)
        return run_sequences(job);
    const size_t bytes = (size_t)(heed__recurrence_packed(args) * job->size);
    job->packed = heed__alloc(where, bytes);
    if (!job->packed)
        return false;
    job->args.packed = job->packed;
    const int64_t numbers = heed__cell_sizes_of(args->cell).gates * args->hidden;
    heed__parallel_for(heed__ceil_div(args->hidden, HEED_MATMUL_COLUMNS), 1, HEED_MATMUL_COLUMNS * numbers, pack_units,
                       job);
    const bool ok = run_sequences(job);
    heed_free(job->packed, bytes);
    return ok;
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool unfit(const heed_tensor *x, const heed_tensor *w, heed__cell_sizes sizes)
{
    return heed_fail_false(HEED_ERR_SHAPE, where, "x %s and w %s: must be (T, B, %d h) and (%d h, h)",
                           heed_shape_text(x->shape).s, heed_shape_text(w->shape).s, sizes.gates, sizes.gates);
}

static bool check_shapes(const heed_call *call, heed__cell_sizes sizes)
{
    const heed_shape *x = &call->inputs[X]->shape, *w = &call->inputs[W]->shape, *state = &call->inputs[BEFORE]->shape;
    const heed_tensor *b = heed__recurrence_b(call);
    bool ok = x->rank == 3 && w->rank == 2 && w->dims[0] % sizes.gates == 0 && w->dims[0] / sizes.gates == w->dims[1] &&
              x->dims[2] == w->dims[0];
    if (!ok)
        return unfit(call->inputs[X], call->inputs[W], sizes);
    const heed_shape expected = HEED_SHAPE(sizes.states, x->dims[1], w->dims[1]);
    if (!heed_shape_equal(*state, expected))
        return heed_fail_false(HEED_ERR_SHAPE, where, "state is %s: must be %s", heed_shape_text(*state).s,
                               heed_shape_text(expected).s);
    if (b && !heed_shape_equal(b->shape, HEED_SHAPE(w->dims[0])))
        return heed_fail_false(HEED_ERR_SHAPE, where, "b is %s: must be (%" PRId64 ")", heed_shape_text(b->shape).s,
                               w->dims[0]);
    return true;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__recurrence_params *p = call->params;
    const heed_tensor *x = call->inputs[X], *b = heed__recurrence_b(call);
    const heed__cell_sizes sizes = heed__cell_sizes_of(p->cell);
    if (!heed__check_pair(where, x, call->inputs[W]) || !heed__check_pair(where, x, call->inputs[BEFORE]) ||
        (b && !heed__check_pair(where, x, b)) || !check_shapes(call, sizes))
        return false;
    const int64_t T = x->shape.dims[0], B = x->shape.dims[1], h = call->inputs[W]->shape.dims[1];
    out[Y] = (heed_meta){x->dtype, HEED_SHAPE(T, B, h)};
    out[AFTER] = (heed_meta){x->dtype, HEED_SHAPE(sizes.states, B, h)};
    out[KEPT] = (heed_meta){x->dtype, HEED_SHAPE(p->keeps ? T : 0, B, sizes.saved * h)};
    const heed_tensor *lens = p->has_lens ? call->inputs[MORE + p->has_b] : NULL;
    if (lens && lens->shape.rank != 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "valid_lens is %s: must be (%" PRId64 ")",
                               heed_shape_text(lens->shape).s, B);
    return !lens || heed__check_lengths(where, lens, B, 1, T);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    recurrence_job job = job_of(call, out);
    job.args.x = call->inputs[X]->data;
    return run_recurrence(&job);
}

/* dw = ds^T h_before, over all steps and sequences. */
void heed__recurrence_store(const heed_call *call, heed_tensor *d_x, heed_tensor *ds, heed_tensor *h_before,
                            heed_tensor *d_before, heed_tensor **dx)
{
    const heed_shape w = heed_call_shape(call, W), x = heed_call_shape(call, X);
    const int64_t rows = x.dims[0] * x.dims[1];
    if (heed_call_needs(call, X))
        dx[X] = d_x;
    if (heed_call_needs(call, BEFORE))
        dx[BEFORE] = d_before;
    if (heed_call_needs(call, W))
        dx[W] = heed_reshape(heed_bmm_t(heed_reshape(ds, HEED_SHAPE(1, rows, w.dims[0])), true,
                                        heed_reshape(h_before, HEED_SHAPE(1, rows, w.dims[1])), false),
                             w);
    if (heed__recurrence_b(call) && heed_call_needs(call, MORE))
        dx[MORE] = heed_sum_axes(ds, HEED_SHAPE(0, 1), false);
}

/* The saved values have gradients, g[KEPT], only if a gradient is differentiated again. Public ops then compute the
 * gradients. */
static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (g[KEPT]) {
        heed__recurrence_backward(call, g, dx);
        return;
    }
    const heed__recurrence_params *p = call->params;
    const heed_dtype dtype = call->outputs[Y]->dtype;
    const heed_shape x = heed_call_shape(call, X);
    heed_tensor *g_y = g[Y] ? heed_contiguous(g[Y]) : NULL;
    heed_tensor *g_after = g[AFTER] ? heed_contiguous(g[AFTER]) : NULL;
    heed_tensor *d_x = heed_empty(dtype, x), *ds = p->cell == HEED__CELL_GRU ? heed_empty(dtype, x) : d_x;
    heed_tensor *h_before = heed_empty(dtype, call->outputs[Y]->shape);
    heed_tensor *d_before = heed_empty(dtype, call->inputs[BEFORE]->shape);
    if ((g[Y] && !g_y) || (g[AFTER] && !g_after) || !d_x || !ds || !h_before || !d_before)
        return;
    heed_tensor *dense[MORE + 2] = {NULL};
    heed_call of_dense = *call;
    of_dense.inputs = dense;
    for (int i = W; i < call->n_inputs; i++)
        if (!(dense[i] = heed_contiguous(call->inputs[i])))
            return;
    recurrence_job job = job_of(&of_dense, call->outputs);
    job.backward = true;
    job.grads = (heed__recurrence_grads){.g = g_y ? g_y->data : NULL,
                                         .g_after = g_after ? g_after->data : NULL,
                                         .dx = d_x->data,
                                         .ds = ds->data,
                                         .h_before = h_before->data,
                                         .d_before = d_before->data};
    if (run_recurrence(&job))
        heed__recurrence_store(call, d_x, ds, h_before, d_before, dx);
}

/* Forward multiplies all states by w. Backward computes one product of that size, and a second one if the gradient of w
 * is requested. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape x = heed_call_shape(call, X), w = heed_call_shape(call, W);
    const int64_t product = x.dims[0] * x.dims[1] * w.dims[0] * w.dims[1];
    return call->outputs ? product * (1 + heed_call_needs(call, W)) : product;
}

const heed_op heed_op_recurrence = {
    .name = where,
    .n_inputs = MORE,
    .max_inputs = MORE + 2,
    .n_outputs = HEED__REC_OUTPUTS,
    .params_size = sizeof(heed__recurrence_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__recurrence_params, cell), HEED_FIELD(heed__recurrence_params, reverse),
                          HEED_FIELD(heed__recurrence_params, has_b), HEED_FIELD(heed__recurrence_params, has_lens)),
    .saved = HEED_SAVE_OUTPUTS | HEED_SAVE_INPUT(1) | HEED_SAVE_INPUT(2) | HEED_SAVE_INPUT(3) | HEED_SAVE_INPUT(4),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = heed__recurrence_backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

/* -- Public function ----------------------------------------------------------------------------------------------- */

static heed_tensor *zeros_before(heed__cell cell, const heed_tensor *x, const heed_tensor *w)
{
    const heed__cell_sizes sizes = heed__cell_sizes_of(cell);
    if (x->shape.rank != 3 || w->shape.rank != 2) {
        (void)unfit(x, w, sizes);
        return NULL;
    }
    return heed_zeros(x->dtype, HEED_SHAPE(sizes.states, x->shape.dims[1], w->shape.dims[1]));
}

heed_tensor *heed_recurrence(heed_cell cell, heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_tensor *state,
                             heed_tensor *valid_lens, bool reverse, heed_tensor **final_state)
{
    HEED_ENTER(where);
    if (final_state)
        *final_state = NULL;
    if (cell < HEED_CELL_TANH || cell > HEED_CELL_LSTM)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "cell is %d: must be one of HEED_CELL_*", (int)cell);
    if (!heed__check_tensor(where, x) || !heed__check_tensor(where, w))
        return NULL;
    heed_tensor *inputs[MORE + 2] = {x, w, state ? state : zeros_before((heed__cell)cell, x, w)},
                               *out[HEED__REC_OUTPUTS];
    heed__recurrence_params p = {.cell = (heed__cell)cell, .reverse = reverse, .has_b = b, .has_lens = valid_lens};
    int n = MORE;
    if (b)
        inputs[n++] = b;
    if (valid_lens)
        inputs[n++] = valid_lens;
    for (int i = 0; i < n && heed_grad_enabled(); i++)
        p.keeps = p.keeps || (inputs[i] && heed_requires_grad(inputs[i]));
    if (!inputs[BEFORE] || !heed_apply_all(&heed_op_recurrence, inputs, n, &p, out))
        return NULL;
    if (final_state)
        *final_state = out[AFTER];
    return out[Y];
}
