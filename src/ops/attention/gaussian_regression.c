/* ops/attention/gaussian_regression.c - kernel regression with the Gaussian, as one op.
 *
 * For n queries and m keys, it allocates no array of size (n, m): forward iterates over the keys of a query and saves a
 * few numbers per row, from which backward recomputes the weights; see kernels/regression. The gradient of a single
 * width for all components is computed together with f. Differentiable gradients are composed of ops
 * (composed_regression.c).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/attention/regression.h"

static const char where[] = "kernel_regression";

/* -- Kernel calls -------------------------------------------------------------------------------------------------- */

enum { RANGE_WORK = 1 << 18 }; /* approximate work of a range of queries */

/* One forward or backward pass. The pointers to results that are not requested are NULL. */
typedef struct regression_job {
    heed_dtype dtype;
    heed__regression_args args;
    void *f, *rows, *slopes;
    heed__regression_saved found; /* backward only */
    heed__regression_grads grads;
    bool by_keys; /* true: keys are split, false: queries; see partial() */
    int64_t parts, terms[2];
    char *partials;
    size_t size;                                   /* bytes per element */
    heed_tensor *queries, *keys, *values, *widths; /* owned: the tensors that args points into */
    bool swapped_keys, swapped_values;             /* stored with the last two axes swapped */
} regression_job;

/* Returns t as an owned contiguous tensor, with its last two axes swapped if `columns`. Returns NULL after
 * heed_fail. */
static heed_tensor *dense(heed_tensor *t, bool columns)
{
    if (!columns)
        return heed__dense(where, t);
    heed_layout swapped = heed__layout_of(t);
    int last = t->shape.rank - 1;
    swapped.shape.dims[last] = t->shape.dims[last - 1];
    swapped.shape.dims[last - 1] = t->shape.dims[last];
    swapped.strides[last] = t->strides[last - 1];
    swapped.strides[last - 1] = t->strides[last];
    heed_tensor *view = heed__tensor_view(where, t, &swapped);
    heed_tensor *copy = view ? heed__dense_copy(where, view) : NULL;
    heed_release(view);
    return copy;
}

/* Returns w = 1 / h for all d components. For any finite ln h, w is clamped to the largest finite number. The caller
 * owns the result; NULL after heed_fail. */
static heed_tensor *widths_of(const heed_tensor *width, int64_t d, bool log_width)
{
    heed_tensor *widths = heed__tensor_alloc(where, width->dtype, &HEED_SHAPE(d));
    const size_t size = heed_dtype_size(width->dtype);
    const double largest = width->dtype == HEED_F32 ? (double)FLT_MAX : DBL_MAX;
    for (int64_t c = 0; c < d && widths; c++) {
        int64_t at = width->shape.dims[0] == 1 ? 0 : c * width->strides[0];
        double given = heed__load(width->dtype, width->data + at * (int64_t)size),
               w = log_width ? exp(-given) : fabs(given);
        (void)heed__store(where, width->dtype, widths->data + c * (int64_t)size,
                          isfinite(given) && w > largest ? largest : w);
    }
    return widths;
}

static void job_end(regression_job *job)
{
    heed_release(job->queries);
    heed_release(job->keys);
    heed_release(job->values);
    heed_release(job->widths);
}

/* Sets *job from the inputs and params of the call. Returns false after heed_fail. The caller must call job_end in
 * either case. */
static bool job_begin(const heed_call *call, regression_job *job)
{
    heed_tensor *q = call->inputs[0], *k = call->inputs[1], *v = call->inputs[2], *w = call->inputs[3];
    const heed__regression_params *params = call->params;
    heed__regression_dims s = heed__regression_sizes(&q->shape, &k->shape, &v->shape, NULL);
    *job = (regression_job){.dtype = q->dtype, .size = heed_dtype_size(q->dtype)};
    job->queries = dense(q, false);
    job->swapped_keys = q->shape.rank == 2 && s.d != 1;
    job->swapped_values = s.columns && s.v != 1;
    job->keys = dense(k, job->swapped_keys);
    job->values = dense(v, job->swapped_values);
    job->widths = widths_of(w, s.d, params->log_width);
    if (!job->queries || !job->keys || !job->values || !job->widths)
        return false;
    job->args = (heed__regression_args){.n = s.n,
                                        .m = s.m,
                                        .d = s.d,
                                        .v = s.v,
                                        .shared = s.shared,
                                        .leave_one_out = params->leave_one_out,
                                        .queries = job->queries->data,
                                        .keys = job->keys->data,
                                        .values = job->values->data,
                                        .widths = job->widths->data};
    return true;
}

