/* tests/ops/loss/ctc_loss.c - cases of heed_ctc_loss.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "losses.h"

/* shape: input_lens; i: reduction, blank, target_lens */
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_ctc_loss_options options = {.reduction = (heed_reduction)c->i[0], .blank = c->i[1]};
    heed_shape batch = HEED_SHAPE(c->shape.rank);
    heed_tensor *input_lens = heed_from_array(HEED_I64, batch, c->shape.dims, c->shape.rank);
    heed_tensor *target_lens = heed_from_array(HEED_I64, batch, c->i + 2, c->shape.rank);
    return input_lens && target_lens ? heed_ctc_loss(in[0], in[1], input_lens, target_lens, &options) : NULL;
}
RUN(whole, heed_ctc_loss(in[0], in[1], NULL, NULL, NULL))
RUN(finite_mean, heed_ctc_loss(in[0], in[1], NULL, NULL,
                               &(heed_ctc_loss_options){.reduction = HEED_REDUCTION_MEAN, .zero_infinity = true}))

#define SAMPLE(name_, run_, dims, target_dims, classes, lens, ...)                                                     \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2,                                                                     \
        .in = {{.shape = dims}, {.shape = target_dims, .kind = OP_INDEX, .low = 1, .high = classes}}, .shape = lens,   \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

/* The probability of all paths, counted: of the 27 paths of 3 steps and 3 equally likely classes, 5 make "12". */
static heed_tensor *losses_of(heed_tensor *log_probs, heed_tensor *targets, heed_tensor *input_lens,
                              heed_tensor *target_lens, bool zero_infinity)
{
    heed_ctc_loss_options options = {.reduction = HEED_REDUCTION_NONE, .zero_infinity = zero_infinity};
    return heed_ctc_loss(log_probs, targets, input_lens, target_lens, &options);
}
#define EQUAL(steps, batch) heed_full(HEED_F64, HEED_SHAPE(steps, batch, 3), -log(3))
#define LABELS(batch, n, ...) HEED_TENSOR(HEED_I64, HEED_SHAPE(batch, n), __VA_ARGS__)
#define LENS(...) HEED_TENSOR(HEED_I64, HEED_SHAPE(2), __VA_ARGS__)
GIVES(counted, losses_of(EQUAL(3, 2), LABELS(2, 2, 1, 2, 1, 1), NULL, NULL, false))
GIVES(shorter, losses_of(EQUAL(3, 2), LABELS(2, 2, 1, -7, 99, 0), LENS(2, 3), LENS(1, 0), false))
GIVES(no_steps, losses_of(EQUAL(3, 2), LABELS(2, 2, 1, 2, 1, 1), LENS(0, 0), LENS(0, 1), false))
GIVES(impossible, losses_of(EQUAL(2, 2), LABELS(2, 2, 1, 1, 1, 2), NULL, NULL, false))
GIVES(zeroed, losses_of(EQUAL(2, 2), LABELS(2, 2, 1, 1, 1, 2), NULL, NULL, true))
GIVES(of_nan, losses_of(heed_full(HEED_F32, HEED_SHAPE(2, 1, 3), NAN), LABELS(1, 1, 1), NULL, NULL, false))

/* A target that no path can make has a gradient of 0; so have steps after the last one, and classes of probability
 * 0. */
static heed_tensor *of_impossible(heed_tensor *x)
{
    return losses_of(x, LABELS(2, 2, 1, 1, 1, 2), NULL, NULL, false);
}
static heed_tensor *of_one_step(heed_tensor *x)
{
    return losses_of(x, LABELS(1, 1, 1), HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 1), NULL, false);
}
GIVES(slope, gradient(of_impossible, EQUAL(2, 2)))
GIVES(slope_of_one, gradient(of_one_step, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 1, 3), -INFINITY, -1, -2, NAN, NAN, NAN)))

/* Many steps, so that every path is extremely unlikely: e^-20000. */
static heed_tensor *many_steps(void)
{
    heed_tensor *x = heed_full(HEED_F32, HEED_SHAPE(1000, 1, 2), -20);
    return heed_ctc_loss(x, LABELS(1, 1, 1), NULL, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 0), NULL);
}

