/* tests/ops/losses.h - samples and bad arguments for losses: of pairs, and of classes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_LOSSES_H
#define HEED_TESTS_OPS_LOSSES_H

#include "rows.h"

/* -- Pairs --------------------------------------------------------------------------------------------------------- */

/* run finds the reduction in c->i[0] and a number in c->p[0]; `...` sets the ranges of both inputs. */
#define PAIR(name_, run_, dims, reduction, number, ...)                                                                \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2, .in = {{.shape = dims, __VA_ARGS__}, {.shape = dims, __VA_ARGS__}}, \
        .i = {reduction}, .p = {                                                                                       \
            number                                                                                                     \
        }                                                                                                              \
    }

#define PAIR_SAMPLES(run, number, ...)                                                                                 \
    PAIR("() mean", run, NO_DIMS, HEED_REDUCTION_MEAN, number, __VA_ARGS__),                                           \
        PAIR("(1) mean", run, DIMS(1), HEED_REDUCTION_MEAN, number, __VA_ARGS__),                                      \
        PAIR("(0) sum", run, DIMS(0), HEED_REDUCTION_SUM, number, __VA_ARGS__),                                        \
        PAIR("(0, 3) none", run, DIMS(0, 3), HEED_REDUCTION_NONE, number, __VA_ARGS__),                                \
        PAIR("(5) mean", run, DIMS(5), HEED_REDUCTION_MEAN, number, __VA_ARGS__),                                      \
        PAIR("(2, 3) mean", run, DIMS(2, 3), HEED_REDUCTION_MEAN, number, __VA_ARGS__),                                \
        PAIR("(2, 3) sum", run, DIMS(2, 3), HEED_REDUCTION_SUM, number, __VA_ARGS__),                                  \
        PAIR("(2, 3) none", run, DIMS(2, 3), HEED_REDUCTION_NONE, number, __VA_ARGS__),                                \
        PAIR("(1, 37, 1) mean", run, DIMS(1, 37, 1), HEED_REDUCTION_MEAN, number, __VA_ARGS__)

/* Examples that the rows share. c->i[0] is the reduction. */
#define TWO(dtype) GIVEN_ONES(dtype, DIMS(2))

static const op_example bad_pairs[] = {
    {"NULL", {{0}, TWO(HEED_F64)}, .i = {HEED_REDUCTION_SUM}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"target NULL", {TWO(HEED_F64)}, .i = {HEED_REDUCTION_SUM}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"shapes",
     {GIVEN_ONES(HEED_F64, DIMS(2, 1)), TWO(HEED_F64)},
     FAILS(HEED_ERR_SHAPE, ": input (2, 1) and target (2) differ")},
    {"f64 and f32", {TWO(HEED_F64), TWO(HEED_F32)}, FAILS(HEED_ERR_DTYPE, ": the tensors are ")},
    {"i64", {TWO(HEED_I64), TWO(HEED_I64)}, FAILS(HEED_ERR_DTYPE, ": the tensors are ")},
    {"reduction is 3: must be",
     {TWO(HEED_F64), TWO(HEED_F64)},
     .i = {3},
     FAILS(HEED_ERR_ARGUMENT, ": reduction is 3: must be")},
    {0}};

#define NO_PAIRS GIVEN_ONES(HEED_F64, DIMS(0)), GIVEN_ONES(HEED_F64, DIMS(0))
static const op_example mean_of_nothing[] = {{"mean of nothing", {NO_PAIRS}, RESULT(NO_DIMS, 0, NAN)}, {0}};

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

/* -- Classes ------------------------------------------------------------------------------------------------------- */

/* c->i: reduction, whether there is an ignored index, that index; c->p[0]: label smoothing; a third input: weights. */
static inline heed_class_loss_options class_options(heed_tensor *const *in, const op_case *c)
{
    return (heed_class_loss_options){.reduction = (heed_reduction)c->i[0],
                                     .has_ignore_index = c->i[1] != 0,
                                     .ignore_index = c->i[2],
                                     .label_smoothing = c->p[0],
                                     .weight = c->n_inputs > 2 ? in[2] : NULL};
}

#define CLASSES(name_, run_, dims, target_dims, classes, smoothing, ...)                                               \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2,                                                                     \
        .in = {{.shape = dims}, {.shape = target_dims, .kind = OP_INDEX, .high = classes}}, .i = {__VA_ARGS__}, .p = { \
            smoothing                                                                                                  \
        }                                                                                                              \
    }

