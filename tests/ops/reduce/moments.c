/* tests/ops/reduce/moments.c - variance, standard deviation and norms: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reductions.h"

/* -- var and std --------------------------------------------------------------------------------------------------- */

/* c->i: keepdim, correction. */
ROW(var, heed_var(in[0], c->shape, (int)c->i[1], c->i[0]),
    CASES(REDUCTION_SAMPLES(NULL, .low = -2, .high = 2),
          {.name = "(5, 7) unbiased",
           .n_inputs = 1,
           .in = {{.shape = DIMS(5, 7), .low = -2, .high = 2}},
           .i = {false, 1},
           .shape = DIMS(1)},
          REDUCTION("(5, 7) of 1e-4", NULL, DIMS(5, 7), DIMS(1), false, .low = -1e-4, .high = 1e-4),
          ONE("(2, 3) whole", NULL, DIMS(2, 3), .i = {false, 1})),
    EXAMPLES({"all", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {false, 1}, RESULT(NO_DIMS, 1e-16, 3.5)},
             {"axis 0", {COUNTING(HEED_F32, DIMS(2, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 2.25, 2.25, 2.25)},
             {"axes 0 2 keepdim",
              {COUNTING(HEED_F64, DIMS(2, 3, 2))},
              .axes = DIMS(0, 2),
              .i = {true, 1},
              RESULT(DIMS(1, 3, 1), 1e-15, 37.0 / 3, 37.0 / 3, 37.0 / 3)},
             {"of one", {GIVEN_ONES(HEED_F64, DIMS(1))}, .i = {false, 1}, RESULT(NO_DIMS, 0, NAN)},
             {"over-corrected", {GIVEN(HEED_F64, DIMS(2), 0, 1)}, .i = {false, 5}, RESULT(NO_DIMS, 0, INFINITY)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0))}, RESULT(NO_DIMS, 0, NAN)},
             /* So far from 0 that E[x^2] - E[x]^2 would lose all digits. */
             {"far away",
              {GIVEN(HEED_F64, DIMS(5), 1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4)},
              .i = {false, 1},
              RESULT(NO_DIMS, 0, 2.5)}),
    .shared = {{.examples = bad_axes}, {.examples = bad_dtypes}})

#define STD(name_, dims, axes, keepdim, correction)                                                                    \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = {keepdim, correction},           \
        .shape = axes                                                                                                  \
    }

static heed_tensor *whole_std(heed_tensor *x)
{
    return heed_std(x, HEED_ALL_AXES, 1, false);
}

GIVES(no_spread, gradient(whole_std, heed_full(HEED_F64, HEED_SHAPE(3), 2)))

ROW(std, heed_std(in[0], c->shape, (int)c->i[1], c->i[0]),
    CASES(STD("(5)", DIMS(5), NO_DIMS, false, 1), STD("(5, 7) axis 0", DIMS(5, 7), DIMS(0), false, 0),
          STD("(5, 7) axis 1 keepdim", DIMS(5, 7), DIMS(-1), true, 1),
          STD("(2, 3, 5) axes 0 2", DIMS(2, 3, 5), DIMS(0, 2), false, 2),
          STD("(0, 3) axis 1", DIMS(0, 3), DIMS(1), false, 1), ONE("(2, 3) whole", NULL, DIMS(2, 3), .i = {0})),
    EXAMPLES({"all", {GIVEN(HEED_F64, DIMS(2, 2), 1, 3, 5, 7)}, RESULT(NO_DIMS, 1e-16, 2.23606797749979)},
             {"axis 1 keepdim",
              {GIVEN(HEED_F32, DIMS(2, 2), 1, 3, 5, 5)},
              .axes = DIMS(1),
              .i = {true},
              RESULT(DIMS(2, 1), 0, 1, 0)},
             {"of one", {GIVEN_ONES(HEED_F64, DIMS(1))}, .i = {false, 1}, RESULT(NO_DIMS, 0, NAN)},
             {"of NaN", {GIVEN(HEED_F64, DIMS(2), 1, NAN)}, .i = {false, 1}, RESULT(NO_DIMS, 0, NAN)}),
    VALUES({"gradient without spread", no_spread, DIMS(3), 0, (const double[]){0, 0, 0}}),
    .shared = {{.examples = bad_axes}, {.examples = bad_dtypes}})

/* -- Norms --------------------------------------------------------------------------------------------------------- */

#define NORM(name_, dims, axes, keepdim, order)                                                                        \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .gap = 0.1}}, .i = {keepdim}, .shape = axes, .p = {       \
            order                                                                                                      \
        }                                                                                                              \
    }
#define EXTREME(name_, dims, axes, keepdim, order)                                                                     \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{.shape = dims, .distinct = true, .low = 0.5, .high = 2}},                \
        .i = {keepdim}, .shape = axes, .p = {                                                                          \
            order                                                                                                      \
        }                                                                                                              \
    }