static void forward_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_job *job = context;
    const heed__regression_results to = {job->f, job->rows, job->slopes};
    HEED__RUN(regression, job->dtype, &job->args, begin, end, &to, scratch);
}

static void backward_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_job *run = context;
    const heed__regression_range chunk = {begin, end, 0, run->args.m};
    HEED__RUN(regression_grad, run->dtype, &run->args, &run->found, &chunk, &run->grads, scratch);
}

/* Approximate work of one query. */
static int64_t work_of(const heed__regression_args *args)
{
    int64_t per_pair, work;
    if (__builtin_add_overflow(args->d, args->v, &per_pair) || __builtin_add_overflow(per_pair, 2, &per_pair) ||
        __builtin_mul_overflow(args->m > 0 ? args->m : 1, per_pair, &work) || work > INT64_MAX / 2)
        return INT64_MAX / 2;
    return 2 * work;
}

/* Runs fn over `count` queries, or over `count` chunks with at most `keys` keys whose gradients are requested. Returns
 * false after heed_fail, also if there are too many keys: keys with 0 components take no memory, however many there
 * are, but every thread needs scratch memory for them. */
static bool run_ranges(regression_job *job, heed__scratch_fn *fn, int64_t count, int64_t grain, int64_t work,
                       const heed__regression_range *range)
{
    const heed__regression_args *args = &job->args;
    if (count == 0)
        return true;
    if (args->m > INT64_MAX / 4096 / (int64_t)job->size)
        return heed_fail_false(HEED_ERR_NOMEM, where, "not enough memory for %" PRId64 " keys", args->m);
    const int64_t scratch = range ? HEED__RUN(regression_grad, job->dtype, args, NULL, range, &job->grads, NULL)
                                  : HEED__RUN(regression, job->dtype, args, 0, 0, NULL, NULL);
    return heed__parallel_for_scratch(where, count, grain, work, scratch, fn, job);
}

/* Runs fn over ranges of queries in parallel. Results of different queries must not share memory. */
static bool run_rows(regression_job *job, heed__scratch_fn *fn, const heed__regression_range *range)
{
    const int64_t work = work_of(&job->args);
    return run_ranges(job, fn, job->args.n, work < RANGE_WORK ? RANGE_WORK / work : 1, work, range);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* The outputs are f and, for backward, the numbers saved per row (n, d + HEED_REGRESSION_SAVED), followed by the slopes
 * (n, v). */
static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__regression_inputs in = {call->inputs[0], call->inputs[1], call->inputs[2], call->inputs[3]};
    const heed__regression_params *params = call->params;
    if (!heed__regression_check(&in, params))
        return false;
    heed__regression_dims s = heed__regression_sizes(&in.queries->shape, &in.keys->shape, &in.values->shape, NULL);
    int64_t kept;
    if (__builtin_add_overflow(s.d, HEED_REGRESSION_SAVED, &kept) ||
        __builtin_add_overflow(kept, params->slopes ? s.v : 0, &kept))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "keys %s, values %s: too many components",
                               heed_shape_text(in.keys->shape).s, heed_shape_text(in.values->shape).s);
    out[0] = (heed_meta){in.queries->dtype, s.columns ? HEED_SHAPE(s.n, s.v) : HEED_SHAPE(s.n)};
    out[1] = (heed_meta){in.queries->dtype, HEED_SHAPE(s.n, kept)};
    return true;
}

/* Returns the slopes, which follow the numbers saved for all rows. */
static char *slopes_in(const heed_tensor *rows, int64_t v)
{
    int64_t n = rows->shape.dims[0], kept = rows->shape.dims[1];
    return rows->data + n * (kept - v) * (int64_t)heed_dtype_size(rows->dtype);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__regression_params *params = call->params;
    regression_job job;
    bool done = job_begin(call, &job);
    job.f = out[0]->data;
    job.rows = out[1]->data;
    if (done && params->slopes)
        job.slopes = slopes_in(out[1], job.args.v);
    done = done && run_rows(&job, forward_rows, NULL);
    job_end(&job);
    return done;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__regression_backward(call, g[0], dx);
}

/* -- Gradients in one pass ----------------------------------------------------------------------------------------- */

/* MOST_PARTS: maximum number of parts. PART_LEAST: minimum number of keys or queries per part. PART_UNIT: every part
 * begins at a multiple of this number. */
enum { MOST_PARTS = 8, PART_LEAST = 384, PART_UNIT = 32 };

static int64_t parts_of(int64_t count)
{
    const int64_t parts = count / PART_LEAST;
    return parts < 1 ? 1 : parts < MOST_PARTS ? parts : MOST_PARTS;
}

/* Returns the first index of a part, a multiple of PART_UNIT. A unit is a few vector registers, to which arrays are
 * aligned. */
