/* ops/elementwise/activations.c - activation functions, except tanh (exponential.c).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/elementwise/elementwise.h"

/* -- Piecewise functions ------------------------------------------------------------------------------------------- */

/* y = max(x, 0).    dx = g if y > 0, i.e. x > 0; else exactly 0 */
static void relu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    dx[0] = heed_where(heed_compare(call->outputs[0], HEED_COMPARE_GT, zero), g[0], zero);
}

const heed_op heed_op_relu = {
    HEED__UNARY_FUSED("relu", HEED_SAVE_OUTPUTS, relu_backward, HEED__KERNELS(relu, relu_grad))};

heed_tensor *heed_relu(heed_tensor *x)
{
    return heed__apply1(&heed_op_relu, x, NULL);
}

/* y = x for x > 0, else slope x.    dx = g for x > 0, else slope g */
static void leaky_relu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *positive = heed_compare_scalar(call->inputs[0], HEED_COMPARE_GT, 0.0);
    dx[0] = heed_where(positive, g[0], heed_mul_scalar(g[0], *(const double *)call->params));
}

const heed_op heed_op_leaky_relu = {
    HEED__UNARY_FUSED("leaky_relu", HEED_SAVE_INPUTS, leaky_relu_backward, HEED__KERNELS(leaky_relu, leaky_relu_grad)),
    HEED__NUMBER("slope")};

heed_tensor *heed_leaky_relu(heed_tensor *x, double slope)
{
    return heed__apply1(&heed_op_leaky_relu, x, &slope);
}

/* y = a for a > 0, else b a.    da = g for a > 0, else g b;  db = 0 for a > 0, else g a */
static void prelu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0], *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    heed_tensor *positive = heed_compare(x, HEED_COMPARE_GT, zero);
    if (heed_call_needs(call, 0))
        dx[0] = heed_where(positive, g[0], heed_mul(g[0], call->inputs[1]));
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], heed_where(positive, zero, x));
}

const heed_op heed_op_prelu = {HEED__BINARY("prelu", HEED_SAVE_INPUTS, prelu_backward, .pairs = heed__kernel_prelu)};

heed_tensor *heed_prelu(heed_tensor *x, heed_tensor *slope)
{
    HEED_ENTER("prelu");
    if (!heed__check_tensor("prelu", x) || !heed__check_tensor("prelu", slope))
        return NULL;
    const int64_t channels = x->shape.rank > 1 ? x->shape.dims[1] : 1;
    if (slope->shape.rank > 1 || (slope->numel != 1 && slope->numel != channels))
        return heed_fail_null(HEED_ERR_SHAPE, "prelu",
                              "slope is %s and x is %s: slope must have one number, or one per "
                              "channel (axis 1 of x)",
                              heed_shape_text(slope->shape).s, heed_shape_text(x->shape).s);
    heed_shape shape = {.rank = slope->numel == 1 ? 0 : x->shape.rank - 1};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = i == 0 ? channels : 1;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, heed__apply2(&heed_op_prelu, x, heed_reshape(slope, shape), NULL)) : NULL;
}

/* y = 0 for x <= -3, x for x >= 3, else x (x + 3) / 6.    dx = 0, g, g (x / 3 + 1 / 2) */
static void hardswish_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0], *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *above = heed_compare_scalar(x, HEED_COMPARE_GE, 3.0);
    heed_tensor *below = heed_compare_scalar(x, HEED_COMPARE_LE, -3.0);
    heed_tensor *between = heed_where(heed_logical_or(above, below), zero, x); /* finite; keeps NaN */
    heed_tensor *slope = heed_add_scalar(heed_mul_scalar(between, 1.0 / 3), 0.5);
    dx[0] = heed_where(above, g[0], heed_where(below, zero, heed_mul(g[0], slope)));
}

const heed_op heed_op_hardswish = {
    HEED__UNARY_FUSED("hardswish", HEED_SAVE_INPUTS, hardswish_backward, HEED__KERNELS(hardswish, hardswish_grad))};

heed_tensor *heed_hardswish(heed_tensor *x)
{
    return heed__apply1(&heed_op_hardswish, x, NULL);
}

/* y = x for x > 0, else alpha (e^x - 1).    dx = g for x > 0, else g alpha e^x */
static heed_tensor *elu_gradient(heed_tensor *x, heed_tensor *g, double alpha)
{
    heed_tensor *above = heed_compare_scalar(x, HEED_COMPARE_GT, 0.0);
    heed_tensor *below = heed_where(above, heed_zeros(x->dtype, HEED_SCALAR), x); /* so e^x is finite; keeps NaN */
    return heed_where(above, g, heed_mul(g, heed_mul_scalar(heed_exp(below), alpha)));
}

static void elu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = elu_gradient(call->inputs[0], g[0], *(const double *)call->params);
}

