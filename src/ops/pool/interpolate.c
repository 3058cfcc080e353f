/* ops/pool/interpolate.c - lines and planes in a different size, from the nearest or the adjacent elements of x.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "kernels/simd/compiler.h"
#include "ops/conv/conv.h"

/* With one axis, element 0 of the arrays describes an axis of size 1. */
typedef struct interpolate_params {
    int axes;
    int64_t size[2], out[2];   /* sizes of a plane of x and of y */
    double factor_h, factor_w; /* the given scale factors of both axes; 0: out / size */
    heed_interpolate_mode mode;
    bool align_corners;
    bool adjoint; /* maps y's planes to x's */
} interpolate_params;

/* -- Weights ------------------------------------------------------------------------------------------------------- */

/* An element that contributes to a result, with its weight. */
typedef struct tap {
    int64_t index;
    double weight;
} tap;

/* One axis: result i is the weighted sum of the taps begin[i] .. begin[i + 1] - 1. A tap of weight 0 is left out, so
 * that an infinite element does not give NaN in results that do not depend on it. */
typedef struct axis_taps {
    int64_t size, out; /* numbers of elements and of results */
    int64_t *begin;    /* out + 1 numbers */
    tap *taps;
    int64_t capacity;
} axis_taps;

/* Returns the index of the nearest element for position i of y. It is rounded as in PyTorch: the step in x's dtype, the
 * position in f32. */
static int64_t nearest_index(const interpolate_params *p, int axis, double factor, heed_dtype dtype, int64_t i)
{
    const int64_t size = p->size[axis], out = p->out[axis];
    const double step = factor > 0 ? 1.0 / factor : (double)size / (double)out;
    const float step32 = factor > 0 ? (float)step : (float)size / (float)out;
    const float at = floorf(dtype == HEED_F32 ? step32 * (float)i : (float)(step * (double)i));
    return at < (float)size && (int64_t)at < size ? (int64_t)at : size - 1;
}

/* Returns the position in x for position i of y. */
static double source_of(const interpolate_params *p, int axis, double factor, int64_t i)
{
    const int64_t size = p->size[axis], out = p->out[axis];
    if (size == out)
        return (double)i;
    if (p->align_corners)
        return out > 1 ? (double)(size - 1) / (double)(out - 1) * (double)i : 0;
    return ((double)i + 0.5) * (factor > 0 ? 1.0 / factor : (double)size / (double)out) - 0.5;
}

/* Writes the taps for position i of y. Returns their number, 1 or 2. */
static int taps_at(const interpolate_params *p, int axis, heed_dtype dtype, int64_t i, tap taps[2])
{
    const double factor = axis == 0 ? p->factor_h : p->factor_w;
    if (p->mode == HEED_INTERPOLATE_NEAREST) {
        taps[0] = (tap){nearest_index(p, axis, factor, dtype, i), 1};
        return 1;
    }
    const double at = source_of(p, axis, factor, i), last = (double)(p->size[axis] - 1);
    const int64_t low = at <= 0 ? 0 : at >= last ? p->size[axis] - 1 : (int64_t)at;
    const double rest = at <= 0 || at >= last ? 0 : at - (double)low;
    taps[0] = (tap){low, 1 - rest};
    taps[1] = (tap){low + 1, rest};
    return rest > 0 ? 2 : 1;
}

/* Fills the taps of an axis. For the adjoint, element `index` of x is the result, with a tap per position i of y that
 * reads it, in ascending order: begin[r + 1] first counts the taps of result r, then holds where its next tap is
 * written, and in the end where its taps end. */
static void fill_taps(const interpolate_params *p, int axis, heed_dtype dtype, axis_taps *t)
{
    for (int64_t r = 0; r <= t->out; r++)
        t->begin[r] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < p->out[axis]; i++) {
            tap taps[2];
            const int n = taps_at(p, axis, dtype, i, taps);
            for (int k = 0; k < n; k++) {
                int64_t *next = &t->begin[(p->adjoint ? taps[k].index : i) + 1];
                if (pass == 1)
                    t->taps[*next] = (tap){p->adjoint ? i : taps[k].index, taps[k].weight};
                ++*next;
            }
        }
        for (int64_t r = 0, sum = 0; pass == 0 && r < t->out; r++) {
            const int64_t count = t->begin[r + 1];
            t->begin[r + 1] = sum;
            sum += count;
        }
    }
}

static void taps_end(axis_taps *t)
{
    heed_free(t->begin, (size_t)(t->out + 1) * sizeof *t->begin);
    heed_free(t->taps, (size_t)t->capacity * sizeof *t->taps);
}

