/* ops/loss/cross_entropy.c    y[...] = logsumexp(x) - sum t x along the last axis of the input x, or 0 if the target is
 * ignored, with t = (1 - s) onehot(target) + s / C for C classes and label smoothing s.
 *
 * dx = g (softmax(x) - t), or 0 if the target is ignored */

#include "ops/loss/loss.h"
#include "ops/softmax/rows.h"

typedef struct loss_job {
    heed_dtype dtype;
    heed__cross_entropy_args args;
    int64_t size; /* bytes per element */
    const char *x, *g;
    const int64_t *targets;
    char *y; /* the losses, or the gradient of x if g is given */
} loss_job;

static void run_rows(int64_t begin, int64_t end, void *context)
{
    const loss_job *job = context;
    int64_t row_bytes = job->args.n * job->size;
    const char *x = job->x + begin * row_bytes;
    const int64_t *targets = job->targets + begin;
    if (job->g)
        HEED__RUN(cross_entropy_grad, job->dtype, &job->args, end - begin, x, targets, job->g + begin * job->size,
                  job->y + begin * row_bytes);
    else
        HEED__RUN(cross_entropy, job->dtype, &job->args, end - begin, x, targets, job->y + begin * job->size);
}

/* All tensors must be contiguous; g may be NULL. */
static void run_all(const heed__class_params *params, const heed_tensor *x, const heed_tensor *targets,
                    const heed_tensor *g, const heed_tensor *y)
{
    loss_job job = {
        .dtype = x->dtype,
        .args = {.n = x->shape.dims[x->shape.rank - 1], .ignored = params->ignored, .smoothing = params->smoothing},
        .size = (int64_t)heed_dtype_size(x->dtype),
        .x = x->data,
        .g = g ? g->data : NULL,
        .targets = (const void *)targets->data,
        .y = y->data};
    heed__for_rows(targets->numel, job.args.n, run_rows, &job);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    if (!heed__check_targets(call))
        return false;
    run_all(call->params, call->inputs[0], call->inputs[1], NULL, out[0]);
    return true;
}

/* Replaces ignored rows of x by zeros before softmax, because NaN in these rows would reappear in softmax's
 * gradient. */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__class_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    double share = params->smoothing / (double)x->shape.dims[x->shape.rank - 1];
    heed_tensor *hit = heed_full(x->dtype, HEED_SCALAR, 1 - params->smoothing + share);
    heed_tensor *missed = heed_full(x->dtype, HEED_SCALAR, share);
    heed_tensor *t = heed_where(heed__target_classes(call), hit, missed);
    heed_tensor *difference = heed_sub(heed_softmax(heed__where_counted(call, x), -1), t);
    dx[0] = heed__where_counted(call, heed_mul(heed_unsqueeze(g[0], -1), difference));
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = heed_contiguous(call->inputs[0]), *targets = heed_contiguous(call->inputs[1]);
    heed_tensor *dense = heed_contiguous(g[0]);
    if (!x || !targets || !dense)
        return;
    dx[0] = heed__tensor_new("cross_entropy", x->dtype, &x->shape);
    if (dx[0])
        run_all(call->params, x, targets, dense, dx[0]);
}

const heed_op heed_op_cross_entropy = {
    .name = "cross_entropy",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed__class_params),
    .fields = HEED_FIELDS(HEED_FIELD(heed__class_params, has_ignored), HEED_FIELD(heed__class_params, ignored),
                          HEED_FIELD(heed__class_params, smoothing)),
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = heed__infer_class_loss,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options)
{
    if (options && !(options->label_smoothing >= 0 && options->label_smoothing <= 1))
        return heed_fail_null(HEED_ERR_ARGUMENT, "cross_entropy", "label_smoothing is %g: must be in [0, 1]",
                              options->label_smoothing);
    return heed__class_loss(&heed_op_cross_entropy, input, targets, options);
}
