/* onnx/src/index.c - ONNX forms of the ops in src/ops/index.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

heed__onnx_value heed__onnx_form_gather(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis");
    return heed__onnx_node(g, "GatherElements", INPUTS(heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1)),
                           ATTRIBUTES(INT("axis", axis)));
}

heed__onnx_value heed__onnx_form_index_select(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis");
    return heed__onnx_node(g, "Gather", INPUTS(heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1)),
                           ATTRIBUTES(INT("axis", axis)));
}

heed__onnx_value heed__onnx_form_scatter_sum(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis");
    heed__onnx_value x = heed__onnx_in(g, step, 0), index = heed__onnx_in(g, step, 1);
    heed__onnx_value zeros =
        heed__onnx_expand(g, heed__onnx_number(g, heed__onnx_dtype_in(step), 0), heed_shape_of(step->outputs[0]));
    return heed__onnx_node(g, "ScatterElements", INPUTS(zeros, index, x),
                           ATTRIBUTES(INT("axis", axis), STRING("reduction", "add")));
}

heed__onnx_value heed__onnx_form_one_hot(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed__onnx_value classes = heed__onnx_int64(g, heed__onnx_param(g, step, "classes"));
    heed__onnx_value values = heed__onnx_cast(g, heed__onnx_int64s(g, INT64S(0, 1)), heed_dtype_of(step->outputs[0]));
    return heed__onnx_node(g, "OneHot", INPUTS(heed__onnx_in(g, step, 0), classes, values),
                           ATTRIBUTES(INT("axis", -1)));
}

heed__onnx_value heed__onnx_form_sort(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t axis = heed__onnx_param(g, step, "axis"), largest = heed__onnx_param(g, step, "descending");
    heed__onnx_value count = heed__onnx_int64s(g, INT64S(heed__onnx_param(g, step, "count")));
    (void)heed__onnx_nodes(g, "TopK", INPUTS(heed__onnx_in(g, step, 0), count),
                           ATTRIBUTES(INT("axis", axis), INT("largest", largest), INT("sorted", 1)), step->values, 2);
    return step->values[0];
}
