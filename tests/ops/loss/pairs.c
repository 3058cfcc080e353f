/* tests/ops/loss/pairs.c - losses of pairs of elements: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "losses.h"

#define REDUCTION_OF(c) ((heed_reduction)(c)->i[0])
#define NONE HEED_REDUCTION_NONE

/* -- Differences --------------------------------------------------------------------------------------------------- */

#define INPUTS(dtype) GIVEN(dtype, DIMS(2, 2), 1, 2, 3, 4), GIVEN(dtype, DIMS(2, 2), 1, 0, 6, 3)

ROW(mse_loss, heed_mse_loss(in[0], in[1], REDUCTION_OF(c)), CASES(PAIR_SAMPLES(NULL, 0, .low = -2, .high = 2)),
    EXAMPLES({"mean", {INPUTS(HEED_F64)}, .i = {HEED_REDUCTION_MEAN}, RESULT(NO_DIMS, 0, 3.5)},
             {"sum", {INPUTS(HEED_F32)}, .i = {HEED_REDUCTION_SUM}, RESULT(NO_DIMS, 0, 14)},
             {"none", {INPUTS(HEED_F64)}, .i = {NONE}, RESULT(DIMS(2, 2), 0, 0, 4, 9, 1)}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}})

/* The gradient is 0 at the kink, and 1 at infinity; NaN stays. */
#define LIMITS GIVEN(HEED_F64, DIMS(4), 0, -INFINITY, INFINITY, NAN), GIVEN(HEED_F64, DIMS(4), 0, 0, 0, 0)

ROW(l1_loss, heed_l1_loss(in[0], in[1], REDUCTION_OF(c)),
    CASES(PAIR_SAMPLES(NULL, 0, .low = -2, .high = 2, .distinct = true)),
    EXAMPLES({"special", {LIMITS}, .i = {NONE}, RESULT(DIMS(4), 0, 0, INFINITY, INFINITY, NAN)},
             {"special gradients", {LIMITS}, .i = {NONE}, .slope = 1, RESULT(DIMS(4), 0, 0, -1, 1, NAN)}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}})

/* On both sides of a beta or delta of 2, at infinity, and NaN. */
#define SPECIAL(dtype)                                                                                                 \
    GIVEN(dtype, DIMS(7), 0, 1, -2, 3, -INFINITY, INFINITY, NAN), GIVEN(dtype, DIMS(7), 0, 0, 0, 0, 0, 0, 0)
#define TO_ZERO(dtype) GIVEN(dtype, DIMS(3), 0, -1, 2), GIVEN(dtype, DIMS(3), 0, 0, 0)
#define TWO_ONES GIVEN_ONES(HEED_F64, DIMS(2)), GIVEN_ONES(HEED_F64, DIMS(2))

RUN(smooth_l1_of_1, heed_smooth_l1_loss(in[0], in[1], 1, REDUCTION_OF(c)))

