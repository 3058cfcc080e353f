/* ops/loss/classes.c - losses of classification: inputs x (..., C) and targets (...), one class per row, or for
 * cross_entropy probabilities (..., C).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "ops/loss/loss.h"

/* -- Shared by both ------------------------------------------------------------------------------------------------ */

/* Parameters of an op with inputs (..., C) and targets (...) that returns losses (...). */
typedef struct class_params {
    bool has_ignored;
    int64_t ignored; /* the ignored target; -1, which is not a class, if has_ignored is false */
    double smoothing;
} class_params;

static bool check_targets_dtype(const char *where, const heed_tensor *targets)
{
    if (!heed_dtype_is_float(targets->dtype))
        return heed__check_i64(where, "the targets", targets);
    return heed_fail_false(HEED_ERR_DTYPE, where,
                           "the targets are %s %s: must be i64, one class per row (heed_cross_entropy also takes "
                           "probabilities, of the shape of its input)",
                           heed_dtype_name(targets->dtype), heed_shape_text(targets->shape).s);
}

static bool check_ignored(const char *where, const heed_class_loss_options *o)
{
    if (o->has_ignore_index || o->ignore_index == 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where,
                           "ignore_index is %" PRId64 " and has_ignore_index is false: set both to ignore targets",
                           o->ignore_index);
}

static int64_t count_others(const heed_tensor *targets, int64_t ignored)
{
    const int64_t *values = (const void *)targets->data;
    int64_t count = 0;
    for (int64_t i = 0; i < targets->numel; i++)
        count += values[i] != ignored;
    return count;
}

/* Returns C, the number of classes, for an input of this shape. */
static int64_t class_count(const heed_shape *shape)
{
    return shape->dims[shape->rank - 1];
}

static bool check_weight(const char *where, const heed_tensor *input, const heed_tensor *weight)
{
    if (!weight)
        return true;
    if (!heed__check_tensor(where, weight) || !heed__check_pair(where, input, weight))
        return false;
    if (weight->shape.rank == 1 && weight->numel == class_count(&input->shape))
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "weight %s: must be (%" PRId64 "), one per class of input %s",
                           heed_shape_text(weight->shape).s, class_count(&input->shape),
                           heed_shape_text(input->shape).s);
}

/* bool (...): true for ignored targets. */
static heed_tensor *ignored_targets(heed_tensor *targets, int64_t ignored)
{
    return heed_compare(targets, HEED_COMPARE_EQ, heed_from_array(HEED_I64, HEED_SCALAR, &ignored, 1));
}

/* Returns the weight of every target's class (...), 0 for ignored targets. They select an additional weight of 0. */
static heed_tensor *target_weights(heed_tensor *weight, heed_tensor *targets, int64_t ignored)
{
    heed_tensor *with_zero = heed_concat(HEED_TENSORS(weight, heed_zeros(weight->dtype, HEED_SHAPE(1))), 0);
    heed_tensor *last = heed_from_array(HEED_I64, HEED_SCALAR, &weight->numel, 1);
    heed_tensor *classes = heed_where(ignored_targets(targets, ignored), last, targets);
    heed_tensor *picked = heed_index_select(with_zero, 0, heed_reshape(classes, HEED_SHAPE(targets->numel)));
    return heed_reshape(picked, targets->shape);
}

/* Returns -sum_c q_c ln softmax(x)_c along the last axis of x; q broadcasts to x. Terms with q_c = 0 and x_c = -inf are
 * 0. */
static heed_tensor *entropy_under(heed_tensor *q, heed_tensor *x)
{
    if (!q || !x)
        return NULL;
    heed_tensor *log_p = heed_log_softmax(x, -1), *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *impossible = heed_compare(log_p, HEED_COMPARE_EQ, heed_full(x->dtype, HEED_SCALAR, -(double)INFINITY));
    heed_tensor *left_out = heed_logical_and(impossible, heed_compare(q, HEED_COMPARE_EQ, zero));
    return heed_neg(heed_sum_axes(heed_mul(q, heed_where(left_out, zero, log_p)), HEED_AXES(-1), false));
}

/* Returns the part of label smoothing of a weighted cross entropy: -sum_c weight_c ln softmax(x)_c / C, 0 for ignored
 * targets. */
