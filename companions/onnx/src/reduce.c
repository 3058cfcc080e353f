/* onnx/src/reduce.c - ONNX forms of the ops in src/ops/reduce, and of any and all.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

/* Writes the axes in the mask of a reduction. Returns their number. */
static int axes_in(heed__onnx_graph *g, const heed__onnx_step *step, int64_t axes[HEED_MAX_RANK])
{
    const int64_t mask = heed__onnx_param(g, step, "mask");
    int n = 0;
    for (int axis = 0; axis < HEED_MAX_RANK; axis++)
        if (mask >> axis & 1)
            axes[n++] = axis;
    return n;
}

/* Writes a reduction over the axes in the mask. If the mask is empty, writes Identity, because in ONNX an empty list
 * means all axes. */
static heed__onnx_value reduce(heed__onnx_graph *g, const heed__onnx_step *step, const char *type, heed__onnx_value x)
{
    int64_t axes[HEED_MAX_RANK];
    const int n = axes_in(g, step, axes);
    const int64_t keepdims = heed__onnx_param(g, step, "keepdim");
    if (n == 0)
        return heed__onnx_1(g, "Identity", x);
    return heed__onnx_node(g, type, INPUTS(x), ATTRIBUTES(INTS("axes", axes, n), INT("keepdims", keepdims)));
}

/* Reduces bools as i64, because ReduceMax and ReduceMin do not accept bool. */
static heed__onnx_value reduce_mask(heed__onnx_graph *g, const heed__onnx_step *step, const char *type)
{
    heed__onnx_value x = heed__onnx_cast(g, heed__onnx_in(g, step, 0), HEED_I64);
    return heed__onnx_cast(g, reduce(g, step, type, x), HEED_BOOL);
}

heed__onnx_value heed__onnx_form_any(heed__onnx_graph *g, heed__onnx_step *step)
{
    return reduce_mask(g, step, "ReduceMax");
}

heed__onnx_value heed__onnx_form_all(heed__onnx_graph *g, heed__onnx_step *step)
{
    return reduce_mask(g, step, "ReduceMin");
}

heed__onnx_value heed__onnx_form_max(heed__onnx_graph *g, heed__onnx_step *step)
{
    return reduce(g, step, "ReduceMax", heed__onnx_in(g, step, 0));
}

heed__onnx_value heed__onnx_form_min(heed__onnx_graph *g, heed__onnx_step *step)
{
    return reduce(g, step, "ReduceMin", heed__onnx_in(g, step, 0));
}

/* ReduceSum is the only reduction of opset 17 that takes its axes as an input. */
heed__onnx_value heed__onnx_form_sum(heed__onnx_graph *g, heed__onnx_step *step)
{
    int64_t axes[HEED_MAX_RANK];
    const int n = axes_in(g, step, axes);
    const int64_t keepdims = heed__onnx_param(g, step, "keepdim");
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    return heed__onnx_node(g, "ReduceSum", INPUTS(x, heed__onnx_int64s(g, axes, n)),
                           ATTRIBUTES(INT("keepdims", keepdims), INT("noop_with_empty_axes", 1)));
}

static heed__onnx_value write_arg_reduction(heed__onnx_graph *g, const heed__onnx_step *step, const char *type)
{
    const int64_t axis = heed__onnx_param(g, step, "axis"), keepdims = heed__onnx_param(g, step, "keepdim");
    return heed__onnx_node(g, type, INPUTS(heed__onnx_in(g, step, 0)),
                           ATTRIBUTES(INT("axis", axis), INT("keepdims", keepdims)));
}

heed__onnx_value heed__onnx_form_argmax(heed__onnx_graph *g, heed__onnx_step *step)
{
    return write_arg_reduction(g, step, "ArgMax");
}

heed__onnx_value heed__onnx_form_argmin(heed__onnx_graph *g, heed__onnx_step *step)
{
    return write_arg_reduction(g, step, "ArgMin");
}

heed__onnx_value heed__onnx_form_cumsum(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_2(g, "CumSum", heed__onnx_in(g, step, 0), heed__onnx_int64(g, heed__onnx_param(g, step, "axis")));
}