/* Ends with taps_end. Returns false after heed_fail. */
static bool taps_begin(const interpolate_params *p, int axis, heed_dtype dtype, axis_taps *t)
{
    *t = (axis_taps){.size = p->adjoint ? p->out[axis] : p->size[axis],
                     .out = p->adjoint ? p->size[axis] : p->out[axis],
                     .capacity = 2 * p->out[axis]};
    t->begin = heed__alloc("interpolate", (size_t)(t->out + 1) * sizeof *t->begin);
    t->taps = t->begin ? heed__alloc("interpolate", (size_t)t->capacity * sizeof *t->taps) : NULL;
    if (!t->taps) {
        taps_end(t);
        return false;
    }
    fill_taps(p, axis, dtype, t);
    return true;
}

/* -- interpolate --------------------------------------------------------------------------------------------------- */

/* y = weighted sums of x over both axes.    dx = the adjoint applied to g: this op with `adjoint` inverted */

typedef struct interpolate_job {
    heed_dtype dtype;
    axis_taps down, across;
    const void *x;
    void *y;
} interpolate_job;

static ALWAYS_INLINE double element(heed_dtype dtype, const void *x, int64_t i)
{
    return dtype == HEED_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* Mixes the lines of a plane of x, the first of which begins at element `start`, to the line for row i of y. */
static ALWAYS_INLINE void mix_lines(heed_dtype dtype, const interpolate_job *job, int64_t start, int64_t i,
                                    double *restrict line)
{
    const int64_t first = job->down.begin[i], width = job->across.size;
    for (int64_t j = 0; first == job->down.begin[i + 1] && j < width; j++)
        line[j] = 0;
    for (int64_t k = first; k < job->down.begin[i + 1]; k++) {
        const double weight = job->down.taps[k].weight;
        const int64_t from = start + job->down.taps[k].index * width;
        for (int64_t j = 0; k == first && j < width; j++)
            line[j] = weight * element(dtype, job->x, from + j);
        for (int64_t j = 0; k > first && j < width; j++)
            line[j] += weight * element(dtype, job->x, from + j);
    }
}

/* Computes rows begin .. end - 1 of all planes of y. dtype is a constant. */
static ALWAYS_INLINE void interpolate_rows(heed_dtype dtype, const interpolate_job *job, int64_t begin, int64_t end,
                                           double *line)
{
    const axis_taps *down = &job->down, *across = &job->across;
    for (int64_t row = begin; row < end; row++) {
        mix_lines(dtype, job, row / down->out * down->size * across->size, row % down->out, line);
        for (int64_t j = 0; j < across->out; j++) {
            int64_t k = across->begin[j];
            double sum = k < across->begin[j + 1] ? across->taps[k].weight * line[across->taps[k].index] : 0;
            for (k++; k < across->begin[j + 1]; k++)
                sum += across->taps[k].weight * line[across->taps[k].index];
            if (dtype == HEED_F32)
                ((float *)job->y)[row * across->out + j] = (float)sum;
            else
                ((double *)job->y)[row * across->out + j] = sum;
        }
    }
}

static void interpolate_range(int64_t begin, int64_t end, char *scratch, void *context)
{
    const interpolate_job *job = context;
    double *line = (double *)(void *)scratch;
    if (job->dtype == HEED_F32)
        interpolate_rows(HEED_F32, job, begin, end, line);
    else
        interpolate_rows(HEED_F64, job, begin, end, line);
}

enum { RANGE_WORK = 32768 }; /* minimum elements of a range of rows */

static bool run_interpolate(interpolate_job *job, int64_t rows)
{
    const axis_taps *down = &job->down, *across = &job->across;
    const int64_t lines = 1 + down->begin[down->out] / down->out; /* the average per row */
    const int64_t cost = lines * across->size + across->begin[across->out] + across->out;
    return heed__parallel_for_scratch("interpolate", rows, 1 + RANGE_WORK / cost, cost,
                                      across->size * (int64_t)sizeof(double), interpolate_range, job);
}

static bool interpolate_infer(const heed_call *call, heed_meta *out)
{
    const interpolate_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    const int64_t *from = p->adjoint ? p->out : p->size, *to = p->adjoint ? p->size : p->out;
    const int rank = x->shape.rank;
    bool fits = heed_dtype_is_float(x->dtype) && p->axes >= 1 && p->axes <= 2 && rank == p->axes + 2;
    *out = (heed_meta){x->dtype, x->shape};
    for (int axis = 2 - p->axes; fits && axis < 2; axis++) {
        fits = x->shape.dims[rank - 2 + axis] == from[axis] && from[axis] > 0 && to[axis] > 0;
        out->shape.dims[rank - 2 + axis] = to[axis];
    }
    return fits ? heed__check_shape(call->op->name, &out->shape)
                : heed_fail_false(HEED_ERR_SHAPE, call->op->name, "%s %s does not fit the op's parameters",
                                  heed_dtype_name(x->dtype), heed_shape_text(x->shape).s);
}

static bool interpolate_forward(const heed_call *call, heed_tensor *const *out)
{
    const interpolate_params *p = call->params;
    const heed_tensor *x = call->inputs[0];
    interpolate_job job = {.dtype = x->dtype, .x = x->data, .y = out[0]->data};
    if (out[0]->numel == 0)
        return true;
    if (!taps_begin(p, 0, x->dtype, &job.down))
        return false;
    bool done = taps_begin(p, 1, x->dtype, &job.across);
    if (done) {
        done = run_interpolate(&job, out[0]->numel / job.across.out);
        taps_end(&job.across);
    }
    taps_end(&job.down);
    return done;
}

static void interpolate_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    interpolate_params p = *(const interpolate_params *)call->params;
    p.adjoint = !p.adjoint;
    dx[0] = heed__apply1(&heed_op_interpolate, g[0], &p);
}