#define OF(x, targets, input_lens, target_lens) heed_ctc_loss(x, targets, input_lens, target_lens, NULL)
GIVES(of_null, OF(NULL, LABELS(2, 1, 1, 1), NULL, NULL))
GIVES(no_targets, OF(EQUAL(3, 2), NULL, NULL, NULL))
GIVES(of_i64, OF(heed_ones(HEED_I64, HEED_SHAPE(3, 2, 3)), LABELS(2, 1, 1, 1), NULL, NULL))
GIVES(float_targets, OF(EQUAL(3, 2), ONES(HEED_F64, 2, 1), NULL, NULL))
GIVES(matrix, OF(ONES(HEED_F64, 3, 3), LABELS(2, 1, 1, 1), NULL, NULL))
GIVES(listed_targets, OF(EQUAL(3, 2), ONES(HEED_I64, 2), NULL, NULL))
GIVES(more_targets, OF(EQUAL(3, 2), LABELS(3, 1, 1, 1, 1), NULL, NULL))
GIVES(float_lens, OF(EQUAL(3, 2), LABELS(2, 1, 1, 1), ONES(HEED_F64, 2), NULL))
GIVES(matrix_lens, OF(EQUAL(3, 2), LABELS(2, 1, 1, 1), ONES(HEED_I64, 2, 1), NULL))
GIVES(too_many_steps, OF(EQUAL(3, 2), LABELS(2, 1, 1, 1), LENS(3, 4), NULL))
GIVES(too_many_labels, OF(EQUAL(3, 2), LABELS(2, 1, 1, 1), NULL, LENS(1, 2)))
GIVES(less_than_none, OF(EQUAL(3, 2), LABELS(2, 1, 1, 1), LENS(-1, 2), NULL))
GIVES(no_class, OF(EQUAL(3, 2), LABELS(2, 2, 1, 1, 1, 3), NULL, NULL))
GIVES(negative_class, OF(EQUAL(3, 2), LABELS(2, 1, -1, 1), NULL, NULL))
GIVES(blank_label, OF(EQUAL(3, 2), LABELS(2, 1, 1, 0), NULL, NULL))
static heed_tensor *with_blank(int64_t blank, heed_reduction reduction)
{
    return heed_ctc_loss(EQUAL(3, 2), LABELS(2, 1, 1, 1), NULL, NULL,
                         &(heed_ctc_loss_options){.reduction = reduction, .blank = blank});
}
GIVES(blank_3, with_blank(3, HEED_REDUCTION_MEAN))
GIVES(blank_below_0, with_blank(-1, HEED_REDUCTION_MEAN))
GIVES(reduction_3, with_blank(0, (heed_reduction)3))

