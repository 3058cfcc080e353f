/* ops/norm/batch_norm.c    y = (x - mean) / sqrt(variance + eps) weight + bias, with mean and variance per channel
 * (axis 1).
 *
 * Let f = 1 / sqrt(variance + eps), h = (x - mean) f and a = g weight. Then  dx = f (a - mean(a) - h mean(a h)), or f a
 * if mean and variance are given;  dweight = sum of g h,  dbias = sum of g,  and for a given mean and variance  dmean =
 * -f weight dbias, dvariance = -1/2 f^2 weight dweight
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "core/parallel.h"
#include "ops/norm/norm.h"

static const char where[] = "batch_norm";

/* The inputs. A call has the first one, two or three of them, or all five. */
enum { X, WEIGHT, BIAS, MEAN, VARIANCE, INPUTS };
enum { Y, STATISTICS, OUTPUTS };

static bool is_given(const heed_call *call)
{
    return call->n_inputs == INPUTS;
}

/* -- Channels ------------------------------------------------------------------------------------------------------ */

/* COLUMNS: number of channels processed together if x is (outer, channels). RANGE_WORK: minimum operations of a range
 * of the parallel loop. ELEMENT_WORK: operations per element. */
enum { COLUMNS = 64, RANGE_WORK = 32768, ELEMENT_WORK = 8 };

typedef struct batch_job {
    heed_dtype dtype;
    heed__batch_norm_args args;
    int64_t columns;
    const void *x, *g; /* g is NULL in forward */
    void *y;           /* y or dx */
    void *dweight, *dbias;
} batch_job;

static void run_channels(int64_t begin, int64_t end, void *context)
{
    const batch_job *job = context;
    const int64_t first = begin * job->columns, all = job->args.channels;
    const int64_t last = end * job->columns < all ? end * job->columns : all;
    if (job->g)
        HEED__RUN(batch_norm_grad, job->dtype, &job->args, first, last,
                  &(heed__norm_grads){job->x, job->g, job->y, job->dweight, job->dbias});
    else
        HEED__RUN(batch_norm, job->dtype, &job->args, first, last, job->x, job->y);
}

static const void *data_of(const heed_tensor *t)
{
    return t ? t->data : NULL;
}

/* All tensors of `in` except the bias must be contiguous; all except x may be NULL. */
static batch_job job_of(const heed_call *call, heed_tensor *const in[INPUTS])
{
    const heed_tensor *x = in[X];
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    return (batch_job){.dtype = x->dtype,
                       .args = {.outer = x->numel > 0 ? split.outer : 0,
                                .channels = split.size,
                                .inner = split.inner,
                                .eps = *(const double *)call->params,
                                .weight = data_of(in[WEIGHT]),
                                .mean = data_of(in[MEAN]),
                                .variance = data_of(in[VARIANCE])},
                       .columns = split.inner == 1 ? COLUMNS : 1,
                       .x = x->data};
}

