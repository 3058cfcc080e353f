/* onnx/src/elementwise.c - ONNX forms of the ops in ops/elementwise and ops/logic that need several nodes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "forms.h"

static heed__onnx_value number(heed__onnx_graph *g, const heed__onnx_step *step, double value)
{
    return heed__onnx_number(g, heed__onnx_dtype_in(step), value);
}

static heed__onnx_value times(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value x, double c)
{
    return heed__onnx_2(g, "Mul", x, number(g, step, c));
}

static heed__onnx_value given(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    return number(g, step, heed__onnx_real_param(g, step, name));
}

/* -- Arithmetic ---------------------------------------------------------------------------------------------------- */

/* Values of a division a / b: `rest` is the exact remainder of fmod, which has the sign of a. `moves` is true if b must
 * be added to rest, so that it gets the sign of b. */
typedef struct division {
    heed__onnx_value a, b, rest, moves, zero;
} division;

static division divide(heed__onnx_graph *g, const heed__onnx_step *step)
{
    division d = {heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1), .zero = number(g, step, 0)};
    d.rest = heed__onnx_node(g, "Mod", INPUTS(d.a, d.b), ATTRIBUTES(INT("fmod", 1)));
    heed__onnx_value differ =
        heed__onnx_2(g, "Xor", heed__onnx_2(g, "Less", d.rest, d.zero), heed__onnx_2(g, "Less", d.b, d.zero));
    heed__onnx_value some = heed__onnx_1(g, "Not", heed__onnx_2(g, "Equal", d.rest, d.zero));
    d.moves = heed__onnx_2(g, "And", some, differ);
    return d;
}

/* ONNX's Mod of integers has the sign of the divisor, as here, but its Div truncates. For floating-point numbers, a / b
 * could be rounded up to a whole number. Therefore only (a - rest) / b, which is whole up to rounding, is rounded. A
 * quotient of 0 has the sign of a / b. */
heed__onnx_value heed__onnx_form_floor_divide(heed__onnx_graph *g, heed__onnx_step *step)
{
    if (heed__onnx_dtype_in(step) == HEED_I64) {
        heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1);
        return heed__onnx_2(g, "Div", heed__onnx_2(g, "Sub", a, heed__onnx_2(g, "Mod", a, b)), b);
    }
    const division d = divide(g, step);
    heed__onnx_value plain = heed__onnx_2(g, "Div", d.a, d.b);
    heed__onnx_value nearly = heed__onnx_2(g, "Div", heed__onnx_2(g, "Sub", d.a, d.rest), d.b);
    heed__onnx_value down = heed__onnx_cast(g, d.moves, heed__onnx_dtype_in(step));
    heed__onnx_value whole = heed__onnx_2(g, "Sub", heed__onnx_1(g, "Round", nearly), down);
    heed__onnx_value is_zero = heed__onnx_2(g, "Equal", whole, d.zero);
    whole = heed__onnx_3(g, "Where", is_zero, heed__onnx_2(g, "Mul", plain, d.zero), whole);
    return heed__onnx_3(g, "Where", heed__onnx_2(g, "Equal", d.b, d.zero), plain, whole);
}

heed__onnx_value heed__onnx_form_remainder(heed__onnx_graph *g, heed__onnx_step *step)
{
    if (heed__onnx_dtype_in(step) == HEED_I64)
        return heed__onnx_2(g, "Mod", heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1));
    const division d = divide(g, step);
    return heed__onnx_3(g, "Where", d.moves, heed__onnx_2(g, "Add", d.rest, d.b), d.rest);
}

/* m sqrt(1 + (n / m)^2), where m and n are the larger and the smaller of |a| and |b|; n / m is 1 if both are equal. */
heed__onnx_value heed__onnx_form_hypot(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1), one = number(g, step, 1);
    heed__onnx_value size_a = heed__onnx_1(g, "Abs", a), size_b = heed__onnx_1(g, "Abs", b);
    heed__onnx_value m = heed__onnx_2(g, "Max", size_a, size_b), n = heed__onnx_2(g, "Min", size_a, size_b);
    heed__onnx_value ratio =
        heed__onnx_3(g, "Where", heed__onnx_2(g, "Equal", n, m), one, heed__onnx_2(g, "Div", n, m));
    heed__onnx_value sum = heed__onnx_2(g, "Add", one, heed__onnx_2(g, "Mul", ratio, ratio));
    heed__onnx_value y = heed__onnx_2(g, "Mul", m, heed__onnx_1(g, "Sqrt", sum));
    heed__onnx_value endless = heed__onnx_2(g, "Or", heed__onnx_1(g, "IsInf", a), heed__onnx_1(g, "IsInf", b));
    return heed__onnx_3(g, "Where", endless, number(g, step, (double)INFINITY), y);
}

