/* tests/ops/shape/joins.c - joins and repetitions: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "lists.h"

/* -- concat -------------------------------------------------------------------------------------------------------- */

RUN(concat_run, heed_concat(in, c->n_inputs, (int)c->i[0]))
RUN(concat_twice, heed_concat(HEED_TENSORS(in[0], in[1], in[0]), (int)c->i[0]))

GIVES(concat_rows,
      heed_concat(HEED_TENSORS(counting(HEED_I64, HEED_SHAPE(1, 2)), heed_ones(HEED_I64, HEED_SHAPE(2, 2))), 0))
GIVES(concat_columns,
      heed_concat(HEED_TENSORS(counting(HEED_F32, HEED_SHAPE(2, 1)), heed_ones(HEED_F32, HEED_SHAPE(2, 2))), -1))
GIVES(concat_masks,
      heed_concat(HEED_TENSORS(heed_zeros(HEED_BOOL, HEED_SHAPE(1)), heed_ones(HEED_BOOL, HEED_SHAPE(2))), 0))
GIVES(concat_with_nothing,
      heed_concat(HEED_TENSORS(heed_zeros(HEED_F64, HEED_SHAPE(0)), heed_ones(HEED_F64, HEED_SHAPE(2))), 0))

BAD_LISTS(concat)
GIVES(concat_of_scalar, heed_concat(HEED_TENSORS(heed_ones(HEED_F64, HEED_SCALAR)), 0))
static heed_tensor *concat_overflow(void)
{
    heed_tensor *x = heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(INT64_MAX));
    return heed_concat(HEED_TENSORS(x, x), 0);
}

const op_cases heed_cases_concat = {
    .cases =
        (const op_case[]){
            ONE_OF("(5)", concat_run, 0, DIMS(5)),
            TWO_OF("(1) (1)", concat_run, 0, DIMS(1), DIMS(1)),
            TWO_OF("(0) (3)", concat_run, 0, DIMS(0), DIMS(3)),
            TWO_OF("(0) (0)", concat_run, -1, DIMS(0), DIMS(0)),
            TWO_OF("(2, 3) (1, 3)", concat_run, 0, DIMS(2, 3), DIMS(1, 3)),
            TWO_OF("(2, 3) (2, 3) axis -1", concat_run, -1, DIMS(2, 3), DIMS(2, 3)),
            THREE_OF("(7, 1) (7, 2) (7, 0)", concat_run, 1, DIMS(7, 1), DIMS(7, 2), DIMS(7, 0)),
            THREE_OF("(2, 1, 5) (2, 3, 5) (2, 2, 5)", concat_run, 1, DIMS(2, 1, 5), DIMS(2, 3, 5), DIMS(2, 2, 5)),
            TWO_OF("(0, 3) (0, 2)", concat_run, 1, DIMS(0, 3), DIMS(0, 2)),
            TWO_OF("(2, 3, 1, 2, 2) (2, 3, 1, 1, 2)", concat_run, 3, DIMS(2, 3, 1, 2, 2), DIMS(2, 3, 1, 1, 2)),
            TWO_OF("(2, 3) (1, 3) (2, 3) again", concat_twice, 0, DIMS(2, 3), DIMS(1, 3)),
            {0}},
    .values = (const op_value[]){{"rows", concat_rows, DIMS(3, 2), 0, (const double[]){0, 1, 1, 1, 1, 1}},
                                 {"columns", concat_columns, DIMS(2, 3), 0, (const double[]){0, 1, 1, 1, 1, 1}},
                                 {"bool", concat_masks, DIMS(3), 0, (const double[]){0, 1, 1}},
                                 {"with nothing", concat_with_nothing, DIMS(2), 0, (const double[]){1, 1}},
                                 {0}},
    .errors =
        (const op_error[]){BAD_LISTS_ERRORS(concat),
                           {"()", concat_of_scalar, HEED_ERR_SHAPE, "concat: there is no axis 0"},
                           {"overflow", concat_overflow, HEED_ERR_SHAPE, "concat: tensor 0 (9223372036854775807)"},
                           {0}},
};