ROW(smooth_l1_loss, heed_smooth_l1_loss(in[0], in[1], c->p[0], REDUCTION_OF(c)),
    CASES(PAIR_SAMPLES(NULL, 0.3, .low = -2, .high = 2, .distinct = true),
          PAIR("(2, 3) beta 1.1", NULL, DIMS(2, 3), HEED_REDUCTION_MEAN, 1.1, .distinct = true),
          PAIR("(1, 37, 1) beta 1.1", NULL, DIMS(1, 37, 1), NONE, 1.1, .distinct = true),
          PAIR("(2, 3) beta 0", NULL, DIMS(2, 3), HEED_REDUCTION_SUM, 0, .distinct = true),
          PAIR("(2, 3) beta 100", NULL, DIMS(2, 3), HEED_REDUCTION_SUM, 100, .low = -2, .high = 2)),
    EXAMPLES(
        {"special",
         {SPECIAL(HEED_F64)},
         .i = {NONE},
         .p = {2},
         RESULT(DIMS(7), 0, 0, 0.25, 1, 2, INFINITY, INFINITY, NAN)},
        {"special, f32",
         {SPECIAL(HEED_F32)},
         .i = {NONE},
         .p = {2},
         RESULT(DIMS(7), 0, 0, 0.25, 1, 2, INFINITY, INFINITY, NAN)},
        {"special gradients",
         {SPECIAL(HEED_F64)},
         .i = {NONE},
         .p = {2},
         .slope = 1,
         RESULT(DIMS(7), 0, 0, 0.5, -1, 1, -1, 1, NAN)},
        /* A beta that f32 rounds to 0, and one whose reciprocal is infinite. */
        {"beta below f32", {TO_ZERO(HEED_F32)}, .i = {NONE}, .p = {1e-60}, .slope = 1, RESULT(DIMS(3), 0, 0, -1, 1)},
        {"beta below 1 / DBL_MAX",
         {TO_ZERO(HEED_F64)},
         .i = {NONE},
         .p = {1e-310},
         .slope = 1,
         RESULT(DIMS(3), 0, 0, -1, 1)},
        {"beta -0.5", {TWO_ONES}, .p = {-0.5}, FAILS(HEED_ERR_ARGUMENT, ": beta is -0.5")},
        {"beta inf", {TWO_ONES}, .p = {INFINITY}, FAILS(HEED_ERR_ARGUMENT, ": beta is inf")},
        {"beta NaN", {TWO_ONES}, .p = {NAN}, FAILS(HEED_ERR_ARGUMENT, ": beta is nan")}),
    .shared = {{.examples = bad_pairs, .run = smooth_l1_of_1}, {.examples = mean_of_nothing, .run = smooth_l1_of_1}})

RUN(huber_of_1, heed_huber_loss(in[0], in[1], 1, REDUCTION_OF(c)))

ROW(huber_loss, heed_huber_loss(in[0], in[1], c->p[0], REDUCTION_OF(c)),
    CASES(PAIR_SAMPLES(NULL, 0.3, .low = -2, .high = 2, .distinct = true),
          PAIR("(2, 3) delta 1.1", NULL, DIMS(2, 3), HEED_REDUCTION_MEAN, 1.1, .distinct = true),
          PAIR("(2, 3) delta 100", NULL, DIMS(2, 3), HEED_REDUCTION_SUM, 100, .distinct = true)),
    EXAMPLES(
        {"special",
         {SPECIAL(HEED_F64)},
         .i = {NONE},
         .p = {2},
         RESULT(DIMS(7), 0, 0, 0.5, 2, 4, INFINITY, INFINITY, NAN)},
        {"f32", {SPECIAL(HEED_F32)}, .i = {NONE}, .p = {2}, RESULT(DIMS(7), 0, 0, 0.5, 2, 4, INFINITY, INFINITY, NAN)},
        {"gradients",
         {SPECIAL(HEED_F64)},
         .i = {NONE},
         .p = {2},
         .slope = 1,
         RESULT(DIMS(7), 0, 0, 1, -2, 2, -2, 2, NAN)},
        {"delta 0", {TWO_ONES}, .p = {0}, FAILS(HEED_ERR_ARGUMENT, ": delta is 0: must be finite")},
        {"delta inf", {TWO_ONES}, .p = {INFINITY}, FAILS(HEED_ERR_ARGUMENT, ": delta is inf")},
        {"delta NaN", {TWO_ONES}, .p = {NAN}, FAILS(HEED_ERR_ARGUMENT, ": delta is nan")}),
    .shared = {{.examples = bad_pairs, .run = huber_of_1}, {.examples = mean_of_nothing, .run = huber_of_1}})

/* -- Signs --------------------------------------------------------------------------------------------------------- */

#define SCORES GIVEN(HEED_F64, DIMS(4), 0.5, -3, -2, 1), GIVEN(HEED_F64, DIMS(4), 1, -1, 1, -1)

ROW(hinge_loss, heed_hinge_loss(in[0], in[1], REDUCTION_OF(c)), CASES(PAIR_SAMPLES(NULL, 0, .low = -0.9, .high = 0.9)),
    EXAMPLES({"values", {SCORES}, .i = {NONE}, RESULT(DIMS(4), 0, 0.5, 0, 3, 2)},
             {"gradient", {SCORES}, .i = {NONE}, .slope = 1, RESULT(DIMS(4), 0, -1, 0, -1, 1)}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}})

