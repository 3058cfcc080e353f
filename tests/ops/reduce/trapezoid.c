/* tests/ops/reduce/trapezoid.c - cases of heed_trapezoid and heed_trapezoid_scalar. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_trapezoid(in[0], in[1], (int)c->i[0]))
RUN(even, heed_trapezoid_scalar(in[0], c->p[0], (int)c->i[0]))

#define SAMPLE(name_, y, x, axis)                                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = y}, {.shape = x}}, .i = { axis }                    \
    }

static heed_tensor *ones(int64_t a, int64_t b)
{
    return heed_ones(HEED_F64, HEED_SHAPE(a, b));
}

/* The area below x^2 from 0 to 1, and of a line, which is exact. */
GIVES(square, heed_trapezoid(heed_square(heed_linspace(HEED_F64, 0, 1, 1001)), heed_linspace(HEED_F64, 0, 1, 1001), 0))
GIVES(line,
      heed_trapezoid(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 3, 9), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 4), 0))
GIVES(columns, heed_trapezoid(counting(HEED_F64, HEED_SHAPE(3, 2)), HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 3), 0))
GIVES(halves, heed_trapezoid_scalar(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6), 0.5, -1))
GIVES(one_point, heed_trapezoid_scalar(ones(2, 1), 0.5, 1))
GIVES(no_point, heed_trapezoid(ones(2, 0), heed_ones(HEED_F64, HEED_SHAPE(0)), 1))

GIVES(y_null, heed_trapezoid(NULL, ones(2, 3), 0))
GIVES(x_null, heed_trapezoid(ones(2, 3), NULL, 0))
GIVES(even_null, heed_trapezoid_scalar(NULL, 1, 0))
GIVES(mixed, heed_trapezoid(ones(2, 3), heed_ones(HEED_F32, HEED_SHAPE(3)), 1))
GIVES(of_i64, heed_trapezoid_scalar(heed_ones(HEED_I64, HEED_SHAPE(3)), 1, 0))
GIVES(other_size, heed_trapezoid(ones(2, 3), heed_ones(HEED_F64, HEED_SHAPE(2)), 1))
GIVES(other_rank, heed_trapezoid(ones(2, 3), heed_ones(HEED_F64, HEED_SHAPE(1, 2, 3)), 1))
GIVES(axis_2, heed_trapezoid(ones(2, 3), ones(2, 3), 2))
GIVES(axis_least, heed_trapezoid_scalar(ones(2, 3), 1, INT_MIN))

const op_cases heed_cases_trapezoid = {
    .cases = (const op_case[]){SAMPLE("(5) (5)", DIMS(5), DIMS(5), 0),
                               SAMPLE("(5, 7) (7)", DIMS(5, 7), DIMS(7), 1),
                               SAMPLE("(5, 7) (5)", DIMS(5, 7), DIMS(5), 0),
                               SAMPLE("(2, 3, 5) (3)", DIMS(2, 3, 5), DIMS(3), 1),
                               SAMPLE("(2, 3) (2, 3)", DIMS(2, 3), DIMS(2, 3), -1),
                               SAMPLE("(2, 3) (1, 3)", DIMS(2, 3), DIMS(1, 3), -1),
                               SAMPLE("(0, 3) (3)", DIMS(0, 3), DIMS(3), 1),
                               ONE("(5, 7) even", even, DIMS(5, 7), .i = {0}, .p = {0.25}),
                               ONE("(2, 3, 5) even", even, DIMS(2, 3, 5), .i = {-1}, .p = {-2}),
                               {0}},
    .values = (const op_value[]){{"x^2", square, NO_DIMS, 1e-15, (const double[]){1.0 / 3 + 1e-6 / 6}},
                                 {"line", line, NO_DIMS, 0, (const double[]){20}},
                                 {"columns", columns, DIMS(2), 0, (const double[]){7, 10}},
                                 {"even", halves, DIMS(2), 0, (const double[]){2, 5}},
                                 {"one point", one_point, DIMS(2), 0, (const double[]){0, 0}},
                                 {"no point", no_point, DIMS(2), 0, (const double[]){0, 0}},
                                 {0}},
    .errors =
        (const op_error[]){
            {"y NULL", y_null, HEED_ERR_ARGUMENT, "trapezoid:"},
            {"x NULL", x_null, HEED_ERR_ARGUMENT, "trapezoid:"},
            {"even NULL", even_null, HEED_ERR_ARGUMENT, "trapezoid_scalar:"},
            {"f64 and f32", mixed, HEED_ERR_DTYPE, "trapezoid: the tensors are f64 (2, 3) and f32 (3)"},
            {"i64", of_i64, HEED_ERR_DTYPE, "trapezoid_scalar: the tensor is i64"},
            {"other size", other_size, HEED_ERR_SHAPE, "trapezoid: x (2) does not fit y (2, 3) along axis 1"},
            {"other rank", other_rank, HEED_ERR_SHAPE, "trapezoid: x (1, 2, 3) does not fit y (2, 3)"},
            {"axis 2", axis_2, HEED_ERR_SHAPE, "trapezoid: there is no axis 2"},
            {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "trapezoid_scalar: there is no axis"},
            {0}},
};
