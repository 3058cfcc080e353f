/* ops/pool/pool.c - sizes and windows of pooling. See pool.h. */

#include "ops/pool/pool.h"

#include <inttypes.h>

#include "core/memory.h"
#include "core/parallel.h"

enum { RANGE_WORK = 32768 }; /* minimum elements of a range of planes */

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

static bool read_plane(const char *where, int axes, const heed_tensor *x, heed__pool *pool)
{
    *pool = (heed__pool){.axes = axes, .size = {1, 1}};
    if (!heed__check_tensor(where, x) || !heed__check_float(where, x))
        return false;
    if (x->shape.rank < axes)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x %s: must have %d axes or more", heed_shape_text(x->shape).s,
                               axes);
    for (int i = 0; i < axes; i++)
        pool->size[1 - i] = x->shape.dims[x->shape.rank - 1 - i];
    return true;
}

/* Returns the number of windows on an axis; 0 or less if the axis is too short for one window. With ceil_mode, a last
 * window that extends past the end also counts; it is cut off at the end. */
static int64_t windows_on(const heed__pool *p, int axis, bool ceil_mode)
{
    const int64_t extent = heed__window_extent(p->kernel[axis], p->dilation[axis]), stride = p->stride[axis];
    const int64_t padded = heed__window_padded(p->size[axis], p->padding[axis]);
    const int64_t rest = padded - extent + (ceil_mode ? stride - 1 : 0);
    if (extent < 0 || padded < 0 || rest < 0)
        return 0;
    const int64_t last = rest / stride;
    return ceil_mode && last * stride >= p->size[axis] + p->padding[axis] ? last : last + 1;
}

static bool count_windows(const char *where, const heed__pool *p, bool ceil_mode, int64_t out[2])
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

bool heed__pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *kernel,
                   const heed_max_pool_options *options, heed__pool *pool)
{
    const heed_max_pool_options o = options ? *options : (heed_max_pool_options){0};
    heed__pool *p = pool;
    if (!read_plane(where, axes, x, p))
        return false;
    if (kernel->rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "kernel is (): must have at least one size");
    if (p->size[0] < 1 || p->size[1] < 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the planes of x %s are empty", heed_shape_text(x->shape).s);
    const heed_shape stride = o.stride.rank != 0 ? o.stride : *kernel;
    return heed__window_numbers(where, "kernel", axes, kernel, 1, 1, p->kernel) &&
           heed__window_numbers(where, "stride", axes, &stride, 1, 1, p->stride) &&
           heed__window_numbers(where, "padding", axes, &o.padding, 0, 0, p->padding) &&
           heed__window_numbers(where, "dilation", axes, &o.dilation, 1, 1, p->dilation) &&
           count_windows(where, p, o.ceil_mode, p->out);
}

bool heed__avg_pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *kernel,
                       const heed_avg_pool_options *options, heed__pool *pool)
{
    const heed_avg_pool_options o = options ? *options : (heed_avg_pool_options){0};
    const heed_max_pool_options windows = {.stride = o.stride, .padding = o.padding, .ceil_mode = o.ceil_mode};
    if (!heed__pool_of(where, axes, x, kernel, &windows, pool))
        return false;
    if (o.divisor < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "divisor is %" PRId64 ": must be 0 or more", o.divisor);
    pool->exclude_pad = o.exclude_pad;
    pool->divisor = o.divisor;
    return true;
}

bool heed__adaptive_pool_of(const char *where, int axes, const heed_tensor *x, const heed_shape *size, heed__pool *pool)
{
    if (!read_plane(where, axes, x, pool))
        return false;
    if (size->rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "size is (): must have at least one number");
    if (pool->size[0] < 1 || pool->size[1] < 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the planes of x %s are empty", heed_shape_text(x->shape).s);
    pool->adaptive = true;
    return heed__window_numbers(where, "size", axes, size, 1, 1, pool->out);
}

bool heed__check_pool(const heed_call *call, const int64_t plane[2])
{
    const heed__pool *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    const int axes = pool->axes, rank = x->shape.rank;
    bool good = heed_dtype_is_float(x->dtype) && axes >= 1 && axes <= 2 && rank >= axes;
    for (int axis = 2 - axes; axis < 2 && good; axis++)
        good = plane[axis] == x->shape.dims[rank - 2 + axis] && pool->out[axis] > 0 && pool->size[axis] > 0 &&
               (pool->adaptive || (pool->kernel[axis] > 0 && pool->stride[axis] > 0));
    return good || heed_fail_false(HEED_ERR_SHAPE, call->op->name, "%s %s does not fit the op's parameters",
                                   heed_dtype_name(x->dtype), heed_shape_text(x->shape).s);
}

heed_shape heed__pool_shape(const heed__pool *pool, const heed_shape *shape, const int64_t plane[2])
{
    heed_shape result = *shape;
    for (int i = 0; i < pool->axes; i++)
        result.dims[result.rank - 1 - i] = plane[1 - i];
    return result;
}

/* -- Windows ------------------------------------------------------------------------------------------------------- */

static heed__window adaptive_window(int64_t size, int64_t out, int64_t i)
{
    heed__window w = {.begin = size / out * i + size % out * i / out, .step = 1};
    w.end = size / out * (i + 1) + (size % out * (i + 1) + out - 1) / out;
    w.count = w.end - w.begin;
    return w;
}

static heed__window window_of(const heed__pool *p, int axis, int64_t i)
{
    if (p->adaptive)
        return adaptive_window(p->size[axis], p->out[axis], i);
    const int64_t size = p->size[axis], padding = p->padding[axis], step = p->dilation[axis];
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
static bool fill_windows(const char *where, const heed__pool *pool, int axis, heed__window *windows)
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

bool heed__windows_begin(const char *where, const heed__pool *pool, heed__windows *windows)
{
    *windows = (heed__windows){.args = {.divisor = pool->divisor}};
    bool done = true;
    for (int axis = 0; axis < 2; axis++) {
        windows->args.size[axis] = pool->size[axis];
        windows->args.out[axis] = pool->out[axis];
        windows->at[axis] = heed__alloc(where, (size_t)pool->out[axis] * sizeof(heed__window));
        windows->args.window[axis] = windows->at[axis];
        done = done && windows->at[axis] && fill_windows(where, pool, axis, windows->at[axis]);
    }
    if (!done)
        heed__windows_end(windows);
    return done;
}

void heed__windows_end(heed__windows *windows)
{
    for (int axis = 0; axis < 2; axis++)
        heed_free(windows->at[axis], (size_t)windows->args.out[axis] * sizeof(heed__window));
}

heed__planes heed__planes_of(const heed__pool_args *args, int64_t numel, const int64_t plane[2])
{
    const int64_t size = args->size[0] * args->size[1], out = args->out[0] * args->out[1];
    const int64_t work = size > out ? size : out;
    return (heed__planes){.count = numel / (plane[0] * plane[1]), .grain = 1 + RANGE_WORK / work, .cost = 2 * work};
}
