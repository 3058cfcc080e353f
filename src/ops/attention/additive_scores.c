/* ops/attention/additive_scores.c - see additive_scores.h. With t = tanh(a_i + b_j), summed over visible pairs:
 *
 *     da_i = sum over j of g_ij w (1 - t^2)      db_j = sum over i of the same      dw = sum over all of g_ij t
 *
 * The gradient kernel recomputes t. Scores are computed in blocks of rows, gradients in blocks of hidden units, which
 * share no sum. If there are few of these, rows are split into chunks too, and the chunks' contributions to db are
 * added afterwards. */

#include "ops/attention/additive_scores.h"
#include "core/parallel.h"

static const char where[] = "additive_scores";

/* The inputs; LENS is optional. */
enum { A, B, W, LENS, MOST_INPUTS };

typedef struct scores_params {
    bool causal;
} scores_params;

/* -- Kernel calls -------------------------------------------------------------------------------------------------- */

/* Minimum work of a range of the parallel loop, in pairs times hidden units. */
enum { RANGE_WORK = 32768 };

typedef struct scores_run {
    heed_dtype dtype;
    heed__additive_args one; /* the first batch element, but with the lengths of all */
    int64_t batch, size;     /* `size`: bytes per element */
    int64_t blocks;          /* blocks of rows (scores) or hidden units (gradients) per batch element */
    int64_t parts;           /* chunks of rows, for gradients */
    char *scores;            /* the scores or their gradient */
    char *da, *db, *dw;      /* (N, Q, h), (N, parts, K, h), (N, parts, h) */
    char *lost;              /* rounding errors of da, for sums over many keys; else NULL */
} scores_run;

static heed__lengths lengths_of(const heed_call *call)
{
    const scores_params *params = call->params;
    const int64_t *b = call->inputs[B]->shape.dims;
    return heed__lengths_of(call->n_inputs > LENS ? call->inputs[LENS] : NULL, b[0], b[1], params->causal);
}

/* a, b and w must be contiguous. */
static scores_run run_of(const heed_call *call, const heed_tensor *a, const heed_tensor *b, const heed_tensor *w)
{
    return (scores_run){.dtype = a->dtype,
                        .one = {.rows = a->shape.dims[1],
                                .keys = b->shape.dims[1],
                                .units = a->shape.dims[2],
                                .a = a->data,
                                .b = b->data,
                                .w = w->data,
                                .lengths = lengths_of(call)},
                        .batch = a->shape.dims[0],
                        .size = (int64_t)heed_dtype_size(a->dtype)};
}

/* The arguments for rows begin .. end - 1 of a batch element. */
static heed__additive_args args_of(const scores_run *run, int64_t batch, int64_t begin, int64_t end)
{
    heed__additive_args args = run->one;
    args.rows = end - begin;
    args.a = (const char *)args.a + (batch * run->one.rows + begin) * args.units * run->size;
    args.lost = run->lost ? run->lost + (batch * run->one.rows + begin) * args.units * run->size : NULL;
    args.b = (const char *)args.b + batch * args.keys * args.units * run->size;
    args.lengths = heed__lengths_in(&args.lengths, batch);
    args.first = begin;
    return args;
}

static int64_t end_of(int64_t begin, int64_t size, int64_t n)
{
    return n - begin < size ? n : begin + size;
}

static void score_blocks(int64_t begin, int64_t end, char *scratch, void *context)
{
    const scores_run *run = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t batch = i / run->blocks, row = i % run->blocks * HEED_ADDITIVE_ROWS;
        heed__additive_args args = args_of(run, batch, row, end_of(row, HEED_ADDITIVE_ROWS, run->one.rows));
        HEED__RUN(additive_scores, run->dtype, &args,
                  run->scores + (batch * run->one.rows + row) * args.keys * run->size, scratch);
    }
}

static void grad_blocks(int64_t begin, int64_t end, char *scratch, void *context)
{
    const scores_run *run = context;
    int64_t rows = heed__ceil_div(run->one.rows, run->parts);
    for (int64_t i = begin; i < end; i++) {
        int64_t part = i / run->blocks, unit = i % run->blocks * HEED_ADDITIVE_UNITS;
        int64_t batch = part / run->parts, row = part % run->parts * rows, first = batch * run->one.rows + row;
        heed__additive_args args = args_of(run, batch, row, end_of(row, rows, run->one.rows));
        HEED__RUN(additive_grad, run->dtype, &args, unit, end_of(unit, HEED_ADDITIVE_UNITS, args.units),
                  run->scores + first * args.keys * run->size, run->da + first * args.units * run->size,
                  run->db + part * args.keys * args.units * run->size, run->dw + part * args.units * run->size,
                  scratch);
    }
}

