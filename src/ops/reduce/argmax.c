/* ops/reduce/argmax.c    y = index of the first largest element along an axis, or of the first NaN.    No gradient */

#include "ops/support.h"

/* The axis of the flattened tensor. */
enum { FLAT = -1 };

typedef struct argmax_params {
    int axis;
    bool keepdim;
} argmax_params;

static heed__axis_split split(const argmax_params *params, const heed_tensor *x)
{
    if (params->axis == FLAT)
        return (heed__axis_split){.outer = 1, .size = x->numel, .inner = 1};
    return heed__split(&x->shape, params->axis);
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const argmax_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "argmax", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    if (split(params, x).size == 0)
        return heed_fail_false(HEED_ERR_SHAPE, "argmax", "nothing to choose from in %s", heed_shape_text(x->shape).s);
    out->dtype = HEED_I64;
    out->shape = HEED_SCALAR;
    if (params->axis != FLAT)
        out->shape = heed__reduced_shape(&x->shape, 1U << params->axis, params->keepdim);
    return true;
}

/* b != b is true of NaN only. */
#define ARGMAX(type)                                                                                                   \
    static void argmax_##type(heed__axis_split s, const type *x, int64_t *y)                                           \
    {                                                                                                                  \
        for (int64_t o = 0; o < s.outer; o++, x += s.size * s.inner, y += s.inner) {                                   \
            for (int64_t i = 0; i < s.inner; i++)                                                                      \
                y[i] = 0;                                                                                              \
            for (int64_t j = 1; j < s.size; j++)                                                                       \
                for (int64_t i = 0; i < s.inner; i++) {                                                                \
                    type best = x[y[i] * s.inner + i], next = x[j * s.inner + i];                                      \
                    if (next > best || (next != next && best == best))                                                 \
                        y[i] = j;                                                                                      \
                }                                                                                                      \
        }                                                                                                              \
    }
ARGMAX(float)
ARGMAX(double)
ARGMAX(int64_t)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    heed__axis_split s = split(call->params, x);
    int64_t *y = (void *)out[0]->data;
    if (out[0]->numel == 0)
        return true;
    if (x->dtype == HEED_F32)
        argmax_float(s, (const void *)x->data, y);
    else if (x->dtype == HEED_F64)
        argmax_double(s, (const void *)x->data, y);
    else
        argmax_int64_t(s, (const void *)x->data, y);
    return true;
}

const heed_op heed_op_argmax = {
    .name = "argmax",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(argmax_params),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
};

heed_tensor *heed_argmax(heed_tensor *x)
{
    return heed__apply1(&heed_op_argmax, x, &(argmax_params){.axis = FLAT});
}

heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim)
{
    HEED_ENTER("argmax_axis");
    argmax_params params = {.keepdim = keepdim};
    if (!heed__check_tensor("argmax_axis", x) || (params.axis = heed__axis_of("argmax_axis", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(&heed_op_argmax, x, &params);
}
