/* ops/elementwise/trigonometric.c - sine, cosine, tangent, their inverses, angles and lengths.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "ops/elementwise/elementwise.h"

/* -- Sine, cosine and tangent -------------------------------------------------------------------------------------- */

/* y = sin x.    dx = g cos x */
static void sin_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_cos(call->inputs[0]));
}

const heed_op heed_op_sin = {HEED__UNARY("sin", HEED_SAVE_INPUTS, sin_backward, .kernel = heed__kernel_sin)};

heed_tensor *heed_sin(heed_tensor *x)
{
    return heed__apply1(&heed_op_sin, x, NULL);
}

/* y = cos x.    dx = -g sin x */
static void cos_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_neg(heed_mul(g[0], heed_sin(call->inputs[0])));
}

const heed_op heed_op_cos = {HEED__UNARY("cos", HEED_SAVE_INPUTS, cos_backward, .kernel = heed__kernel_cos)};

heed_tensor *heed_cos(heed_tensor *x)
{
    return heed__apply1(&heed_op_cos, x, NULL);
}

/* y = tan x.    dx = g (1 + y^2) */
static void tan_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_add_scalar(heed_square(call->outputs[0]), 1.0));
}

const heed_op heed_op_tan = {HEED__UNARY_FUSED("tan", HEED_SAVE_OUTPUTS, tan_backward, HEED__KERNELS(tan, tan_grad))};

heed_tensor *heed_tan(heed_tensor *x)
{
    return heed__apply1(&heed_op_tan, x, NULL);
}

/* -- Inverse sine and cosine --------------------------------------------------------------------------------------- */

/* y = ((1 - x) (1 + x))^(1/2), without forming x^2.    dx = -g x / y */
#define CIRCLE_LOOP(name, T, root)                                                                                     \
    static void name(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                                 \
    {                                                                                                                  \
        const T *x = x_;                                                                                               \
        T *y = y_;                                                                                                     \
        (void)p;                                                                                                       \
        for (int64_t i = 0; i < n; i++)                                                                                \
            y[i] = root((1 - x[i * sx]) * (1 + x[i * sx]));                                                            \
    }
CIRCLE_LOOP(circle_f32, float, sqrtf)
CIRCLE_LOOP(circle_f64, double, sqrt)

static bool circle_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(out[0]->dtype == HEED_F32 ? circle_f32 : circle_f64, call->inputs[0], out[0], NULL);
    return true;
}

static void circle_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_neg(heed_mul(g[0], heed_div(call->inputs[0], call->outputs[0])));
}

static const heed_op circle = {
    .name = "circle",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = heed_infer_same,
    .forward = circle_forward,
    .backward = circle_backward,
};

/* y = arcsin x.    dx = g / circle(x) */
static void asin_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed__apply1(&circle, call->inputs[0], NULL));
}

const heed_op heed_op_asin = {
    HEED__UNARY_FUSED("asin", HEED_SAVE_INPUTS, asin_backward, HEED__KERNELS(asin, asin_grad))};

heed_tensor *heed_asin(heed_tensor *x)
{
    return heed__apply1(&heed_op_asin, x, NULL);
}

/* y = arccos x.    dx = -g / circle(x) */
static void acos_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(heed_neg(g[0]), heed__apply1(&circle, call->inputs[0], NULL));
}

const heed_op heed_op_acos = {
    HEED__UNARY_FUSED("acos", HEED_SAVE_INPUTS, acos_backward, HEED__KERNELS(acos, acos_grad))};

heed_tensor *heed_acos(heed_tensor *x)
{
    return heed__apply1(&heed_op_acos, x, NULL);
}

/* -- Angles -------------------------------------------------------------------------------------------------------- */

/* Returns g x / (x^2 + y^2), the gradient with respect to y of the angle of the point (x, y). It is 0 at infinity and
 * NaN at the origin. No square overflows or underflows: let m be the larger of |x| and |y| and s the power of two above
 * m; the slope is g (x / s) / ((x / s)^2 + (y / s)^2) / s. */
#define ANGLE_SLOPE(name, T, least, larger, scaled, exponent_of)                                                       \
    static inline T name(T g, T x, T y)                                                                                \
    {                                                                                                                  \
        const T square = x * x + y * y;                                                                                \
        if (square >= (least) && !isinf(square))                                                                       \
            return g / square * x;                                                                                     \
        const T most = larger(x < 0 ? -x : x, y < 0 ? -y : y);                                                         \
        if (isnan(square) || most == 0)                                                                                \
            return g / square * x;                                                                                     \
        if (isinf(most))                                                                                               \
            return g * 0;                                                                                              \
        int e;                                                                                                         \
        (void)exponent_of(most, &e);                                                                                   \
        const T u = scaled(x, -e), v = scaled(y, -e);                                                                  \
        return scaled(g / (u * u + v * v) * u, -e);                                                                    \
    }
