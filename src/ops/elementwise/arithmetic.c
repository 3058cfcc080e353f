/* ops/elementwise/arithmetic.c - sums, products, quotients and powers of tensors and numbers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "ops/elementwise/elementwise.h"

/* Applies the op to x with one number as its parameter. The number is rounded to f32 if x is f32, and must be an
 * integer if x is i64. `name` is the number's name in messages. */
static heed_tensor *apply_number(const heed_op *op, heed_tensor *x, const char *name, double number)
{
    if (heed__is_i64(x) && !heed__check_number(op->name, name, x, number))
        return NULL;
    if (heed__is_live(x) && x->dtype == HEED_F32)
        number = (double)(float)number;
    return heed__apply1(op, x, &number);
}

/* -- Of two tensors, with broadcasting ----------------------------------------------------------------------------- */

/* y = a + b.    da = g, db = g */
HEED__I64_PAIRS_LOOP(add_i64, a + b)

static void add_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = g[0];
}

const heed_op heed_op_add = {
    HEED__BINARY("add", HEED_SAVE_NOTHING, add_backward, .pairs = heed__kernel_add, .i64_pairs = add_i64)};

heed_tensor *heed_add(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_add, a, b, NULL);
}

/* y = a - b.    da = g, db = -g */
HEED__I64_PAIRS_LOOP(sub_i64, a - b)

static void sub_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(g[0]);
}

const heed_op heed_op_sub = {
    HEED__BINARY("sub", HEED_SAVE_NOTHING, sub_backward, .pairs = heed__kernel_sub, .i64_pairs = sub_i64)};

heed_tensor *heed_sub(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_sub, a, b, NULL);
}

/* y = a b.    da = g b, db = g a */
HEED__I64_PAIRS_LOOP(mul_i64, a *b)

static void mul_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g[0], call->inputs[1]);
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g[0], call->inputs[0]);
}

static void mul_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__binary_kernel *mul = HEED__KERNEL(mul, g[0]->dtype);
    if (heed_call_needs(call, 0))
        dx[0] = heed__new_map2("mul", mul, g[0], call->inputs[1], NULL);
    if (heed_call_needs(call, 1))
        dx[1] = heed__new_map2("mul", mul, g[0], call->inputs[0], NULL);
}

const heed_op heed_op_mul = {
    HEED__BINARY("mul", HEED_SAVE_INPUTS, mul_backward, .pairs = heed__kernel_mul, .i64_pairs = mul_i64),
    .backward_fused = mul_backward_fused};

heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_mul, a, b, NULL);
}

/* -- Division ------------------------------------------------------------------------------------------------------ */

/* Defines a function that returns -g y / b. It computes -(g / b) y or, if g / b overflows, -g (y / b). All results that
 * do not overflow are thus rounded as in -(g / b) y. */
#define QUOTIENT_SLOPE(name, T)                                                                                        \
    static inline T name(T g, T y, T b)                                                                                \
    {                                                                                                                  \
        const T share = g / b;                                                                                         \
        return isinf(share) ? -(g * (y / b)) : -(share * y);                                                           \
    }
QUOTIENT_SLOPE(quotient_slope_f32, float)
QUOTIENT_SLOPE(quotient_slope_f64, double)
HEED__TERNARY_LOOP(quotient_slopes_f32, float, quotient_slope_f32)
HEED__TERNARY_LOOP(quotient_slopes_f64, double, quotient_slope_f64)

static bool quotient_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_F32 ? quotient_slopes_f32 : quotient_slopes_f64, call->inputs[0], call->inputs[1],
               call->inputs[2], out[0]);
    return true;
}

static heed_tensor *quotient_slope(heed_tensor *g, heed_tensor *y, heed_tensor *b);

/* The result z = -g y / b is linear in g and in y; dz / db = -z / b. */
static void quotient_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *const *in = call->inputs;
    if (heed_call_needs(call, 0))
        dx[0] = quotient_slope(g[0], in[1], in[2]);
    if (heed_call_needs(call, 1))
        dx[1] = quotient_slope(g[0], in[0], in[2]);
    if (heed_call_needs(call, 2))
        dx[2] = quotient_slope(g[0], call->outputs[0], in[2]);
}

