/* onnx/elementwise.c - forms of the ops of src/ops/elementwise and src/ops/logic that are more than a node. */

#include <math.h>

#include "onnx/forms.h"

static heed__onnx_value number(heed__onnx_graph *g, const heed__onnx_step *step, double value)
{
    return heed__onnx_number(g, heed__onnx_dtype_in(step), value);
}

static heed__onnx_value given(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    return number(g, step, heed__onnx_real_param(g, step, name));
}

/* -- Arithmetic ----------------------------------------------------------------------------------------------------- */

/* ONNX's Mod has the divisor's sign, as here, but for whole numbers only; its Div of these cuts. */
heed__onnx_value heed__onnx_form_floor_divide(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1);
    if (heed__onnx_dtype_in(step) == HEED_I64)
        return heed__onnx_2(g, "Div", heed__onnx_2(g, "Sub", a, heed__onnx_2(g, "Mod", a, b)), b);
    return heed__onnx_1(g, "Floor", heed__onnx_2(g, "Div", a, b));
}

heed__onnx_value heed__onnx_form_remainder(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value a = heed__onnx_in(g, step, 0), b = heed__onnx_in(g, step, 1);
    if (heed__onnx_dtype_in(step) == HEED_I64)
        return heed__onnx_2(g, "Mod", a, b);
    heed__onnx_value whole = heed__onnx_1(g, "Floor", heed__onnx_2(g, "Div", a, b));
    return heed__onnx_2(g, "Sub", a, heed__onnx_2(g, "Mul", whole, b));
}

heed__onnx_value heed__onnx_form_compare(heed__onnx_graph *g, heed__onnx_step *step)
{
    static const char *const types[] = {
        [HEED_COMPARE_EQ] = "Equal",       [HEED_COMPARE_NE] = "Equal",   [HEED_COMPARE_LT] = "Less",
        [HEED_COMPARE_LE] = "LessOrEqual", [HEED_COMPARE_GT] = "Greater", [HEED_COMPARE_GE] = "GreaterOrEqual"};
    const int64_t comparison = heed__onnx_param(g, step, "comparison");
    if (comparison < HEED_COMPARE_EQ || comparison > HEED_COMPARE_GE)
        return heed__onnx_no_form(g, step, "there is no such comparison");
    heed__onnx_value y = heed__onnx_2(g, types[comparison], heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1));
    return comparison == HEED_COMPARE_NE ? heed__onnx_1(g, "Not", y) : y;
}

heed__onnx_value heed__onnx_form_mul_scalar(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "Mul", heed__onnx_in(g, step, 0), given(g, step, "number"));
}

heed__onnx_value heed__onnx_form_add_scalar(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "Add", heed__onnx_in(g, step, 0), given(g, step, "number"));
}

heed__onnx_value heed__onnx_form_rsub_scalar(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "Sub", given(g, step, "number"), heed__onnx_in(g, step, 0));
}

heed__onnx_value heed__onnx_form_pow_scalar(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "Pow", heed__onnx_in(g, step, 0), given(g, step, "exponent"));
}

heed__onnx_value heed__onnx_form_square(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    return heed__onnx_2(g, "Mul", x, x);
}

heed__onnx_value heed__onnx_form_expm1(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "Sub", heed__onnx_1(g, "Exp", heed__onnx_in(g, step, 0)), number(g, step, 1));
}

heed__onnx_value heed__onnx_form_log1p(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_1(g, "Log", heed__onnx_2(g, "Add", heed__onnx_in(g, step, 0), number(g, step, 1)));
}

/* -- Activations ---------------------------------------------------------------------------------------------------- */

/* x (1 + erf(x / sqrt(2))) / 2: the node Gelu is of opset 20. */
heed__onnx_value heed__onnx_form_gelu(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    heed__onnx_value erf = heed__onnx_1(g, "Erf", heed__onnx_2(g, "Mul", x, number(g, step, 0.70710678118654752440)));
    heed__onnx_value twice = heed__onnx_2(g, "Mul", x, heed__onnx_2(g, "Add", erf, number(g, step, 1)));
    return heed__onnx_2(g, "Mul", twice, number(g, step, 0.5));
}

heed__onnx_value heed__onnx_form_silu(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    return heed__onnx_2(g, "Mul", x, heed__onnx_1(g, "Sigmoid", x));
}

heed__onnx_value heed__onnx_form_leaky_relu(heed__onnx_graph *g, heed__onnx_step *step)
{
    const double slope = heed__onnx_real_param(g, step, "slope");
    return heed__onnx_node(g, "LeakyRelu", INPUTS(heed__onnx_in(g, step, 0)), ATTRIBUTES(FLOAT("alpha", slope)));
}

heed__onnx_value heed__onnx_form_elu(heed__onnx_graph *g, heed__onnx_step *step)
{
    const double alpha = heed__onnx_real_param(g, step, "alpha");
    return heed__onnx_node(g, "Elu", INPUTS(heed__onnx_in(g, step, 0)), ATTRIBUTES(FLOAT("alpha", alpha)));
}

/* An infinite limit is none: of i64 the end of its range. */
static heed__onnx_value limit(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    const double value = heed__onnx_real_param(g, step, name);
    if (heed__onnx_dtype_in(step) == HEED_I64 && isinf(value))
        return heed__onnx_whole(g, value < 0 ? INT64_MIN : INT64_MAX);
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

/* -- Dtypes --------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_form_to_dtype(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_cast(g, heed__onnx_in(g, step, 0), heed_dtype_of(step->outputs[0]));
}

heed__onnx_value heed__onnx_form_isfinite(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    return heed__onnx_1(g, "Not", heed__onnx_2(g, "Or", heed__onnx_1(g, "IsNaN", x), heed__onnx_1(g, "IsInf", x)));
}
