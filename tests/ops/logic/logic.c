/* tests/ops/logic/logic.c - predicates, logical ops, reductions of masks, isclose: a row per op (rows.h).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "reductions.h"

/* -- Predicates ---------------------------------------------------------------------------------------------------- */

/* A case whose result has no gradient. */
#define PREDICATE(kind, dims)                                                                                          \
    {                                                                                                                  \
        .name = #dims, .n_inputs = 1, .in = {{kind, .shape = dims}}, .max_order = -1                                   \
    }

static const op_case predicate_cases[] = {PREDICATE(OP_FLOAT, NO_DIMS),       PREDICATE(OP_FLOAT, DIMS(0)),
                                          PREDICATE(OP_FLOAT, DIMS(5)),       PREDICATE(OP_FLOAT, DIMS(37)),
                                          PREDICATE(OP_FLOAT, DIMS(2, 3, 5)), {0}};

static heed_tensor *every_other(void)
{
    return heed_slice(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), NAN, 1, INFINITY, 2, 3), 0, 0, HEED_END, 2);
}

static const op_example null_input[] = {{"NULL", {{0}}, FAILS(HEED_ERR_ARGUMENT, ":")}, {0}};

#define NUMBERS_OF(dtype) GIVEN(dtype, DIMS(8), 0, -0.0, 1e-45, 3e38, INFINITY, -INFINITY, NAN, -NAN)

ROW(isfinite, heed_isfinite(in[0]), .cases = predicate_cases,
    EXAMPLES({"f32", {NUMBERS_OF(HEED_F32)}, RESULT(DIMS(8), 0, 1, 1, 1, 1, 0, 0, 0, 0)},
             {"f64", {NUMBERS_OF(HEED_F64)}, RESULT(DIMS(8), 0, 1, 1, 1, 1, 0, 0, 0, 0)},
             {"every other", {MADE_BY(every_other)}, RESULT(DIMS(3), 0, 0, 0, 1)},
             {"i64", {GIVEN(HEED_I64, DIMS(2), 0, -7)}, RESULT(DIMS(2), 0, 1, 1)},
             {"bool", {GIVEN(HEED_BOOL, DIMS(2), 0, 1)}, RESULT(DIMS(2), 0, 1, 1)}),
    .shared = {{.examples = null_input}})

ROW(isinf, heed_isinf(in[0]), .cases = predicate_cases,
    EXAMPLES({"f32", {NUMBERS_OF(HEED_F32)}, RESULT(DIMS(8), 0, 0, 0, 0, 0, 1, 1, 0, 0)},
             {"f64", {NUMBERS_OF(HEED_F64)}, RESULT(DIMS(8), 0, 0, 0, 0, 0, 1, 1, 0, 0)},
             {"every other", {MADE_BY(every_other)}, RESULT(DIMS(3), 0, 0, 1, 0)},
             {"i64", {GIVEN(HEED_I64, DIMS(2), 0, -7)}, RESULT(DIMS(2), 0, 0, 0)},
             {"bool", {GIVEN(HEED_BOOL, DIMS(2), 0, 1)}, RESULT(DIMS(2), 0, 0, 0)}),
    .shared = {{.examples = null_input}})

ROW(isnan, heed_isnan(in[0]), .cases = predicate_cases,
    EXAMPLES({"f32", {NUMBERS_OF(HEED_F32)}, RESULT(DIMS(8), 0, 0, 0, 0, 0, 0, 0, 1, 1)},
             {"f64", {NUMBERS_OF(HEED_F64)}, RESULT(DIMS(8), 0, 0, 0, 0, 0, 0, 0, 1, 1)},
             {"every other", {MADE_BY(every_other)}, RESULT(DIMS(3), 0, 1, 0, 0)},
             {"i64", {GIVEN(HEED_I64, DIMS(2), 0, -7)}, RESULT(DIMS(2), 0, 0, 0)},
             {"bool", {GIVEN(HEED_BOOL, DIMS(2), 0, 1)}, RESULT(DIMS(2), 0, 0, 0)}),
    .shared = {{.examples = null_input}})

/* -- Logical ops --------------------------------------------------------------------------------------------------- */

