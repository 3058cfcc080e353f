/* onnx/src/norm.c - ONNX forms of the ops in src/ops/norm, and of the softmax ops without a mask.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

/* -- Softmax over the last axis ------------------------------------------------------------------------------------ */

heed__onnx_value heed__onnx_form_softmax(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_node(g, "Softmax", INPUTS(heed__onnx_in(g, step, 0)), ATTRIBUTES(INT("axis", -1)));
}

heed__onnx_value heed__onnx_form_log_softmax(heed__onnx_graph *g, heed__onnx_step *step)
{
    return heed__onnx_node(g, "LogSoftmax", INPUTS(heed__onnx_in(g, step, 0)), ATTRIBUTES(INT("axis", -1)));
}

heed__onnx_value heed__onnx_form_logsumexp(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t last = -1;
    const bool keeps = heed_rank(step->outputs[0]) == heed__onnx_shape_in(step, 0).rank;
    return heed__onnx_node(g, "ReduceLogSumExp", INPUTS(heed__onnx_in(g, step, 0)),
                           ATTRIBUTES(INTS("axes", &last, 1), INT("keepdims", keeps)));
}

/* -- Normalising --------------------------------------------------------------------------------------------------- */

/* Input number `input`, or, if the step lacks it, a tensor of this shape filled with `number`. */
static heed__onnx_value or_number(heed__onnx_graph *g, const heed__onnx_step *step, int input, double number,
                                  heed_shape shape)
{
    if (input < step->n_inputs)
        return heed__onnx_in(g, step, input);
    heed_tensor *all = heed_full(heed__onnx_dtype_in(step), shape, number);
    return all ? heed__onnx_constant(g, NULL, all) : NULL;
}

heed__onnx_value heed__onnx_form_layer_norm(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape shape = heed__onnx_shape_param(g, step, "shape");
    const double eps = heed__onnx_real_param(g, step, "eps");
    heed__onnx_value x = heed__onnx_in(g, step, 0), weight = or_number(g, step, 1, 1, shape);
    heed__onnx_value bias = step->n_inputs > 2 ? heed__onnx_in(g, step, 2) : NONE;
    return heed__onnx_node(g, "LayerNormalization", INPUTS(x, weight, bias),
                           ATTRIBUTES(INT("axis", -shape.rank), FLOAT("epsilon", eps)));
}

heed__onnx_value heed__onnx_form_rms_norm(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int rank = heed__onnx_shape_param(g, step, "shape").rank;
    int64_t axes[HEED_MAX_RANK];
    for (int i = 0; i < rank; i++)
        axes[i] = i - rank;
    heed__onnx_value x = heed__onnx_in(g, step, 0);
    heed__onnx_value mean =
        heed__onnx_node(g, "ReduceMean", INPUTS(heed__onnx_2(g, "Mul", x, x)), ATTRIBUTES(INTS("axes", axes, rank)));
    heed__onnx_value eps = heed__onnx_number(g, heed__onnx_dtype_in(step), heed__onnx_real_param(g, step, "eps"));
    heed__onnx_value y = heed__onnx_2(g, "Div", x, heed__onnx_1(g, "Sqrt", heed__onnx_2(g, "Add", mean, eps)));
    if (step->n_inputs > 1)
        y = heed__onnx_2(g, "Mul", y, heed__onnx_in(g, step, 1));
    return step->n_inputs > 2 ? heed__onnx_2(g, "Add", y, heed__onnx_in(g, step, 2)) : y;
}

heed__onnx_value heed__onnx_form_batch_norm(heed__onnx_graph *g, heed__onnx_step *step)
{
    enum { WEIGHT = 1, BIAS, MEAN, VARIANCE, ALL };
    if (step->n_inputs < ALL)
        return heed__onnx_no_form(g, step, "it uses the statistics of the batch; call heed_module_eval first");
    const double eps = heed__onnx_real_param(g, step, "eps");
    return heed__onnx_node(g, "BatchNormalization",
                           INPUTS(heed__onnx_in(g, step, 0), heed__onnx_in(g, step, WEIGHT),
                                  heed__onnx_in(g, step, BIAS), heed__onnx_in(g, step, MEAN),
                                  heed__onnx_in(g, step, VARIANCE)),
                           ATTRIBUTES(FLOAT("epsilon", eps)));
}