/* max(a, b) + ln(1 + e^-|a - b|); the distance of equal infinities is 0. */
heed__onnx_value heed__onnx_form_logaddexp(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1);
    heed__onnx_value distance = heed__onnx_3(g, "Where", heed__onnx_2(g, "Equal", a, b), number(g, step, 0),
                                             heed__onnx_1(g, "Abs", heed__onnx_2(g, "Sub", a, b)));
    heed__onnx_value rest = heed__onnx_1(g, "Softplus", heed__onnx_1(g, "Neg", distance));
    return heed__onnx_2(g, "Add", heed__onnx_2(g, "Max", a, b), rest);
}

/* a + w (b - a) for |w| < 1 / 2, else b - (1 - w) (b - a) */
heed__onnx_value heed__onnx_form_lerp(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1), w = heed__onnx_in(g, step, 2);
    heed__onnx_value way = heed__onnx_2(g, "Sub", b, a), rest = heed__onnx_2(g, "Sub", number(g, step, 1), w);
    return heed__onnx_3(g, "Where", heed__onnx_2(g, "Less", heed__onnx_1(g, "Abs", w), number(g, step, 0.5)),
                        heed__onnx_2(g, "Add", a, heed__onnx_2(g, "Mul", w, way)),
                        heed__onnx_2(g, "Sub", b, heed__onnx_2(g, "Mul", way, rest)));
}

heed__onnx_value heed__onnx_form_compare(heed__onnx_graph *g, heed__onnx_step *step)
{
    static const char *const types[] = {
        [HEED_COMPARE_EQ] = "Equal",       [HEED_COMPARE_NE] = "Equal",   [HEED_COMPARE_LT] = "Less",
        [HEED_COMPARE_LE] = "LessOrEqual", [HEED_COMPARE_GT] = "Greater", [HEED_COMPARE_GE] = "GreaterOrEqual"};
    const int64_t comparison = heed__onnx_param(g, step, "comparison");
    if (comparison < HEED_COMPARE_EQ || comparison > HEED_COMPARE_GE)
        return heed__onnx_no_form(g, step, "its comparison is unknown");
    heed__onnx_value y = heed__onnx_2(g, types[comparison], heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1));
    return comparison == HEED_COMPARE_NE ? heed__onnx_1(g, "Not", y) : y;
}

/* e^x - 1 = tanh(x / 2) (e^x + 1), without cancellation near 0. */
static heed__onnx_value expm1_of(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value x)
{
    heed__onnx_value half = heed__onnx_1(g, "Tanh", heed__onnx_2(g, "Mul", x, number(g, step, 0.5)));
    return heed__onnx_2(g, "Mul", half, heed__onnx_2(g, "Add", heed__onnx_1(g, "Exp", x), number(g, step, 1)));
}

/* With u = 1 + x, rounded: x if u is 1, ln(u) if u is x, otherwise ln(u) x / (u - 1), in which the two rounding errors
 * cancel (Kahan). */
heed__onnx_value heed__onnx_form_log1p(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0), one = number(g, step, 1);
    heed__onnx_value u = heed__onnx_2(g, "Add", x, one), log = heed__onnx_1(g, "Log", u);
    heed__onnx_value ratio = heed__onnx_2(g, "Div", x, heed__onnx_2(g, "Sub", u, one));
    heed__onnx_value y =
        heed__onnx_3(g, "Where", heed__onnx_2(g, "Equal", u, x), log, heed__onnx_2(g, "Mul", log, ratio));
    return heed__onnx_3(g, "Where", heed__onnx_2(g, "Equal", u, one), x, y);
}

/* -- Activations --------------------------------------------------------------------------------------------------- */

/* Replaces -inf by the lowest finite number, so that its product with a factor of 0 is 0, not NaN. */
static heed__onnx_value finite_below(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value x)
{
    const double least = heed__onnx_dtype_in(step) == HEED_F32 ? (double)-FLT_MAX : -DBL_MAX;
    return heed__onnx_2(g, "Max", x, number(g, step, least));
}

