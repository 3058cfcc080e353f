/* tests/ops/losses.h - samples and bad arguments for losses: of pairs, and of classes. */
#ifndef HEED_TESTS_OPS_LOSSES_H
#define HEED_TESTS_OPS_LOSSES_H

#include "functions.h"

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

/* BAD_PAIRS(heed_mse_loss(a, b, reduction)) defines the functions that BAD_PAIRS_ERRORS("mse_loss") lists, and the
 * mean of empty inputs. */
#define BAD_PAIRS(expression)                                                                                          \
    static heed_tensor *bad(heed_tensor *a, heed_tensor *b, heed_reduction reduction)                                  \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    GIVES(of_null, bad(NULL, ONES(HEED_F64, 2), HEED_REDUCTION_SUM))                                                   \
    GIVES(null_target, bad(ONES(HEED_F64, 2), NULL, HEED_REDUCTION_SUM))                                               \
    GIVES(shapes, bad(ONES(HEED_F64, 2, 1), ONES(HEED_F64, 2), HEED_REDUCTION_MEAN))                                   \
    GIVES(mixed, bad(ONES(HEED_F64, 2), ONES(HEED_F32, 2), HEED_REDUCTION_MEAN))                                       \
    GIVES(of_i64, bad(ONES(HEED_I64, 2), ONES(HEED_I64, 2), HEED_REDUCTION_MEAN))                                      \
    GIVES(no_reduction, bad(ONES(HEED_F64, 2), ONES(HEED_F64, 2), (heed_reduction)3))                                  \
    GIVES(mean_of_nothing, bad(ONES(HEED_F64, 0), ONES(HEED_F64, 0), HEED_REDUCTION_MEAN))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

#define BAD_PAIRS_ERRORS(op)                                                                                           \
    {"NULL", of_null, HEED_ERR_ARGUMENT, op ":"}, {"target NULL", null_target, HEED_ERR_ARGUMENT, op ":"},             \
        {"shapes", shapes, HEED_ERR_SHAPE, op ": input (2, 1) and target (2) differ"},                                 \
        {"f64 and f32", mixed, HEED_ERR_DTYPE, op ": the tensors are "},                                               \
        {"i64", of_i64, HEED_ERR_DTYPE, op ": the tensors are "},                                                      \
    {                                                                                                                  \
        "reduction is 3: must be", no_reduction, HEED_ERR_ARGUMENT, op ": reduction is 3: must be"                     \
    }

/* -- Classes ------------------------------------------------------------------------------------------------------- */

/* c->i: reduction, whether there is an ignored index, that index; c->p[0]: label smoothing. */
static inline heed_class_loss_options class_options(const op_case *c)
{
    return (heed_class_loss_options){.reduction = (heed_reduction)c->i[0],
                                     .has_ignore_index = c->i[1] != 0,
                                     .ignore_index = c->i[2],
                                     .label_smoothing = c->p[0]};
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

/* BAD_CLASSES(heed_nll_loss) defines the functions that BAD_CLASSES_ERRORS("nll_loss") lists. */
#define BAD_CLASSES(loss)                                                                                              \
    static heed_tensor *of_targets(double first, double second, const heed_class_loss_options *options)                \
    {                                                                                                                  \
        return loss(ONES(HEED_F64, 2, 3), HEED_TENSOR(HEED_I64, HEED_SHAPE(2), first, second), options);               \
    }                                                                                                                  \
    GIVES(of_null, loss(NULL, heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL))                                              \
    GIVES(null_targets, loss(ONES(HEED_F64, 2, 3), NULL, NULL))                                                        \
    GIVES(of_i64, loss(ONES(HEED_I64, 2, 3), heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL))                               \
    GIVES(float_targets, loss(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 2), NULL))                                          \
    GIVES(of_scalar, loss(heed_ones(HEED_F64, HEED_SCALAR), heed_zeros(HEED_I64, HEED_SCALAR), NULL))                  \
    GIVES(too_short, loss(ONES(HEED_F64, 2, 3), heed_zeros(HEED_I64, HEED_SHAPE(3)), NULL))                            \
    GIVES(with_classes, loss(ONES(HEED_F64, 2, 3), heed_zeros(HEED_I64, HEED_SHAPE(2, 3)), NULL))                      \
    GIVES(too_few_axes, loss(ONES(HEED_F64, 2, 3, 4), heed_zeros(HEED_I64, HEED_SHAPE(2)), NULL))                      \
    GIVES(on_axis_1, loss(ONES(HEED_F64, 2, 3, 4), heed_zeros(HEED_I64, HEED_SHAPE(2, 4)), NULL))                      \
    GIVES(no_reduction, of_targets(0, 1, &(heed_class_loss_options){.reduction = (heed_reduction)-1}))                 \
    GIVES(too_high, of_targets(0, 3, NULL))                                                                            \
    GIVES(below_0, of_targets(-1, 1, NULL))                                                                            \
    GIVES(not_ignored, of_targets(0, -100, &(heed_class_loss_options){.ignore_index = -100}))                          \
    GIVES(another, of_targets(-1, -2, &(heed_class_loss_options){.has_ignore_index = true, .ignore_index = -1}))       \
    GIVES(no_classes, loss(ONES(HEED_F64, 1, 0), heed_zeros(HEED_I64, HEED_SHAPE(1)), NULL))                           \
    GIVES(mean_of_nothing, loss(ONES(HEED_F64, 0, 3), heed_zeros(HEED_I64, HEED_SHAPE(0)), NULL))

#define BAD_CLASSES_ERRORS(op)                                                                                         \
    {"NULL", of_null, HEED_ERR_ARGUMENT, op ":"}, {"targets NULL", null_targets, HEED_ERR_ARGUMENT, op ":"},           \
        {"i64", of_i64, HEED_ERR_DTYPE, op ": the tensor is i64 (2, 3): must be f32 or f64"},                          \
        {"f64 targets", float_targets, HEED_ERR_DTYPE, op ": the targets are f64 (2): must be i64"},                   \
        {"scalar", of_scalar, HEED_ERR_SHAPE, op ": targets (): must be one per row of input ()"},                     \
        {"(3) targets", too_short, HEED_ERR_SHAPE, op ": targets (3): must be one per row of input (2, 3)"},           \
        {"(2, 3) targets", with_classes, HEED_ERR_SHAPE, op ": targets (2, 3): must be one per row"},                  \
        {"(2) targets", too_few_axes, HEED_ERR_SHAPE, op ": targets (2): must be one per row of input (2, 3, 4)"},     \
        {"reduction -1", no_reduction, HEED_ERR_ARGUMENT, op ": reduction is -1: must be"},                            \
        {"classes on axis 1", on_axis_1, HEED_ERR_SHAPE, "must be on the last axis, not on axis 1"},                   \
        {"target 3", too_high, HEED_ERR_INDEX, op ": target 3, element 1 of (2), is outside the 3 classes"},           \
        {"target -1", below_0, HEED_ERR_INDEX, op ": target -1, element 0 of (2), is outside the 3 classes"},          \
        {"-100 not ignored", not_ignored, HEED_ERR_ARGUMENT,                                                           \
         op ": ignore_index is -100 and has_ignore_index is false"},                                                   \
        {"another ignored", another, HEED_ERR_INDEX, op ": target -2, element 1 of (2)"},                              \
    {                                                                                                                  \
        "no classes", no_classes, HEED_ERR_INDEX, op ": target 0, element 0 of (1), is outside the 0 classes"          \
    }

#endif
