/* ops/attention/gaussian_regression.c - kernel regression by the Gaussian, as one op.
 *
 * It makes nothing of the size (n, m): forward goes through the keys of a query and keeps some numbers of each row, from
 * which backward works the weights out again; see kernels/regression. A gradient of one width for all components
 * comes with f itself. Gradients that are differentiated again are written in ops (composed_regression.c).
 */

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"
#include "ops/attention/regression.h"

static const char where[] = "kernel_regression";

/* -- Running the kernels ------------------------------------------------------------------------------------------- */

/* Rough work of a range of queries or of keys; keys of a range, at least. */
enum { RANGE_WORK = 1 << 18, RANGE_KEYS = 128 };

typedef struct regression_run {
    const heed__kernel_table *kernels;
    heed__regression_args args;
    heed__regression_found found; /* in backward */
    void *f, *rows, *slopes;      /* results, or NULL */
    void *dq, *moments, *dk, *dv;
    heed_tensor *queries, *keys, *values, *widths; /* owned: as args has them, */
    bool swapped_keys, swapped_values;             /* with the last two axes swapped */
} regression_run;

/* t, contiguous and owned; `columns`: with its last two axes swapped. NULL after heed_fail. */
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

/* (d): 1 / h, at most the largest number for any number ln h. Owned; NULL after heed_fail. */
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

static void run_end(regression_run *run)
{
    heed_release(run->queries);
    heed_release(run->keys);
    heed_release(run->values);
    heed_release(run->widths);
}

/* False after heed_fail; run_end in either case. */
static bool run_begin(const heed_call *call, regression_run *run)
{
    heed_tensor *q = call->inputs[0], *k = call->inputs[1], *v = call->inputs[2], *w = call->inputs[3];
    const heed__regression_params *params = call->params;
    heed__regression_dims s = heed__regression_sizes(&q->shape, &k->shape, &v->shape, NULL);
    *run = (regression_run){.kernels = heed__kernels(q->dtype)};
    run->queries = dense(q, false);
    run->swapped_keys = q->shape.rank == 2 && s.d != 1;
    run->swapped_values = s.columns && s.v != 1;
    run->keys = dense(k, run->swapped_keys);
    run->values = dense(v, run->swapped_values);
    run->widths = widths_of(w, s.d, params->log_width);
    if (!run->queries || !run->keys || !run->values || !run->widths)
        return false;
    run->args = (heed__regression_args){.n = s.n,
                                        .m = s.m,
                                        .d = s.d,
                                        .v = s.v,
                                        .shared = s.shared,
                                        .leave_one_out = params->leave_one_out,
                                        .queries = run->queries->data,
                                        .keys = run->keys->data,
                                        .values = run->values->data,
                                        .widths = run->widths->data};
    return true;
}

static void forward_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_run *run = context;
    run->kernels->regression(&run->args, begin, end, run->f, run->rows, run->slopes, scratch);
}

static void backward_rows(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_run *run = context;
    run->kernels->regression_rows_grad(&run->args, &run->found, begin, end, run->dq, run->moments, scratch);
}

/* Where keys are shared a range is one of keys, to which all queries send; else one of queries, which have their own. */
static void backward_keys(int64_t begin, int64_t end, char *scratch, void *context)
{
    const regression_run *run = context;
    const heed__regression_args *args = &run->args;
    heed__regression_part part = {begin, end, 0, args->m};
    if (args->shared)
        part = (heed__regression_part){0, args->n, begin, end};
    run->kernels->regression_keys_grad(args, &run->found, &part, run->dk, run->dv, scratch);
}

/* Rough work of one query or key, which meets `others`. */
static int64_t work_of(const heed__regression_args *args, int64_t others)
{
    int64_t per_pair, work;
    if (__builtin_add_overflow(args->d, args->v, &per_pair) || __builtin_add_overflow(per_pair, 2, &per_pair) ||
        __builtin_mul_overflow(others > 0 ? others : 1, per_pair, &work) || work > INT64_MAX / 2)
        return INT64_MAX / 2;
    return 2 * work;
}