#define FOUR GIVEN(HEED_F64, DIMS(2, 2), 3, -4, 0, 1)

/* The gradients of the p-norms of the rows (0, 0) and (0, -2), with p = `order`. */
#define SLOPES(name, order)                                                                                            \
    static heed_tensor *name##_norm(heed_tensor *x)                                                                    \
    {                                                                                                                  \
        return heed_norm(x, order, HEED_AXES(1), false);                                                               \
    }                                                                                                                  \
    GIVES(name, gradient(name##_norm, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 0, 0, -2)))
SLOPES(slopes_1, 1)
SLOPES(slopes_2, 2)
SLOPES(slopes_3, 3)
SLOPES(slopes_half, 0.5)
SLOPES(slopes_between, 1.5)
SLOPES(slopes_0, 0)
SLOPES(slopes_most, INFINITY)

/* For bad axes and dtypes. */
RUN(norm_2, heed_norm(in[0], 2, c->shape, false))

ROW(norm, heed_norm(in[0], c->p[0], c->shape, c->i[0]),
    CASES(NORM("(5)", DIMS(5), NO_DIMS, false, 2), NORM("() p 2", NO_DIMS, NO_DIMS, false, 2),
          NORM("(5, 7) p 1", DIMS(5, 7), DIMS(0), false, 1), NORM("(5, 7) p 2", DIMS(5, 7), DIMS(-1), true, 2),
          NORM("(5, 7) p 3", DIMS(5, 7), DIMS(-1), true, 3), NORM("(5, 7) p 1.5", DIMS(5, 7), DIMS(0), false, 1.5),
          NORM("(5) p 0.5", DIMS(5), NO_DIMS, false, 0.5), NORM("(5) p -1", DIMS(5), NO_DIMS, false, -1),
          NORM("(2, 3) p 0", DIMS(2, 3), DIMS(0), false, 0),
          NORM("(2, 3, 5) axes 0 2", DIMS(2, 3, 5), DIMS(0, 2), false, 2),
          NORM("(0, 3) axis 1", DIMS(0, 3), DIMS(1), false, 2),
          EXTREME("(5, 7) inf", DIMS(5, 7), DIMS(0), false, INFINITY),
          EXTREME("(2, 3, 5) -inf", DIMS(2, 3, 5), DIMS(1), true, -INFINITY),
          ONE("(2, 3) whole", NULL, DIMS(2, 3), .p = {2})),
    EXAMPLES(
        {"p 1", {FOUR}, .p = {1}, RESULT(NO_DIMS, 0, 8)},
        {"p 2", {FOUR}, .p = {2}, RESULT(NO_DIMS, 1e-16, 5.0990195135927845)},
        {"p 3", {FOUR}, .p = {3}, RESULT(NO_DIMS, 1e-15, 4.514357435474001)},
        {"p 0.5", {FOUR}, .p = {0.5}, RESULT(NO_DIMS, 1e-15, 22.392304845413264)},
        {"p 0", {FOUR}, .p = {0}, RESULT(NO_DIMS, 0, 3)}, {"inf", {FOUR}, .p = {INFINITY}, RESULT(NO_DIMS, 0, 4)},
        {"-inf", {FOUR}, .p = {-INFINITY}, RESULT(NO_DIMS, 0, 0)},
        {"p -1", {GIVEN(HEED_F64, DIMS(2), 2, -2)}, .p = {-1}, RESULT(NO_DIMS, 0, 1)},
        {"of infinities", {GIVEN(HEED_F64, DIMS(2), INFINITY, -INFINITY)}, .p = {-1}, RESULT(NO_DIMS, 0, INFINITY)},
        {"of nothing", {GIVEN_ONES(HEED_F32, DIMS(0, 2))}, .p = {2}, .axes = DIMS(0), RESULT(DIMS(2), 0, 0, 0)},
        {"of NaN", {GIVEN(HEED_F64, DIMS(2), 1, NAN)}, .p = {3}, RESULT(NO_DIMS, 0, NAN)},
        {"p NaN", {GIVEN_ONES(HEED_F64, DIMS(2))}, .p = {NAN}, FAILS(HEED_ERR_ARGUMENT, ": p is nan: must not be NaN")},
        {"inf of nothing",
         {GIVEN_ONES(HEED_F64, DIMS(0))},
         .p = {INFINITY},
         FAILS(HEED_ERR_SHAPE, ": max: axis 0 of (0) is empty")}),
    VALUES({"slopes 1", slopes_1, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}},
           {"slopes 2", slopes_2, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}},
           {"slopes 3", slopes_3, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
           {"slopes 0.5", slopes_half, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
           {"slopes 1.5", slopes_between, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
           {"slopes 0", slopes_0, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
           {"slopes inf", slopes_most, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}}),
    .shared = {{.examples = bad_axes, .run = norm_2}, {.examples = bad_dtypes, .run = norm_2}})
