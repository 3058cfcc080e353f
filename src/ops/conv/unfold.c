/* ops/conv/unfold.c    y = the windows of x, one per column.    dx = fold(g) */

#include <string.h>

#include "ops/conv/conv.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *x = call->inputs[0];
    int64_t height = x->shape.dims[1], width = c->y[0];
    if (__builtin_mul_overflow(height, c->w[0], &height) || __builtin_mul_overflow(height, c->w[1], &height) ||
        __builtin_mul_overflow(width, c->y[1], &width))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x %s gives too many elements",
                               heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = HEED_SHAPE(x->shape.dims[0], height, width);
    return heed__check_shape(call->op->name, &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(out[0]->dtype));
    heed__unfold_run(call->params, call->inputs[0], out[0], false);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__fold_apply(g[0], call->params);
}

const heed_op heed_op_unfold = {
    .name = "unfold",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__conv),
    .fields = HEED__CONV_FIELDS,
    .saved = HEED_SAVE_NOTHING,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed__unfold_apply(heed_tensor *x, const heed__conv *conv)
{
    return heed__apply1(&heed_op_unfold, x, conv);
}

heed_tensor *heed_unfold(heed_tensor *x, heed_shape kernel, const heed_unfold_options *options)
{
    heed__conv conv;
    if (!heed__check_tensor("unfold", x) || !heed__check_float("unfold", x))
        return NULL;
    if (x->shape.rank != 4)
        return heed_fail_null(HEED_ERR_SHAPE, "unfold", "x is %s: must be (B, C, H, W)", heed_shape_text(x->shape).s);
    return heed__unfold_of("unfold", &x->shape.dims[2], &kernel, options, &conv) ? heed__unfold_apply(x, &conv) : NULL;
}
