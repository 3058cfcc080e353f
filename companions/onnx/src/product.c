/* onnx/src/product.c - ONNX forms of the ops in src/ops/product.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

static heed__onnx_value matrix(heed__onnx_graph *g, const heed__onnx_step *step, int input, bool transposed)
{
    heed__onnx_value x = heed__onnx_in(g, step, input);
    return transposed ? heed__onnx_swap(g, x, heed__onnx_shape_in(step, input).rank) : x;
}

heed__onnx_value heed__onnx_form_bmm(heed__onnx_graph *g, heed__onnx_step *step)
{
    const bool swap_a = heed__onnx_param(g, step, "transpose_a"), swap_b = heed__onnx_param(g, step, "transpose_b");
    return heed__onnx_2(g, "MatMul", matrix(g, step, 0, swap_a), matrix(g, step, 1, swap_b));
}

/* x w^T + b. Gemm accepts only matrices. */
heed__onnx_value heed__onnx_form_linear(heed__onnx_graph *g, heed__onnx_step *step)
{
    const bool has_b = step->n_inputs > 2;
    heed__onnx_value x = heed__onnx_in(g, step, 0), w = heed__onnx_in(g, step, 1);
    heed__onnx_value b = has_b ? heed__onnx_in(g, step, 2) : NONE;
    if (heed__onnx_shape_in(step, 0).rank == 2)
        return heed__onnx_node(g, "Gemm", INPUTS(x, w, b), ATTRIBUTES(INT("transB", 1)));
    heed__onnx_value y = heed__onnx_2(g, "MatMul", x, heed__onnx_swap(g, w, 2));
    return has_b ? heed__onnx_2(g, "Add", y, b) : y;
}

heed__onnx_value heed__onnx_form_linear_activated(heed__onnx_graph *g, heed__onnx_step *step)
{
    static const char *const types[] = {"Relu", "Tanh", "Sigmoid"}; /* the order in linear_activated.c */
    const int64_t activation = heed__onnx_param(g, step, "activation");
    if (activation < 0 || activation > 2)
        return heed__onnx_no_form(g, step, "its activation is unknown");
    return heed__onnx_1(g, types[activation], heed__onnx_form_linear(g, step));
}
