/* ops/softmax/softmax.c - softmax, log_softmax and logsumexp: ops along the last axis, on contiguous rows, which the
 * public functions apply along any axis.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/support.h"

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* Like heed_infer_same, but fails with HEED_ERR_SHAPE if x is a scalar. */
static bool rows_infer(const heed_call *call, heed_meta *out)
{
    if (call->inputs[0]->shape.rank < 1)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x is a scalar: must have at least one axis");
    return heed_infer_same(call, out);
}

/* The kernels of an op: y = kernel(x) and dx = gradient(y, g), for contiguous rows. */
typedef struct rows_kernels {
    heed__rows_kernel *const *const (*kernel)[2];
    heed__rows_grad_kernel *const *const (*gradient)[2]; /* NULL if the op has no fused gradient */
} rows_kernels;

typedef struct rows_job {
    heed__rows_kernel *kernel; /* NULL: run the gradient */
    heed__rows_grad_kernel *gradient;
    int64_t n;
    int64_t in_bytes, out_bytes; /* bytes per row */
    const char *x, *g;
    char *y;
} rows_job;

static void run_row_range(int64_t begin, int64_t end, void *context)
{
    const rows_job *job = context;
    const char *x = job->x + begin * job->in_bytes;
    char *y = job->y + begin * job->out_bytes;
    if (job->kernel)
        job->kernel(end - begin, job->n, x, y);
    else
        job->gradient(end - begin, job->n, x, job->g + begin * job->in_bytes, y);
}

static void run_rows(rows_job *job, const heed_tensor *x, heed_tensor *y)
{
    int last = x->shape.rank - 1;
    int64_t rows = 1, size = (int64_t)heed_dtype_size(x->dtype);
    for (int axis = 0; axis < last; axis++)
        rows *= x->shape.dims[axis];
    if (y->numel == 0)
        return;
    job->n = x->shape.dims[last];
    job->x = x->data;
    job->y = y->data;
    job->in_bytes = job->n * size;
    job->out_bytes = y->numel / rows * size;
    heed__for_rows(rows, job->n, run_row_range, job);
}

static bool rows_forward(const heed_call *call, heed_tensor *const *out)
{
    const rows_kernels *kernels = call->op->data;
    run_rows(&(rows_job){.kernel = *kernels->kernel[heed__isa()][out[0]->dtype]}, call->inputs[0], out[0]);
    return true;
}

static void rows_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const rows_kernels *kernels = call->op->data;
    const heed_tensor *y = call->outputs[0], *dense = heed_contiguous(g[0]);
    dx[0] = dense ? heed__tensor_new(call->op->name, y->dtype, &y->shape) : NULL;
    if (dx[0])
        run_rows(&(rows_job){.gradient = *kernels->gradient[heed__isa()][y->dtype], .g = dense->data}, y, dx[0]);
}

/* Applies `op`, which works along the last axis, to x along `axis` instead. */
static heed_tensor *apply_along(const heed_op *op, heed_tensor *x, int axis)
{
    if (!heed__check_tensor(op->name, x) || (axis = heed__axis_of(op->name, axis, x->shape.rank)) < 0)
        return NULL;
    int last = x->shape.rank - 1;
    if (axis == last)
        return heed__apply1(op, x, NULL);
    HEED_ENTER(op->name);
    return heed_transpose(heed__apply1(op, heed_transpose(x, axis, last), NULL), axis, last);
}

/* The fields that the records (heed_op) have in common. */
#define ROWS(name_, ...)                                                                                               \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .contiguous = true, .forward = rows_forward,                       \
    .data = &(const rows_kernels)                                                                                      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* -- Ops ----------------------------------------------------------------------------------------------------------- */

/* y = exp(x - max) / sum exp(x - max).    dx = y (g - sum(g y)) */
static void softmax_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    heed_tensor *mean = heed_sum_axes(heed_mul(g[0], y), HEED_AXES(-1), true);
    dx[0] = heed_mul(y, heed_sub(g[0], mean));
}

const heed_op heed_op_softmax = {
    ROWS("softmax", heed__kernel_softmax, heed__kernel_softmax_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .infer = rows_infer,
    .backward = softmax_backward,
    .backward_fused = rows_backward_fused,
};

heed_tensor *heed_softmax(heed_tensor *x, int axis)
{
    return apply_along(&heed_op_softmax, x, axis);
}

/* y = x - logsumexp(x).    dx = g - exp(y) sum(g) */
static void log_softmax_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *total = heed_sum_axes(g[0], HEED_AXES(-1), true);
    dx[0] = heed_sub(g[0], heed_mul(heed_exp(call->outputs[0]), total));
}

const heed_op heed_op_log_softmax = {
    ROWS("log_softmax", heed__kernel_log_softmax, heed__kernel_log_softmax_grad),
    .saved = HEED_SAVE_OUTPUTS,
    .infer = rows_infer,
    .backward = log_softmax_backward,
    .backward_fused = rows_backward_fused,
};

heed_tensor *heed_log_softmax(heed_tensor *x, int axis)
{
    return apply_along(&heed_op_log_softmax, x, axis);
}

static bool logsumexp_infer(const heed_call *call, heed_meta *out)
{
    if (!rows_infer(call, out))
        return false;
    out->shape.dims[out->shape.rank - 1] = 1;
    return true;
}

/* y = ln sum exp(x); in the op, the last axis stays with size 1.    dx = g softmax(x)
 *
 * g exp(x - y) would be less accurate, because the rounding error of a large y would be in the exponent. */
static void logsumexp_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_softmax(call->inputs[0], -1));
}

const heed_op heed_op_logsumexp = {
    ROWS("logsumexp", heed__kernel_logsumexp, NULL),
    .saved = HEED_SAVE_INPUTS,
    .infer = logsumexp_infer,
    .backward = logsumexp_backward,
};

heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim)
{
    HEED_ENTER("logsumexp");
    heed_tensor *y = apply_along(&heed_op_logsumexp, x, axis);
    return keepdim ? y : heed_squeeze(y, axis);
}
