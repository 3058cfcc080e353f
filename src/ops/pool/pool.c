/* ops/pool/pool.c - the largest element and the mean of every window of planes (h, w) or rows (w).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/conv/conv.h"

/* The params of max_pool and avg_pool. In 1-D pooling, element 0 of the arrays describes an axis of size 1. */
typedef struct pool_params {
    int axes;
    int64_t size[2], out[2]; /* sizes of a plane of x and of y */
    bool adaptive;           /* true: the following fields are unused */
    int64_t kernel[2], stride[2], padding[2], dilation[2];
    bool exclude_pad;
    int64_t divisor;
    bool adjoint; /* avg_pool only: maps y's planes to x's */
} pool_params;

#define POOL_FIELDS                                                                                                    \
    HEED_FIELDS(HEED_FIELD(pool_params, axes), HEED_FIELD(pool_params, size), HEED_FIELD(pool_params, out),            \
                HEED_FIELD(pool_params, adaptive), HEED_FIELD(pool_params, kernel), HEED_FIELD(pool_params, stride),   \
                HEED_FIELD(pool_params, padding), HEED_FIELD(pool_params, dilation),                                   \
                HEED_FIELD(pool_params, exclude_pad), HEED_FIELD(pool_params, divisor),                                \
                HEED_FIELD(pool_params, adjoint))

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

/* Reads the number of axes from `sizes`, a list of one or two sizes called `name`, and the size of a plane from x. */
static bool read_plane(const char *where, const heed_tensor *x, const char *name, const heed_shape *sizes,
                       pool_params *pool)
{
    const int axes = sizes->rank;
    *pool = (pool_params){.axes = axes, .size = {1, 1}};
    if (!heed__check_tensor(where, x) || !heed__check_float(where, x))
        return false;
    if (axes < 1 || axes > 2)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s has %d numbers: must be 1, or 2 for planes", name, axes);
    if (x->shape.rank < axes)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x %s has fewer axes than %s %s has sizes",
                               heed_shape_text(x->shape).s, name, heed_shape_text(*sizes).s);
    if (axes == 1 && x->shape.rank > 3)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x %s has planes, but %s %s has one size: must have two",
                               heed_shape_text(x->shape).s, name, heed_shape_text(*sizes).s);
    for (int i = 0; i < axes; i++)
        pool->size[1 - i] = x->shape.dims[x->shape.rank - 1 - i];
    return (pool->size[0] >= 1 && pool->size[1] >= 1) ||
           heed_fail_false(HEED_ERR_SHAPE, where, "the planes of x %s are empty", heed_shape_text(x->shape).s);
}

/* Returns the number of windows on an axis; 0 or less if the axis is too short for one window. With ceil_mode, a last
 * window that extends past the end also counts; it is cut off at the end. */
static int64_t windows_on(const pool_params *p, int axis, bool ceil_mode)
{
    const int64_t extent = heed__window_extent(p->kernel[axis], p->dilation[axis]), stride = p->stride[axis];
    const int64_t padded = heed__window_padded(p->size[axis], p->padding[axis]);
    const int64_t rest = padded - extent + (ceil_mode ? stride - 1 : 0);
    if (extent < 0 || padded < 0 || rest < 0)
        return 0;
    const int64_t last = rest / stride;
    return ceil_mode && last * stride >= p->size[axis] + p->padding[axis] ? last : last + 1;
}

static bool count_windows(const char *where, const pool_params *p, bool ceil_mode, int64_t out[2])
{
    for (int axis = 0; axis < 2; axis++) {
        if (p->padding[axis] > p->kernel[axis] / 2)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "padding is %s: must be at most half of the kernel %s",
                                   heed__window_text(p->axes, p->padding).s, heed__window_text(p->axes, p->kernel).s);
        out[axis] = windows_on(p, axis, ceil_mode);
        if (out[axis] < 1)
            return heed_fail_false(HEED_ERR_SHAPE, where,
                                   "a kernel %s with dilation %s does not fit into %s with padding %s",
                                   heed__window_text(p->axes, p->kernel).s, heed__window_text(p->axes, p->dilation).s,
                                   heed__window_text(p->axes, p->size).s, heed__window_text(p->axes, p->padding).s);
    }
    return true;
}

