/* ops/elementwise/slopes.c - slopes of elementwise ops, as ops. See ops/elementwise/slopes.h. */

#include "ops/elementwise/slopes.h"

#include <float.h>
#include <math.h>

heed_tensor *heed__within(heed_tensor *x, double limit)
{
    if (!x)
        return NULL;
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, limit), *low = heed_full(x->dtype, HEED_SCALAR, -limit);
    heed_tensor *below = heed_where(heed_compare(x, HEED_COMPARE_GT, high), high, x);
    return heed_where(heed_compare(x, HEED_COMPARE_LT, low), low, below);
}

/* -- circle -------------------------------------------------------------------------------------------------------- */

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

heed_tensor *heed__circle(heed_tensor *x)
{
    return heed__apply1(&circle, x, NULL);
}

/* -- logistic ------------------------------------------------------------------------------------------------------ */

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

static bool logistic_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map1(HEED__KERNEL(sigmoid, out[0]->dtype), call->inputs[0], out[0], NULL);
    return true;
}

static void logistic_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_mul(g[0], heed__apply1(&bell, call->inputs[0], NULL));
}

static const heed_op logistic = {
    .name = "logistic",
    .n_inputs = 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_same,
    .forward = logistic_forward,
    .backward = logistic_backward,
};

heed_tensor *heed__logistic(heed_tensor *x)
{
    return heed__apply1(&logistic, x, NULL);
}

/* -- silu_slope ---------------------------------------------------------------------------------------------------- */

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

heed_tensor *heed__silu_slope(heed_tensor *x)
{
    return heed__apply1(&silu_slope, x, NULL);
}

/* -- Slopes of functions of two variables -------------------------------------------------------------------------- */

/* Defines a loop over three inputs a, b and c of type T that writes the formula's result to y. */
#define TERNARY_LOOP(name, T, formula)                                                                                 \
    static void name(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, const void *c_, int64_t sc,    \
                     void *y_)                                                                                         \
    {                                                                                                                  \
        const T *a = a_, *b = b_, *c = c_;                                                                             \
        T *y = y_;                                                                                                     \
        for (int64_t i = 0; i < n; i++)                                                                                \
            y[i] = formula(a[i * sa], b[i * sb], c[i * sc]);                                                           \
    }

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
TERNARY_LOOP(quotient_slopes_f32, float, quotient_slope_f32)
TERNARY_LOOP(quotient_slopes_f64, double, quotient_slope_f64)

static bool quotient_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_F32 ? quotient_slopes_f32 : quotient_slopes_f64, call->inputs[0], call->inputs[1],
               call->inputs[2], out[0]);
    return true;
}

/* The result z = -g y / b is linear in g and in y; dz / db = -z / b. */
static void quotient_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *const *in = call->inputs;
    if (heed_call_needs(call, 0))
        dx[0] = heed__quotient_slope(g[0], in[1], in[2]);
    if (heed_call_needs(call, 1))
        dx[1] = heed__quotient_slope(g[0], in[0], in[2]);
    if (heed_call_needs(call, 2))
        dx[2] = heed__quotient_slope(g[0], call->outputs[0], in[2]);
}

static const heed_op quotient_slope = {
    .name = "quotient_slope",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .infer = heed_infer_broadcast,
    .forward = quotient_slope_forward,
    .backward = quotient_slope_backward,
};

heed_tensor *heed__quotient_slope(heed_tensor *g, heed_tensor *y, heed_tensor *b)
{
    return heed__apply3(&quotient_slope, g, y, b, NULL);
}

/* Let m be the larger of |x| and |y| and s the power of two above m. The slope is g (x / s) / ((x / s)^2 + (y / s)^2) /
 * s. */
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
TERNARY_LOOP(angle_slopes_f32, float, angle_slope_f32)
TERNARY_LOOP(angle_slopes_f64, double, angle_slope_f64)

static bool angle_slope_forward(const heed_call *call, heed_tensor *const *out)
{
    heed__map3(out[0]->dtype == HEED_F32 ? angle_slopes_f32 : angle_slopes_f64, call->inputs[0], call->inputs[1],
               call->inputs[2], out[0]);
    return true;
}

/* With p = x / (x^2 + y^2) and q = y / (x^2 + y^2):  dp / dx = q^2 - p^2,  dp / dy = -2 p q. */
static void angle_slope_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[1], *y = call->inputs[2], *both = heed_mul(g[0], call->inputs[0]);
    if (heed_call_needs(call, 0))
        dx[0] = heed__angle_slope(g[0], x, y);
    heed_tensor *one = heed_ones(g[0]->dtype, HEED_SCALAR);
    heed_tensor *p = heed__angle_slope(one, x, y), *q = heed__angle_slope(one, y, x);
    if (heed_call_needs(call, 1))
        dx[1] = heed_mul(both, heed_sub(heed_square(q), heed_square(p)));
    if (heed_call_needs(call, 2))
        dx[2] = heed_mul(heed_mul(heed_mul_scalar(both, -2.0), p), q);
}

static const heed_op angle_slope = {
    .name = "angle_slope",
    .n_inputs = 3,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUTS,
    .infer = heed_infer_broadcast,
    .forward = angle_slope_forward,
    .backward = angle_slope_backward,
};

heed_tensor *heed__angle_slope(heed_tensor *g, heed_tensor *x, heed_tensor *y)
{
    return heed__apply3(&angle_slope, g, x, y, NULL);
}
