/* onnx/src/conv.c - ONNX forms of the ops in src/ops/conv and src/ops/pool. Padding is explicit at both ends: the
 * pad after the end is as large as the last window needs, so that no rounding mode affects the output size.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

/* -- Windows ------------------------------------------------------------------------------------------------------- */

/* The parameters of conv, conv_transpose and pool, for two axes. */
typedef struct windows {
    int64_t size[2], out[2], kernel[2], stride[2], dilation[2]; /* `out` windows on planes of `size` */
    int64_t pads[4]; /* before both axes, then after both; a pad after is negative if windows do not reach the end */
} windows;

static windows windows_of(heed__onnx_graph *g, const heed__onnx_step *step, const char *const names[4])
{
    windows w;
    for (int i = 0; i < 2; i++) {
        w.size[i] = heed__onnx_param_at(g, step, names[0], i);
        w.out[i] = heed__onnx_param_at(g, step, names[1], i);
        w.kernel[i] = heed__onnx_param_at(g, step, names[2], i);
        w.stride[i] = heed__onnx_param_at(g, step, "stride", i);
        w.dilation[i] = heed__onnx_param_at(g, step, "dilation", i);
        w.pads[i] = heed__onnx_param_at(g, step, names[3], i);
        w.pads[2 + i] = (w.out[i] - 1) * w.stride[i] + (w.kernel[i] - 1) * w.dilation[i] + 1 - w.size[i] - w.pads[i];
    }
    return w;
}

static int64_t at_least_0(int64_t n)
{
    return n > 0 ? n : 0;
}

/* -- Convolutions -------------------------------------------------------------------------------------------------- */

static const char *const conv_names[4] = {"x", "y", "w", "before"};

static heed__onnx_value bias_of(heed__onnx_graph *g, const heed__onnx_step *step)
{
    return step->n_inputs > 2 ? heed__onnx_in(g, step, 2) : NONE;
}

heed__onnx_value heed__onnx_form_conv(heed__onnx_graph *g, heed__onnx_step *step)
{
    const windows w = windows_of(g, step, conv_names);
    const int64_t pads[4] = {w.pads[0], w.pads[1], at_least_0(w.pads[2]), at_least_0(w.pads[3])};
    return heed__onnx_node(g, "Conv", INPUTS(heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1), bias_of(g, step)),
                           ATTRIBUTES(INTS("kernel_shape", w.kernel, 2), INTS("strides", w.stride, 2),
                                      INTS("dilations", w.dilation, 2), INTS("pads", pads, 4),
                                      INT("group", heed__onnx_param(g, step, "groups"))));
}

/* Maps planes of y to planes of x. Elements of x that no window reaches are output padding. */
heed__onnx_value heed__onnx_form_conv_transpose(heed__onnx_graph *g, heed__onnx_step *step)
{
    const windows w = windows_of(g, step, conv_names);
    const int64_t pads[4] = {w.pads[0], w.pads[1], at_least_0(w.pads[2]), at_least_0(w.pads[3])};
    const int64_t more[2] = {at_least_0(-w.pads[2]), at_least_0(-w.pads[3])};
    return heed__onnx_node(
        g, "ConvTranspose", INPUTS(heed__onnx_in(g, step, 0), heed__onnx_in(g, step, 1), bias_of(g, step)),
        ATTRIBUTES(INTS("kernel_shape", w.kernel, 2), INTS("strides", w.stride, 2), INTS("dilations", w.dilation, 2),
                   INTS("pads", pads, 4), INTS("output_padding", more, 2),
                   INT("group", heed__onnx_param(g, step, "groups"))));
}

/* -- Pooling ------------------------------------------------------------------------------------------------------- */

/* Adaptive windows of equal size are windows with a stride. Returns false if their sizes differ. */
static bool adaptive_windows(heed__onnx_graph *g, const heed__onnx_step *step, windows *w)
{
    *w = (windows){.dilation = {1, 1}};
    for (int i = 0; i < 2; i++) {
        w->size[i] = heed__onnx_param_at(g, step, "size", i);
        w->out[i] = heed__onnx_param_at(g, step, "out", i);
        if (w->out[i] < 1 || w->size[i] % w->out[i] != 0)
            return false;
        w->kernel[i] = w->stride[i] = w->size[i] / w->out[i];
    }
    return true;
}

