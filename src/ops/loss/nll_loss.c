/* ops/loss/nll_loss.c    y[...] = -input[..., target], 0 where the target is ignored.  dinput = -g at the target, else 0 */

#include "ops/loss/loss.h"

#include <inttypes.h>

/* -- Losses of classes --------------------------------------------------------------------------------------------- */

static int64_t count_others(const heed_tensor *targets, int64_t ignored)
{
    const int64_t *values = (const void *)targets->data;
    int64_t count = 0;
    for (int64_t i = 0; i < targets->numel; i++)
        count += values[i] != ignored;
    return count;
}

heed_tensor *heed__class_loss(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                              const heed_class_loss_options *options)
{
    HEED_ENTER(op->name);
    static const heed_class_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_class_loss_options *o = options ? options : &defaults;
    bool some_count = o->has_ignore_index && o->reduction == HEED_REDUCTION_MEAN;
    heed_class_params params = {.has_ignored = o->has_ignore_index,
                                .ignored = o->has_ignore_index ? o->ignore_index : -1,
                                .smoothing = o->label_smoothing};
    if (!heed__check_tensor(op->name, input) || !heed__check_tensor(op->name, targets) ||
        !heed__check_i64(op->name, targets) || !heed__check_reduction(op->name, o->reduction))
        return NULL;
    if (some_count && !(targets = heed_contiguous(targets)))
        return NULL;
    heed_tensor *losses = heed__apply2(op, input, targets, &params);
    if (!losses || !some_count)
        return heed__reduce_loss(losses, o->reduction);
    double count = (double)count_others(targets, o->ignore_index);
    return heed_div(heed_sum(losses), heed_full(losses->dtype, HEED_SCALAR, count));
}

bool heed__infer_class_loss(const heed_call *call, heed_meta *out)
{
    const heed_tensor *input = call->inputs[0], *targets = call->inputs[1];
    heed_shape rows = input->shape;
    if (!heed__check_float(call->op->name, input) || !heed__check_i64(call->op->name, targets))
        return false;
    rows.rank--;
    if (rows.rank < 0 || !heed__same_shape(&rows, &targets->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "targets %s are not one for each row of input %s",
                               heed_shape_text(targets->shape).s, heed_shape_text(input->shape).s);
    out->dtype = input->dtype;
    out->shape = rows;
    return true;
}

static int64_t classes_of(const heed_shape *shape)
{
    return shape->dims[shape->rank - 1];
}

bool heed__check_targets(const heed_call *call)
{
    const heed_class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = classes_of(&call->inputs[0]->shape);
    for (int64_t i = 0; i < targets->numel; i++) {
        if ((values[i] >= 0 && values[i] < classes) || (params->has_ignored && values[i] == params->ignored))
            continue;
        return heed_fail_false(HEED_ERR_INDEX, call->op->name,
                               "target %" PRId64 ", element %" PRId64 " of %s, is none of %" PRId64 " classes",
                               values[i], i, heed_shape_text(targets->shape).s, classes);
    }
    return true;
}

heed_tensor *heed__target_classes(const heed_call *call)
{
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *classes = heed_arange(HEED_I64, 0, (double)classes_of(&shape), 1);
    return heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_EQ, classes);
}

heed_tensor *heed__where_counted(const heed_call *call, heed_tensor *dx)
{
    const heed_class_params *params = call->params;
    heed_tensor *ignored = heed_from_array(HEED_I64, HEED_SCALAR, &params->ignored, 1);
    heed_tensor *counts = heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_NE, ignored);
    return heed_where(counts, dx, heed_zeros(heed_call_dtype(call, 0), HEED_SCALAR));
}

/* -- The loss ------------------------------------------------------------------------------------------------------ */

#define PICK(type)                                                                                                     \
    do {                                                                                                               \
        const type *x = (const void *)call->inputs[0]->data;                                                           \
        type *y = (void *)out[0]->data;                                                                                \
        for (int64_t row = 0; row < targets->numel; row++, x += classes)                                               \
            y[row] = values[row] == params->ignored ? 0 : -x[values[row]];                                             \
    } while (0)

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = classes_of(&call->inputs[0]->shape);
    if (!heed__check_targets(call))
        return false;
    if (out[0]->dtype == HEED_F32)
        PICK(float);
    else
        PICK(double);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *zero = heed_zeros(g[0]->dtype, HEED_SCALAR);
    heed_tensor *at_target = heed_where(heed__target_classes(call), heed_neg(heed_unsqueeze(g[0], -1)), zero);
    dx[0] = heed__where_counted(call, at_target);
}

#define PUT(type)                                                                                                      \
    do {                                                                                                               \
        const type *from = (const void *)dense->data;                                                                  \
        type *to = (void *)dinput->data;                                                                               \
        for (int64_t row = 0; row < targets->numel; row++, to += classes)                                              \
            if (values[row] != params->ignored)                                                                        \
                to[values[row]] = -from[row];                                                                          \
    } while (0)

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_class_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *targets = heed_contiguous(call->inputs[1]), *dense = heed_contiguous(g[0]);
    heed_tensor *dinput = targets && dense ? heed_zeros(dense->dtype, shape) : NULL;
    if (!dinput)
        return;
    const int64_t *values = (const void *)targets->data, classes = classes_of(&shape);
    if (dense->dtype == HEED_F32)
        PUT(float);
    else
        PUT(double);
    dx[0] = dinput;
}

const heed_op heed_op_nll_loss = {
    .name = "nll_loss",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed_class_params),
    .keeps = HEED_KEEP_INPUT(1),
    .contiguous = true,
    .infer = heed__infer_class_loss,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options)
{
    if (options && options->label_smoothing != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "nll_loss", "a label smoothing of %g is for cross_entropy",
                              options->label_smoothing);
    return heed__class_loss(&heed_op_nll_loss, input, targets, options);
}