static void run_batch_norm(batch_job *job)
{
    const int64_t cost = job->args.outer * job->args.inner * job->columns * ELEMENT_WORK;
    heed__parallel_for(heed__ceil_div(job->args.channels, job->columns),
                       cost < RANGE_WORK ? RANGE_WORK / (cost + 1) + 1 : 1, cost, run_channels, job);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool check_channels(const heed_call *call, int input, const char *name)
{
    const heed_tensor *x = call->inputs[X], *t = heed__norm_given(call, input);
    if (!t || (t->shape.rank == 1 && t->shape.dims[0] == x->shape.dims[1] && t->dtype == x->dtype))
        return true;
    if (t->dtype != x->dtype)
        return heed_fail_false(HEED_ERR_DTYPE, where, "x is %s, the %s is %s: must have the same dtype",
                               heed_dtype_name(x->dtype), name, heed_dtype_name(t->dtype));
    return heed_fail_false(HEED_ERR_SHAPE, where, "the %s has shape %s: must be (%" PRId64 "), one per channel of x %s",
                           name, heed_shape_text(t->shape).s, x->shape.dims[1], heed_shape_text(x->shape).s);
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[X];
    if (!heed_infer_same(call, &out[Y]) || !check_channels(call, WEIGHT, "weight") ||
        !check_channels(call, BIAS, "bias") || !check_channels(call, MEAN, "mean") ||
        !check_channels(call, VARIANCE, "variance"))
        return false;
    out[STATISTICS] = (heed_meta){x->dtype, HEED_SHAPE(2, x->shape.dims[1])};
    if (is_given(call) || x->numel == 0 || x->numel != x->shape.dims[1])
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "x %s has one element per channel: a variance needs at least two",
                           heed_shape_text(x->shape).s);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *in[INPUTS] = {NULL};
    for (int i = 0; i < call->n_inputs; i++)
        in[i] = call->inputs[i];
    batch_job job = job_of(call, in);
    job.args.bias = data_of(in[BIAS]);
    job.args.statistics = out[STATISTICS]->data;
    job.y = out[Y]->data;
    run_batch_norm(&job);
    return true;
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* Sets the requested gradients of the given mean and variance, computed from dbias and dweight with public ops. */
static void through_statistics(const heed_call *call, heed_tensor *factor, heed_tensor *dweight, heed_tensor *dbias,
                               heed_tensor **dx)
{
    heed_tensor *scale = heed_mul(heed_neg(factor), call->inputs[WEIGHT]);
    if (heed__norm_needs(call, MEAN))
        dx[MEAN] = heed_mul(scale, dbias);
    if (heed__norm_needs(call, VARIANCE))
        dx[VARIANCE] = heed_mul(heed_mul_scalar(heed_mul(scale, factor), 0.5), dweight);
}

static heed_tensor *factor_of(const heed_call *call)
{
    return heed_pow_scalar(heed_add_scalar(call->inputs[VARIANCE], *(const double *)call->params), -0.5);
}

/* Computes with x as (outer, channels, inner) and with the per-channel tensors as (channels, 1). */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[X], *weight = heed__norm_given(call, WEIGHT);
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    const heed_shape shape = HEED_SHAPE(split.outer, split.size, split.inner), column = HEED_SHAPE(split.size, 1);
    const heed_shape axes = HEED_AXES(0, 2), channels = HEED_SHAPE(split.size);
    const double eps = *(const double *)call->params;
    heed_tensor *rows = heed_reshape(x, shape), *a = heed_reshape(g[Y], shape), *factor = NULL;
    heed__normalized of = {.h = NULL};
    if (is_given(call)) {
        factor = factor_of(call);
        of.factor = heed_reshape(factor, column);
        of.h = heed_mul(heed_sub(rows, heed_reshape(call->inputs[MEAN], column)), of.factor);
    } else {
        of = heed__normalize(rows, axes, eps, false);
    }
    heed_tensor *dweight = heed_reshape(heed_sum_axes(heed__normalized_product(&of, a), axes, false), channels);
    heed_tensor *dbias = heed_reshape(heed_sum_axes(a, axes, false), channels);
    if (heed__norm_needs(call, WEIGHT))
        dx[WEIGHT] = dweight;
    if (heed__norm_needs(call, BIAS))
        dx[BIAS] = dbias;
    if (is_given(call))
        through_statistics(call, factor, dweight, dbias, dx);
    if (!heed__norm_needs(call, X))
        return;
    if (weight)
        a = heed_mul(a, heed_reshape(weight, column));
    heed_tensor *found = is_given(call) ? heed_mul(of.factor, a) : heed__normalize_gradient(&of, a, axes, false);
    dx[X] = heed_reshape(found, x->shape);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *in[INPUTS] = {NULL}, *dense = heed_contiguous(g[Y]);
    bool ready = dense;
    for (int i = 0; i < call->n_inputs; i++) {
        in[i] = call->inputs[i] ? heed_contiguous(call->inputs[i]) : NULL;
        ready = ready && (in[i] || !call->inputs[i]);
    }
    if (!ready)
        return;
    const heed_shape channels = HEED_SHAPE(in[X]->shape.dims[1]);
    heed_tensor *found = heed__tensor_new(where, in[X]->dtype, &in[X]->shape);
    heed_tensor *dweight = heed__new_zeros(where, in[X]->dtype, &channels);
    heed_tensor *dbias = heed__new_zeros(where, in[X]->dtype, &channels);
    if (!found || !dweight || !dbias)
        return;
    batch_job job = job_of(call, in);
    job.g = dense->data;
    job.y = found->data;
    job.dweight = dweight->data;
    job.dbias = dbias->data;
    run_batch_norm(&job);
    dx[X] = found;
    if (heed__norm_needs(call, WEIGHT))
        dx[WEIGHT] = dweight;
    if (heed__norm_needs(call, BIAS))
        dx[BIAS] = dbias;
    if (is_given(call) && (heed__norm_needs(call, MEAN) || heed__norm_needs(call, VARIANCE)))
        through_statistics(call, factor_of(call), dweight, dbias, dx);
}

const heed_op heed_op_batch_norm = {
    .name = where,
    .n_inputs = 1,
    .max_inputs = INPUTS,
    .n_outputs = OUTPUTS,
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "eps")),
    .saved = HEED_SAVE_INPUT(X) | HEED_SAVE_INPUT(WEIGHT) | HEED_SAVE_INPUT(MEAN) | HEED_SAVE_INPUT(VARIANCE),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

/* -- Public function ----------------------------------------------------------------------------------------------- */

/* Returns t or, if it is NULL, `value` for every channel of x. */
static heed_tensor *or_constant(heed_tensor *t, const heed_tensor *x, double value)
{
    return t ? t : heed_expand(heed_full(x->dtype, HEED_SCALAR, value), HEED_SHAPE(x->shape.dims[1]));
}

heed_tensor *heed_batch_norm(heed_tensor *x, heed_tensor *mean, heed_tensor *variance, heed_tensor *weight,
                             heed_tensor *bias, double eps, heed_tensor **statistics)
{
    HEED_ENTER(where);
    if (statistics)
        *statistics = NULL;
    if (!heed__norm_check_channels(where, x) || !heed__norm_check_eps(where, x, &eps))
        return NULL;
    if (!mean != !variance)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the %s is NULL, but the %s is given: pass both or neither",
                              mean ? "variance" : "mean", mean ? "mean" : "variance");
    const int n = mean ? INPUTS : bias ? MEAN : weight ? BIAS : WEIGHT;
    if (n > BIAS)
        weight = or_constant(weight, x, 1.0);
    if (n > MEAN)
        bias = or_constant(bias, x, 0.0);
    heed_tensor *out[OUTPUTS];
    if (!heed_apply_all(&heed_op_batch_norm, (heed_tensor *[]){x, weight, bias, mean, variance}, n, &eps, out))
        return NULL;
    if (statistics && !(*statistics = heed_detach(out[STATISTICS])))
        return NULL;
    return out[Y];
}