/* After the reduction: whether there is an ignored index, and which; in "all ignored" all targets equal it. */
#define CLASS_SAMPLES(run, s)                                                                                          \
    CLASSES("(3)", run, DIMS(3), NO_DIMS, 3, s, HEED_REDUCTION_MEAN),                                                  \
        CLASSES("(1)", run, DIMS(1), NO_DIMS, 1, s, HEED_REDUCTION_SUM),                                               \
        CLASSES("(4, 1)", run, DIMS(4, 1), DIMS(4), 1, s, HEED_REDUCTION_MEAN),                                        \
        CLASSES("(1, 2)", run, DIMS(1, 2), DIMS(1), 2, s, HEED_REDUCTION_NONE),                                        \
        CLASSES("(5, 3) mean", run, DIMS(5, 3), DIMS(5), 3, s, HEED_REDUCTION_MEAN),                                   \
        CLASSES("(5, 3) sum", run, DIMS(5, 3), DIMS(5), 3, s, HEED_REDUCTION_SUM),                                     \
        CLASSES("(5, 3) none", run, DIMS(5, 3), DIMS(5), 3, s, HEED_REDUCTION_NONE),                                   \
        CLASSES("(2, 3, 5) mean", run, DIMS(2, 3, 5), DIMS(2, 3), 5, s, HEED_REDUCTION_MEAN),                          \
        CLASSES("(2, 3, 5) none", run, DIMS(2, 3, 5), DIMS(2, 3), 5, s, HEED_REDUCTION_NONE),                          \
        CLASSES("(2, 1, 2, 3) none", run, DIMS(2, 1, 2, 3), DIMS(2, 1, 2), 3, s, HEED_REDUCTION_NONE),                 \
        CLASSES("(2, 37) mean", run, DIMS(2, 37), DIMS(2), 37, s, HEED_REDUCTION_MEAN),                                \
        CLASSES("(6, 3) mean, one ignored", run, DIMS(6, 3), DIMS(6), 3, s, HEED_REDUCTION_MEAN, true, 1),             \
        CLASSES("(2, 4, 3) none, one ignored", run, DIMS(2, 4, 3), DIMS(2, 4), 3, s, HEED_REDUCTION_NONE, true, 2),    \
        CLASSES("(4, 3) mean, ignored absent", run, DIMS(4, 3), DIMS(4), 3, s, HEED_REDUCTION_MEAN, true, -100),       \
        CLASSES("(4, 3) sum, all ignored", run, DIMS(4, 3), DIMS(4), 1, s, HEED_REDUCTION_SUM, true, 0),               \
        CLASSES("(0, 3) sum", run, DIMS(0, 3), DIMS(0), 3, s, HEED_REDUCTION_SUM),                                     \
        CLASSES("(0, 3) none", run, DIMS(0, 3), DIMS(0), 3, s, HEED_REDUCTION_NONE),                                   \
        CLASSES("(2, 0, 3) none", run, DIMS(2, 0, 3), DIMS(2, 0), 3, s, HEED_REDUCTION_NONE),                          \
        CLASSES("(0, 0) none", run, DIMS(0, 0), DIMS(0), 1, s, HEED_REDUCTION_NONE)

#define WEIGHTED(name_, dims, target_dims, classes, smoothing, ...)                                                    \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3,                                                                                  \
        .in = {{.shape = dims},                                                                                        \
               {.shape = target_dims, .kind = OP_INDEX, .high = classes},                                              \
               {.shape = DIMS(classes), .low = 0.3, .high = 2}},                                                       \
        .i = {__VA_ARGS__}, .p = {                                                                                     \
            smoothing                                                                                                  \
        }                                                                                                              \
    }

#define WEIGHTED_SAMPLES(s)                                                                                            \
    WEIGHTED("(3) weighted", DIMS(3), NO_DIMS, 3, s, HEED_REDUCTION_MEAN),                                             \
        WEIGHTED("(4, 1) weighted", DIMS(4, 1), DIMS(4), 1, s, HEED_REDUCTION_NONE),                                   \
        WEIGHTED("(5, 3) weighted mean", DIMS(5, 3), DIMS(5), 3, s, HEED_REDUCTION_MEAN),                              \
        WEIGHTED("(5, 3) weighted sum", DIMS(5, 3), DIMS(5), 3, s, HEED_REDUCTION_SUM),                                \
        WEIGHTED("(2, 3, 5) weighted mean, one ignored", DIMS(2, 3, 5), DIMS(2, 3), 5, s, HEED_REDUCTION_MEAN, true,   \
                 2),                                                                                                   \
        WEIGHTED("(2, 4, 3) weighted, one ignored", DIMS(2, 4, 3), DIMS(2, 4), 3, s, HEED_REDUCTION_NONE, true, 2),    \
        WEIGHTED("(4, 3) weighted mean, ignored absent", DIMS(4, 3), DIMS(4), 3, s, HEED_REDUCTION_MEAN, true, -100),  \
        WEIGHTED("(0, 3) weighted sum", DIMS(0, 3), DIMS(0), 3, s, HEED_REDUCTION_SUM)