/* Runs fn over `count` queries or keys, each of which meets `others`. False after heed_fail: keys of no components take
 * no memory, however many, but scratch for them does, in each thread. */
static bool run_ranges(regression_run *run, heed__scratch_fn *fn, int64_t count, int64_t others, int64_t least)
{
    int64_t work = work_of(&run->args, others), grain = work < RANGE_WORK ? RANGE_WORK / work : 1;
    int64_t size = (int64_t)heed_dtype_size(run->queries->dtype);
    if (grain < least)
        grain = least;
    if (count == 0)
        return true;
    if (run->args.m > INT64_MAX / 4096 / size)
        return heed_fail_false(HEED_ERR_NOMEM, where, "%" PRId64 " keys are too many", run->args.m);
    int64_t scratch = heed__regression_keys_scratch(&run->args, least > 1 ? grain : 0) * size;
    return heed__parallel_for_scratch(where, count, grain, work, scratch, fn, run);
}

static bool run_rows(regression_run *run, heed__scratch_fn *fn)
{
    return run_ranges(run, fn, run->args.n, run->args.m, 1);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* f, and for backward what is kept of each row (n, d + HEED_REGRESSION_KEPT), behind them the slopes (n, v). */
static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__regression_inputs in = {call->inputs[0], call->inputs[1], call->inputs[2], call->inputs[3]};
    const heed__regression_params *params = call->params;
    if (!heed__regression_check(&in, params))
        return false;
    heed__regression_dims s = heed__regression_sizes(&in.queries->shape, &in.keys->shape, &in.values->shape, NULL);
    int64_t kept;
    if (__builtin_add_overflow(s.d, HEED_REGRESSION_KEPT, &kept) ||
        __builtin_add_overflow(kept, params->slopes ? s.v : 0, &kept))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "keys %s, values %s: too many components to count",
                               heed_shape_text(in.keys->shape).s, heed_shape_text(in.values->shape).s);
    out[0] = (heed_meta){in.queries->dtype, s.columns ? HEED_SHAPE(s.n, s.v) : HEED_SHAPE(s.n)};
    out[1] = (heed_meta){in.queries->dtype, HEED_SHAPE(s.n, kept)};
    return true;
}

/* Behind the rows' own numbers. */
static char *slopes_in(const heed_tensor *rows, int64_t v)
{
    int64_t n = rows->shape.dims[0], kept = rows->shape.dims[1];
    return rows->data + n * (kept - v) * (int64_t)heed_dtype_size(rows->dtype);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__regression_params *params = call->params;
    regression_run run;
    bool done = run_begin(call, &run);
    run.f = out[0]->data;
    run.rows = out[1]->data;
    if (done && params->slopes)
        run.slopes = slopes_in(out[1], run.args.v);
    done = done && run_rows(&run, forward_rows);
    run_end(&run);
    return done;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__regression_backward(call, g[0], dx);
}

/* -- Gradients in few passes --------------------------------------------------------------------------------------- */

static heed_tensor *zeros_like(const heed_tensor *t)
{
    return heed__new_zeros(where, t->dtype, &t->shape);
}

static bool keys_backward(const heed_call *call, regression_run *run, heed_tensor **dx)
{
    heed_tensor *dk = heed_call_needs(call, 1) ? zeros_like(run->keys) : NULL;
    heed_tensor *dv = heed_call_needs(call, 2) ? zeros_like(run->values) : NULL;
    if ((heed_call_needs(call, 1) && !dk) || (heed_call_needs(call, 2) && !dv))
        return false;
    const heed__regression_args *args = &run->args;
    run->dk = dk ? dk->data : NULL;
    run->dv = dv ? dv->data : NULL;
    if (args->shared ? !run_ranges(run, backward_keys, args->m, args->n, RANGE_KEYS)
                     : !run_ranges(run, backward_keys, args->n, args->m, 1))
        return false;
    dx[1] = dk && run->swapped_keys ? heed_transpose(dk, -2, -1) : dk;
    dx[2] = dv && run->swapped_values ? heed_transpose(dv, -2, -1) : dv;
    return true;
}