static const heed_op quotient_slope_op = {
    .name = "quotient_slope",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = heed_infer_broadcast,
    .forward = quotient_slope_forward,
    .backward = quotient_slope_backward,
};

/* Returns -(g / b) y, the gradient with respect to b of the division y = a / b. The result is finite if g y / b is,
 * even if g / b is infinite. */
static heed_tensor *quotient_slope(heed_tensor *g, heed_tensor *y, heed_tensor *b)
{
    return heed__apply3(&quotient_slope_op, g, y, b, NULL);
}

/* y = a / b.    da = g / b,  db = -g a / b^2 = -(g / b) y, without forming b^2 */
static void div_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *b = call->inputs[1];
    if (heed_call_needs(call, 0))
        dx[0] = heed_div(g[0], b);
    if (heed_call_needs(call, 1))
        dx[1] = quotient_slope(g[0], call->outputs[0], b);
}

const heed_op heed_op_div = {
    HEED__BINARY("div", HEED_SAVE_INPUT(1) | HEED_SAVE_OUTPUTS, div_backward, .pairs = heed__kernel_div)};

heed_tensor *heed_div(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_div, a, b, NULL);
}

/* -2^63 / -1 wraps around. */
static int64_t quotient(int64_t a, int64_t b)
{
    if (b == -1)
        return (int64_t)(0 - (uint64_t)a);
    return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}

/* y = the exact quotient, rounded down.    da = 0, db = 0 */
HEED__I64_PAIRS_LOOP(floor_divide_i64, (uint64_t)quotient((int64_t)a, (int64_t)b))

const heed_op heed_op_floor_divide = {HEED__BINARY("floor_divide", HEED_SAVE_NOTHING, heed__zero_backward,
                                                   .pairs = heed__kernel_floor_divide, .i64_pairs = floor_divide_i64,
                                                   .divides = true)};

heed_tensor *heed_floor_divide(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_floor_divide, a, b, NULL);
}

/* -2^63 % -1 is undefined in C. */
static int64_t modulo(int64_t a, int64_t b)
{
    const int64_t r = b == -1 ? 0 : a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* y = a - b floor_divide(a, b).    da = g, db = -g floor_divide(a, b) */
HEED__I64_PAIRS_LOOP(remainder_i64, (uint64_t)modulo((int64_t)a, (int64_t)b))

static void remainder_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = g[0];
    if (heed_call_needs(call, 1))
        dx[1] = heed_neg(heed_mul(g[0], heed_floor_divide(call->inputs[0], call->inputs[1])));
}

const heed_op heed_op_remainder = {HEED__BINARY("remainder", HEED_SAVE_INPUTS, remainder_backward,
                                                .pairs = heed__kernel_remainder, .i64_pairs = remainder_i64,
                                                .divides = true)};

heed_tensor *heed_remainder(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_remainder, a, b, NULL);
}

/* -- Of a tensor and a number -------------------------------------------------------------------------------------- */

/* y = x + c.    dx = g */
HEED__I64_LOOP(add_scalar_i64, x + c)

static void add_scalar_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = g[0];
}

const heed_op heed_op_add_scalar = {HEED__UNARY("add_scalar", HEED_SAVE_NOTHING, add_scalar_backward,
                                                .kernel = heed__kernel_add_scalar, .i64 = add_scalar_i64),
                                    HEED__NUMBER("number")};

heed_tensor *heed_add_scalar(heed_tensor *x, double c)
{
    return apply_number(&heed_op_add_scalar, x, "c", c);
}

/* y = -x.    dx = -g */
HEED__I64_LOOP(neg_i64, 0 - x)

static void neg_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    dx[0] = heed_neg(g[0]);
}