static int64_t cut(int64_t count, int64_t part, int64_t parts)
{
    const int64_t units = heed__ceil_div(count, PART_UNIT), first = units / parts * part + units % parts * part / parts;
    return first * PART_UNIT < count ? first * PART_UNIT : count;
}

/* Returns array number `which`, 0 or 1, of a part. With shared keys, every part of the keys adds to the gradients of
 * all queries, or every part of the queries adds to the gradients of all keys. A part therefore writes two arrays: part
 * 0 the results themselves, and every other part its own arrays in job->partials. The arrays of part 0 in job->partials
 * hold the rounding errors of adding up the other parts. */
static char *partial(const regression_job *job, int64_t part, int which)
{
    return job->partials + (size_t)(part * (job->terms[0] + job->terms[1]) + (which ? job->terms[0] : 0)) * job->size;
}

static void **summed(const regression_job *job, heed__regression_grads *grads, int which)
{
    return job->by_keys ? (which ? &grads->moments : &grads->dq) : (which ? &grads->dv : &grads->dk);
}

static void backward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_job *job = context;
    const int64_t n = job->args.n, m = job->args.m, parts = job->parts;
    for (int64_t i = begin; i < end; i++) {
        heed__regression_grads grads = job->grads;
        heed__regression_range chunk = {0, n, cut(m, i, parts), cut(m, i + 1, parts)};
        if (!job->by_keys)
            chunk = (heed__regression_range){cut(n, i, parts), cut(n, i + 1, parts), 0, m};
        for (int which = 0; which < 2 && i > 0; which++)
            if (job->terms[which] > 0)
                *summed(job, &grads, which) = partial(job, i, which);
        HEED__RUN(regression_grad, job->dtype, &job->args, &job->found, &chunk, &grads, scratch);
    }
}

/* Sets the gradients of keys and values to 0 if there are no queries. */
static void clear_keys(const regression_job *job)
{
    const heed__regression_args *args = &job->args;
    if (job->grads.dk)
        memset(job->grads.dk, 0, (size_t)(args->m * args->d) * job->size);
    if (job->grads.dv)
        memset(job->grads.dv, 0, (size_t)(args->m * args->v) * job->size);
}

/* Splits keys or queries: whichever makes more parts or, if both make the same number, needs less memory. */
static void plan_parts(regression_job *job)
{
    const heed__regression_args *args = &job->args;
    const int64_t of_keys = parts_of(args->m), of_queries = parts_of(args->n);
    job->by_keys = of_keys > of_queries || (of_keys == of_queries && args->n <= args->m);
    job->parts = job->by_keys ? of_keys : of_queries;
    const int64_t sizes[] = {args->d * (job->by_keys ? args->n : args->m),
                             job->by_keys ? args->n * args->d : args->m * args->v};
    for (int which = 0; which < 2; which++)
        job->terms[which] = *summed(job, &job->grads, which) ? sizes[which] : 0;
}

/* Computes the gradients. If every query has its own keys, or if no gradients of keys or values are requested, the
 * queries are independent; otherwise keys or queries are split into parts. Returns false after heed_fail. */
static bool run_parts(regression_job *job)
{
    const heed__regression_args *args = &job->args;
    if (!args->shared || (!job->grads.dk && !job->grads.dv))
        return run_rows(job, backward_rows, &(heed__regression_range){.key_end = args->m});
    if (args->n == 0) {
        clear_keys(job);
        return true;
    }
    plan_parts(job);
    const size_t lost = (size_t)(job->terms[0] + job->terms[1]) * job->size;
    const size_t bytes = job->parts > 1 ? (size_t)job->parts * lost : 0;
    if (bytes > 0) {
        job->partials = heed__alloc(where, bytes);
        if (!job->partials)
            return false;
        memset(job->partials, 0, lost);
    }
    const heed__regression_range most = {.key_end = job->by_keys ? args->m / job->parts + 2 * PART_UNIT : args->m};
    const int64_t work = work_of(args), queries = args->n / job->parts + 1;
    const bool done =
        run_ranges(job, backward_parts, job->parts, 1, work > INT64_MAX / queries ? INT64_MAX : work * queries, &most);
    for (int64_t part = 1; done && part < job->parts; part++)
        for (int which = 0; which < 2; which++)
            HEED__RUN(total_add_row, job->dtype, job->terms[which], partial(job, part, which),
                      *summed(job, &job->grads, which), partial(job, 0, which));
    heed_free(job->partials, bytes);
    return done;
}

/* Returns the derivative of f with respect to w or, if `log_width`, ln h, given by_log = D = df / d ln(w^2), summed
 * over the components with this width: df / dw = 2 D / w, and 0 for w = 0; df / d ln h = -2 D. */