/* -- stack --------------------------------------------------------------------------------------------------------- */

RUN(stack_run, heed_stack(in, c->n_inputs, (int)c->i[0]))
RUN(stack_twice, heed_stack(HEED_TENSORS(in[0], in[1], in[0]), (int)c->i[0]))

GIVES(stack_rows, heed_stack(HEED_TENSORS(counting(HEED_I64, HEED_SHAPE(3)), heed_ones(HEED_I64, HEED_SHAPE(3))), 0))
GIVES(stack_columns,
      heed_stack(HEED_TENSORS(counting(HEED_F32, HEED_SHAPE(3)), heed_ones(HEED_F32, HEED_SHAPE(3))), -1))
GIVES(stack_scalars, heed_stack(HEED_TENSORS(heed_ones(HEED_BOOL, HEED_SCALAR), heed_zeros(HEED_BOOL, HEED_SCALAR)), 0))

BAD_LISTS(stack)
GIVES(stack_rank_8, heed_stack(HEED_TENSORS(heed_ones(HEED_F64, HEED_SHAPE(1, 1, 1, 1, 1, 1, 1, 2))), 0))
static heed_tensor *stack_overflow(void)
{
    heed_tensor *x = heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(INT64_MAX));
    return heed_stack(HEED_TENSORS(x, x), 0);
}

const op_cases heed_cases_stack = {
    .cases =
        (const op_case[]){
            ONE_OF("()", stack_run, 0, NO_DIMS),
            TWO_OF("() ()", stack_run, -1, NO_DIMS, NO_DIMS),
            TWO_OF("(1) (1)", stack_run, 1, DIMS(1), DIMS(1)),
            TWO_OF("(0) (0)", stack_run, 0, DIMS(0), DIMS(0)),
            TWO_OF("(5) (5)", stack_run, 1, DIMS(5), DIMS(5)),
            THREE_OF("(2, 3) (2, 3) (2, 3)", stack_run, 0, DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
            THREE_OF("(2, 3) (2, 3) (2, 3) axis 1", stack_run, 1, DIMS(2, 3), DIMS(2, 3), DIMS(2, 3)),
            TWO_OF("(7, 1) (7, 1) axis -1", stack_run, -1, DIMS(7, 1), DIMS(7, 1)),
            TWO_OF("(2, 1, 2, 1, 2) (2, 1, 2, 1, 2)", stack_run, 3, DIMS(2, 1, 2, 1, 2), DIMS(2, 1, 2, 1, 2)),
            TWO_OF("(3) (3) (3) again", stack_twice, 0, DIMS(3), DIMS(3)),
            {0}},
    .values = (const op_value[]){{"rows", stack_rows, DIMS(2, 3), 0, (const double[]){0, 1, 2, 1, 1, 1}},
                                 {"columns", stack_columns, DIMS(3, 2), 0, (const double[]){0, 1, 1, 1, 2, 1}},
                                 {"scalars, bool", stack_scalars, DIMS(2), 0, (const double[]){1, 0}},
                                 {0}},
    .errors = (const op_error[]){BAD_LISTS_ERRORS(stack),
                                 {"rank 8", stack_rank_8, HEED_ERR_SHAPE, "stack: (1, 1, 1, 1, 1, 1, 1, 2)"},
                                 {"overflow", stack_overflow, HEED_ERR_SHAPE, "stack: (9223372036854775807, 2)"},
                                 {0}},
};

/* -- repeat_interleave --------------------------------------------------------------------------------------------- */

/* Whether writing to the result leaves x unchanged. */
static heed_tensor *repeat_interleave_is_copy(void)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(1)), *y = heed_repeat_interleave(x, 0, 1);
    return heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

