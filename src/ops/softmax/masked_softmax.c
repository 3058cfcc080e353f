/* ops/softmax/masked_softmax.c    y = softmax over the visible elements of every row of x (B, Q, K), 0 elsewhere.
 *
 * dx = y (g - sum(g y)), 0 elsewhere. Masked elements of x and g are skipped: they are never read. heed_masked_softmax
 * expands a boolean mask to the shape of x and passes it to the op as (1, rows, K).
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/attention/visibility.h"

static const char where[] = "masked_softmax";

enum { X, LENGTHS, MOST_INPUTS };

typedef struct masked_params {
    bool causal;
    bool checked; /* the caller has checked the lengths */
} masked_params;

typedef struct masked_job {
    heed_dtype dtype;
    heed__masked_args args;
    const void *x; /* x, or the result y if g is given */
    const void *g;
    void *out;
} masked_job;

static void run_rows(int64_t begin, int64_t end, void *context)
{
    const masked_job *job = context;
    if (job->g)
        HEED__RUN(masked_softmax_grad, job->dtype, &job->args, begin, end, job->x, job->g, job->out);
    else
        HEED__RUN(masked_softmax, job->dtype, &job->args, begin, end, job->x, job->out);
}

static heed__visibility visibility_of(const heed_call *call)
{
    const masked_params *params = call->params;
    const heed_shape x = heed_call_shape(call, X);
    return heed__visibility_of_lengths(call->n_inputs > LENGTHS ? call->inputs[LENGTHS] : NULL, x.dims[0], x.dims[2],
                                       params->causal);
}

/* All tensors must be contiguous; g may be NULL. */
static void run_job(const heed_call *call, const heed_tensor *x, const heed_tensor *g, const heed_tensor *out)
{
    const int64_t rows = x->shape.dims[1];
    masked_job job = {.dtype = x->dtype,
                      .args = {.rows = rows, .visibility = visibility_of(call)},
                      .x = x->data,
                      .g = g ? g->data : NULL,
                      .out = out->data};
    if (x->numel > 0)
        heed__for_rows(x->shape.dims[0] * rows, x->shape.dims[2], run_rows, &job);
}

static bool check_scores(const heed_tensor *x)
{
    if (!heed__check_float(where, x))
        return false;
    if (x->shape.rank != 3)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be (B, Q, K)", heed_shape_text(x->shape).s);
    return true;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const masked_params *params = call->params;
    const heed_tensor *x = call->inputs[X];
    if (!check_scores(x))
        return false;
    const int64_t *dims = x->shape.dims;
    if (!params->checked && call->n_inputs > LENGTHS &&
        !heed__check_lengths(where, call->inputs[LENGTHS], dims[0], dims[1], dims[2]))
        return false;
    return heed_infer_same(call, out);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    run_job(call, call->inputs[X], NULL, out[0]);
    return true;
}

/* Sets hidden elements of both g and dx to 0, because the sum may be NaN, and 0 times NaN is NaN. If these ops are
 * differentiated again, NaN can appear only in hidden elements of the gradient of y, which masked_softmax's backward
 * then receives as g. */
heed_tensor *heed__masked_softmax_grad(heed_tensor *y, const heed__visibility *visibility, heed_tensor *g)
{
    heed_tensor *visible = heed__where_visible(g, visibility, 0);
    heed_tensor *mean = heed_sum_axes(heed_mul(visible, y), HEED_AXES(-1), true);
    return heed__where_visible(heed_mul(y, heed_sub(visible, mean)), visibility, 0);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__visibility visibility = visibility_of(call);
    dx[X] = heed__masked_softmax_grad(call->outputs[0], &visibility, g[0]);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0], *dense = heed_contiguous(g[0]);
    heed_tensor *found = dense ? heed__tensor_new(where, y->dtype, &y->shape) : NULL;
    if (found)
        run_job(call, y, dense, found);
    dx[X] = found;
}

const heed_op heed_op_masked_softmax = {
    .name = "masked_softmax",
    .n_inputs = LENGTHS,
    .max_inputs = MOST_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(masked_params),
    .fields = HEED_FIELDS(HEED_FIELD(masked_params, causal)),
    .saved = HEED_SAVE_OUTPUTS | HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

static heed_tensor *apply(heed_tensor *x, heed_tensor *lengths, masked_params params)
{
    return heed_apply(&heed_op_masked_softmax, (heed_tensor *[]){x, lengths}, lengths ? MOST_INPUTS : LENGTHS, &params);
}

heed_tensor *heed__masked_softmax(heed_tensor *x, heed_tensor *lengths, bool causal)
{
    return lengths || causal ? apply(x, lengths, (masked_params){causal, .checked = true}) : heed_softmax(x, -1);
}

static bool check_mask(const heed_tensor *x, const heed_tensor *mask)
{
    const heed_shape *of = &x->shape, *shape = &mask->shape;
    if (!heed__check_float(where, x))
        return false;
    if (of->rank == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is a scalar: must have at least one axis");
    bool fits = shape->rank <= of->rank;
    for (int i = 1; fits && i <= shape->rank; i++)
        fits = shape->dims[shape->rank - i] == 1 || shape->dims[shape->rank - i] == of->dims[of->rank - i];
    return fits || heed_fail_false(HEED_ERR_SHAPE, where, "the mask is %s: must broadcast to %s, the shape of x",
                                   heed_shape_text(*shape).s, heed_shape_text(*of).s);
}

static heed_tensor *where_true(heed_tensor *x, heed_tensor *mask)
{
    if (!check_mask(x, mask))
        return NULL;
    heed_shape rows = HEED_SHAPE(1, 1, x->shape.dims[x->shape.rank - 1]);
    for (int axis = 0; axis < x->shape.rank - 1; axis++)
        rows.dims[1] *= x->shape.dims[axis];
    heed_tensor *visible = heed_contiguous(heed_reshape(heed_expand(mask, x->shape), rows));
    heed_tensor *y = visible ? apply(heed_reshape(x, rows), visible, (masked_params){.checked = true}) : NULL;
    return heed_reshape(y, x->shape);
}

heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *valid_lens)
{
    HEED_ENTER(where);
    if (!heed__check_tensor(where, x) || (valid_lens && !heed__check_tensor(where, valid_lens)))
        return NULL;
    if (valid_lens && valid_lens->dtype == HEED_BOOL)
        return where_true(x, valid_lens);
    if (valid_lens)
        return apply(x, valid_lens, (masked_params){0});
    return check_scores(x) ? heed_softmax(x, -1) : NULL;
}
