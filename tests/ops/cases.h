/* tests/ops/cases.h - the structures for the cases of an op. A file of tests/ops/FAMILY defines heed_cases_NAME of
 * the ops of a theme. Similar ops are rows (rows.h).
 *
 * A case is data: inputs to draw and a function to run. The driver (tests/ops/driver.h describes its checks) makes
 * many samples of every case: derivatives of both orders, views, dtypes, gradients of the output. Values and errors
 * are listed separately.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_CASES_H
#define HEED_TESTS_OPS_CASES_H

#include <math.h>

#include <heed/heed.h>

/* A shape in a static initialiser: DIMS(2, 3). A scalar: NO_DIMS. */
#define DIMS(...)                                                                                                      \
    {                                                                                                                  \
        .rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dims = { __VA_ARGS__ }                     \
    }
#define NO_DIMS                                                                                                        \
    {                                                                                                                  \
        .rank = 0                                                                                                      \
    }

#define OP_MAX_INPUTS 8

typedef enum op_kind {
    OP_FLOAT = 0, /* the dtype under test (f64, then f32), requires a gradient */
    OP_CONSTANT,  /* the dtype under test, needs no gradient */
    OP_INDEX,     /* i64: whole numbers in low .. high - 1 */
    OP_MASK,      /* bool: half of them true */
} op_kind;

typedef struct op_input {
    op_kind kind;
    heed_shape shape;
    double low, high;     /* uniform in low .. high; both 0: -2 .. 2 */
    double gap;           /* moved away from 0 by this gap: |x| >= gap, for kinks at 0 */
    bool distinct;        /* distinct numbers, evenly spaced over low .. high */
    const double *values; /* exactly these instead, row-major */
} op_input;

typedef struct op_case op_case;
typedef heed_tensor *op_function(heed_tensor *const *in, const op_case *c);

struct op_case {
    const char *name; /* NULL ends a list */
    op_function *run; /* NULL: the function and the numbers of the row (op_cases) */
    int n_inputs;
    op_input in[OP_MAX_INPUTS];
    int64_t i[6];         /* arguments of run: axes, flags, */
    double p[2];          /* numbers, */
    heed_shape shape;     /* a shape or a list of axes */
    int max_order;        /* 0: both orders; 1: the first only; -1: no gradient, values only */
    double f32_tolerance; /* f32 against f64, times 1 + |value|; 0: 1e-5; below 0: no f32 */
};

/* run() returns `expected` (row-major), of this shape, to within tolerance (1 + |expected|). NaN matches NaN, and
 * with tolerance 0 an expected -0.0 matches only itself. */
typedef struct op_value {
    const char *name; /* NULL ends a list */
    heed_tensor *(*run)(void);
    heed_shape shape;
    double tolerance;
    const double *expected;
} op_value;

/* run() returns NULL with this status and a message that contains `text`. */
typedef struct op_error {
    const char *name; /* NULL ends a list */
    heed_tensor *(*run)(void);
    heed_status status;
    const char *text;
} op_error;

/* The function returns y at every point, {x, y} or {a, b, y}, of an f64 tensor. Compared as in op_value. */
typedef struct op_points {
    const char *name; /* NULL ends a list */
    double tolerance;
    int count;
    const double *numbers;
    op_function *run; /* NULL: the row's */
} op_points;

/* A tensor of an example. All 0: NULL. */
typedef struct op_given {
    heed_dtype dtype;
    heed_shape shape;
    const double *numbers; /* row-major, or */
    bool ones;             /* ones, or */
    bool counting;         /* 0 1 2 ..., or */
    heed_tensor *(*make)(void);
} op_given;

/* A call of a row's function. It returns `expected` as in op_value or, if `text` is set, fails as in op_error. A text
 * that begins with a colon follows the op's name. */
typedef struct op_example {
    const char *name; /* NULL ends a list */
    op_given in[3];
    int64_t i[4];     /* as in op_case: axes, flags, */
    double p[2];      /* numbers, */
    heed_shape axes;  /* c->shape */
    op_function *run; /* NULL: the row's */
    int slope;        /* n: `expected` is the gradient of the sum of the value by input n - 1; 0: it is the value */
    heed_shape shape;
    double tolerance;
    const double *expected;
    heed_status status;
    const char *text;
} op_example;

/* The examples that the ops of a family share, such as bad axes. */
typedef struct op_shared {
    const op_example *examples;
    op_function *run; /* NULL: the row's */
    const char *name; /* the name in messages; NULL: the op's */
} op_shared;

typedef struct op_cases {
    const op_case *cases;
    const op_value *values; /* may be NULL */
    const op_error *errors;

    /* A row of a family (rows.h). With n_inputs, the op is elementwise, and the driver also runs bad inputs. */
    op_function *run; /* NULL: not a row */
    const op_example *examples;
    op_shared shared[3];
    int n_inputs;
    double p[2]; /* the numbers that `run` receives as c->p, if a case has none */
    const op_points *points;
    bool accepts_i64;
    const double *whole; /* results of whole numbers, if it accepts i64: elementwise.h lists these numbers */

    /* In epsilons, an allowed absolute error of the derivatives at special numbers, in addition to the relative one of
     * test_special_derivatives.c. These are the exceptions: the rules of expm1, tanh and sigmoid read the output y,
     * like PyTorch's, and y + 1, 1 - y^2 and y (1 - y) are as exact as y, which is rounded to 1 or -1 far from 0.
     * gelu_tanh uses sigmoid. The rule of gelu that can be differentiated again uses 1 + erf(x / sqrt(2)). */
    double derivative_error;
} op_cases;