static heed_tensor *expanded_zero(void)
{
    return heed_expand(heed_zeros(HEED_BOOL, HEED_SCALAR), HEED_SHAPE(3));
}

ROW(logical_not, heed_logical_not(in[0]),
    CASES(PREDICATE(OP_MASK, NO_DIMS), PREDICATE(OP_MASK, DIMS(0)), PREDICATE(OP_MASK, DIMS(5)),
          PREDICATE(OP_MASK, DIMS(2, 3)), PREDICATE(OP_MASK, DIMS(37)), PREDICATE(OP_MASK, DIMS(2, 3, 5))),
    EXAMPLES(
        {"both", {GIVEN(HEED_BOOL, DIMS(2), 0, 1)}, RESULT(DIMS(2), 0, 1, 0)},
        {"expanded", {MADE_BY(expanded_zero)}, RESULT(DIMS(3), 0, 1, 1, 1)},
        {"f64", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, FAILS(HEED_ERR_DTYPE, ": input 0 is f64 (2, 3): must be bool")}),
    .shared = {{.examples = null_input}})

#define MASKS(name_, a, b)                                                                                             \
    {                                                                                                                  \
        .name = name_, .n_inputs = 2, .in = {{OP_MASK, .shape = a}, {OP_MASK, .shape = b}}, .max_order = -1            \
    }

static const op_case mask_pairs[] = {MASKS("() ()", NO_DIMS, NO_DIMS),
                                     MASKS("(0) ()", DIMS(0), NO_DIMS),
                                     MASKS("(37) (37)", DIMS(37), DIMS(37)),
                                     MASKS("(3, 1) (1, 4)", DIMS(3, 1), DIMS(1, 4)),
                                     MASKS("(2, 3, 5) (5)", DIMS(2, 3, 5), DIMS(5)),
                                     {0}};

static const op_example bad_masks[] = {
    {"first NULL", {{0}, GIVEN_ONES(HEED_BOOL, NO_DIMS)}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"second NULL", {GIVEN_ONES(HEED_BOOL, NO_DIMS)}, FAILS(HEED_ERR_ARGUMENT, ":")},
    {"f32",
     {GIVEN_ONES(HEED_F32, DIMS(2)), GIVEN_ONES(HEED_BOOL, DIMS(2))},
     FAILS(HEED_ERR_DTYPE, ": input 0 is f32 (2): must be bool")},
    {"i64",
     {GIVEN_ONES(HEED_BOOL, DIMS(2)), GIVEN_ONES(HEED_I64, DIMS(2))},
     FAILS(HEED_ERR_DTYPE, ": input 1 is i64 (2): must be bool")},
    {"apart",
     {GIVEN_ONES(HEED_BOOL, DIMS(2, 3)), GIVEN_ONES(HEED_BOOL, DIMS(4))},
     FAILS(HEED_ERR_SHAPE, ": shapes (2, 3) and (4) do not broadcast")},
    {0}};

static heed_tensor *flipped_1_0(void)
{
    return heed_flip(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 0), HEED_AXES(0));
}

static heed_tensor *flipped_1_1(void)
{
    return heed_flip(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 1), HEED_AXES(0));
}

/* The inputs of the truth table, and as two lists. */
#define TABLE GIVEN(HEED_BOOL, DIMS(2, 1), 0, 1), GIVEN(HEED_BOOL, DIMS(2), 0, 1)
#define PAIRS GIVEN(HEED_BOOL, DIMS(4), 0, 0, 1, 1), GIVEN(HEED_BOOL, DIMS(4), 0, 1, 0, 1)
#define FLIPPED MADE_BY(flipped_1_0), MADE_BY(flipped_1_1)

ROW(logical_and, heed_logical_and(in[0], in[1]), .cases = mask_pairs,
    EXAMPLES({"table", {TABLE}, RESULT(DIMS(2, 2), 0, 0, 0, 0, 1)}, {"pairs", {PAIRS}, RESULT(DIMS(4), 0, 0, 0, 0, 1)},
             {"flipped", {FLIPPED}, RESULT(DIMS(2), 0, 0, 1)}),
    .shared = {{.examples = bad_masks}})

