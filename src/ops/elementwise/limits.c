/* ops/elementwise/limits.c - absolute values, signs, rounding, limits, and interpolation.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "ops/elementwise/elementwise.h"

/* -- Sizes and rounding -------------------------------------------------------------------------------------------- */

/* y = |x|.    dx = g sign(x) */
HEED__I64_LOOP(abs_i64, (int64_t)x < 0 ? 0 - x : x)

static void abs_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sign(call->inputs[0]));
}

const heed_op heed_op_abs = {
    HEED__UNARY_FUSED("abs", HEED_SAVE_INPUTS, abs_backward, HEED__KERNELS(abs, abs_grad), .i64 = abs_i64)};

heed_tensor *heed_abs(heed_tensor *x)
{
    return heed__apply1(&heed_op_abs, x, NULL);
}

/* y = -1, 0 or 1, and NaN for NaN.    dx = 0 */
HEED__I64_LOOP(sign_i64, (uint64_t)(((int64_t)x > 0) - ((int64_t)x < 0)))

const heed_op heed_op_sign = {
    HEED__UNARY("sign", HEED_SAVE_NOTHING, heed__zero_backward, .kernel = heed__kernel_sign, .i64 = sign_i64)};

heed_tensor *heed_sign(heed_tensor *x)
{
    return heed__apply1(&heed_op_sign, x, NULL);
}

/* y = the largest integer <= x.    dx = 0 */
const heed_op heed_op_floor = {
    HEED__UNARY("floor", HEED_SAVE_NOTHING, heed__zero_backward, .kernel = heed__kernel_floor)};

heed_tensor *heed_floor(heed_tensor *x)
{
    return heed__apply1(&heed_op_floor, x, NULL);
}

/* y = the smallest integer >= x.    dx = 0 */
const heed_op heed_op_ceil = {HEED__UNARY("ceil", HEED_SAVE_NOTHING, heed__zero_backward, .kernel = heed__kernel_ceil)};

heed_tensor *heed_ceil(heed_tensor *x)
{
    return heed__apply1(&heed_op_ceil, x, NULL);
}

/* y = the nearest integer, ties to even.    dx = 0 */
const heed_op heed_op_round = {
    HEED__UNARY("round", HEED_SAVE_NOTHING, heed__zero_backward, .kernel = heed__kernel_round)};

heed_tensor *heed_round(heed_tensor *x)
{
    return heed__apply1(&heed_op_round, x, NULL);
}

/* -- Limits -------------------------------------------------------------------------------------------------------- */

static heed_tensor *extremum_share(heed_tensor *x, heed_tensor *other, heed_comparison loses, heed_tensor *g)
{
    heed_tensor *won = heed_where(heed_compare(x, HEED_COMPARE_EQ, other), heed_mul_scalar(g, 0.5), g);
    return heed_where(heed_compare(x, loses, other), heed_zeros(g->dtype, HEED_SCALAR), won);
}

/* `loses` is the comparison that is true for the input that is not chosen. The gradient of the chosen input is g and
 * the gradient of the other input 0; if both inputs are equal, their gradients are g / 2. If either is NaN, both
 * gradients are thus g. */
static void share_backward(const heed_call *call, heed_comparison loses, heed_tensor *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = extremum_share(call->inputs[0], call->inputs[1], loses, g);
    if (heed_call_needs(call, 1))
        dx[1] = extremum_share(call->inputs[1], call->inputs[0], loses, g);
}

/* y = the larger of a and b, with broadcasting; NaN if either is NaN. */
HEED__I64_PAIRS_LOOP(maximum_i64, (int64_t)a > (int64_t)b ? a : b)

static void maximum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    share_backward(call, HEED_COMPARE_LT, g[0], dx);
}

const heed_op heed_op_maximum = {HEED__BINARY("maximum", HEED_SAVE_INPUTS, maximum_backward,
                                              .pairs = heed__kernel_maximum, .i64_pairs = maximum_i64)};

heed_tensor *heed_maximum(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_maximum, a, b, NULL);
}

/* y = the smaller of a and b, with broadcasting; NaN if either is NaN. */
HEED__I64_PAIRS_LOOP(minimum_i64, (int64_t)a < (int64_t)b ? a : b)

static void minimum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    share_backward(call, HEED_COMPARE_GT, g[0], dx);
}

const heed_op heed_op_minimum = {HEED__BINARY("minimum", HEED_SAVE_INPUTS, minimum_backward,
                                              .pairs = heed__kernel_minimum, .i64_pairs = minimum_i64)};

heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_minimum, a, b, NULL);
}

/* The parameters of clamp and hardtanh. */
typedef struct limits {
    double low, high;
} limits;

#define LIMITS .params_size = sizeof(limits), .fields = HEED_FIELDS(HEED_FIELD(limits, low), HEED_FIELD(limits, high))