/* The signs of cases are drawn as a mask: heed_where converts it to 1 and -1. */
static heed_tensor *signs(heed_tensor *mask, heed_dtype dtype)
{
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR);
    return heed_where(mask, one, heed_neg(one));
}

RUN(hinge_of_masks, heed_hinge_embedding_loss(in[0], signs(in[1], heed_dtype_of(in[0])), c->p[0], REDUCTION_OF(c)))
RUN(hinge_embedding_of_1, heed_hinge_embedding_loss(in[0], in[1], 1, REDUCTION_OF(c)))

#define SIGNS(name_, dims, reduction, margin)                                                                          \
    {                                                                                                                  \
        .name = name_, .run = hinge_of_masks, .n_inputs = 2,                                                           \
        .in = {{.shape = dims, .distinct = true}, {.shape = dims, .kind = OP_MASK}}, .i = {reduction}, .p = {          \
            margin                                                                                                     \
        }                                                                                                              \
    }
#define DISTANCES GIVEN(HEED_F64, DIMS(5), 0.5, 0.5, 3, NAN, -1), GIVEN(HEED_F64, DIMS(5), 1, -1, -1, 0, 1)

ROW(hinge_embedding_loss, heed_hinge_embedding_loss(in[0], in[1], c->p[0], REDUCTION_OF(c)),
    CASES(SIGNS("()", NO_DIMS, HEED_REDUCTION_SUM, 1.03), SIGNS("(5)", DIMS(5), HEED_REDUCTION_MEAN, 1.03),
          SIGNS("(2, 3)", DIMS(2, 3), NONE, 1.03), SIGNS("(0, 3)", DIMS(0, 3), HEED_REDUCTION_SUM, 1)),
    EXAMPLES({"values", {DISTANCES}, .i = {NONE}, .p = {2}, RESULT(DIMS(5), 0, 0.5, 1.5, 0, 0, -1)},
             {"gradient", {DISTANCES}, .i = {NONE}, .p = {2}, .slope = 1, RESULT(DIMS(5), 0, 1, -1, 0, 0, 1)},
             {"margin inf", {TWO_ONES}, .p = {INFINITY}, FAILS(HEED_ERR_ARGUMENT, ": margin is inf")}),
    .shared = {{.examples = bad_pairs, .run = hinge_embedding_of_1},
               {.examples = mean_of_nothing, .run = hinge_embedding_of_1}})

/* -- Probabilities ------------------------------------------------------------------------------------------------- */

/* A target of 0 adds 0, even if its predicted probability is 0. p: whether the targets are logarithms. */
#define LOG_PROBABILITIES GIVEN(HEED_F64, DIMS(4), -INFINITY, -1, -2, NAN)
#define ONE_TARGET LOG_PROBABILITIES, GIVEN(HEED_F64, DIMS(4), 0, 0, 1, 0)
#define ONE_LOG_TARGET LOG_PROBABILITIES, GIVEN(HEED_F64, DIMS(4), -INFINITY, -INFINITY, 0, -INFINITY)

ROW(kl_div, heed_kl_div(in[0], in[1], c->p[0] != 0, REDUCTION_OF(c)),
    CASES(PAIR_SAMPLES(NULL, false, .low = 0.1, .high = 1), PAIR_SAMPLES(NULL, true, .low = -2, .high = -0.1)),
    EXAMPLES(
        {"impossible", {ONE_TARGET}, .i = {NONE}, RESULT(DIMS(4), 0, 0, 0, 2, 0)},
        {"impossible, logs", {ONE_LOG_TARGET}, .i = {NONE}, .p = {true}, RESULT(DIMS(4), 0, 0, 0, 2, 0)},
        {"gradient", {ONE_TARGET}, .i = {NONE}, .slope = 1, RESULT(DIMS(4), 0, 0, 0, -1, 0)},
        {"gradient, logs", {ONE_LOG_TARGET}, .i = {NONE}, .p = {true}, .slope = 1, RESULT(DIMS(4), 0, 0, 0, -1, 0)},
        {"no probability",
         {GIVEN_ONES(HEED_F64, DIMS(1)), GIVEN(HEED_F64, DIMS(1), -1)},
         .i = {HEED_REDUCTION_SUM},
         RESULT(NO_DIMS, 0, NAN)},
        {"target's gradient",
         {GIVEN(HEED_F64, DIMS(2), -INFINITY, -1), GIVEN(HEED_F64, DIMS(2), 0, 1)},
         .i = {NONE},
         .slope = 2,
         RESULT(DIMS(2), 0, 0, 2)}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}})

