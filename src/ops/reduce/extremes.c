/* ops/reduce/extremes.c - the largest and the smallest element along axes, and their indices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernels/simd/compiler.h"
#include "ops/reduce/reduce.h"

/* -- max and min --------------------------------------------------------------------------------------------------- */

/* Fails with HEED_ERR_SHAPE if a reduced axis is empty. */
static bool extremum_infer(const heed_call *call, heed_meta *out)
{
    const heed__reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    const heed_shape *shape = &x->shape;
    for (int axis = 0; axis < shape->rank; axis++)
        if ((params->mask >> axis & 1) && shape->dims[axis] == 0)
            return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "axis %d of %s is empty", axis,
                                   heed_shape_text(*shape).s);
    if (!heed__check_number_dtype(call->op->name, x))
        return false;
    out->dtype = x->dtype;
    out->shape = heed__reduced_shape(shape, params->mask, params->keepdim);
    return true;
}

/* Divides g evenly among the elements of x that equal y. */
static void extremum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__reduce_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_shape kept = heed__reduced_shape(&x->shape, params->mask, true);
    heed_tensor *y = heed_reshape(call->outputs[0], kept);
    heed_tensor *is_y = heed_compare(x, HEED_COMPARE_EQ, y);
    heed_tensor *share = heed_div(heed_reshape(g[0], kept), heed_sum_to(heed_to_dtype(is_y, x->dtype), kept));
    heed_tensor *is_nan = heed_compare(y, HEED_COMPARE_NE, y); /* NaN equals no x; the gradient is then NaN */
    dx[0] = heed_where(is_y, share, heed_where(is_nan, y, heed_zeros(x->dtype, HEED_SCALAR)));
}

/* The kernels of an op. */
typedef struct extremum {
    heed__reduce_kernel *i64;
    heed__reduce_kernel *const *const (*kernel)[2];
} extremum;

static bool extremum_forward(const heed_call *call, heed_tensor *const *out)
{
    const extremum *of = call->op->data;
    const heed__reduce_params *params = call->params;
    const heed_dtype dtype = out[0]->dtype;
    heed__reduce_kernel *kernel = dtype == HEED_I64 ? of->i64 : *of->kernel[heed__isa()][dtype];
    return heed__reduce(call->op->name, kernel, call->inputs[0], params->mask, out[0]);
}

#define EXTREMUM(name_, ...)                                                                                           \
    HEED__REDUCTION(name_), .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_OUTPUTS, .infer = extremum_infer,                  \
                            .forward = extremum_forward, .backward = extremum_backward, .data = &(const extremum)      \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* y = the largest x along some axes; NaN if any x is.    dx = g, shared evenly if several x = y */
const heed_op heed_op_max = {EXTREMUM("max", heed__max_i64, heed__kernel_max)};

heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("max_axes");
    return heed__apply_reduction("max_axes", &heed_op_max, x, axes, keepdim);
}

heed_tensor *heed_max(heed_tensor *x)
{
    return heed__apply_reduction("max", &heed_op_max, x, HEED_ALL_AXES, false);
}

/* y = the smallest x along some axes; NaN if any x is.    dx = g, shared evenly if several x = y */
const heed_op heed_op_min = {EXTREMUM("min", heed__min_i64, heed__kernel_min)};

heed_tensor *heed_min_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("min_axes");
    return heed__apply_reduction("min_axes", &heed_op_min, x, axes, keepdim);
}

heed_tensor *heed_min(heed_tensor *x)
{
    return heed__apply_reduction("min", &heed_op_min, x, HEED_ALL_AXES, false);
}

/* -- argmax and argmin --------------------------------------------------------------------------------------------- */

typedef struct arg_params {
    int axis;
    bool keepdim;
} arg_params;