ANGLE_SLOPE(angle_slope_f32, float, FLT_MIN / FLT_EPSILON, fmaxf, ldexpf, frexpf)
ANGLE_SLOPE(angle_slope_f64, double, DBL_MIN / DBL_EPSILON, fmax, ldexp, frexp)
HEED__TERNARY_LOOP(angle_slopes_f32, float, angle_slope_f32)
HEED__TERNARY_LOOP(angle_slopes_f64, double, angle_slope_f64)

static bool angle_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_F32 ? angle_slopes_f32 : angle_slopes_f64, call->inputs[0], call->inputs[1],
               call->inputs[2], out[0]);
    return true;
}

static heed_tensor *angle_slope(heed_tensor *g, heed_tensor *x, heed_tensor *y);

/* With p = x / (x^2 + y^2) and q = y / (x^2 + y^2):  dp / dx = q^2 - p^2,  dp / dy = -2 p q. */
static void angle_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[1], *y = call->inputs[2], *both = heed_mul(g[0], call->inputs[0]);
    if (heed_call_needs(call, 0))
        dx[0] = angle_slope(g[0], x, y);
    heed_tensor *one = heed_ones(g[0]->dtype, HEED_SCALAR);
    heed_tensor *p = angle_slope(one, x, y), *q = angle_slope(one, y, x);
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(both, heed_sub(heed_square(q), heed_square(p)));
    if (heed_call_needs(call, 2))
        dx[2] = heed_mul(heed_mul(heed_mul_scalar(both, -2.0), p), q);
}

static const heed_op angle_slope_op = {
    .name = "angle_slope",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_broadcast,
    .forward = angle_slope_forward,
    .backward = angle_slope_backward,
};

static heed_tensor *angle_slope(heed_tensor *g, heed_tensor *x, heed_tensor *y)
{
    return heed__apply3(&angle_slope_op, g, x, y, NULL);
}

/* y = arctan x.    dx = g / (1 + x^2) */
static void atan_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0];
    dx[0] = angle_slope(g[0], heed_ones(x->dtype, HEED_SCALAR), x);
}

const heed_op heed_op_atan = {
    HEED__UNARY_FUSED("atan", HEED_SAVE_INPUTS, atan_backward, HEED__KERNELS(atan, atan_grad))};

heed_tensor *heed_atan(heed_tensor *x)
{
    return heed__apply1(&heed_op_atan, x, NULL);
}

/* The angle of the point (x, y).    dy = g x / (x^2 + y^2), dx = -g y / (x^2 + y^2) */
static void atan2_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->inputs[0], *x = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = angle_slope(g[0], x, y);
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(angle_slope(g[0], y, x));
}

const heed_op heed_op_atan2 = {HEED__BINARY("atan2", HEED_SAVE_INPUTS, atan2_backward, .pairs = heed__kernel_atan2)};

heed_tensor *heed_atan2(heed_tensor *y, heed_tensor *x)
{
    return heed__apply2(&heed_op_atan2, y, x, NULL);
}

/* -- Lengths ------------------------------------------------------------------------------------------------------- */

/* u = a / r with r = hypot(a, b); v is the same of (b, a).    da = g v^2 / r,  db = -g u v / r */
static heed_tensor *direction(heed_tensor *a, heed_tensor *b);

static bool direction_forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *a = call->inputs[0], *y = out[0];
    heed__map2(HEED__KERNEL(hypot, y->dtype), a, call->inputs[1], y, NULL);
    heed__map2(HEED__KERNEL(div, y->dtype), a, y, y, NULL);
    return true;
}

static void direction_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    heed_tensor *v = direction(b, a), *turn = heed_mul(g[0], heed_div(v, heed_hypot(a, b)));
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(turn, v);
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(turn, direction(a, b)));
}

static const heed_op direction_op = {
    .name = "direction",
    .n_inputs = 2,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_broadcast,
    .forward = direction_forward,
    .backward = direction_backward,
};

static heed_tensor *direction(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&direction_op, a, b, NULL);
}

/* y = (a^2 + b^2)^(1/2).    da = g a / y, db = g b / y */
static void hypot_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], direction(a, b));
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], direction(b, a));
}

const heed_op heed_op_hypot = {HEED__BINARY("hypot", HEED_SAVE_INPUTS, hypot_backward, .pairs = heed__kernel_hypot)};

heed_tensor *heed_hypot(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_hypot, a, b, NULL);
}
