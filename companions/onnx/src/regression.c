/* onnx/src/regression.c - ONNX form of kernel_regression: values weighted by the softmax of -u^2 / 2 over the keys. As
 * in src/ops/attention/composed_regression.c, the square of the distance e of the nearest key is subtracted first:
 *
 *     u^2 - e^2 = sum over components of w^2 (d - e) (d + e),  d = q - k
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

#include <math.h>

enum { QUERIES, KEYS, VALUES, WIDTH };

/* n queries and m keys of d components, and values of v components. */
typedef struct sizes {
    int64_t n, m, d, v;
    bool shared; /* all queries share the keys and values */
} sizes;

static sizes sizes_of(const heed__onnx_step *step)
{
    const heed_shape q = heed__onnx_shape_in(step, QUERIES), k = heed__onnx_shape_in(step, KEYS);
    const heed_shape v = heed__onnx_shape_in(step, VALUES);
    const int own = k.rank - q.rank;
    return (sizes){.n = q.dims[0],
                   .m = k.dims[own],
                   .d = q.rank == 2 ? q.dims[1] : 1,
                   .v = v.rank == own + 2 ? v.dims[own + 1] : 1,
                   .shared = own == 0};
}

static heed__onnx_value number(heed__onnx_graph *g, const heed__onnx_step *step, double value)
{
    return heed__onnx_number(g, heed__onnx_dtype_in(step), value);
}

/* The exponents -(u^2 - e^2) / 2, (n, m). */
static heed__onnx_value exponents(heed__onnx_graph *g, const heed__onnx_step *step, const sizes *s)
{
    const int64_t over_keys = 1;
    heed__onnx_value q = heed__onnx_reshape(g, heed__onnx_in(g, step, QUERIES), HEED_SHAPE(s->n, 1, s->d));
    heed__onnx_value k =
        heed__onnx_reshape(g, heed__onnx_in(g, step, KEYS), HEED_SHAPE(s->shared ? 1 : s->n, s->m, s->d));
    heed__onnx_value d = heed__onnx_2(g, "Sub", q, k), w = heed__onnx_in(g, step, WIDTH); /* w: (1) or (d) */
    if (heed__onnx_param(g, step, "log_width"))
        w = heed__onnx_1(g, "Exp", heed__onnx_1(g, "Neg", w));
    heed__onnx_value e =
        heed__onnx_node(g, "ReduceMin", INPUTS(heed__onnx_1(g, "Abs", d)), ATTRIBUTES(INTS("axes", &over_keys, 1)));
    heed__onnx_value below = heed__onnx_2(g, "Mul", heed__onnx_2(g, "Sub", d, e), w);
    heed__onnx_value above = heed__onnx_2(g, "Mul", heed__onnx_2(g, "Add", d, e), w);
    heed__onnx_value each = heed__onnx_2(g, "Mul", heed__onnx_2(g, "Mul", below, above), number(g, step, -0.5));
    return heed__onnx_node(g, "ReduceSum", INPUTS(each, heed__onnx_int64s(g, INT64S(2))),
                           ATTRIBUTES(INT("keepdims", 0)));
}

heed__onnx_value heed__onnx_form_kernel_regression(heed__onnx_graph *g, heed__onnx_step *step)
{
    const sizes s = sizes_of(step);
    if (s.m - heed__onnx_param(g, step, "leave_one_out") < 1)
        return heed__onnx_no_form(g, step, "its queries have no visible keys");
    heed__onnx_value x = exponents(g, step, &s);
    if (heed__onnx_param(g, step, "leave_one_out")) { /* hides key i from query i */
        heed__onnx_value own =
            heed__onnx_2(g, "Equal", heed__onnx_range(g, 0, s.n, true), heed__onnx_range(g, 0, s.m, false));
        x = heed__onnx_3(g, "Where", own, number(g, step, -(double)INFINITY), x);
    }
    heed__onnx_value weights = heed__onnx_node(g, "Softmax", INPUTS(x), ATTRIBUTES(INT("axis", -1)));
    weights = heed__onnx_reshape(g, weights, s.shared ? HEED_SHAPE(s.n, s.m) : HEED_SHAPE(s.n, 1, s.m));
    heed__onnx_value values = heed__onnx_reshape(g, heed__onnx_in(g, step, VALUES),
                                                 s.shared ? HEED_SHAPE(s.m, s.v) : HEED_SHAPE(s.n, s.m, s.v));
    return heed__onnx_reshape(g, heed__onnx_2(g, "MatMul", weights, values), heed_shape_of(step->outputs[0]));
}