const heed_op heed_op_neg = {
    HEED__UNARY("neg", HEED_SAVE_NOTHING, neg_backward, .kernel = heed__kernel_neg, .i64 = neg_i64)};

heed_tensor *heed_neg(heed_tensor *x)
{
    return heed__apply1(&heed_op_neg, x, NULL);
}

/* y = c - x.    dx = -g */
HEED__I64_LOOP(rsub_scalar_i64, c - x)

const heed_op heed_op_rsub_scalar = {
    HEED__UNARY("rsub_scalar", HEED_SAVE_NOTHING, neg_backward, .kernel = heed__kernel_rsub, .i64 = rsub_scalar_i64),
    HEED__NUMBER("number")};

heed_tensor *heed_rsub_scalar(heed_tensor *x, double c)
{
    return apply_number(&heed_op_rsub_scalar, x, "c", c);
}

/* y = c x.    dx = c g */
HEED__I64_LOOP(mul_scalar_i64, (x * c))

static void mul_scalar_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__scale(g[0], *(const double *)call->params);
}

const heed_op heed_op_mul_scalar = {HEED__UNARY("mul_scalar", HEED_SAVE_NOTHING, mul_scalar_backward,
                                                .kernel = heed__kernel_scale, .i64 = mul_scalar_i64),
                                    HEED__NUMBER("number")};

heed_tensor *heed__scale(heed_tensor *x, double c)
{
    return heed__apply1(&heed_op_mul_scalar, x, &c);
}

heed_tensor *heed_mul_scalar(heed_tensor *x, double c)
{
    return apply_number(&heed_op_mul_scalar, x, "c", c);
}

/* y = x^2.    dx = 2 g x */
HEED__I64_LOOP(square_i64, (x * x))

static void square_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed_mul_scalar(call->inputs[0], 2.0));
}

const heed_op heed_op_square = {HEED__UNARY_FUSED("square", HEED_SAVE_INPUTS, square_backward,
                                                  HEED__KERNELS(square, square_grad), .i64 = square_i64)};

heed_tensor *heed_square(heed_tensor *x)
{
    return heed__apply1(&heed_op_square, x, NULL);
}

/* Integer powers by squaring; p is at least 0. */
static uint64_t power(uint64_t x, uint64_t p)
{
    uint64_t y = 1;
    for (; p > 0; p /= 2, x *= x)
        if (p % 2 == 1)
            y *= x;
    return y;
}

/* y = x^p.    dx = g p x^(p-1), and 0 for p = 0, because x^(p-1) may be infinite */
HEED__I64_LOOP(pow_scalar_i64, power(x, c))

static void pow_scalar_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    double p = *(const double *)call->params;
    if (p == 0.0)
        dx[0] = heed_zeros(g[0]->dtype, g[0]->shape);
    else
        dx[0] = heed_mul(g[0], heed_mul_scalar(heed_pow_scalar(call->inputs[0], p - 1.0), p));
}

const heed_op heed_op_pow_scalar = {HEED__UNARY("pow_scalar", HEED_SAVE_INPUTS, pow_scalar_backward,
                                                .kernel = heed__kernel_pow_scalar, .i64 = pow_scalar_i64),
                                    HEED__NUMBER("exponent")};

heed_tensor *heed_pow_scalar(heed_tensor *x, double p)
{
    if (heed__is_i64(x) && p < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "pow_scalar", "p is %g: must be at least 0, as x is i64", p);
    return apply_number(&heed_op_pow_scalar, x, "p", p);
}

/* -- Powers of two tensors ----------------------------------------------------------------------------------------- */

/* A derivative of a^b: the number of times that it is taken by a and by b. */
typedef struct pow_orders {
    double by_a, by_b;
} pow_orders;

enum { POW_MOST_BY_A = 32 };

/* factor a^e, in two steps if a^e itself overflows or is denormal. The result is 0 if a^(e / 2) is 0. */
static double times_power(double factor, double a, double e)
{
    const double y = pow(a, e);
    if (isnormal(y) || isnan(y))
        return factor * y;
    const double half = pow(fabs(a), e / 2);
    return half == 0 ? 0 : factor * half * copysign(half, y);
}