static heed_tensor *smoothed_part(heed_tensor *x, heed_tensor *weight, heed_tensor *ignored)
{
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *counted = heed_where(heed_unsqueeze(ignored, -1), zero, x);
    heed_tensor *sums = heed_where(ignored, zero, entropy_under(weight, counted));
    return heed_div(sums, heed_full(x->dtype, HEED_SCALAR, (double)class_count(&x->shape)));
}

/* Multiplies losses without smoothing by the weights of their targets, and smooths them by s. */
static heed_tensor *weight_losses(heed_tensor *losses, heed_tensor *weights, heed_tensor *x, heed_tensor *targets,
                                  const heed_class_loss_options *o, int64_t ignored)
{
    const double s = o->label_smoothing;
    heed_tensor *weighted = heed_mul(weights, losses);
    if (s == 0)
        return weighted;
    heed_tensor *smoothed = smoothed_part(x, o->weight, ignored_targets(targets, ignored));
    return heed_add(heed_mul_scalar(weighted, 1 - s), heed_mul_scalar(smoothed, s));
}

/* Applies the op and reduces its losses. The mean is divided by the number of targets without the ignored ones, or by
 * the sum of their weights. */
static heed_tensor *class_losses(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                                 const heed_class_loss_options *o)
{
    const class_params params = {.has_ignored = o->has_ignore_index,
                                 .ignored = o->has_ignore_index ? o->ignore_index : -1,
                                 .smoothing = o->weight ? 0 : o->label_smoothing};
    targets = heed_contiguous(targets);
    heed_tensor *losses = heed__apply2(op, input, targets, &params), *weights = NULL;
    if (!losses || !check_weight(op->name, input, o->weight))
        return NULL;
    if (o->weight) {
        weights = target_weights(o->weight, targets, params.ignored);
        losses = weight_losses(losses, weights, input, targets, o, params.ignored);
    }
    if (o->reduction != HEED_REDUCTION_MEAN || (!o->weight && !o->has_ignore_index))
        return heed__reduce_loss(losses, o->reduction);
    heed_tensor *divisor = o->weight
                               ? heed_sum(weights)
                               : heed_full(input->dtype, HEED_SCALAR, (double)count_others(targets, o->ignore_index));
    return heed_div(heed_sum(losses), divisor);
}

static heed_tensor *class_loss(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                               const heed_class_loss_options *options)
{
    HEED_ENTER(op->name);
    static const heed_class_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_class_loss_options *o = options ? options : &defaults;
    if (!heed__check_tensor(op->name, input) || !heed__check_tensor(op->name, targets) ||
        !check_targets_dtype(op->name, targets) || !heed__check_reduction(op->name, o->reduction) ||
        !check_ignored(op->name, o))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, class_losses(op, input, targets, o)) : NULL;
}

/* Returns true if input (N, C, ...) and targets (N, ...) are in PyTorch's layout. */
static bool has_classes_on_axis_1(const heed_shape *input, const heed_shape *targets)
{
    bool fits = input->rank >= 3 && targets->rank == input->rank - 1;
    for (int axis = 0; fits && axis < targets->rank; axis++)
        fits = targets->dims[axis] == input->dims[axis + (axis > 0)];
    return fits;
}

static bool class_loss_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *input = call->inputs[0], *targets = call->inputs[1];
    heed_shape rows = input->shape;
    if (!heed__check_float(call->op->name, input) || !check_targets_dtype(call->op->name, targets))
        return false;
    rows.rank--;
    if (has_classes_on_axis_1(&input->shape, &targets->shape) && !heed__same_shape(&rows, &targets->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name,
                               "targets %s, input %s: classes must be on the last axis, not on axis 1 (heed_permute "
                               "moves them)",
                               heed_shape_text(targets->shape).s, heed_shape_text(input->shape).s);
    if (rows.rank < 0 || !heed__same_shape(&rows, &targets->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "targets %s: must be one per row of input %s",
                               heed_shape_text(targets->shape).s, heed_shape_text(input->shape).s);
    out->dtype = input->dtype;
    out->shape = rows;
    return true;
}

/* For forward: HEED_ERR_INDEX for a target outside the classes, unless it is ignored. */
static bool check_targets(const heed_call *call)
{
    const class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = class_count(&call->inputs[0]->shape);
    for (int64_t i = 0; i < targets->numel; i++) {
        if ((values[i] >= 0 && values[i] < classes) || (params->has_ignored && values[i] == params->ignored))
            continue;
        return heed_fail_false(HEED_ERR_INDEX, call->op->name,
                               "target %" PRId64 ", element %" PRId64 " of %s, is outside the %" PRId64 " classes",
                               values[i], i, heed_shape_text(targets->shape).s, classes);
    }
    return true;
}

/* For backward: bool (..., C), true at the class of every target. */
static heed_tensor *target_classes(const heed_call *call)
{
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *classes = heed_arange(HEED_I64, 0, (double)class_count(&shape), 1);
    return heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_EQ, classes);
}

