/* tests/ops/rows.h - the row of an op in the file of a family of similar ops:
 *
 *     ROW(flip, heed_flip(in[0], c->shape),
 *         CASES(ONE("(2, 3) axis 0", NULL, DIMS(2, 3), .shape = DIMS(0))),
 *         EXAMPLES({"bool", {GIVEN(HEED_BOOL, DIMS(2), 0, 1)}, .axes = DIMS(0), RESULT(DIMS(2), 0, 1, 0)},
 *                  {"axis 1", {GIVEN_ONES(HEED_F64, DIMS(2))}, .axes = DIMS(1), FAILS(HEED_ERR_SHAPE, ": axis 1 ")}),
 *         .shared = {{.examples = bad_axes}})
 *
 * The expression may use in[] and c. Cases and examples without a function run it. Further fields are those of
 * op_cases.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_ROWS_H
#define HEED_TESTS_OPS_ROWS_H

#include "functions.h"

#define ROW(op, expression, ...)                                                                                       \
    RUN(run_##op, expression)                                                                                          \
    const op_cases heed_cases_##op = {.run = run_##op, __VA_ARGS__};

#define LIST(type, ...) ((const type[]){__VA_ARGS__, {.name = NULL}})
#define CASES(...) .cases = LIST(op_case, __VA_ARGS__)
#define EXAMPLES(...) .examples = LIST(op_example, __VA_ARGS__)
#define VALUES(...) .values = LIST(op_value, __VA_ARGS__)
#define ERRORS(...) .errors = LIST(op_error, __VA_ARGS__)

/* Inputs of examples. {0} is NULL. */
#define GIVEN(dtype_, dims, ...)                                                                                       \
    {                                                                                                                  \
        .dtype = dtype_, .shape = dims, .numbers = (const double[])                                                    \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define GIVEN_ONES(dtype_, dims)                                                                                       \
    {                                                                                                                  \
        .dtype = dtype_, .shape = dims, .ones = true                                                                   \
    }
#define COUNTING(dtype_, dims)                                                                                         \
    {                                                                                                                  \
        .dtype = dtype_, .shape = dims, .counting = true                                                               \
    }
#define MADE_BY(function)                                                                                              \
    {                                                                                                                  \
        .make = function                                                                                               \
    }

#define RESULT(dims, tolerance_, ...)                                                                                  \
    .shape = dims, .tolerance = tolerance_, .expected = (const double[])                                               \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define FAILS(status_, text_) .status = status_, .text = text_

#endif
