/* onnx/src/shape.c - ONNX forms of the ops in src/ops/shape.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

heed__onnx_value heed__onnx_form_reshape(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_reshape(g, heed__onnx_in(g, step, 0), heed_shape_of(step->outputs[0]));
}

/* A size of 1 means "as in x". */
heed__onnx_value heed__onnx_form_expand(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape from = heed__onnx_shape_in(step, 0);
    heed_shape to = heed_shape_of(step->outputs[0]);
    for (int i = 1; i <= from.rank; i++)
        if (to.dims[to.rank - i] == from.dims[from.rank - i])
            to.dims[to.rank - i] = 1;
    return heed__onnx_expand(g, heed__onnx_in(g, step, 0), to);
}

heed__onnx_value heed__onnx_form_permute(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape axes = heed__onnx_shape_param(g, step, "axes");
    return heed__onnx_permute(g, heed__onnx_in(g, step, 0), axes.dims, axes.rank);
}

/* With a negative step the end may lie before the first element, where -1 would mean the last. */
heed__onnx_value heed__onnx_form_slice(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis"), start = heed__onnx_param(g, step, "start");
    const int64_t by = heed__onnx_param(g, step, "step"), end = start + heed__onnx_param(g, step, "size") * by;
    return heed__onnx_slice(g, heed__onnx_in(g, step, 0), axis, start, end < 0 ? INT64_MIN : end, by);
}

heed__onnx_value heed__onnx_form_flip(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t mask = heed__onnx_param(g, step, "mask");
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    for (int axis = 0; axis < HEED_MAX_RANK; axis++)
        if (mask >> axis & 1)
            x = heed__onnx_slice(g, x, axis, -1, INT64_MIN, -1);
    return x;
}

heed__onnx_value heed__onnx_form_concat(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis");
    heed__onnx_value *inputs = heed__arena_alloc(&g->arena, (size_t)step->n_inputs, sizeof *inputs);
    for (int i = 0; inputs && i < step->n_inputs; i++)
        inputs[i] = heed__onnx_in(g, step, i);
    return inputs ? heed__onnx_node(g, "Concat", inputs, step->n_inputs, ATTRIBUTES(INT("axis", axis))) : NULL;
}

heed__onnx_value heed__onnx_form_pad(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int rank = heed__onnx_shape_in(step, 0).rank;
    int64_t pads[2 * HEED_MAX_RANK];
    for (int axis = 0; axis < rank; axis++) {
        pads[axis] = heed__onnx_param_at(g, step, "before", axis);
        pads[rank + axis] = heed__onnx_param_at(g, step, "after", axis);
    }
    heed__onnx_value value = heed__onnx_number(g, heed__onnx_dtype_in(step), heed__onnx_real_param(g, step, "value"));
    return heed__onnx_3(g, "Pad", heed__onnx_in(g, step, 0), heed__onnx_int64s(g, pads, 2 * rank), value);
}

static heed__onnx_value triangle(heed__onnx_graph *g, const heed__onnx_step *step, bool upper)
{
    heed__onnx_value diagonal = heed__onnx_int64(g, heed__onnx_param(g, step, "diagonal"));
    return heed__onnx_node(g, "Trilu", INPUTS(heed__onnx_in(g, step, 0), diagonal), ATTRIBUTES(INT("upper", upper)));
}

heed__onnx_value heed__onnx_form_tril(heed__onnx_graph *g, heed__onnx_step *step)
{
    return triangle(g, step, false);
}

heed__onnx_value heed__onnx_form_triu(heed__onnx_graph *g, heed__onnx_step *step)
{
    return triangle(g, step, true);
}
