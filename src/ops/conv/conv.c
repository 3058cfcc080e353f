/* ops/conv/conv.c - convolution, transposed convolution, and the gradient of a kernel: the three products of conv.h. In
 * 1-D convolutions the ops work on planes of one row.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/conv/conv.h"

enum { X, W, BIAS };

/* Apply the ops to two of x, w and g; the bias may be NULL. */
static heed_tensor *apply_conv(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed__conv *conv);
static heed_tensor *apply_conv_transpose(heed_tensor *g, heed_tensor *w, heed_tensor *bias, const heed__conv *conv);
static heed_tensor *apply_conv_weight(heed_tensor *x, heed_tensor *g, const heed__conv *conv);

static const heed_tensor *bias_of(const heed_call *call)
{
    return call->n_inputs > BIAS ? call->inputs[BIAS] : NULL;
}

static void bias_gradient(const heed_call *call, heed_tensor *g, heed_tensor **dx)
{
    if (call->n_inputs > BIAS && heed_call_needs(call, BIAS))
        dx[BIAS] = heed_sum_axes(g, HEED_AXES(0, 2, 3), false);
}

/* Counts for `pairs` pairs of channels, at most INT64_MAX. Every element of w is used once per position of g and
 * image. */
static int64_t multiply_adds_of(const heed_call *call, int64_t pairs)
{
    const heed__conv *c = call->params;
    const int products = call->outputs ? heed_call_needs(call, 0) + heed_call_needs(call, 1) : 1;
    const double images = (double)heed_call_shape(call, 0).dims[0], positions = (double)c->y[0] * (double)c->y[1];
    const double count = products * images * (double)pairs * positions * (double)c->w[0] * (double)c->w[1];
    return count < 0x1p62 ? (int64_t)count : INT64_MAX;
}

static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape w = heed_call_shape(call, W);
    return multiply_adds_of(call, w.dims[0] * w.dims[1]);
}

/* -- conv ---------------------------------------------------------------------------------------------------------- */

/* y = bias + the sum of w times the window of x.    dx = conv_transpose(g, w), dw = conv_weight(x, g) */

static bool conv_infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W];
    if (!heed__check_conv(call, x, w, NULL))
        return false;
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(x->shape.dims[0], w->shape.dims[0], c->y[0], c->y[1]);
    return heed__check_bias(call, w->shape.dims[0]) && heed__check_shape(call->op->name, &out->shape);
}

static bool conv_forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_run("conv", call->params, call->inputs[X], call->inputs[W], bias_of(call), out[0]);
}

static void conv_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = apply_conv_transpose(g[0], call->inputs[W], NULL, call->params);
    if (heed_call_needs(call, W))
        dx[W] = apply_conv_weight(call->inputs[X], g[0], call->params);
    bias_gradient(call, g[0], dx);
}

const heed_op heed_op_conv = {
    .name = "conv",
    .n_inputs = BIAS,
    .max_inputs = BIAS + 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_INPUT(X) | HEED_SAVE_INPUT(W),
    .contiguous = true,
    .infer = conv_infer,
    .forward = conv_forward,
    .backward = conv_backward,
    .multiply_adds = multiply_adds,
};

static heed_tensor *apply_conv(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed__conv *conv)
{
    return heed_apply(&heed_op_conv, (heed_tensor *[]){x, w, bias}, bias ? 3 : 2, conv);
}

heed_tensor *heed_conv(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options)
{
    HEED_ENTER("conv");
    heed__conv conv;
    if (!heed__conv_of("conv", x, w, options, &conv))
        return NULL;
    if (w->shape.rank == 4)
        return apply_conv(x, w, bias, &conv);
    return heed_squeeze(apply_conv(heed_unsqueeze(x, 2), heed_unsqueeze(w, 2), bias, &conv), 2);
}

/* -- conv_transpose ------------------------------------------------------------------------------------------------ */

/* y = bias + the gradient of conv with respect to its input, for g = x.    dx = conv(g, w), dw = conv_weight(g, x) */

static bool conv_transpose_infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W];
    if (!heed__check_conv(call, NULL, w, x))
        return false;
    const int64_t channels = w->shape.dims[1] * c->groups; /* in range: groups divides the channels of x */
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(x->shape.dims[0], channels, c->x[0], c->x[1]);
    return heed__check_bias(call, channels) && heed__check_shape(call->op->name, &out->shape);
}

static bool conv_transpose_forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_transpose_run("conv_transpose", call->params, call->inputs[X], call->inputs[W], bias_of(call),
                                    out[0]);
}

static void conv_transpose_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = apply_conv(g[0], call->inputs[W], NULL, call->params);
    if (heed_call_needs(call, W))
        dx[W] = apply_conv_weight(g[0], call->inputs[X], call->params);
    bias_gradient(call, g[0], dx);
}

const heed_op heed_op_conv_transpose = {
    .name = "conv_transpose",
    .n_inputs = BIAS,
    .max_inputs = BIAS + 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_INPUT(X) | HEED_SAVE_INPUT(W),
    .contiguous = true,
    .infer = conv_transpose_infer,
    .forward = conv_transpose_forward,
    .backward = conv_transpose_backward,
    .multiply_adds = multiply_adds,
};

static heed_tensor *apply_conv_transpose(heed_tensor *g, heed_tensor *w, heed_tensor *bias, const heed__conv *conv)
{
    return heed_apply(&heed_op_conv_transpose, (heed_tensor *[]){g, w, bias}, bias ? 3 : 2, conv);
}

heed_tensor *heed_conv_transpose(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                 const heed_conv_transpose_options *options)
{
    HEED_ENTER("conv_transpose");
    heed__conv conv;
    if (!heed__conv_transpose_of("conv_transpose", x, w, options, &conv))
        return NULL;
    if (w->shape.rank == 4)
        return apply_conv_transpose(x, w, bias, &conv);
    return heed_squeeze(apply_conv_transpose(heed_unsqueeze(x, 2), heed_unsqueeze(w, 2), bias, &conv), 2);
}

/* -- conv_weight --------------------------------------------------------------------------------------------------- */

/* dw = the sum over positions of g times the window of x there. This op has no public function.
 *
 *     with g' the gradient of dw:  dx = conv_transpose(g, g'), dg = conv(x, g') */

enum { G = 1 };

static bool conv_weight_infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[X], *g = call->inputs[G];
    if (!heed__check_conv(call, x, NULL, g))
        return false;
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(g->shape.dims[1], x->shape.dims[1] / c->groups, c->w[0], c->w[1]);
    return heed__check_shape(call->op->name, &out->shape);
}

static bool conv_weight_forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_weight_run("conv_weight", call->params, call->inputs[X], call->inputs[G], out[0]);
}

static void conv_weight_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = apply_conv_transpose(call->inputs[G], g[0], NULL, call->params);
    if (heed_call_needs(call, G))
        dx[G] = apply_conv(call->inputs[X], g[0], NULL, call->params);
}

static int64_t conv_weight_multiply_adds(const heed_call *call)
{
    const heed__conv *c = call->params;
    return multiply_adds_of(call, heed_call_shape(call, G).dims[1] * (heed_call_shape(call, X).dims[1] / c->groups));
}

static const heed_op conv_weight_op = {
    .name = "conv_weight",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = conv_weight_infer,
    .forward = conv_weight_forward,
    .backward = conv_weight_backward,
    .multiply_adds = conv_weight_multiply_adds,
};

static heed_tensor *apply_conv_weight(heed_tensor *x, heed_tensor *g, const heed__conv *conv)
{
    return heed__apply2(&conv_weight_op, x, g, conv);
}
