/* ops/softmax/sequence_mask.c    y = x (n, T, ...), but `value` at t >= valid_lens[i] of row i.    dx = g, 0 where masked
 *
 * What is masked is not read, so that NaN there harms nothing, in x and in g.
 */

#include <string.h>

#include "core/parallel.h"
#include "ops/support.h"

typedef struct mask_params {
    double value;
} mask_params;

typedef struct mask_run {
    heed_dtype dtype;
    double value;
    const int64_t *lens;
    int64_t row, step; /* elements of a row, and of one t of it */
    const char *x;
    char *y;
} mask_run;

static void fill(heed_dtype dtype, void *y, int64_t begin, int64_t end, double value)
{
    float *f32 = y;
    double *f64 = y;
    for (int64_t i = begin; dtype == HEED_F32 && i < end; i++)
        f32[i] = (float)value;
    for (int64_t i = begin; dtype == HEED_F64 && i < end; i++)
        f64[i] = value;
}

static void mask_rows(int64_t begin, int64_t end, void *context)
{
    const mask_run *run = context;
    int64_t size = (int64_t)heed_dtype_size(run->dtype);
    for (int64_t i = begin; i < end; i++) {
        int64_t valid = run->lens[i] * run->step, at = i * run->row * size;
        memcpy(run->y + at, run->x + at, (size_t)(valid * size));
        fill(run->dtype, run->y + at, valid, run->row, run->value);
    }
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0], *lens = call->inputs[1];
    if (x->shape.rank < 2 || lens->shape.rank != 1 || lens->shape.dims[0] != x->shape.dims[0])
        return heed_fail_false(HEED_ERR_SHAPE, "sequence_mask", "takes x (n, T, ...) and valid_lens (n), not %s and %s",
                               heed_shape_text(x->shape).s, heed_shape_text(lens->shape).s);
    return heed_infer_same(call, out);
}

/* Elements of a range of the parallel loop, at least. */
enum { RANGE = 32768 };

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const mask_params *params = call->params;
    const heed_tensor *x = call->inputs[0], *lens = call->inputs[1];
    if (!heed__check_lengths("sequence_mask", lens, x->shape.dims[1]))
        return false;
    if (x->numel == 0)
        return true;
    mask_run run = {.dtype = x->dtype,
                    .value = params->value,
                    .lens = (const void *)lens->data,
                    .row = x->numel / lens->numel,
                    .step = x->numel / lens->numel / x->shape.dims[1],
                    .x = x->data,
                    .y = out[0]->data};
    heed__parallel_for(lens->numel, run.row < RANGE ? RANGE / run.row : 1, run.row, mask_rows, &run);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_sequence_mask(g[0], call->inputs[1], 0);
}

const heed_op heed_op_sequence_mask = {
    .name = "sequence_mask",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(mask_params),
    .keeps = HEED_KEEP_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value)
{
    return heed__apply2(&heed_op_sequence_mask, x, valid_lens, &(mask_params){value});
}
