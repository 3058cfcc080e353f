/* ops/conv/conv_transpose2d.c - y = bias + the gradient of conv2d with respect to its input, for g = x.
 *
 *     dx = conv(g, w)    dw = conv_weight(g, x) */

#include "ops/conv/conv.h"

enum { X, W, BIAS };

static bool infer(const heed_call *call, heed_meta *out)
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

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_transpose_run("conv_transpose2d", call->params, call->inputs[X], call->inputs[W],
                                    call->n_inputs > BIAS ? call->inputs[BIAS] : NULL, out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = heed__conv_apply(g[0], call->inputs[W], NULL, call->params);
    if (heed_call_needs(call, W))
        dx[W] = heed__conv_weight_apply(g[0], call->inputs[X], call->params);
    if (call->n_inputs > BIAS && heed_call_needs(call, BIAS))
        dx[BIAS] = heed_sum_axes(g[0], HEED_AXES(0, 2, 3), false);
}

const heed_op heed_op_conv_transpose2d = {
    .name = "conv_transpose2d",
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

heed_tensor *heed__conv_transpose_apply(heed_tensor *g, heed_tensor *w, heed_tensor *bias, const heed__conv *conv)
{
    return heed_apply(&heed_op_conv_transpose2d, (heed_tensor *[]){g, w, bias}, bias ? 3 : 2, conv);
}

heed_tensor *heed_conv_transpose2d(heed_tensor *x, heed_tensor *w, heed_tensor *bias,
                                   const heed_conv_transpose_options *options)
{
    heed__conv conv;
    return heed__conv_transpose_of("conv_transpose2d", 2, x, w, options, &conv)
               ? heed__conv_transpose_apply(x, w, bias, &conv)
               : NULL;
}