static bool read_pool(const char *where, const heed_tensor *x, const heed_shape *kernel,
                      const heed_max_pool_options *options, pool_params *pool)
{
    const heed_max_pool_options o = options ? *options : (heed_max_pool_options){0};
    pool_params *p = pool;
    if (!read_plane(where, x, "kernel", kernel, p))
        return false;
    const int axes = p->axes;
    const heed_shape stride = o.stride.rank != 0 ? o.stride : *kernel;
    return heed__window_numbers(where, "kernel", axes, kernel, 1, 1, p->kernel) &&
           heed__window_numbers(where, "stride", axes, &stride, 1, 1, p->stride) &&
           heed__window_numbers(where, "padding", axes, &o.padding, 0, 0, p->padding) &&
           heed__window_numbers(where, "dilation", axes, &o.dilation, 1, 1, p->dilation) &&
           count_windows(where, p, o.ceil_mode, p->out);
}

static bool read_adaptive_pool(const char *where, const heed_tensor *x, const heed_shape *size, pool_params *pool)
{
    if (!read_plane(where, x, "size", size, pool))
        return false;
    pool->adaptive = true;
    return heed__window_numbers(where, "size", pool->axes, size, 1, 1, pool->out);
}

/* Checks that the params fit x, whose planes have the size `plane`. */
static bool check_pool(const heed_call *call, const int64_t plane[2])
{
    const pool_params *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    const int axes = pool->axes, rank = x->shape.rank;
    bool good = heed_dtype_is_float(x->dtype) && axes >= 1 && axes <= 2 && rank >= axes;
    for (int axis = 2 - axes; axis < 2 && good; axis++)
        good = plane[axis] == x->shape.dims[rank - 2 + axis] && pool->out[axis] > 0 && pool->size[axis] > 0 &&
               (pool->adaptive || (pool->kernel[axis] > 0 && pool->stride[axis] > 0));
    return good || heed_fail_false(HEED_ERR_SHAPE, call->op->name, "%s %s does not fit the op's parameters",
                                   heed_dtype_name(x->dtype), heed_shape_text(x->shape).s);
}

/* x's shape with planes of the size `plane`. */
static heed_shape pooled_shape(const pool_params *pool, const heed_shape *shape, const int64_t plane[2])
{
    heed_shape result = *shape;
    for (int i = 0; i < pool->axes; i++)
        result.dims[result.rank - 1 - i] = plane[1 - i];
    return result;
}

/* -- Windows ------------------------------------------------------------------------------------------------------- */

/* The windows of both axes. */
typedef struct pool_windows {
    heed__window *at[2];
    heed__pool_args args; /* the kernels' arguments */
} pool_windows;

static heed__window window_of(const pool_params *p, int axis, int64_t i)
{
    const int64_t size = p->size[axis], padding = p->padding[axis], step = p->dilation[axis], out = p->out[axis];
    if (p->adaptive) {
        const int64_t first = size / out * i + size % out * i / out;
        const int64_t last = size / out * (i + 1) + (size % out * (i + 1) + out - 1) / out;
        return (heed__window){.begin = first, .end = last, .step = 1, .count = last - first};
    }
    const int64_t begin = i * p->stride[axis] - padding, end = begin + (p->kernel[axis] - 1) * step + 1;
    heed__window w = {.begin = begin >= 0 ? begin : (begin % step + step) % step,
                      .end = end < size ? end : size,
                      .step = step,
                      .count = (end < size + padding ? end : size + padding) - begin};
    if (p->exclude_pad)
        w.count = w.end - w.begin;
    return w;
}

/* Returns false after heed_fail if a window contains only padding. */
static bool fill_windows(const char *where, const pool_params *pool, int axis, heed__window *windows)
{
    for (int64_t i = 0; i < pool->out[axis]; i++) {
        windows[i] = window_of(pool, axis, i);
        if (windows[i].begin >= windows[i].end)
            return heed_fail_false(
                HEED_ERR_SHAPE, where, "window %" PRId64 " of %s with padding %s covers only padding", i,
                heed__window_text(pool->axes, pool->size).s, heed__window_text(pool->axes, pool->padding).s);
    }
    return true;
}

static void windows_end(pool_windows *windows)
{
    for (int axis = 0; axis < 2; axis++)
        heed_free(windows->at[axis], (size_t)windows->args.out[axis] * sizeof(heed__window));
}

/* Ends with windows_end. Returns false after heed_fail. */
static bool windows_begin(const char *where, const pool_params *pool, pool_windows *windows)
{
    *windows = (pool_windows){.args = {.divisor = pool->divisor}};
    bool done = true;
    for (int axis = 0; axis < 2; axis++) {
        windows->args.size[axis] = pool->size[axis];
        windows->args.out[axis] = pool->out[axis];
        windows->at[axis] = heed__alloc(where, (size_t)pool->out[axis] * sizeof(heed__window));
        windows->args.window[axis] = windows->at[axis];
        done = done && windows->at[axis] && fill_windows(where, pool, axis, windows->at[axis]);
    }
    if (!done)
        windows_end(windows);
    return done;
}