/* The samples for every elementwise op of one input; `...` sets the range and more: .low = 0.1, .high = 3. Use
 * inside the list of cases: UNARY_SAMPLES(run, .gap = 0.1), */
#define UNARY_SAMPLE(name_, run_, dims, ...)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = { {.shape = dims, __VA_ARGS__} }                              \
    }

#define UNARY_SAMPLES(run_, ...)                                                                                       \
    UNARY_SAMPLE("()", run_, NO_DIMS, __VA_ARGS__), UNARY_SAMPLE("(1)", run_, DIMS(1), __VA_ARGS__),                   \
        UNARY_SAMPLE("(0)", run_, DIMS(0), __VA_ARGS__), UNARY_SAMPLE("(0, 3)", run_, DIMS(0, 3), __VA_ARGS__),        \
        UNARY_SAMPLE("(3, 0, 2)", run_, DIMS(3, 0, 2), __VA_ARGS__), UNARY_SAMPLE("(5)", run_, DIMS(5), __VA_ARGS__),  \
        UNARY_SAMPLE("(2, 3)", run_, DIMS(2, 3), __VA_ARGS__), UNARY_SAMPLE("(7, 1)", run_, DIMS(7, 1), __VA_ARGS__),  \
        UNARY_SAMPLE("(1, 7)", run_, DIMS(1, 7), __VA_ARGS__), UNARY_SAMPLE("(5, 7)", run_, DIMS(5, 7), __VA_ARGS__),  \
        UNARY_SAMPLE("(2, 3, 5)", run_, DIMS(2, 3, 5), __VA_ARGS__),                                                   \
        UNARY_SAMPLE("(1, 37, 1)", run_, DIMS(1, 37, 1), __VA_ARGS__)

/* The same for two inputs, with broadcasting; `...` is applied to both. */
#define BINARY_SAMPLE(name_, run_, dims_a, dims_b, ...)                                                                \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 2, .in = {                                                             \
            {.shape = dims_a, __VA_ARGS__},                                                                            \
            {.shape = dims_b, __VA_ARGS__}                                                                             \
        }                                                                                                              \
    }

#define BINARY_SAMPLES(run_, ...)                                                                                      \
    BINARY_SAMPLE("() ()", run_, NO_DIMS, NO_DIMS, __VA_ARGS__),                                                       \
        BINARY_SAMPLE("(1) (1)", run_, DIMS(1), DIMS(1), __VA_ARGS__),                                                 \
        BINARY_SAMPLE("(0) (0)", run_, DIMS(0), DIMS(0), __VA_ARGS__),                                                 \
        BINARY_SAMPLE("(0, 3) (0, 3)", run_, DIMS(0, 3), DIMS(0, 3), __VA_ARGS__),                                     \
        BINARY_SAMPLE("(5) (5)", run_, DIMS(5), DIMS(5), __VA_ARGS__),                                                 \
        BINARY_SAMPLE("(2, 3) (2, 3)", run_, DIMS(2, 3), DIMS(2, 3), __VA_ARGS__),                                     \
        BINARY_SAMPLE("(7, 1) (7, 1)", run_, DIMS(7, 1), DIMS(7, 1), __VA_ARGS__),                                     \
        BINARY_SAMPLE("(5, 7) (5, 7)", run_, DIMS(5, 7), DIMS(5, 7), __VA_ARGS__),                                     \
        BINARY_SAMPLE("(2, 3, 5) (2, 3, 5)", run_, DIMS(2, 3, 5), DIMS(2, 3, 5), __VA_ARGS__),                         \
        BINARY_SAMPLE("(1, 37, 1) (1, 37, 1)", run_, DIMS(1, 37, 1), DIMS(1, 37, 1), __VA_ARGS__),                     \
        BINARY_SAMPLE("(3, 1) (1, 4)", run_, DIMS(3, 1), DIMS(1, 4), __VA_ARGS__),                                     \
        BINARY_SAMPLE("(4) (2, 3, 4)", run_, DIMS(4), DIMS(2, 3, 4), __VA_ARGS__),                                     \
        BINARY_SAMPLE("() (2, 3)", run_, NO_DIMS, DIMS(2, 3), __VA_ARGS__),                                            \
        BINARY_SAMPLE("(2, 3) ()", run_, DIMS(2, 3), NO_DIMS, __VA_ARGS__),                                            \
        BINARY_SAMPLE("(2, 1, 3) (4, 1)", run_, DIMS(2, 1, 3), DIMS(4, 1), __VA_ARGS__),                               \
        BINARY_SAMPLE("(0, 1) (1, 3)", run_, DIMS(0, 1), DIMS(1, 3), __VA_ARGS__)

#endif