/* The derivative of a^b, n times by a and k times by b. With l = ln a it is
 *
 *     a^(b-n) (c[0] l^k + k c[1] l^(k-1) + k (k-1) c[2] l^(k-2) + ...)
 *
 * where c[i] is the coefficient of t^i in (b + t) (b + t - 1) ... (b + t - n + 1). The first nonzero c[i] decides the
 * limit at a = 0 and at infinity. The derivatives of 0^b by b are 0 at b = 0 too, as in PyTorch. */
static double pow_slope_at(double a, double b, int n, int k)
{
    double c[POW_MOST_BY_A + 1] = {1}, factor = 1;
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i >= 0; i--)
            c[i] = (i <= j ? c[i] * (b - j) : 0) + (i > 0 ? c[i - 1] : 0);
    int i = 0, last = n < k ? n : k;
    while (i < last && c[i] == 0)
        factor *= k - i++;
    if (c[i] == 0 || (n == 0 && k > 0 && a == 0 && b == 0))
        return 0;
    const double l = k > 0 ? log(a) : 0;
    double sum = factor * c[i];
    while (i < last) {
        factor *= k - i++;
        sum = sum * l + factor * c[i];
    }
    for (; i < k; i++)
        sum *= l;
    return times_power(sum, k > 0 ? fabs(a) : a, b - n);
}

#define POW_SLOPES(name, T)                                                                                            \
    static void name(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_, const double *p)     \
    {                                                                                                                  \
        const T *a = a_, *b = b_;                                                                                      \
        T *y = y_;                                                                                                     \
        for (int64_t i = 0; i < n; i++)                                                                                \
            y[i] = (T)pow_slope_at((double)a[i * sa], (double)b[i * sb], (int)p[0], (int)p[1]);                        \
    }
POW_SLOPES(pow_slopes_f32, float)
POW_SLOPES(pow_slopes_f64, double)

static bool pow_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map2(out[0]->dtype == HEED_F32 ? pow_slopes_f32 : pow_slopes_f64, call->inputs[0], call->inputs[1], out[0],
               call->params);
    return true;
}

static void pow_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

static const heed_op pow_slope_op = {
    .name = "pow_slope",
    .n_inputs = 2,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .params_size = sizeof(pow_orders),
    .infer = heed_infer_broadcast,
    .forward = pow_slope_forward,
    .backward = pow_slope_backward,
};

/* Sets dx to the gradients by a and by b of a derivative of a^b. */
static void pow_gradient(const heed_call *call, heed_tensor *g, double by_a, double by_b, heed_tensor **dx)
{
    heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (heed_call_needs(call, 0) && by_a == POW_MOST_BY_A)
        heed_fail(HEED_ERR_UNSUPPORTED, "pow", "derivative %g by a: must be at most %d", by_a + 1, POW_MOST_BY_A);
    else if (heed_call_needs(call, 0))
        dx[0] = heed_mul(g, heed__apply2(&pow_slope_op, a, b, &(pow_orders){by_a + 1, by_b}));
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(g, heed__apply2(&pow_slope_op, a, b, &(pow_orders){by_a, by_b + 1}));
}

static void pow_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const pow_orders *orders = call->params;
    pow_gradient(call, g[0], orders->by_a, orders->by_b, dx);
}

/* y = a^b.    da = g b a^(b-1), and 0 for b = 0;  db = g a^b ln a, and 0 for a = 0 and b >= 0 */
HEED__I64_PAIRS_LOOP(pow_i64, power(a, b))

static void pow_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    pow_gradient(call, g[0], 0, 0, dx);
}

const heed_op heed_op_pow = {HEED__BINARY("pow", HEED_SAVE_INPUTS, pow_backward, .pairs = heed__kernel_pow,
                                          .i64_pairs = pow_i64, .raises = true)};

heed_tensor *heed_pow(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_pow, a, b, NULL);
}