static bool arg_extremum_infer(const heed_call *call, heed_meta *out)
{
    const arg_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!heed__check_number_dtype(call->op->name, x))
        return false;
    if (x->shape.dims[params->axis] == 0)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "no elements to choose from in %s",
                               heed_shape_text(x->shape).s);
    out->dtype = HEED_I64;
    out->shape = heed__reduced_shape(&x->shape, 1U << params->axis, params->keepdim);
    return true;
}

/* Returns whether x[next] replaces x[best] as the extremum: a NaN replaces every number. */
#define REPLACES(largest, next, best)                                                                                  \
    (((largest) ? (next) > (best) : (next) < (best)) || ((next) != (next) && (best) == (best)))

static ALWAYS_INLINE bool replaces(heed_dtype dtype, bool largest, const void *x, int64_t next, int64_t best)
{
    const float *f32 = x;
    const double *f64 = x;
    const int64_t *i64 = x;
    return dtype == HEED_F32   ? REPLACES(largest, f32[next], f32[best])
           : dtype == HEED_F64 ? REPLACES(largest, f64[next], f64[best])
                               : REPLACES(largest, i64[next], i64[best]);
}

/* Writes the indices of the first of equal elements, or of the first NaN. dtype and largest are constants. */
static ALWAYS_INLINE void find_extrema(heed_dtype dtype, bool largest, heed__axis_split s, const void *x, int64_t *y)
{
    for (int64_t o = 0, at = 0; o < s.outer; o++, at += s.size * s.inner, y += s.inner) {
        for (int64_t i = 0; i < s.inner; i++)
            y[i] = 0;
        for (int64_t j = 1; j < s.size; j++)
            for (int64_t i = 0; i < s.inner; i++)
                if (replaces(dtype, largest, x, at + j * s.inner + i, at + y[i] * s.inner + i))
                    y[i] = j;
    }
}

static ALWAYS_INLINE void find_by_dtype(bool largest, const heed_call *call, int64_t *y)
{
    const arg_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    const heed__axis_split s = heed__split_at(&x->shape, params->axis);
    if (x->dtype == HEED_F32)
        find_extrema(HEED_F32, largest, s, x->data, y);
    else if (x->dtype == HEED_F64)
        find_extrema(HEED_F64, largest, s, x->data, y);
    else
        find_extrema(HEED_I64, largest, s, x->data, y);
}

static bool arg_extremum_forward(const heed_call *call, heed_tensor *const *out)
{
    int64_t *y = (void *)out[0]->data;
    if (out[0]->numel > 0 && *(const bool *)call->op->data)
        find_by_dtype(true, call, y);
    else if (out[0]->numel > 0)
        find_by_dtype(false, call, y);
    return true;
}

#define ARG_EXTREMUM(name_, largest)                                                                                   \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(arg_params), .contiguous = true,             \
    .fields = HEED_FIELDS(HEED_FIELD(arg_params, axis), HEED_FIELD(arg_params, keepdim)), .infer = arg_extremum_infer, \
    .forward = arg_extremum_forward, .data = &(const bool)                                                             \
    {                                                                                                                  \
        largest                                                                                                        \
    }

static heed_tensor *along_axis(const heed_op *op, heed_tensor *x, int axis, bool keepdim)
{
    arg_params params = {.keepdim = keepdim};
    if (!heed__check_tensor(op->name, x) || (params.axis = heed__axis_of(op->name, axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(op, x, &params);
}

/* y = the index of the first largest element along an axis, or of the first NaN. */
const heed_op heed_op_argmax = {ARG_EXTREMUM("argmax", true)};

heed_tensor *heed_argmax(heed_tensor *x, int axis, bool keepdim)
{
    return along_axis(&heed_op_argmax, x, axis, keepdim);
}

/* y = the index of the first smallest element along an axis, or of the first NaN. */
const heed_op heed_op_argmin = {ARG_EXTREMUM("argmin", false)};

heed_tensor *heed_argmin(heed_tensor *x, int axis, bool keepdim)
{
    return along_axis(&heed_op_argmin, x, axis, keepdim);
}