enum { RANGE_WORK = 32768 }; /* minimum elements of a range of planes */

/* The planes of a tensor of `numel` elements: their number, and the grain and cost of the parallel loop over them. */
typedef struct plane_loop {
    int64_t count, grain, cost;
} plane_loop;

static plane_loop planes_of(const heed__pool_args *args, int64_t numel, const int64_t plane[2])
{
    const int64_t size = args->size[0] * args->size[1], out = args->out[0] * args->out[1];
    const int64_t work = size > out ? size : out;
    return (plane_loop){.count = numel / (plane[0] * plane[1]), .grain = 1 + RANGE_WORK / work, .cost = 2 * work};
}

/* -- max_pool ------------------------------------------------------------------------------------------------------ */

/* y, indices = the largest element of every window and its index.    dx = scatter_sum(g, indices) */

enum { Y, INDEX, OUTPUTS };

typedef struct max_job {
    heed_dtype dtype;
    heed__pool_args args;
    const char *from; /* x or g */
    char *to;         /* y or dx */
    int64_t *index;
} max_job;

static bool max_pool_infer(const heed_call *call, heed_meta *out)
{
    const pool_params *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!check_pool(call, pool->size))
        return false;
    out[Y] = (heed_meta){x->dtype, pooled_shape(pool, &x->shape, pool->out)};
    out[INDEX] = (heed_meta){HEED_I64, out[Y].shape};
    return heed__check_shape(call->op->name, &out[Y].shape);
}

static void run_max_planes(int64_t begin, int64_t end, void *context)
{
    const max_job *job = context;
    HEED__RUN(max_pool, job->dtype, &job->args, begin, end, job->from, job->to, job->index);
}

static void run_max_grad_planes(int64_t begin, int64_t end, void *context)
{
    const max_job *job = context;
    HEED__RUN(max_pool_grad, job->dtype, &job->args, begin, end, job->index, job->from, job->to);
}

static bool max_pool_forward(const heed_call *call, heed_tensor *const *out)
{
    const pool_params *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    max_job job = {.dtype = x->dtype, .from = x->data, .to = out[Y]->data, .index = (void *)out[INDEX]->data};
    if (x->numel == 0)
        return true;
    pool_windows windows;
    if (!windows_begin("max_pool", pool, &windows))
        return false;
    job.args = windows.args;
    const plane_loop planes = planes_of(&job.args, x->numel, pool->size);
    heed__parallel_for(planes.count, planes.grain, planes.cost, run_max_planes, &job);
    windows_end(&windows);
    return true;
}

static heed_tensor *plane_rows(heed_tensor *t, int64_t size)
{
    return heed_reshape(t, HEED_SHAPE(heed_numel(t) / size, size));
}

static void max_pool_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const pool_params *pool = call->params;
    const heed_shape shape = heed_call_shape(call, 0);
    const int64_t size = pool->size[0] * pool->size[1], out = pool->out[0] * pool->out[1];
    heed_tensor *index = plane_rows(call->outputs[INDEX], out);
    const heed_shape planes = HEED_SHAPE(heed_shape_numel(shape) / size, size);
    dx[0] = heed_reshape(heed_scatter_sum(plane_rows(g[0], out), 1, index, planes), shape);
}

static void max_pool_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const pool_params *pool = call->params;
    const heed_shape shape = heed_call_shape(call, 0);
    const heed_tensor *dense = heed_contiguous(g[0]);
    heed_tensor *found = dense ? heed__tensor_new("max_pool", dense->dtype, &shape) : NULL;
    if (!found)
        return;
    max_job job = {.dtype = found->dtype,
                   .args = {.size = {pool->size[0], pool->size[1]}, .out = {pool->out[0], pool->out[1]}},
                   .from = dense->data,
                   .to = found->data,
                   .index = (void *)call->outputs[INDEX]->data};
    const plane_loop planes = planes_of(&job.args, found->numel, pool->size);
    heed__parallel_for(planes.count, planes.grain, planes.cost, run_max_grad_planes, &job);
    dx[0] = found;
}

const heed_op heed_op_max_pool = {
    .name = "max_pool",
    .n_inputs = 1,
    .n_outputs = OUTPUTS,
    .params_size = sizeof(pool_params),
    .fields = POOL_FIELDS,
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = max_pool_infer,
    .forward = max_pool_forward,
    .backward = max_pool_backward,
    .backward_fused = max_pool_backward_fused,
};

