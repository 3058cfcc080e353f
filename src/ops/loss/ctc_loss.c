/* ops/loss/ctc_loss.c    y[b] = -ln of the sum of the probabilities of all paths through the states of target b
 * (ctc.h).
 *
 * dlog_probs[t, b, c] = -g[b] times the probability that a path is at class c in step t. The sums are computed as
 * logarithms in f64: alpha is the sum over all paths that lead to a state, beta the sum over all paths that continue
 * from it. */

#include "ops/loss/ctc.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"
#include "ops/valid_lens.h"

static const char where[] = "ctc_loss";

heed__ctc heed__ctc_of(const heed_shape *log_probs, const heed_tensor *targets, const heed_tensor *input_lens,
                       const heed_tensor *target_lens, int64_t blank)
{
    return (heed__ctc){.steps = log_probs->dims[0],
                       .batch = log_probs->dims[1],
                       .classes = log_probs->dims[2],
                       .labels = targets->shape.dims[1],
                       .targets = (const void *)targets->data,
                       .input_lens = (const void *)input_lens->data,
                       .target_lens = (const void *)target_lens->data,
                       .blank = blank};
}

/* -- One target ---------------------------------------------------------------------------------------------------- */

typedef struct ctc_job {
    heed__ctc ctc;
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
static void step_forward(const ctc_job *job, int64_t t, int64_t b, int64_t n, const double *before, double *alpha)
{
    for (int64_t l = 0; l < n; l++) {
        double one = l >= 1 ? before[l - 1] : -(double)INFINITY;
        double two = heed__ctc_skips(&job->ctc, b, l) ? before[l - 2] : -(double)INFINITY;
        alpha[l] = log_sum(before[l], one, two) + log_prob(job, t, b, heed__ctc_class(&job->ctc, b, l));
    }
}

/* Computes beta of all n states at step t from `after`, their beta at step t + 1. */
static void step_back(const ctc_job *job, int64_t t, int64_t b, int64_t n, const double *after, double *beta)
{
    const heed__ctc *c = &job->ctc;
    for (int64_t l = 0; l < n; l++) {
        double paths[3];
        for (int64_t k = 0; k < 3; k++) {
            bool open = l + k < n && (k < 2 || heed__ctc_skips(c, b, l + 2));
            paths[k] = open ? after[l + k] + log_prob(job, t + 1, b, heed__ctc_class(c, b, l + k)) : -(double)INFINITY;
        }
        beta[l] = log_sum(paths[0], paths[1], paths[2]);
    }
}

/* Computes alpha of every step and returns the loss. Writes one row per step, `stride` numbers apart; if stride is 0,
 * uses two rows in turn. */
static double go_forward(const ctc_job *job, int64_t b, double *alpha, int64_t stride)
{
    const heed__ctc *c = &job->ctc;
    int64_t n = 2 * c->target_lens[b] + 1, steps = c->input_lens[b];
    double *before = alpha, *now = alpha + (stride ? stride : n);
    if (steps == 0)
        return n == 1 ? 0 : (double)INFINITY;
    for (int64_t l = 0; l < n; l++)
        before[l] = l < 2 ? log_prob(job, 0, b, heed__ctc_class(c, b, l)) : -(double)INFINITY;
    for (int64_t t = 1; t < steps; t++) {
        step_forward(job, t, b, n, before, now);
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
static void go_back(const ctc_job *job, int64_t b, double *alpha, double *beta)
{
    const heed__ctc *c = &job->ctc;
    int64_t n = 2 * c->target_lens[b] + 1, steps = c->input_lens[b];
    double g = heed__load(job->dtype, job->g + (size_t)b * heed_dtype_size(job->dtype));
    double loss = go_forward(job, b, alpha, n), *before = beta + n;
    if (isinf(loss))
        return;
    for (int64_t l = 0; l < n; l++)
        beta[l] = l >= n - 2 ? 0 : -(double)INFINITY;
    for (int64_t t = steps - 1; t >= 0; t--) {
        for (int64_t l = 0; l < n; l++) {
            double path = alpha[t * n + l] + beta[l];
            if (!(path < -DBL_MAX))
                add_to(job, t, b, heed__ctc_class(c, b, l), -g * exp(path + loss));
        }
        if (t > 0)
            step_back(job, t - 1, b, n, beta, before);
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
            go_back(job, b, rows + 2 * states, rows);
        else {
            double loss = go_forward(job, b, rows, 0);
            (void)heed__store(where, job->dtype, job->y + (size_t)b * heed_dtype_size(job->dtype), loss);
        }
}

/* Returns false after heed_fail. */
static bool run_all(ctc_job *job)
{
    const heed__ctc *c = &job->ctc;
    int64_t rows = 2 + (job->dx ? c->steps : 0), states = 2 * c->labels + 1, numbers, bytes;
    if (__builtin_mul_overflow(rows, states, &numbers) ||
        __builtin_mul_overflow(numbers, (int64_t)sizeof(double), &bytes))
        return heed_fail_false(HEED_ERR_NOMEM, where, "not enough memory for %" PRId64 " steps of %" PRId64 " states",
                               rows, states);
    return heed__parallel_for_scratch(where, c->batch, 1, 64 * rows * states, bytes, run_targets, job);
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
static bool check_labels(const heed__ctc *c)
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
    ctc_job job = {.ctc = heed__ctc_of(&in[0]->shape, in[1], in[2], in[3], *(const int64_t *)call->params),
                   .dtype = in[0]->dtype,
                   .log_probs = in[0]->data,
                   .y = out[0]->data};
    return check_labels(&job.ctc) && run_all(&job);
}

/* Returns the gradient of log_probs, computed in one pass if `fused`, else composed of ops. */
static heed_tensor *gradient(const heed_call *call, heed_tensor *g, bool fused)
{
    heed_tensor *dense[5] = {call->inputs[0], call->inputs[1], call->inputs[2], call->inputs[3], g};
    for (int i = 0; i < 5; i++)
        if ((fused || i % 4 != 0) && !(dense[i] = heed_contiguous(dense[i])))
            return NULL;
    heed__ctc ctc = heed__ctc_of(&dense[0]->shape, dense[1], dense[2], dense[3], *(const int64_t *)call->params);
    if (!fused)
        return heed__ctc_gradient(&ctc, dense[0], g);
    heed_tensor *dx = heed_zeros(dense[0]->dtype, dense[0]->shape);
    ctc_job job = {.ctc = ctc, .dtype = dense[0]->dtype, .log_probs = dense[0]->data, .g = dense[4]->data};
    job.dx = dx ? dx->data : NULL;
    return dx && run_all(&job) ? dx : NULL;
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

/* Divides every loss by its target's number of labels, or by 1 if the target is empty, as the mean requires. */
static heed_tensor *per_label(heed_tensor *losses, heed_tensor *target_lens)
{
    heed_tensor *lens = heed_clamp(heed_to_dtype(target_lens, losses->dtype), 1, (double)INFINITY);
    return heed_div(losses, lens);
}

/* Returns lens or, if it is NULL, `batch` lengths that are equal to `all`. */
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
    return heed__reduce_loss(o->reduction == HEED_REDUCTION_MEAN ? per_label(losses, target_lens) : losses,
                             o->reduction);
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
