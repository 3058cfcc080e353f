/* ops/loss/ctc_loss.c    y[b] = -ln of the sum of the probabilities of all paths through the states of target b.
 *
 * dlog_probs[t, b, c] = -g[b] times the probability that a path is at class c in step t. The sums are computed as
 * logarithms in f64: alpha is the sum over all paths that lead to a state, beta the sum over all paths that continue
 * from it.
 *
 * A. Graves, S. Fernandez, F. Gomez, J. Schmidhuber: Connectionist Temporal Classification (ICML 2006). A target of s
 * labels has 2 s + 1 states: its labels and the blanks before, between and after them. From one step to the next, a
 * path stays in its state, moves to the next state, or moves from a label to the next label without the blank between
 * them, if the two labels differ.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"
#include "ops/attention/visibility.h"
#include "ops/loss/loss.h"

static const char where[] = "ctc_loss";

/* Inputs: log_probs (T, B, C), targets (B, S), input_lens (B), target_lens (B). */
typedef struct ctc_problem {
    int64_t steps, batch, classes, labels; /* T, B, C, S */
    const int64_t *targets, *input_lens, *target_lens;
    int64_t blank;
} ctc_problem;

static ctc_problem ctc_of(const heed_shape *log_probs, const heed_tensor *targets, const heed_tensor *input_lens,
                          const heed_tensor *target_lens, int64_t blank)
{
    return (ctc_problem){.steps = log_probs->dims[0],
                         .batch = log_probs->dims[1],
                         .classes = log_probs->dims[2],
                         .labels = targets->shape.dims[1],
                         .targets = (const void *)targets->data,
                         .input_lens = (const void *)input_lens->data,
                         .target_lens = (const void *)target_lens->data,
                         .blank = blank};
}

/* Returns the class of state number `state` of target b. */
static int64_t class_of(const ctc_problem *c, int64_t b, int64_t state)
{
    return state % 2 == 0 ? c->blank : c->targets[b * c->labels + state / 2];
}

/* Returns true if a path may move from state - 2 to `state` in one step. */
static bool may_skip(const ctc_problem *c, int64_t b, int64_t state)
{
    return state % 2 == 1 && state >= 2 && class_of(c, b, state) != class_of(c, b, state - 2);
}

/* -- One target ---------------------------------------------------------------------------------------------------- */

typedef struct ctc_job {
    ctc_problem ctc;
    heed_dtype dtype;
    const char *log_probs, *g;
    char *y, *dx; /* y: the losses; dx: the gradient; one of them is NULL */
} ctc_job;

static double log_prob(const ctc_job *job, int64_t t, int64_t b, int64_t class)
{
    int64_t at = (t * job->ctc.batch + b) * job->ctc.classes + class;
    return heed__load(job->dtype, job->log_probs + (size_t)at * heed_dtype_size(job->dtype));
}

/* ln(e^a + e^b + e^c) */
static double log_sum(double a, double b, double c)
{
    double most = a > b ? a : b;
    most = most > c ? most : c;
    if (isinf(most))
        return most > 0 ? most : a + b + c; /* propagates NaN */
    return most + log(exp(a - most) + exp(b - most) + exp(c - most));
}

/* Computes alpha of all n states at step t from `before`, their alpha at step t - 1. */
static void alpha_step(const ctc_job *job, int64_t t, int64_t b, int64_t n, const double *before, double *alpha)
{
    for (int64_t l = 0; l < n; l++) {
        double one = l >= 1 ? before[l - 1] : -(double)INFINITY;
        double two = may_skip(&job->ctc, b, l) ? before[l - 2] : -(double)INFINITY;
        alpha[l] = log_sum(before[l], one, two) + log_prob(job, t, b, class_of(&job->ctc, b, l));
    }
}

/* Computes beta of all n states at step t from `after`, their beta at step t + 1. */
static void beta_step(const ctc_job *job, int64_t t, int64_t b, int64_t n, const double *after, double *beta)
{
    const ctc_problem *c = &job->ctc;
    for (int64_t l = 0; l < n; l++) {
        double paths[3];
        for (int64_t k = 0; k < 3; k++) {
            bool open = l + k < n && (k < 2 || may_skip(c, b, l + 2));
            paths[k] = open ? after[l + k] + log_prob(job, t + 1, b, class_of(c, b, l + k)) : -(double)INFINITY;
        }
        beta[l] = log_sum(paths[0], paths[1], paths[2]);
    }
}

/* Computes alpha of every step and returns the loss. Writes one row per step, `stride` numbers apart; if stride is 0,
 * uses two rows in turn. */
