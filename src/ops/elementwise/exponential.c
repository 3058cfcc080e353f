/* ops/elementwise/exponential.c - square roots, exponential functions, logarithms, hyperbolic functions and erf.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/elementwise/elementwise.h"

/* y = x^(1/2).    dx = g / (2 y) */
static void sqrt_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed_mul_scalar(call->outputs[0], 2.0));
}

const heed_op heed_op_sqrt = {
    HEED__UNARY_FUSED("sqrt", HEED_SAVE_OUTPUTS, sqrt_backward, HEED__KERNELS(sqrt, sqrt_grad))};

heed_tensor *heed_sqrt(heed_tensor *x)
{
    return heed__apply1(&heed_op_sqrt, x, NULL);
}

/* y = x^(-1/2).    dx = -g y^3 / 2 */
static void rsqrt_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    dx[0] = heed_mul(g[0], heed_mul(heed_mul_scalar(y, -0.5), heed_square(y)));
}

const heed_op heed_op_rsqrt = {
    HEED__UNARY_FUSED("rsqrt", HEED_SAVE_OUTPUTS, rsqrt_backward, HEED__KERNELS(rsqrt, rsqrt_grad))};

heed_tensor *heed_rsqrt(heed_tensor *x)
{
    return heed__apply1(&heed_op_rsqrt, x, NULL);
}

/* y = e^x.    dx = g y */
static void exp_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], call->outputs[0]);
}

const heed_op heed_op_exp = {HEED__UNARY("exp", HEED_SAVE_OUTPUTS, exp_backward, .kernel = heed__kernel_exp)};

heed_tensor *heed_exp(heed_tensor *x)
{
    return heed__apply1(&heed_op_exp, x, NULL);
}

/* y = ln x.    dx = g / x */
static void log_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], call->inputs[0]);
}

const heed_op heed_op_log = {HEED__UNARY("log", HEED_SAVE_INPUTS, log_backward, .kernel = heed__kernel_log)};

heed_tensor *heed_log(heed_tensor *x)
{
    return heed__apply1(&heed_op_log, x, NULL);
}

/* y = log2 x.    dx = g log2(e) / x */
static void log2_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(heed_mul_scalar(g[0], 1.44269504088896340736), call->inputs[0]);
}

const heed_op heed_op_log2 = {
    HEED__UNARY_FUSED("log2", HEED_SAVE_INPUTS, log2_backward, HEED__KERNELS(log2, log2_grad))};

heed_tensor *heed_log2(heed_tensor *x)
{
    return heed__apply1(&heed_op_log2, x, NULL);
}

/* y = log10 x.    dx = g log10(e) / x */
static void log10_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(heed_mul_scalar(g[0], 0.43429448190325182765), call->inputs[0]);
}

const heed_op heed_op_log10 = {
    HEED__UNARY_FUSED("log10", HEED_SAVE_INPUTS, log10_backward, HEED__KERNELS(log10, log10_grad))};

heed_tensor *heed_log10(heed_tensor *x)
{
    return heed__apply1(&heed_op_log10, x, NULL);
}

/* y = e^x - 1.    dx = g (y + 1) */
static void expm1_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_add_scalar(call->outputs[0], 1.0));
}

const heed_op heed_op_expm1 = {
    HEED__UNARY_FUSED("expm1", HEED_SAVE_OUTPUTS, expm1_backward, HEED__KERNELS(expm1, expm1_grad))};

heed_tensor *heed_expm1(heed_tensor *x)
{
    return heed__apply1(&heed_op_expm1, x, NULL);
}

/* y = ln(1 + x).    dx = g / (1 + x) */
static void log1p_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_div(g[0], heed_add_scalar(call->inputs[0], 1.0));
}

const heed_op heed_op_log1p = {
    HEED__UNARY_FUSED("log1p", HEED_SAVE_INPUTS, log1p_backward, HEED__KERNELS(log1p, log1p_grad))};

heed_tensor *heed_log1p(heed_tensor *x)
{
    return heed__apply1(&heed_op_log1p, x, NULL);
}

/* a - b, and 0 for equal infinities */
static heed_tensor *logaddexp_distance(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *same = heed_logical_and(heed_isinf(a), heed_compare(a, HEED_COMPARE_EQ, b));
    return heed_where(same, a ? heed_zeros(a->dtype, HEED_SCALAR) : NULL, heed_sub(a, b));
}

/* y = ln(e^a + e^b).    da = g / (1 + e^(b-a)), db = g / (1 + e^(a-b)) */
static void logaddexp_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *distance = logaddexp_distance(call->inputs[0], call->inputs[1]);
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], heed__logistic(distance));
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], heed__logistic(heed_neg(distance)));
}

const heed_op heed_op_logaddexp = {
    HEED__BINARY("logaddexp", HEED_SAVE_INPUTS, logaddexp_backward, .pairs = heed__kernel_logaddexp)};

heed_tensor *heed_logaddexp(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_logaddexp, a, b, NULL);
}

/* y = sinh x.    dx = g cosh x */
static void sinh_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_cosh(call->inputs[0]));
}

const heed_op heed_op_sinh = {HEED__UNARY("sinh", HEED_SAVE_INPUTS, sinh_backward, .kernel = heed__kernel_sinh)};

heed_tensor *heed_sinh(heed_tensor *x)
{
    return heed__apply1(&heed_op_sinh, x, NULL);
}

/* y = cosh x.    dx = g sinh x */
static void cosh_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_sinh(call->inputs[0]));
}

const heed_op heed_op_cosh = {HEED__UNARY("cosh", HEED_SAVE_INPUTS, cosh_backward, .kernel = heed__kernel_cosh)};

heed_tensor *heed_cosh(heed_tensor *x)
{
    return heed__apply1(&heed_op_cosh, x, NULL);
}

/* y = tanh x.    dx = g (1 - y^2) */
static void tanh_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_rsub_scalar(heed_square(call->outputs[0]), 1.0));
}

const heed_op heed_op_tanh = {
    HEED__UNARY_FUSED("tanh", HEED_SAVE_OUTPUTS, tanh_backward, HEED__KERNELS(tanh, tanh_grad))};

heed_tensor *heed_tanh(heed_tensor *x)
{
    return heed__apply1(&heed_op_tanh, x, NULL);
}

/* y = 2 / sqrt(pi) integral of e^(-t^2) from 0 to x.    dx = g 2 / sqrt(pi) e^(-x^2) */
#define TWO_OVER_SQRT_PI 1.12837916709551257390
/* For |x| above this the slope is 0 in f64. With x clamped, no square overflows, and infinities give 0 instead of
 * infinity times 0. */
#define ERF_FLAT 40.0

static void erf_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *bell = heed_exp(heed_neg(heed_square(heed__within(call->inputs[0], ERF_FLAT))));
    dx[0] = heed_mul(g[0], heed_mul_scalar(bell, TWO_OVER_SQRT_PI));
}

const heed_op heed_op_erf = {HEED__UNARY("erf", HEED_SAVE_INPUTS, erf_backward, .kernel = heed__kernel_erf)};

heed_tensor *heed_erf(heed_tensor *x)
{
    return heed__apply1(&heed_op_erf, x, NULL);
}
