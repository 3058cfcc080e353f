/* ops/reduce/arg_extremum.c - the index of the largest or smallest element along an axis. See
 * ops/reduce/arg_extremum.h. */

#include "ops/reduce/arg_extremum.h"

/* The axis number that stands for the flattened tensor. */
enum { FLAT = -1 };

typedef heed__arg_extremum_params arg_params;

static heed__axis_split split(const arg_params *params, const heed_tensor *x)
{
    if (params->axis == FLAT)
        return (heed__axis_split){.outer = 1, .size = x->numel, .inner = 1};
    return heed__split_at(&x->shape, params->axis);
}

bool heed__infer_arg_extremum(const heed_call *call, heed_meta *out)
{
    const arg_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    if (split(params, x).size == 0)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "no elements to choose from in %s",
                               heed_shape_text(x->shape).s);
    out->dtype = HEED_I64;
    out->shape = HEED_SCALAR;
    if (params->axis != FLAT)
        out->shape = heed__reduced_shape(&x->shape, 1U << params->axis, params->keepdim);
    return true;
}

/* next != next is true only for NaN. */
#define ARG_EXTREMUM(name, type, beats)                                                                                \
    static void name(heed__axis_split s, const void *x_, int64_t *y)                                                   \
    {                                                                                                                  \
        const type *x = x_;                                                                                            \
        for (int64_t o = 0; o < s.outer; o++, x += s.size * s.inner, y += s.inner) {                                   \
            for (int64_t i = 0; i < s.inner; i++)                                                                      \
                y[i] = 0;                                                                                              \
            for (int64_t j = 1; j < s.size; j++)                                                                       \
                for (int64_t i = 0; i < s.inner; i++) {                                                                \
                    type best = x[y[i] * s.inner + i], next = x[j * s.inner + i];                                      \
                    if (next beats best || (next != next && best == best))                                             \
                        y[i] = j;                                                                                      \
                }                                                                                                      \
        }                                                                                                              \
    }
ARG_EXTREMUM(largest_f32, float, >)
ARG_EXTREMUM(largest_f64, double, >)
ARG_EXTREMUM(largest_i64, int64_t, >)
ARG_EXTREMUM(smallest_f32, float, <)
ARG_EXTREMUM(smallest_f64, double, <)
ARG_EXTREMUM(smallest_i64, int64_t, <)

typedef void arg_extremum_fn(heed__axis_split s, const void *x, int64_t *y);

static bool arg_extremum(const heed_call *call, arg_extremum_fn *f32, arg_extremum_fn *f64, arg_extremum_fn *i64,
                         heed_tensor *out)
{
    const heed_tensor *x = call->inputs[0];
    arg_extremum_fn *f = x->dtype == HEED_F32 ? f32 : x->dtype == HEED_F64 ? f64 : i64;
    if (out->numel > 0)
        f(split(call->params, x), x->data, (void *)out->data);
    return true;
}

bool heed__arg_largest(const heed_call *call, heed_tensor *const *out)
{
    return arg_extremum(call, largest_f32, largest_f64, largest_i64, out[0]);
}

bool heed__arg_smallest(const heed_call *call, heed_tensor *const *out)
{
    return arg_extremum(call, smallest_f32, smallest_f64, smallest_i64, out[0]);
}

heed_tensor *heed__apply_arg_extremum(const heed_op *op, heed_tensor *x)
{
    return heed__apply1(op, x, &(arg_params){.axis = FLAT});
}

heed_tensor *heed__apply_arg_extremum_axis(const char *where, const heed_op *op, heed_tensor *x, int axis, bool keepdim)
{
    HEED_ENTER(where);
    arg_params params = {.keepdim = keepdim};
    if (!heed__check_tensor(where, x) || (params.axis = heed__axis_of(where, axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(op, x, &params);
}
