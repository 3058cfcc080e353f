/* ops/loss/loss.c - shared by the losses. See ops/loss/loss.h. */

#include "ops/loss/loss.h"

#include <inttypes.h>
#include <math.h>

/* -- All losses ---------------------------------------------------------------------------------------------------- */

bool heed__check_reduction(const char *where, heed_reduction reduction)
{
    if (reduction == HEED_REDUCTION_MEAN || reduction == HEED_REDUCTION_SUM || reduction == HEED_REDUCTION_NONE)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "reduction is %d: must be one of HEED_REDUCTION_*",
                           (int)reduction);
}

heed_tensor *heed__reduce_loss(heed_tensor *losses, heed_reduction reduction)
{
    return reduction == HEED_REDUCTION_MEAN  ? heed_mean(losses)
           : reduction == HEED_REDUCTION_SUM ? heed_sum(losses)
                                             : losses;
}

bool heed__check_loss(const char *where, const heed_tensor *input, const heed_tensor *target, heed_reduction reduction)
{
    if (!heed__check_tensor(where, input) || !heed__check_tensor(where, target) ||
        !heed__check_pair(where, input, target))
        return false;
    if (!heed__same_shape(&input->shape, &target->shape))
        return heed_fail_false(HEED_ERR_SHAPE, where, "input %s and target %s differ", heed_shape_text(input->shape).s,
                               heed_shape_text(target->shape).s);
    return heed__check_reduction(where, reduction);
}

bool heed__check_margin(const char *where, double margin)
{
    return isfinite(margin) || heed_fail_false(HEED_ERR_ARGUMENT, where, "margin is %g: must be finite", margin);
}

bool heed__check_eps(const char *where, double eps)
{
    return (eps >= 0 && isfinite(eps)) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "eps is %g: must be finite and not negative", eps);
}

heed_tensor *heed__where_pairs(heed_tensor *target, heed_tensor *if_same, heed_tensor *if_different)
{
    heed_tensor *one = heed_ones(target->dtype, HEED_SCALAR), *zero = heed_zeros(target->dtype, HEED_SCALAR);
    heed_tensor *otherwise = heed_where(heed_compare(target, HEED_COMPARE_EQ, heed_neg(one)), if_different, zero);
    return heed_where(heed_compare(target, HEED_COMPARE_EQ, one), if_same, otherwise);
}

/* -- Classification losses ----------------------------------------------------------------------------------------- */

static bool check_targets_dtype(const char *where, const heed_tensor *targets)
{
    if (!heed_dtype_is_float(targets->dtype))
        return heed__check_i64(where, "the targets", targets);
    return heed_fail_false(HEED_ERR_DTYPE, where,
                           "the targets are %s %s: must be i64, one class per row (heed_kl_div takes probabilities)",
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

heed_tensor *heed__class_loss(const heed_op *op, heed_tensor *input, heed_tensor *targets,
                              const heed_class_loss_options *options)
{
    HEED_ENTER(op->name);
    static const heed_class_loss_options defaults = {.reduction = HEED_REDUCTION_MEAN};
    const heed_class_loss_options *o = options ? options : &defaults;
    bool some_count = o->has_ignore_index && o->reduction == HEED_REDUCTION_MEAN;
    heed__class_params params = {.has_ignored = o->has_ignore_index,
                                 .ignored = o->has_ignore_index ? o->ignore_index : -1,
                                 .smoothing = o->label_smoothing};
    if (!heed__check_tensor(op->name, input) || !heed__check_tensor(op->name, targets) ||
        !check_targets_dtype(op->name, targets) || !heed__check_reduction(op->name, o->reduction) ||
        !check_ignored(op->name, o))
        return NULL;
    if (some_count && !(targets = heed_contiguous(targets)))
        return NULL;
    heed_tensor *losses = heed__apply2(op, input, targets, &params);
    if (!losses || !some_count)
        return heed__reduce_loss(losses, o->reduction);
    double count = (double)count_others(targets, o->ignore_index);
    return heed_div(heed_sum(losses), heed_full(losses->dtype, HEED_SCALAR, count));
}

/* Returns true if input (N, C, ...) and targets (N, ...) are in PyTorch's layout. */
static bool has_classes_on_axis_1(const heed_shape *input, const heed_shape *targets)
{
    bool fits = input->rank >= 3 && targets->rank == input->rank - 1;
    for (int axis = 0; fits && axis < targets->rank; axis++)
        fits = targets->dims[axis] == input->dims[axis + (axis > 0)];
    return fits;
}

bool heed__infer_class_loss(const heed_call *call, heed_meta *out)
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

int64_t heed__classes(const heed_shape *shape)
{
    return shape->dims[shape->rank - 1];
}

bool heed__check_targets(const heed_call *call)
{
    const heed__class_params *params = call->params;
    const heed_tensor *targets = call->inputs[1];
    const int64_t *values = (const void *)targets->data, classes = heed__classes(&call->inputs[0]->shape);
    for (int64_t i = 0; i < targets->numel; i++) {
        if ((values[i] >= 0 && values[i] < classes) || (params->has_ignored && values[i] == params->ignored))
            continue;
        return heed_fail_false(HEED_ERR_INDEX, call->op->name,
                               "target %" PRId64 ", element %" PRId64 " of %s, is outside the %" PRId64 " classes",
                               values[i], i, heed_shape_text(targets->shape).s, classes);
    }
    return true;
}

heed_tensor *heed__target_classes(const heed_call *call)
{
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *classes = heed_arange(HEED_I64, 0, (double)heed__classes(&shape), 1);
    return heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_EQ, classes);
}

heed_tensor *heed__where_counted(const heed_call *call, heed_tensor *dx)
{
    const heed__class_params *params = call->params;
    heed_tensor *ignored = heed_from_array(HEED_I64, HEED_SCALAR, &params->ignored, 1);
    heed_tensor *counts = heed_compare(heed_unsqueeze(call->inputs[1], -1), HEED_COMPARE_NE, ignored);
    return heed_where(counts, dx, heed_zeros(heed_call_dtype(call, 0), HEED_SCALAR));
}