static double all_steps_forward(const ctc_job *job, int64_t b, double *alpha, int64_t stride)
{
    const ctc_problem *c = &job->ctc;
    int64_t n = 2 * c->target_lens[b] + 1, steps = c->input_lens[b];
    double *before = alpha, *now = alpha + (stride ? stride : n);
    if (steps == 0)
        return n == 1 ? 0 : (double)INFINITY;
    for (int64_t l = 0; l < n; l++)
        before[l] = l < 2 ? log_prob(job, 0, b, class_of(c, b, l)) : -(double)INFINITY;
    for (int64_t t = 1; t < steps; t++) {
        alpha_step(job, t, b, n, before, now);
        double *next = stride ? now + stride : before;
        before = now;
        now = next;
    }
    return -log_sum(before[n - 1], n > 1 ? before[n - 2] : -(double)INFINITY, -(double)INFINITY);
}

static void add_to(const ctc_job *job, int64_t t, int64_t b, int64_t class, double value)
{
    size_t at = (size_t)((t * job->ctc.batch + b) * job->ctc.classes + class);
    if (job->dtype == HEED_F32)
        ((float *)(void *)job->dx)[at] += (float)value;
    else
        ((double *)(void *)job->dx)[at] += value;
}

/* Computes the gradient for target b. Leaves it 0 if no path has a positive probability. */
static void all_steps_back(const ctc_job *job, int64_t b, double *alpha, double *beta)
{
    const ctc_problem *c = &job->ctc;
    int64_t n = 2 * c->target_lens[b] + 1, steps = c->input_lens[b];
    double g = heed__load(job->dtype, job->g + (size_t)b * heed_dtype_size(job->dtype));
    double loss = all_steps_forward(job, b, alpha, n), *before = beta + n;
    if (isinf(loss))
        return;
    for (int64_t l = 0; l < n; l++)
        beta[l] = l >= n - 2 ? 0 : -(double)INFINITY;
    for (int64_t t = steps - 1; t >= 0; t--) {
        for (int64_t l = 0; l < n; l++) {
            double path = alpha[t * n + l] + beta[l];
            if (!(path < -DBL_MAX))
                add_to(job, t, b, class_of(c, b, l), -g * exp(path + loss));
        }
        if (t > 0)
            beta_step(job, t - 1, b, n, beta, before);
        double *now = before;
        before = beta;
        beta = now;
    }
}

static void run_targets(int64_t begin, int64_t end, char *scratch, void *context)
{
    const ctc_job *job = context;
    int64_t states = 2 * job->ctc.labels + 1;
    double *rows = (void *)scratch;
    for (int64_t b = begin; b < end; b++)
        if (job->dx)
            all_steps_back(job, b, rows + 2 * states, rows);
        else {
            double loss = all_steps_forward(job, b, rows, 0);
            (void)heed__store(where, job->dtype, job->y + (size_t)b * heed_dtype_size(job->dtype), loss);
        }
}

/* Returns false after heed_fail. */
static bool run_ctc(ctc_job *job)
{
    const ctc_problem *c = &job->ctc;
    int64_t rows = 2 + (job->dx ? c->steps : 0), states = 2 * c->labels + 1, numbers, bytes;
    if (__builtin_mul_overflow(rows, states, &numbers) ||
        __builtin_mul_overflow(numbers, (int64_t)sizeof(double), &bytes))
        return heed_fail_false(HEED_ERR_NOMEM, where, "not enough memory for %" PRId64 " steps of %" PRId64 " states",
                               rows, states);
    return heed__parallel_for_scratch(where, c->batch, 1, 64 * rows * states, bytes, run_targets, job);
}

/* -- The gradient composed of ops, step by step for all targets at once ---------------------------------------------
 *
 * An impossible event has the log probability -1e30 here instead of -inf, so that logsumexp over impossible paths still
 * has a gradient. */

#define IMPOSSIBLE -1e30

/* Tensors shared by all steps, for n = 2 S + 1 states per target. bool (B, n): `exists` is true if the target has the
 * state, `skipped_to` if a path may skip a blank to reach the state, `last` if a path may end in the state. `classes`
 * and `log_probs` (T, B, n) are the class and the log probability of every state; `impossible` is the scalar
 * IMPOSSIBLE. */
typedef struct ctc_states {
    int64_t n;
    heed_tensor *exists, *skipped_to, *last, *classes, *log_probs, *impossible;
} ctc_states;