/* The third and fourth input are weight and pos_weight; i[1]: the third input is pos_weight. */
static heed_binary_cross_entropy_options binary_options(heed_tensor *const *in, const op_case *c)
{
    heed_tensor *third = c->n_inputs > 2 ? in[2] : NULL;
    return (heed_binary_cross_entropy_options){.reduction = REDUCTION_OF(c),
                                               .weight = c->i[1] ? NULL : third,
                                               .pos_weight = c->i[1]           ? third
                                                             : c->n_inputs > 3 ? in[3]
                                                                               : NULL};
}

#define BINARY(name_, dims, weight_dims, least, most, ...)                                                             \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3,                                                                                  \
        .in = {{.shape = dims, .low = least, .high = most},                                                            \
               {.shape = dims, .low = 0.1, .high = 0.9},                                                               \
               {.shape = weight_dims, .low = 0.3, .high = 2}},                                                         \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define WEIGHTED_BINARY(least, most)                                                                                   \
    BINARY("() weighted", NO_DIMS, NO_DIMS, least, most, HEED_REDUCTION_MEAN),                                         \
        BINARY("(2, 3) (3) weighted mean", DIMS(2, 3), DIMS(3), least, most, HEED_REDUCTION_MEAN),                     \
        BINARY("(2, 3) (2, 1) weighted sum", DIMS(2, 3), DIMS(2, 1), least, most, HEED_REDUCTION_SUM),                 \
        BINARY("(2, 3) weighted", DIMS(2, 3), DIMS(2, 3), least, most, NONE),                                          \
        BINARY("(0, 3) (3) weighted sum", DIMS(0, 3), DIMS(3), least, most, HEED_REDUCTION_SUM)