/* For backward: returns dx (..., C) with exactly 0 in the rows of ignored targets. */
static heed_tensor *where_counted(const heed_call *call, heed_tensor *dx)
{
    const class_params *params = call->params;
    heed_tensor *ignored = heed_from_array(HEED_I64, HEED_SCALAR, &params->ignored, 1);
    heed_tensor *counts = heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_NE, ignored);
    return heed_where(counts, dx, heed_zeros(heed_call_dtype(call, 0), HEED_SCALAR));
}

/* -- nll_loss ------------------------------------------------------------------------------------------------------ */

/* y[...] = -input[..., target], or 0 if the target is ignored.    dinput = -g at the target, else 0 */

#define PICK(type)                                                                                                     \
    do {                                                                                                               \
        const type *x = (const void *)call->inputs[0]->data;                                                           \
        type *y = (void *)out[0]->data;                                                                                \
        for (int64_t row = 0; row < targets->numel; row++, x += classes)                                               \
            y[row] = values[row] == params->ignored ? 0 : -x[values[row]];                                             \
    } while (0)

static bool nll_loss_forward(const heed_call *call, heed_tensor *const *out)
{
    const class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = class_count(&call->inputs[0]->shape);
    if (!check_targets(call))
        return false;
    if (out[0]->dtype == HEED_F32)
        PICK(float);
    else
        PICK(double);
    return true;
}

static void nll_loss_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    heed_tensor *at_target = heed_where(target_classes(call), heed_neg(heed_unsqueeze(g[0], -1)), zero);
    dx[0] = where_counted(call, at_target);
}

static void nll_loss_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const class_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *targets = heed_contiguous(call->inputs[1]), *dense = heed_contiguous(g[0]);
    heed_tensor *dinput = targets && dense ? heed_zeros(dense->dtype, shape) : NULL;
    if (!dinput)
        return;
    const int64_t *values = (const void *)targets->data, classes = class_count(&shape);
    const float *g32 = (const void *)dense->data;
    const double *g64 = (const void *)dense->data;
    float *dx32 = (void *)dinput->data;
    double *dx64 = (void *)dinput->data;
    for (int64_t row = 0; row < targets->numel; row++) {
        const int64_t at = row * classes + values[row];
        if (values[row] != params->ignored && dense->dtype == HEED_F32)
            dx32[at] = -g32[row];
        else if (values[row] != params->ignored)
            dx64[at] = -g64[row];
    }
    dx[0] = dinput;
}

const heed_op heed_op_nll_loss = {
    .name = "nll_loss",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(class_params),
    .fields = HEED_FIELDS(HEED_FIELD(class_params, has_ignored), HEED_FIELD(class_params, ignored),
                          HEED_FIELD(class_params, smoothing)),
    .saved = HEED_SAVE_INPUT(1),
    .contiguous = true,
    .infer = class_loss_infer,
    .forward = nll_loss_forward,
    .backward = nll_loss_backward,
    .backward_fused = nll_loss_backward_fused,
};

heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options)
{
    if (options && options->label_smoothing != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nll_loss", "label_smoothing is %g: must be 0",
                              options->label_smoothing);
    return class_loss(&heed_op_nll_loss, input, targets, options);
}

/* -- cross_entropy ------------------------------------------------------------------------------------------------- */

/* y[...] = logsumexp(x) - sum t x along the last axis of the input x, or 0 if the target is ignored, with t = (1 - s)
 * onehot(target) + s / C for C classes and label smoothing s.
 *
 * dx = g (softmax(x) - t), or 0 if the target is ignored */

typedef struct loss_job {
    heed_dtype dtype;
    heed__cross_entropy_args args;
    int64_t size; /* bytes per element */
    const char *x, *g;
    const int64_t *targets;
    char *y; /* the losses, or the gradient of x if g is given */
} loss_job;

