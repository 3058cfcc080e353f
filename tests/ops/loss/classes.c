/* tests/ops/loss/classes.c - losses of classification: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "losses.h"

/* -- nll_loss ------------------------------------------------------------------------------------------------------ */

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

static heed_tensor *nll_all_ignored(heed_tensor *x)
{
    return heed_nll_loss(x, heed_zeros(HEED_I64, HEED_SHAPE(2)), &(heed_class_loss_options){.has_ignore_index = true});
}

GIVES(nll_none_counts, nll_all_ignored(ONES(HEED_F64, 2, 3)))
GIVES(nll_none_counts_slope, gradient(nll_all_ignored, ONES(HEED_F64, 2, 3)))
GIVES(of_no_classes, nll_all_ignored(ONES(HEED_F64, 2, 0)))
GIVES(defaults, heed_nll_loss(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), -1, -2, -3, -4),
                              HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 1, 0), NULL))

/* Targets 0, 2 and an ignored one have the losses 1, 4, NaN and the weights 1, 3, infinity: (1 + 3 x 4) / 4. */
static heed_tensor *weighted_mean(heed_tensor *w)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 3), -1, NAN, NAN, NAN, NAN, -4, NAN, NAN, NAN);
    return heed_nll_loss(x, HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 2, 1),
                         &(heed_class_loss_options){.has_ignore_index = true, .ignore_index = 1, .weight = w});
}

GIVES(weighs, weighted_mean(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, INFINITY, 3)))
GIVES(weighs_slope, gradient(weighted_mean, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, INFINITY, 3)))
GIVES(of_no_weights,
      heed_nll_loss(ONES(HEED_F64, 2, 0), heed_zeros(HEED_I64, HEED_SHAPE(2)),
                    &(heed_class_loss_options){
                        .reduction = HEED_REDUCTION_NONE, .has_ignore_index = true, .weight = ONES(HEED_F64, 0)}))

#define THIRD (-1. / 3)

ROW(nll_loss, heed_nll_loss(in[0], in[1], (const heed_class_loss_options[]){class_options(in, c)}),
    CASES(WEIGHTED_SAMPLES(0), CLASS_SAMPLES(NULL, 0)),
    VALUES({"the others are not read", picks, DIMS(4), 0, (const double[]){-1, 0, -2, -6}},
           {"mean, f32", picks_f32, NO_DIMS, 0, (const double[]){-3}},
           {"gradient", picks_slope, DIMS(4, 3), 1e-15,
            (const double[]){THIRD, 0, 0, 0, 0, 0, 0, 0, THIRD, 0, THIRD, 0}},
           {"all ignored", nll_none_counts, NO_DIMS, 0, (const double[]){NAN}},
           {"all ignored, gradient", nll_none_counts_slope, DIMS(2, 3), 0, (const double[]){0, 0, 0, 0, 0, 0}},
           {"all ignored, no classes", of_no_classes, NO_DIMS, 0, (const double[]){NAN}},
           {"default options", defaults, NO_DIMS, 0, (const double[]){2.5}},
           {"weights", weighs, NO_DIMS, 0, (const double[]){3.25}},
           {"gradient of the weights", weighs_slope, DIMS(3), 1e-15, (const double[]){-0.5625, 0, 0.1875}},
           {"all ignored, no classes, weights", of_no_weights, DIMS(2), 0, (const double[]){0, 0}}),
    EXAMPLES(
        {"f64 targets", {SIX_SCORES, TWO(HEED_F64)}, FAILS(HEED_ERR_DTYPE, ": the targets are f64 (2): must be i64")},
        {"smoothing",
         {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1)},
         .p = {0.1},
         FAILS(HEED_ERR_ARGUMENT, ": label_smoothing is 0.1: must be 0")}),
    .shared = {{.examples = bad_classes}, {.examples = mean_of_no_rows}})

/* -- cross_entropy ------------------------------------------------------------------------------------------------- */

#define IGNORING(index) .has_ignore_index = true, .ignore_index = index

/* Rows of: an ignored NaN, an ignored class with infinity, scores of 1e4, of -1e7, -inf at a class other than the
 * target, NaN, -inf at the target. */