/* Examples of bad weights; c->i as in binary_options. */
#define PAIR_OF_TWO TWO(HEED_F64), TWO(HEED_F64)
static const op_example bad_weights[] = {
    {"weight (3)",
     {PAIR_OF_TWO, GIVEN_ONES(HEED_F64, DIMS(3))},
     FAILS(HEED_ERR_SHAPE, ": weight (3) does not broadcast to input (2)")},
    {"weight (1, 2)",
     {PAIR_OF_TWO, GIVEN_ONES(HEED_F64, DIMS(1, 2))},
     FAILS(HEED_ERR_SHAPE, ": weight (1, 2) does not broadcast to input (2)")},
    {"f32 weight", {PAIR_OF_TWO, TWO(HEED_F32)}, FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (2) and f32 (2)")},
    {0}};

/* Far logits, limits, NaN. */
#define FAR(dtype)                                                                                                     \
    GIVEN(dtype, DIMS(9), 1e4, 1e4, -1e4, -1e4, 1e4, INFINITY, -INFINITY, NAN, NAN),                                   \
        GIVEN(dtype, DIMS(9), 0, 1, 1, 0, 0.25, 1, 0, 0, 1)
#define FAR_LOSSES RESULT(DIMS(9), 0, 1e4, 0, 1e4, 0, 7500, 0, 0, NAN, NAN)
#define FAR_GRADIENTS RESULT(DIMS(9), 0, 1, 0, -1, 0, 0.75, 0, 0, NAN, NAN)

/* The gradient is sigmoid(x) - t to the last bit. */
static heed_tensor *at_targets(heed_tensor *x)
{
    heed_tensor *t = heed_linspace(heed_dtype_of(x), 0, 1, 101);
    return heed_binary_cross_entropy_with_logits(x, t,
                                                 &(heed_binary_cross_entropy_options){.reduction = HEED_REDUCTION_SUM});
}

static heed_tensor *slope_error(heed_dtype dtype)
{
    heed_tensor *x = heed_linspace(dtype, -8, 7, 101);
    heed_tensor *expected = heed_sub(heed_sigmoid(x), heed_linspace(dtype, 0, 1, 101));
    return heed_max(heed_abs(heed_sub(gradient(at_targets, x), expected)));
}

GIVES(error_f64, slope_error(HEED_F64))
GIVES(error_f32, slope_error(HEED_F32))

ROW(binary_cross_entropy_with_logits,
    heed_binary_cross_entropy_with_logits(in[0], in[1],
                                          (const heed_binary_cross_entropy_options[]){binary_options(in, c)}),
    CASES(WEIGHTED_BINARY(-2, 2), BINARY("(2, 3) (3) pos_weight, mean", DIMS(2, 3), DIMS(3), -2, 2, 0, true),
          BINARY("(2, 3) (2, 1) pos_weight", DIMS(2, 3), DIMS(2, 1), -2, 2, NONE, true),
          {.name = "(2, 3) (3) () both",
           .n_inputs = 4,
           .in = {{.shape = DIMS(2, 3)},
                  {.shape = DIMS(2, 3), .low = 0.1, .high = 0.9},
                  {.shape = DIMS(3)},
                  {.shape = NO_DIMS}}},
          PAIR_SAMPLES(NULL, 0, .low = -2, .high = 2),
          PAIR("(5, 7) far", NULL, DIMS(5, 7), HEED_REDUCTION_SUM, 0, .low = -20, .high = 20),
          PAIR("(3) at 0", NULL, DIMS(3), NONE, 0, .low = -1e-8, .high = 1e-8)),
    EXAMPLES({"far, f64", {FAR(HEED_F64)}, .i = {NONE}, FAR_LOSSES},
             {"far, f32", {FAR(HEED_F32)}, .i = {NONE}, FAR_LOSSES},
             {"far gradients, f64", {FAR(HEED_F64)}, .i = {NONE}, .slope = 1, FAR_GRADIENTS},
             {"far gradients, f32", {FAR(HEED_F32)}, .i = {NONE}, .slope = 1, FAR_GRADIENTS},
             {"far, pos_weight",
              {GIVEN(HEED_F64, DIMS(3), 1e4, -1e4, -1e4), GIVEN(HEED_F64, DIMS(3), 1, 1, 0),
               GIVEN(HEED_F64, DIMS(3), 3, 3, 3)},
              .i = {NONE, true},
              RESULT(DIMS(3), 0, 0, 3e4, 0)},
             {"pos_weight (3)",
              {PAIR_OF_TWO, GIVEN_ONES(HEED_F64, DIMS(3))},
              .i = {NONE, true},
              FAILS(HEED_ERR_SHAPE, ": pos_weight (3) does not broadcast to input (2)")}),
    VALUES({"gradient is exact, f64", error_f64, NO_DIMS, 0, (const double[]){0}},
           {"gradient is exact, f32", error_f32, NO_DIMS, 0, (const double[]){0}}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}, {.examples = bad_weights}})

/* Certain and impossible targets, NaN, and an input whose logarithm is below -100. */
#define CERTAIN GIVEN(HEED_F64, DIMS(6), 0, 1, 0, 1, NAN, 1e-50), GIVEN(HEED_F64, DIMS(6), 0, 1, 1, 0, 0, 1)