static void cross_entropy_rows(int64_t begin, int64_t end, void *context)
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
static void run_cross_entropy(const class_params *params, const heed_tensor *x, const heed_tensor *targets,
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
    heed__for_rows(targets->numel, job.args.n, cross_entropy_rows, &job);
}

static bool cross_entropy_forward(const heed_call *call, heed_tensor *const *out)
{
    if (!check_targets(call))
        return false;
    run_cross_entropy(call->params, call->inputs[0], call->inputs[1], NULL, out[0]);
    return true;
}

/* Replaces ignored rows of x by zeros before softmax, because NaN in these rows would reappear in softmax's
 * gradient. */
static void cross_entropy_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const class_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    double share = params->smoothing / (double)x->shape.dims[x->shape.rank - 1];
    heed_tensor *hit = heed_full(x->dtype, HEED_SCALAR, 1 - params->smoothing + share);
    heed_tensor *missed = heed_full(x->dtype, HEED_SCALAR, share);
    heed_tensor *t = heed_where(target_classes(call), hit, missed);
    heed_tensor *difference = heed_sub(heed_softmax(where_counted(call, x), -1), t);
    dx[0] = where_counted(call, heed_mul(heed_unsqueeze(g[0], -1), difference));
}

static void cross_entropy_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *x = heed_contiguous(call->inputs[0]), *targets = heed_contiguous(call->inputs[1]);
    heed_tensor *dense = heed_contiguous(g[0]);
    if (!x || !targets || !dense)
        return;
    dx[0] = heed__tensor_new("cross_entropy", x->dtype, &x->shape);
    if (dx[0])
        run_cross_entropy(call->params, x, targets, dense, dx[0]);
}

const heed_op heed_op_cross_entropy = {
    .name = "cross_entropy",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(class_params),
    .fields = HEED_FIELDS(HEED_FIELD(class_params, has_ignored), HEED_FIELD(class_params, ignored),
                          HEED_FIELD(class_params, smoothing)),
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = class_loss_infer,
    .forward = cross_entropy_forward,
    .backward = cross_entropy_backward,
    .backward_fused = cross_entropy_backward_fused,
};

/* -- cross_entropy of probabilities -------------------------------------------------------------------------------- */

/* y[...] = -sum_c w_c t_c ln softmax(x)_c, with t = (1 - s) target + s / C. */
static heed_tensor *probability_losses(heed_tensor *x, heed_tensor *targets, const heed_class_loss_options *o)
{
    const double s = o->label_smoothing;
    heed_tensor *t = targets;
    if (s > 0) {
        heed_tensor *share = heed_full(x->dtype, HEED_SCALAR, s / (double)class_count(&x->shape));
        t = heed_add(heed_mul_scalar(t, 1 - s), share);
    }
    return entropy_under(o->weight ? heed_mul(t, o->weight) : t, x);
}

static heed_tensor *cross_entropy_of_probabilities(heed_tensor *input, heed_tensor *targets,
                                                   const heed_class_loss_options *o)
{
    static const char where[] = "cross_entropy";
    HEED_ENTER(where);
    if (!heed__check_loss(where, input, targets, o->reduction))
        return NULL;
    if (input->shape.rank == 0)
        return heed_fail_null(HEED_ERR_SHAPE, where, "input (): must have an axis of classes");
    if (o->has_ignore_index || o->ignore_index != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "ignore_index is %" PRId64 " and the targets are probabilities: leave it out",
                              o->ignore_index);
    if (!check_weight(where, input, o->weight))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *loss = scope ? heed__reduce_loss(probability_losses(input, targets, o), o->reduction) : NULL;
    return scope ? heed_scope_return(scope, loss) : NULL;
}

heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options)
{
    static const heed_class_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_class_loss_options *o = options ? options : &defaults;
    if (!(o->label_smoothing >= 0 && o->label_smoothing <= 1))
        return heed_fail_null(HEED_ERR_ARGUMENT, "cross_entropy", "label_smoothing is %g: must be in [0, 1]",
                              o->label_smoothing);
    if (input && targets &&
        (!heed__check_tensor("cross_entropy", input) || !heed__check_tensor("cross_entropy", targets)))
        return NULL;
    if (input && targets && heed_dtype_is_float(targets->dtype) && heed__same_shape(&input->shape, &targets->shape))
        return cross_entropy_of_probabilities(input, targets, o);
    return class_loss(&heed_op_cross_entropy, input, targets, o);
}