ROW(logical_or, heed_logical_or(in[0], in[1]), .cases = mask_pairs,
    EXAMPLES({"table", {TABLE}, RESULT(DIMS(2, 2), 0, 0, 1, 1, 1)}, {"pairs", {PAIRS}, RESULT(DIMS(4), 0, 0, 1, 1, 1)},
             {"flipped", {FLIPPED}, RESULT(DIMS(2), 0, 1, 1)}),
    .shared = {{.examples = bad_masks}})

ROW(logical_xor, heed_logical_xor(in[0], in[1]), .cases = mask_pairs,
    EXAMPLES({"table", {TABLE}, RESULT(DIMS(2, 2), 0, 0, 1, 1, 0)}, {"pairs", {PAIRS}, RESULT(DIMS(4), 0, 0, 1, 1, 0)},
             {"flipped", {FLIPPED}, RESULT(DIMS(2), 0, 1, 0)}),
    .shared = {{.examples = bad_masks}})

/* -- Reductions of masks ------------------------------------------------------------------------------------------- */

#define MASK(name_, dims, axes, keepdim)                                                                               \
    {                                                                                                                  \
        .name = name_, .n_inputs = 1, .in = {{OP_MASK, .shape = dims}}, .i = {keepdim}, .shape = axes, .max_order = -1 \
    }

static const op_case mask_reductions[] = {MASK("()", NO_DIMS, NO_DIMS, true),
                                          MASK("(2, 3)", DIMS(2, 3), NO_DIMS, false),
                                          MASK("(2, 3) axis 0", DIMS(2, 3), DIMS(0), true),
                                          MASK("(37)", DIMS(37), NO_DIMS, false),
                                          MASK("(5, 7) axis 0", DIMS(5, 7), DIMS(0), false),
                                          MASK("(5, 7) axis 1 keepdim", DIMS(5, 7), DIMS(-1), true),
                                          MASK("(2, 3, 5) axes 0 2", DIMS(2, 3, 5), DIMS(0, 2), false),
                                          MASK("(0, 3) axis 1", DIMS(0, 3), DIMS(1), false),
                                          {0}};

/* A long row of `others` with one different element. */
static heed_tensor *lone(int64_t n, int64_t index, bool others)
{
    heed_tensor *x = heed_full(HEED_BOOL, HEED_SHAPE(n), others);
    heed_set_(x, HEED_SHAPE(index), !others);
    return x;
}

GIVES(last_0, lone(200001, 200000, true))
GIVES(first_0, lone(200001, 0, true))
GIVES(column_with_0, heed_reshape(lone(200002, 100001, true), HEED_SHAPE(100001, 2)))
GIVES(last_1, lone(200001, 200000, false))
GIVES(first_1, lone(200001, 0, false))
GIVES(column_with_1, heed_reshape(lone(200002, 100001, false), HEED_SHAPE(100001, 2)))
GIVES(transposed_0, heed_transpose(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 1, 1, 1, 1, 0, 1), 0, 1))
GIVES(transposed_1, heed_transpose(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 0, 1, 0, 0, 0, 0), 0, 1))

/* For bad axes, whose inputs are f64. */
RUN(all_of_f64, heed_all(in[0] ? heed_to_dtype(in[0], HEED_BOOL) : NULL, c->shape, false))
RUN(any_of_f64, heed_any(in[0] ? heed_to_dtype(in[0], HEED_BOOL) : NULL, c->shape, false))

static const op_example f64_masks[] = {
    {"f64", {GIVEN_ONES(HEED_F64, DIMS(2, 3))}, FAILS(HEED_ERR_DTYPE, ": input 0 is f64 (2, 3): must be bool")}, {0}};

#define ONE_0 GIVEN(HEED_BOOL, DIMS(2, 3), 1, 1, 1, 1, 0, 1)
#define ONE_1 GIVEN(HEED_BOOL, DIMS(2, 3), 0, 1, 0, 0, 0, 0)