ROW(binary_cross_entropy,
    heed_binary_cross_entropy(in[0], in[1], (const heed_binary_cross_entropy_options[]){binary_options(in, c)}),
    CASES(WEIGHTED_BINARY(0.1, 0.9), PAIR_SAMPLES(NULL, 0, .low = 0.1, .high = 0.9)),
    EXAMPLES({"certain", {CERTAIN}, .i = {NONE}, RESULT(DIMS(6), 0, 0, 0, 100, 100, NAN, 100)},
             {"certain, gradient", {CERTAIN}, .i = {NONE}, .slope = 1, RESULT(DIMS(6), 0, 1, -1, 0, 0, NAN, 0)},
             {"certain, f32",
              {GIVEN(HEED_F32, DIMS(3), 0, 1, 1e-38), GIVEN(HEED_F32, DIMS(3), 1, 0, 1)},
              .i = {NONE},
              RESULT(DIMS(3), 1e-7, 100, 100, 87.498233534)},
             {"input 1.5",
              {GIVEN(HEED_F64, DIMS(2), 0, 1.5), TWO(HEED_F64)},
              FAILS(HEED_ERR_ARGUMENT, ": element 1 of input (2) is 1.5: must be in 0 .. 1")},
             {"input -1",
              {GIVEN(HEED_F64, DIMS(2), -1, 1), TWO(HEED_F64)},
              FAILS(HEED_ERR_ARGUMENT, ": element 0 of input (2) is -1: must be in 0 .. 1")},
             {"pos_weight",
              {PAIR_OF_TWO, TWO(HEED_F64)},
              .i = {NONE, true},
              FAILS(HEED_ERR_ARGUMENT, ": pos_weight is given: must be NULL")}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}, {.examples = bad_weights}})

/* -- Likelihoods --------------------------------------------------------------------------------------------------- */

/* i: reduction, no_log_input, full; p: eps */
static heed_poisson_nll_loss_options poisson_options(const op_case *c)
{
    return (heed_poisson_nll_loss_options){
        .reduction = REDUCTION_OF(c), .no_log_input = c->i[1], .full = c->i[2], .eps = c->p[0]};
}

#define RATES(name_, dims, least, eps, ...)                                                                            \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2,                                                                                  \
        .in = {{.shape = dims, .low = least, .high = 2}, {.shape = dims, .low = 0.1, .high = 5.03, .distinct = true}}, \
        .i = {__VA_ARGS__}, .p = {                                                                                     \
            eps                                                                                                        \
        }                                                                                                              \
    }

/* With `full`: a count of 3 adds ln 3! by Stirling, counts up to 1 add 0. */
#define COUNTS GIVEN(HEED_F64, DIMS(3), 0, 0, 0), GIVEN(HEED_F64, DIMS(3), 0, 1, 3)

ROW(poisson_nll_loss, heed_poisson_nll_loss(in[0], in[1], (const heed_poisson_nll_loss_options[]){poisson_options(c)}),
    CASES(RATES("() mean", NO_DIMS, -2, 0, HEED_REDUCTION_MEAN), RATES("(5) mean", DIMS(5), -2, 0, HEED_REDUCTION_MEAN),
          RATES("(2, 3) sum, full", DIMS(2, 3), -2, 0, HEED_REDUCTION_SUM, false, true),
          RATES("(2, 3) none, rates", DIMS(2, 3), 0.2, 0, NONE, true),
          RATES("(5) rates, eps, full", DIMS(5), 0.2, 0.5, HEED_REDUCTION_MEAN, true, true),
          RATES("(0, 3) sum", DIMS(0, 3), -2, 0, HEED_REDUCTION_SUM)),
    EXAMPLES(
        {"ln t!", {COUNTS}, .i = {NONE, false, true}, RESULT(DIMS(3), 1e-14, 1, 1, 2.764081543543057)},
        {"its slope", {COUNTS}, .i = {NONE, false, true}, .slope = 2, RESULT(DIMS(3), 1e-14, 0, 0, 1.265278955334776)},
        {"eps -1", {TWO_ONES}, .i = {0, true}, .p = {-1}, FAILS(HEED_ERR_ARGUMENT, ": eps is -1: must be")},
        {"eps NaN", {TWO_ONES}, .i = {0, true}, .p = {NAN}, FAILS(HEED_ERR_ARGUMENT, ": eps is nan")},
        {"eps of logarithms", {TWO_ONES}, .p = {0.5}, FAILS(HEED_ERR_ARGUMENT, ": eps is 0.5: must be 0")}),
    .shared = {{.examples = bad_pairs}, {.examples = mean_of_nothing}})