const heed_op heed_op_elu = {HEED__UNARY_FUSED("elu", HEED_SAVE_INPUTS, elu_backward, HEED__KERNELS(elu, elu_grad)),
                             HEED__NUMBER("alpha")};

heed_tensor *heed_elu(heed_tensor *x, double alpha)
{
    return heed__apply1(&heed_op_elu, x, &alpha);
}

#define SELU_SCALE 1.0507009873554804934
#define SELU_ALPHA 1.6732632423543772848

/* y = scale elu(x, alpha).    dx = g scale for x > 0, else g scale alpha e^x */
static void selu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul_scalar(elu_gradient(call->inputs[0], g[0], SELU_ALPHA), SELU_SCALE);
}

const heed_op heed_op_selu = {
    HEED__UNARY_FUSED("selu", HEED_SAVE_INPUTS, selu_backward, HEED__KERNELS(selu, selu_grad))};

heed_tensor *heed_selu(heed_tensor *x)
{
    return heed__apply1(&heed_op_selu, x, NULL);
}

/* -- Sigmoid, softplus, silu, mish and glu ------------------------------------------------------------------------- */

/* y = 1 / (1 + e^-x).    dx = g y (1 - y) */
static void sigmoid_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed_mul(g[0], heed_mul(y, heed_rsub_scalar(y, 1.0)));
}

const heed_op heed_op_sigmoid = {
    HEED__UNARY_FUSED("sigmoid", HEED_SAVE_OUTPUTS, sigmoid_backward, HEED__KERNELS(sigmoid, sigmoid_grad))};

heed_tensor *heed_sigmoid(heed_tensor *x)
{
    return heed__apply1(&heed_op_sigmoid, x, NULL);
}

/* Sets *rise to a borrowed tensor 1 / (1 + e^-x) and writes 1 / (1 + e^x) to `fall`. Returns false after heed_fail. */
static bool rise_and_fall(const heed_call *call, heed_tensor **rise, heed_tensor *fall)
{
    const heed_tensor *x = call->inputs[0];
    *rise = heed__new_map1(call->op->name, HEED__KERNEL(sigmoid, x->dtype), x, NULL);
    if (!*rise)
        return false;
    heed__map1(HEED__KERNEL(neg, x->dtype), x, fall, NULL);
    heed__map1(HEED__KERNEL(sigmoid, x->dtype), fall, fall, NULL);
    return true;
}

/* y = 1 / ((1 + e^-x) (1 + e^x)), the slope of the logistic function.    dx = -g y tanh(x / 2) */
static bool bell_forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *rise;
    if (!rise_and_fall(call, &rise, out[0]))
        return false;
    heed__map2(HEED__KERNEL(mul, rise->dtype), rise, out[0], out[0], NULL);
    return true;
}

static void bell_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *slope = heed_tanh(heed_mul_scalar(call->inputs[0], 0.5));
    dx[0] = heed_neg(heed_mul(g[0], heed_mul(call->outputs[0], slope)));
}

static const heed_op bell = {
    .name = "logistic_slope",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = heed_infer_same,
    .forward = bell_forward,
    .backward = bell_backward,
};

static void logistic_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__apply1(&bell, call->inputs[0], NULL));
}

static const heed_op logistic = {
    HEED__UNARY("logistic", HEED_SAVE_INPUTS, logistic_backward, .kernel = heed__kernel_sigmoid)};

heed_tensor *heed__logistic(heed_tensor *x)
{
    return heed__apply1(&logistic, x, NULL);
}

/* y = ln(1 + e^x).    dx = g / (1 + e^-x) */
static void softplus_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__logistic(call->inputs[0]));
}

const heed_op heed_op_softplus = {
    HEED__UNARY_FUSED("softplus", HEED_SAVE_INPUTS, softplus_backward, HEED__KERNELS(softplus, softplus_grad))};

heed_tensor *heed_softplus(heed_tensor *x)
{
    return heed__apply1(&heed_op_softplus, x, NULL);
}

/* y = s (1 + x / (1 + e^x)) with s = 1 / (1 + e^-x), the slope of x s.    dx = g s / (1 + e^x) (2 - x tanh(x / 2)) */
static bool silu_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed_tensor *rise, *y = out[0];
    if (!rise_and_fall(call, &rise, y))
        return false;
    heed__map2(HEED__KERNEL(mul, y->dtype), call->inputs[0], y, y, NULL);
    heed__map1(HEED__KERNEL(add_scalar, y->dtype), y, y, &(const double){1.0});
    heed__map2(HEED__KERNEL(mul, y->dtype), rise, y, y, NULL);
    return true;
}

static void silu_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[0];
    heed_tensor *factor = heed_rsub_scalar(heed_mul(x, heed_tanh(heed_mul_scalar(x, 0.5))), 2.0);
    dx[0] = heed_mul(g[0], heed_mul(heed__apply1(&bell, x, NULL), factor));
}

static const heed_op silu_slope = {
    .name = "silu_slope",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_same,
    .forward = silu_slope_forward,
    .backward = silu_slope_backward,
};

