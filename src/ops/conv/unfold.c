/* ops/conv/unfold.c    y = the windows of x, one per column.    dx = fold(g)
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "core/parallel.h"
#include "ops/conv/conv.h"

/* -- Copies of windows to columns and back, also for fold ---------------------------------------------------------- */

typedef struct columns_job {
    heed__conv conv;
    heed_dtype dtype;
    char *planes, *columns;
    bool fold;
} columns_job;

/* Copies n elements of a row of a plane, `step` apart, to a row of a column, or with `fold` adds the column's elements
 * to the plane's. */
static void move_row(const columns_job *job, int64_t n, void *plane, int64_t step, void *column)
{
    float *plane32 = plane, *column32 = column;
    double *plane64 = plane, *column64 = column;
    if (job->dtype == HEED_F32 && job->fold)
        for (int64_t i = 0; i < n; i++)
            plane32[i * step] += column32[i];
    else if (job->dtype == HEED_F32)
        for (int64_t i = 0; i < n; i++)
            column32[i] = plane32[i * step];
    else if (job->fold)
        for (int64_t i = 0; i < n; i++)
            plane64[i * step] += column64[i];
    else
        for (int64_t i = 0; i < n; i++)
            column64[i] = plane64[i * step];
}

/* begin .. end - 1 are the positions on an axis at which a tap lies inside the plane. */
typedef struct span {
    int64_t begin, end;
} span;

static span positions_of_tap(const heed__conv *c, int axis, int64_t t)
{
    const int64_t shift = c->before[axis] - t * c->dilation[axis], limit = c->x[axis] + shift, step = c->stride[axis];
    const int64_t begin = shift > 0 ? heed__ceil_div(shift, step) : 0,
                  end = limit > 0 ? heed__ceil_div(limit, step) : 0;
    return (span){begin, end < c->y[axis] ? end : c->y[axis]};
}

/* Copies or adds the elements that tap (t, u) of the kernel covers at all positions of a plane. `column` is the row of
 * the columns that belongs to this tap. */
static void move_tap(const columns_job *job, int64_t t, int64_t u, char *plane, char *column)
{
    const heed__conv *c = &job->conv;
    const int64_t size = (int64_t)heed_dtype_size(job->dtype);
    const span rows = positions_of_tap(c, 0, t), across = positions_of_tap(c, 1, u);
    for (int64_t p = rows.begin; p < rows.end && across.begin < across.end; p++) {
        const int64_t i = p * c->stride[0] - c->before[0] + t * c->dilation[0];
        const int64_t j = across.begin * c->stride[1] - c->before[1] + u * c->dilation[1];
        move_row(job, across.end - across.begin, plane + (i * c->x[1] + j) * size, c->stride[1],
                 column + (p * c->y[1] + across.begin) * size);
    }
}

static void move_planes(int64_t begin, int64_t end, void *context)
{
    const columns_job *job = context;
    const heed__conv *c = &job->conv;
    const int64_t size = (int64_t)heed_dtype_size(job->dtype), taps = c->w[0] * c->w[1], height = c->y[0] * c->y[1];
    for (int64_t plane = begin; plane < end; plane++)
        for (int64_t tap = 0; tap < taps; tap++)
            move_tap(job, tap / c->w[1], tap % c->w[1], job->planes + plane * c->x[0] * c->x[1] * size,
                     job->columns + (plane * taps + tap) * height * size);
}

void heed__unfold_run(const heed__conv *conv, const heed_tensor *planes, const heed_tensor *columns, bool fold)
{
    columns_job job = {*conv, planes->dtype, planes->data, columns->data, fold};
    const int64_t count = planes->shape.dims[0] * planes->shape.dims[1];
    if (planes->numel == 0 || columns->numel == 0)
        return;
    const int64_t work = columns->numel / count;
    heed__parallel_for(count, work < 32768 ? 32768 / work : 1, work, move_planes, &job);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[0];
    int64_t height = x->shape.dims[1], width = c->y[0];
    if (__builtin_mul_overflow(height, c->w[0], &height) || __builtin_mul_overflow(height, c->w[1], &height) ||
        __builtin_mul_overflow(width, c->y[1], &width))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x %s gives too many elements",
                               heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(x->shape.dims[0], height, width);
    return heed__check_shape(call->op->name, &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(out[0]->dtype));
    heed__unfold_run(call->params, call->inputs[0], out[0], false);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__fold_apply(g[0], call->params);
}

const heed_op heed_op_unfold = {
    .name = "unfold",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_NOTHING,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed__unfold_apply(heed_tensor *x, const heed__conv *conv)
{
    return heed__apply1(&heed_op_unfold, x, conv);
}

heed_tensor *heed_unfold(heed_tensor *x, heed_shape kernel, const heed_unfold_options *options)
{
    heed__conv conv;
    if (!heed__check_tensor("unfold", x) || !heed__check_float("unfold", x))
        return NULL;
    if (x->shape.rank != 4)
        return heed_fail_null(HEED_ERR_SHAPE, "unfold", "x is %s: must be (B, C, H, W)", heed_shape_text(x->shape).s);
    return heed__unfold_of("unfold", &x->shape.dims[2], &kernel, options, &conv) ? heed__unfold_apply(x, &conv) : NULL;
}