ROW(all, heed_all(in[0], c->shape, c->i[0]), .cases = mask_reductions,
    EXAMPLES({"whole", {ONE_0}, RESULT(NO_DIMS, 0, 0)},
             {"axis 0", {ONE_0}, .axes = DIMS(0), RESULT(DIMS(3), 0, 1, 0, 1)},
             {"axis 1 keepdim", {ONE_0}, .axes = DIMS(-1), .i = {true}, RESULT(DIMS(2, 1), 0, 1, 0)},
             {"transposed", {MADE_BY(transposed_0)}, .axes = DIMS(1), RESULT(DIMS(3), 0, 1, 0, 1)},
             {"last of many", {MADE_BY(last_0)}, RESULT(NO_DIMS, 0, 0)},
             {"first of many", {MADE_BY(first_0)}, RESULT(NO_DIMS, 0, 0)},
             {"column of many", {MADE_BY(column_with_0)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 1, 0)},
             {"of nothing", {GIVEN_ONES(HEED_BOOL, DIMS(0))}, RESULT(NO_DIMS, 0, 1)},
             {"columns of nothing", {GIVEN_ONES(HEED_BOOL, DIMS(0, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 1, 1, 1)}),
    .shared = {{.examples = f64_masks}, {.examples = bad_axes, .run = all_of_f64}})

ROW(any, heed_any(in[0], c->shape, c->i[0]), .cases = mask_reductions,
    EXAMPLES({"whole", {ONE_1}, RESULT(NO_DIMS, 0, 1)},
             {"axis 0", {ONE_1}, .axes = DIMS(0), RESULT(DIMS(3), 0, 0, 1, 0)},
             {"axis 1 keepdim", {ONE_1}, .axes = DIMS(-1), .i = {true}, RESULT(DIMS(2, 1), 0, 1, 0)},
             {"transposed", {MADE_BY(transposed_1)}, .axes = DIMS(1), RESULT(DIMS(3), 0, 0, 1, 0)},
             {"last of many", {MADE_BY(last_1)}, RESULT(NO_DIMS, 0, 1)},
             {"first of many", {MADE_BY(first_1)}, RESULT(NO_DIMS, 0, 1)},
             {"column of many", {MADE_BY(column_with_1)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 0, 1)},
             {"of nothing", {GIVEN_ONES(HEED_BOOL, DIMS(0))}, RESULT(NO_DIMS, 0, 0)},
             {"columns of nothing", {GIVEN_ONES(HEED_BOOL, DIMS(0, 3))}, .axes = DIMS(0), RESULT(DIMS(3), 0, 0, 0, 0)}),
    .shared = {{.examples = f64_masks}, {.examples = bad_axes, .run = any_of_f64}})

/* -- isclose and allclose ------------------------------------------------------------------------------------------ */

RUN(close, heed_isclose(in[0], in[1], c->p[0], c->p[1], c->i[0]))

#define CLOSE(name_, a, b, ...)                                                                                        \
    {                                                                                                                  \
        .name = name_, .run = close, .n_inputs = 2, .in = {{.shape = a}, {.shape = b}}, .p = {__VA_ARGS__},            \
        .max_order = -1                                                                                                \
    }

static heed_tensor *special(heed_dtype dtype, double rtol, bool equal_nan)
{
    heed_tensor *a = HEED_TENSOR(dtype, HEED_SHAPE(8), 1, 1.5, INFINITY, INFINITY, NAN, 0.0, 1e30, NAN);
    heed_tensor *b = HEED_TENSOR(dtype, HEED_SHAPE(8), 1.25, 1, INFINITY, -INFINITY, NAN, -0.0, INFINITY, 1);
    return heed_isclose(a, b, rtol, 0, equal_nan);
}

static heed_tensor *answer(bool close)
{
    return heed_full(HEED_BOOL, HEED_SCALAR, close);
}

static heed_tensor *two(double first, double second)
{
    return HEED_TENSOR(HEED_F64, HEED_SHAPE(2), first, second);
}

GIVES(special_f32, special(HEED_F32, 0.25, false))
GIVES(special_f64, special(HEED_F64, 0.25, true))
GIVES(exactly, special(HEED_F64, 0, false))
GIVES(absolute, heed_isclose(two(1e-9, 1e-7), two(0, 0), 1e-5, 1e-8, false))
GIVES(strides, heed_isclose(heed_flip(two(1, 2), HEED_AXES(0)),
                            heed_expand(heed_ones(HEED_F64, HEED_SCALAR), HEED_SHAPE(2)), 0, 0, false))
GIVES(all_close, answer(heed_allclose(two(1, 2), two(1 + 1e-9, 2), 1e-5, 1e-8, false)))
GIVES(one_apart, answer(heed_allclose(two(1, 2), two(1, 2.1), 1e-5, 1e-8, false)))
GIVES(same_nan, answer(heed_allclose(two(1, NAN), two(1, NAN), 0, 0, true)))
GIVES(other_nan, answer(heed_allclose(two(1, NAN), two(1, NAN), 0, 0, false)))
GIVES(all_of_nothing,
      answer(heed_allclose(heed_ones(HEED_F32, HEED_SHAPE(0)), heed_ones(HEED_F32, HEED_SHAPE(1)), 0, 0, false)))

/* The error of allclose, which does not return a tensor. */
static heed_tensor *apart(heed_tensor *a, heed_tensor *b, double rtol)
{
    return heed_allclose(a, b, rtol, 0, false) ? a : NULL;
}

GIVES(first_null, heed_isclose(NULL, two(1, 2), 0, 0, false))
GIVES(negative, heed_isclose(two(1, 2), two(1, 2), -1, 0, false))
GIVES(nan_tolerance, heed_isclose(two(1, 2), two(1, 2), 0, NAN, false))
GIVES(mixed, heed_isclose(two(1, 2), heed_ones(HEED_F32, HEED_SCALAR), 0, 0, false))
GIVES(of_i64, heed_isclose(heed_ones(HEED_I64, HEED_SCALAR), heed_ones(HEED_I64, HEED_SCALAR), 0, 0, false))
GIVES(all_of_null, apart(two(1, 2), NULL, 0))
GIVES(all_negative, apart(two(1, 2), two(1, 2), -1))
GIVES(all_apart, apart(two(1, 2), heed_ones(HEED_F64, HEED_SHAPE(3)), 0))

const op_cases heed_cases_isclose = {
    .cases = (const op_case[]){CLOSE("() ()", NO_DIMS, NO_DIMS, 0.1, 0.5),
                               CLOSE("(0) (1)", DIMS(0), DIMS(1), 0.1, 0.5),
                               CLOSE("(37) (37)", DIMS(37), DIMS(37), 0.1, 0.5),
                               CLOSE("(3, 1) (1, 4)", DIMS(3, 1), DIMS(1, 4), 0.1, 0.5),
                               {0}},
    .values = (const op_value[]){{"f32", special_f32, DIMS(8), 0, (const double[]){1, 0, 1, 0, 0, 1, 0, 0}},
                                 {"f64, NaN too", special_f64, DIMS(8), 0, (const double[]){1, 0, 1, 0, 1, 1, 0, 0}},
                                 {"exactly", exactly, DIMS(8), 0, (const double[]){0, 0, 1, 0, 0, 1, 0, 0}},
                                 {"absolute", absolute, DIMS(2), 0, (const double[]){1, 0}},
                                 {"strides", strides, DIMS(2), 0, (const double[]){0, 1}},
                                 {"all close", all_close, NO_DIMS, 0, (const double[]){1}},
                                 {"one apart", one_apart, NO_DIMS, 0, (const double[]){0}},
                                 {"the same NaN", same_nan, NO_DIMS, 0, (const double[]){1}},
                                 {"other NaN", other_nan, NO_DIMS, 0, (const double[]){0}},
                                 {"of nothing", all_of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", first_null, HEED_ERR_ARGUMENT, "isclose:"},
                                 {"rtol -1", negative, HEED_ERR_ARGUMENT, "isclose: rtol is -1, atol is 0: must"},
                                 {"atol NaN", nan_tolerance, HEED_ERR_ARGUMENT, "nan"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "isclose:"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "isclose:"},
                                 {"all, NULL", all_of_null, HEED_ERR_ARGUMENT, "allclose: isclose:"},
                                 {"all, rtol -1", all_negative, HEED_ERR_ARGUMENT, "allclose: isclose: rtol is -1"},
                                 {"all, apart", all_apart, HEED_ERR_SHAPE, "allclose: isclose:"},
                                 {0}},
};