static double width_slope(double by_log, double w, bool log_width)
{
    return log_width ? -2.0 * by_log : w == 0.0 ? 0.0 : by_log / w * 2.0;
}

/* Returns the gradient of the width, computed from moments (n, d), which are -df / d ln(w^2). NULL after an error. */
static heed_tensor *width_gradient(heed_tensor *moments, const heed_tensor *width, bool log_width)
{
    const size_t size = heed_dtype_size(width->dtype);
    moments = width->numel == 1 ? heed_reshape(heed_sum(moments), HEED_SHAPE(1))
                                : heed_sum_axes(moments, HEED_AXES(0), false);
    for (int64_t c = 0; moments && c < moments->numel; c++) {
        char *at = moments->data + c * (int64_t)size;
        int64_t of_w = width->shape.dims[0] == 1 ? 0 : c * width->strides[0];
        double w = heed__load(width->dtype, width->data + of_w * (int64_t)size);
        (void)heed__store(where, width->dtype, at, width_slope(-heed__load(width->dtype, at), w, log_width));
    }
    return moments;
}

/* Computes the requested gradients of queries, keys and values and, if `width` is true, the gradient of the width. */
static void run_backward(const heed_call *call, regression_job *job, bool width, heed_tensor **dx)
{
    const heed__regression_params *params = call->params;
    const bool requested[] = {heed_call_needs(call, 0), heed_call_needs(call, 1), heed_call_needs(call, 2), width};
    heed_tensor *d[4] = {NULL};
    d[0] = requested[0] ? heed__tensor_new(where, job->queries->dtype, &job->queries->shape) : NULL;
    d[1] = requested[1] ? heed__tensor_new(where, job->keys->dtype, &job->keys->shape) : NULL;
    d[2] = requested[2] ? heed__tensor_new(where, job->values->dtype, &job->values->shape) : NULL;
    d[3] = width ? heed__tensor_new(where, job->queries->dtype, &HEED_SHAPE(job->args.n, job->args.d)) : NULL;
    void *at[4] = {NULL};
    for (int i = 0; i < 4; i++) {
        if (requested[i] && !d[i])
            return;
        at[i] = d[i] ? d[i]->data : NULL;
    }
    job->grads = (heed__regression_grads){.dq = at[0], .dk = at[1], .dv = at[2], .moments = at[3]};
    if (!run_parts(job))
        return;
    dx[0] = d[0];
    dx[1] = d[1] && job->swapped_keys ? heed_transpose(d[1], -2, -1) : d[1];
    dx[2] = d[2] && job->swapped_values ? heed_transpose(d[2], -2, -1) : d[2];
    if (width)
        dx[3] = width_gradient(d[3], call->inputs[3], params->log_width);
}

static heed_tensor *from_slopes(const heed_call *call, const void *slopes, const heed_tensor *g)
{
    const heed__regression_params *params = call->params;
    const heed_tensor *width = call->inputs[3];
    heed_tensor *dw = heed__tensor_new(where, width->dtype, &width->shape);
    if (!dw)
        return NULL;
    double sum = HEED__RUN(total_product, g->dtype, g->numel, slopes, g->data);
    double w = heed__load(width->dtype, width->data);
    (void)heed__store(where, dw->dtype, dw->data, width_slope(sum, w, params->log_width));
    return dw;
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__regression_params *params = call->params;
    const heed_tensor *dense_g = heed_contiguous(g[0]), *f = call->outputs[0], *rows = call->outputs[1];
    bool by_pass = heed_call_needs(call, 3) && !params->slopes;
    if (!dense_g)
        return;
    if (heed_call_needs(call, 3) && params->slopes)
        dx[3] = from_slopes(call, slopes_in(rows, f->shape.rank == 2 ? f->shape.dims[1] : 1), dense_g);
    if (!by_pass && !heed_call_needs(call, 0) && !heed_call_needs(call, 1) && !heed_call_needs(call, 2))
        return;
    regression_job job;
    bool done = job_begin(call, &job);
    job.found = (heed__regression_saved){.f = f->data, .rows = rows->data, .g = dense_g->data};
    if (done)
        run_backward(call, &job, by_pass, dx);
    job_end(&job);
}

const heed_op heed_op_kernel_regression = {
    .name = "kernel_regression",
    .n_inputs = 4,
    .n_outputs = 2,
    .params_size = sizeof(heed__regression_params),
    .fields =
        HEED_FIELDS(HEED_FIELD(heed__regression_params, kernel), HEED_FIELD(heed__regression_params, log_width),
                    HEED_FIELD(heed__regression_params, leave_one_out), HEED_FIELD(heed__regression_params, degree)),
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = heed__regression_multiply_adds,
};
