/* tests/ops/shape/views.c - other shapes, other orders of axes, repeated axes: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "rows.h"

#include <limits.h>

/* -- reshape ------------------------------------------------------------------------------------------------------- */

RUN(reshape_of_transposed, heed_reshape(heed_transpose(in[0], 0, 1), c->shape))
RUN(reshape_of_flipped, heed_reshape(heed_flip(in[0], HEED_AXES(0)), c->shape))
GIVES(reshape_transposed, heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1))
GIVES(reshape_expanded, heed_expand(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), 0, 1), HEED_SHAPE(2, 3)))

ROW(reshape, heed_reshape(in[0], c->shape),
    CASES(ONE("() to ()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("() to (1, 1)", NULL, NO_DIMS, .shape = DIMS(1, 1)),
          ONE("(1) to ()", NULL, DIMS(1), .shape = NO_DIMS), ONE("(5) to (5, 1)", NULL, DIMS(5), .shape = DIMS(5, 1)),
          ONE("(2, 3) to (6)", NULL, DIMS(2, 3), .shape = DIMS(6)),
          ONE("(2, 3) to (3, 2)", NULL, DIMS(2, 3), .shape = DIMS(3, 2)),
          ONE("(2, 3) to (2, 3)", NULL, DIMS(2, 3), .shape = DIMS(2, 3)),
          ONE("(7, 1) to (1, -1)", NULL, DIMS(7, 1), .shape = DIMS(1, -1)),
          ONE("(4, 3, 5) to (2, 2, 15)", NULL, DIMS(4, 3, 5), .shape = DIMS(2, 2, 15)),
          ONE("(2, 3, 1, 2, 2) to (6, -1)", NULL, DIMS(2, 3, 1, 2, 2), .shape = DIMS(6, -1)),
          ONE("(0, 3) to (3, 0)", NULL, DIMS(0, 3), .shape = DIMS(3, 0)),
          ONE("(3, 0, 2) to (-1)", NULL, DIMS(3, 0, 2), .shape = DIMS(-1)),
          ONE("(4, 6) transposed to (3, 2, 4)", reshape_of_transposed, DIMS(4, 6), .shape = DIMS(3, 2, 4)),
          ONE("(4, 6) transposed to (24)", reshape_of_transposed, DIMS(4, 6), .shape = DIMS(24)),
          ONE("(4, 3) flipped to (2, 2, 3)", reshape_of_flipped, DIMS(4, 3), .shape = DIMS(2, 2, 3)),
          ONE("(4, 3) flipped to (12)", reshape_of_flipped, DIMS(4, 3), .shape = DIMS(12))),
    EXAMPLES(
        {"i64", {COUNTING(HEED_I64, DIMS(2, 3))}, .axes = DIMS(3, 2), RESULT(DIMS(3, 2), 0, 0, 1, 2, 3, 4, 5)},
        {"(2, -1)",
         {COUNTING(HEED_F32, DIMS(2, 3, 2))},
         .axes = DIMS(2, -1),
         RESULT(DIMS(2, 6), 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)},
        {"transposed", {MADE_BY(reshape_transposed)}, .axes = DIMS(6), RESULT(DIMS(6), 0, 0, 3, 1, 4, 2, 5)},
        {"bool, expanded", {MADE_BY(reshape_expanded)}, .axes = DIMS(3, 2), RESULT(DIMS(3, 2), 0, 0, 0, 0, 1, 1, 1)},
        {"empty", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .axes = DIMS(5, 2, 0), RESULT(DIMS(5, 2, 0), 0, 0)},
        {"empty (2, -1)", {GIVEN_ONES(HEED_F64, DIMS(0, 3))}, .axes = DIMS(2, -1), RESULT(DIMS(2, 0), 0, 0)},
        {"NULL", {{0}}, .axes = DIMS(6), FAILS(HEED_ERR_ARGUMENT, ":")},
        {"(4, 2)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(4, 2),
         FAILS(HEED_ERR_SHAPE, ": the 6 elements of (2, 3) do not fit (4, 2)")},
        {"(4, -1)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(4, -1),
         FAILS(HEED_ERR_SHAPE, ": the 6 elements of (2, 3) do not fit (4, -1)")},
        {"(-1, -1)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(-1, -1),
         FAILS(HEED_ERR_SHAPE, ": -1 is not a valid size for axis 1 of (-1, -1)")},
        {"(0, -1)",
         {GIVEN_ONES(HEED_F64, DIMS(0, 3))},
         .axes = DIMS(0, -1),
         FAILS(HEED_ERR_SHAPE, ": the 0 elements of (0, 3)")},
        {"(-2, -3)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(-2, -3),
         FAILS(HEED_ERR_SHAPE, ": -2 is not a valid size for axis 0")},
        {"INT64_MIN",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(INT64_MIN),
         FAILS(HEED_ERR_SHAPE, ": -9223372036854775808 is not a valid size")},
        {"INT64_MAX 2",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(INT64_MAX, 2),
         FAILS(HEED_ERR_SHAPE, ": 2 is not a valid size for axis 1")},
        {"product 6 modulo 2^64",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(INT64_C(1) << 62, 4, 6),
         FAILS(HEED_ERR_SHAPE, ":")},
        {"0 INT64_MAX INT64_MAX",
         {GIVEN_ONES(HEED_F64, DIMS(0))},
         .axes = DIMS(0, INT64_MAX, INT64_MAX),
         FAILS(HEED_ERR_SHAPE, ": (0, 9223")},
        {"rank 9", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
        {"rank -1", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = -1}, FAILS(HEED_ERR_SHAPE, ":")}))

/* -- transpose ----------------------------------------------------------------------------------------------------- */

ROW(transpose, heed_transpose(in[0], (int)c->i[0], (int)c->i[1]),
    CASES(ONE("(1) 0 0", NULL, DIMS(1), .i = {0, 0}), ONE("(5) 0 -1", NULL, DIMS(5), .i = {0, -1}),
          ONE("(2, 3) 0 1", NULL, DIMS(2, 3), .i = {0, 1}), ONE("(2, 3) -1 0", NULL, DIMS(2, 3), .i = {-1, 0}),
          ONE("(2, 3) 1 1", NULL, DIMS(2, 3), .i = {1, 1}), ONE("(7, 1) 0 1", NULL, DIMS(7, 1), .i = {0, 1}),
          ONE("(0, 3) 0 1", NULL, DIMS(0, 3), .i = {0, 1}), ONE("(2, 3, 5) 0 2", NULL, DIMS(2, 3, 5), .i = {0, 2}),
          ONE("(2, 3, 5) 1 2", NULL, DIMS(2, 3, 5), .i = {1, 2}),
          ONE("(2, 3, 1, 2, 2) 1 4", NULL, DIMS(2, 3, 1, 2, 2), .i = {1, 4})),
    EXAMPLES(
        {"i64", {COUNTING(HEED_I64, DIMS(2, 3))}, .i = {0, 1}, RESULT(DIMS(3, 2), 0, 0, 3, 1, 4, 2, 5)},
        {"(2, 2, 2) 0 -1",
         {COUNTING(HEED_F32, DIMS(2, 2, 2))},
         .i = {0, -1},
         RESULT(DIMS(2, 2, 2), 0, 0, 4, 2, 6, 1, 5, 3, 7)},
        {"NULL", {{0}}, .i = {0, 1}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
        {"axis 2", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"axis -3", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {0, -3}, FAILS(HEED_ERR_SHAPE, ": there is no axis -3")},
        {"INT_MIN",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .i = {INT_MIN, INT_MAX},
         FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")}))

/* -- permute ------------------------------------------------------------------------------------------------------- */

ROW(permute, heed_permute(in[0], c->shape),
    CASES(ONE("()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("(1)", NULL, DIMS(1), .shape = DIMS(0)),
          ONE("(5)", NULL, DIMS(5), .shape = DIMS(-1)), ONE("(2, 3) 0 1", NULL, DIMS(2, 3), .shape = DIMS(0, 1)),
          ONE("(2, 3) 1 0", NULL, DIMS(2, 3), .shape = DIMS(1, 0)),
          ONE("(7, 1) 1 0", NULL, DIMS(7, 1), .shape = DIMS(1, 0)),
          ONE("(0, 3) 1 0", NULL, DIMS(0, 3), .shape = DIMS(1, 0)),
          ONE("(2, 3, 5) 1 2 0", NULL, DIMS(2, 3, 5), .shape = DIMS(1, 2, 0)),
          ONE("(2, 3, 5) 2 0 1", NULL, DIMS(2, 3, 5), .shape = DIMS(2, 0, 1)),
          ONE("(2, 3, 5) 0 -1 -2", NULL, DIMS(2, 3, 5), .shape = DIMS(0, -1, -2)),
          ONE("(2, 3, 1, 2, 2) 4 1 3 0 2", NULL, DIMS(2, 3, 1, 2, 2), .shape = DIMS(4, 1, 3, 0, 2)),
          ONE("rank 8", NULL, DIMS(1, 2, 1, 2, 1, 3, 1, 2), .shape = DIMS(7, 6, 5, 4, 3, 2, 1, 0))),
    EXAMPLES(
        {"i64 2 0 1",
         {COUNTING(HEED_I64, DIMS(2, 3, 2))},
         .axes = DIMS(2, 0, 1),
         RESULT(DIMS(2, 2, 3), 0, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11)},
        {"bool -1 -2",
         {GIVEN(HEED_BOOL, DIMS(2, 2), 0, 1, 0, 0)},
         .axes = DIMS(-1, -2),
         RESULT(DIMS(2, 2), 0, 0, 0, 1, 0)},
        {"NULL", {{0}}, .axes = DIMS(0), FAILS(HEED_ERR_ARGUMENT, ":")},
        {"too few",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(0),
         FAILS(HEED_ERR_SHAPE, ": the order has 1 axes, but x is (2, 3)")},
        {"none", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, FAILS(HEED_ERR_SHAPE, ": the order has 0 axes, but x is (2, 3)")},
        {"too many",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(0, 1, 2),
         FAILS(HEED_ERR_SHAPE, ": the order has 3 axes, but x is (2, 3)")},
        {"twice",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(1, -1),
         FAILS(HEED_ERR_SHAPE, ": axis -1 is given twice in (1, -1)")},
        {"outside", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = DIMS(0, 2), FAILS(HEED_ERR_SHAPE, ": axis 2 ")},
        {"INT64_MIN",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(INT64_MIN, 0),
         FAILS(HEED_ERR_SHAPE, ": axis -9223372036854775808 ")},
        {"rank 9",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = {.rank = 9},
         FAILS(HEED_ERR_SHAPE, ": the order has 9 axes")},
        {"rank -1",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = {.rank = -1},
         FAILS(HEED_ERR_SHAPE, ": the order has -1 axes")}))

/* -- movedim ------------------------------------------------------------------------------------------------------- */

/* shape: source; i: destination, of the same length */
static heed_tensor *move(heed_tensor *x, heed_shape source, const int64_t *to)
{
    heed_shape destination = {.rank = source.rank};
    for (int i = 0; i < source.rank && i < 4; i++)
        destination.dims[i] = to[i];
    return heed_movedim(x, source, destination);
}
GIVES(movedim_two_to_one, heed_movedim(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, 1), HEED_AXES(1)))
GIVES(movedim_to_twice, heed_movedim(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), HEED_AXES(0, 1), HEED_AXES(1, -1)))

ROW(movedim, move(in[0], c->shape, c->i),
    CASES(ONE("()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("(5) 0 to 0", NULL, DIMS(5), .shape = DIMS(0)),
          ONE("(2, 3) 0 to -1", NULL, DIMS(2, 3), .shape = DIMS(0), .i = {-1}),
          ONE("(0, 3) 1 to 0", NULL, DIMS(0, 3), .shape = DIMS(1)),
          ONE("(2, 3, 5) 2 to 0", NULL, DIMS(2, 3, 5), .shape = DIMS(2)),
          ONE("(2, 3, 5) 0 1 to 1 2", NULL, DIMS(2, 3, 5), .shape = DIMS(0, 1), .i = {1, 2}),
          ONE("(2, 3, 1, 2, 2) 4 1 to -2 0", NULL, DIMS(2, 3, 1, 2, 2), .shape = DIMS(4, 1), .i = {-2, 0}),
          ONE("none", NULL, DIMS(2, 3), .shape = NO_DIMS)),
    EXAMPLES(
        {"i64 2 to 0",
         {COUNTING(HEED_I64, DIMS(2, 3, 2))},
         .axes = DIMS(2),
         RESULT(DIMS(2, 2, 3), 0, 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11)},
        {"bool 0 to -1",
         {GIVEN(HEED_BOOL, DIMS(2, 2), 0, 1, 0, 0)},
         .axes = DIMS(0),
         .i = {-1},
         RESULT(DIMS(2, 2), 0, 0, 0, 1, 0)},
        {"NULL", {{0}}, .axes = DIMS(0), FAILS(HEED_ERR_ARGUMENT, ":")},
        {"of ()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, .axes = DIMS(0), FAILS(HEED_ERR_SHAPE, ": axis 0 ")},
        {"twice",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(1, -1),
         .i = {0, 1},
         FAILS(HEED_ERR_SHAPE, ": axis -1 is given twice in (1, -1)")},
        {"from 2", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = DIMS(2), FAILS(HEED_ERR_SHAPE, ": axis 2 ")},
        {"to -3", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = DIMS(0), .i = {-3}, FAILS(HEED_ERR_SHAPE, ": axis -3 ")},
        {"to INT64_MIN",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(0),
         .i = {INT64_MIN},
         FAILS(HEED_ERR_SHAPE, ": axis -9223372036854775808 ")},
        {"rank 9", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
        {"rank -1", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = -1}, FAILS(HEED_ERR_SHAPE, ":")}),
    ERRORS({"two to one", movedim_two_to_one, HEED_ERR_SHAPE, "movedim: source has 2 axes, destination has 1"},
           {"to 1 twice", movedim_to_twice, HEED_ERR_SHAPE, "movedim: axis -1 is given twice in (1, -1)"}))

/* -- squeeze ------------------------------------------------------------------------------------------------------- */

RUN(squeeze_of_flipped, heed_squeeze(flip_all(in[0]), (int)c->i[0]))
GIVES(squeeze_of_strided, heed_slice(counting(HEED_F32, HEED_SHAPE(3, 4)), 1, 1, 2, 1))

ROW(squeeze, heed_squeeze(in[0], (int)c->i[0]),
    CASES(ONE("(1)", NULL, DIMS(1), .i = {0}), ONE("(1, 5)", NULL, DIMS(1, 5), .i = {0}),
          ONE("(7, 1) -1", NULL, DIMS(7, 1), .i = {-1}), ONE("(1, 1) 1", NULL, DIMS(1, 1), .i = {1}),
          ONE("(2, 1, 3) 1", NULL, DIMS(2, 1, 3), .i = {1}), ONE("(0, 1) 1", NULL, DIMS(0, 1), .i = {1}),
          ONE("(1, 0, 3) 0", NULL, DIMS(1, 0, 3), .i = {0}),
          ONE("(2, 3, 1, 2, 2) -3", NULL, DIMS(2, 3, 1, 2, 2), .i = {-3}),
          ONE("(3, 1, 2) flipped", squeeze_of_flipped, DIMS(3, 1, 2), .i = {1})),
    EXAMPLES({"i64", {COUNTING(HEED_I64, DIMS(2, 1, 3))}, .i = {1}, RESULT(DIMS(2, 3), 0, 0, 1, 2, 3, 4, 5)},
             {"a column", {MADE_BY(squeeze_of_strided)}, .i = {-1}, RESULT(DIMS(3), 0, 1, 5, 9)},
             {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
             {"size 3",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {1},
              FAILS(HEED_ERR_SHAPE, ": axis 1 of (2, 3) has size 3: must be 1")},
             {"size 0",
              {GIVEN_ONES(HEED_F64, DIMS(2, 0))},
              .i = {-1},
              FAILS(HEED_ERR_SHAPE, ": axis 1 of (2, 0) has size 0: must be 1")},
             {"axis 2", {GIVEN_ONES(HEED_F64, DIMS(1, 1))}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
             {"INT_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(1, 1))},
              .i = {INT_MIN},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")}))

/* -- unsqueeze ----------------------------------------------------------------------------------------------------- */

RUN(unsqueeze_of_flipped, heed_unsqueeze(flip_all(in[0]), (int)c->i[0]))
GIVES(unsqueeze_between, heed_transpose(counting(HEED_F64, HEED_SHAPE(2, 3)), 0, 1))

ROW(unsqueeze, heed_unsqueeze(in[0], (int)c->i[0]),
    CASES(ONE("() 0", NULL, NO_DIMS, .i = {0}), ONE("() -1", NULL, NO_DIMS, .i = {-1}),
          ONE("(1) 0", NULL, DIMS(1), .i = {0}), ONE("(5) 1", NULL, DIMS(5), .i = {1}),
          ONE("(2, 3) 0", NULL, DIMS(2, 3), .i = {0}), ONE("(2, 3) 1", NULL, DIMS(2, 3), .i = {1}),
          ONE("(2, 3) -1", NULL, DIMS(2, 3), .i = {-1}), ONE("(0, 3) -2", NULL, DIMS(0, 3), .i = {-2}),
          ONE("(2, 3, 1, 2, 2) 3", NULL, DIMS(2, 3, 1, 2, 2), .i = {3}),
          ONE("(3, 2) flipped", unsqueeze_of_flipped, DIMS(3, 2), .i = {1})),
    EXAMPLES({"before", {COUNTING(HEED_I64, DIMS(3))}, RESULT(DIMS(1, 3), 0, 0, 1, 2)},
             {"behind", {COUNTING(HEED_F32, DIMS(3))}, .i = {-1}, RESULT(DIMS(3, 1), 0, 0, 1, 2)},
             {"between", {MADE_BY(unsqueeze_between)}, .i = {1}, RESULT(DIMS(3, 1, 2), 0, 0, 3, 1, 4, 2, 5)},
             {"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"rank 8",
              {GIVEN_ONES(HEED_F64, DIMS(1, 1, 1, 1, 1, 1, 1, 2))},
              FAILS(HEED_ERR_SHAPE, ": (1, 1, 1, 1, 1, 1, 1, 2)")},
             {"axis 3", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {3}, FAILS(HEED_ERR_SHAPE, ": there is no axis 3")},
             {"axis -4", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {-4}, FAILS(HEED_ERR_SHAPE, ": there is no axis -4")},
             {"INT_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {INT_MIN},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -2147483648")}))

/* -- flatten ------------------------------------------------------------------------------------------------------- */

GIVES(flatten_transposed, heed_transpose(counting(HEED_I64, HEED_SHAPE(2, 3)), 0, 1))

ROW(flatten, heed_flatten(in[0], (int)c->i[0], (int)c->i[1]),
    CASES(ONE("(2, 3, 4) behind 0", NULL, DIMS(2, 3, 4), .i = {1, -1}),
          ONE("(2, 3) one axis", NULL, DIMS(2, 3), .i = {1, 1}),
          ONE("(2, 3, 1, 2) all", NULL, DIMS(2, 3, 1, 2), .i = {0, 3}), ONE("()", NULL, NO_DIMS, .i = {0, 0})),
    EXAMPLES(
        {"two of four",
         {COUNTING(HEED_F32, DIMS(1, 2, 3, 1))},
         .i = {1, 2},
         RESULT(DIMS(1, 6, 1), 0, 0, 1, 2, 3, 4, 5)},
        {"transposed", {MADE_BY(flatten_transposed)}, .i = {0, -1}, RESULT(DIMS(6), 0, 0, 3, 1, 4, 2, 5)},
        {"nothing", {GIVEN_ONES(HEED_F32, DIMS(3, 0, 4))}, .i = {-2, -1}, RESULT(DIMS(3, 0), 0, 0)},
        {"scalar", {GIVEN_ONES(HEED_F64, NO_DIMS)}, .i = {0, -1}, RESULT(DIMS(1), 0, 1)},
        {"NULL", {{0}}, .i = {0, 1}, FAILS(HEED_ERR_ARGUMENT, ":")},
        {"backwards",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .i = {1},
         FAILS(HEED_ERR_SHAPE, ": end axis 0 of (2, 3) is before start axis 1")},
        {"no start", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {2, -1}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
        {"no end", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {0, -3}, FAILS(HEED_ERR_SHAPE, ": there is no axis -3")}))

/* -- pixel_shuffle and pixel_unshuffle ----------------------------------------------------------------------------- */

GIVES(pixels_flipped, flip_all(counting(HEED_I64, HEED_SHAPE(4, 1, 2))))
GIVES(pixels_rank_8, heed_sum(heed_pixel_shuffle(heed_ones(HEED_F64, HEED_SHAPE(1, 2, 1, 1, 2, 8, 1, 1)), 2)))
static heed_tensor *shuffled_back(void)
{
    heed_tensor *x = counting(HEED_F64, HEED_SHAPE(2, 9, 2, 3));
    return heed_sum(heed_abs(heed_sub(heed_pixel_unshuffle(heed_pixel_shuffle(x, 3), 3), x)));
}

GIVES(pixels_back, shuffled_back())

ROW(pixel_shuffle, heed_pixel_shuffle(in[0], c->i[0]),
    CASES(ONE("(4, 2, 3) by 2", NULL, DIMS(4, 2, 3), .i = {2}),
          ONE("(2, 18, 1, 2) by 3", NULL, DIMS(2, 18, 1, 2), .i = {3}),
          ONE("(2, 1, 2, 2, 1) by 1", NULL, DIMS(2, 1, 2, 2, 1), .i = {1}),
          ONE("(0, 4, 2, 3) by 2", NULL, DIMS(0, 4, 2, 3), .i = {2})),
    EXAMPLES({"i64, flipped", {MADE_BY(pixels_flipped)}, .i = {2}, RESULT(DIMS(1, 2, 4), 0, 7, 5, 6, 4, 3, 1, 2, 0)},
             {"bool", {GIVEN(HEED_BOOL, DIMS(4, 1, 1), 1, 0, 0, 1)}, .i = {2}, RESULT(DIMS(1, 2, 2), 0, 1, 0, 0, 1)},
             {"no channels", {GIVEN_ONES(HEED_F32, DIMS(0, 2, 3))}, .i = {2}, RESULT(DIMS(0, 4, 6), 0, 0)},
             {"NULL", {{0}}, .i = {2}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"rank 2",
              {GIVEN_ONES(HEED_F64, DIMS(4, 2))},
              .i = {2},
              FAILS(HEED_ERR_SHAPE, ": x is (4, 2): must be (..., C, H, W)")},
             {"factor 0",
              {GIVEN_ONES(HEED_F64, DIMS(4, 2, 2))},
              .i = {0},
              FAILS(HEED_ERR_ARGUMENT, ": factor is 0: must be 1 or more")},
             {"factor 2^32",
              {GIVEN_ONES(HEED_F64, DIMS(4, 2, 2))},
              .i = {INT64_C(1) << 32},
              FAILS(HEED_ERR_ARGUMENT, ": factor is 4294967296: must be 1 or more, and its square countable")},
             {"6 channels",
              {GIVEN_ONES(HEED_F64, DIMS(6, 2, 2))},
              .i = {2},
              FAILS(HEED_ERR_SHAPE, ": x is (6, 2, 2): with factor 2 its channels must be a multiple of 4")},
             {"overflow", {GIVEN_ONES(HEED_F64, DIMS(0, WIDEST, 2))}, .i = {4}, FAILS(HEED_ERR_SHAPE, ": x is (0, ")}),
    VALUES({"rank 8", pixels_rank_8, NO_DIMS, 0, (const double[]){32}}))

ROW(pixel_unshuffle, heed_pixel_unshuffle(in[0], c->i[0]),
    CASES(ONE("(1, 4, 6) by 2", NULL, DIMS(1, 4, 6), .i = {2}), ONE("(1, 2, 2) by 2", NULL, DIMS(1, 2, 2), .i = {2}),
          ONE("(2, 2, 3, 6) by 3", NULL, DIMS(2, 2, 3, 6), .i = {3}),
          ONE("(2, 0, 4) by 2", NULL, DIMS(2, 0, 4), .i = {2})),
    EXAMPLES({"i64", {COUNTING(HEED_I64, DIMS(1, 2, 4))}, .i = {2}, RESULT(DIMS(4, 1, 2), 0, 0, 2, 1, 3, 4, 6, 5, 7)},
             {"NULL", {{0}}, .i = {2}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"rank 2",
              {GIVEN_ONES(HEED_F64, DIMS(4, 2))},
              .i = {2},
              FAILS(HEED_ERR_SHAPE, ": x is (4, 2): must be (..., C, H, W)")},
             {"factor -1",
              {GIVEN_ONES(HEED_F64, DIMS(4, 2, 2))},
              .i = {-1},
              FAILS(HEED_ERR_ARGUMENT, ": factor is -1: must be 1 or more")},
             {"height 3",
              {GIVEN_ONES(HEED_F64, DIMS(1, 3, 2))},
              .i = {2},
              FAILS(HEED_ERR_SHAPE, ": x is (1, 3, 2): its planes must be multiples of factor 2")},
             {"width 3", {GIVEN_ONES(HEED_F64, DIMS(1, 2, 3))}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": x is (1, 2, 3)")},
             {"overflow", {GIVEN_ONES(HEED_F64, DIMS(WIDEST, 0, 2))}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": x is (")}),
    VALUES({"back", pixels_back, NO_DIMS, 0, (const double[]){0}}))

/* -- expand -------------------------------------------------------------------------------------------------------- */

RUN(expand_twice, heed_expand(heed_unsqueeze(heed_expand(in[0], HEED_SHAPE(2, 3)), 1), c->shape))
/* More elements than memory can hold. */
GIVES(expand_vast, heed_select(heed_expand(heed_full(HEED_F64, HEED_SCALAR, 7), HEED_SHAPE(INT64_C(1) << 62)), 0, -1))

ROW(expand, heed_expand(in[0], c->shape),
    CASES(ONE("() to ()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("() to (2, 3)", NULL, NO_DIMS, .shape = DIMS(2, 3)),
          ONE("(1) to (5)", NULL, DIMS(1), .shape = DIMS(5)), ONE("(5) to (5)", NULL, DIMS(5), .shape = DIMS(5)),
          ONE("(3) to (2, 3)", NULL, DIMS(3), .shape = DIMS(2, 3)),
          ONE("(3, 1) to (3, 4)", NULL, DIMS(3, 1), .shape = DIMS(3, 4)),
          ONE("(7, 1) to (2, 7, 3)", NULL, DIMS(7, 1), .shape = DIMS(2, 7, 3)),
          ONE("(2, 1, 5) to (2, 3, 5)", NULL, DIMS(2, 1, 5), .shape = DIMS(2, 3, 5)),
          ONE("(1, 3, 1) to (2, 2, 3, 2)", NULL, DIMS(1, 3, 1), .shape = DIMS(2, 2, 3, 2)),
          ONE("(1, 2, 1, 2, 1) to (3, 2, 2, 2, 1)", NULL, DIMS(1, 2, 1, 2, 1), .shape = DIMS(3, 2, 2, 2, 1)),
          ONE("(1) to (0)", NULL, DIMS(1), .shape = DIMS(0)),
          ONE("(0, 1) to (2, 0, 3)", NULL, DIMS(0, 1), .shape = DIMS(2, 0, 3)),
          ONE("(2, 1) twice", expand_twice, DIMS(2, 1), .shape = DIMS(2, 2, 3))),
    EXAMPLES(
        {"a row", {COUNTING(HEED_I64, DIMS(3))}, .axes = DIMS(2, 3), RESULT(DIMS(2, 3), 0, 0, 1, 2, 0, 1, 2)},
        {"a column", {GIVEN(HEED_BOOL, DIMS(2, 1), 0, 1)}, .axes = DIMS(2, 3), RESULT(DIMS(2, 3), 0, 0, 0, 0, 1, 1, 1)},
        {"to nothing", {GIVEN_ONES(HEED_F32, NO_DIMS)}, .axes = DIMS(0, 3), RESULT(DIMS(0, 3), 0, 0)},
        {"NULL", {{0}}, .axes = DIMS(2), FAILS(HEED_ERR_ARGUMENT, ":")},
        {"to (3)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(3),
         FAILS(HEED_ERR_SHAPE, ": (2, 3) does not broadcast to (3)")},
        {"to (4, 3)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(4, 3),
         FAILS(HEED_ERR_SHAPE, ": (2, 3) does not broadcast to (4, 3)")},
        {"to (2, 1)",
         {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
         .axes = DIMS(2, 1),
         FAILS(HEED_ERR_SHAPE, ": (2, 3) does not broadcast to (2, 1)")},
        {"to (0)",
         {GIVEN_ONES(HEED_F64, DIMS(2))},
         .axes = DIMS(0),
         FAILS(HEED_ERR_SHAPE, ": (2) does not broadcast to (0)")},
        {"to (-1)", {GIVEN_ONES(HEED_F64, DIMS(1))}, .axes = DIMS(-1), FAILS(HEED_ERR_SHAPE, ": (-1)")},
        {"overflow",
         {GIVEN_ONES(HEED_F64, DIMS(1))},
         .axes = DIMS(INT64_MAX, 2),
         FAILS(HEED_ERR_SHAPE, ": (9223372036854775807, 2)")},
        {"rank 9", {GIVEN_ONES(HEED_F64, DIMS(1))}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
        {"rank -1", {GIVEN_ONES(HEED_F64, DIMS(1))}, .axes = {.rank = -1}, FAILS(HEED_ERR_SHAPE, ":")}),
    VALUES({"2^62", expand_vast, NO_DIMS, 0, (const double[]){7}}))