static bool fill_states(const ctc_problem *c, const ctc_states *p)
{
    if (!p->exists || !p->skipped_to || !p->last || !p->classes)
        return false;
    bool *exists = (void *)p->exists->data, *skipped_to = (void *)p->skipped_to->data, *last = (void *)p->last->data;
    int64_t *classes = (void *)p->classes->data;
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t l = 0, n = 2 * c->target_lens[b] + 1; l < p->n; l++) {
            int64_t i = b * p->n + l;
            exists[i] = l < n;
            skipped_to[i] = l < n && may_skip(c, b, l);
            last[i] = l < n && l >= n - 2;
            classes[i] = l < n ? class_of(c, b, l) : c->blank;
        }
    return true;
}

/* Returns a bool tensor (T, B, 1): true if step t is below input_lens[b]. The log_probs of later steps may be infinite
 * or NaN. */
static heed_tensor *input_mask(const ctc_problem *c)
{
    heed_tensor *steps = heed_reshape(heed_arange(HEED_I64, 0, (double)c->steps, 1), HEED_SHAPE(c->steps, 1, 1));
    heed_tensor *lens = heed_from_array(HEED_I64, HEED_SHAPE(1, c->batch, 1), c->input_lens, c->batch);
    return heed_compare(steps, HEED_COMPARE_LT, lens);
}

static bool make_states(const ctc_problem *c, heed_tensor *log_probs, ctc_states *p)
{
    *p = (ctc_states){.n = 2 * c->labels + 1};
    heed_shape shape = HEED_SHAPE(c->batch, p->n);
    p->exists = heed_empty(HEED_BOOL, shape);
    p->skipped_to = heed_empty(HEED_BOOL, shape);
    p->last = heed_empty(HEED_BOOL, shape);
    p->classes = heed_empty(HEED_I64, shape);
    if (!fill_states(c, p))
        return false;
    p->impossible = heed_full(log_probs->dtype, HEED_SCALAR, IMPOSSIBLE);
    p->classes = heed_contiguous(heed_expand(p->classes, HEED_SHAPE(c->steps, c->batch, p->n)));
    heed_tensor *probs = heed_where(input_mask(c), heed_gather(log_probs, 2, p->classes), p->impossible);
    p->log_probs = heed_clamp(probs, IMPOSSIBLE, (double)INFINITY);
    return p->log_probs && p->impossible;
}

/* Returns a bool tensor (B, 1): true if step t is below input_lens[b]. */
static heed_tensor *has_step(const ctc_problem *c, int64_t t)
{
    heed_tensor *has = heed_empty(HEED_BOOL, HEED_SHAPE(c->batch, 1));
    for (int64_t b = 0; has && b < c->batch; b++)
        ((bool *)(void *)has->data)[b] = t < c->input_lens[b];
    return has;
}

/* Returns x shifted by `by` states, towards lower states if `by` is negative, and filled with IMPOSSIBLE. */
static heed_tensor *shifted(const ctc_states *p, heed_tensor *x, int64_t by)
{
    int64_t start = by < 0 ? -by : 0, stop = by < 0 ? p->n : p->n - by;
    heed_shape pads = HEED_SHAPE(by < 0 ? 0 : by, by < 0 ? -by : 0);
    if (start >= p->n || stop <= 0)
        return p->impossible;
    return heed_pad(heed_slice(x, 1, start, stop, 1), pads, HEED_PAD_CONSTANT, IMPOSSIBLE);
}

static heed_tensor *joined_paths(const ctc_states *p, heed_tensor *a, heed_tensor *b, heed_tensor *c)
{
    heed_tensor *sum =
        heed_logsumexp(heed_stack(HEED_TENSORS(a, heed_expand(b, a->shape), heed_expand(c, a->shape)), 0), 0, false);
    return heed_where(p->exists, sum, p->impossible);
}

static heed_tensor *alpha_after(const ctc_states *p, heed_tensor *alpha, heed_tensor *log_probs)
{
    heed_tensor *two = heed_where(p->skipped_to, shifted(p, alpha, 2), p->impossible);
    return alpha && two ? heed_add(joined_paths(p, alpha, shifted(p, alpha, 1), two), log_probs) : NULL;
}

static heed_tensor *beta_before(const ctc_states *p, heed_tensor *beta, heed_tensor *log_probs)
{
    heed_tensor *on = heed_add(beta, log_probs);
    heed_tensor *two = heed_where(p->skipped_to, on, p->impossible);
    return on && two ? joined_paths(p, on, shifted(p, on, -1), shifted(p, two, -2)) : NULL;
}