/* i: reduction, full; p: eps */
static heed_gaussian_nll_loss_options gaussian_options(const op_case *c)
{
    return (heed_gaussian_nll_loss_options){.reduction = REDUCTION_OF(c), .full = c->i[1], .eps = c->p[0]};
}

#define MEANS(name_, dims, var_dims, least, ...)                                                                       \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3,                                                                                  \
        .in = {{.shape = dims}, {.shape = dims}, {.shape = var_dims, .low = 0.3, .high = 2}}, .i = {__VA_ARGS__},      \
        .p = {                                                                                                         \
            least                                                                                                      \
        }                                                                                                              \
    }

/* The first input is the variance, too. */
RUN(gaussian_of_pairs,
    heed_gaussian_nll_loss(in[0], in[1], in[0], (const heed_gaussian_nll_loss_options[]){gaussian_options(c)}))

#define VARIANCES                                                                                                      \
    GIVEN(HEED_F64, DIMS(4), 0, 0, 0, 0), GIVEN(HEED_F64, DIMS(4), 1, 1, 1, 1), GIVEN(HEED_F64, DIMS(4), 0, 0.25, 1, 4)
#define ROWS_2_3 GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(2, 3))

ROW(gaussian_nll_loss,
    heed_gaussian_nll_loss(in[0], in[1], in[2], (const heed_gaussian_nll_loss_options[]){gaussian_options(c)}),
    CASES(MEANS("() mean", NO_DIMS, NO_DIMS, 0, HEED_REDUCTION_MEAN),
          MEANS("(5) mean", DIMS(5), DIMS(5), 0, HEED_REDUCTION_MEAN),
          MEANS("(2, 3) (2, 1) sum, full", DIMS(2, 3), DIMS(2, 1), 0, HEED_REDUCTION_SUM, true),
          MEANS("(2, 3) (3) none", DIMS(2, 3), DIMS(3), 0.01, NONE),
          MEANS("(3, 3) (3) none", DIMS(3, 3), DIMS(3), 0.01, NONE),
          MEANS("(2, 3) (2) mean", DIMS(2, 3), DIMS(2), 0.01, HEED_REDUCTION_MEAN),
          MEANS("(0, 3) sum", DIMS(0, 3), DIMS(3), 0, HEED_REDUCTION_SUM)),
    EXAMPLES({"variances",
              {VARIANCES},
              .i = {NONE},
              .p = {0.5},
              RESULT(DIMS(4), 1e-15, 0.6534264097200273, 0.6534264097200273, 0.5, 0.8181471805599453)},
             {"their slope", {VARIANCES}, .i = {NONE}, .p = {0.5}, .slope = 3, RESULT(DIMS(4), 0, 0, 0, 0, 0.09375)},
             {"var NULL", {ROWS_2_3}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"f32 var",
              {ROWS_2_3, GIVEN_ONES(HEED_F32, DIMS(2, 3))},
              FAILS(HEED_ERR_DTYPE, ": the tensors are f64 (2, 3)")},
             {"var (4)",
              {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(4))},
              FAILS(HEED_ERR_SHAPE, ": var (4) does not broadcast to input (2, 3)")},
             {"var (2, 2, 3)",
              {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(2, 2, 3))},
              FAILS(HEED_ERR_SHAPE, ": var (2, 2, 3) does")},
             {"var -2",
              {ROWS_2_3, GIVEN(HEED_F64, DIMS(3), 1, 0, -2)},
              FAILS(HEED_ERR_ARGUMENT, ": element 2 of var (3) is -2: must not be negative")},
             {"eps -1", {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(3))}, .p = {-1}, FAILS(HEED_ERR_ARGUMENT, ": eps is -1")}),
    .shared = {{.examples = bad_pairs, .run = gaussian_of_pairs},
               {.examples = mean_of_nothing, .run = gaussian_of_pairs}})