/* An infinite limit becomes the end of the range of i64. */
static int64_t i64_limit(double limit)
{
    return limit < -0x1p63 ? INT64_MIN : limit >= 0x1p63 ? INT64_MAX : (int64_t)limit;
}

static void clamp_i64(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)
{
    const int64_t *px = x_, low = i64_limit(p[0]), high = i64_limit(p[1]);
    int64_t *y = y_;
    for (int64_t i = 0; i < n; i++) {
        const int64_t x = px[i * sx];
        y[i] = x < low ? low : x > high ? high : x;
    }
}

/* y = min(max(x, low), high); NaN stays NaN.    dx = g if low <= x <= high, else 0 */
static void clamp_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const limits *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *low = heed_full(x->dtype, HEED_SCALAR, params->low);
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, params->high);
    dx[0] = heed_where(heed_compare(x, HEED_COMPARE_GE, low),
                       heed_where(heed_compare(x, HEED_COMPARE_LE, high), g[0], zero), zero);
}

const heed_op heed_op_clamp = {
    HEED__UNARY_FUSED("clamp", HEED_SAVE_INPUTS, clamp_backward, HEED__KERNELS(clamp, clamp_grad), .i64 = clamp_i64),
    LIMITS};

heed_tensor *heed_clamp(heed_tensor *x, double low, double high)
{
    if (!(low <= high))
        return heed_fail_null(HEED_ERR_ARGUMENT, "clamp", "low is %g: must be at most high, %g", low, high);
    if (heed__is_i64(x) && ((low > -(double)INFINITY && !heed__check_number("clamp", "low", x, low)) ||
                            (high < (double)INFINITY && !heed__check_number("clamp", "high", x, high))))
        return NULL;
    return heed__apply1(&heed_op_clamp, x, &(limits){.low = low, .high = high});
}

/* y = min(max(x, low), high).    dx = g if low < x < high, else 0 */
static void hardtanh_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const limits *params = call->params;
    heed_tensor *x = call->inputs[0], *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *below = heed_where(heed_compare_scalar(x, HEED_COMPARE_LT, params->high), g[0], zero);
    dx[0] = heed_where(heed_compare_scalar(x, HEED_COMPARE_GT, params->low), below, zero);
}

const heed_op heed_op_hardtanh = {
    HEED__UNARY_FUSED("hardtanh", HEED_SAVE_INPUTS, hardtanh_backward, HEED__KERNELS(clamp, hardtanh_grad)), LIMITS};

heed_tensor *heed_hardtanh(heed_tensor *x, double low, double high)
{
    if (!(low <= high))
        return heed_fail_null(HEED_ERR_ARGUMENT, "hardtanh", "low is %g: must be at most high, %g", low, high);
    return heed__apply1(&heed_op_hardtanh, x, &(limits){.low = low, .high = high});
}

/* -- Between two numbers ------------------------------------------------------------------------------------------- */

/* a + w (b - a), from the nearer end, so that w = 1 gives exactly b */
#define LERP(name, T)                                                                                                  \
    static inline T name(T a, T b, T w)                                                                                \
    {                                                                                                                  \
        return w > (T)-0.5 && w < (T)0.5 ? a + w * (b - a) : b - (b - a) * (1 - w);                                    \
    }
LERP(lerp_f32, float)
LERP(lerp_f64, double)
HEED__TERNARY_LOOP(lerps_f32, float, lerp_f32)
HEED__TERNARY_LOOP(lerps_f64, double, lerp_f64)

static bool lerp_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_F32 ? lerps_f32 : lerps_f64, call->inputs[0], call->inputs[1], call->inputs[2],
               out[0]);
    return true;
}

/* y = a + w (b - a).    da = g (1 - w), db = g w, dw = g (b - a) */
static void lerp_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *const *in = call->inputs;
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], heed_rsub_scalar(in[2], 1.0));
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], in[2]);
    if (heed_call_needs(call, 2))
        dx[2] = heed_mul(g[0], heed_sub(in[1], in[0]));
}

const heed_op heed_op_lerp = {
    .name = "lerp",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_broadcast,
    .forward = lerp_forward,
    .backward = lerp_backward,
};

heed_tensor *heed_lerp(heed_tensor *a, heed_tensor *b, heed_tensor *weight)
{
    return heed__apply3(&heed_op_lerp, a, b, weight, NULL);
}

heed_tensor *heed_lerp_scalar(heed_tensor *a, heed_tensor *b, double weight)
{
    HEED_ENTER("lerp_scalar");
    if (!heed__check_tensor("lerp_scalar", a) || !heed__check_float("lerp_scalar", a))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed_lerp(a, b, heed_full(a->dtype, HEED_SCALAR, weight))) : NULL;
}