static heed_tensor *hard(heed_dtype dtype)
{
    const double inf = INFINITY;
    return HEED_TENSOR(dtype, HEED_SHAPE(7, 2), NAN, NAN, inf, -inf, 1e4, 0, -1e7, -1e7, -inf, 5, NAN, 0, -inf, 0);
}

static heed_tensor *of_hard(heed_tensor *x)
{
    heed_tensor *targets = HEED_TENSOR(HEED_I64, HEED_SHAPE(7), 7, 7, 1, 0, 1, 1, 0);
    return heed_cross_entropy(x, targets, &(heed_class_loss_options){.reduction = HEED_REDUCTION_NONE, IGNORING(7)});
}

#define LN_2 0.69314718055994530942
#define HARD_LOSSES 0, 0, 1e4, LN_2, 0, NAN, INFINITY
#define HARD_GRADIENTS 0, 0, 0, 0, 1, -1, -0.5, 0.5, 0, 0, NAN, NAN, -1, 1
GIVES(hard_f64, of_hard(hard(HEED_F64)))
GIVES(hard_f32, of_hard(hard(HEED_F32)))
GIVES(hard_slope_f64, gradient(of_hard, hard(HEED_F64)))
GIVES(hard_slope_f32, gradient(of_hard, hard(HEED_F32)))

static heed_tensor *entropy_all_ignored(heed_tensor *x)
{
    heed_class_loss_options options = {IGNORING(-1), .label_smoothing = 0.2};
    return heed_cross_entropy(x, heed_full(HEED_I64, HEED_SHAPE(2), -1), &options);
}

GIVES(entropy_none_counts, entropy_all_ignored(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, NAN, 2, 3)))
GIVES(entropy_none_counts_slope, gradient(entropy_all_ignored, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, NAN, 2, 3)))

/* The whole target is spread evenly, so that the -inf at its class has the same weight as any other. */
GIVES(uniform_infinite,
      heed_cross_entropy(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), -INFINITY, 0), heed_zeros(HEED_I64, HEED_SCALAR),
                         &(heed_class_loss_options){.label_smoothing = 1}))

/* The gradient of the sum of squared gradients: ignored numbers, including NaN, do not affect it. At equal scores p
 * = 1/2, and d sum (p - t)^2 / dx = 2 p (1 - p) ((p - t) - (q - u)), for p, t of this class and q, u of the other. */
static heed_tensor *of_squares(heed_tensor *x)
{
    heed_class_loss_options options = {.reduction = HEED_REDUCTION_SUM, IGNORING(0)};
    heed_tensor *loss = heed_cross_entropy(x, HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 1, 0), &options), *dx = NULL;
    (void)heed_grad(&loss, 1, &x, 1, &dx, &(heed_grad_options){.create_graph = true});
    return heed_square(dx);
}

GIVES(second, gradient(of_squares, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), NAN, 1, 3, 3, INFINITY, 0)))

/* C equal scores have a loss of ln C; one class has a loss of 0; a long row has logsumexp(x) - x[target]. */
GIVES(of_1000, heed_cross_entropy(heed_full(HEED_F64, HEED_SHAPE(3, 1000), 7),
                                  HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 500, 999), NULL))
GIVES(of_997_smooth,
      heed_cross_entropy(heed_full(HEED_F32, HEED_SHAPE(2, 997), -3), HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, 996),
                         &(heed_class_loss_options){.label_smoothing = 0.3}))
GIVES(of_one_class,
      heed_cross_entropy(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), -1e30, 5), heed_zeros(HEED_I64, HEED_SHAPE(2)),
                         &(heed_class_loss_options){.reduction = HEED_REDUCTION_NONE, .label_smoothing = 0.5}))

static heed_tensor *long_row(heed_dtype dtype)
{
    heed_tensor *x = heed_mul_scalar(heed_sin(heed_arange(dtype, 0, 100003, 1)), 9);
    heed_tensor *loss = heed_cross_entropy(x, heed_full(HEED_I64, HEED_SCALAR, 77777), NULL);
    return heed_sub(loss, heed_sub(heed_logsumexp(x, 0, false), heed_select(x, 0, 77777)));
}

GIVES(long_row_f64, long_row(HEED_F64))
GIVES(long_row_f32, long_row(HEED_F32))

