/* ops/conv/fold.c - y = the planes whose windows are the columns, with overlaps added up.    dx = unfold(g)
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "ops/conv/conv.h"

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__conv *c = call->params;
    const heed_tensor *columns = call->inputs[0];
    const heed_shape *shape = &columns->shape;
    int64_t taps, width;
    if (__builtin_mul_overflow(c->w[0], c->w[1], &taps) || __builtin_mul_overflow(c->y[0], c->y[1], &width) ||
        taps == 0 || shape->dims[1] % taps != 0 || shape->dims[2] != width)
        return heed_fail_false(
            HEED_ERR_SHAPE, call->op->name,
            "the columns are %s: for planes %s and a kernel %s they must be (B, C kh kw, %" PRId64 " * %" PRId64 ")",
            heed_shape_text(*shape).s, heed__window_text(2, c->x).s, heed__window_text(2, c->w).s, c->y[0], c->y[1]);
    out->dtype = columns->dtype;
    out->shape = HEED_SHAPE(shape->dims[0], shape->dims[1] / taps, c->x[0], c->x[1]);
    return heed__check_shape(call->op->name, &out->shape);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    memset(out[0]->data, 0, (size_t)out[0]->numel * heed_dtype_size(out[0]->dtype));
    heed__unfold_run(call->params, out[0], call->inputs[0], true);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__unfold_apply(g[0], call->params);
}

const heed_op heed_op_fold = {
    .name = "fold",
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

heed_tensor *heed__fold_apply(heed_tensor *columns, const heed__conv *conv)
{
    return heed__apply1(&heed_op_fold, columns, conv);
}

heed_tensor *heed_fold(heed_tensor *columns, heed_shape size, heed_shape kernel, const heed_unfold_options *options)
{
    heed__conv conv;
    int64_t plane[2];
    if (!heed__check_tensor("fold", columns) || !heed__check_float("fold", columns))
        return NULL;
    if (columns->shape.rank != 3)
        return heed_fail_null(HEED_ERR_SHAPE, "fold", "the columns are %s: must be (B, C kh kw, M N)",
                              heed_shape_text(columns->shape).s);
    if (size.rank == 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "fold", "size is (): must have at least one number");
    if (!heed__window_numbers("fold", "size", 2, &size, 0, 0, plane) ||
        !heed__unfold_of("fold", plane, &kernel, options, &conv))
        return NULL;
    return heed__fold_apply(columns, &conv);
}
