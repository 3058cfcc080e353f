/* tests/ops/loss/nll_loss.c - cases of heed_nll_loss. */

#include "losses.h"

static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_class_loss_options options = class_options(c);
    return heed_nll_loss(in[0], in[1], &options);
}

/* Only the target elements are read; NaN and infinity elsewhere, and in ignored rows, have no effect. */
static heed_tensor *picked(heed_tensor *x, heed_reduction reduction)
{
    heed_tensor *targets = HEED_TENSOR(HEED_I64, HEED_SHAPE(4), 0, -100, 2, 1);
    return heed_nll_loss(
        x, targets, &(heed_class_loss_options){.reduction = reduction, .has_ignore_index = true, .ignore_index = -100});
}

static heed_tensor *mean_picked(heed_tensor *x)
{
    return picked(x, HEED_REDUCTION_MEAN);
}

static heed_tensor *holes(heed_dtype dtype)
{
    return HEED_TENSOR(dtype, HEED_SHAPE(4, 3), 1, NAN, NAN, NAN, NAN, NAN, INFINITY, NAN, 2, NAN, 6, -INFINITY);
}

GIVES(picks, picked(holes(HEED_F64), HEED_REDUCTION_NONE))
GIVES(picks_f32, picked(holes(HEED_F32), HEED_REDUCTION_MEAN))
GIVES(picks_slope, gradient(mean_picked, holes(HEED_F64)))

static heed_tensor *all_ignored(heed_tensor *x)
{
    return heed_nll_loss(x, heed_zeros(HEED_I64, HEED_SHAPE(2)), &(heed_class_loss_options){.has_ignore_index = true});
}

GIVES(none_counts, all_ignored(ONES(HEED_F64, 2, 3)))
GIVES(none_counts_slope, gradient(all_ignored, ONES(HEED_F64, 2, 3)))
GIVES(of_no_classes, all_ignored(ONES(HEED_F64, 2, 0)))
GIVES(defaults, heed_nll_loss(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), -1, -2, -3, -4),
                              HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 0), NULL))

BAD_CLASSES(heed_nll_loss)
GIVES(smoothed, of_targets(0, 1, &(heed_class_loss_options){.label_smoothing = 0.1}))

#define THIRD (-1. / 3)

const op_cases heed_cases_nll_loss = {
    .cases = (const op_case[]){CLASS_SAMPLES(run, 0), {0}},
    .values = (const op_value[]){{"the others are not read", picks, DIMS(4), 0, (const double[]){-1, 0, -2, -6}},
                                 {"mean, f32", picks_f32, NO_DIMS, 0, (const double[]){-3}},
                                 {"gradient", picks_slope, DIMS(4, 3), 1e-15,
                                  (const double[]){THIRD, 0, 0, 0, 0, 0, 0, 0, THIRD, 0, THIRD, 0}},
                                 {"all ignored", none_counts, NO_DIMS, 0, (const double[]){NAN}},
                                 {"all ignored, gradient", none_counts_slope, DIMS(2, 3), 0,
                                  (const double[]){0, 0, 0, 0, 0, 0}},
                                 {"all ignored, no classes", of_no_classes, NO_DIMS, 0, (const double[]){NAN}},
                                 {"default options", defaults, NO_DIMS, 0, (const double[]){2.5}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors =
        (const op_error[]){BAD_CLASSES_ERRORS("nll_loss"),
                           {"smoothing", smoothed, HEED_ERR_ARGUMENT, "nll_loss: label_smoothing is 0.1: must be 0"},
                           {0}},
};