/* The gradient of a row sums to 0. */
static heed_tensor *of_long_row(heed_tensor *x)
{
    return heed_cross_entropy(x, heed_full(HEED_I64, HEED_SCALAR, 5), NULL);
}

GIVES(long_slope, heed_sum(gradient(of_long_row, heed_mul_scalar(heed_sin(heed_arange(HEED_F64, 0, 100003, 1)), 9))))

/* Probabilities as targets, with weights if there are 3 inputs. */
#define PROBABLE(name_, n, dims, classes, smoothing, ...)                                                              \
    {                                                                                                                  \
        .name = name_, .n_inputs = n,                                                                                  \
        .in = {{.shape = dims}, {.shape = dims, .low = 0.1, .high = 1}, {.shape = DIMS(classes), .low = 0.3}},         \
        .i = {__VA_ARGS__}, .p = {                                                                                     \
            smoothing                                                                                                  \
        }                                                                                                              \
    }

#define PROBABLE_SAMPLES(n, s)                                                                                         \
    PROBABLE("(3) probabilities", n, DIMS(3), 3, s, HEED_REDUCTION_MEAN),                                              \
        PROBABLE("(4, 1) probabilities", n, DIMS(4, 1), 1, s, HEED_REDUCTION_NONE),                                    \
        PROBABLE("(5, 3) probabilities, mean", n, DIMS(5, 3), 3, s, HEED_REDUCTION_MEAN),                              \
        PROBABLE("(5, 3) probabilities, sum", n, DIMS(5, 3), 3, s, HEED_REDUCTION_SUM),                                \
        PROBABLE("(2, 3, 4) probabilities, none", n, DIMS(2, 3, 4), 4, s, HEED_REDUCTION_NONE),                        \
        PROBABLE("(0, 3) probabilities, sum", n, DIMS(0, 3), 3, s, HEED_REDUCTION_SUM)

/* Classes of probability or weight 0 may have the logit -inf: the loss is ln 2 times the weight 3 of the target. */
static heed_tensor *of_impossible(heed_tensor *x)
{
    heed_tensor *t = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4), 0, 1, 0, 0);
    heed_class_loss_options options = {.weight = HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, 3, 1, 0)};
    return heed_cross_entropy(x, t, &options);
}

static heed_tensor *impossible_smoothed(void)
{
    heed_class_loss_options options = {.weight = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 3, 0), .label_smoothing = 0.5};
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 1, -INFINITY);
    return heed_cross_entropy(x, heed_full(HEED_I64, HEED_SCALAR, 1), &options);
}

#define IMPOSSIBLE HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 4), 5, 5, -INFINITY, -INFINITY)
GIVES(impossible, of_impossible(IMPOSSIBLE))
GIVES(impossible_slope, gradient(of_impossible, IMPOSSIBLE))

