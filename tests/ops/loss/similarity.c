/* tests/ops/loss/similarity.c - similarities and distances of rows: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "losses.h"

#include <limits.h>

#define REDUCTION_OF(c) ((heed_reduction)(c)->i[0])
#define NONE HEED_REDUCTION_NONE
#define ROWS_2_3 GIVEN_ONES(HEED_F64, DIMS(2, 3)), GIVEN_ONES(HEED_F64, DIMS(2, 3))
#define NO_ROWS GIVEN_ONES(HEED_F64, DIMS(0, 3)), GIVEN_ONES(HEED_F64, DIMS(0, 3))
#define TWO_SCALARS GIVEN_ONES(HEED_F64, NO_DIMS), GIVEN_ONES(HEED_F64, NO_DIMS)

/* -- cosine_similarity --------------------------------------------------------------------------------------------- */

#define AXIS(name_, a, b, axis)                                                                                        \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .i = { axis }                                \
    }
#define ZERO_AND_ONES GIVEN(HEED_F64, DIMS(4), 0, 0, 0, 0), GIVEN_ONES(HEED_F64, DIMS(4))

ROW(cosine_similarity, heed_cosine_similarity(in[0], in[1], (int)c->i[0]),
    CASES(AXIS("(3) (3)", DIMS(3), DIMS(3), 0), AXIS("(2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), -1),
          AXIS("(2, 3) axis 0", DIMS(2, 3), DIMS(2, 3), 0), AXIS("(4, 1, 3) (2, 3)", DIMS(4, 1, 3), DIMS(2, 3), 2),
          AXIS("(0, 3) (3)", DIMS(0, 3), DIMS(3), 1)),
    EXAMPLES({"angles",
              {GIVEN(HEED_F64, DIMS(4, 2), 1, 0, 2, 0, 3, 3, -1, -1), GIVEN(HEED_F64, DIMS(2), 5, 0)},
              .i = {1},
              RESULT(DIMS(4), 1e-15, 1, 1, 0.7071067811865475, -0.7071067811865475)},
             /* A zero vector has no direction, but a gradient. */
             {"of nothing", {ZERO_AND_ONES}, RESULT(NO_DIMS, 0, 0)},
             {"its gradient", {ZERO_AND_ONES}, .slope = 1, RESULT(DIMS(4), 1e-15, 5e7, 5e7, 5e7, 5e7)},
             {"large",
              {GIVEN(HEED_F32, DIMS(4), 1e18, 1e18, 1e18, 1e18), GIVEN_ONES(HEED_F32, DIMS(4))},
              RESULT(NO_DIMS, 1e-6, 1)},
             {"NULL", {{0}, TWO(HEED_F64)}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"b NULL", {TWO(HEED_F64)}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"f64 and f32", {TWO(HEED_F64), TWO(HEED_F32)}, FAILS(HEED_ERR_DTYPE, ": the tensors are f64")},
             {"i64", {TWO(HEED_I64), TWO(HEED_I64)}, FAILS(HEED_ERR_DTYPE, ": the tensors are i64")},
             {"(2) and (3)",
              {TWO(HEED_F64), GIVEN_ONES(HEED_F64, DIMS(3))},
              FAILS(HEED_ERR_SHAPE, ": shapes (2) and (3) do not broadcast")},
             {"axis 1", {TWO(HEED_F64), TWO(HEED_F64)}, .i = {1}, FAILS(HEED_ERR_SHAPE, ": there is no axis 1")},
             {"axis INT_MIN",
              {TWO(HEED_F64), TWO(HEED_F64)},
              .i = {INT_MIN},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -2")}))

/* -- cosine_embedding_loss ----------------------------------------------------------------------------------------- */

/* The targets of cases are drawn as a mask: 1 or -1. */
static heed_tensor *embedding_of_masks(heed_tensor *const *in, const op_case *c)
{
    heed_tensor *one = heed_ones(heed_dtype_of(in[0]), HEED_SCALAR), *target = heed_where(in[2], one, heed_neg(one));
    return heed_cosine_embedding_loss(in[0], in[1], target, c->p[0], REDUCTION_OF(c));
}

/* The target is 1. */
RUN(embedding_of_1, heed_cosine_embedding_loss(in[0], in[1], heed_ones(HEED_F64, HEED_SCALAR), 0, REDUCTION_OF(c)))

#define TARGETS(name_, dims, target_dims, reduction, margin)                                                           \
    {                                                                                                                  \
        .name = name_, .run = embedding_of_masks, .n_inputs = 3,                                                       \
        .in = {{.shape = dims}, {.shape = dims}, {.shape = target_dims, .kind = OP_MASK}}, .i = {reduction}, .p = {    \
            margin                                                                                                     \
        }                                                                                                              \
    }
#define PLANE GIVEN(HEED_F64, DIMS(4, 2), 1, 0, 1, 0, 1, 0, 1, 0)
#define TURNED GIVEN(HEED_F64, DIMS(4, 2), 0, 2, 4, 0, 0, 1, 1, 0)

ROW(cosine_embedding_loss, heed_cosine_embedding_loss(in[0], in[1], in[2], c->p[0], REDUCTION_OF(c)),
    CASES(TARGETS("(3)", DIMS(3), NO_DIMS, HEED_REDUCTION_SUM, -1.5),
          TARGETS("(4, 3) mean", DIMS(4, 3), DIMS(4), HEED_REDUCTION_MEAN, -1.5),
          TARGETS("(4, 3) none", DIMS(4, 3), DIMS(4), NONE, 1.5),
          TARGETS("(2, 2, 3) sum", DIMS(2, 2, 3), DIMS(2, 2), HEED_REDUCTION_SUM, -1.5),
          TARGETS("(0, 3) sum", DIMS(0, 3), DIMS(0), HEED_REDUCTION_SUM, 0)),
    EXAMPLES(
        {"values",
         {PLANE, TURNED, GIVEN(HEED_F64, DIMS(4), 1, -1, -1, 0)},
         .i = {NONE},
         .p = {0.25},
         RESULT(DIMS(4), 1e-15, 1, 0.75, 0, 0)},
        {"rows of nothing", {NO_PAIRS}, .run = embedding_of_1, RESULT(NO_DIMS, 0, 1)},
        {"mean of nothing", {NO_ROWS, GIVEN_ONES(HEED_F64, DIMS(0))}, RESULT(NO_DIMS, 0, NAN)},
        {"no targets", {ROWS_2_3}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"f32 targets", {ROWS_2_3, TWO(HEED_F32)}, FAILS(HEED_ERR_DTYPE, ": the tensors are")},
        {"(3) targets",
         {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(3))},
         FAILS(HEED_ERR_SHAPE, ": targets (3): must be one per row of a (2, 3)")},
        {"scalars", {TWO_SCALARS, GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ": targets (): must be one")},
        {"margin NaN", {ROWS_2_3, TWO(HEED_F64)}, .p = {NAN}, FAILS(HEED_ERR_ARGUMENT, ": margin is nan")}),
    .shared = {{.examples = bad_pairs, .run = embedding_of_1}})

/* -- triplet_margin_loss ------------------------------------------------------------------------------------------- */

/* i: reduction, swap; p: margin */
#define TRIPLET(name_, dims, margin, ...)                                                                              \
    {                                                                                                                  \
        .name = name_, .n_inputs = 3, .in = {{.shape = dims}, {.shape = dims}, {.shape = dims}}, .i = {__VA_ARGS__},   \
        .p = {                                                                                                         \
            margin                                                                                                     \
        }                                                                                                              \
    }
#define FOUR(...) GIVEN(HEED_F64, DIMS(2, 2), __VA_ARGS__)
#define POINTS_OF_PLANE FOUR(0, 0, 0, 0), FOUR(3, 4, 0, 0), FOUR(0, 8, 0, 9)

/* The first input is the negative, too. */
RUN(triplet_of_pairs, heed_triplet_margin_loss(in[0], in[1], in[0], 1, false, REDUCTION_OF(c)))

ROW(triplet_margin_loss, heed_triplet_margin_loss(in[0], in[1], in[2], c->p[0], c->i[1], REDUCTION_OF(c)),
    CASES(TRIPLET("(3) sum", DIMS(3), 5, HEED_REDUCTION_SUM),
          TRIPLET("(4, 3) mean", DIMS(4, 3), 6, HEED_REDUCTION_MEAN),
          TRIPLET("(4, 3) none, swapped", DIMS(4, 3), 6, NONE, true),
          TRIPLET("(2, 2, 3) none", DIMS(2, 2, 3), -9, NONE), TRIPLET("(0, 3) sum", DIMS(0, 3), 1, HEED_REDUCTION_SUM)),
    EXAMPLES(
        {"values", {POINTS_OF_PLANE}, .i = {NONE}, .p = {4}, RESULT(DIMS(2), 1e-6, 1, 0)},
        {"gradient", {POINTS_OF_PLANE}, .i = {NONE}, .p = {4}, .slope = 1, RESULT(DIMS(2, 2), 1e-6, -0.6, 0.2, 0, 0)},
        {"swapped", {POINTS_OF_PLANE}, .i = {HEED_REDUCTION_SUM, true}, .p = {4}, RESULT(NO_DIMS, 1e-6, 4)},
        {"rows of nothing", {NO_PAIRS}, .run = triplet_of_pairs, RESULT(NO_DIMS, 0, 1)},
        {"mean of nothing", {NO_ROWS, GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .p = {1}, RESULT(NO_DIMS, 0, NAN)},
        {"no negative", {ROWS_2_3}, .i = {0, true}, .p = {1}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(3)",
         {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(3))},
         .i = {0, true},
         .p = {1},
         FAILS(HEED_ERR_SHAPE, ": input (2, 3) and target (3) differ")},
        {"scalars",
         {TWO_SCALARS, GIVEN_ONES(HEED_F64, NO_DIMS)},
         .p = {1},
         FAILS(HEED_ERR_SHAPE, ": the anchor is a scalar")},
        {"margin inf",
         {ROWS_2_3, GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .i = {0, true},
         .p = {INFINITY},
         FAILS(HEED_ERR_ARGUMENT, ": margin is inf")}),
    .shared = {{.examples = bad_pairs, .run = triplet_of_pairs}})
