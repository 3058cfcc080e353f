/* tests/ops/elementwise.h - the cases of elementwise ops. An op is a row of the file of its family:
 *
 *     UNARY(softplus, heed_softplus(x),
 *           CASES(SHAPES(.low = -3, .high = 3), RANGE(-1e-8, 1e-8), RANGE(1e7, 1e8)),
 *           POINTS({"special values", 1e-16, AT({0.0, 0.69314718055994531}, {INFINITY, INFINITY}, {NAN, NAN})}))
 *
 * SHAPES are inputs of all shapes in a range, RANGE is one of a different scale, and POINTS are pairs of a number and
 * the result for it. Values called known come from tests/reference/elementwise_values.py. The driver adds the bad
 * inputs.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_ELEMENTWISE_H
#define HEED_TESTS_OPS_ELEMENTWISE_H

#include "rows.h"

/* Static functions of one input x, or of two, a and b: RUN_1(twice, heed_mul_scalar(x, 2)). p are the row's numbers. */
#define RUN_1(name, expression)                                                                                        \
    static heed_tensor *name(heed_tensor *const *in, const op_case *c)                                                 \
    {                                                                                                                  \
        heed_tensor *x = in[0];                                                                                        \
        const double *p = c->p;                                                                                        \
        (void)p;                                                                                                       \
        return expression;                                                                                             \
    }

#define RUN_2(name, expression)                                                                                        \
    static heed_tensor *name(heed_tensor *const *in, const op_case *c)                                                 \
    {                                                                                                                  \
        heed_tensor *a = in[0], *b = in[1];                                                                            \
        (void)c;                                                                                                       \
        return expression;                                                                                             \
    }

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* Further fields are those of op_cases. A case or a list of points without a function runs the row's. */
#define UNARY(op, expression, ...)                                                                                     \
    RUN_1(run_##op, expression)                                                                                        \
    const op_cases heed_cases_##op = {.run = run_##op, .n_inputs = 1, __VA_ARGS__};

#define BINARY(op, expression, ...)                                                                                    \
    RUN_2(run_##op, expression)                                                                                        \
    const op_cases heed_cases_##op = {.run = run_##op, .n_inputs = 2, __VA_ARGS__};

#define SHAPES(...) UNARY_SAMPLES(NULL, __VA_ARGS__)
#define RANGE(low, high) SCALED_SAMPLE(NULL, low, high)
#define SHAPES_2(...) BINARY_SAMPLES(NULL, __VA_ARGS__)
#define RANGE_2(low, high) SCALED_SAMPLE_2(NULL, low, high)

/* Points {x, y}, or {a, b, y}. */
#define POINTS(...) .points = LIST(op_points, __VA_ARGS__)
#define AT(...) NUMBERS(2, __VA_ARGS__)
#define AT_2(...) NUMBERS(3, __VA_ARGS__)
#define NUMBERS(width, ...)                                                                                            \
    .count = (int)(sizeof((double[][width]){__VA_ARGS__}) / sizeof(double[width])),                                    \
    .numbers = ((const double *)((const double[][width]){__VA_ARGS__}))

/* For an op that accepts i64: its results for INT64_MIN, INT64_MAX, 5, 0, -3; or for the pairs (INT64_MAX, 1),
 * (INT64_MIN, -1), (7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5). */
#define WHOLE_NUMBERS(...) .accepts_i64 = true, .whole = ((const double[]){__VA_ARGS__})

/* -- Cases --------------------------------------------------------------------------------------------------------- */

/* One sample of a different scale, and one with given values. */
#define SCALED_SAMPLE(run_, low_, high_)                                                                               \
    {                                                                                                                  \
        .name = "(5) in " #low_ " .. " #high_, .run = run_, .n_inputs = 1, .in = {                                     \
            {.shape = DIMS(5), .low = low_, .high = high_}                                                             \
        }                                                                                                              \
    }

#define SCALED_SAMPLE_2(run_, low_, high_)                                                                             \
    {                                                                                                                  \
        .name = "(5) (5) in " #low_ " .. " #high_, .run = run_, .n_inputs = 2, .in = {                                 \
            {.shape = DIMS(5), .low = low_, .high = high_},                                                            \
            {.shape = DIMS(5), .low = low_, .high = high_}                                                             \
        }                                                                                                              \
    }

#define VALUES_SAMPLE(run_, n, ...)                                                                                    \
    {                                                                                                                  \
        .name = "(" #n ") chosen", .run = run_, .n_inputs = 1, .in = {                                                 \
            {.shape = DIMS(n), .values = (const double[]){__VA_ARGS__}}                                                \
        }                                                                                                              \
    }

/* -- Values and errors --------------------------------------------------------------------------------------------- */

/* Value functions of one input: VALUE_1(special, heed_exp(x), 0.0, NAN). */
#define VALUE_1(name, expression, ...)                                                                                 \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        const double values[] = {__VA_ARGS__};                                                                         \
        int64_t n = (int64_t)(sizeof values / sizeof values[0]);                                                       \
        heed_tensor *x = heed_from_values(HEED_F64, HEED_SHAPE(n), values, n);                                         \
        return expression;                                                                                             \
    }

/* Value functions of whole numbers, the first at the ends of the range: WHOLE(whole, heed_neg(x)). */
#define WHOLE(name, expression)                                                                                        \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        const int64_t values[] = {INT64_MIN, INT64_MAX, 5, 0, -3};                                                     \
        heed_tensor *x = heed_from_array(HEED_I64, HEED_SHAPE(5), values, 5);                                          \
        return expression;                                                                                             \
    }

/* Error functions for i64 and a fraction: NO_WHOLE(half, heed_add_scalar(x, 0.5)). */
#define NO_WHOLE(name, expression)                                                                                     \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        heed_tensor *x = heed_ones(HEED_I64, HEED_SHAPE(2));                                                           \
        return expression;                                                                                             \
    }

#endif