const heed_op heed_op_interpolate = {
    .name = "interpolate",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(interpolate_params),
    .fields = HEED_FIELDS(HEED_FIELD(interpolate_params, axes), HEED_FIELD(interpolate_params, size),
                          HEED_FIELD(interpolate_params, out), HEED_FIELD(interpolate_params, factor_h),
                          HEED_FIELD(interpolate_params, factor_w), HEED_FIELD(interpolate_params, mode),
                          HEED_FIELD(interpolate_params, align_corners), HEED_FIELD(interpolate_params, adjoint)),
    .saved = HEED_SAVE_NOTHING,
    .contiguous = true,
    .infer = interpolate_infer,
    .forward = interpolate_forward,
    .backward = interpolate_backward,
};

/* -- Sizes --------------------------------------------------------------------------------------------------------- */

static bool check_mode(const char *where, const heed_interpolate_options *o, const heed_tensor *x)
{
    if ((int)o->mode < HEED_INTERPOLATE_NEAREST || (int)o->mode > HEED_INTERPOLATE_BILINEAR)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "mode is %d: must be one of HEED_INTERPOLATE_*", (int)o->mode);
    if (o->align_corners && o->mode == HEED_INTERPOLATE_NEAREST)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "align_corners is true: must be false in mode nearest");
    const int rank = o->mode == HEED_INTERPOLATE_LINEAR ? 3 : o->mode == HEED_INTERPOLATE_BILINEAR ? 4 : x->shape.rank;
    if (x->shape.rank != rank || rank < 3 || rank > 4)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be %s", heed_shape_text(x->shape).s,
                               rank == 3   ? "(B, C, L) in mode linear"
                               : rank == 4 ? "(B, C, H, W) in mode bilinear"
                                           : "(B, C, L) or (B, C, H, W)");
    return true;
}

/* Sets the scale factors and the size of y from them. */
static bool size_by_factors(const char *where, const heed_interpolate_options *o, interpolate_params *p)
{
    p->factor_w = o->scale_factor_w != 0 ? o->scale_factor_w : o->scale_factor;
    p->factor_h = p->axes == 2 ? o->scale_factor : 0;
    for (int axis = 2 - p->axes; axis < 2; axis++) {
        const double factor = axis == 0 ? p->factor_h : p->factor_w, out = floor((double)p->size[axis] * factor);
        if (!(factor > 0 && factor < (double)INFINITY))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "scale_factor is %g: must be above 0 and finite", factor);
        if (!(out >= 1 && out < 0x1p60))
            return heed_fail_false(HEED_ERR_SHAPE, where,
                                   "a scale_factor of %g gives %" PRId64 " elements the size %g: must be 1 to 2^60",
                                   factor, p->size[axis], out);
        p->out[axis] = (int64_t)out;
    }
    return true;
}

static bool read_interpolate(const char *where, const heed_tensor *x, const heed_interpolate_options *o,
                             interpolate_params *p)
{
    if (!heed__check_tensor(where, x) || !heed__check_float(where, x) || !check_mode(where, o, x))
        return false;
    *p = (interpolate_params){.axes = x->shape.rank - 2,
                              .size = {1, x->shape.dims[x->shape.rank - 1]},
                              .out = {1, 1},
                              .mode = o->mode,
                              .align_corners = o->align_corners};
    if (p->axes == 2)
        p->size[0] = x->shape.dims[2];
    if (p->size[0] < 1 || p->size[1] < 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the %s of x %s are empty", p->axes == 1 ? "lines" : "planes",
                               heed_shape_text(x->shape).s);
    const bool scaled = o->scale_factor != 0 || o->scale_factor_w != 0;
    if (scaled == (o->size.rank != 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "size is %s, scale_factor is %g: give either one or the other",
                               heed_shape_text(o->size).s, o->scale_factor);
    return scaled ? size_by_factors(where, o, p) : heed__window_numbers(where, "size", p->axes, &o->size, 1, 1, p->out);
}

heed_tensor *heed_interpolate(heed_tensor *x, const heed_interpolate_options *options)
{
    const heed_interpolate_options o = options ? *options : (heed_interpolate_options){0};
    interpolate_params p;
    return read_interpolate("interpolate", x, &o, &p) ? heed__apply1(&heed_op_interpolate, x, &p) : NULL;
}