/* Computes alpha for every step, and the losses (B, 1). Returns false after heed_fail. */
static bool all_alpha(const ctc_problem *c, const ctc_states *p, heed_tensor **alpha, heed_tensor **losses)
{
    heed_tensor *first = heed_slice(p->exists, 1, 0, 2, 1), *none = heed_zeros(HEED_BOOL, HEED_SHAPE(c->batch, p->n));
    if (p->n > 2)
        first = heed_concat(HEED_TENSORS(first, heed_slice(none, 1, 2, HEED_END, 1)), 1);
    alpha[0] = heed_where(first, heed_select(p->log_probs, 0, 0), p->impossible);
    for (int64_t t = 1; alpha[t - 1] && t < c->steps; t++)
        alpha[t] =
            heed_where(has_step(c, t), alpha_after(p, alpha[t - 1], heed_select(p->log_probs, 0, t)), alpha[t - 1]);
    heed_tensor *ends = heed_where(p->last, alpha[c->steps - 1], p->impossible);
    *losses = heed_neg(heed_logsumexp(ends, 1, true));
    return *losses;
}

/* Writes to at[t] the probabilities (B, n) that a path is in each state at step t. They are 0 for targets without a
 * possible path. */
static bool all_probabilities(const ctc_problem *c, const ctc_states *p, heed_tensor *const *alpha, heed_tensor *losses,
                              heed_tensor **at)
{
    heed_tensor *zero = heed_zeros(losses->dtype, HEED_SCALAR), *end = heed_where(p->last, zero, p->impossible),
                *beta = end;
    heed_tensor *possible =
        heed_compare(losses, HEED_COMPARE_LT, heed_full(losses->dtype, HEED_SCALAR, -IMPOSSIBLE / 2));
    for (int64_t t = c->steps - 1; beta && t >= 0; t--) {
        heed_tensor *p_at = heed_exp(heed_where(possible, heed_add(heed_add(alpha[t], beta), losses), p->impossible));
        at[t] = heed_where(has_step(c, t), p_at, zero);
        if (t > 0)
            beta = heed_where(has_step(c, t), beta_before(p, beta, heed_select(p->log_probs, 0, t)), end);
    }
    return beta;
}

static heed_tensor *composed(const ctc_problem *c, heed_tensor *log_probs, heed_tensor *g, heed_tensor **alpha,
                             heed_tensor **at)
{
    ctc_states p;
    heed_tensor *losses;
    if (!make_states(c, log_probs, &p) || !all_alpha(c, &p, alpha, &losses) ||
        !all_probabilities(c, &p, alpha, losses, at))
        return NULL;
    heed_tensor *pulls = heed_mul(heed_stack(at, (int)c->steps, 0), heed_unsqueeze(heed_neg(g), -1));
    return heed_scatter_sum(pulls, 2, p.classes, log_probs->shape);
}

static heed_tensor *composed_gradient(const ctc_problem *c, heed_tensor *log_probs, heed_tensor *g)
{
    if (log_probs->numel == 0)
        return heed_zeros(log_probs->dtype, log_probs->shape);
    size_t bytes = 2 * (size_t)c->steps * sizeof(heed_tensor *);
    heed_tensor **rows = heed_calloc(1, bytes);
    if (!rows)
        return NULL;
    heed_tensor *dx = composed(c, log_probs, g, rows, rows + c->steps);
    heed_free(rows, bytes);
    return dx;
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0], *targets = call->inputs[1];
    if (!heed__check_float(where, x) || !heed__check_i64(where, "the targets", targets))
        return false;
    if (x->shape.rank != 3 || targets->shape.rank != 2 || targets->shape.dims[0] != x->shape.dims[1])
        return heed_fail_false(HEED_ERR_SHAPE, where, "log_probs %s and targets %s: must be (T, B, C) and (B, S)",
                               heed_shape_text(x->shape).s, heed_shape_text(targets->shape).s);
    int64_t blank = *(const int64_t *)call->params;
    if (blank < 0 || blank >= x->shape.dims[2])
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "blank is %" PRId64 ": must be one of %" PRId64 " classes",
                               blank, x->shape.dims[2]);
    if (call->inputs[2]->shape.rank != 1 || call->inputs[3]->shape.rank != 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "input_lens %s and target_lens %s: must be of rank 1",
                               heed_shape_text(call->inputs[2]->shape).s, heed_shape_text(call->inputs[3]->shape).s);
    *out = (heed_meta){x->dtype, HEED_SHAPE(x->shape.dims[1])};
    return heed__check_lengths(where, call->inputs[2], x->shape.dims[1], HEED_ANY_ROWS, x->shape.dims[0]) &&
           heed__check_lengths(where, call->inputs[3], x->shape.dims[1], HEED_ANY_ROWS, targets->shape.dims[1]);
}