/* Runs fn over n items of cost `work`, with `scratch` elements of scratch memory. Returns false after heed_fail. */
static bool run_all(scores_run *run, int64_t n, int64_t work, int64_t scratch, heed__scratch_fn *fn)
{
    int64_t grain = work < RANGE_WORK ? RANGE_WORK / (work + 1) + 1 : 1;
    return heed__parallel_for_scratch(where, n, grain, work, scratch * run->size, fn, run);
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
    scores_run run = run_of(call, call->inputs[A], call->inputs[B], call->inputs[W]);
    run.scores = out[0]->data;
    run.blocks = heed__ceil_div(run.one.rows, HEED_ADDITIVE_ROWS);
    return run_all(&run, run.batch * run.blocks, HEED_ADDITIVE_ROWS * run.one.keys * run.one.units,
                   heed__additive_scratch(run.one.units), score_blocks);
}

/* Masks both inputs and results, because 0 times NaN is NaN, here and in the derivatives of this. */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__lengths lengths = lengths_of(call);
    heed_tensor *sums = heed_add(heed_unsqueeze(call->inputs[A], 2), heed_unsqueeze(call->inputs[B], 1));
    heed_tensor *t = heed_tanh(heed__where_visible(sums, &lengths, 0));
    heed_tensor *visible = heed__where_visible(heed_unsqueeze(g[0], 3), &lengths, 0);
    dx[W] = heed_mul(visible, t);
    heed_tensor *slope = heed_mul(heed_mul(visible, call->inputs[W]), heed_rsub_scalar(heed_square(t), 1.0));
    slope = heed__where_visible(slope, &lengths, 0);
    dx[A] = heed_sum_axes(slope, HEED_AXES(2), false);
    dx[B] = heed_sum_axes(slope, HEED_AXES(1), false);
}

/* Rows are split into chunks of at least MIN_ROWS, aiming at ENOUGH_BLOCKS blocks of work in all. */
enum { ENOUGH_BLOCKS = 16, MIN_ROWS = 64 };

static int64_t parts_of(const scores_run *run)
{
    int64_t most = run->one.rows / MIN_ROWS, wanted = ENOUGH_BLOCKS / (run->batch * run->blocks + 1);
    return wanted < 1 || most < 1 ? 1 : wanted < most ? wanted : most;
}

/* Computes da, db and dw, which must be contiguous. Returns false after heed_fail. */
static bool find_gradients(scores_run *run, heed_tensor *da, heed_tensor *db, heed_tensor *dw)
{
    const int64_t units = run->one.units, keys = run->one.keys;
    heed_tensor *shares = db, *lost = heed__is_long(keys) ? heed__new_zeros(where, da->dtype, &da->shape) : NULL;
    if (run->parts > 1)
        shares = heed__new_zeros(where, db->dtype, &HEED_SHAPE(run->batch, run->parts, keys, units));
    heed_tensor *shares_of_w = heed__tensor_new(where, db->dtype, &HEED_SHAPE(run->batch * run->parts, units));
    if (!shares || !shares_of_w || (heed__is_long(keys) && !lost))
        return false;
    run->lost = lost ? lost->data : NULL;
    run->da = da->data;
    run->db = shares->data;
    run->dw = shares_of_w->data;
    int64_t work = heed__ceil_div(run->one.rows, run->parts) * keys * HEED_ADDITIVE_UNITS;
    if (!run_all(run, run->batch * run->parts * run->blocks, work, heed__additive_grad_scratch(), grad_blocks))
        return false;
    if (run->parts > 1)
        HEED__RUN(sum, run->dtype, run->batch, run->parts, keys * units, run->db, db->data);
    HEED__RUN(sum, run->dtype, 1, run->batch * run->parts, units, run->dw, dw->data);
    return true;
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *a = heed_contiguous(call->inputs[A]), *b = heed_contiguous(call->inputs[B]);
    heed_tensor *w = heed_contiguous(call->inputs[W]), *scores = heed_contiguous(g[0]);
    if (!a || !b || !w || !scores)
        return;
    scores_run run = run_of(call, a, b, w);
    run.blocks = heed__ceil_div(run.one.units, HEED_ADDITIVE_UNITS);
    run.parts = parts_of(&run);
    run.scores = scores->data;
    heed_tensor *da = heed__new_zeros(where, a->dtype, &a->shape), *db = heed__new_zeros(where, b->dtype, &b->shape);
    heed_tensor *dw = heed__tensor_new(where, w->dtype, &w->shape);
    if (!da || !db || !dw || !find_gradients(&run, da, db, dw))
        return;
    dx[A] = da;
    dx[B] = db;
    dx[W] = dw;
}

/* Every pair costs h tanh and products; backward recomputes the tanh and accumulates three sums of them. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, A), b = heed_call_shape(call, B);
    const int64_t one = heed__numel(&a) * b.dims[1];
    return call->outputs ? 3 * one : one;
}

static const heed_op additive_scores = {
    .name = "additive_scores",
    .n_inputs = LENS,
    .max_inputs = MOST_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(scores_params),
    .fields = HEED_FIELDS(HEED_FIELD(scores_params, causal)),
    .keeps = HEED_KEEP_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed__additive_scores(heed_tensor *a, heed_tensor *b, heed_tensor *w, heed_tensor *lens, bool causal)
{
    return heed_apply(&additive_scores, (heed_tensor *[]){a, b, w, lens}, lens ? MOST_INPUTS : LENS,
                      &(scores_params){causal});
}
