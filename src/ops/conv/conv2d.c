/* ops/conv/conv2d.c - y = bias + the sum of w times the window of x.    dx = conv_transpose(g, w), dw = conv_weight(x,
 * g) */

#include "ops/conv/conv.h"

enum { X, W, BIAS };

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W];
    if (!heed__check_conv(call, x, w, NULL))
        return false;
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(x->shape.dims[0], w->shape.dims[0], c->y[0], c->y[1]);
    return heed__check_bias(call, w->shape.dims[0]) && heed__check_shape(call->op->name, &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_run("conv2d", call->params, call->inputs[X], call->inputs[W],
                          call->n_inputs > BIAS ? call->inputs[BIAS] : NULL, out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = heed__conv_transpose_apply(g[0], call->inputs[W], NULL, call->params);
    if (heed_call_needs(call, W))
        dx[W] = heed__conv_weight_apply(call->inputs[X], g[0], call->params);
    if (call->n_inputs > BIAS && heed_call_needs(call, BIAS))
        dx[BIAS] = heed_sum_axes(g[0], HEED_AXES(0, 2, 3), false);
}

const heed_op heed_op_conv2d = {
    .name = "conv2d",
    .n_inputs = BIAS,
    .max_inputs = BIAS + 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_INPUT(X) | HEED_SAVE_INPUT(W),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .multiply_adds = heed__conv_multiply_adds,
};

heed_tensor *heed__conv_apply(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed__conv *conv)
{
    return heed_apply(&heed_op_conv2d, (heed_tensor *[]){x, w, bias}, bias ? 3 : 2, conv);
}

heed_tensor *heed_conv2d(heed_tensor *x, heed_tensor *w, heed_tensor *bias, const heed_conv_options *options)
{
    heed__conv conv;
    return heed__conv_of("conv2d", 2, x, w, options, &conv) ? heed__conv_apply(x, w, bias, &conv) : NULL;
}