/* From D = df / d ln(w^2), of some components: df / dw = 2 D / w, 0 at w = 0;  df / d ln h = -2 D. */
static double width_slope(double by_log, double w, bool log_width)
{
    return log_width ? -2.0 * by_log : w == 0.0 ? 0.0 : by_log / w * 2.0;
}

/* moments (d), -df / d ln(w^2), become the gradient. */
static heed_tensor *width_gradient(heed_tensor *moments, const heed_tensor *width, bool log_width)
{
    const size_t size = heed_dtype_size(width->dtype);
    for (int64_t c = 0; moments && c < moments->numel; c++) {
        char *at = moments->data + c * (int64_t)size;
        int64_t of_w = width->shape.dims[0] == 1 ? 0 : c * width->strides[0];
        double w = heed__load(width->dtype, width->data + of_w * (int64_t)size);
        (void)heed__store(where, width->dtype, at, width_slope(-heed__load(width->dtype, at), w, log_width));
    }
    return moments;
}

static bool rows_backward(const heed_call *call, regression_run *run, bool width, heed_tensor **dx)
{
    const heed__regression_params *params = call->params;
    heed_tensor *dq = heed__tensor_new(where, run->queries->dtype, &run->queries->shape);
    heed_tensor *moments = heed__tensor_new(where, run->queries->dtype, &HEED_SHAPE(run->args.n, run->args.d));
    if (!dq || !moments)
        return false;
    run->dq = dq->data;
    run->moments = moments->data;
    if (!run_rows(run, backward_rows))
        return false;
    if (heed_call_needs(call, 0))
        dx[0] = dq;
    if (width)
        dx[3] = width_gradient(heed_sum_axes(moments, HEED_AXES(0), false), call->inputs[3], params->log_width);
    return true;
}

static heed_tensor *from_slopes(const heed_call *call, const void *slopes, const heed_tensor *g)
{
    const heed__regression_params *params = call->params;
    const heed_tensor *width = call->inputs[3];
    heed_tensor *dw = heed__tensor_new(where, width->dtype, &width->shape);
    if (!dw)
        return NULL;
    double sum = heed__kernels(g->dtype)->total_product(g->numel, slopes, g->data);
    double w = heed__load(width->dtype, width->data);
    (void)heed__store(where, dw->dtype, dw->data, width_slope(sum, w, params->log_width));
    return dw;
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__regression_params *params = call->params;
    const heed_tensor *dense_g = heed_contiguous(g[0]), *f = call->outputs[0], *rows = call->outputs[1];
    bool by_rows = heed_call_needs(call, 3) && !params->slopes;
    if (!dense_g)
        return;
    if (heed_call_needs(call, 3) && params->slopes)
        dx[3] = from_slopes(call, slopes_in(rows, f->shape.rank == 2 ? f->shape.dims[1] : 1), dense_g);
    if (!by_rows && !heed_call_needs(call, 0) && !heed_call_needs(call, 1) && !heed_call_needs(call, 2))
        return;
    regression_run run;
    bool done = run_begin(call, &run);
    run.found = (heed__regression_found){.f = f->data, .rows = rows->data, .g = dense_g->data};
    if (done && (by_rows || heed_call_needs(call, 0)))
        done = rows_backward(call, &run, by_rows, dx);
    if (done && (heed_call_needs(call, 1) || heed_call_needs(call, 2)))
        (void)keys_backward(call, &run, dx);
    run_end(&run);
}

const heed_op heed_op_kernel_regression = {
    .name = "kernel_regression",
    .n_inputs = 4,
    .n_outputs = 2,
    .params_size = sizeof(heed__regression_params),
    .keeps = HEED_KEEP_INPUTS | HEED_KEEP_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};