static bool pool_windows(heed__onnx_graph *g, const heed__onnx_step *step, windows *w)
{
    static const char *const names[4] = {"size", "out", "kernel", "padding"};
    if (heed__onnx_param(g, step, "adaptive"))
        return adaptive_windows(g, step, w) || heed__onnx_no_form(g, step, "its adaptive windows differ in size");
    *w = windows_of(g, step, names);
    return true;
}

/* Reshapes the planes to (planes, 1, rows, columns); from_planes restores the shape. */
static heed__onnx_value as_planes(heed__onnx_graph *g, const heed__onnx_step *step, const windows *w)
{
    return heed__onnx_reshape(g, heed__onnx_in(g, step, 0), HEED_SHAPE(-1, 1, w->size[0], w->size[1]));
}

static heed__onnx_value from_planes(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value y)
{
    return heed__onnx_reshape(g, y, heed_shape_of(step->outputs[0]));
}

heed__onnx_value heed__onnx_form_max_pool(heed__onnx_graph *g, heed__onnx_step *step)
{
    windows w;
    if (!pool_windows(g, step, &w))
        return NULL;
    const int64_t pads[4] = {w.pads[0], w.pads[1], at_least_0(w.pads[2]), at_least_0(w.pads[3])};
    return from_planes(g, step,
                       heed__onnx_node(g, "MaxPool", INPUTS(as_planes(g, step, &w)),
                                       ATTRIBUTES(INTS("kernel_shape", w.kernel, 2), INTS("strides", w.stride, 2),
                                                  INTS("dilations", w.dilation, 2), INTS("pads", pads, 4))));
}

/* The sum of every window divided by its full size, with padding counted as 0. */
static heed__onnx_value sums(heed__onnx_graph *g, heed__onnx_value planes, const windows *w)
{
    const int64_t pads[4] = {w->pads[0], w->pads[1], at_least_0(w->pads[2]), at_least_0(w->pads[3])};
    return heed__onnx_node(g, "AveragePool", INPUTS(planes),
                           ATTRIBUTES(INTS("kernel_shape", w->kernel, 2), INTS("strides", w->stride, 2),
                                      INTS("pads", pads, 4), INT("count_include_pad", 1)));
}

/* The number of positions along an axis that count in window i, by the rules of heed_avg_pool_options. */
static double counted(const windows *w, int axis, int64_t i, bool exclude_pad)
{
    const int64_t before = w->pads[axis], begin = i * w->stride[axis] - before, end = begin + w->kernel[axis];
    const int64_t first = exclude_pad && begin < 0 ? 0 : begin, most = w->size[axis] + (exclude_pad ? 0 : before);
    return (double)((end < most ? end : most) - first);
}

/* (rows, columns): factors that turn sums divided by the full size into averages. */
static heed__onnx_value factors(heed__onnx_graph *g, const heed__onnx_step *step, const windows *w)
{
    const int64_t divisor = heed__onnx_param(g, step, "divisor"), whole = w->kernel[0] * w->kernel[1];
    const bool exclude_pad = heed__onnx_param(g, step, "exclude_pad");
    heed_tensor *factor = heed_empty(HEED_F64, HEED_SHAPE(w->out[0], w->out[1]));
    double *at = heed_mutable_f64(factor);
    for (int64_t i = 0; at && i < w->out[0]; i++)
        for (int64_t j = 0; j < w->out[1]; j++)
            *at++ = (double)whole /
                    (divisor > 0 ? (double)divisor : counted(w, 0, i, exclude_pad) * counted(w, 1, j, exclude_pad));
    heed_tensor *rounded = heed_to_dtype(factor, heed__onnx_dtype_in(step));
    return rounded ? heed__onnx_constant(g, NULL, rounded) : NULL;
}

heed__onnx_value heed__onnx_form_avg_pool(heed__onnx_graph *g, heed__onnx_step *step)
{
    windows w;
    if (heed__onnx_param(g, step, "adjoint"))
        return heed__onnx_no_form(g, step, "it computes a gradient");
    if (!pool_windows(g, step, &w))
        return NULL;
    heed__onnx_value y = sums(g, as_planes(g, step, &w), &w);
    const bool padded = w.pads[0] != 0 || w.pads[1] != 0 || w.pads[2] > 0 || w.pads[3] > 0;
    if (!heed__onnx_param(g, step, "adaptive") && (padded || heed__onnx_param(g, step, "divisor") > 0))
        y = heed__onnx_2(g, "Mul", y, factors(g, step, &w));
    return from_planes(g, step, y);
}