const op_cases heed_cases_ctc_loss = {
    .cases =
        (const op_case[]){
            SAMPLE("(1, 1, 2)", run, DIMS(1, 1, 2), DIMS(1, 1), 2, DIMS(1), HEED_REDUCTION_SUM, 0, 1),
            SAMPLE("(3, 1, 2)", run, DIMS(3, 1, 2), DIMS(1, 1), 2, DIMS(3), HEED_REDUCTION_NONE, 0, 1),
            SAMPLE("(4, 1, 3) all", whole, DIMS(4, 1, 3), DIMS(1, 2), 3, DIMS(4), 0),
            SAMPLE("(4, 1, 3) zero_infinity", finite_mean, DIMS(4, 1, 3), DIMS(1, 2), 3, DIMS(4), 0),
            SAMPLE("(5, 2, 3)", run, DIMS(5, 2, 3), DIMS(2, 2), 3, DIMS(5, 4), HEED_REDUCTION_MEAN, 0, 2, 1),
            SAMPLE("(5, 2, 3), repeats", run, DIMS(5, 2, 3), DIMS(2, 2), 2, DIMS(5, 3), HEED_REDUCTION_NONE, 0, 2, 2),
            SAMPLE("(6, 1, 4), blank 3", run, DIMS(6, 1, 4), DIMS(1, 3), 3, DIMS(6), HEED_REDUCTION_SUM, 3, 3),
            SAMPLE("(3, 2, 2), no labels", run, DIMS(3, 2, 2), DIMS(2, 1), 2, DIMS(3, 0), HEED_REDUCTION_NONE, 0, 0, 0),
            SAMPLE("(2, 1, 2), S = 0", run, DIMS(2, 1, 2), DIMS(1, 0), 2, DIMS(2), HEED_REDUCTION_SUM, 0, 0),
            SAMPLE("(3, 0, 2)", run, DIMS(3, 0, 2), DIMS(0, 1), 2, NO_DIMS, HEED_REDUCTION_SUM, 0),
            {0}},
    .values =
        (const op_value[]){
            {"counted", counted, DIMS(2), 1e-14, (const double[]){1.686398953570227, 3.295836866004329}},
            {"shorter", shorter, DIMS(2), 1e-14, (const double[]){1.09861228866811, 3.295836866004329}},
            {"no steps", no_steps, DIMS(2), 0, (const double[]){0, INFINITY}},
            {"impossible", impossible, DIMS(2), 1e-14, (const double[]){INFINITY, 2.197224577336219}},
            {"impossible, 0", zeroed, DIMS(2), 1e-14, (const double[]){0, 2.197224577336219}},
            {"NaN", of_nan, DIMS(1), 0, (const double[]){NAN}},
            {"gradient", slope, DIMS(2, 2, 3), 1e-14, (const double[]){0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1}},
            {"of one step", slope_of_one, DIMS(2, 1, 3), 1e-14, (const double[]){0, -1, 0, 0, 0, 0}},
            {"many steps", many_steps, NO_DIMS, 1e-7, (const double[]){20000}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "ctc_loss:"},
            {"no targets", no_targets, HEED_ERR_ARGUMENT, "ctc_loss:"},
            {"i64", of_i64, HEED_ERR_DTYPE, "ctc_loss: the tensor is i64 (3, 2, 3)"},
            {"f64 targets", float_targets, HEED_ERR_DTYPE, "ctc_loss: the targets are f64 (2, 1)"},
            {"(3, 3)", matrix, HEED_ERR_SHAPE, "ctc_loss: log_probs (3, 3) and targets (2, 1): must be (T, B, C)"},
            {"targets (2)", listed_targets, HEED_ERR_SHAPE, "ctc_loss: log_probs (3, 2, 3) and targets (2)"},
            {"targets (3, 1)", more_targets, HEED_ERR_SHAPE, "ctc_loss: log_probs (3, 2, 3) and targets (3, 1)"},
            {"f64 lengths", float_lens, HEED_ERR_DTYPE, "ctc_loss:"},
            {"lengths (2, 1)", matrix_lens, HEED_ERR_SHAPE, "ctc_loss: input_lens (2, 1) and target_lens (2)"},
            {"4 steps", too_many_steps, HEED_ERR_INDEX, "ctc_loss:"},
            {"2 labels", too_many_labels, HEED_ERR_INDEX, "ctc_loss:"},
            {"-1 steps", less_than_none, HEED_ERR_INDEX, "ctc_loss:"},
            {"class 3", no_class, HEED_ERR_INDEX, "ctc_loss: label 1 of target 1 is 3: must be one of 3 classes"},
            {"class -1", negative_class, HEED_ERR_INDEX, "ctc_loss: label 0 of target 0 is -1"},
            {"the blank", blank_label, HEED_ERR_INDEX, "ctc_loss: label 0 of target 1 is 0"},
            {"blank 3", blank_3, HEED_ERR_ARGUMENT, "ctc_loss: blank is 3: must be one of 3 classes"},
            {"blank -1", blank_below_0, HEED_ERR_ARGUMENT, "ctc_loss: blank is -1"},
            {"reduction 3", reduction_3, HEED_ERR_ARGUMENT, "ctc_loss: reduction is 3"},
            {0}},
};
