/* ops/softmax/sequence_mask.c    y = x (n, T, ...), but y[i, t] = `value` for t >= valid_lens[i].    dx = g, but 0 for
 * these elements
 *
 * With lengths (n, Q), the longest of the Q lengths of row i applies, because no query sees an element after it.
 *
 * Masked elements of x and g are not read, so NaN in them is harmless.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "core/parallel.h"
#include "ops/attention/visibility.h"

static const char where[] = "sequence_mask";

typedef struct mask_params {
    double value;
    bool checked; /* the caller has checked the lengths */
    bool causal;  /* the lengths are those of causal attention with `queries` queries; lengths may then be NULL */
    int64_t queries;
} mask_params;

typedef struct mask_job {
    heed_dtype dtype;
    double value;
    heed__visibility visibility;
    int64_t columns;   /* lengths per row */
    int64_t row, step; /* elements per row i, and per step t of a row */
    const char *x;
    char *y;
} mask_job;

static void fill(heed_dtype dtype, void *y, int64_t begin, int64_t end, double value)
{
    float *f32 = y;
    double *f64 = y;
    for (int64_t i = begin; dtype == HEED_F32 && i < end; i++)
        f32[i] = (float)value;
    for (int64_t i = begin; dtype == HEED_F64 && i < end; i++)
        f64[i] = value;
}

static int64_t longest(const mask_job *job, int64_t i)
{
    heed__visibility own = job->visibility;
    heed__visibility_move(&job->visibility, i, &own);
    int64_t most = 0;
    for (int64_t j = 0; j < job->columns; j++)
        if (heed__visible_range(&own, j).end > most)
            most = heed__visible_range(&own, j).end;
    return most;
}

static void mask_rows(int64_t begin, int64_t end, void *context)
{
    const mask_job *job = context;
    int64_t size = (int64_t)heed_dtype_size(job->dtype);
    for (int64_t i = begin; i < end; i++) {
        int64_t valid = longest(job, i) * job->step, at = i * job->row * size;
        memcpy(job->y + at, job->x + at, (size_t)(valid * size));
        fill(job->dtype, job->y + at, valid, job->row, job->value);
    }
}

static heed_tensor *lengths_of(const heed_call *call)
{
    return call->n_inputs > 1 ? call->inputs[1] : NULL;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const mask_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (x->shape.rank < 2)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be (n, T, ...)", heed_shape_text(x->shape).s);
    if (!params->checked && call->n_inputs < 2)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "valid_lens is NULL");
    if (!params->checked &&
        !heed__check_lengths(where, call->inputs[1], x->shape.dims[0], HEED_ANY_ROWS, x->shape.dims[1]))
        return false;
    return heed_infer_same(call, out);
}

/* Minimum elements of a range of the parallel loop. */
enum { RANGE = 32768 };

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const mask_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *lengths = lengths_of(call);
    const int64_t n = x->shape.dims[0];
    if (x->numel == 0)
        return true;
    mask_job job = {.dtype = x->dtype,
                    .value = params->value,
                    .visibility = heed__visibility_of_lengths(lengths, n, x->shape.dims[1], params->causal),
                    .columns = params->causal             ? params->queries
                               : lengths->shape.rank == 2 ? lengths->shape.dims[1]
                                                          : 1,
                    .row = x->numel / n,
                    .step = x->numel / n / x->shape.dims[1],
                    .x = x->data,
                    .y = out[0]->data};
    heed__parallel_for(n, job.row < RANGE ? RANGE / job.row : 1, job.row, mask_rows, &job);
    return true;
}

static heed_tensor *apply(heed_tensor *x, heed_tensor *lengths, const mask_params *params)
{
    return heed_apply(&heed_op_sequence_mask, (heed_tensor *[]){x, lengths}, lengths || !params->checked ? 2 : 1,
                      params);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    mask_params params = *(const mask_params *)call->params;
    params.value = 0;
    params.checked = true;
    dx[0] = apply(g[0], lengths_of(call), &params);
}

const heed_op heed_op_sequence_mask = {
    .name = "sequence_mask",
    .n_inputs = 1,
    .max_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(mask_params),
    .fields =
        HEED_FIELDS(HEED_FIELD(mask_params, value), HEED_FIELD(mask_params, causal), HEED_FIELD(mask_params, queries)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed__sequence_mask(heed_tensor *x, heed_tensor *lengths, double value)
{
    return apply(x, lengths, &(mask_params){.value = value, .checked = true});
}

heed_tensor *heed__mask_hidden(heed_tensor *x, heed_tensor *lengths, bool causal, int64_t rows)
{
    return apply(x, lengths, &(mask_params){.checked = true, .causal = causal, .queries = rows});
}

heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value)
{
    return apply(x, valid_lens, &(mask_params){.value = value});
}
