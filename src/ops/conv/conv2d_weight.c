/* ops/conv/conv2d_weight.c - dw = the sum over positions of g times the window of x there.
 *
 *     with g' the gradient of dw:  dx = conv_transpose(g, g'), dg = conv(x, g') */

#include "ops/conv/conv.h"

enum { X, G };

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[X], *g = call->inputs[G];
    if (!heed__check_conv(call, x, NULL, g))
        return false;
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(g->shape.dims[1], x->shape.dims[1] / c->groups, c->w[0], c->w[1]);
    return heed__check_shape(call->op->name, &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__conv_weight_run("conv2d_weight", call->params, call->inputs[X], call->inputs[G], out[0]);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    if (heed_call_needs(call, X))
        dx[X] = heed__conv_transpose_apply(call->inputs[G], g[0], NULL, call->params);
    if (heed_call_needs(call, G))
        dx[G] = heed__conv_apply(call->inputs[X], g[0], NULL, call->params);
}

const heed_op heed_op_conv2d_weight = {
    .name = "conv2d_weight",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .multiply_adds = heed__conv_multiply_adds,
};

heed_tensor *heed__conv_weight_apply(heed_tensor *x, heed_tensor *g, const heed__conv *conv)
{
    return heed__apply2(&heed_op_conv2d_weight, x, g, conv);
}

heed_tensor *heed_conv2d_weight(heed_tensor *x, heed_tensor *g, heed_shape kernel, const heed_conv_options *options)
{
    heed__conv conv;
    return heed__conv_weight_of("conv2d_weight", x, g, &kernel, options, &conv) ? heed__conv_weight_apply(x, g, &conv)
                                                                                : NULL;
}