ROW(cross_entropy, heed_cross_entropy(in[0], in[1], (const heed_class_loss_options[]){class_options(in, c)}),
    CASES(CLASSES("(3, 2) ignoring", NULL, DIMS(3, 2), DIMS(3), 2, 0.1, HEED_REDUCTION_MEAN, true, 1),
          WEIGHTED_SAMPLES(0.3), PROBABLE_SAMPLES(3, 0.3), CLASS_SAMPLES(NULL, 0),
          CLASSES("(5, 3) smoothed", NULL, DIMS(5, 3), DIMS(5), 3, 0.1, HEED_REDUCTION_MEAN),
          CLASSES("(2, 3, 5) smoothed, ignoring", NULL, DIMS(2, 3, 5), DIMS(2, 3), 5, 0.3, HEED_REDUCTION_MEAN, true,
                  2),
          CLASSES("(4, 1) smoothed", NULL, DIMS(4, 1), DIMS(4), 1, 0.1, HEED_REDUCTION_NONE),
          CLASSES("(5, 3) uniform", NULL, DIMS(5, 3), DIMS(5), 3, 1, HEED_REDUCTION_NONE), WEIGHTED_SAMPLES(0),
          PROBABLE_SAMPLES(2, 0), PROBABLE_SAMPLES(2, 0.3), PROBABLE_SAMPLES(3, 0)),
    VALUES({"hard rows, f64", hard_f64, DIMS(7), 1e-15, (const double[]){HARD_LOSSES}},
           {"hard rows, f32", hard_f32, DIMS(7), 1e-7, (const double[]){HARD_LOSSES}},
           {"their gradients, f64", hard_slope_f64, DIMS(7, 2), 0, (const double[]){HARD_GRADIENTS}},
           {"their gradients, f32", hard_slope_f32, DIMS(7, 2), 0, (const double[]){HARD_GRADIENTS}},
           {"all ignored", entropy_none_counts, NO_DIMS, 0, (const double[]){NAN}},
           {"all ignored, gradient", entropy_none_counts_slope, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
           {"uniform, -inf", uniform_infinite, NO_DIMS, 0, (const double[]){INFINITY}},
           {"second order", second, DIMS(3, 2), 1e-15, (const double[]){0, 0, 0.5, -0.5, 0, 0}},
           {"1000 classes", of_1000, NO_DIMS, 1e-14, (const double[]){6.907755278982137}},
           {"997 classes", of_997_smooth, NO_DIMS, 1e-7, (const double[]){6.9047507699618382}},
           {"one class", of_one_class, DIMS(2), 0, (const double[]){0, 0}},
           {"long row, f64", long_row_f64, NO_DIMS, 1e-14, (const double[]){0}},
           {"long row, f32", long_row_f32, NO_DIMS, 1e-5, (const double[]){0}},
           {"long row's gradient", long_slope, NO_DIMS, 1e-13, (const double[]){0}},
           {"impossible classes", impossible, NO_DIMS, 1e-15, (const double[]){3 * LN_2}},
           {"impossible classes, gradient", impossible_slope, DIMS(1, 4), 1e-15, (const double[]){1.5, -1.5, 0, 0}},
           {"impossible classes, smoothed", impossible_smoothed, NO_DIMS, 1e-15, (const double[]){13 / 18. * LN_2}}),
    EXAMPLES({"probabilities (2)",
              {SIX_SCORES, TWO(HEED_F64)},
              FAILS(HEED_ERR_DTYPE, ": the targets are f64 (2): must be i64, one class per row (")},
             {"f32 probabilities",
              {SIX_SCORES, GIVEN_ONES(HEED_F32, DIMS(2, 3))},
              FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (2, 3) and f32 (2, 3)")},
             {"scalars",
              {GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN_ONES(HEED_F64, NO_DIMS)},
              FAILS(HEED_ERR_SHAPE, ": input (): must have an axis of classes")},
             {"ignored probabilities",
              {SIX_SCORES, SIX_SCORES},
              .i = {0, true, -100},
              FAILS(HEED_ERR_ARGUMENT, ": ignore_index is -100 and the targets are probabilities")},
             {"weights of probabilities",
              {SIX_SCORES, SIX_SCORES, TWO(HEED_F64)},
              FAILS(HEED_ERR_SHAPE, ": weight (2): must be (3), one per class of input (2, 3)")},
             {"mean of no rows",
              {GIVEN_ONES(HEED_F64, DIMS(0, 3)), GIVEN_ONES(HEED_F64, DIMS(0, 3))},
              RESULT(NO_DIMS, 0, NAN)},
             {"no classes, probabilities",
              {GIVEN_ONES(HEED_F64, DIMS(2, 0)), GIVEN_ONES(HEED_F64, DIMS(2, 0))},
              .i = {HEED_REDUCTION_NONE},
              RESULT(DIMS(2), 0, 0, 0)},
             {"smoothing -0.5",
              {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1)},
              .p = {-0.5},
              FAILS(HEED_ERR_ARGUMENT, "label_smoothing is -0.5: must be in [0, 1]")},
             {"smoothing 1.5",
              {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1)},
              .p = {1.5},
              FAILS(HEED_ERR_ARGUMENT, "label_smoothing is 1.5: must be in [0, 1]")},
             {"smoothing NaN",
              {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1)},
              .p = {NAN},
              FAILS(HEED_ERR_ARGUMENT, "label_smoothing is nan: must be in [0, 1]")}),
    .shared = {{.examples = bad_classes}, {.examples = mean_of_no_rows}})
