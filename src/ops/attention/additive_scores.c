/* ops/attention/additive_scores.c - the scores of additive attention, see attention.h. The features tanh(a + b), (N, Q,
 * K, h), are never stored, unless a gradient is to be differentiated again. Hidden keys affect neither the result nor a
 * gradient of any order. With t = tanh(a_i + b_j) and sums over the visible pairs of a row i and a key j:
 *
 *     da_i = sum over j of g_ij w (1 - t^2)    db_j = sum over i of g_ij w (1 - t^2)    dw = sum over both of g_ij t
 *
 * The gradient kernel recomputes t. Scores are computed in blocks of rows, and gradients in blocks of hidden units,
 * because no sum extends over several hidden units. If there are few blocks of hidden units, rows are also split into
 * chunks, whose contributions to db and dw are added afterwards.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/parallel.h"
#include "ops/attention/attention.h"

static const char where[] = "additive_scores";

/* The inputs; VALID_LENS is optional. */
enum { A, B, W, VALID_LENS, MOST_INPUTS };

typedef struct scores_params {
    bool causal;
} scores_params;

/* -- Kernel calls -------------------------------------------------------------------------------------------------- */

/* Minimum work of a range of the parallel loop, in pairs times hidden units. */
enum { RANGE_WORK = 32768 };

typedef struct scores_job {
    heed_dtype dtype;
    heed__additive_args one; /* the first batch element, but with the lengths of all batch elements */
    int64_t batch, size;     /* `size`: bytes per element */
    int64_t blocks;          /* blocks of rows (scores) or hidden units (gradients) per batch element */
    int64_t chunks;          /* chunks of rows, for gradients */
    char *scores;            /* the scores or their gradient */
    char *da, *db, *dw;      /* (N, Q, h), (N, chunks, K, h), (N, chunks, h) */
    char *lost;              /* rounding errors of da, for sums over many keys; else NULL */
} scores_job;

static heed__visibility visibility_of(const heed_call *call)
{
    const scores_params *params = call->params;
    const int64_t *b = call->inputs[B]->shape.dims;
    return heed__visibility_of_lengths(call->n_inputs > VALID_LENS ? call->inputs[VALID_LENS] : NULL, b[0], b[1],
                                       params->causal);
}

/* a, b and w must be contiguous. */
static scores_job job_of(const heed_call *call, const heed_tensor *a, const heed_tensor *b, const heed_tensor *w)
{
    return (scores_job){.dtype = a->dtype,
                        .one = {.rows = a->shape.dims[1],
                                .keys = b->shape.dims[1],
                                .units = a->shape.dims[2],
                                .a = a->data,
                                .b = b->data,
                                .w = w->data,
                                .visibility = visibility_of(call)},
                        .batch = a->shape.dims[0],
                        .size = (int64_t)heed_dtype_size(a->dtype)};
}

/* The arguments for rows begin .. end - 1 of a batch element. */
static heed__additive_args args_of(const scores_job *job, int64_t batch, int64_t begin, int64_t end)
{
    heed__additive_args args = job->one;
    args.rows = end - begin;
    args.a = (const char *)args.a + (batch * job->one.rows + begin) * args.units * job->size;
    args.lost = job->lost ? job->lost + (batch * job->one.rows + begin) * args.units * job->size : NULL;
    args.b = (const char *)args.b + batch * args.keys * args.units * job->size;
    heed__visibility_move(&job->one.visibility, batch, &args.visibility);
    args.first = begin;
    return args;
}

static int64_t end_of(int64_t begin, int64_t size, int64_t n)
{
    return n - begin < size ? n : begin + size;
}

static void score_blocks(int64_t begin, int64_t end, char *scratch, void *context)
{
    const scores_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t batch = i / job->blocks, row = i % job->blocks * HEED_ADDITIVE_ROWS;
        heed__additive_args args = args_of(job, batch, row, end_of(row, HEED_ADDITIVE_ROWS, job->one.rows));
        HEED__RUN(additive_scores, job->dtype, &args,
                  job->scores + (batch * job->one.rows + row) * args.keys * job->size, scratch);
    }
}

static void grad_blocks(int64_t begin, int64_t end, char *scratch, void *context)
{
    const scores_job *job = context;
    int64_t rows = heed__ceil_div(job->one.rows, job->chunks);
    for (int64_t i = begin; i < end; i++) {
        int64_t chunk = i / job->blocks, unit = i % job->blocks * HEED_ADDITIVE_UNITS;
        int64_t batch = chunk / job->chunks, row = chunk % job->chunks * rows, first = batch * job->one.rows + row;
        heed__additive_args args = args_of(job, batch, row, end_of(row, rows, job->one.rows));
        const heed__additive_grads grads = {.g = job->scores + first * args.keys * job->size,
                                            .da = job->da + first * args.units * job->size,
                                            .db = job->db + chunk * args.keys * args.units * job->size,
                                            .dw = job->dw + chunk * args.units * job->size};
        HEED__RUN(additive_grad, job->dtype, &args, &grads, unit, end_of(unit, HEED_ADDITIVE_UNITS, args.units),
                  scratch);
    }
}