/* i: repeats, axis */
ROW(repeat_interleave, heed_repeat_interleave(in[0], (int)c->i[1], c->i[0]),
    CASES(ONE("(1) 3", NULL, DIMS(1), .i = {3, 0}), ONE("(5) 1", NULL, DIMS(5), .i = {1, 0}),
          ONE("(5) 2", NULL, DIMS(5), .i = {2, -1}), ONE("(5) 0", NULL, DIMS(5), .i = {0, 0}),
          ONE("(0) 2", NULL, DIMS(0), .i = {2, 0}), ONE("(0, 3) 2", NULL, DIMS(0, 3), .i = {2, 1}),
          ONE("(2, 3) 2 axis 0", NULL, DIMS(2, 3), .i = {2, 0}), ONE("(2, 3) 3 axis 1", NULL, DIMS(2, 3), .i = {3, 1}),
          ONE("(7, 1) 2 axis 1", NULL, DIMS(7, 1), .i = {2, 1}),
          ONE("(2, 3, 5) 2 axis 1", NULL, DIMS(2, 3, 5), .i = {2, 1}),
          ONE("rank 8", NULL, DIMS(1, 2, 1, 1, 3, 1, 1, 2), .i = {2, 4})),
    EXAMPLES({"a row, i64", {COUNTING(HEED_I64, DIMS(3))}, .i = {2}, RESULT(DIMS(6), 0, 0, 0, 1, 1, 2, 2)},
             {"rows", {COUNTING(HEED_F32, DIMS(2, 2))}, .i = {2}, RESULT(DIMS(4, 2), 0, 0, 1, 0, 1, 2, 3, 2, 3)},
             {"columns, bool",
              {GIVEN(HEED_BOOL, DIMS(2, 2), 0, 1, 1, 0)},
              .i = {2, -1},
              RESULT(DIMS(2, 4), 0, 0, 0, 1, 1, 1, 1, 0, 0)},
             {"no times", {COUNTING(HEED_F64, DIMS(2, 3))}, .i = {0, 1}, RESULT(DIMS(2, 0), 0, 0)},
             {"INT64_MAX of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 2))}, .i = {INT64_MAX}, RESULT(DIMS(0, 2), 0, 0)},
             {"NULL", {{0}}, .i = {2}, FAILS(HEED_ERR_ARGUMENT, ":")},
             {"()", {GIVEN_ONES(HEED_F64, NO_DIMS)}, .i = {2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 0")},
             {"axis 2", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .i = {2, 2}, FAILS(HEED_ERR_SHAPE, ": there is no axis 2")},
             {"axis INT_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {2, INT_MIN},
              FAILS(HEED_ERR_SHAPE, ": there is no axis -214748")},
             {"-1",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {-1, 1},
              FAILS(HEED_ERR_ARGUMENT, ": axis 1 of (2, 3) cannot be repeated -1 times")},
             {"INT64_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {INT64_MIN, 1},
              FAILS(HEED_ERR_ARGUMENT, "cannot be repeated -9223372036854775808 times")},
             {"INT64_MAX",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {INT64_MAX, 1},
              FAILS(HEED_ERR_ARGUMENT, "cannot be repeated 9223372036854775807 times")},
             {"2^61",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .i = {INT64_C(1) << 61, 1},
              FAILS(HEED_ERR_SHAPE, ": (2, 6917529027641081856)")}),
    VALUES({"a copy", repeat_interleave_is_copy, DIMS(1), 0, (const double[]){0}}))

/* -- tile ---------------------------------------------------------------------------------------------------------- */

/* Whether writing to the result leaves x unchanged. */
static heed_tensor *tile_is_copy(void)
{
    heed_tensor *x = heed_zeros(HEED_F64, HEED_SHAPE(2)), *y = heed_tile(x, HEED_SHAPE(1));
    return heed_fill_(y, 5) == HEED_OK ? x : NULL;
}

ROW(tile, heed_tile(in[0], c->shape),
    CASES(ONE("() by ()", NULL, NO_DIMS, .shape = NO_DIMS), ONE("() by (3)", NULL, NO_DIMS, .shape = DIMS(3)),
          ONE("(1) by (2)", NULL, DIMS(1), .shape = DIMS(2)), ONE("(5) by (2)", NULL, DIMS(5), .shape = DIMS(2)),
          ONE("(5) by (0)", NULL, DIMS(5), .shape = DIMS(0)), ONE("(0) by (2)", NULL, DIMS(0), .shape = DIMS(2)),
          ONE("(2, 3) by (2, 1)", NULL, DIMS(2, 3), .shape = DIMS(2, 1)),
          ONE("(2, 3) by (2, 3)", NULL, DIMS(2, 3), .shape = DIMS(2, 3)),
          ONE("(2, 3) by (2)", NULL, DIMS(2, 3), .shape = DIMS(2)),
          ONE("(3) by (2, 2)", NULL, DIMS(3), .shape = DIMS(2, 2)),
          ONE("(2, 3, 5) by (2, 1, 2)", NULL, DIMS(2, 3, 5), .shape = DIMS(2, 1, 2)),
          ONE("rank 8", NULL, DIMS(1, 2, 1, 1, 2, 1, 1, 2), .shape = DIMS(2, 1, 1, 2, 2, 1, 1, 1))),
    EXAMPLES({"a row, i64", {COUNTING(HEED_I64, DIMS(3))}, .axes = DIMS(2), RESULT(DIMS(6), 0, 0, 1, 2, 0, 1, 2)},
             {"both axes",
              {COUNTING(HEED_F32, DIMS(2, 2))},
              .axes = DIMS(2, 2),
              RESULT(DIMS(4, 4), 0, 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3)},
             {"longer repeats, bool",
              {GIVEN(HEED_BOOL, DIMS(2), 0, 1)},
              .axes = DIMS(2, 1, 2),
              RESULT(DIMS(2, 1, 4), 0, 0, 1, 0, 1, 0, 1, 0, 1)},
             {"shorter repeats",
              {COUNTING(HEED_F64, DIMS(2, 2))},
              .axes = DIMS(2),
              RESULT(DIMS(2, 4), 0, 0, 1, 0, 1, 2, 3, 2, 3)},
             {"no repeats", {COUNTING(HEED_F64, DIMS(2))}, RESULT(DIMS(2), 0, 0, 1)},
             {"no times",
              {COUNTING(HEED_F64, DIMS(3, 2))},
              .axes = DIMS(0, INT64_C(1) << 61),
              RESULT(DIMS(0, INT64_C(1) << 62), 0, 0)},
             {"of nothing", {GIVEN_ONES(HEED_F64, DIMS(0, 2))}, .axes = DIMS(INT64_MAX, 3), RESULT(DIMS(0, 6), 0, 0)},
             {"NULL", {{0}}, .axes = DIMS(2), FAILS(HEED_ERR_ARGUMENT, ":")},
             {"-1",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .axes = DIMS(2, -1),
              FAILS(HEED_ERR_ARGUMENT, ": axis 1 of (2, 3) cannot be repeated -1 times")},
             {"INT64_MIN",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .axes = DIMS(INT64_MIN),
              FAILS(HEED_ERR_ARGUMENT, "cannot be repeated -9223372036854775808 times")},
             {"INT64_MAX",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .axes = DIMS(INT64_MAX, 1),
              FAILS(HEED_ERR_ARGUMENT, ": axis 0 of (2, 3) cannot be repeated 9223372036")},
             {"2^32 each",
              {GIVEN_ONES(HEED_F64, DIMS(2, 3))},
              .axes = DIMS(INT64_C(1) << 32, INT64_C(1) << 32),
              FAILS(HEED_ERR_SHAPE, ": (8589934592, 12884901888)")},
             {"rank 9", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = 9}, FAILS(HEED_ERR_SHAPE, ":")},
             {"rank -1", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, .axes = {.rank = -1}, FAILS(HEED_ERR_SHAPE, ":")}),
    VALUES({"a copy", tile_is_copy, DIMS(2), 0, (const double[]){0, 0}}))