/* Examples that the rows share; c as in class_options. */
#define SIX_SCORES GIVEN_ONES(HEED_F64, DIMS(2, 3))

static const op_example bad_classes[] = {
    {"NULL", {{0}, GIVEN(HEED_I64, DIMS(2), 0, 0)}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"targets NULL", {SIX_SCORES}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"i64",
     {GIVEN_ONES(HEED_I64, DIMS(2, 3)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
     FAILS(HEED_ERR_DTYPE, ": the tensor is i64 (2, 3): must be f32 or f64")},
    {"scalar",
     {GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN(HEED_I64, NO_DIMS, 0)},
     FAILS(HEED_ERR_SHAPE, ": targets (): must be one per row of input ()")},
    {"(3) targets",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(3), 0, 0, 0)},
     FAILS(HEED_ERR_SHAPE, ": targets (3): must be one per row of input (2, 3)")},
    {"(2, 3) targets",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2, 3), 0, 0, 0, 0, 0, 0)},
     FAILS(HEED_ERR_SHAPE, ": targets (2, 3): must be one per row")},
    {"(2) targets",
     {GIVEN_ONES(HEED_F64, DIMS(2, 3, 4)), GIVEN(HEED_I64, DIMS(2), 0, 0)},
     FAILS(HEED_ERR_SHAPE, ": targets (2): must be one per row of input (2, 3, 4)")},
    {"reduction -1",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1)},
     .i = {-1},
     FAILS(HEED_ERR_ARGUMENT, ": reduction is -1: must be")},
    {"classes on axis 1",
     {GIVEN_ONES(HEED_F64, DIMS(2, 3, 4)), GIVEN(HEED_I64, DIMS(2, 4), 0, 0, 0, 0, 0, 0, 0, 0)},
     FAILS(HEED_ERR_SHAPE, "must be on the last axis, not on axis 1")},
    {"target 3",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 3)},
     FAILS(HEED_ERR_INDEX, ": target 3, element 1 of (2), is outside the 3 classes")},
    {"target -1",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), -1, 1)},
     FAILS(HEED_ERR_INDEX, ": target -1, element 0 of (2), is outside the 3 classes")},
    {"-100 not ignored",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, -100)},
     .i = {HEED_REDUCTION_MEAN, false, -100},
     FAILS(HEED_ERR_ARGUMENT, ": ignore_index is -100 and has_ignore_index is false")},
    {"another ignored",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), -1, -2)},
     .i = {HEED_REDUCTION_MEAN, true, -1},
     FAILS(HEED_ERR_INDEX, ": target -2, element 1 of (2)")},
    {"four weights",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1), GIVEN_ONES(HEED_F64, DIMS(4))},
     FAILS(HEED_ERR_SHAPE, ": weight (4): must be (3), one per class of input (2, 3)")},
    {"weight (1, 3)",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1), GIVEN_ONES(HEED_F64, DIMS(1, 3))},
     FAILS(HEED_ERR_SHAPE, ": weight (1, 3): must be (3)")},
    {"f32 weight",
     {SIX_SCORES, GIVEN(HEED_I64, DIMS(2), 0, 1), GIVEN_ONES(HEED_F32, DIMS(3))},
     FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (2, 3) and f32 (3)")},
    {"no classes",
     {GIVEN_ONES(HEED_F64, DIMS(1, 0)), GIVEN(HEED_I64, DIMS(1), 0)},
     FAILS(HEED_ERR_INDEX, ": target 0, element 0 of (1), is outside the 0 classes")},
    {0}};

static const op_example mean_of_no_rows[] = {
    {"mean of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 3)), GIVEN_ONES(HEED_I64, DIMS(0))}, RESULT(NO_DIMS, 0, NAN)},
    {0}};

#endif
