/* tests/ops/elementwise.h - shared by the cases of elementwise ops: functions to run, samples, bad inputs. Values
 * called known come from tests/reference/elementwise_values.py. */
#ifndef HEED_TESTS_OPS_ELEMENTWISE_H
#define HEED_TESTS_OPS_ELEMENTWISE_H

#include "cases.h"

/* static run function `name` of one input x, or of two, a and b: RUN_1(run, heed_mul_scalar(x, 2.5)) */
#define RUN_1(name, expression)                                                                                        \
    static heed_tensor *name(heed_tensor *const *in, const op_case *c)                                                 \
    {                                                                                                                  \
        heed_tensor *x = in[0];                                                                                        \
        (void)c;                                                                                                       \
        return expression;                                                                                             \
    }

#define RUN_2(name, expression)                                                                                        \
    static heed_tensor *name(heed_tensor *const *in, const op_case *c)                                                 \
    {                                                                                                                  \
        heed_tensor *a = in[0], *b = in[1];                                                                            \
        (void)c;                                                                                                       \
        return expression;                                                                                             \
    }

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

/* BAD_1(f(x)) defines the functions that BAD_1_ERRORS(op) lists: every non-float dtype, and NULL. For an
 * op that takes i64: BAD_NUMBER(f(x)) and BAD_NUMBER_ERRORS(op). */
#define BAD_NUMBER(expression)                                                                                         \
    static heed_tensor *of_null(void)                                                                                  \
    {                                                                                                                  \
        heed_tensor *x = NULL;                                                                                         \
        return expression;                                                                                             \
    }                                                                                                                  \
    static heed_tensor *of_bool(void)                                                                                  \
    {                                                                                                                  \
        heed_tensor *x = heed_zeros(HEED_BOOL, HEED_SHAPE(2));                                                         \
        return expression;                                                                                             \
    }

#define BAD_1(expression)                                                                                              \
    BAD_NUMBER(expression)                                                                                             \
    static heed_tensor *of_i64(void)                                                                                   \
    {                                                                                                                  \
        heed_tensor *x = heed_zeros(HEED_I64, HEED_SHAPE(2));                                                          \
        return expression;                                                                                             \
    }

#define BAD_NUMBER_ERRORS(op)                                                                                          \
    {"NULL", of_null, HEED_ERR_ARGUMENT, #op ":"}, {"bool", of_bool, HEED_ERR_DTYPE, "bool"},                          \
    {                                                                                                                  \
        "its name", of_bool, HEED_ERR_DTYPE, #op ":"                                                                   \
    }

#define BAD_1_ERRORS(op) {"i64", of_i64, HEED_ERR_DTYPE, "i64"}, BAD_NUMBER_ERRORS(op)

/* Like BAD_1 for functions of two inputs a and b, with mixed dtypes and with shapes that do not broadcast as further
 * errors. */
#define BAD_2(expression)                                                                                              \
    static heed_tensor *bad(heed_tensor *a, heed_tensor *b)                                                            \
    {                                                                                                                  \
        return expression;                                                                                             \
    }                                                                                                                  \
    static heed_tensor *first_null(void)                                                                               \
    {                                                                                                                  \
        return bad(NULL, heed_ones(HEED_F64, HEED_SCALAR));                                                            \
    }                                                                                                                  \
    static heed_tensor *second_null(void)                                                                              \
    {                                                                                                                  \
        return bad(heed_ones(HEED_F64, HEED_SCALAR), NULL);                                                            \
    }                                                                                                                  \
    static heed_tensor *mixed(void)                                                                                    \
    {                                                                                                                  \
        return bad(heed_ones(HEED_F64, HEED_SCALAR), heed_ones(HEED_F32, HEED_SCALAR));                                \
    }                                                                                                                  \
    static heed_tensor *apart(void)                                                                                    \
    {                                                                                                                  \
        return bad(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), heed_ones(HEED_F64, HEED_SHAPE(4)));                         \
    }

#define BAD_2_ERRORS(op)                                                                                               \
    {"first NULL", first_null, HEED_ERR_ARGUMENT, #op ":"}, {"second NULL", second_null, HEED_ERR_ARGUMENT, #op ":"},  \
        {"f64 and f32", mixed, HEED_ERR_DTYPE, #op ":"}, {"names f64", mixed, HEED_ERR_DTYPE, "f64"},                  \
        {"names f32", mixed, HEED_ERR_DTYPE, "f32"}, {"(2, 3) and (4)", apart, HEED_ERR_SHAPE, #op ":"},               \
        {"names (2, 3)", apart, HEED_ERR_SHAPE, "(2, 3)"},                                                             \
    {                                                                                                                  \
        "names (4)", apart, HEED_ERR_SHAPE, "(4)"                                                                      \
    }

/* static value function `name` of one input: VALUE_1(special, heed_exp(x), 0.0, NAN) */
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

#define WHOLE_2(name, expression)                                                                                      \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        const int64_t first[] = {INT64_MAX, INT64_MIN, 7, -7, 7, -7, 6, 0};                                            \
        const int64_t second[] = {1, -1, 2, 2, -2, -2, 3, 5};                                                          \
        heed_tensor *a = heed_from_array(HEED_I64, HEED_SHAPE(8), first, 8);                                           \
        heed_tensor *b = heed_from_array(HEED_I64, HEED_SHAPE(8), second, 8);                                          \
        return expression;                                                                                             \
    }

#endif