/* x / 2 (1 + erf(x / sqrt(2))), because the node Gelu needs opset 20. */
heed__onnx_value heed__onnx_form_gelu(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    heed__onnx_value erf = heed__onnx_1(g, "Erf", heed__onnx_2(g, "Mul", x, number(g, step, 0.70710678118654752440)));
    heed__onnx_value half = heed__onnx_2(g, "Mul", finite_below(g, step, x), number(g, step, 0.5));
    return heed__onnx_2(g, "Mul", half, heed__onnx_2(g, "Add", erf, number(g, step, 1)));
}

/* max(x, -3) (min(max(x + 3, 0), 6) / 6) */
static heed__onnx_value hardswish_of(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value x)
{
    heed__onnx_value moved = heed__onnx_2(g, "Add", x, number(g, step, 3)), six = number(g, step, 6);
    heed__onnx_value gate = heed__onnx_2(g, "Div", heed__onnx_3(g, "Clip", moved, number(g, step, 0), six), six);
    return heed__onnx_2(g, "Mul", heed__onnx_2(g, "Max", x, number(g, step, -3)), gate);
}

/* Attributes are f32. An f64 op uses an attribute only if f32 represents the value exactly. */
static bool is_attribute(const heed__onnx_step *step, double value)
{
    return heed__onnx_dtype_in(step) == HEED_F32 || (double)(float)value == value;
}

/* x for x >= 0, otherwise `below`. */
static heed__onnx_value below_zero(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value x,
                                   heed__onnx_value below)
{
    return heed__onnx_3(g, "Where", heed__onnx_2(g, "Less", x, number(g, step, 0)), below, x);
}

/* ONNX's PRelu does not multiply 0 by the slope, and so differs for infinite slopes and in the sign of 0. */
heed__onnx_value heed__onnx_form_prelu(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0), slope = heed__onnx_in(g, step, 1);
    return heed__onnx_3(g, "Where", heed__onnx_2(g, "Less", number(g, step, 0), x), x,
                        heed__onnx_2(g, "Mul", slope, x));
}

heed__onnx_value heed__onnx_form_leaky_relu(heed__onnx_graph *g, heed__onnx_step *step)
{
    const double slope = heed__onnx_real_param(g, step, "slope");
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    if (is_attribute(step, slope))
        return heed__onnx_node(g, "LeakyRelu", INPUTS(x), ATTRIBUTES(FLOAT("alpha", slope)));
    return below_zero(g, step, x, heed__onnx_2(g, "Mul", x, number(g, step, slope)));
}

heed__onnx_value heed__onnx_form_elu(heed__onnx_graph *g, heed__onnx_step *step)
{
    const double alpha = heed__onnx_real_param(g, step, "alpha");
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    if (is_attribute(step, alpha))
        return heed__onnx_node(g, "Elu", INPUTS(x), ATTRIBUTES(FLOAT("alpha", alpha)));
    return below_zero(g, step, x, heed__onnx_2(g, "Mul", expm1_of(g, step, x), number(g, step, alpha)));
}

/* The limit `name` of a clamp. An infinite limit has no effect; for i64 it becomes the end of the range. */
static heed__onnx_value limit(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    const double value = heed__onnx_real_param(g, step, name);
    if (heed__onnx_dtype_in(step) == HEED_I64 && isinf(value))
        return heed__onnx_int64(g, value < 0 ? INT64_MIN : INT64_MAX);
    return number(g, step, value);
}

heed__onnx_value heed__onnx_form_clamp(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_3(g, "Clip", heed__onnx_in(g, step, 0), limit(g, step, "low"), limit(g, step, "high"));
}

heed__onnx_value heed__onnx_form_hardtanh(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_form_clamp(g, step);
}

/* -- Dtypes -------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_form_to_dtype(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_cast(g, heed__onnx_in(g, step, 0), heed_dtype_of(step->outputs[0]));
}

heed__onnx_value heed__onnx_form_isfinite(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    return heed__onnx_1(g, "Not", heed__onnx_2(g, "Or", heed__onnx_1(g, "IsNaN", x), heed__onnx_1(g, "IsInf", x)));
}

/* -- Formulas of forms.def ----------------------------------------------------------------------------------------- */

#define HEED_ONNX_NODE(op, type)
#define HEED_ONNX_FORM(op, nodes)
#define HEED_ONNX_UNARY(op, nodes, formula)                                                                            \
    heed__onnx_value heed__onnx_form_##op(heed__onnx_graph *g, heed__onnx_step *step)                                  \
    {                                                                                                                  \
        heed__onnx_value x = heed__onnx_in(g, step, 0);                                                                \
        return formula;                                                                                                \
    }
#include "forms.def"