/* Returns y and stores the indices of the largest elements in *indices unless `indices` is NULL. */
static heed_tensor *max_pool(heed_tensor *x, const pool_params *pool, heed_tensor **indices)
{
    heed_tensor *out[OUTPUTS] = {NULL};
    (void)heed_apply_all(&heed_op_max_pool, &x, 1, pool, out);
    if (indices)
        *indices = out[INDEX];
    return out[Y];
}

heed_tensor *heed_max_pool(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                           heed_tensor **indices)
{
    pool_params pool;
    if (indices)
        *indices = NULL;
    return read_pool("max_pool", x, &kernel, options, &pool) ? max_pool(x, &pool, indices) : NULL;
}

heed_tensor *heed_adaptive_max_pool(heed_tensor *x, heed_shape size, heed_tensor **indices)
{
    HEED_ENTER("adaptive_max_pool");
    pool_params pool;
    if (indices)
        *indices = NULL;
    return read_adaptive_pool("adaptive_max_pool", x, &size, &pool) ? max_pool(x, &pool, indices) : NULL;
}

/* -- avg_pool ------------------------------------------------------------------------------------------------------ */

/* y = the mean of every window.    dx = the adjoint applied to g: this op with `adjoint` inverted */

typedef struct avg_job {
    heed__avg_pool_kernel *kernel;
    heed__pool_args args;
    const char *from;
    char *to;
} avg_job;

static bool avg_pool_infer(const heed_call *call, heed_meta *out)
{
    const pool_params *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!check_pool(call, pool->adjoint ? pool->out : pool->size))
        return false;
    *out = (heed_meta){x->dtype, pooled_shape(pool, &x->shape, pool->adjoint ? pool->size : pool->out)};
    return heed__check_shape(call->op->name, &out->shape);
}

static void run_avg_planes(int64_t begin, int64_t end, char *scratch, void *context)
{
    const avg_job *job = context;
    job->kernel(&job->args, begin, end, job->from, job->to, (double *)(void *)scratch);
}

static bool avg_pool_forward(const heed_call *call, heed_tensor *const *out)
{
    const pool_params *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    avg_job job = {.kernel = pool->adjoint ? HEED__KERNEL(avg_pool_grad, x->dtype) : HEED__KERNEL(avg_pool, x->dtype),
                   .from = x->data,
                   .to = out[0]->data};
    if (x->numel == 0)
        return true;
    pool_windows windows;
    if (!windows_begin("avg_pool", pool, &windows))
        return false;
    job.args = windows.args;
    const plane_loop planes = planes_of(&job.args, x->numel, pool->adjoint ? pool->out : pool->size);
    const bool done = heed__parallel_for_scratch("avg_pool", planes.count, planes.grain, planes.cost,
                                                 pool->size[1] * (int64_t)sizeof(double), run_avg_planes, &job);
    windows_end(&windows);
    return done;
}

static void avg_pool_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    pool_params pool = *(const pool_params *)call->params;
    pool.adjoint = !pool.adjoint;
    dx[0] = heed__apply1(&heed_op_avg_pool, g[0], &pool);
}

const heed_op heed_op_avg_pool = {
    .name = "avg_pool",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(pool_params),
    .fields = POOL_FIELDS,
    .contiguous = true,
    .infer = avg_pool_infer,
    .forward = avg_pool_forward,
    .backward = avg_pool_backward,
};

heed_tensor *heed_avg_pool(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options)
{
    static const char where[] = "avg_pool";
    const heed_avg_pool_options o = options ? *options : (heed_avg_pool_options){0};
    const heed_max_pool_options windows = {.stride = o.stride, .padding = o.padding, .ceil_mode = o.ceil_mode};
    pool_params pool;
    if (!read_pool(where, x, &kernel, &windows, &pool))
        return NULL;
    if (o.divisor < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "divisor is %" PRId64 ": must be 0 or more", o.divisor);
    pool.exclude_pad = o.exclude_pad;
    pool.divisor = o.divisor;
    return heed__apply1(&heed_op_avg_pool, x, &pool);
}

heed_tensor *heed_adaptive_avg_pool(heed_tensor *x, heed_shape size)
{
    static const char where[] = "adaptive_avg_pool";
    HEED_ENTER(where);
    pool_params pool;
    return read_adaptive_pool(where, x, &size, &pool) ? heed__apply1(&heed_op_avg_pool, x, &pool) : NULL;
}