/* Runs fn over n items of cost `work`, with `scratch` bytes of scratch memory. Returns false after heed_fail. */
static bool run_job(scores_job *job, int64_t n, int64_t work, int64_t scratch, heed__scratch_fn *fn)
{
    int64_t grain = work < RANGE_WORK ? RANGE_WORK / (work + 1) + 1 : 1;
    return heed__parallel_for_scratch(where, n, grain, work, scratch, fn, job);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool infer(const heed_call *call, heed_meta *out)
{
    const int64_t *a = call->inputs[A]->shape.dims, *b = call->inputs[B]->shape.dims;
    out->dtype = call->inputs[A]->dtype;
    out->shape = HEED_SHAPE(a[0], a[1], b[1]);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    scores_job job = job_of(call, call->inputs[A], call->inputs[B], call->inputs[W]);
    job.scores = out[0]->data;
    job.blocks = heed__ceil_div(job.one.rows, HEED_ADDITIVE_ROWS);
    return run_job(&job, job.batch * job.blocks, HEED_ADDITIVE_ROWS * job.one.keys * job.one.units,
                   HEED__RUN(additive_scores, job.dtype, &job.one, NULL, NULL), score_blocks);
}

/* Masks both inputs and results, because 0 times NaN is NaN in these ops and in their derivatives. */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__visibility visibility = visibility_of(call);
    heed_tensor *sums = heed_add(heed_unsqueeze(call->inputs[A], 2), heed_unsqueeze(call->inputs[B], 1));
    heed_tensor *t = heed_tanh(heed__where_visible(sums, &visibility, 0));
    heed_tensor *visible = heed__where_visible(heed_unsqueeze(g[0], 3), &visibility, 0);
    dx[W] = heed_mul(visible, t);
    heed_tensor *slope = heed_mul(heed_mul(visible, call->inputs[W]), heed_rsub_scalar(heed_square(t), 1.0));
    slope = heed__where_visible(slope, &visibility, 0);
    dx[A] = heed_sum_axes(slope, HEED_AXES(2), false);
    dx[B] = heed_sum_axes(slope, HEED_AXES(1), false);
}

/* Rows are split into chunks of at least MIN_ROWS, aiming at ENOUGH_BLOCKS blocks of work in all. */
enum { ENOUGH_BLOCKS = 16, MIN_ROWS = 64 };

static int64_t chunks_of(const scores_job *job)
{
    int64_t most = job->one.rows / MIN_ROWS, desired = ENOUGH_BLOCKS / (job->batch * job->blocks + 1);
    return desired < 1 || most < 1 ? 1 : desired < most ? desired : most;
}

/* Computes da, db and dw, which must be contiguous. Returns false after heed_fail. */
static bool find_gradients(scores_job *job, heed_tensor *da, heed_tensor *db, heed_tensor *dw)
{
    const int64_t units = job->one.units, keys = job->one.keys;
    heed_tensor *db_chunks = db, *lost = heed__is_long(keys) ? heed__new_zeros(where, da->dtype, &da->shape) : NULL;
    if (job->chunks > 1)
        db_chunks = heed__new_zeros(where, db->dtype, &HEED_SHAPE(job->batch, job->chunks, keys, units));
    heed_tensor *dw_chunks = heed__tensor_new(where, db->dtype, &HEED_SHAPE(job->batch * job->chunks, units));
    if (!db_chunks || !dw_chunks || (heed__is_long(keys) && !lost))
        return false;
    job->lost = lost ? lost->data : NULL;
    job->da = da->data;
    job->db = db_chunks->data;
    job->dw = dw_chunks->data;
    int64_t work = heed__ceil_div(job->one.rows, job->chunks) * keys * HEED_ADDITIVE_UNITS;
    const int64_t scratch = HEED__RUN(additive_grad, job->dtype, &job->one, NULL, 0, 0, NULL);
    if (!run_job(job, job->batch * job->chunks * job->blocks, work, scratch, grad_blocks))
        return false;
    if (job->chunks > 1)
        HEED__RUN(sum, job->dtype, job->batch, job->chunks, keys * units, job->db, db->data);
    HEED__RUN(sum, job->dtype, 1, job->batch * job->chunks, units, job->dw, dw->data);
    return true;
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *a = heed_contiguous(call->inputs[A]), *b = heed_contiguous(call->inputs[B]);
    heed_tensor *w = heed_contiguous(call->inputs[W]), *scores = heed_contiguous(g[0]);
    if (!a || !b || !w || !scores)
        return;
    scores_job job = job_of(call, a, b, w);
    job.blocks = heed__ceil_div(job.one.units, HEED_ADDITIVE_UNITS);
    job.chunks = chunks_of(&job);
    job.scores = scores->data;
    heed_tensor *da = heed__new_zeros(where, a->dtype, &a->shape), *db = heed__new_zeros(where, b->dtype, &b->shape);
    heed_tensor *dw = heed__tensor_new(where, w->dtype, &w->shape);
    if (!da || !db || !dw || !find_gradients(&job, da, db, dw))
        return;
    dx[A] = da;
    dx[B] = db;
    dx[W] = dw;
}

/* Forward computes h values of tanh and h products for every pair of row and key. Backward computes these values again
 * and adds them to three sums. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, A), b = heed_call_shape(call, B);
    const int64_t one = heed__numel(&a) * b.dims[1];
    return call->outputs ? 3 * one : one;
}

static const heed_op additive_scores = {
    .name = "additive_scores",
    .n_inputs = VALID_LENS,
    .max_inputs = MOST_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(scores_params),
    .fields = HEED_FIELDS(HEED_FIELD(scores_params, causal)),
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed__additive_scores(heed_tensor *a, heed_tensor *b, heed_tensor *w, heed_tensor *valid_lens, bool causal)
{
    return heed_apply(&additive_scores, (heed_tensor *[]){a, b, w, valid_lens}, valid_lens ? MOST_INPUTS : VALID_LENS,
                      &(scores_params){causal});
}