/* For |x| above this the slope of silu is 0 or 1 in f64. With x clamped, infinities give these limits. */
#define SILU_FLAT 1000.0

/* y = x s with s = 1 / (1 + e^-x).    dx = g (s + y (1 - s)) */
static void silu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__apply1(&silu_slope, heed__within(call->inputs[0], SILU_FLAT), NULL));
}

const heed_op heed_op_silu = {
    HEED__UNARY_FUSED("silu", HEED_SAVE_INPUTS, silu_backward, HEED__KERNELS(silu, silu_grad))};

heed_tensor *heed_silu(heed_tensor *x)
{
    return heed__apply1(&heed_op_silu, x, NULL);
}

/* y = x s(u) with s(u) = 1 / (1 + e^-u) and u = x + ln(1 + e^x / 2), because tanh(ln(1 + e^x)) = s(u).
 * dx = g (s(u) + x s'(u) (1 + s(x - ln 2))) */
#define LN2 0.69314718055994530942

static void mish_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = heed__within(call->inputs[0], SILU_FLAT), *shifted = heed_add_scalar(x, -LN2);
    heed_tensor *u = heed_add(x, heed_softplus(shifted)), *rise = heed_add_scalar(heed__logistic(shifted), 1.0);
    heed_tensor *rest = heed_mul(heed_mul(x, rise), heed__apply1(&bell, u, NULL));
    dx[0] = heed_mul(g[0], heed_add(heed__logistic(u), rest));
}

const heed_op heed_op_mish = {
    HEED__UNARY_FUSED("mish", HEED_SAVE_INPUTS, mish_backward, HEED__KERNELS(mish, mish_grad))};

heed_tensor *heed_mish(heed_tensor *x)
{
    return heed__apply1(&heed_op_mish, x, NULL);
}

heed_tensor *heed_glu(heed_tensor *x, int axis)
{
    HEED_ENTER("glu");
    if (!heed__check_tensor("glu", x) || !heed__check_float("glu", x) ||
        (axis = heed__axis_of("glu", axis, x->shape.rank)) < 0)
        return NULL;
    const int64_t size = x->shape.dims[axis], half = size / 2;
    if (size % 2 != 0)
        return heed_fail_null(HEED_ERR_SHAPE, "glu", "axis %d of x, of shape %s, has an odd size", axis,
                              heed_shape_text(x->shape).s);
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *gate = heed_sigmoid(heed_slice(x, axis, half, size, 1));
    return heed_scope_return(scope, heed_mul(heed_slice(x, axis, 0, half, 1), gate));
}

/* -- Gelu ---------------------------------------------------------------------------------------------------------- */

/* For |x| above this the slope of gelu is 0 or 1 in f64. With x clamped, infinities give these limits, although
 * x phi(x) would be infinity times 0. */
#define GELU_FLAT 40.0
#define SQRT_HALF 0.70710678118654752440
#define SQRT_TWO_PI 2.50662827463100050242

/* y = x Phi(x), where Phi is the normal distribution and phi its density.    dx = g (Phi(x) + x phi(x)),
 * Phi(x) = (1 + erf(x / sqrt(2))) / 2,  phi(x) = e^(-x^2 / 2) / sqrt(2 pi) */
static void gelu_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = heed__within(call->inputs[0], GELU_FLAT);
    heed_tensor *distribution = heed_mul_scalar(heed_add_scalar(heed_erf(heed_mul_scalar(x, SQRT_HALF)), 1.0), 0.5);
    heed_tensor *density = heed_mul_scalar(heed_exp(heed_mul_scalar(heed_square(x), -0.5)), 1.0 / SQRT_TWO_PI);
    dx[0] = heed_mul(g[0], heed_add(distribution, heed_mul(x, density)));
}

const heed_op heed_op_gelu = {
    HEED__UNARY_FUSED("gelu", HEED_SAVE_INPUTS, gelu_backward, HEED__KERNELS(gelu, gelu_grad))};

heed_tensor *heed_gelu(heed_tensor *x)
{
    return heed__apply1(&heed_op_gelu, x, NULL);
}

#define TWICE_ROOT 1.59576912160573071176 /* 2 sqrt(2 / pi) */
#define CUBIC 0.044715

/* y = x (1 + tanh(u)) / 2 = x / (1 + e^(-2u)) with u = sqrt(2 / pi) (x + 0.044715 x^3) */
heed_tensor *heed_gelu_tanh(heed_tensor *x)
{
    HEED_ENTER("gelu_tanh");
    if (!heed__check_tensor("gelu_tanh", x) || !heed__check_float("gelu_tanh", x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *slope = heed_add_scalar(heed_mul_scalar(heed_square(x), TWICE_ROOT * CUBIC), TWICE_ROOT);
    return heed_scope_return(scope, heed_mul(x, heed_sigmoid(heed_mul(x, slope))));
}