/* Checks that the labels within target_lens are classes and not the blank. */
static bool check_labels(const ctc_problem *c)
{
    for (int64_t b = 0; b < c->batch; b++)
        for (int64_t i = 0; i < c->target_lens[b]; i++) {
            int64_t label = c->targets[b * c->labels + i];
            if (label < 0 || label >= c->classes || label == c->blank)
                return heed_fail_false(HEED_ERR_INDEX, where,
                                       "label %" PRId64 " of target %" PRId64 " is %" PRId64 ": must be one of %" PRId64
                                       " classes and not the blank",
                                       i, b, label, c->classes);
        }
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *const *in = call->inputs;
    ctc_job job = {.ctc = ctc_of(&in[0]->shape, in[1], in[2], in[3], *(const int64_t *)call->params),
                   .dtype = in[0]->dtype,
                   .log_probs = in[0]->data,
                   .y = out[0]->data};
    return check_labels(&job.ctc) && run_ctc(&job);
}

/* Returns the gradient of log_probs, computed in one pass if `fused`, else composed of ops. */
static heed_tensor *gradient(const heed_call *call, heed_tensor *g, bool fused)
{
    heed_tensor *dense[5] = {call->inputs[0], call->inputs[1], call->inputs[2], call->inputs[3], g};
    for (int i = 0; i < 5; i++)
        if ((fused || i % 4 != 0) && !(dense[i] = heed_contiguous(dense[i])))
            return NULL;
    ctc_problem ctc = ctc_of(&dense[0]->shape, dense[1], dense[2], dense[3], *(const int64_t *)call->params);
    if (!fused)
        return composed_gradient(&ctc, dense[0], g);
    heed_tensor *dx = heed_zeros(dense[0]->dtype, dense[0]->shape);
    ctc_job job = {.ctc = ctc, .dtype = dense[0]->dtype, .log_probs = dense[0]->data, .g = dense[4]->data};
    job.dx = dx ? dx->data : NULL;
    return dx && run_ctc(&job) ? dx : NULL;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = gradient(call, g[0], false);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = gradient(call, g[0], true);
}

const heed_op heed_op_ctc_loss = {
    .name = "ctc_loss",
    .n_inputs = 4,
    .n_outputs = 1,
    .params_size = sizeof(int64_t),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int64_t, "blank")),
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

/* -- Public function ----------------------------------------------------------------------------------------------- */

/* Returns lens or, if it is NULL, `batch` lengths equal to `all`. */
static heed_tensor *lens_or(heed_tensor *lens, int64_t batch, int64_t all)
{
    return lens ? lens : heed_expand(heed_full(HEED_I64, HEED_SCALAR, (double)all), HEED_SHAPE(batch));
}

static heed_tensor *loss_of(heed_tensor *x, heed_tensor *targets, heed_tensor *input_lens, heed_tensor *target_lens,
                            const heed_ctc_loss_options *o)
{
    heed_tensor *inputs[] = {x, targets, input_lens, target_lens};
    heed_tensor *losses = heed_apply(&heed_op_ctc_loss, inputs, 4, &o->blank);
    if (!losses)
        return NULL;
    if (o->zero_infinity) {
        heed_tensor *infinite = heed_full(losses->dtype, HEED_SCALAR, (double)INFINITY);
        losses =
            heed_where(heed_compare(losses, HEED_COMPARE_EQ, infinite), heed_zeros(losses->dtype, HEED_SCALAR), losses);
    }
    /* The mean is over losses per label; an empty target counts as one label. */
    if (losses && o->reduction == HEED_REDUCTION_MEAN)
        losses = heed_div(losses, heed_clamp(heed_to_dtype(target_lens, losses->dtype), 1, (double)INFINITY));
    return heed__reduce_loss(losses, o->reduction);
}

heed_tensor *heed_ctc_loss(heed_tensor *log_probs, heed_tensor *targets, heed_tensor *input_lens,
                           heed_tensor *target_lens, const heed_ctc_loss_options *options)
{
    HEED_ENTER(where);
    static const heed_ctc_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_ctc_loss_options *o = options ? options : &defaults;
    if (!heed__check_tensor(where, log_probs) || !heed__check_tensor(where, targets) ||
        !heed__check_reduction(where, o->reduction))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    const heed_shape *x = &log_probs->shape, *s = &targets->shape;
    int64_t batch = x->rank == 3 ? x->dims[1] : 0;
    input_lens = lens_or(input_lens, batch, x->rank == 3 ? x->dims[0] : 0);
    target_lens = lens_or(target_lens, batch, s->rank == 2 ? s->dims[1] : 0);
    return heed_scope_return(scope, loss_of(log_probs, targets, input_lens, target_lens, o));
}
